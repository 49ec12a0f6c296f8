/** The order of values of all types, and what has none (upstream ComparisonSBuiltinTest; contract ids of OrderingSpec and SBuiltinTest). */
import { e, p, u, type Code } from '../../../support/daml/lf-code.js';
import type { Fields, ModuleSpec } from '../../../support/daml/lf-encoder.js';
import { evaluateEach, OWNER, type Question } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import { call, valuesOf } from '../expression-values.js';

const COMPARISONS: readonly (readonly [builtin: string, holds: (order: number) => boolean])[] = [
  ['LESS', (order) => order < 0],
  ['LESS_EQ', (order) => order <= 0],
  ['EQUAL', (order) => order === 0],
  ['GREATER_EQ', (order) => order >= 0],
  ['GREATER', (order) => order > 0],
];

const definitions: ModuleSpec = {
  types: {
    Either: { params: ['a', 'b'], variant: { Left: t.var('a'), Right: t.var('b') } },
    Tuple: { params: ['a', 'b'], record: { fst: t.var('a'), snd: t.var('b') } },
    Box: { params: ['a'], record: { x: t.var('a') } },
    Color: { enum: ['Red', 'Green', 'Blue'] },
    MyUnit: { record: {} },
  },
};
const micros = (text: string) => e.timestamp(BigInt(Date.parse(text)) * 1000n);
const days = (text: string) => e.date(Date.parse(text) / 86_400_000);
const ints = (...values: number[]) =>
  e.list(
    t.int64,
    values.map((value) => e.int(value)),
  );
const [color, myUnit] = [t.con('Main:Color'), t.con('Main:MyUnit')];
const party = (name: string) =>
  e.match(
    call('TEXT_TO_PARTY', e.text(name)),
    [p.none, call('ERROR', t.party, e.text('no party'))],
    [p.some('x'), e.var('x')],
  );
const [optInt, optText] = [t.optional(t.int64), t.optional(t.text)];
const int = (value?: number) =>
  value === undefined ? e.none(t.int64) : e.some(t.int64, e.int(value));
const text = (value?: string) =>
  value === undefined ? e.none(t.text) : e.some(t.text, e.text(value));
const either = (left: LfTypeSpec, right: LfTypeSpec) => t.con('Main:Either', left, right);
const tuple = (type: LfTypeSpec, fst: Code, snd: Code) => e.record(type, { fst, snd });
const rep = (type: LfTypeSpec) => e.typeRep(type);

/** Pairs of each of the first with each of the second, in order. */
const pairs = <A, B>(first: readonly A[], second: readonly B[]) =>
  first.flatMap((a) => second.map((b) => [a, b] as const));
type Entries = readonly (readonly [key: Code, value: Code])[];
const textMap = (value: LfTypeSpec, entries: Entries) =>
  entries.reduceRight<Code>(
    (rest, [key, each]) => call('TEXTMAP_INSERT', value, key, each, rest),
    e.builtin('TEXTMAP_EMPTY', value),
  );
const genMap = (key: LfTypeSpec, value: LfTypeSpec, entries: Entries) =>
  entries.reduceRight<Code>(
    (rest, [of, each]) => call('GENMAP_INSERT', key, value, of, each, rest),
    e.builtin('GENMAP_EMPTY', key, value),
  );
const TEXT_ENTRIES: readonly (readonly (readonly [string, number])[])[] = [
  [],
  [['a', 1]],
  [
    ['a', 1],
    ['b', 1],
  ],
  [
    ['a', 1],
    ['b', 2],
  ],
  [['a', 2]],
  [
    ['a', 2],
    ['b', 1],
  ],
  [
    ['a', 2],
    ['b', 2],
  ],
  [
    ['a', 2],
    ['b', 2],
    ['c', 3],
  ],
  [['b', 1]],
];
const entriesOf = (rows: readonly (readonly [string, number])[]): Entries =>
  rows.map(([key, value]) => [e.text(key), e.int(value)]);

const INT_TUPLE = t.con('Main:Tuple', t.int64, t.int64);
const DEEP_TUPLE = t.con('Main:Tuple', optText, optInt);
const STRUCT = t.struct({ fst: t.int64, snd: t.int64 });
const TEXT_OR_INT = either(t.text, t.int64);
const DEEP_EITHER = either(optText, optInt);
const [REP, ANY] = [t.builtin(15), t.any];
const boxOf = (type: LfTypeSpec) => t.con('Main:Box', type);

/** Each type with values of it from the least to the greatest. */
const ORDERED: Readonly<Record<string, readonly [LfTypeSpec, ...Code[]]>> = {
  Unit: [t.unit, e.unit],
  Bool: [t.bool, e.false, e.true],
  Int64: [t.int64, e.int(-3), e.int(0), e.int(1)],
  Numeric10: [
    t.numeric(10),
    ...['-10000', '0', '10000'].map((value) => e.numeric(`${value}.0000000000`)),
  ],
  Numeric0: [t.numeric(0), ...['-10000.', '0.', '10000.'].map((value) => e.numeric(value))],
  // By code points: in UTF-16 order, the last two would swap.
  Text: [
    t.text,
    ...['', 'a bit of text', 'some other text', 'some other text again', '｡', '😂'].map(e.text),
  ],
  Date: [t.date, ...['1969-07-21', '1970-01-01', '2020-02-02'].map(days)],
  Timestamp: [
    t.timestamp,
    ...['1969-07-21T02:56:15Z', '1970-01-01T00:00:00Z', '2020-02-02T20:20:02.020Z'].map(micros),
  ],
  Party: [t.party, ...['party1', 'party2', 'party3'].map(party)],
  Enum: [color, ...['Red', 'Green', 'Blue'].map((name) => e.enum('Main:Color', name))],
  EmptyRecord: [myUnit, e.record(myUnit, {})],
  TypeReps: [
    REP,
    ...[t.unit, t.bool, t.int64, t.date, t.timestamp, t.party, t.text, ANY, REP, myUnit].map(rep),
  ],
  TypeRepsOfOne: [
    REP,
    ...[
      t.numeric(0),
      t.contractId(myUnit),
      t.optional(myUnit),
      t.list(myUnit),
      t.builtin(17, myUnit),
      t.textMap(myUnit),
      boxOf(myUnit),
    ].map(rep),
  ],
  TypeRepsOfTwo: [
    REP,
    ...[t.genMap(myUnit, myUnit), t.arrow(myUnit, myUnit), either(myUnit, myUnit)].map(rep),
  ],
  TypeRepsOfScales: [REP, ...[0, 10, 37].map((scale) => rep(t.numeric(scale)))],
  TypeRepsOfStructs: [
    REP,
    ...(
      [
        { field0: t.unit },
        { field0: t.int64 },
        { field1: t.unit },
        { field1: t.unit, field2: t.unit },
        { field1: t.unit, field2: t.int64 },
        { field1: t.int64, field2: t.unit },
        { field1: t.int64, field2: t.int64 },
        { field1: t.unit, field3: t.unit },
      ] as readonly Fields[]
    ).map((fields) => rep(t.struct(fields))),
  ],
  TypeRepsWithArguments: [
    REP,
    ...[t.optional(t.unit), t.optional(t.int64), t.list(t.unit), t.list(t.int64)].map(rep),
  ],
  TypeRepsOfAllForms: [
    REP,
    ...[
      t.unit,
      t.party,
      color,
      myUnit,
      t.struct({ field: t.unit }),
      t.optional(t.unit),
      t.arrow(t.unit, t.unit),
    ].map(rep),
  ],
  Record: [
    INT_TUPLE,
    ...pairs([0, 1], [0, 1]).map(([a, b]) => tuple(INT_TUPLE, e.int(a), e.int(b))),
  ],
  Variant: [
    TEXT_OR_INT,
    ...['a', 'b'].map((value) => e.variant(TEXT_OR_INT, 'Left', e.text(value))),
    ...[-1, 1].map((value) => e.variant(TEXT_OR_INT, 'Right', e.int(value))),
  ],
  Struct: [
    STRUCT,
    ...pairs([0, 1], [0, 1]).map(([a, b]) => e.struct({ fst: e.int(a), snd: e.int(b) })),
  ],
  Optional: [optText, text(), text('A'), text('B')],
  List: [
    t.list(t.int64),
    ...[[], [0], [0, 0], [0, 0, 1], [0, 1, 1], [1], [1, 0], [1, 1]].map((each) => ints(...each)),
  ],
  TextMap: [t.textMap(t.int64), ...TEXT_ENTRIES.map((rows) => textMap(t.int64, entriesOf(rows)))],
  GenMap: [
    t.genMap(t.text, t.int64),
    ...TEXT_ENTRIES.map((rows) => genMap(t.text, t.int64, entriesOf(rows))),
  ],
  RecordOfOptionals: [
    DEEP_TUPLE,
    ...pairs([text(), text('a'), text('b')], [int(), int(0), int(1)]).map(([a, b]) =>
      tuple(DEEP_TUPLE, a, b),
    ),
  ],
  VariantOfOptionals: [
    DEEP_EITHER,
    ...[text(), text('a'), text('b')].map((value) => e.variant(DEEP_EITHER, 'Left', value)),
    ...[int(), int(42), int(43)].map((value) => e.variant(DEEP_EITHER, 'Right', value)),
  ],
  StructOfOptionals: [
    t.struct({ fst: optText, snd: optInt }),
    ...pairs([text(), text('a'), text('b')], [int(), int(0), int(1)]).map(([fst, snd]) =>
      e.struct({ fst, snd }),
    ),
  ],
  OptionalOfOptional: [
    t.optional(optInt),
    e.none(optInt),
    ...[int(), int(0), int(1)].map((value) => e.some(optInt, value)),
  ],
  ListOfOptionals: [
    t.list(optInt),
    ...[[], [int()], [int(), int()], [int(), int(0)], [int(0)], [int(0), int()], [int(1)]].map(
      (items) => e.list(optInt, items),
    ),
  ],
  GenMapOfOptionals: [
    t.genMap(optText, optInt),
    ...(
      [
        [],
        [[text(), int()]],
        [
          [text(), int()],
          [text('0'), int()],
        ],
        [[text(), int(0)]],
        [[text('0'), int()]],
        [[text('0'), int(0)]],
        [[text('1'), int(0)]],
      ] satisfies Entries[]
    ).map((entries) => genMap(optText, optInt, entries)),
  ],
  Any: [
    ANY,
    ...[-1, 0, 1].map((value) => e.toAny(t.int64, e.int(value))),
    ...[1, 2].map((value) => e.toAny(ANY, e.toAny(t.int64, e.int(value)))),
    ...[int(), int(0), int(1)].map((value) => e.toAny(optInt, value)),
  ],
};

/** Of each type the answers of each comparison, of every two values. */
const ordered = evaluateEach(
  Object.fromEntries(
    Object.entries(ORDERED).map(([name, [type, ...values]]): [string, Question] => {
      const answers = COMPARISONS.flatMap(([builtin]) =>
        pairs(values, values).map(([left, right]) => call(builtin, type, left, right)),
      );
      return [name, { type: t.list(t.bool), value: e.list(t.bool, answers) }];
    }),
  ),
  definitions,
  // It alone has an Any, and a representation, of every type.
  { lf: 'dev' },
);

test.each(Object.keys(ORDERED))('%s', (name) => {
  const places = ORDERED[name]!.slice(1).map((_, place) => place);
  expect(ordered[name]).toEqual(
    COMPARISONS.flatMap(([, holds]) => pairs(places, places).map(([i, j]) => holds(i - j))),
  );
});

test('structs compare by their members, independent of the written order', () => {
  const [first, second, third] = [e.int(1), e.int(2), e.int(3)];
  const type = t.struct({ first: t.int64, second: t.int64, third: t.int64 });
  const written = [
    e.struct({ first, second, third }),
    e.struct({ third, second, first }),
    e.struct({ first, third, second }),
  ];
  const answers = COMPARISONS.flatMap(([builtin]) =>
    pairs(written, written).map(([left, right]) => call(builtin, type, left, right)),
  );
  expect(valuesOf(t.bool, answers)).toEqual(
    COMPARISONS.flatMap(([, holds]) => pairs(written, written).map(() => holds(0))),
  );
});

describe('a comparison fails when it reaches a function', () => {
  const FUN = t.arrow(t.int64, t.int64);
  const fun = call('ADD_INT64', e.int(1));
  const other = e.lambda({ x: t.int64 }, e.int(42));
  const T = either(FUN, t.int64);
  const U = e.variant(T, 'Left', fun);
  const [X1, X2, X3] = [1, 2, 3].map((value) => e.variant(T, 'Right', e.int(value))) as [
    Code,
    Code,
    Code,
  ];
  const TT = t.con('Main:Tuple', T, T);
  const S = t.struct({ fst: T, snd: T });
  const both = (fst: Code, snd: Code) => tuple(TT, fst, snd);
  const member = (fst: Code, snd: Code) => e.struct({ fst, snd });
  const list = (...items: Code[]) => e.list(T, items);
  const maps = (...entries: (readonly [string, Code])[]) =>
    textMap(
      T,
      entries.map(([key, value]) => [e.text(key), value]),
    );
  const gens = (...entries: (readonly [Code, Code])[]) => genMap(T, T, entries);
  const anyOf = (right: LfTypeSpec) =>
    e.toAny(either(FUN, right), e.variant(either(FUN, right), 'Left', fun));
  type Pairs = readonly (readonly [Code, Code])[];
  /** Where others tell them apart before, and where not. */
  const CASES: Readonly<Record<string, readonly [LfTypeSpec, ordered: Pairs, refused: Pairs]>> = {
    function: [
      FUN,
      [],
      [
        [fun, fun],
        [fun, other],
      ],
    ],
    variant: [T, [[X1, U]], [[U, U]]],
    record: [
      TT,
      [[both(X1, U), both(X2, U)]],
      [
        [both(U, X1), both(U, X1)],
        [both(U, X1), both(U, X2)],
        [both(X1, U), both(X1, U)],
      ],
    ],
    list: [
      t.list(T),
      [
        [list(X1, U), list(X2, U)],
        [list(U), list()],
      ],
      [
        [list(U), list(U)],
        [list(U, X1), list(U)],
        [list(X1, U), list(X1, U)],
        [list(X1, U, X1), list(X1, U)],
      ],
    ],
    optional: [
      t.optional(T),
      [
        [e.none(T), e.some(T, U)],
        [e.some(T, X1), e.some(T, U)],
      ],
      [[e.some(T, U), e.some(T, U)]],
    ],
    TextMap: [
      t.textMap(T),
      [
        [maps(['a', X1], ['b', U]), maps(['a', X2], ['b', U])],
        [maps(['a', X1]), maps(['b', U])],
        [maps(['a', X1], ['b', U]), maps(['a', X1], ['c', U])],
        [maps(['a', X1], ['b', U]), maps(['b', U])],
        [maps(['a', X1], ['b', U]), maps(['b', X1], ['c', U])],
        [maps(['a', U]), maps()],
      ],
      [
        [maps(['a', U]), maps(['a', U])],
        [maps(['a', U], ['b', X1]), maps(['a', U])],
        [maps(['a', U], ['b', X1]), maps(['a', U], ['c', X1])],
        [maps(['a', U], ['b', X1]), maps(['a', U], ['b', X2])],
        [maps(['a', X1], ['b', U]), maps(['a', X1], ['b', U])],
      ],
    ],
    GenMap: [
      t.genMap(T, T),
      [
        [gens([X1, X1], [X2, U]), gens([X1, X2], [X2, U])],
        [gens([X1, X1]), gens([X2, U])],
        [gens([X1, X1], [X2, U]), gens([X1, X1], [X3, U])],
        [gens([X1, X1], [X2, U]), gens([X2, U])],
        [gens([X1, X1], [X2, U]), gens([X2, X1], [X3, U])],
        [gens([X1, U]), gens()],
      ],
      [
        [gens([X1, U]), gens([X1, U])],
        [gens([X1, U], [X2, X1]), gens([X1, U])],
        [gens([X1, U], [X2, X1]), gens([X1, U], [X3, X1])],
        [gens([X1, U], [X2, X1]), gens([X1, U], [X2, X2])],
        [gens([X1, X1], [X2, U]), gens([X1, X1], [X2, U])],
      ],
    ],
    struct: [
      S,
      [[member(X1, U), member(X2, U)]],
      [
        [member(U, X1), member(U, X1)],
        [member(U, X1), member(U, X2)],
        [member(X1, U), member(X1, U)],
      ],
    ],
    Any: [ANY, [[anyOf(t.text), anyOf(t.int64)]], [[e.toAny(T, U), e.toAny(T, U)]]],
  };

  const questions = Object.entries(CASES).flatMap(([name, [type, ordered, refused]]) =>
    Object.entries({ ordered, refused }).flatMap(([what, rows]) =>
      rows
        .flatMap(([x, y]) => [[x, y] as const, [y, x] as const])
        .flatMap(([x, y]) => COMPARISONS.map(([builtin]) => call(builtin, type, x, y)))
        .map((value, index): [string, Question] => [
          `${name}${what}${index}`,
          { type: t.bool, value },
        ]),
    ),
  );
  const answers = Object.entries(
    evaluateEach(Object.fromEntries(questions), definitions, { lf: 'dev' }),
  );
  const of = (prefix: string) =>
    answers.filter(([name]) => name.startsWith(prefix)).map(([, answer]) => answer);

  test.each(Object.keys(CASES))('inside a %s', (name) => {
    for (const answer of of(`${name}ordered`)) expect(typeof answer).toBe('boolean');
    expect(of(`${name}refused`).length).toBeGreaterThan(0);
    for (const answer of of(`${name}refused`))
      expect(answer).toMatchObject({ refused: 'NON_COMPARABLE_VALUES' });
  });
});

describe('contract ids', () => {
  const PROBE = t.con('Main:Probe');
  const ID = t.contractId(PROBE);
  const made = u.create('Main:Probe', e.record(PROBE, { owner: OWNER }));
  const names = ['self', 'first', 'second', 'third'];
  const rows = pairs(names, names).flatMap(([left, right]) =>
    COMPARISONS.map(([builtin]) => ({ left, right, builtin })),
  );
  const RESULT = t.con('Main:Result');
  const more: ModuleSpec = {
    types: { Result: { record: { ids: t.list(ID), compared: t.list(t.bool) } } },
  };
  const compared = e.record(RESULT, {
    ids: e.list(ID, names.map(e.var)),
    compared: e.list(
      t.bool,
      rows.map(({ left, right, builtin }) => call(builtin, ID, e.var(left), e.var(right))),
    ),
  });
  const update = u.block(
    names.slice(1).map((name) => [name, ID, made] as const),
    u.pure(RESULT, compared),
  );

  test('are equal only to themselves, and have the order of their bytes, for existing and new contracts', () => {
    const { ids, compared: answers } = evaluateEach({ Compare: { type: RESULT, update } }, more)[
      'Compare'
    ] as { ids: string[]; compared: boolean[] };
    const idOf = new Map(names.map((name, index) => [name, ids[index]!]));
    const holds = new Map(COMPARISONS);
    expect(new Set(ids).size).toBe(names.length);
    expect(answers).toEqual(
      rows.map(({ left, right, builtin }) => {
        const [a, b] = [idOf.get(left)!, idOf.get(right)!];
        return holds.get(builtin)!(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
