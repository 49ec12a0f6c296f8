/** Texts of others as people are shown them: what a terminal or a page obeys is written out. */
import { printable, printablePainted, spelledOut } from '../../../src/daml/errors/printable.js';

const TEXT = 'a\u001b[31m\n\tb\u202e\u2028\ud800c\u{e0001}é☃';

it('escapes characters as JSON does, one UTF-16 unit at a time', () => {
  expect(spelledOut(TEXT)).toBe(
    'a\\u001b[31m\\u000a\\u0009b\\u202e\\u2028\\ud800c\\udb40\\udc01é☃',
  );
  expect(JSON.parse(`"${spelledOut(TEXT)}"`)).toBe(TEXT);
});

it('keeps line breaks and tabs of a multi-line text', () => {
  expect(printable(TEXT)).toBe('a\\u001b[31m\n\tb\\u202e\\u2028\\ud800c\\udb40\\udc01é☃');
});

it('keeps the listed escape sequences only', () => {
  expect(printablePainted('\u001b[31mred\u001b[0m\u001b[K\rnext')).toBe(
    '\u001b[31mred\u001b[0m\u001b[K\rnext',
  );
  expect(printablePainted('\u001b[1m\u001b[2J\u001b[123m\u202e')).toBe(
    '\u001b[1m\\u001b[2J\\u001b[123m\\u202e',
  );
});
