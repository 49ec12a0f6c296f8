/** Suggestions for an unknown name: the probable one, the names that contain it, a short list, or the nearest of a long one. */
import { suggestion } from '../../../src/daml/errors/edit-distance.js';

const numbered = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));

it.each([
  ['a misspelt name', 'creat', ['archive', 'create'], ` Did you mean 'create'?`],
  ['a part of one name', 'amulet', ['tapAmuletForParty'], ` Did you mean 'tapAmuletForParty'?`],
  [
    'a part of several',
    'Rounds',
    ['openRounds', 'rounds-2', 'x'],
    ' There are: openRounds, rounds-2.',
  ],
  ['a path', 'GET /v2/x', ['getV2X', 'getV2XAll'], ' There are: getV2X, getV2XAll.'],
  [
    'a short part, which is not searched',
    'ab',
    ['xxabxxxx', 'yyabyyyy'],
    ' There are: xxabxxxx, yyabyyyy.',
  ],
  ['no name', 'x', [], ''],
])('of %s', (_, given, names, expected) => {
  expect(suggestion(given, names)).toBe(expected);
});

it('lists up to 5 names that contain the text', () => {
  const names = (count: number) => numbered(count, (index) => `long-name-${index}`);
  expect(suggestion('long-name', names(5))).toContain('long-name-4.');
  expect(suggestion('long-name', names(6))).not.toContain('long-name-5');
});

it('searches names for texts of 3 letters or more', () => {
  const names = ['with-abc-inside', 'also-with-abc-inside', 'other'];
  expect(suggestion('abc', names)).toBe(' There are: with-abc-inside, also-with-abc-inside.');
  expect(suggestion('ab', names)).toBe(` There are: ${names.join(', ')}.`);
});

it('lists up to 12 names, and of more names only the nearest', () => {
  const names = (count: number) =>
    numbered(count, (index) => `name-${String(index).padStart(2, '0')}`);
  expect(suggestion('?????????', names(12))).toBe(` There are: ${names(12).join(', ')}.`);
  expect(suggestion('????????2', names(13))).toBe(` The nearest of 13 names is 'name-02'.`);
});

it.each([
  ['one changed letter of three', 'xyz', 'xaz', true],
  ['two changed letters of two', 'ab', 'cd', false],
  ['three added letters of eight', 'acegi', 'abcdefgi', true],
  ['another case', 'AB', 'ab', true],
])('%s: the name is near or not', (_, given, name, isNear) => {
  expect(suggestion(given, [name])).toBe(
    isNear ? ` Did you mean '${name}'?` : ` There are: ${name}.`,
  );
});

it('compares the first 64 characters of the given text', () => {
  const [short, long] = ['?'.repeat(64), `${'?'.repeat(64)}!`];
  expect(suggestion(long, [long, short])).toBe(` Did you mean '${short}'?`);
});
