/**
 * What reading and checking a package has found out, kept in memory and, where a store is given, between processes. A
 * package id is the hash of all that was looked at, so what was found holds wherever the id turns up, for the same
 * compiler. A record of the store is data, never code; one that is torn, foreign, of another compiler or of another
 * package is none, and is written anew.
 */
import { createHash } from 'node:crypto';
import type { PackageId } from '../types.js';

/** Of a package that was read whole and found sound, its dependencies at hand. */
export interface PackageFacts {
  /** What anything in it refers to, sorted. */
  readonly dependencies: readonly PackageId[];
}

/** Bytes by name, such as files in a folder. What it gives back may be anything; what it cannot keep it forgets. */
export interface FactStore {
  /** @param name of lower-case letters and digits, with slashes between */
  read(name: string): Uint8Array | undefined;
  write(name: string, bytes: Uint8Array): void;
}

const FORMAT = 1;

export class CheckedPackages {
  private readonly known = new Map<PackageId, PackageFacts>();

  /** @param compiler the version of all that reads and checks packages: others' records do not count */
  constructor(
    private readonly store?: FactStore,
    private readonly compiler = '',
  ) {}

  get(id: PackageId): PackageFacts | undefined {
    let facts = this.known.get(id);
    if (facts === undefined) {
      const bytes = this.store?.read(this.nameOf(id));
      facts = bytes && readRecord(bytes, this.compiler, id);
      if (facts !== undefined) this.known.set(id, facts);
    }
    return facts;
  }

  add(id: PackageId, facts: PackageFacts): void {
    this.known.set(id, facts);
    this.store?.write(this.nameOf(id), record(this.compiler, id, facts));
  }

  private nameOf(id: PackageId): string {
    return `${this.compiler}/${id}`;
  }
}

/** A line with the hash of all behind it, and a line of JSON. */
function record(compiler: string, packageId: PackageId, facts: PackageFacts): Uint8Array {
  const text = JSON.stringify({ format: FORMAT, compiler, packageId, ...facts });
  return Buffer.from(`${hashOf(text)}\n${text}`);
}

function readRecord(
  bytes: Uint8Array,
  compiler: string,
  packageId: PackageId,
): PackageFacts | undefined {
  const whole = Buffer.from(bytes).toString('utf8');
  const text = whole.slice(whole.indexOf('\n') + 1);
  if (whole !== `${hashOf(text)}\n${text}`) return undefined;
  const found = parsed(text);
  if (found?.['format'] !== FORMAT || found['compiler'] !== compiler) return undefined;
  const { dependencies } = found;
  if (found['packageId'] !== packageId || !isIds(dependencies)) return undefined;
  return { dependencies };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function isIds(value: unknown): value is readonly PackageId[] {
  return Array.isArray(value) && value.every((each) => /^[0-9a-f]{64}$/.test(String(each)));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
