/**
 * The data of a live participant in pieces, in a folder of the user. A piece is written completely or not at all, so that an interrupted
 * fork can continue. Packages are stored by their hashes, and shared by all forks.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ForkOptions } from './fork-options.js';
import { fromEnvironment } from '../../options/environment.js';

/** Increases when the format of a piece changes. */
const VERSION = 3;
/** Maximum uncompressed bytes of a piece. */
const MAX_PIECE = 512 * 1024 * 1024;

export interface ForkStore {
  /** Undefined if the piece is missing or truncated. */
  read(name: string): Buffer | undefined;
  write(name: string, bytes: Uint8Array): void;
  /** Deletes all pieces except packages. */
  clear(): void;
}

export function forkStore({ url, scan, parties, at, cache }: ForkOptions): ForkStore {
  const folder = cache ?? fromEnvironment('CANTICLE_FORKS');
  if (folder === false || folder === 'off') return new StoreInMemory();
  const root = resolve(folder ?? join(homedir(), '.canticle', 'forks'));
  const identity = JSON.stringify([
    VERSION,
    url?.replace(/\/+$/, ''),
    [...(parties ?? [])].sort(),
    at,
    ...(scan === undefined ? [] : [scan.replace(/\/+$/, '')]),
  ]);
  const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  return new StoreInFolder(root, name);
}

export function readJson<T>(store: ForkStore, name: string): T | undefined {
  const bytes = store.read(name);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as T;
  } catch {
    return undefined;
  }
}

export function writeJson(store: ForkStore, name: string, value: unknown): void {
  store.write(name, Buffer.from(JSON.stringify(value)));
}

const isPackage = (name: string): boolean => name.startsWith('packages/');

class StoreInMemory implements ForkStore {
  private readonly pieces = new Map<string, Buffer>();

  read(name: string): Buffer | undefined {
    return this.pieces.get(name);
  }

  write(name: string, bytes: Uint8Array): void {
    this.pieces.set(name, Buffer.from(bytes));
  }

  clear(): void {
    this.pieces.clear();
  }
}

class StoreInFolder implements ForkStore {
  constructor(
    private readonly root: string,
    private readonly fork: string,
  ) {}

  read(name: string): Buffer | undefined {
    try {
      return gunzipSync(readFileSync(this.pathOf(name)), { maxOutputLength: MAX_PIECE });
    } catch {
      return undefined;
    }
  }

  write(name: string, bytes: Uint8Array): void {
    const path = this.pathOf(name);
    const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(unfinished, gzipSync(bytes, { level: 1 }), { mode: 0o600 });
      renameSync(unfinished, path);
    } finally {
      rmSync(unfinished, { force: true });
    }
  }

  clear(): void {
    rmSync(join(this.root, this.fork), { recursive: true, force: true });
  }

  private pathOf(name: string): string {
    return join(this.root, isPackage(name) ? '' : this.fork, `${name}.gz`);
  }
}
