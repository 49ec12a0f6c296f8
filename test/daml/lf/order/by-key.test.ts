/**
 * The order in which actions by key compute the key's maintainers, ask for contracts and refuse (upstream EvaluationOrderTest,
 * `exercise_by_key`, `fetch_by_key`, `query_n_by_key`, and what `exercise` and `fetch` say of inconsistent keys).
 */
import { e, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import {
  archive,
  arg,
  BOB,
  choiceArgument,
  createItem,
  ITEM,
  ITEM_ID,
  key,
  NESTED,
  noParties,
  orderOf,
  OTHER,
  type Row,
} from './model.js';

const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';
const PAIR = t.con(`${TYPES}:Tuple2`, ITEM_ID, ITEM);
const parties = e.list(t.party, [BOB]);

interface Way {
  readonly result: LfTypeSpec;
  readonly use: (key: Code) => Code;
  /** The log after the contract is found. */
  readonly then: string;
  /** The log if there is none. */
  readonly none: string;
}
const FETCH: Way = {
  result: PAIR,
  use: (value) => e.call(u.fetchByKey('Main:Item'), value),
  then: '',
  none: 'CONTRACT_KEY_NOT_FOUND',
};
const exercise = (then: string, depth = 0, resultDepth = 0): Way => ({
  ...FETCH,
  result: NESTED,
  use: (value) => u.exerciseByKey('Main:Item', 'Use', value, choiceArgument(depth, resultDepth)),
  then,
});
const query = (count: number, template = 'Item'): Way => ({
  ...FETCH,
  result: t.optional(
    t.list(
      t.con(`${TYPES}:Tuple2`, t.contractId(t.con(`Main:${template}`)), t.con(`Main:${template}`)),
    ),
  ),
  use: (value) => e.call(u.queryNByKey(`Main:${template}`), e.int(count), value),
  none: 'done',
});

const local: BindingCode = ['id', ITEM_ID, createItem()];
const fetched: BindingCode = [undefined, ITEM, u.fetch('Main:Item', arg('item'))];
const withId = key({ id: e.some(t.contractId(OTHER), arg('other')) });

type Case = readonly [row: Row, end: string, log: string];

function casesOf({ result, use, then, none }: Way): Record<string, Case> {
  const log = ['maintainers', then].filter((part) => part !== '').join(', ');
  const row = (value: Code, ...before: BindingCode[]): Row => ({
    type: result,
    update: use(value),
    before,
  });
  const nothing = none === 'done' ? log : 'maintainers';
  return {
    Global: [row(key()), 'done', log],
    Cached: [row(key(), fetched), 'done', log],
    CachedInactive: [row(key(), archive('Item', arg('item'))), none, nothing],
    Local: [row(key(), local), 'done', log],
    LocalInactive: [
      row(key(), archive('Item', arg('item')), local, archive('Item', e.var('id'))),
      none,
      nothing,
    ],
    Unknown: [row(key({ depth: 1 })), none, nothing],
    WithoutMaintainers: [
      row(key({ maintainers: noParties })),
      'FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS',
      'maintainers',
    ],
    ContractIdInKey: [row(withId), 'CONTRACT_ID_IN_CONTRACT_KEY', 'maintainers'],
    KeyTooDeep: [row(key({ depth: 100 })), 'VALUE_NESTING', 'maintainers'],
  };
}

describe.each([
  ['2.3', '3', 'controllers, choice observers'],
  ['2.dev', 'dev', 'controllers, choice observers, authorizers'],
] as const)('Daml-LF %s', (_name, lf, before) => {
  const cases: Record<string, Case> = Object.fromEntries(
    Object.entries({
      Fetch: FETCH,
      Exercise: exercise(`${before}, body`),
      QueryOne: query(1),
      QueryTwo: query(2),
      QueryFive: query(5),
    }).flatMap(([way, each]) =>
      Object.entries(casesOf(each)).map(([name, row]) => [`${way}: ${name}`, row]),
    ),
  );
  const exercising = (way: Way): Row => ({ type: NESTED, update: way.use(key()) });
  const bobs = key({ maintainers: parties });
  const all: Record<string, Case> = {
    ...cases,
    'Exercise: ArgumentTooDeep': [
      exercising(exercise('', 100)),
      'VALUE_NESTING',
      `maintainers, ${before}`,
    ],
    'Exercise: ResultTooDeep': [
      exercising(exercise('', 0, 100)),
      'VALUE_NESTING',
      `maintainers, ${before}, body`,
    ],
    // The count is checked before the key.
    'QueryNone: KeyTooDeep': [
      { type: query(0).result, update: query(0).use(key({ depth: 100 })) },
      'LEDGER_API_INTERNAL_ERROR',
      'maintainers',
    ],
    'QueryNone: ContractIdInKey': [
      { type: query(0).result, update: query(0).use(withId) },
      'LEDGER_API_INTERNAL_ERROR',
      'maintainers',
    ],
    'QueryNone: WithoutMaintainers': [
      { type: query(0).result, update: query(0).use(key({ maintainers: noParties })) },
      'LEDGER_API_INTERNAL_ERROR',
      'maintainers',
    ],
    // Its key belongs to another party: a query needs the authority of the maintainers, a fetch does not.
    'Query: Unauthorized': [
      { type: query(5).result, update: query(5).use(bobs) },
      'DAML_AUTHORIZATION_ERROR',
      'maintainers',
    ],
    'Fetch: Unauthorized': [
      { type: PAIR, update: FETCH.use(bobs) },
      'DAML_AUTHORIZATION_ERROR',
      'maintainers',
    ],
    'Query: ThrowingMaintainers': [
      { type: query(5, 'Broken').result, update: query(5, 'Broken').use(key()) },
      'DAML_FAILURE',
      '',
    ],
    'Query: ThrowingMaintainersAreNotCaught': [
      {
        type: query(5, 'Broken').result,
        update: u.tryCatch(
          query(5, 'Broken').result,
          query(5, 'Broken').use(key()),
          'x',
          e.some(
            t.builtin(17, query(5, 'Broken').result),
            u.pure(query(5, 'Broken').result, e.none(t.list(PAIR))),
          ),
        ),
      },
      'DAML_FAILURE',
      '',
    ],
  };
  const named = new Map(Object.keys(all).map((name) => [name, name.replace(': ', '')]));
  const rows = Object.entries(all).map(([name, [row]]) => [named.get(name)!, row] as const);
  const outcomeOf = orderOf(Object.fromEntries(rows), { lf, withKeys: true });

  test.each(Object.entries(all))('%s', (name, [, end, log]) => {
    expect(outcomeOf(named.get(name)!)).toEqual({ end, log });
  });
});

describe('a contract that another submission uses, which queries do not find', () => {
  const nothing: BindingCode = [undefined, query(1).result, query(1).use(key())];
  const useById = u.exercise('Main:Item', 'Use', arg('item'), choiceArgument());
  const rows: Record<string, Row> = {
    Fetch: { type: ITEM, update: u.fetch('Main:Item', arg('item')), before: [nothing] },
    Exercise: { type: NESTED, update: useById, before: [nothing] },
    FetchFirst: {
      type: query(1).result,
      update: query(1).use(key()),
      before: [[undefined, ITEM, u.fetch('Main:Item', arg('item'))]],
    },
  };
  const outcomeOf = orderOf(rows, { lf: '3', withKeys: true, isItemInFlight: true });

  // `inconsistent key` of upstream's `exercise` and `fetch`.
  test.each([
    ['Fetch', ''],
    ['Exercise', 'controllers, choice observers'],
    ['FetchFirst', 'maintainers'],
  ])('%s by id fails with INCONSISTENT_CONTRACT_KEY', (name, log) => {
    expect(outcomeOf(name)).toEqual({ end: 'INCONSISTENT_CONTRACT_KEY', log });
  });
});
