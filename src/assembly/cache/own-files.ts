/**
 * Files in a folder of this user's, which any number of processes may read and write at once: a file appears whole, under another name
 * first, and never changes. The folder and its files belong to the user alone; in one that others may write to, nothing is read. What
 * cannot be read or written is done without.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fromEnvironment } from '../../options/environment.js';

/** Bytes; a longer file is none of ours. */
const MAX_FILE_SIZE = 32 * 1024 * 1024;
/** Milliseconds after which the files of another compiler are deleted. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;
const OTHERS_MAY_WRITE = 0o022;
/** What our folders in the folder are called by. */
const PREFIX = 'canticle-';

/** The compiler's version, put in by the build; sources as they stand have none. */
declare const CANTICLE_BUILD: string | undefined;
const BUILD = typeof CANTICLE_BUILD === 'string' ? CANTICLE_BUILD : undefined;
/** The folder in a cache of what this build found out. */
export const OF_BUILD = `${PREFIX}${BUILD ?? 'unbuilt'}`;

/**
 * Where things are kept between processes; undefined for nowhere.
 * @param folder false for none; where undefined, CANTICLE_CACHE says it (`off` for none), else it is `~/.canticle/cache`.
 *   Sources that were not built keep nothing unless they are told where.
 */
export function cacheFolder(folder: string | false | undefined): string | undefined {
  const path = folder ?? fromEnvironment('CANTICLE_CACHE') ?? (BUILD && defaultFolder()) ?? 'off';
  return path === false || path === 'off' || path === '' ? undefined : resolve(path);
}

function defaultFolder(): string | undefined {
  return attempt(() => join(homedir(), '.canticle', 'cache'));
}

export class OwnFiles {
  /** Unknown until it was looked for. */
  private isOwn: boolean | undefined;
  private isUsable = true;

  constructor(
    private readonly root: string,
    /** Given why nothing can be written, once. */
    private readonly onUnusable: (message: string) => void,
  ) {}

  read(name: string): Uint8Array | undefined {
    this.isOwn ??= isOwnFolder(this.root);
    return this.isOwn ? attempt(() => readOwnFile(join(this.root, name))) : undefined;
  }

  /** Deletes files of the folder, from the oldest on, until it has no more bytes than that. */
  bound(folder: string, size: number): void {
    attempt(() => {
      const path = join(this.root, folder);
      const files = readdirSync(path).map((name) => {
        const { mtimeMs, size: bytes } = lstatSync(join(path, name));
        return { name, mtimeMs, bytes };
      });
      let all = files.reduce((sum, { bytes }) => sum + bytes, 0);
      files.sort((a, b) => a.mtimeMs - b.mtimeMs);
      for (const { name, bytes } of files) {
        if (all <= size) return;
        rmSync(join(path, name), { force: true });
        all -= bytes;
      }
    });
  }

  write(name: string, bytes: Uint8Array): void {
    if (!this.isUsable) return;
    try {
      makeFolder(this.root);
      this.isOwn = isOwnFolder(this.root);
      if (!this.isOwn) throw new Error('it is no folder that belongs to this user alone');
      const path = join(this.root, name);
      const isNew = makeFolder(dirname(path));
      writeWhole(path, bytes);
      if (isNew) attempt(() => deleteOld(this.root));
    } catch (error) {
      // Said once, and not tried again.
      this.isUsable = false;
      this.onUnusable(
        `the cache '${this.root}' cannot be used, and is done without: ${(error as Error).message}.`,
      );
    }
  }
}

/**
 * Makes a folder and those above it, whether it is new. NOTE: the recursive form of `mkdirSync` never ends where a folder is there and
 * yet none can be made in it, as in /proc.
 */
function makeFolder(path: string): boolean {
  if (existsSync(path)) return false;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return true;
}

/** The file appears at once with all its bytes, or not at all. */
function writeWhole(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function readOwnFile(path: string): Uint8Array | undefined {
  const file = openSync(
    path,
    constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0),
  );
  try {
    const stats = fstatSync(file);
    const isFit = stats.isFile() && stats.size <= MAX_FILE_SIZE && isOwn(stats);
    return isFit ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

function isOwnFolder(path: string): boolean {
  const stats = attempt(() => statSync(path));
  return stats !== undefined && stats.isDirectory() && isOwn(stats);
}

/** NOTE: where users have no numbers, as on Windows, a home folder is its user's anyway. */
function isOwn(stats: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & OTHERS_MAY_WRITE) === 0);
}

/** Files of other compilers, to which nothing was added for long. */
function deleteOld(root: string): void {
  for (const name of readdirSync(root)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(root, name);
    if (lstatSync(path).mtimeMs < Date.now() - MAX_AGE) rmSync(path, { recursive: true });
  }
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
