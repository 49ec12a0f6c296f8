/** CANTICLE_DEBUG_DAML: a debugger of JavaScript stops in Daml, shows its names, and profiles and stacks have them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Session, type Debugger, type Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCanticle, LedgerError } from 'canticle';
import { entryName, manifestFor, zipOf } from '../../support/daml/dar-builder.js';
import { e, u } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { probeModule } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const SOURCE = `module Main where

share : Int -> Int -> Int
share all heads =
  let each = all / heads
  in each + 1

template Probe
  with owner : Party
  where
    choice Make : ContractId Probe
      controller owner
      do create this

choice Ask : Int
  do one <- pure (share 10 5)
     pure (share one 0)
`;
const PROBE = t.con('Main:Probe');
const INTS = t.arrow(t.int64, t.arrow(t.int64, t.int64));
const at = (line: number, expression: Parameters<typeof e.located>[2]) =>
  e.located('Main', line, expression);
const call = (line: number, ...args: Parameters<typeof e.call>) => at(line, e.call(...args));

const encoded = encodePackage({
  name: 'debugged',
  version: '1.0.0',
  modules: {
    Main: probeModule(
      {
        // As the Daml compiler writes it: a choice has no location, and its body is a separate value.
        Make: {
          type: t.contractId(PROBE),
          update: e.call(e.value('Main:$$$$sc_Probe_1'), e.var('this')),
        },
        Ask: {
          type: t.int64,
          update: u.block(
            [
              [
                'one',
                t.int64,
                at(9, u.pure(t.int64, call(9, e.value('Main:share'), e.int(10), e.int(5)))),
              ],
            ],
            u.pure(t.int64, call(10, e.value('Main:share'), e.var('one'), e.int(0))),
          ),
        },
      },
      {
        values: {
          $$$$sc_Probe_1: {
            type: t.arrow(PROBE, t.builtin(17, t.contractId(PROBE))),
            expression: e.lambda({ this: PROBE }, u.create('Main:Probe', e.var('this'))),
          },
          share: {
            type: INTS,
            expression: e.lambda(
              { all: t.int64, heads: t.int64 },
              e.let(
                [['each', t.int64, call(5, e.builtin('DIV_INT64'), e.var('all'), e.var('heads'))]],
                call(6, e.builtin('ADD_INT64'), e.var('each'), e.int(1)),
              ),
            ),
          },
        },
      },
    ),
  },
});
const dar = zipOf({
  'META-INF/MANIFEST.MF': manifestFor(encoded),
  [entryName(encoded)]: encoded.dalf,
  [`debugged-1.0.0-${encoded.id}/Main.daml`]: SOURCE,
});

const folder = useTemporaryFolder();
let session: Session;
/** Of this thread: what is asked of it is answered before the next line. */
const request = <T>(method: string, params: object = {}): T => {
  let result: unknown;
  session.post(method, params, (error, answer) => {
    if (error) throw new Error(error.message);
    result = answer;
  });
  return result as T;
};

beforeEach(() => {
  process.env['CANTICLE_DEBUG_DAML'] = folder();
  session = new Session();
  session.connect();
});
afterEach(() => {
  delete process.env['CANTICLE_DEBUG_DAML'];
  session.disconnect();
});

/** A ledger with a probe, which was not asked yet. */
function probe(canticle = createCanticle({ seed: 1 })) {
  const { participant } = canticle;
  participant.uploadDar(dar);
  const actAs = [participant.allocateParty('alice')];
  const template = '#debugged:Main:Probe';
  const contract = participant.create(template, { owner: actAs[0]! }, { actAs });
  return (choice = 'Ask') => participant.exercise(template, contract, choice, {}, { actAs });
}

type Parsed = Debugger.ScriptParsedEventDataType;

test('a breakpoint in a Daml file stops the code, and variables keep their Daml names', () => {
  const scripts: Parsed[] = [];
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
  const stops: unknown[] = [];
  const url = pathToFileURL(join(folder(), 'debugged-1.0.0', 'Main.daml')).href;
  const mapOf = ({ sourceMapURL = '' }: Parsed): SourceMap =>
    new SourceMap(JSON.parse(Buffer.from(sourceMapURL.split(',')[1]!, 'base64').toString('utf8')));
  session.on('Debugger.paused', ({ params }) => {
    const [frame] = params.callFrames;
    const script = scripts.find(({ scriptId }) => scriptId === frame!.location.scriptId)!;
    const { lineNumber, columnNumber = 0 } = frame!.location;
    const place: any = mapOf(script).findEntry(lineNumber, columnNumber);
    const { objectId } = frame!.scopeChain[0]!.object;
    const { result } = request<any>('Runtime.getProperties', { objectId });
    const variables = Object.fromEntries(
      result.map(({ name, value }: any) => [name.replace(/\$\d+$/, ''), value?.description]),
    );
    stops.push([frame!.functionName, place.originalSource, place.originalLine + 1, variables]);
  });
  request('Debugger.enable');
  const evaluate = probe();
  expect(() => evaluate()).toThrow(LedgerError);
  // As a debugger of JavaScript does: it looks which lines of scripts come from the line of the Daml file.
  const found = scripts.filter(({ url: name }) => name.startsWith('canticle:///debugged-1.0.0/'));
  const share = found.find(({ url: name }) => name.endsWith('/share.fast.js'))!;
  const line = Array.from({ length: share.endLine }, (_, each) => each).find(
    (each) => (mapOf(share).findEntry(each, 0) as any).originalLine === 5,
  );
  // Not every debugger may read files.
  expect(
    JSON.parse(Buffer.from(share.sourceMapURL!.split(',')[1]!, 'base64').toString('utf8'))
      .sourcesContent,
  ).toEqual([SOURCE]);
  request('Debugger.setBreakpointByUrl', { url: share.url, lineNumber: line });
  expect(() => evaluate()).toThrow(LedgerError);
  const variables = expect.objectContaining({ all: '10', heads: '5', each: '2' });
  const stop = ['Main$share', url, 6, variables];
  // A refused transaction runs again, to compute the explanation.
  expect(stops).toEqual([stop, stop]);
  expect(readFileSync(join(folder(), 'debugged-1.0.0', 'Main.daml'), 'utf8')).toBe(SOURCE);
});

test('a profile names Daml functions, and an error still names its line', () => {
  request('Profiler.enable');
  request('Profiler.setSamplingInterval', { interval: 10 });
  const evaluate = probe();
  let refused: unknown;
  const names = new Set<string>();
  // A profile is made of samples: which turns they fall into depends on the machine.
  for (let round = 0; round < 40 && !names.has('Main$Probe_Ask_update'); round += 1) {
    request('Profiler.start');
    for (let turn = 0; turn < 50; turn += 1)
      try {
        evaluate();
      } catch (error) {
        refused = error;
      }
    const { profile } = request<Profiler.StopReturnType>('Profiler.stop');
    for (const { callFrame } of profile.nodes) names.add(callFrame.functionName);
  }
  expect([...names]).toContain('Main$Probe_Ask_update');
  expect(JSON.stringify((refused as LedgerError).explanation)).toContain('"line":5');
});

test('uses the source files of a local package if they match the DAR', () => {
  const own = join(folder(), 'own');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'Main.daml'), SOURCE);
  process.env['CANTICLE_DEBUG_DAML'] = `${folder()},debugged=${own}`;
  const scripts: Parsed[] = [];
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
  request('Debugger.enable');
  expect(probe(createCanticle({ seed: 1 }))).toThrow('ArithmeticError');
  // The list includes the scripts of earlier tests.
  const { sourceMapURL = '' } = scripts.findLast(({ url }) => url.endsWith('/share.fast.js'))!;
  const map = JSON.parse(Buffer.from(sourceMapURL.split(',')[1]!, 'base64').toString('utf8'));
  expect(map.sources).toEqual([pathToFileURL(join(own, 'Main.daml')).href]);
});

test('choices map to their start in scripts, and to their code in traces', () => {
  const scripts: Parsed[] = [];
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
  request('Debugger.enable');
  const canticle = createCanticle({ seed: 1 });
  const { updateId } = probe(canticle)('Make');
  for (const end of ['Probe%20Make%20update', '%24%24%24%24sc_Probe_1']) {
    const script = scripts.find(({ url }) => url.endsWith(`/${end}.fast.js`))!;
    const map = new SourceMap(
      JSON.parse(Buffer.from(script.sourceMapURL!.split(',')[1]!, 'base64').toString('utf8')),
    );
    const lines = Array.from({ length: script.endLine }, (_, line): any => map.findEntry(line, 0));
    expect(lines.map(({ originalLine }) => originalLine)).toContain(10);
  }
  const made = (of: typeof canticle, id: string) => of.trace(id).nodes[1];
  const place = { kind: 'create', at: { module: 'Main', line: 13, column: 10 }, placed: 'name' };
  expect(made(canticle, updateId)).toMatchObject(place);
  delete process.env['CANTICLE_DEBUG_DAML'];
  const undebugged = createCanticle({ seed: 1 });
  expect(made(undebugged, probe(undebugged)('Make').updateId)).toMatchObject(place);
});
