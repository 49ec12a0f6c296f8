/** Versions of packages: which texts are one, and their order (upstream RefTest, `PackageVersion`). */
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { compareVersions, packageVersionError } from '../../../src/daml/model/versions.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { refusalOf } from '../dar/refused.js';

const MAX_INT = 2 ** 31 - 1;
const GOOD = ['0', '1', '1.10', String(MAX_INT), '1.0.2', `0${'.123'.repeat(63)}.1`].concat(
  `0${'.123'.repeat(62)}.1234`,
);
const BAD = ['', '.', '1.', '.0', '00', '1.002', '0.-1', '+1.0', 'beef.0', '0.1.beef', '1\n'];
const noVersion = (text: string) =>
  `Invalid package version string: \`${text}\`. Package versions are non-empty strings consisting of segments of digits (without leading zeros) separated by dots.`;
const tooLong = 'Package version string length (256) exceeds the maximum supported length (255)';

test('consist of numbers with dots between them', () => {
  for (const text of GOOD) expect(packageVersionError(text)).toBeUndefined();
  for (const text of BAD) expect(packageVersionError(text)).toBe(noVersion(text));
});

test('have 31-bit numbers and at most 255 characters, and the length is checked first', () => {
  expect(packageVersionError(`1.${MAX_INT + 1}`)).toBe(
    `Failed parsing ${MAX_INT + 1} as an integer`,
  );
  expect(packageVersionError(`0${'.123'.repeat(63)}.12`)).toBe(tooLong);
  expect(packageVersionError('abcd'.repeat(64))).toBe(tooLong);
});

test('reject the archive if they are invalid', () => {
  const dar = (version: string) => buildDar(encodePackage({ version, modules: {} }));
  for (const version of ['0', '1.10']) expect(readDar(dar(version)).main.version).toBe(version);
  for (const version of ['1.002', 'beef.0', `1.${MAX_INT + 1}`])
    expect(refusalOf(dar(version))).toMatchObject({
      code: 'DAR_PARSE_ERROR',
      context: { reason: packageVersionError(version) },
    });
});

test('are ordered number by number, a prefix before a longer version', () => {
  const ascending = [
    '0',
    '0.1',
    '0.11',
    '1',
    '1.0',
    '1.0.0',
    '1.2',
    '2',
    '10',
    String(MAX_INT),
  ].concat(`${MAX_INT}.3`, `${`${MAX_INT}.`.repeat(22)}99`);
  for (const [i, a] of ascending.entries())
    for (const [j, b] of ascending.entries())
      expect([a, b, Math.sign(compareVersions(a, b))]).toEqual([a, b, Math.sign(i - j)]);
});
