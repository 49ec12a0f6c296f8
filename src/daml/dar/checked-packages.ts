/**
 * What reading and checking a package has found out, kept in memory and, where a store is given, between processes. A
 * package id is the hash of all that was looked at, so what was found holds wherever the id turns up, for the same
 * compiler; of what Splice released it is known from the start. A record of these is data, never code; one that is torn,
 * foreign, of another compiler or of another package is none, and is written anew. Each package has one, and each DAR one for all of its packages, so that the next
 * process finds them at once.
 */
import { createHash } from 'node:crypto';
import type { CodeStore } from '../lf/kept-code.js';
import type { PackageId } from '../model/types.js';
import { releasedFacts } from './released-packages.js';

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
    /** Of what was compiled of them. */
    readonly code?: CodeStore,
    /** What is known of a package from the start; none of it for whoever checks that. */
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

  /** What was found out elsewhere, and is kept there. */
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

  /** Keeps what is known of the packages of a DAR together. */
  addDar(main: PackageId, ids: readonly PackageId[]): void {
    const known = ids.flatMap((id) => {
      const facts = this.get(id);
      return facts === undefined ? [] : [[id, facts.dependencies] as const];
    });
    this.write(this.nameOfDar(main), { dar: main, packages: Object.fromEntries(known) });
  }

  /**
   * Names that something looks for all through a package, such as those of its scripts: looked for once, and kept.
   * @param what is looked for, in lower-case letters
   */
  names(id: PackageId, what: string, find: () => readonly string[]): readonly string[] {
    const place = `${this.compiler}/${what}/${id}`;
    const kept = this.read(place);
    if (kept?.['packageId'] === id && isTexts(kept[what])) return kept[what];
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

  /** A line with the hash of all behind it, and a line of JSON. */
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
