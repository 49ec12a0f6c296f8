/**
 * Files in a folder of this user. Any number of processes may read and write them concurrently: a file is written under a temporary name,
 * renamed when it is complete, and never changed. Only the user may write to the folder and its files; otherwise nothing is read. A
 * failure to read or write is not an error: Canticle then works without the cache.
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

/** Bytes. Canticle writes no longer file. */
const MAX_FILE_SIZE = 32 * 1024 * 1024;
/** Milliseconds after which the files of another compiler are deleted. */
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;
const OTHERS_MAY_WRITE = 0o022;
/** Prefix of Canticle's folders in the cache folder. */
const PREFIX = 'canticle-';

/** The compiler's version, which the build inserts; undefined in sources that were not built. */
declare const CANTICLE_BUILD: string | undefined;
const BUILD = typeof CANTICLE_BUILD === 'string' ? CANTICLE_BUILD : undefined;
/** The folder in a cache for the files of this build. */
export const OF_BUILD = `${PREFIX}${BUILD ?? 'unbuilt'}`;

/**
 * The cache folder; undefined for none.
 * @param folder false for none. If undefined, CANTICLE_CACHE sets it (`off` for none), or else `~/.canticle/cache`.
 *   Sources that were not built cache nothing unless a folder is set.
 */
export function cacheFolder(folder: string | false | undefined): string | undefined {
  const path = folder ?? fromEnvironment('CANTICLE_CACHE') ?? (BUILD && defaultFolder()) ?? 'off';
  return path === false || path === 'off' || path === '' ? undefined : resolve(path);
}

function defaultFolder(): string | undefined {
  return attempt(() => join(homedir(), '.canticle', 'cache'));
}

export class OwnFiles {
  /** Undefined until it was checked. */
  private isOwn: boolean | undefined;
  private isUsable = true;

  constructor(
    private readonly root: string,
    /** Called once with the reason if the cache is unusable. */
    private readonly onUnusable: (message: string) => void,
  ) {}

  read(name: string): Uint8Array | undefined {
    this.isOwn ??= isOwnFolder(this.root);
    return this.isOwn ? attempt(() => readOwnFile(join(this.root, name))) : undefined;
  }

  /** Deletes the oldest files of the folder until the rest has at most this number of bytes. */
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
      if (!this.isOwn) throw new Error('it is not a folder that only this user may write to');
      const path = join(this.root, name);
      const isNew = makeFolder(dirname(path));
      writeWhole(path, bytes);
      if (isNew) attempt(() => deleteOld(this.root));
    } catch (error) {
      // It warns once, and does not try again.
      this.isUsable = false;
      this.onUnusable(
        `the cache '${this.root}' is unusable: ${(error as Error).message}. Canticle works without it.`,
      );
    }
  }
}

/**
 * Creates a folder and its parents. @returns whether it is new. NOTE: the recursive form of `mkdirSync` never ends in a folder that
 * accepts no files, such as /proc.
 */
function makeFolder(path: string): boolean {
  if (existsSync(path)) return false;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return true;
}

/** The file appears with all its bytes, or not at all. */
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

/** NOTE: on Windows, which has no numeric user ids, the home folder already protects the files. */
function isOwn(stats: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || (stats.uid === user && (stats.mode & OTHERS_MAY_WRITE) === 0);
}

/** Deletes old files of other compilers. */
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
