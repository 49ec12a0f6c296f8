/**
 * Keeps compiled packages in files, for the next process: of each its units and, where V8 can be asked for it, what V8 made of them, by
 * the version and flags of V8. A file that is torn, foreign or of another compiler is none; what V8 refuses, it compiles.
 */
import { cachedDataVersionTag } from 'node:v8';
import { runInThisContext, Script } from 'node:vm';
import type { FactStore } from '../../daml/dar/checked-packages.js';
import type { CodeStore, Factory, KeptCode, KeptUnit } from '../../daml/lf/kept-code.js';
import { factoryOf } from '../../daml/lf/loading.js';
import { nameUnits } from '../../daml/lf/lowering/script-name.js';
import type { PackageId } from '../../daml/model/types.js';
import { CodeFile, hashOf } from './code-file.js';

/** Fewer new units of a package are not worth writing its file anew: the first is, as a process that finds all has no use for the compiler. */
const FEWEST = 8;
/** Nor is a smaller share of those that there are. */
const SHARE = 0.05;
const HASH_LENGTH = 64;

/** Those of a sandbox of a test runner have objects of their own, and must not meet code of another one. */
const isMainRealm = runInThisContext('Object') === Object;

export class CodeFiles implements CodeStore {
  private readonly packages = new Map<PackageId, PackageCode>();

  /** @param compiler the version of all that compiles: others' files do not count */
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

  /** Writes what is new, where that is worth it. @returns whether something was written */
  keep(): boolean {
    return [...this.packages.values()].filter((each) => each.keep()).length > 0;
  }
}

class PackageCode implements KeptCode {
  /** Those that were asked for or added. */
  private readonly units = new Map<string, KeptUnit>();
  private readonly factories = new Map<string, Factory>();
  private added = 0;
  private wasRead = false;
  private file: CodeFile | undefined;
  private isLoaded = false;
  /** What V8 compiled in this process although it was in the file. */
  private script: Script | undefined;

  constructor(
    private readonly id: PackageId,
    private readonly store: FactStore,
    private readonly compiler: string,
  ) {}

  get(key: string): KeptUnit | undefined {
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

  add(key: string, unit: KeptUnit): void {
    this.units.set(key, unit);
    this.added += 1;
  }

  factory(key: string): Factory {
    if (!this.isLoaded && isMainRealm) this.load();
    let found = this.factories.get(key);
    if (found === undefined) {
      found = factoryOf(this.get(key)!);
      this.factories.set(key, found);
    }
    return found;
  }

  keep(): boolean {
    const { added, file, script } = this;
    const enough = file === undefined ? 1 : Math.max(FEWEST, file.keys.length * SHARE);
    if (added >= enough) {
      for (const key of file?.keys ?? []) this.get(key);
      this.addOthers();
      this.store.write(this.name, CodeFile.of(this.units, this.compiler, this.id));
      this.added = 0;
      this.script = undefined;
      return true;
    }
    if (script === undefined || file === undefined) return false;
    const data = script.createCachedData();
    const head = Buffer.from(hashOf(file.hash, data));
    this.store.write(this.nameOfData, Buffer.concat([head, data]));
    this.script = undefined;
    return true;
  }

  /** What other threads and processes have kept since. */
  private addOthers(): void {
    const now = this.readFile();
    if (now === undefined || now.hash === this.file?.hash) return;
    for (const key of now.keys) if (!this.units.has(key)) this.units.set(key, now.unit(key)!);
  }

  private get name(): string {
    return `${this.compiler}/code/${this.id}`;
  }

  private get nameOfData(): string {
    return `${this.name}-${process.arch}-${cachedDataVersionTag().toString(16)}`;
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

  /** All units of the file, as one script. */
  private load(): void {
    this.isLoaded = true;
    const file = this.read();
    if (file === undefined) return;
    const filename = `daml:@${this.id}`;
    const cachedData = this.readData(file);
    const script = new Script(file.script, { filename, ...(cachedData && { cachedData }) });
    const factories = script.runInThisContext() as readonly Factory[];
    for (const [index, key] of file.keys.entries()) this.factories.set(key, factories[index]!);
    nameUnits(filename, file.lines, (index) => file.unit(file.keys[index]!)!.name);
    if (script.cachedDataRejected !== false) this.script = script;
  }

  private readData({ hash }: CodeFile): Buffer | undefined {
    const bytes = this.store.read(this.nameOfData);
    if (bytes === undefined || bytes.length <= HASH_LENGTH) return undefined;
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const data = whole.subarray(HASH_LENGTH);
    return whole.toString('latin1', 0, HASH_LENGTH) === hashOf(hash, data) ? data : undefined;
  }
}
