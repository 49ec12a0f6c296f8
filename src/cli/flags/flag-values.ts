/** Values of flags. An invalid one is rejected before anything starts. */
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Kind } from '../../options/row.js';
import { causeOf } from '../terminal.js';

/** Reads the text of a flag as the kind of its option does. */
export const parsed =
  <T>({ read, words }: Kind<T>) =>
  (text: string): T => {
    const value = read === undefined ? (text as T) : read(text);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`Expected ${words}.`);
  };

/** Like Canton, one flag may also hold several files with commas between them. */
export function append(text: string, previous: readonly string[]): string[] {
  return [...previous, ...text.split(',').filter((file) => file !== '')];
}

/** The text of a file. */
export function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(`Failed to read '${path}': ${causeOf(error)}.`);
  }
}
