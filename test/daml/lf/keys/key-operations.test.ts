/**
 * The contracts of a key after operations of a transaction, on a ledger with two contracts of one key. The cases are upstream's
 * KeyOperations and GlobalLookups (the "multi keys" of ContractKeySpec, the "global key lookups" of EngineTest).
 */
import { createCanticle } from 'canticle';
import { e, p, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type ChoiceSpec,
  type ModuleSpec,
} from '../../../support/daml/lf-encoder.js';
import { answer, uncheckedPackage } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';
const [KEYED, OPERATIONS, LOG, FAILED] = [
  t.con('Main:Keyed'),
  t.con('Main:Operations'),
  t.con('Main:Log'),
  t.con('Main:Failed'),
];
const ID = t.contractId(KEYED);
const PAIR = t.con(`${TYPES}:Tuple2`, ID, KEYED);
const PAIRS = t.list(PAIR);
const FOUND = t.optional(PAIRS);
const UPDATE = 17;

const own = (name: string) => e.field(OPERATIONS, name, e.var('this'));
const [OWNER, OLD, NEW] = [own('owner'), own('old'), own('new')];

const create = (name: string): BindingCode => [
  name,
  ID,
  u.create('Main:Keyed', e.record(KEYED, { owner: OWNER })),
];
const archive = (id: Code): BindingCode => [
  undefined,
  t.unit,
  u.exercise('Main:Keyed', 'Drop', id, e.unit),
];
const fetch = (id: Code): BindingCode => [undefined, KEYED, u.fetch('Main:Keyed', id)];
const fetchByKey = (name: string): BindingCode => [
  name,
  FOUND,
  u.block(
    [['pair', PAIR, e.call(u.fetchByKey('Main:Keyed'), OWNER)]],
    u.pure(FOUND, e.some(PAIRS, e.list(PAIR, [e.var('pair')]))),
  ),
];
const query = (name: string, count: number): BindingCode => [
  name,
  FOUND,
  e.call(u.queryNByKey('Main:Keyed'), e.int(count), OWNER),
];
const lookup = (name: string) => query(name, 1);
const queryAll = (name: string) => query(name, 9);

const caught = (type: LfTypeSpec, body: Code, handler: Code): Code =>
  u.tryCatch(type, body, 'x', handler);
const failing = (result: LfTypeSpec, found: Code) =>
  e.throw(t.builtin(UPDATE, result), FAILED, e.record(FAILED, { found }));
/** Does this, fails, and goes on. */
const rolledBack = (...steps: BindingCode[]): BindingCode => [
  undefined,
  t.unit,
  caught(
    t.unit,
    u.block(steps, failing(t.unit, e.none(PAIRS))),
    e.some(t.builtin(UPDATE, t.unit), u.pure(t.unit, e.unit)),
  ),
];
/** All contracts that a query finds in a scope that is rolled back. */
const rolledBackQuery = (name: string): BindingCode => [
  name,
  FOUND,
  caught(
    FOUND,
    u.block([queryAll('inside')], failing(FOUND, e.var('inside'))),
    e.match(
      e.fromAnyException(FAILED, e.var('x')),
      [p.none, e.none(t.builtin(UPDATE, FOUND))],
      [
        p.some('failed'),
        e.some(t.builtin(UPDATE, FOUND), u.pure(FOUND, e.field(FAILED, 'found', e.var('failed')))),
      ],
    ),
  ),
];

/** Steps; then the names of the contracts that they made, of what they found, and what that is. */
type Case = readonly [
  steps: readonly BindingCode[],
  made: readonly string[],
  found: Readonly<Record<string, string>>,
];
const [a, b] = [create('a'), create('b')];
const [first, last] = [fetchByKey('first'), fetchByKey('last')];

/** The ledger's contracts are `old` and `new`; those of the transaction `a` and `b`, in their order. */
const CASES: Readonly<Record<string, Case>> = {
  CreateOverwritesLocal: [[a, b, last], ['a', 'b'], { last: 'b' }],
  CreateOverwritesUnknownGlobal: [[a, last], ['a'], { last: 'a' }],
  CreateOverwritesKnownGlobal: [[first, a, last], ['a'], { first: 'new', last: 'a' }],
  FetchDoesNotOverwriteGlobal: [[first, fetch(OLD), last], [], { first: 'new', last: 'new' }],
  FetchDoesNotOverwriteLocal: [[a, fetch(NEW), last], ['a'], { last: 'a' }],
  LocalArchivePreservesUnknownGlobal: [
    [a, archive(e.var('a')), lookup('last')],
    ['a'],
    { last: 'new' },
  ],
  LocalArchivePreservesKnownGlobal: [
    [queryAll('first'), a, archive(e.var('a')), queryAll('last')],
    ['a'],
    { first: 'new old', last: 'new old' },
  ],
  GlobalArchivePreservesUnknownGlobal: [
    [fetch(NEW), fetch(OLD), archive(NEW), queryAll('last')],
    [],
    { last: 'old' },
  ],
  GlobalArchivePreservesKnownGlobal1: [
    [fetch(NEW), fetch(OLD), first, archive(OLD), queryAll('last')],
    [],
    { first: 'new', last: 'new' },
  ],
  GlobalArchivePreservesKnownGlobal2: [
    [fetch(NEW), fetch(OLD), first, archive(NEW), queryAll('last')],
    [],
    { first: 'new', last: 'old' },
  ],
  RollbackFetchByKeyNonRollbackCreate: [[rolledBack(first), a, last], ['a'], { last: 'a' }],
  RollbackFetchNonRollbackCreate: [[rolledBack(fetch(NEW)), a, last], ['a'], { last: 'a' }],
  RollbackGlobalArchivedLookup: [
    [archive(NEW), rolledBackQuery('first'), queryAll('last')],
    [],
    { first: 'old', last: 'old' },
  ],
  RollbackGlobalArchivedCreate: [
    [archive(NEW), rolledBackQuery('first'), a, queryAll('last')],
    ['a'],
    { first: 'old', last: 'a old' },
  ],
  LookupTwice: [[lookup('first'), lookup('last')], [], { first: 'new', last: 'new' }],
  LookupAfterCreate: [[a, lookup('last')], ['a'], { last: 'a' }],
  LookupAfterFetch: [[fetch(NEW), lookup('last')], [], { last: 'new' }],
  LookupAfterArchive: [[fetch(NEW), archive(NEW), lookup('last')], [], { last: 'old' }],
  LookupAfterRollbackLookup: [[rolledBack(lookup('first')), lookup('last')], [], { last: 'new' }],
  LookupAfterArchiveAfterRollbackLookup: [
    [rolledBack(lookup('first')), fetch(NEW), archive(NEW), lookup('last')],
    [],
    { last: 'old' },
  ],
};

/** Ends that protocol version 35 refuses: what was done to the ledger cannot be taken back. */
const REFUSED: Readonly<Record<string, Case>> = {
  RollbackCreate: [[first, rolledBack(a, last)], [], {}],
  RollbackLocalArchive: [[a, rolledBack(archive(e.var('a')))], [], {}],
  RollbackGlobalArchive: [[first, rolledBack(archive(OLD))], [], {}],
};

const parties = (party: Code) => e.list(t.party, [party]);
const operation = ([steps, made, found]: Case): ChoiceSpec => ({
  consuming: false,
  argument: t.unit,
  returns: LOG,
  controllers: parties(OWNER),
  update: u.block(
    steps,
    u.pure(
      LOG,
      e.record(LOG, {
        made: e.list(ID, made.map(e.var)),
        found: e.list(FOUND, Object.keys(found).map(e.var)),
      }),
    ),
  ),
});

const keyedOwner = parties(e.field(KEYED, 'owner', e.var('this')));
const model: ModuleSpec = {
  types: {
    Failed: { record: { found: FOUND } },
    Log: { record: { made: t.list(ID), found: t.list(FOUND) } },
  },
  exceptions: { Failed: e.lambda({ x: FAILED }, e.text('failed')) },
  templates: {
    Keyed: {
      fields: { owner: t.party },
      signatories: keyedOwner,
      key: {
        type: t.party,
        body: e.field(KEYED, 'owner', e.var('this')),
        maintainers: e.lambda({ key: t.party }, parties(e.var('key'))),
      },
      choices: {
        Drop: {
          argument: t.unit,
          returns: t.unit,
          controllers: keyedOwner,
          update: u.pure(t.unit, e.unit),
        },
      },
    },
    Operations: {
      fields: { owner: t.party, old: ID, new: ID },
      signatories: parties(OWNER),
      choices: Object.fromEntries(
        Object.entries({ ...CASES, ...REFUSED }).map(([name, each]) => [name, operation(each)]),
      ),
    },
  },
};

const main = encodePackage({ lf: '3', modules: { Main: model } });
const canticle = createCanticle({ packages: [uncheckedPackage(main)] });
const { participant } = canticle;
const owner = participant.allocateParty('owner');
const options = { actAs: [owner] };
const [older, newer] = [1, 2].map(() =>
  participant.create(`${main.id}:Main:Keyed`, { owner }, options),
) as [string, string];
const operations = participant.create(
  `${main.id}:Main:Operations`,
  { owner, old: older, new: newer },
  options,
);
const beginning = canticle.snapshot();
afterEach(() => canticle.revert(beginning));

const run = (name: string) =>
  answer(
    () => participant.exercise(`${main.id}:Main:Operations`, operations, name, {}, options).result,
  );

test.each(Object.entries(CASES))('%s', (name, [, made, found]) => {
  const log = run(name) as { made: string[]; found: { _1: string }[][] };
  const names = new Map([
    [older, 'old'],
    [newer, 'new'],
    ...log.made.map((id, index) => [id, made[index]!] as const),
  ]);
  const foundNames = log.found.map((pairs) => pairs.map(({ _1 }) => names.get(_1)).join(' '));
  expect(foundNames).toEqual(Object.values(found));
});

test.each(Object.keys(REFUSED))('rejects %s', (name) => {
  expect(run(name)).toMatchObject({ refused: 'DAML_EFFECTFUL_ROLLBACK_ERROR' });
});
