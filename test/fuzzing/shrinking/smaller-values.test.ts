/** Smaller values stay values of their type, and shrinking ends. */
import fc from 'fast-check';
import { equalValues } from '../../../src/daml/codec/compare.js';
import { encodeValue } from '../../../src/daml/codec/json/codec.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../../src/daml/model/values.js';
import { SmallerValues } from '../../../src/fuzzing/shrinking/smaller-values.js';
import {
  damlType,
  damlValue,
  genMapType,
  INT64,
  listType,
  named,
  numericType,
  optionalType,
  packages,
  PARTY,
  TEXT,
  textMapType,
} from '../../support/daml/arbitrary-daml.js';
import { check } from '../../support/property.js';

const NOW = 1_000_000_000_000n;
const smaller = new SmallerValues(packages, { parties: ['alice', 'bob'], now: NOW });

/** More than any value of these tests needs. */
const MOST_STEPS = 5_000;
const typedValue = damlType.chain((type) => fc.tuple(fc.constant(type), damlValue(type)));

test('each candidate is another value of the type', () => {
  check(
    fc.property(typedValue, ([type, value]) => {
      for (const candidate of smaller.of(type, value)) {
        encodeValue(packages, type, candidate);
        expect(equalValues(packages, type, candidate, value)).toBe(false);
      }
    }),
    { numRuns: 200 },
  );
});

test('repeated shrinking ends, whichever candidates are chosen', () => {
  check(
    fc.property(typedValue, fc.infiniteStream(fc.nat(7)), ([type, value], picks) => {
      let current: DamlValue = value;
      for (let step = 0; ; step++) {
        expect(step).toBeLessThan(MOST_STEPS);
        const candidates = [...smaller.of(type, current)];
        if (candidates.length === 0) return;
        current = candidates[picks.next().value! % candidates.length]!;
      }
    }),
    { numRuns: 200 },
  );
});

const TIME: DamlType = { kind: 'timestamp' };
const DATE: DamlType = { kind: 'date' };

test.each<[string, DamlType, DamlValue, readonly DamlValue[]]>([
  ['an integer', INT64, 10n, [0n, 5n, 8n, 9n]],
  ['a negative integer', INT64, -4n, [0n, -2n, -3n]],
  [
    'a number with decimals',
    numericType(2),
    Numeric.of('2.25', 2),
    ['0', '1', '2', '2.2'].map((each) => Numeric.of(each, 2)),
  ],
  ['a text', TEXT, 'xyz', ['', 'yz', 'xz', 'xy', 'aaa']],
  ['a party', PARTY, 'bob', ['alice']],
  ['an unknown party', PARTY, 'mallory', ['alice']],
  ['a time', TIME, NOW + 3n, [NOW, NOW + 2n]],
  ['a date', DATE, 13, [11, 12]],
  ['an optional', optionalType(INT64), new Some(1n), [null, new Some(0n)]],
  ['a list', listType(INT64), [0n, 1n], [[], [1n], [0n], [0n, 0n]]],
  ['a text map', textMapType(INT64), new Map([['k', 1n]]), [new Map(), new Map([['k', 0n]])]],
  ['a map', genMapType(TEXT, INT64), [['k', 1n]], [[], [['k', 0n]]]],
  ['an enum', named('Colour'), 'Blue', ['Red', 'Green']],
  [
    'a variant',
    named('Shape'),
    new DamlVariant('Circle', Numeric.of('1', 4)),
    [new DamlVariant('Point', UNIT), new DamlVariant('Circle', Numeric.of('0', 4))],
  ],
])('the candidates for %s', (_, type, value, candidates) => {
  expect([...smaller.of(type, value)]).toEqual(candidates);
});

test.each<[string, DamlType, DamlValue]>([
  ['zero', INT64, 0n],
  ['an empty text', TEXT, ''],
  ['the first party', PARTY, 'alice'],
  ['the start time', TIME, NOW],
  ['None', optionalType(INT64), null],
  ['False', { kind: 'bool' }, false],
  ['an empty list', listType(INT64), []],
])('%s has no candidates', (_, type, value) => {
  expect([...smaller.of(type, value)]).toEqual([]);
});
