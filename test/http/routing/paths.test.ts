/** Paths as the real servers read and tell them: what no request over a socket shows apart. */
import {
  decodedSegment,
  shownCharacter,
  shownPath,
  targetError,
  withoutDots,
} from '../../../src/http/routing/paths.js';

test.each([
  ['/v2/a%zz', "Invalid input 'z', expected HEXDIG (line 1, column 7)"],
  ['/v2/a%2', 'Unexpected end of input, expected HEXDIG (line 1, column 8)'],
  ['/v2/a%41|', "Invalid input '|', expected pchar, '/', '?' or 'EOI' (line 1, column 9)"],
  ['/v2/|', "Invalid input '|', expected segment, '/', '?' or 'EOI' (line 1, column 5)"],
])('rejects the target %s', (target, fault) => {
  expect(targetError(target)).toBe(`Illegal request-target: ${fault}`);
});

test('the error about a valid target has no details', () => {
  expect(targetError('/v2/users')).toBe('Illegal request-target');
});

test.each([
  [0x09, '\\t'],
  [0x1f, '\\u001f'],
  [0x20, ' '],
  [0x7e, '~'],
  [0x7f, '\\u007f'],
  [0x9f, '\\u009f'],
  [0xa0, '\u00a0'],
])('shows the character %d as %j', (code, shown) => {
  expect(shownCharacter(code)).toBe(shown);
});

test.each([
  ['/a/b', '/a/b'],
  ['/a/./b', '/a/b'],
  ['/a/../b', '/b'],
  ['/a/b/.', '/a/b/'],
  ['/a/b/..', '/a/'],
  ['/..', '/'],
  ['/a/.b/..c', '/a/.b/..c'],
])('resolves the dots of %s to %s', (path, plain) => {
  expect(withoutDots(path)).toBe(plain);
});

test('decodes encoded parts of a segment, and replaces bytes that are not UTF-8', () => {
  expect(decodedSegment('ä')).toBe('ä');
  expect(decodedSegment('%C3%A4')).toBe('ä');
  expect(decodedSegment('%e4')).toBe('\ufffd');
});

test('encodes the encoded segments of a path again, and no others', () => {
  expect(shownPath('/ä/[x]')).toBe('/ä/[x]');
  expect(shownPath('/ä/b%20c%2Cd/%5b')).toBe('/ä/b%20c,d/%5B');
});
