/**
 * Caches compiled packages in files, for the next process. The cache has the units of each package and, if available, the V8 code cache
 * for the version and flags of V8. It ignores a file that is truncated, or that another compiler or program wrote. V8 compiles again if
 * it rejects a code cache.
 */
import { lazy } from '../../daml/errors/lazy.js';
import { Script } from 'node:vm';
import type { FactStore } from '../../daml/dar/checked-packages.js';
import type { CodeStore, Factory, CachedCode, CachedUnit } from '../../daml/lf/cached-code.js';
import type { PackageId } from '../../daml/model/types.js';
import { runHere } from './built-code.js';
import { CodeFile } from './code-file.js';
import { engineName } from './engine.js';
import { V8Data } from './v8-data.js';
import type * as Loading from '../../daml/lf/loading.js';
import type * as ScriptNames from '../../daml/lf/lowering/script-name.js';

const loading = lazy(() => require('../../daml/lf/loading.js') as typeof Loading);
const scriptNames = lazy(
  () => require('../../daml/lf/lowering/script-name.js') as typeof ScriptNames,
);

/**
 * The fewest new units for which a file is written again. The first file is always written, so that a process that finds all units need
 * not load the compiler.
 */
const FEWEST = 8;
/** The smallest share of new units for which a file is written again. */
const SHARE = 0.05;

export class CodeFiles implements CodeStore {
  private readonly packages = new Map<PackageId, PackageCode>();

  /** @param compiler the version of the compiler: files of other versions are ignored */
  constructor(
    private readonly store: FactStore,
    private readonly compiler: string,
  ) {}

  of(id: PackageId): PackageCode {
    let found = this.packages.get(id);
    if (found === undefined) {
      found = new PackageCode(id, this.store, this.compiler);
      this.packages.set(id, found);
    }
    return found;
  }

  /** Writes new units, if there are enough. @returns whether it wrote a file */
  save(): boolean {
    return [...this.packages.values()].filter((each) => each.save()).length > 0;
  }
}

class PackageCode implements CachedCode {
  /** Units that were read or added. */
  private readonly units = new Map<string, CachedUnit>();
  private readonly factories = new Map<string, Factory>();
  private added = 0;
  private wasRead = false;
  private file: CodeFile | undefined;
  private readonly loaded = new Set<string>();
  private data: V8Data | undefined;
  /** By module: scripts that V8 compiled in this process without its code cache. */
  private readonly compiled = new Map<string, Script>();

  constructor(
    private readonly id: PackageId,
    private readonly store: FactStore,
    private readonly compiler: string,
  ) {}

  get(key: string): CachedUnit | undefined {
    let found = this.units.get(key);
    if (found === undefined) {
      found = this.read()?.unit(key);
      if (found !== undefined) this.units.set(key, found);
    }
    return found;
  }

  has(key: string): boolean {
    return this.units.has(key) || (this.read()?.has(key) ?? false);
  }

  add(key: string, unit: CachedUnit): void {
    this.units.set(key, unit);
    this.added += 1;
  }

  factory(key: string): Factory {
    let found = this.factories.get(key);
    if (found === undefined && runHere) {
      this.load(key, runHere);
      found = this.factories.get(key);
    }
    if (found === undefined) {
      found = loading().factoryOf(this.get(key)!);
      this.factories.set(key, found);
    }
    return found;
  }

  save(): boolean {
    const { added, file, compiled } = this;
    const enough = file === undefined ? 1 : Math.max(FEWEST, file.keys.length * SHARE);
    if (added >= enough) {
      for (const key of file?.keys ?? []) this.get(key);
      this.addOthers();
      this.store.write(this.name, CodeFile.of(this.units, this.compiler, this.id));
      this.added = 0;
      compiled.clear();
      return true;
    }
    if (compiled.size === 0 || file === undefined) return false;
    const made = [...compiled].map(
      ([module, script]) => [module, script.createCachedData()] as const,
    );
    // Another process may have written some meanwhile.
    const merged = this.readData(file).with(made);
    this.store.write(this.nameOfData, merged.bytes(file.hash));
    compiled.clear();
    return true;
  }

  /** Adds the units that other threads and processes have written meanwhile. */
  private addOthers(): void {
    const now = this.readFile();
    if (now === undefined || now.hash === this.file?.hash) return;
    for (const key of now.keys) if (!this.units.has(key)) this.units.set(key, now.unit(key)!);
  }

  private get name(): string {
    return `${this.compiler}/code/${this.id}`;
  }

  private get nameOfData(): string {
    return `${this.name}-${engineName()}`;
  }

  private read(): CodeFile | undefined {
    if (!this.wasRead) {
      this.wasRead = true;
      this.file = this.readFile();
    }
    return this.file;
  }

  private readFile(): CodeFile | undefined {
    const bytes = this.store.read(this.name);
    return bytes && CodeFile.read(bytes, this.compiler, this.id);
  }

  /** Loads all units of the module in the file. */
  private load(key: string, run: (script: Script) => unknown): void {
    const file = this.read();
    const of = file?.scriptOf(key);
    if (file === undefined || of === undefined || this.loaded.has(of.module)) return;
    this.loaded.add(of.module);
    this.data ??= this.readData(file);
    const filename = `daml:@${this.id}:${of.module}`;
    const cachedData = this.data.of(of.module);
    const script = new Script(file.textOf(of), { filename, ...(cachedData && { cachedData }) });
    const factories = run(script) as readonly Factory[];
    const keys = file.keysOf(of);
    for (const [index, each] of keys.entries()) this.factories.set(each, factories[index]!);
    scriptNames().nameUnits(filename, file.linesOf(of), (index) => file.unit(keys[index]!)!.name);
    if (script.cachedDataRejected !== false) this.compiled.set(of.module, script);
  }

  private readData({ hash }: CodeFile): V8Data {
    return V8Data.read(this.store.read(this.nameOfData), hash);
  }
}
