/**
 * Caches the results of reading and checking packages in memory and, with a store, between processes. A package id
 * is the hash of the whole package, so the results hold for every package with this id and the same compiler. The
 * results for Splice's released packages are built in. A record holds data, never code. If a record is truncated,
 * or belongs to another compiler or package, it is ignored and written again. Each package has a record. Each DAR
 * has one for all its packages, so that the next process reads them at once.
 */
import { createHash } from 'node:crypto';
import type { CodeStore } from '../lf/cached-code.js';
import type { PackageId } from '../model/types.js';
import { releasedFacts } from './released-packages.js';

/** The results for a package that was read completely and is valid together with its dependencies. */
export interface PackageFacts {
  /** The packages that its definitions refer to, sorted. */
  readonly dependencies: readonly PackageId[];
}

/** Stores bytes by name, such as files in a folder. It may return invalid bytes, and may lose entries. */
export interface FactStore {
  /** @param name of lower-case letters and digits, with slashes between */
  read(name: string): Uint8Array | undefined;
  write(name: string, bytes: Uint8Array): void;
}

const FORMAT = 1;

export class CheckedPackages {
  private readonly known = new Map<PackageId, PackageFacts>();

  /** @param compiler the version of the code that reads and checks packages: records of other versions are ignored */
  constructor(
    private readonly store?: FactStore,
    private readonly compiler = '',
    /** The store of their compiled code. */
    readonly code?: CodeStore,
    /** The built-in results for a package. A test of these results passes a function that returns none. */
    private readonly released: (id: PackageId) => PackageFacts | undefined = releasedFacts,
  ) {}

  get(id: PackageId): PackageFacts | undefined {
    let facts = this.known.get(id) ?? this.released(id);
    if (facts === undefined) {
      const found = this.read(this.nameOf(id));
      if (found?.['packageId'] === id) facts = factsOf(found['dependencies']);
      if (facts !== undefined) this.known.set(id, facts);
    }
    return facts;
  }

  add(id: PackageId, facts: PackageFacts): void {
    this.known.set(id, facts);
    this.write(this.nameOf(id), { packageId: id, ...facts });
  }

  /** Adds results that another place has found and stored. */
  learn(id: PackageId, facts: PackageFacts): void {
    this.known.set(id, facts);
  }

  /**
   * Looks up the packages of a DAR together.
   * @param main its main package
   * @returns whether there is nothing to gain from {@link addDar}
   */
  findDar(main: PackageId): boolean {
    if (this.store === undefined || this.known.has(main) || this.released(main)) return true;
    const found = this.read(this.nameOfDar(main));
    if (found?.['dar'] !== main) return false;
    const packages = Object.entries(found['packages'] ?? {});
    const facts = packages.map(([id, dependencies]) => [id, factsOf(dependencies)] as const);
    if (!facts.every(([id, each]) => isId(id) && each !== undefined)) return false;
    for (const [id, each] of facts) if (!this.known.has(id)) this.known.set(id, each!);
    return true;
  }

  /** Stores the results for all packages of a DAR in one record. */
  addDar(main: PackageId, ids: readonly PackageId[]): void {
    const known = ids.flatMap((id) => {
      const facts = this.get(id);
      return facts === undefined ? [] : [[id, facts.dependencies] as const];
    });
    this.write(this.nameOfDar(main), { dar: main, packages: Object.fromEntries(known) });
  }

  /**
   * Names that a search through a whole package finds, such as its scripts. The search runs once, and its result is
   * stored.
   * @param what the kind of names, in lower-case letters
   */
  names(id: PackageId, what: string, find: () => readonly string[]): readonly string[] {
    const place = `${this.compiler}/${what}/${id}`;
    const cached = this.read(place);
    if (cached?.['packageId'] === id && isTexts(cached[what])) return cached[what];
    const found = find();
    this.write(place, { packageId: id, [what]: found });
    return found;
  }

  private nameOf(id: PackageId): string {
    return `${this.compiler}/${id}`;
  }

  private nameOfDar(main: PackageId): string {
    return `${this.compiler}/dars/${main}`;
  }

  /** Writes a line with the hash of the rest, and a line of JSON. */
  private write(name: string, facts: object): void {
    if (this.store === undefined) return;
    const text = JSON.stringify({ format: FORMAT, compiler: this.compiler, ...facts });
    this.store.write(name, Buffer.from(`${hashOf(text)}\n${text}`));
  }

  private read(name: string): Record<string, unknown> | undefined {
    const bytes = this.store?.read(name);
    if (bytes === undefined) return undefined;
    const whole = Buffer.from(bytes).toString('utf8');
    const text = whole.slice(whole.indexOf('\n') + 1);
    if (whole !== `${hashOf(text)}\n${text}`) return undefined;
    const found = parsed(text);
    const isOurs = found?.['format'] === FORMAT && found['compiler'] === this.compiler;
    return isOurs ? found : undefined;
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function factsOf(dependencies: unknown): PackageFacts | undefined {
  const isFit = Array.isArray(dependencies) && dependencies.every(isId);
  return isFit ? { dependencies: dependencies as readonly PackageId[] } : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
