/** Daml values in messages: whatever JSON carries there and back, messages carry as well, and what JSON's ledger refuses is refused. */
import * as fc from 'fast-check';
import { decodeValue, encodeValue, LedgerError, type DamlType } from '../../src/daml/index.js';
import { GivenValue } from '../../src/grpc/messages/special.js';
import { translated, validated } from '../../src/grpc/values/reader.js';
import { TERSE, VERBOSE } from '../../src/grpc/values/writer.js';
import { damlTypeAndValue, packages } from '../support/daml/arbitrary-daml.js';
import { check } from '../support/property.js';

/** What a request gives, read by its type. */
const overGrpcOf = (type: DamlType, given: GivenValue): unknown => {
  try {
    return translated(packages, type, validated(given, 'value'));
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
};

/** What JSON reads of the value that it wrote, or the code of its refusal. */
function overJsonOf(type: DamlType, value: Parameters<typeof encodeValue>[2]): unknown {
  try {
    return decodeValue(packages, type, encodeValue(packages, type, value));
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
}

it('come back as they went, with names and without', () =>
  check(
    fc.property(damlTypeAndValue, ({ type, value }) => {
      const overJson = overJsonOf(type, value);
      for (const writer of [TERSE, VERBOSE]) {
        const bytes = writer.value(packages, type, value) as Uint8Array;
        expect(overGrpcOf(type, new GivenValue('value', bytes))).toEqual(overJson);
      }
    }),
  ));

describe('are fitted to their types', () => {
  const read = (type: DamlType, ...bytes: number[]) =>
    overGrpcOf(type, new GivenValue('value', Uint8Array.from(bytes)));

  it.each<[string, DamlType, number[], string]>([
    ['a value that says nothing', { kind: 'text' }, [], 'MISSING_FIELD'],
    [
      'a text where a number belongs',
      { kind: 'int64' },
      [0x42, 1, 0x61],
      'COMMAND_PREPROCESSING_FAILED',
    ],
    ['a numeric that is none', { kind: 'numeric', scale: 2 }, [0x32, 1, 0x78], 'INVALID_ARGUMENT'],
    [
      'a numeric of too fine a scale',
      { kind: 'numeric', scale: 0 },
      [0x32, 3, 0x31, 0x2e, 0x35],
      'COMMAND_PREPROCESSING_FAILED',
    ],
    ['a party that is none', { kind: 'party' }, [0x3a, 1, 0x21], 'INVALID_ARGUMENT'],
    [
      'an element that says nothing',
      { kind: 'list', of: { kind: 'text' } },
      [0x5a, 2, 0x0a, 0],
      'MISSING_FIELD',
    ],
  ])('refuses %s', (_, type, bytes, code) => {
    expect(read(type, ...bytes)).toBe(code);
  });

  it('takes the last of several members', () => {
    expect(read({ kind: 'text' }, 0x42, 1, 0x61, 0x42, 1, 0x62)).toBe('b');
  });
});
