/**
 * Transactions with versions of packages, and with packages, that a script's DAR does not have: events within others
 * have the version that the script knows, or they are opaque (B-SCR-005).
 */
import { startCanticle, type Canticle } from 'canticle';
import { grpcLedger } from '../../src/assembly/grpc/ledger.js';
import { HttpSide } from '../../src/client/http-side.js';
import { readDar } from '../../src/daml/index.js';
import { inTime } from '../../src/script/awaited.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import type { ScriptLedger } from '../../src/script/ledger.js';
import { NetworkLedger } from '../../src/script/network/network-ledger.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { RemoteLedger, type RemoteSetting } from '../../src/script/remote/remote-ledger.js';
import { ScriptRun } from '../../src/script/script-run.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e, u, type BindingCode, type Code } from '../support/daml/lf-code.js';
import { encodePackage, type EncodedPackage, type ModuleSpec } from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';
import { shown, typesIn } from '../support/daml/shown-value.js';
import { ANSWER, allocate, commandOf, library, s, steps, submit } from './script-package.js';

/** An interface with one choice, in its own package. */
const interfaceOf = (name: string, choice: string) => {
  const own = encodePackage({
    name,
    modules: {
      Main: {
        types: { View: { record: {} }, [choice]: { record: { by: t.party } } },
        interfaces: {
          Item: {
            view: t.con('Main:View'),
            choices: {
              [choice]: {
                argument: t.con(`Main:${choice}`),
                returns: t.unit,
                controllers: e.list(t.party, [
                  e.field(t.con(`Main:${choice}`), 'by', e.var('arg')),
                ]),
                update: u.pure(t.unit, e.unit),
              },
            },
          },
        },
      },
    },
  });
  const of = (entity: string) => `${own.id}:Main:${entity}`;
  return { own, item: of('Item'), argument: t.con(of(choice)), view: t.con(of('View')), choice };
};
const [known, unknown] = [interfaceOf('known', 'Look'), interfaceOf('unknown', 'Touch')];

const [BOX, FILL, EXTRA] = ['Box', 'Fill', 'Extra'].map((name) => t.con(`Main:${name}`)) as [
  LfTypeSpec,
  LfTypeSpec,
  LfTypeSpec,
];
const [MARK, REPLY] = [t.con('Main:Mark'), t.con('Main:Reply')];
const owner = e.field(BOX, 'owner', e.var('this'));
const DONE = u.pure(t.unit, e.unit);
/**
 * The box and its choices.
 * @param added more members of its records
 * @param filled the steps of the choice Fill
 * @param replied the members of the reply of Mark
 */
const model = (
  added: Readonly<Record<string, LfTypeSpec>>,
  filled: readonly BindingCode[],
  replied: Readonly<Record<string, Code>>,
  more: ModuleSpec = {},
) =>
  ({
    types: {
      Fill: { record: {} },
      Mark: { record: { number: t.int64, ...added } },
      Reply: { record: { number: t.int64, ...added } },
      ...more.types,
    },
    templates: {
      Box: {
        fields: { owner: t.party, ...added },
        precondition: e.true,
        signatories: e.list(t.party, [owner]),
        choices: {
          Fill: {
            consuming: false,
            argument: FILL,
            returns: t.unit,
            controllers: e.list(t.party, [owner]),
            update: u.block(filled, DONE),
          },
          Mark: {
            consuming: false,
            argument: MARK,
            returns: REPLY,
            controllers: e.list(t.party, [owner]),
            update: u.pure(REPLY, e.record(REPLY, { number: e.int(7), ...replied })),
          },
        },
      },
      ...more.templates,
    },
  }) satisfies ModuleSpec;

const first = encodePackage({ name: 'model', modules: { Main: model({}, [], {}) } });

const NOTE = t.optional(t.text);
const [NONE, NEW] = [e.none(t.text), e.some(t.text, e.text('new'))];
const box = (note: Code): Code => u.create('Main:Box', e.record(BOX, { owner, note }));
const mark = (note: Code): BindingCode => [
  '_',
  REPLY,
  u.exercise('Main:Box', 'Mark', e.var('self'), e.record(MARK, { number: e.int(1), note })),
];
const extra = e.field(EXTRA, 'owner', e.var('this'));
const through = ({ item, argument, choice }: typeof known): BindingCode => [
  '_',
  t.unit,
  u.exerciseInterface(
    item,
    choice,
    e.call(e.builtin('COERCE_CONTRACT_ID', EXTRA, t.con(item)), e.var('id')),
    e.record(argument, { by: owner }),
  ),
];
const later = (version: string, upgradedPackageId: string) =>
  encodePackage({
    name: 'model',
    version,
    upgradedPackageId,
    imports: [known.own.id, unknown.own.id],
    modules: {
      Main: model(
        { note: NOTE },
        [
          ['_', BOX, u.fetch('Main:Box', e.var('self'))],
          ['_', t.contractId(BOX), box(NONE)],
          ['_', t.contractId(BOX), box(NEW)],
          mark(NONE),
          mark(NEW),
          ['id', t.contractId(EXTRA), u.create('Main:Extra', e.record(EXTRA, { owner }))],
          [
            '_',
            t.unit,
            u.exercise('Main:Extra', 'Peek', e.var('id'), e.record(t.con('Main:Peek'), {})),
          ],
          through(known),
          ['id', t.contractId(EXTRA), u.create('Main:Extra', e.record(EXTRA, { owner }))],
          through(unknown),
        ],
        { note: NEW },
        {
          types: { Peek: { record: {} } },
          templates: {
            Extra: {
              fields: { owner: t.party },
              precondition: e.true,
              signatories: e.list(t.party, [extra]),
              implements: Object.fromEntries(
                [known, unknown].map(({ item, view }) => [
                  item,
                  { view: e.record(view, {}), methods: {} },
                ]),
              ),
              choices: {
                Peek: {
                  consuming: false,
                  argument: t.con('Main:Peek'),
                  returns: t.unit,
                  controllers: e.list(t.party, [extra]),
                  update: DONE,
                },
              },
            },
          },
        },
      ),
    },
  });

const second = later('2.0.0', first.id);
/** No participant has it. */
const third = later('3.0.0', second.id);

/** The script knows the first version of the model, and one of the interfaces. */
const [BOX_1, FILL_1] = ['Box', 'Fill'].map((name) => t.con(`${first.id}:Main:${name}`)) as [
  LfTypeSpec,
  LfTypeSpec,
];
const TAG = t.con('Main:Tag');
const ofAlice = e.record(BOX_1, { owner: e.var('alice') });
const own = encodePackage({
  name: 'scripts',
  imports: [library.main.id, first.id],
  modules: {
    Main: {
      templates: {
        Tag: {
          fields: { owner: t.party },
          precondition: e.true,
          signatories: e.list(t.party, [e.field(TAG, 'owner', e.var('this'))]),
        },
      },
      values: {
        fill: {
          type: s.of(ANSWER),
          expression: steps(
            [['alice', t.party, allocate('alice')]],
            [
              ANSWER,
              submit(e.var('alice'), [
                commandOf('Create', {
                  argC: s.anyTemplate(TAG, e.record(TAG, { owner: e.var('alice') })),
                }),
                commandOf('CreateAndExercise', {
                  tplArgCE: s.anyTemplate(BOX_1, ofAlice),
                  choiceArgCE: s.anyChoice(BOX_1, FILL_1, e.record(FILL_1, {})),
                }),
                commandOf('Create', { argC: s.anyTemplate(BOX_1, ofAlice) }),
              ]),
            ],
          ),
        },
      },
    },
  },
});
const read = (...others: readonly EncodedPackage[]) =>
  readDar(buildDar(own, library.main, ...library.parts, first, known.own, ...others));
const older = new ScriptPackages(read().packages);
const all = new ScriptPackages(read(second, third, unknown.own).packages);

let canticle: Canticle;
let grpc: ReturnType<typeof grpcLedger>;
beforeAll(async () => {
  canticle = await startCanticle({
    dars: [
      buildDar(first),
      buildDar(second, known.own, unknown.own),
      buildDar(own, library.main, ...library.parts, first),
    ],
    grpc: true,
  });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  grpc = grpcLedger(host, Number(port));
});
let start: ReturnType<typeof canticle.snapshot>;
beforeEach(() => (start = canticle.snapshot()));
afterEach(() => canticle.revert(start));
afterAll(async () => {
  grpc.close();
  await canticle.close();
});

let commands = 0;
const remote = (packages: ScriptPackages, way: Pick<RemoteSetting, 'send' | 'values'>) =>
  new RemoteLedger(packages, {
    ...way,
    now: () => 0n,
    wait: () => Promise.resolve(),
    newCommandId: () => `command-${commands++}`,
    userId: 'daml-script',
  });
const LEDGERS: Readonly<Record<string, (packages: ScriptPackages) => ScriptLedger>> = {
  'a network of this process': (packages) =>
    new NetworkLedger(canticle.network, packages, canticle.network.participants[0]!),
  JSON: (packages) => remote(packages, { send: new HttpSide(canticle.url).send }),
  gRPC: (packages) => remote(packages, { send: grpc.send, values: grpc.values }),
};

/** Runs the script. Returns its answer, and the templates of the transaction. */
async function filled(way: string, packages: ScriptPackages) {
  const ledger = LEDGERS[way]!(packages);
  const run = new ScriptRun(scriptNamed(packages.package(own.id)!, 'Main:fill'), {
    packages,
    ledger,
  });
  const answer = await inTime(run.run(undefined));
  const [{ value }] = shown(answer) as [{ value: [unknown, [any[]]] }];
  const [results, [roots]] = value;
  return { results, roots, types: new Set(typesIn(answer)) };
}

const id = expect.stringMatching(/^00[0-9a-f]{130,}$/) as string;
const party = expect.stringMatching(/^alice(-[\w-]+)?::1220/) as string;
/** The value of an opaque event, and of a record without members. */
const EMPTY: readonly unknown[] = [];
const created = (template: string, value: unknown) => ({
  rank: 0,
  value: [[[template], id], [{ type: template, value }]],
});
const exercised = (
  template: string,
  choice: string,
  value: unknown,
  below: readonly unknown[] = [],
  definition = template,
) => ({
  rank: 1,
  value: [[[template], id], choice, [{ type: `Main:${choice}`, value }, [definition]], below],
});
const RESULTS = [
  { rank: 0, value: id },
  { rank: 0, value: id },
  { rank: 1, value: EMPTY },
  { rank: 0, value: id },
];

describe.each(Object.keys(LEDGERS))('Over %s', (way) => {
  it('nested events have the known version, or they are opaque (B-SCR-005)', async () => {
    const { results, roots, types } = await filled(way, older);
    expect(results).toEqual(RESULTS);
    const box1 = created('Main:Box', [party]);
    expect(roots).toEqual([
      created('Main:Tag', [party]),
      box1,
      exercised('Main:Box', 'Fill', EMPTY, [
        // The first version of the template, which lacks the member.
        box1,
        // It has no form without the member.
        created('Main:Box', EMPTY),
        exercised('Main:Box', 'Mark', [1]),
        exercised('Main:Box', 'Mark', EMPTY),
        created('Main:Extra', EMPTY),
        exercised('Main:Extra', 'Peek', EMPTY),
        // The interface is known, but not its template.
        exercised('Main:Extra', 'Look', [party], [], 'Main:Item'),
        created('Main:Extra', EMPTY),
        exercised('Main:Extra', 'Touch', EMPTY, [], 'Main:Item'),
      ]),
      box1,
    ]);
    const [one, two] = [first, second].map((each) => (name: string) => `${each.id}:Main:${name}`);
    const ofModel = [...types].filter((each) => /:(Box|Fill|Mark|Extra|Peek)$/.test(each));
    expect(ofModel.sort()).toEqual(
      [...['Box', 'Fill', 'Mark'].map(one!), ...['Box', 'Mark', 'Extra', 'Peek'].map(two!)].sort(),
    );
  });

  it('nested events have the version that ran, if the script knows it', async () => {
    const { results, roots, types } = await filled(way, all);
    expect(results).toEqual(RESULTS);
    const box1 = created('Main:Box', [party]);
    expect([roots[1], roots[3]]).toEqual([box1, box1]);
    expect([...types].filter((each) => each.startsWith(third.id))).toEqual([]);
    const [, , , below] = roots[2].value;
    const noted = (note: unknown, of: unknown) => [of, note];
    expect(below.slice(0, 5)).toEqual([
      created('Main:Box', noted(null, party)),
      created('Main:Box', noted({ some: 'new' }, party)),
      exercised('Main:Box', 'Mark', noted(null, 1)),
      exercised('Main:Box', 'Mark', noted({ some: 'new' }, 1)),
      created('Main:Extra', [party]),
    ]);
  });
});
