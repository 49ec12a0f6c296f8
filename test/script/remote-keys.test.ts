/**
 * Scripts over contract keys against a Ledger API: the contract that a key finds among several, and prefetched
 * keys.
 */
import { startCanticle, type Canticle } from 'canticle';
import { grpcLedger } from '../../src/assembly/grpc/ledger.js';
import type { Send } from '../../src/client/requests.js';
import { HttpSide } from '../../src/client/http-side.js';
import { readDar } from '../../src/daml/index.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { runScriptRemotely } from '../../src/script/run-remotely.js';
import { e, p, type Code } from '../support/daml/lf-code.js';
import { t } from '../support/daml/lf-types.js';
import {
  allocate,
  ANSWER,
  commandOf,
  darOf,
  packageOf,
  s,
  steps,
  submit,
} from './script-package.js';

const NOTE = t.con('Main:Note');
const alice = e.var('alice');
const owner = e.field(NOTE, 'owner', e.var('this'));
const rep = s.rep(NOTE);
const KEY = s.question('Commands:AnyContractKey');
const key = e.record(KEY, {
  getAnyContractKey: s.cast(t.party, s.low('LedgerValue'), alice),
  getAnyContractKeyTemplateTypeRep: rep,
});
const write = (name: string) =>
  [
    '_',
    ANSWER,
    submit(
      alice,
      [
        commandOf('Create', {
          argC: s.anyTemplate(NOTE, e.record(NOTE, { owner: alice, name: e.text(name) })),
        }),
      ],
      { prefetched: [key] },
    ),
  ] as const;

const PAIR = s.low('Arguments2', t.contractId(NOTE), s.low('AnyTemplate'));
const fields = [
  [t.list(t.party), e.list(t.party, [alice])],
  [s.low('TemplateTypeRep'), rep],
  [KEY, key],
] as const;
const nameOf = (pair: string): Code =>
  e.match(
    e.fromAny(
      NOTE,
      e.field(s.low('AnyTemplate'), 'getAnyTemplate', e.field(PAIR, 'a1', e.var(pair))),
    ),
    [p.some('note'), e.field(NOTE, 'name', e.var('note'))],
    [p.default, e.text('no note')],
  );
const NAMES = t.list(t.text);
const first = e.match(
  e.var('found'),
  [p.some('one'), e.list(t.text, [nameOf('one')])],
  [p.default, e.nil(t.text)],
);
const two = e.match(
  e.var('found'),
  [
    p.cons('one', 'rest'),
    e.match(
      e.var('rest'),
      [p.cons('other', '_'), e.list(t.text, [nameOf('one'), nameOf('other')])],
      [p.default, e.list(t.text, [nameOf('one')])],
    ),
  ],
  [p.default, e.nil(t.text)],
);
const queried = (
  name: string,
  version: number,
  found: ReturnType<typeof t.list>,
  more: Code[],
  names: Code,
) => ({
  result: NAMES,
  code: steps(
    [
      ['alice', t.party, allocate('alice')],
      ...['oldest', 'older', 'newest'].map(write),
      [
        'found',
        found,
        s.ask(name, version, [...fields, ...more.map((each) => [t.int64, each] as const)], found),
      ],
    ],
    [NAMES, s.finish(NAMES, names)],
  ),
});

const dar = darOf(
  packageOf(
    {
      newest: queried('QueryByKey', 2, t.optional(PAIR), [], first),
      several: queried('QueryNByKey', 1, t.list(PAIR), [e.int(2)], two),
    },
    {
      templates: {
        Note: {
          fields: { owner: t.party, name: t.text },
          precondition: e.true,
          signatories: e.list(t.party, [owner]),
          key: {
            type: t.party,
            body: owner,
            maintainers: e.lambda({ key: t.party }, e.list(t.party, [e.var('key')])),
          },
        },
      },
    },
    '3',
  ),
);

const { main, packages } = readDar(dar);
const all = new ScriptPackages(packages);
let canticle: Canticle;
let grpc: ReturnType<typeof grpcLedger>;
let commands = 0;

beforeAll(async () => {
  canticle = await startCanticle({ dars: [dar], grpc: true });
  const [host = '', port = ''] = canticle.urls.grpc!.split(':');
  grpc = grpcLedger(host, Number(port));
});
afterAll(async () => {
  grpc.close();
  await canticle.close();
});

describe.each(['JSON', 'gRPC'] as const)('Keys in scripts over %s', (way) => {
  const prefetched: unknown[] = [];
  let start: ReturnType<typeof canticle.snapshot>;
  beforeAll(() => (start = canticle.snapshot()));
  afterEach(() => canticle.revert(start));

  const run = (name: string) => {
    const send: Send = (request) => {
      const given = (
        request.body as { commands?: { prefetchContractKeys?: unknown[] } } | undefined
      )?.commands;
      prefetched.push(...(given?.prefetchContractKeys ?? []));
      return way === 'JSON' ? new HttpSide(canticle.url).send(request) : grpc.send(request);
    };
    return runScriptRemotely(all, scriptNamed(main, `Main:${name}`), {
      send,
      ...(way === 'gRPC' && { values: grpc.values }),
      now: () => 1_000_000n,
      wait: () => Promise.resolve(),
      newCommandId: () => `command-${commands++}`,
      userId: 'daml-script',
    });
  };

  it('find the newest contract, or several, newest first (R-34-098)', async () => {
    expect(await run('newest')).toEqual(['newest']);
    canticle.revert(start);
    expect(await run('several')).toEqual(['newest', 'older']);
    canticle.revert(start);
    expect(canticle.runScript('Main:several')).toEqual(['newest', 'older']);
  });

  it('are prefetched, and the Ledger API accepts them', async () => {
    prefetched.length = 0;
    await run('newest');
    expect(prefetched).toHaveLength(3);
    const [entry] = prefetched as [{ templateId: string }];
    const package_ = way === 'JSON' ? main.id : '#script-tests';
    expect(entry.templateId).toBe(`${package_}:Main:Note`);
  });
});
