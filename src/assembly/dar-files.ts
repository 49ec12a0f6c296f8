/**
 * Where DARs are read from: the path that is given, or, for a name that is no file there, the folder in which people keep
 * DARs that they may not hand on: CANTICLE_DARS, `~/.canticle/dars` by default.
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
 * @param folder what relative paths are relative to
 */
export function readNamedFile(path: string, folder = '.'): Uint8Array {
  return readBoundedFile(namedFile(path, folder), MAX_NAMED_FILE);
}

/** Where the file is. */
export function namedFile(path: string, folder = '.'): string {
  const here = resolve(folder, path);
  if (existsSync(here) || !path.endsWith('.dar') || isAbsolute(path)) return here;
  const stored = join(darFolder(), path);
  if (existsSync(stored)) return stored;
  throw new Error(
    `there is no such file in ${resolve(folder)}, nor in ${darFolder()}. Put your copy of the DAR there, or say with CANTICLE_DARS where it is`,
  );
}

/** Where DARs are looked for that are named without a path. */
export function darFolder(): string {
  return fromEnvironment('CANTICLE_DARS') ?? join(homedir(), '.canticle', 'dars');
}
