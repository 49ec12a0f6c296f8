/** Values in one line of the inspector's page: how much of each is shown. */
import { digest } from '../../src/inspector/page/parts/digest.js';

const x = (count: number) => 'x'.repeat(count);

test.each([
  ['a text of 40 characters', x(40), x(40)],
  ['a longer text, from its ends', x(41), `${x(24)}…${x(15)}`],
  ['a line of 90 characters', 10n ** 89n, `1${'0'.repeat(89)}`],
  ['the start of a longer line', 10n ** 90n, `1${'0'.repeat(89)}…`],
  ['a list of three elements', [1, 2, 3], '[1, 2, 3]'],
  ['the first three of more elements', [1, 2, 3, 4], '[1, 2, 3, …]'],
  ['three levels of nesting', { a: { b: { c: 1 } } }, 'a {b {c 1}}'],
  ['no deeper level', { a: { b: { c: { d: 1 } } } }, 'a {b {c …}}'],
  ['six fields', { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'a 1 · b 2 · c 3 · d 4 · e 5 · f 6'],
  [
    'the first six of more',
    { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 },
    'a 1 · b 2 · c 3 · d 4 · e 5 · f 6',
  ],
  ['no null field', { a: null, b: 2 }, 'b 2'],
])('shows %s', (_, value, text) => {
  expect(digest(value)).toBe(text);
});
