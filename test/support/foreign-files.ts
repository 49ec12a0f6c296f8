/**
 * Files of other people's, which stay outside the repository: real DARs and the official documents. What needs one that is
 * not here is skipped under a title that says so, which the closing line of a run counts (scripts/closing-line.cjs).
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where they are looked for. */
const FOLDERS = {
  DARs: () => process.env['CANTICLE_DARS'] ?? join(homedir(), '.canticle', 'dars'),
  documents: () => resolve(__dirname, '../../../shared'),
};
type Kind = keyof typeof FOLDERS;

export const foreignPath = (kind: Kind, name = ''): string => join(FOLDERS[kind](), name);
export const isHere = (kind: Kind, name: string): boolean => existsSync(foreignPath(kind, name));

/** The bytes of a DAR; undefined where it is not here. */
export const realDar = (name: string): Uint8Array | undefined =>
  isHere('DARs', name) ? readFileSync(foreignPath('DARs', name)) : undefined;

/** Whether one of the files is missing: what stands for the tests that it keeps from running is skipped then. */
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
