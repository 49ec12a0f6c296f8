/**
 * Third-party files, which are not in the repository: real DARs and the official documents. A test that needs a
 * missing file is skipped, and its title says why. The last line of a run has their number
 * (scripts/closing-line.cjs).
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of the files. */
const FOLDERS = {
  DARs: () => process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars'),
  documents: () => resolve(__dirname, '../../../shared'),
};
type Kind = keyof typeof FOLDERS;

export const foreignPath = (kind: Kind, name = ''): string => join(FOLDERS[kind](), name);
export const isHere = (kind: Kind, name: string): boolean => existsSync(foreignPath(kind, name));

/** The bytes of a DAR; undefined if it is missing. */
export const realDar = (name: string): Uint8Array | undefined =>
  isHere('DARs', name) ? readFileSync(foreignPath('DARs', name)) : undefined;

/** Whether one of the files is missing. If so, a skipped test replaces the tests that need it. */
export function skipsWithout(kind: Kind, names: readonly string[], title: string): boolean {
  const missing = [...new Set(names)].filter((name) => !isHere(kind, name));
  if (missing.length === 0) return false;
  test.skip(`${title} (needs ${kind}: ${missing.join(', ')})`, () => undefined);
  return true;
}

/** Tests that need these DARs. */
export function describeWithDars<Names extends readonly string[]>(
  title: string,
  names: Names,
  body: (...dars: { [Index in keyof Names]: Uint8Array }) => void,
): void {
  if (skipsWithout('DARs', names, title)) return;
  const dars = names.map(realDar) as { [Index in keyof Names]: Uint8Array };
  describe(title, () => body(...dars));
}
