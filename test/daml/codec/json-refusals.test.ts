import fc from 'fast-check';
import { decodeValue, decodeValueInPhases } from '../../../src/daml/codec/json/codec.js';
import { JsonLayerError } from '../../../src/daml/codec/json/json-layer.js';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import type { DamlValue } from '../../../src/daml/model/values.js';
import {
  contractIdType,
  damlTypeAndValue,
  genMapType,
  INT64,
  listType,
  named,
  numericType,
  optionalType,
  packages,
  PARTY,
  TEXT,
} from '../../support/daml/arbitrary-daml.js';
import { check } from '../../support/property.js';

const read = (type: DamlType, json: unknown): DamlValue =>
  decodeValue(packages, type, json, 'createArguments');

function refusal(type: DamlType, json: unknown): LedgerError {
  try {
    read(type, json);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(json)}`);
}

const BOOL: DamlType = { kind: 'bool' };
const DATE: DamlType = { kind: 'date' };
const TIMESTAMP: DamlType = { kind: 'timestamp' };
const DECIMAL = numericType(10);
const CID = `00${'ab'.repeat(32)}ca121220${'cd'.repeat(32)}`;
const HOLDING = { owner: 'alice', amount: '1.0', meta: {} };

test.each([
  ['\u0661', 1n],
  ['\uff11\uff12', 12n],
  ['-\u0967\u0968', -12n],
  ['1\u0661', 11n],
  ['\u0d67', 1n],
  ['+\u0e59', 9n],
])('an Int may have the digits of any script: %s (B-VAL-039)', (text, value) => {
  expect(read(INT64, text)).toBe(value);
});

describe('invalid JSON values', () => {
  const INVALID = 'The submitted request has invalid arguments: ';
  it.each<
    [fact: string, type: DamlType, json: unknown, code: string, cause: string, jsonLayer: boolean]
  >([
    [
      'B-ERR-014',
      named('Holding'),
      { ...HOLDING, x: 1, y: '' },
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected fields: xy`,
      true,
    ],
    [
      'B-ERR-015',
      named('Holding'),
      { owner: 'alice' },
      'COMMAND_PREPROCESSING_FAILED',
      'Missing non-optional fields: Set(amount, meta)',
      true,
    ],
    [
      'B-VAL-035 all of five or more fields missing',
      named('Wide'),
      {},
      'COMMAND_PREPROCESSING_FAILED',
      'Missing non-optional fields: HashSet(s, n, i, b, owner, d)',
      true,
    ],
    [
      'B-VAL-035 one of five or more fields missing',
      named('Wide'),
      { i: '1', n: '', s: '', b: '1', d: '1' },
      'COMMAND_PREPROCESSING_FAILED',
      'Missing non-optional fields: HashSet(owner)',
      true,
    ],
    [
      'B-VAL-036 an object of five members',
      named('Pair', TEXT, TEXT),
      { _1: '', _2: '', e1: '', e2: 1, e3: {} },
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected fields: e1e3e2`,
      true,
    ],
    [
      'B-VAL-036 an object of four members, and of nulls',
      named('Pair', TEXT, TEXT),
      { _1: '', _2: '', e2: 1, n1: null, n2: null, e1: '' },
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected fields: e2e1`,
      true,
    ],
    [
      'B-VAL-037 two wrong fields',
      named('Wide'),
      { owner: '', i: 'x', n: 1, s: '', b: '', d: true },
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Str (data: true)',
      true,
    ],
    [
      'B-VAL-037 a wrong field before a nested value with missing fields',
      named('Pair', named('Holding'), INT64),
      { _1: {}, _2: 'x' },
      'INVALID_ARGUMENT',
      `${INVALID}For input string: "x"`,
      true,
    ],
    [
      'B-VAL-037 two faults that only the ledger reports',
      named('Pair', PARTY, numericType(2)),
      { _1: '!', _2: 'x' },
      'INVALID_ARGUMENT',
      `${INVALID}non expected character 0x21 in Daml-LF Party "!"`,
      false,
    ],
    ...[
      ['90071992547409936', 90071992547409936],
      ['9223372036854775807', 2 ** 63],
      ['-9223372036854775808', -(2 ** 63)],
      ['1.0E21', 1e21],
      ['1.0E-7', 1e-7],
      ['0.5', 0.5],
      ['0', -0],
      ['12345678', 12345678],
      ['1.23456789E7', 12345678.9],
      ['{"a":[1.0E21,"Infinity"],"b":null}', { a: [1e21, Infinity], b: null }],
    ].map(
      ([printed, given]) =>
        [
          `B-VAL-038 ${String(printed)}`,
          TEXT,
          given,
          'LEDGER_API_INTERNAL_ERROR',
          `Expected ujson.Str (data: ${String(printed)})`,
          true,
        ] as [string, DamlType, unknown, string, string, boolean],
    ),
    [
      'B-VAL-038 a number beyond the range of a double',
      INT64,
      Infinity,
      'INVALID_ARGUMENT',
      `${INVALID}For input string: "Infinity"`,
      true,
    ],
    [
      'B-VAL-039 digits outside the Basic Multilingual Plane',
      INT64,
      '\u{1d7cf}',
      'INVALID_ARGUMENT',
      `${INVALID}For input string: "\u{1d7cf}"`,
      true,
    ],
    [
      'B-VAL-039 a number character that is not a digit',
      INT64,
      '\u00b2',
      'INVALID_ARGUMENT',
      `${INVALID}For input string: "\u00b2"`,
      true,
    ],
    [
      'B-ERR-016 a missing tag',
      named('Shape'),
      { value: {} },
      'INVALID_ARGUMENT',
      `${INVALID}Variant type json must have 'tag' and 'value' fields.`,
      true,
    ],
    [
      'B-ERR-016 a missing value',
      named('Shape'),
      { tag: 'Point' },
      'INVALID_ARGUMENT',
      `${INVALID}Variant type json must have 'tag' and 'value' fields.`,
      true,
    ],
    [
      'B-ERR-016 not an object',
      named('Shape'),
      'Point',
      'INVALID_ARGUMENT',
      `${INVALID}Variant type json must have 'tag' and 'value' fields.`,
      true,
    ],
    [
      'B-ERR-017',
      named('Shape'),
      { tag: 'Square', value: {} },
      'INVALID_ARGUMENT',
      `${INVALID}Unexpected variant tag: Square`,
      true,
    ],
    [
      'B-ERR-018 number for Int64',
      INT64,
      42,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Str (data: 42)',
      true,
    ],
    [
      'B-ERR-018 number for Text',
      TEXT,
      1,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Str (data: 1)',
      true,
    ],
    [
      'B-ERR-018 null for Party',
      PARTY,
      null,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Str (data: null)',
      true,
    ],
    [
      'B-ERR-018 text for Bool',
      BOOL,
      'true',
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Bool (data: "true")',
      true,
    ],
    [
      'B-ERR-018 object for List',
      listType(INT64),
      {},
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Arr (data: {})',
      true,
    ],
    [
      'B-ERR-018 array for record',
      named('Holding'),
      [],
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Obj (data: [])',
      true,
    ],
    [
      'B-ERR-018 null for a nested Optional',
      optionalType(optionalType(INT64)),
      null,
      'LEDGER_API_INTERNAL_ERROR',
      'Expected ujson.Arr (data: null)',
      true,
    ],
    [
      'B-ERR-018 bool for Numeric',
      DECIMAL,
      true,
      'INVALID_ARGUMENT',
      `${INVALID}true is not a valid numeric value`,
      true,
    ],
    [
      'unknown enum constructor',
      named('Colour'),
      'Pink',
      'LEDGER_API_INTERNAL_ERROR',
      'Unexpected case: Pink',
      true,
    ],
    [
      'half a map entry',
      genMapType(INT64, INT64),
      [['1']],
      'LEDGER_API_INTERNAL_ERROR',
      '1 is out of bounds (min 0, max 0)',
      true,
    ],
    [
      'B-ERR-019 date',
      DATE,
      '2024-02-30',
      'LEDGER_API_INTERNAL_ERROR',
      "Text '2024-02-30' could not be parsed: Invalid date 'FEBRUARY 30'",
      true,
    ],
    [
      'B-ERR-019 timestamp without zone',
      TIMESTAMP,
      '2024-01-01T00:00:00',
      'LEDGER_API_INTERNAL_ERROR',
      "Text '2024-01-01T00:00:00' could not be parsed: Unable to obtain ZonedDateTime from TemporalAccessor: {},ISO resolved to 2024-01-01T00:00 of type java.time.format.Parsed",
      true,
    ],
    [
      'B-ERR-020 Int64',
      INT64,
      '1.0',
      'INVALID_ARGUMENT',
      `${INVALID}For input string: "1.0"`,
      true,
    ],
    [
      'B-ERR-020 Int64 out of range',
      INT64,
      '9223372036854775808',
      'INVALID_ARGUMENT',
      `${INVALID}For input string: "9223372036854775808"`,
      true,
    ],
    [
      'B-ERR-020 Numeric',
      DECIMAL,
      '1e3',
      'INVALID_ARGUMENT',
      `${INVALID}Could not read Numeric string "1e3"`,
      false,
    ],
    [
      'B-VAL-007 exponent of a large number',
      DECIMAL,
      12345678,
      'INVALID_ARGUMENT',
      `${INVALID}Could not read Numeric string "1.2345678E7"`,
      false,
    ],
    [
      'B-VAL-009 too precise',
      numericType(2),
      '0.125',
      'COMMAND_PREPROCESSING_FAILED',
      'Cannot represent 0.125 as (Numeric 2) without loss of precision',
      false,
    ],
    [
      'B-VAL-009 out of range',
      numericType(37),
      '10',
      'COMMAND_PREPROCESSING_FAILED',
      `Out-of-bounds (Numeric 37) 10.${'0'.repeat(37)}`,
      false,
    ],
    [
      'year 0',
      DATE,
      '0000-12-31',
      'INVALID_ARGUMENT',
      `${INVALID}out of bound Date -719163`,
      false,
    ],
    [
      'year 10000',
      DATE,
      '+10000-01-01',
      'INVALID_ARGUMENT',
      `${INVALID}out of bound Date 2932897`,
      false,
    ],
    [
      'time before the year 1',
      TIMESTAMP,
      '0000-12-31T23:59:59.999Z',
      'INVALID_ARGUMENT',
      `${INVALID}cannot convert long -62135596800001000 into Timestamp:out of bound Timestamp -62135596800001000`,
      false,
    ],
    [
      'time after the year 9999',
      TIMESTAMP,
      '+10000-01-01T00:00:00Z',
      'INVALID_ARGUMENT',
      `${INVALID}cannot convert long 253402300800000000 into Timestamp:out of bound Timestamp 253402300800000000`,
      false,
    ],
    [
      'B-ID-003',
      PARTY,
      'al!ce',
      'INVALID_ARGUMENT',
      `${INVALID}non expected character 0x21 in Daml-LF Party "al!ce"`,
      false,
    ],
    ['B-ID-003 empty', PARTY, '', 'INVALID_ARGUMENT', `${INVALID}Daml-LF Party is empty`, false],
    [
      'B-ID-018',
      contractIdType,
      CID.toUpperCase(),
      'INVALID_ARGUMENT',
      `${INVALID}cannot parse ContractId "${CID.toUpperCase()}"`,
      false,
    ],
    [
      'B-ID-019',
      contractIdType,
      CID.slice(0, 66),
      'COMMAND_PREPROCESSING_FAILED',
      `Illegal Contract ID "${CID.slice(0, 66)}", non-suffixed V1 Contract IDs are forbidden`,
      false,
    ],
    [
      'NUL in Text',
      TEXT,
      'a\u0000',
      'COMMAND_PREPROCESSING_FAILED',
      'Text contains null character',
      false,
    ],
  ])('%s', (_fact, type, json, code, cause, jsonLayer) => {
    const error = refusal(type, json);
    expect([error.code, error.details.cause, error instanceof JsonLayerError]).toEqual([
      code,
      cause,
      jsonLayer,
    ]);
  });

  it('have an error with the path of the fault', () => {
    const fault = (type: DamlType, json: unknown): string | undefined =>
      refusal(type, json).details.explanation;
    expect(fault(named('Holding'), { ...HOLDING, amount: true })).toBe(
      'createArguments.amount: expected a decimal as a string or number',
    );
    const tree = {
      label: '1',
      children: [
        { label: '2', children: [] },
        { label: 3, children: [] },
      ],
    };
    expect(fault(named('Tree'), tree)).toBe('createArguments.children[1].label: expected a string');
    expect(fault(named('Shape'), { tag: 'Named', value: { _1: 'x', _2: 'y' } })).toBe(
      'createArguments.value._2: expected a 64-bit integer',
    );
    expect(
      fault(genMapType(INT64, INT64), [
        ['1', '2'],
        ['x', '3'],
      ]),
    ).toBe('createArguments[1][0]: expected a 64-bit integer');
  });

  it('reports a fault of the JSON layer before a fault that the ledger finds', () => {
    const json = { owner: '', amount: '0.00000000001', meta: { a: 1 } };
    expect(refusal(named('Holding'), json).code).toBe('LEDGER_API_INTERNAL_ERROR');
    expect(refusal(named('Holding'), { ...json, meta: {} }).details.cause).toContain(
      'Daml-LF Party is empty',
    );
    expect(refusal(named('Holding'), { ...json, meta: {}, owner: 'a' }).details.cause).toContain(
      'loss of precision',
    );
    const phases = decodeValueInPhases(packages, named('Holding'), { ...json, meta: {} });
    expect(phases.refusal?.code).toBe('INVALID_ARGUMENT');
  });

  it('may nest up to 100 levels (B-VAL-030)', () => {
    const nest = (levels: number): [DamlType, unknown] => {
      let [type, json]: [DamlType, unknown] = [INT64, '1'];
      for (let level = 0; level < levels; level += 1) [type, json] = [listType(type), [json]];
      return [type, json];
    };
    expect(() => read(...nest(100))).not.toThrow();
    expect(refusal(...nest(101))).toMatchObject({
      code: 'COMMAND_PREPROCESSING_FAILED',
      details: { cause: 'Provided value exceeds maximum nesting level of 100' },
    });
    let chain: unknown = { tag: 'End', value: {} };
    for (let level = 0; level < 50_000; level += 1)
      chain = { tag: 'Link', value: { _1: '1', _2: chain } };
    expect(refusal(named('Chain', INT64), chain).code).toBe('COMMAND_PREPROCESSING_FAILED');
  });

  it('reading any JSON returns a value or throws a LedgerError', () => {
    check(
      fc.property(damlTypeAndValue, fc.jsonValue(), ({ type }, json) => {
        try {
          read(type, json);
        } catch (error) {
          expect(error).toBeInstanceOf(LedgerError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it('an error shows an in-process value without undefined members, and a deeply nested value by its kind', () => {
  const shown = (json: unknown) => refusal(TEXT, json).details.cause;
  expect(shown({ a: undefined, b: 1 })).toBe('Expected ujson.Str (data: {"b":1})');
  let [list, object]: [unknown, unknown] = [[], {}];
  for (let depth = 0; depth < 50_000; depth += 1) [list, object] = [[list], { a: object }];
  expect(shown(list)).toBe('Expected ujson.Str (data: [...])');
  expect(shown(object)).toBe('Expected ujson.Str (data: {...})');
});
