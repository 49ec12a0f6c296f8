/**
 * Finds DARs: at the path, or, if no such file exists, in a folder for DARs that the user may not distribute: CANTICLE_DARS,
 * `~/.canticle/dars` by default.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { readBoundedFile } from './bounded-file.js';
import { fromEnvironment } from '../options/environment.js';

/** Bytes. */
const MAX_NAMED_FILE = 256 * 1024 * 1024;

/**
 * The bytes of a file that an option or a scenario names.
 * @param folder the base of relative paths
 */
export function readNamedFile(path: string, folder = '.'): Uint8Array {
  return readBoundedFile(namedFile(path, folder), MAX_NAMED_FILE);
}

/** The path of the file. */
export function namedFile(path: string, folder = '.'): string {
  const here = resolve(folder, path);
  if (existsSync(here) || !path.endsWith('.dar') || isAbsolute(path)) return here;
  const stored = join(darFolder(), path);
  if (existsSync(stored)) return stored;
  throw new Error(
    `no '${path}' in ${resolve(folder)} or ${darFolder()}. Put your copy of the DAR there, or set CANTICLE_DARS to its folder`,
  );
}

/** The folder for DARs that are named without a path. */
export function darFolder(): string {
  return fromEnvironment('CANTICLE_DARS') ?? join(homedir(), '.canticle', 'dars');
}
