/**
 * Data that two versions of a package type differently, as may be after a forced vetting, and how reading the data of the one as
 * the other ends. The words are those of the interpreter's ValueTranslator.
 */
import { e, u } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type DataTypeSpec,
  type EncodedPackage,
  type ModuleSpec,
} from '../../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

type Types = Readonly<Record<string, DataTypeSpec>>;

/** A type, and those of its module that it refers to. */
type Typed = LfTypeSpec | readonly [LfTypeSpec, Types];

export interface Reading {
  readonly from: Typed;
  readonly to: Typed;
  /** As JSON. */
  readonly value: unknown;
  /** `success`, a code, or why the value cannot be translated. */
  readonly ends: string;
}

/** @param quoted the value as Scala and as the interpreter print it */
const mismatch = (type: string, scala: string, pretty: string): string =>
  because(type, `mismatching type: ${type} and value: ${scala}`, pretty);
const because = (type: string, message: string, pretty: string): string =>
  `Type-checking fails  ${message}\n  Expected type: ${type}\n  Actual value: ${pretty}`;

const TOO_FEW = 'Unexpected non-optional extra template field type encountered during upgrading.';
/** A package that both versions use. */
export const boxes = encodePackage({
  name: 'boxes',
  modules: {
    Boxes: {
      types: {
        Box: { params: ['a'], record: { content: t.var('a') } },
        Label: { record: { text: t.text } },
      },
    },
  },
});
const LABEL = `${boxes.id}:Boxes:Label`;
const BOX = `${boxes.id}:Boxes:Box`;
const AUTHENTICATION = 'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED';
const cid = `00${'ab'.repeat(33)}`;
const data = t.con('Data');
const record = (fields: Readonly<Record<string, LfTypeSpec>>): Typed => [
  data,
  { Data: { record: fields } },
];
const variant = (cases: Readonly<Record<string, LfTypeSpec>>): Typed => [
  data,
  { Data: { variant: cases } },
];
const enumOf = (...names: string[]): Types => ({ Color: { enum: names } });
const color = t.con('Color');
const int = (value: number) => [`Int64(${value})`, String(value)] as const;
const none = ['Optional(None)', 'None'] as const;
const [optionalInt, optionalText] = [t.optional(t.int64), t.optional(t.text)];
const pair: Types = {
  Pair: { params: ['a', 'b'], record: { x: t.var('a'), y: t.optional(t.var('b')) } },
};
const nested: Types = {
  Tree: { params: ['a'], record: { label: t.var('a'), below: t.list(t.con('Tree', t.var('a'))) } },
};

/** Scalars of another type, by name. */
const scalars: Readonly<Record<string, Reading>> = Object.fromEntries(
  (
    [
      ['Unit', t.unit, {}, ['Unit', '<unit>']],
      ['Bool', t.bool, true, ['Bool(true)', 'true']],
      ['Int64', t.int64, '42', int(42)],
      ['Numeric', t.numeric(10), '1.5', ['Numeric(1.5000000000)', '1.5000000000']],
      ['Zero', t.numeric(10), '0', ['Numeric(0E-10)', '0.0000000000']],
      ['Tiny', t.numeric(10), '-0.0000000012', ['Numeric(-1.2E-9)', '-0.0000000012']],
      ['Date', t.date, '1970-01-01', ['Date(1970-01-01)', '1970-01-01']],
      [
        'Timestamp',
        t.timestamp,
        '1970-01-01T00:00:00.000001Z',
        ['Timestamp(1970-01-01T00:00:00.000001Z)', '1970-01-01T00:00:00.000001Z'],
      ],
      ['Party', t.party, 'bob', ['Party(bob)', "'bob'"]],
      ['ContractId', t.contractId(t.con('T')), cid, [`ContractId(ContractId(${cid}))`, cid]],
    ] as const
  ).map(([name, from, value, [scala, pretty]]) => [
    name,
    { from, to: t.text, value, ends: mismatch('Text', scala, pretty) },
  ]),
);

export const READINGS: Readonly<Record<string, Reading>> = {
  ...scalars,
  Text: { from: t.text, to: t.party, value: 'bob', ends: mismatch('Party', 'Text(bob)', '"bob"') },
  IntAsTime: { from: t.int64, to: t.timestamp, value: '1', ends: mismatch('Timestamp', ...int(1)) },
  Scale: {
    from: t.numeric(10),
    to: t.numeric(5),
    value: '1',
    ends: because(
      'Numeric 5',
      'Non-normalized Numeric: the type expects scale 5, but the value has scale 10',
      '1.0000000000',
    ),
  },
  OtherContract: {
    from: t.contractId(t.con('T')),
    to: t.contractId(t.con('Other')),
    value: cid,
    ends: 'success',
  },

  List: {
    from: t.list(t.int64),
    to: t.list(t.text),
    value: ['1'],
    ends: mismatch('Text', ...int(1)),
  },
  EmptyList: { from: t.list(t.int64), to: t.list(t.text), value: [], ends: 'success' },
  ListAsMap: {
    from: t.list(t.int64),
    to: t.textMap(t.int64),
    value: ['1', '2'],
    ends: mismatch('TextMap Int64', 'List(FrontStack(Int64(1),Int64(2)))', '[1, 2]'),
  },
  Optional: {
    from: t.list(optionalInt),
    to: t.list(optionalText),
    value: [null, '1'],
    ends: mismatch('Text', ...int(1)),
  },
  None: { from: t.list(optionalInt), to: t.list(optionalText), value: [null], ends: 'success' },
  OptionalAsList: {
    from: t.list(optionalInt),
    to: t.list(t.list(t.int64)),
    value: ['1'],
    ends: mismatch('List Int64', 'Optional(Some(Int64(1)))', 'Option(1)'),
  },
  TextMap: {
    from: t.textMap(t.int64),
    to: t.textMap(t.optional(t.int64)),
    value: { a: '1' },
    ends: mismatch('Optional Int64', ...int(1)),
  },
  TextMapAsGenMap: {
    from: t.textMap(t.int64),
    to: t.genMap(t.text, t.list(optionalText)),
    value: { a: '1', b: '2' },
    ends: mismatch(
      'GenMap Text (List (Optional Text))',
      'TextMap(SortedLookupList((a,Int64(1)),(b,Int64(2))))',
      'TextMap(a -> 1, b -> 2)',
    ),
  },
  Key: {
    from: t.genMap(t.int64, t.int64),
    to: t.genMap(t.text, t.text),
    value: [['1', '2']],
    ends: mismatch('Text', ...int(1)),
  },
  GenMapAsList: {
    from: t.genMap(t.int64, t.numeric(2)),
    to: t.list(t.numeric(2)),
    value: [['1', '2.5']],
    ends: mismatch('List (Numeric 2)', 'GenMap((Int64(1),Numeric(2.50)))', 'GenMap(1 -> 2.50)'),
  },
  EmptyGenMap: {
    from: t.genMap(t.int64, t.int64),
    to: t.genMap(t.text, t.text),
    value: [],
    ends: 'success',
  },

  RankedKeys: {
    from: [t.genMap(color, t.int64), enumOf('Red', 'Green')],
    to: [t.genMap(color, t.int64), enumOf('Green', 'Red')],
    value: [
      ['Red', '1'],
      ['Green', '2'],
    ],
    ends: 'Invalid value GenMap(Red -> 1, Green -> 2) Unexpected non-strictly ordered GenMap value',
  },
  RankedKey: {
    from: [t.genMap(color, t.int64), enumOf('Red', 'Green')],
    to: [t.genMap(color, t.int64), enumOf('Green', 'Red')],
    value: [['Red', '1']],
    ends: AUTHENTICATION,
  },
  RankedVariantKeys: {
    from: [t.genMap(data, t.unit), { Data: { variant: { A: t.unit, B: t.int64 } } }],
    to: [t.genMap(data, t.unit), { Data: { variant: { B: t.int64, A: t.unit } } }],
    value: [
      [{ tag: 'A', value: {} }, {}],
      [{ tag: 'B', value: '1' }, {}],
    ],
    ends: 'Invalid value GenMap(A(<unit>) -> <unit>, B(1) -> <unit>) Unexpected non-strictly ordered GenMap value',
  },
  ExtendedKeys: {
    from: [t.genMap(color, t.int64), enumOf('Red', 'Green')],
    to: [t.genMap(color, t.int64), enumOf('Red', 'Green', 'Blue')],
    value: [
      ['Red', '1'],
      ['Green', '2'],
    ],
    ends: 'success',
  },

  RecordAsVariant: {
    from: record({ a: t.int64, b: optionalInt }),
    to: variant({ a: t.int64 }),
    value: { a: '1', b: null },
    ends: mismatch('Module:Data', 'Record(None,ImmArray((None,Int64(1))))', '{ <no-label> = 1 }'),
  },
  VariantAsEnum: {
    from: variant({ Red: t.unit }),
    to: [data, { Data: { enum: ['Red'] } }],
    value: { tag: 'Red', value: {} },
    ends: mismatch('Module:Data', 'Variant(None,Red,Unit)', 'Red(<unit>)'),
  },
  EnumAsText: {
    from: [color, enumOf('Red')],
    to: t.text,
    value: 'Red',
    ends: mismatch('Text', 'Enum(None,Red)', 'Red'),
  },
  EmptyRecordAsUnit: {
    from: record({}),
    to: t.unit,
    value: {},
    ends: mismatch('Unit', 'Record(None,ImmArray())', '{  }'),
  },
  VariantContent: {
    from: variant({ A: t.int64, B: t.int64 }),
    to: variant({ A: t.text, B: t.int64 }),
    value: { tag: 'A', value: '1' },
    ends: mismatch('Text', ...int(1)),
  },
  OtherConstructor: {
    from: variant({ A: t.int64, B: t.int64 }),
    to: variant({ A: t.text, B: t.int64 }),
    value: { tag: 'B', value: '1' },
    ends: 'success',
  },

  ConstructorOfAnotherRank: {
    from: variant({ A: t.int64, B: t.int64 }),
    to: variant({ B: t.int64, A: t.int64 }),
    value: { tag: 'A', value: '1' },
    ends: AUTHENTICATION,
  },
  ConstructorOfTheSameRank: {
    from: variant({ A: t.int64, B: t.int64, C: t.int64 }),
    to: variant({ A: t.int64, C: t.int64, B: t.int64 }),
    value: { tag: 'A', value: '1' },
    ends: 'success',
  },

  TypeOfBoth: {
    from: t.con(LABEL),
    to: t.con(LABEL),
    value: { text: 'x' },
    ends: 'success',
  },
  RankInABox: {
    from: [t.con(BOX, color), enumOf('Red', 'Green')],
    to: [t.con(BOX, color), enumOf('Green', 'Red')],
    value: { content: 'Red' },
    ends: AUTHENTICATION,
  },
  OtherName: {
    from: record({ a: t.int64 }),
    to: [t.con('Another'), { Another: { record: { a: t.int64 } } }],
    value: { a: '1' },
    ends: AUTHENTICATION,
  },

  Fields: {
    from: record({ a: t.int64, b: t.text }),
    to: record({ b: t.text, a: t.int64 }),
    value: { a: '1', b: 'b' },
    ends: mismatch('Text', ...int(1)),
  },
  FirstOfFaults: {
    from: record({ a: t.int64, b: t.text, c: t.text }),
    to: record({ a: t.int64, b: t.int64 }),
    value: { a: '1', b: 'b', c: 'c' },
    ends: mismatch('Int64', 'Text(b)', '"b"'),
  },
  DroppedOfAnotherType: {
    from: record({ a: t.int64, b: t.list(t.int64) }),
    to: record({ a: t.int64 }),
    value: { a: '1', b: [] },
    ends: because(
      'Module:Data',
      'Found non-optional extra field at index 1, cannot remove for downgrading.',
      '{ <no-label> = 1, <no-label> = [] }',
    ),
  },
  NoneInside: {
    from: record({ a: optionalInt, b: t.int64 }),
    to: record({ a: t.int64, b: t.int64 }),
    value: { a: null, b: '1' },
    ends: mismatch('Int64', ...none),
  },
  NoneAtTheEnd: {
    from: record({ a: t.int64, b: optionalInt, c: optionalInt }),
    to: record({ a: t.int64, b: t.int64 }),
    value: { a: '1', b: null, c: null },
    ends: because('Module:Data', TOO_FEW, '{ <no-label> = 1 }'),
  },
  NoneOfAnotherType: {
    from: record({ a: t.int64, b: optionalInt }),
    to: record({ a: t.int64, b: optionalText }),
    value: { a: '1', b: null },
    ends: 'success',
  },
  Arguments: {
    from: [t.con('Pair', t.int64, t.int64), pair],
    to: [t.con('Pair', t.int64, t.text), pair],
    value: { x: '1', y: '2' },
    ends: mismatch('Text', ...int(2)),
  },
  ArgumentsOfNobody: {
    from: [t.con('Pair', t.int64, t.int64), pair],
    to: [t.con('Pair', t.int64, t.text), pair],
    value: { x: '1', y: null },
    ends: 'success',
  },
  TypeWithArguments: {
    from: t.int64,
    to: [t.con('Pair', optionalInt, t.list(t.unit)), pair],
    value: '1',
    ends: mismatch('Module:Pair (Optional Int64) (List Unit)', ...int(1)),
  },
  Recursive: {
    from: [t.con('Tree', t.int64), nested],
    to: [t.con('Tree', t.numeric(0)), nested],
    value: { label: '1', below: [] },
    ends: mismatch('Numeric 0', ...int(1)),
  },
  RecursiveEnd: {
    from: [t.con('Tree', optionalInt), nested],
    to: [t.con('Tree', optionalText), nested],
    value: { label: null, below: [{ label: null, below: [{ label: '1', below: [] }] }] },
    ends: mismatch('Text', ...int(1)),
  },
};

/** One of the two versions: a module for each reading, whose template `T` has the data. */
export function readingsPackage(version: string, side: 'from' | 'to'): EncodedPackage {
  const modules = Object.entries(READINGS).map(([name, reading]) => [
    name,
    moduleOf(name, reading[side]),
  ]);
  return encodePackage({
    name: 'readings',
    version,
    imports: [boxes.id],
    modules: Object.fromEntries(modules) as Record<string, ModuleSpec>,
  });
}

function moduleOf(name: string, typed: Typed): ModuleSpec {
  const [type, types] = 'tag' in typed ? [typed, {}] : typed;
  const owners = e.list(t.party, [e.field(t.con(`${name}:T`), 'owner', e.var('this'))]);
  const touch = {
    consuming: false,
    argument: t.unit,
    returns: t.unit,
    controllers: owners,
    update: u.pure(t.unit, e.unit),
  };
  const fields = { owner: t.party, data: qualified(name, type) };
  const other = { fields: { owner: t.party }, precondition: e.true, signatories: e.nil(t.party) };
  return {
    types: qualified(name, types),
    templates: {
      T: { fields, precondition: e.true, signatories: owners, choices: { Touch: touch } },
      Other: other,
    },
  };
}

/** With the names of types in their module. */
function qualified<T>(module: string, spec: T): T {
  const qualify = (_member: string, value: unknown): unknown => {
    const con = value as { readonly tag?: string; readonly id?: string } | null;
    return con?.tag === 'con' && !con.id!.includes(':')
      ? { ...con, id: `${module}:${con.id}` }
      : value;
  };
  return JSON.parse(JSON.stringify(spec), qualify) as T;
}
