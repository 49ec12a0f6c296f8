/** Daml values in messages: they round-trip like JSON values, with the same refusals. */
import * as fc from 'fast-check';
import { decodeValue, encodeValue, LedgerError, type DamlType } from '../../../src/daml/index.js';
import {
  GivenValue,
  RecordMessage,
  Value,
  type ProtoValue,
} from '../../../src/network/values/messages.js';
import { quicklyRead } from '../../../src/network/values/quick-reader.js';
import { translated, validated } from '../../../src/network/values/reader.js';
import { valueMessage } from '../../../src/network/values/value-message.js';
import { TERSE, VERBOSE } from '../../../src/network/values/writer.js';
import {
  contractIdType,
  damlTypeAndValue,
  INT64,
  listType,
  named,
  optionalType,
  packages,
  textMapType,
} from '../../support/daml/arbitrary-daml.js';
import { check } from '../../support/property.js';

/** A value of a request, read by its type. */
const overGrpcOf = (type: DamlType, given: GivenValue): unknown => {
  try {
    return translated(packages, type, validated(given, 'value'));
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
};

/** The value after a round trip over JSON, or the code of its refusal. */
function overJsonOf(type: DamlType, value: Parameters<typeof encodeValue>[2]): unknown {
  try {
    return decodeValue(packages, type, encodeValue(packages, type, value));
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
}

it('decode to the encoded value, with and without labels', () =>
  check(
    fc.property(damlTypeAndValue, ({ type, value }) => {
      const overJson = overJsonOf(type, value);
      for (const writer of [TERSE, VERBOSE]) {
        const bytes = writer.value(packages, type, value) as Uint8Array;
        expect(overGrpcOf(type, new GivenValue('value', bytes))).toEqual(overJson);
      }
    }),
  ));

it('has the same bytes as a message in parts and as written bytes', () =>
  check(
    fc.property(damlTypeAndValue, ({ type, value }) => {
      const inParts = valueMessage(packages, type, value, (id) => id);
      expect(Value.encode(inParts)).toEqual(VERBOSE.value(packages, type, value));
    }),
  ));

/** With the entries of all its maps in the other order. */
function reversed(value: ProtoValue): ProtoValue {
  const { optional, list, textMap, genMap, record, variant } = value;
  if (optional?.value) return { optional: { value: reversed(optional.value) } };
  if (list) return { list: { elements: list.elements.map(reversed) } };
  if (record) {
    const fields = record.fields.map((each) => ({ ...each, value: reversed(each.value!) }));
    return { record: { ...record, fields } };
  }
  if (variant) return { variant: { ...variant, value: reversed(variant.value!) } };
  if (textMap) {
    const entries = textMap.entries.map((each) => ({ ...each, value: reversed(each.value!) }));
    return { textMap: { entries: entries.reverse() } };
  }
  if (!genMap) return value;
  const entries = genMap.entries.map((each) => ({
    key: reversed(each.key!),
    value: reversed(each.value!),
  }));
  return { genMap: { entries: entries.reverse() } };
}

/** Of values that only a thorough look can read it reads nothing. */
function quickly(type: DamlType, given: GivenValue): ReturnType<typeof quicklyRead> | undefined {
  try {
    return quicklyRead(packages, type, given);
  } catch {
    return undefined;
  }
}

it('have their maps in the order of keys, regardless of the order of the entries (B-GRPC-005)', () =>
  check(
    fc.property(damlTypeAndValue, ({ type, value }) => {
      const bytes = TERSE.value(packages, type, value) as Uint8Array;
      const given = new GivenValue('value', Value.encode(reversed(Value.decode(bytes))));
      if (typeof overGrpcOf(type, new GivenValue('value', bytes)) === 'string') return;
      const read = [translated(packages, type, validated(given, 'value'))];
      const quick = quickly(type, given);
      if (quick !== undefined) read.push(quick);
      for (const each of read) expect(TERSE.value(packages, type, each)).toEqual(bytes);
    }),
  ));

it('keep the last of several entries of a GenMap with the same key', () => {
  const type: DamlType = { kind: 'genMap', key: { kind: 'int64' }, value: { kind: 'text' } };
  const entry = (key: bigint, text: string) => ({ key: { int64: key }, value: { text } });
  const entries = [entry(10n, 'a'), entry(-1n, 'b'), entry(10n, 'c'), entry(9n, 'd')];
  const given = new GivenValue('value', Value.encode({ genMap: { entries } }));
  const expected = [
    [-1n, 'b'],
    [9n, 'd'],
    [10n, 'c'],
  ];
  expect(translated(packages, type, validated(given, 'value'))).toEqual(expected);
  expect(quickly(type, given)).toEqual(expected);
});

describe('of a wrong type appear in errors as Scala prints them (B-GRPC-004)', () => {
  const INT: DamlType = { kind: 'int64' };
  const TEXT: DamlType = { kind: 'text' };
  const LIST: DamlType = { kind: 'list', of: { kind: 'optional', of: INT } };
  const TEXT_MAP: DamlType = { kind: 'textMap', of: INT };
  const GEN_MAP: DamlType = { kind: 'genMap', key: INT, value: TEXT };
  const id = { packageId: 'ab', moduleName: 'Main', entityName: 'Both' };

  function refusalOf(type: DamlType, value: ProtoValue): string {
    try {
      translated(packages, type, value);
    } catch (error) {
      return (error as LedgerError).message;
    }
    return 'nothing';
  }

  it.each<[string, DamlType, ProtoValue]>([
    ['Text and value: Int64(1)', TEXT, { int64: 1n }],
    ['Int64 and value: Text(1)', INT, { text: '1' }],
    ['Int64 and value: Bool(true)', INT, { bool: true }],
    ['Int64 and value: Unit', INT, { unit: {} }],
    ['Int64 and value: Numeric(1)', INT, { numeric: '+01.' }],
    ['Int64 and value: Numeric(-1.5)', INT, { numeric: '-1.50' }],
    ['Text and value: Party(alice)', TEXT, { party: 'alice' }],
    ['Text and value: ContractId(ContractId(00ab))', TEXT, { contractId: '00ab' }],
    ['Timestamp and value: Date(1970-01-02)', { kind: 'timestamp' }, { date: 1 }],
    ['Date and value: Timestamp(1970-01-01T00:00:01Z)', { kind: 'date' }, { timestamp: 1000000n }],
    ['Unit and value: Record(None,ImmArray())', { kind: 'unit' }, { record: { fields: [] } }],
    [
      'Unit and value: Record(Some(ab:Main:Both),ImmArray((Some(n),Int64(1)),(None,Optional(Some(Text(a))))))',
      { kind: 'unit' },
      {
        record: {
          recordId: id,
          fields: [
            { label: 'n', value: { int64: 1n } },
            { label: '', value: { optional: { value: { text: 'a' } } } },
          ],
        },
      },
    ],
    [
      'Int64 and value: List(FrontStack(Int64(1),Int64(2)))',
      INT,
      { list: { elements: [{ int64: 1n }, { int64: 2n }] } },
    ],
    ['List (Optional Int64) and value: Optional(None)', LIST, { optional: {} }],
    ['Int64 and value: Enum(None,C)', INT, { enum: { constructor: 'C' } }],
    [
      'Int64 and value: Variant(Some(ab:Main:Both),Red,Unit)',
      INT,
      { variant: { variantId: id, constructor: 'Red', value: { unit: {} } } },
    ],
    [
      'GenMap Int64 Text and value: TextMap(SortedLookupList((B,Int64(2)),(a,Int64(1))))',
      GEN_MAP,
      {
        textMap: {
          entries: [
            { key: 'a', value: { int64: 1n } },
            { key: 'B', value: { int64: 2n } },
          ],
        },
      },
    ],
    [
      'TextMap Int64 and value: GenMap((Text(b),Int64(1)),(Text(a),Int64(2)))',
      TEXT_MAP,
      {
        genMap: {
          entries: [
            { key: { text: 'b' }, value: { int64: 1n } },
            { key: { text: 'a' }, value: { int64: 2n } },
          ],
        },
      },
    ],
  ])('mismatching type: %s', (text, type, value) => {
    expect(refusalOf(type, value)).toContain(`mismatching type: ${text}`);
  });

  it('an error has the first fault of a TextMap in the order of its keys', () => {
    const entries = [
      { key: 'b', value: { bool: true } },
      { key: 'a', value: { text: '1' } },
    ];
    expect(refusalOf(TEXT_MAP, { textMap: { entries } })).toContain('value: Text(1)');
  });

  it('rejects a TextMap with a nested fault, and for the first repeated key by its bytes', () => {
    const given = (...keys: readonly string[]) => {
      const entries = keys.map((key) => ({ key, value: { int64: 1n } }));
      return new GivenValue('value', Value.encode({ textMap: { entries } }));
    };
    const fault = (value: GivenValue): string => {
      try {
        validated(value, 'value');
      } catch (error) {
        return (error as LedgerError).message;
      }
      return 'nothing';
    };
    const twice = (key: string) => `key ${key} duplicated when trying to build map`;
    expect(fault(given('b', 'a'))).toBe('nothing');
    expect(fault(given('c', 'b', 'c', 'b'))).toContain(twice('b'));
    const entries = [{ key: 'a', value: { enum: { constructor: '' } } }];
    const inside = new GivenValue('value', Value.encode({ textMap: { entries } }));
    expect(fault(inside)).toContain('missing a mandatory field: value');
  });

  it.each([
    ['1.50', 0, 'Cannot represent 1.5 as (Numeric 0) without loss of precision'],
    ['10', 37, `Out-of-bounds (Numeric 37) 10.${'0'.repeat(37)}`],
    [`1${'0'.repeat(30)}.0`, 10, `Out-of-bounds (Numeric 10) 1${'0'.repeat(30)}.${'0'.repeat(10)}`],
  ])('rejects %s at scale %d', (numeric, scale, text) => {
    expect(refusalOf({ kind: 'numeric', scale }, { numeric })).toContain(text);
  });
});

describe('are checked against their types', () => {
  const read = (type: DamlType, ...bytes: number[]) =>
    overGrpcOf(type, new GivenValue('value', Uint8Array.from(bytes)));

  it.each<[string, DamlType, number[], string]>([
    ['an empty value', { kind: 'text' }, [], 'MISSING_FIELD'],
    [
      'a text in place of a number',
      { kind: 'int64' },
      [0x42, 1, 0x61],
      'COMMAND_PREPROCESSING_FAILED',
    ],
    ['an invalid numeric', { kind: 'numeric', scale: 2 }, [0x32, 1, 0x78], 'INVALID_ARGUMENT'],
    [
      'a numeric with too many decimals',
      { kind: 'numeric', scale: 0 },
      [0x32, 3, 0x31, 0x2e, 0x35],
      'COMMAND_PREPROCESSING_FAILED',
    ],
    [
      'a numeric with too many digits',
      { kind: 'numeric', scale: 2 },
      [0x32, 42, ...Buffer.from(`${'9'.repeat(37)}.0999`)],
      'INVALID_ARGUMENT',
    ],
    ['an invalid party', { kind: 'party' }, [0x3a, 1, 0x21], 'INVALID_ARGUMENT'],
    [
      'an empty element',
      { kind: 'list', of: { kind: 'text' } },
      [0x5a, 2, 0x0a, 0],
      'MISSING_FIELD',
    ],
  ])('rejects %s', (_, type, bytes, code) => {
    expect(read(type, ...bytes)).toBe(code);
  });

  it('reads the last of several members', () => {
    expect(read({ kind: 'text' }, 0x42, 1, 0x61, 0x42, 1, 0x62)).toBe('b');
  });

  const refusalOf = (type: DamlType, value: ProtoValue): string => {
    try {
      translated(packages, type, validated(new GivenValue('value', Value.encode(value)), 'value'));
      return 'nothing';
    } catch (error) {
      return (error as LedgerError).message;
    }
  };
  const shape = (constructor: string, value?: ProtoValue): ProtoValue => ({
    variant: { constructor, value },
  });
  const fields = (...given: readonly [label: string, value?: ProtoValue][]): ProtoValue => ({
    record: { fields: given.map(([label, value]) => ({ label, value })) },
  });
  const unit: ProtoValue = { unit: {} };
  const [pair, one, none]: [DamlType, ProtoValue, ProtoValue] = [
    named('Pair', INT64, INT64),
    { int64: 1n },
    { optional: {} },
  ];
  const idOf = (entityName: string, packageId = 'ab') => ({
    ...{ packageId, moduleName: 'Arbitrary.Types', entityName },
  });
  const two = (...more: readonly [label: string, value?: ProtoValue][]) =>
    fields(['_1', one], ['_2', one], ...more);
  const placed = (...more: readonly ProtoValue[]) =>
    fields(['', one], ['', one], ...more.map((each): [string, ProtoValue] => ['', each]));

  it.each<[string, DamlType, ProtoValue, string]>([
    [
      'a contract id that is none',
      contractIdType,
      { contractId: 'x' },
      'cannot parse ContractId "x"',
    ],
    [
      'a time after year 9999',
      { kind: 'timestamp' },
      { timestamp: 2n ** 60n },
      'out of bound Timestamp',
    ],
    [
      'a fault in an Optional',
      optionalType(INT64),
      { optional: { value: shape('', unit) } },
      'missing a mandatory field: constructor',
    ],
    [
      'a variant of no package',
      named('Shape'),
      { variant: { variantId: idOf('Shape', ''), constructor: 'Point', value: unit } },
      'missing a mandatory field: package_id',
    ],
    [
      'an enumeration of no package',
      named('Colour'),
      { enum: { enumId: idOf('Colour', ''), constructor: 'Red' } },
      'missing a mandatory field: package_id',
    ],
    [
      'a variant of another type',
      named('Shape'),
      { variant: { variantId: idOf('Chain'), constructor: 'Point', value: unit } },
      'the type tells us Arbitrary.Types:Shape, but the value tells us Arbitrary.Types:Chain',
    ],
    [
      'an enumeration of another type',
      named('Colour'),
      { enum: { enumId: idOf('Shape'), constructor: 'Red' } },
      'the value tells us Arbitrary.Types:Shape',
    ],
    [
      'a record of another type',
      pair,
      { record: { ...two().record!, recordId: idOf('Box') } },
      'the value tells us Arbitrary.Types:Box',
    ],
    [
      'a constructor that the enumeration lacks',
      named('Colour'),
      { enum: { constructor: 'Black' } },
      'unknown constructor Black in enumeration ',
    ],
    ['a label twice', pair, two(['_1', one]), 'Duplicate label _1 in record'],
    ['a missing field', pair, fields(['_2', one]), 'Missing non-optional field "_1"'],
    [
      'a further field',
      pair,
      two(['_3', one]),
      'Found non-optional extra field "_3", cannot remove',
    ],
    [
      'a further field without a label',
      pair,
      placed(one),
      'Found non-optional extra field, cannot remove',
    ],
    [
      'a further optional field with a value',
      pair,
      two(['_3', { optional: { value: one } }]),
      'An optional contract field ("_3") with a value of Some may not be dropped',
    ],
    [
      'a further optional field with a value and without a label',
      pair,
      placed({ optional: { value: one } }),
      'An optional contract field with a value of Some may not be dropped',
    ],
    ['a text with the character zero', { kind: 'text' }, { text: 'a\0' }, 'null character'],
    [
      'a key with the character zero',
      textMapType(INT64),
      { textMap: { entries: [{ key: 'a\0', value: one }] } },
      'null character',
    ],
    ['nothing in place of a record', pair, one, 'mismatching type: '],
  ])('refuses %s', (_, type, value, text) => {
    expect(refusalOf(type, value)).toContain(text);
  });

  it('reads further fields without a value, and missing Optionals, as absent', () => {
    expect(refusalOf(pair, two(['_3', none]))).toBe('nothing');
    expect(refusalOf(pair, placed(none))).toBe('nothing');
    expect(refusalOf(named('Box', INT64), fields())).toBe('nothing');
  });

  it('refuses a missing value, and faults of a record', () => {
    const fault = (given: unknown): string => {
      try {
        return String(validated(given, 'create_arguments'));
      } catch (error) {
        return (error as LedgerError).message;
      }
    };
    expect(fault(undefined)).toContain('missing a mandatory field: create_arguments');
    const record = RecordMessage.encode({ fields: [{ label: 'a b', value: one }] });
    expect(fault(new GivenValue('record', record))).toContain('a b');
  });

  it.each<[string, DamlType, ProtoValue, string]>([
    [
      'a constructor that the variant lacks',
      named('Shape'),
      shape('Square', unit),
      'unknown constructor Square in variant ',
    ],
    [
      'a variant without a constructor',
      named('Shape'),
      shape('', unit),
      'missing a mandatory field: constructor',
    ],
    [
      'a variant without a value',
      named('Shape'),
      shape('Point'),
      'missing a mandatory field: value',
    ],
    ['a date before year 1', { kind: 'date' }, { date: -719163 }, 'out of bound Date -719163'],
    ['a date after year 9999', { kind: 'date' }, { date: 2932897 }, 'out of bound Date 2932897'],
    [
      'a contract id without its suffix',
      contractIdType,
      { contractId: `00${'ab'.repeat(32)}` },
      'suffix',
    ],
    [
      'another label at the place of a field',
      pair,
      fields(['', one], ['other', one]),
      "Mismatching record field label 'other' (expecting '_2') for record ",
    ],
    [
      'a field without a value',
      pair,
      fields(['_1', one], ['_2']),
      'missing a mandatory field: value',
    ],
  ])('refuses %s', (_, type, value, text) => {
    expect(refusalOf(type, value)).toContain(text);
  });

  it.each([
    ['Optionals', optionalType, (value: ProtoValue): ProtoValue => ({ optional: { value } })],
    ['lists', listType, (value: ProtoValue): ProtoValue => ({ list: { elements: [value] } })],
  ])('reads a value in 100 %s, and no deeper one', (_, typeOf, around) => {
    let [type, value]: [DamlType, ProtoValue] = [INT64, one];
    for (let depth = 0; depth < 100; depth += 1) [type, value] = [typeOf(type), around(value)];
    expect(refusalOf(type, value)).toBe('nothing');
    expect(refusalOf(typeOf(type), around(value))).toContain(
      'Provided value exceeds maximum nesting level of 100',
    );
  });
});
