/**
 * The order in which an exercise and a fetch look the contract up, run code and refuse, by id and by interface (upstream
 * EvaluationOrderTest, `exercise`, `exercise_interface`, `exercise_interface_with_guard`, `fetch`, `fetch_interface`).
 * NOTE: a participant computes the metadata of a contract again when a transaction uses it for the first time. Canticle omits
 * that if the same code created the contract, because the result is the same.
 */
import { e, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import {
  archive,
  arg,
  as,
  choiceArgument,
  createHuman,
  createItem,
  createOther,
  fails,
  HUMAN,
  ITEM,
  NESTED,
  orderOf,
  OTHER,
  PERSON,
  says,
  type Row,
} from './model.js';

/** A way to use a contract, on the id of what it takes for one. */
interface Way {
  readonly kind: 'Item' | 'Human';
  readonly result: LfTypeSpec;
  readonly use: (id: Code) => Code;
  /** The log before the authorization check, and after. */
  readonly before: string;
  readonly after: string;
  readonly wrong: string;
}
const asPerson = (id: Code) => as(HUMAN, PERSON, id);
const nap = (id: Code, guard?: Code) =>
  u.exerciseInterface('Main:Person', 'Nap', asPerson(id), e.int(42), guard);
const GUARD = e.lambda({ person: PERSON }, says(t.bool, 'guard', e.true));
const INTERFACE = 'CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE';

const FETCH: Way = {
  kind: 'Item',
  result: ITEM,
  use: (id) => u.fetch('Main:Item', id),
  before: '',
  after: '',
  wrong: 'WRONGLY_TYPED_CONTRACT',
};
const exercise = (before: string, depth = 0, resultDepth = 0): Way => ({
  ...FETCH,
  result: NESTED,
  use: (id) => u.exercise('Main:Item', 'Use', id, choiceArgument(depth, resultDepth)),
  before,
  after: 'body',
});
const FETCH_INTERFACE: Way = {
  ...FETCH,
  kind: 'Human',
  result: PERSON,
  use: (id) => u.fetchInterface('Main:Person', asPerson(id)),
  wrong: INTERFACE,
};
const NAP: Way = {
  ...FETCH_INTERFACE,
  result: t.int64,
  use: (id) => nap(id),
  before: 'controllers, choice observers',
  after: 'body',
};
const GUARDED_NAP: Way = {
  ...NAP,
  use: (id) => nap(id, GUARD),
  before: 'guard, controllers, choice observers',
};

const create = { Item: createItem(), Human: createHuman() };
const types = { Item: ITEM, Human: HUMAN };
const known = { Item: arg('item'), Human: arg('human') };

type Case = readonly [row: Row, end: string, log: string];

function casesOf({ kind, result, use, before, after, wrong }: Way): Record<string, Case> {
  const type = types[kind];
  const all = [before, after].filter((part) => part !== '').join(', ');
  const row = (id: Code, ...done: BindingCode[]): Row => ({
    type: result,
    update: use(id),
    before: done,
  });
  const other = (id: Code) => as(OTHER, type, id);
  const local: BindingCode = ['id', t.contractId(type), create[kind]];
  const localOther: BindingCode = ['id', t.contractId(OTHER), createOther];
  const fetched: BindingCode = [undefined, type, u.fetch(`Main:${kind}`, known[kind])];
  const fetchedOther: BindingCode = [undefined, OTHER, u.fetch('Main:Other', arg('other'))];
  const id = e.var('id');
  return {
    Global: [row(known[kind]), 'done', all],
    GlobalWronglyTyped: [row(other(arg('other'))), wrong, ''],
    Cached: [row(known[kind], fetched), 'done', all],
    CachedInactive: [row(known[kind], archive(kind, known[kind])), 'CONTRACT_NOT_ACTIVE', ''],
    CachedWronglyTyped: [row(other(arg('other')), fetchedOther), wrong, ''],
    CachedWronglyTypedAndInactive: [
      row(other(arg('other')), archive('Other', arg('other'))),
      'CONTRACT_NOT_ACTIVE',
      '',
    ],
    Local: [row(id, local), 'done', all],
    LocalInactive: [row(id, local, archive(kind, id)), 'CONTRACT_NOT_ACTIVE', ''],
    LocalWronglyTyped: [row(other(id), localOther), wrong, ''],
    LocalWronglyTypedAndInactive: [
      row(other(id), localOther, archive('Other', id)),
      'CONTRACT_NOT_ACTIVE',
      '',
    ],
    Unknown: [row(as(ITEM, type, arg('unknown'))), 'CONTRACT_NOT_FOUND', ''],
    ...(kind === 'Item' && {
      Unauthorized: [row(arg('alien')), 'DAML_AUTHORIZATION_ERROR', before] as const,
    }),
  };
}

const ITEM_ID = t.contractId(ITEM);
const EITHER = t.con('Main:Either');
const useOf = (id: Code) =>
  u.exercise('Main:Item', 'Use', id, says(EITHER, 'argument', choiceArgument(0, 0)));

const caught = (type: LfTypeSpec, body: Code, instead: Code): Code =>
  u.tryCatch(type, body, 'x', e.some(t.builtin(17, type), u.pure(type, instead)));

describe.each([
  ['2.2', '2', 'controllers, choice observers'],
  ['2.dev', 'dev', 'controllers, choice observers, authorizers'],
] as const)('Daml-LF %s', (_name, lf, parties) => {
  const tooDeep = exercise('', 100);
  const deepResult = exercise('', 0, 100);
  const onItem = (way: Way): Row => ({ type: NESTED, update: way.use(arg('item')) });
  const throwing = e.lambda({ person: PERSON }, fails(t.bool));
  const cases: Record<string, Case> = Object.fromEntries(
    Object.entries({
      Fetch: FETCH,
      Exercise: exercise(parties),
      FetchByInterface: FETCH_INTERFACE,
      ExerciseByInterface: NAP,
      ...(lf === 'dev' && { ExerciseWithGuard: GUARDED_NAP }),
    }).flatMap(([way, each]) =>
      Object.entries(casesOf(each)).map(([name, row]) => [`${way}: ${name}`, row]),
    ),
  );
  const all: Record<string, Case> = {
    ...cases,
    'Exercise: ArgumentTooDeep': [onItem(tooDeep), 'VALUE_NESTING', parties],
    'Exercise: ResultTooDeep': [onItem(deepResult), 'VALUE_NESTING', `${parties}, body`],
    // Upstream's compiler applies a choice to its arguments from the last to the first.
    'Exercise: Arguments': [
      onItem({ ...exercise(''), use: (id) => useOf(says(ITEM_ID, 'contract', id)) }),
      'done',
      `argument, contract, ${parties}, body`,
    ],
    ...(lf === 'dev' && {
      'ExerciseWithGuard: Arguments': [
        {
          type: t.int64,
          update: u.exerciseInterface(
            'Main:Person',
            'Nap',
            says(t.contractId(PERSON), 'contract', asPerson(arg('human'))),
            says(t.int64, 'argument', e.int(42)),
            says(t.arrow(PERSON, t.bool), 'condition', GUARD),
          ),
        },
        'done',
        'argument, contract, condition, guard, controllers, choice observers, body',
      ] as const,
      // Upstream's machine takes what a guard throws for a guard that forbids, whatever handlers there are.
      'ExerciseWithGuard: ThrowingGuard': [
        { type: t.int64, update: caught(t.int64, nap(arg('human'), throwing), e.int(1)) },
        'INTERPRETATION_DEV_ERROR',
        '',
      ] as const,
    }),
  };
  const named = new Map(Object.keys(all).map((name) => [name, name.replace(': ', '')]));
  const rows = Object.entries(all).map(([name, [row]]) => [named.get(name)!, row] as const);
  const outcomeOf = orderOf(Object.fromEntries(rows), { lf, withKeys: false });

  test.each(Object.entries(all))('%s', (name, [, end, log]) => {
    expect(outcomeOf(named.get(name)!)).toEqual({ end, log });
  });
});
