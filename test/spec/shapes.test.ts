/** Outside data without a schema, part by part: the error has the path of the first wrong type. */
import {
  aCount,
  aFlag,
  anObject,
  anObjectOf,
  aNumber,
  aText,
  aWholeText,
  eitherOf,
  listOf,
  mapOf,
  oneOf,
  optional,
  type Shape,
} from '../../src/spec/shapes.js';

const VALUES = [
  '',
  'a',
  '7',
  '-7',
  true,
  0,
  -1,
  1.5,
  2 ** 53 - 1,
  2 ** 53,
  null,
  undefined,
  {},
  [],
];
const taken = (shape: Shape) => VALUES.filter((value) => shape(value, '') === undefined);

it('each kind accepts its own values', () => {
  expect(taken(aText)).toEqual(['', 'a', '7', '-7']);
  expect(taken(aFlag)).toEqual([true]);
  expect(taken(aNumber)).toEqual([0, -1, 1.5, 2 ** 53 - 1, 2 ** 53]);
  expect(taken(aCount)).toEqual([0, 2 ** 53 - 1]);
  expect(taken(aWholeText)).toEqual(['7', '-7']);
  expect(taken(anObject)).toEqual([{}]);
  expect(taken(oneOf('a', 0, null))).toEqual(['a', 0, null]);
  expect(taken(eitherOf(aFlag, anObject))).toEqual([true, {}]);
  expect(taken(listOf(aText))).toEqual([[]]);
  expect(taken(mapOf(aText))).toEqual([{}]);
  expect(taken(anObjectOf({}))).toEqual([{}]);
});

it('an integer has up to 40 digits', () => {
  expect([40, 41].map((length) => aWholeText('9'.repeat(length), ''))).toEqual([
    undefined,
    'it is not an integer as a string',
  ]);
});

it('reports a fault with its path, or for the whole value', () => {
  expect([aText(1, ''), aText(1, '/a')]).toEqual(['it is not a string', '/a is not a string']);
  expect(aCount(-1, '/a')).toBe('/a is not an integer from 0');
  expect(oneOf('a', 'b')('c', '/a')).toBe('/a is not one of a, b');
  expect(eitherOf(aText, aFlag)(1, '/a')).toBe('/a is not a boolean');
  expect([listOf(aText)({}, ''), listOf(aText)(1, '/a')]).toEqual([
    'it is not a list',
    '/a is not a list',
  ]);
  expect(listOf(aText)(['a', 1, 2], '/a')).toBe('/a/1 is not a string');
  expect(listOf(aText)([1, 'a'], '')).toBe('/0 is not a string');
  expect(listOf(aText)(['a', 'b'], '')).toBeUndefined();
  expect(mapOf(aText)([], '/a')).toBe('/a is not an object');
  expect(mapOf(aText)({ x: 'a', y: 1 }, '/a')).toBe('/a/y is not a string');
  expect(mapOf(aText)({ x: 'a', y: 'b' }, '/a')).toBeUndefined();
});

it('members are required unless they are optional, and null counts as absent', () => {
  const shape = anObjectOf({ name: aText, size: optional(aNumber), on: optional(aFlag) });
  expect(shape({ name: 'a', more: 1 }, '')).toBeUndefined();
  expect(shape({}, '')).toBe('/name is not a string');
  expect(shape({ name: null }, '/a')).toBe('/a/name is not a string');
  expect(shape({ name: 'a', size: '1' }, '/a')).toBe('/a/size is not a number');
  expect(shape({ name: 'a', size: 1, on: 1 }, '/a')).toBe('/a/on is not a boolean');
  expect(shape(null, '/a')).toBe('/a is not an object');
  const given = { name: 'a', size: null, on: true };
  expect(shape(given, '')).toBeUndefined();
  expect(given).toStrictEqual({ name: 'a', on: true });
  // Inherited members do not count as present.
  expect(anObjectOf({ toString: optional(aText) })({}, '')).toBeUndefined();
});
