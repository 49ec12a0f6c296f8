/**
 * A file of built code, with the code that V8 compiled from it. The cache stores that code for the next process, because parsing takes a
 * large part of a start. A truncated entry, and an entry of another build or another V8, is ignored.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Script } from 'node:vm';
import type { OwnFiles } from './own-files.js';
import { runHere } from './realm.js';

const HASH_LENGTH = 64;

/** The parameters with which Node calls the code of a module. */
type Run = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  importMetaUrl: string,
) => void;

/** The header of an entry: the pack that V8 compiled, and its sources that were loaded by then. */
interface PackHeader {
  readonly stamp: string;
  readonly ran: readonly string[];
}

/** The start of a pack, which is an ES module for browsers. The rest is an expression. */
export const EXPORT = 'export default ';

export class CodePack {
  private stamp = '';
  /** The sources that had run when the entry of this process was written. */
  private saved: readonly string[] | undefined;
  private script: Script | undefined;
  readonly run: Run;

  /** @param store absent if nothing is cached */
  constructor(
    private readonly file: string,
    private readonly store: OwnFiles | undefined,
    private readonly name: string,
  ) {
    this.run = (this.read() ?? evaluated(file)) as Run;
  }

  /** Whether the cache had no entry. */
  get isNew(): boolean {
    return this.script !== undefined && this.saved === undefined;
  }

  /** @param loaded the sources of this pack that this process loaded */
  save(loaded: readonly string[]): void {
    const { store, script, saved } = this;
    const ran = [...new Set([...(saved ?? []), ...loaded])];
    if (store === undefined || script === undefined || ran.length === saved?.length) return;
    const header: PackHeader = { stamp: this.stamp, ran };
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify(header)}\n`),
      script.createCachedData(),
    ]);
    store.write(this.name, Buffer.concat([Buffer.from(hashOf(body)), body]));
    this.saved = ran;
  }

  /** Undefined if nothing is cached. */
  private read(): unknown {
    if (this.store === undefined || runHere === undefined) return undefined;
    try {
      const filename = this.file;
      this.stamp = stampOf(filename);
      const text = textOf(filename);
      const cachedData = this.readSaved();
      const script = new Script(text, { filename, ...(cachedData && { cachedData }) });
      if (script.cachedDataRejected !== false) this.saved = undefined;
      const parts = runHere(script);
      this.script = script;
      return parts;
    } catch {
      return undefined;
    }
  }

  private readSaved(): Uint8Array | undefined {
    const bytes = this.store!.read(this.name);
    if (bytes === undefined) return undefined;
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = whole.subarray(HASH_LENGTH);
    if (whole.toString('latin1', 0, HASH_LENGTH) !== hashOf(body)) return undefined;
    const end = body.indexOf('\n');
    const { stamp, ran } = JSON.parse(body.toString('utf8', 0, end)) as PackHeader;
    if (stamp !== this.stamp) return undefined;
    this.saved = ran;
    return body.subarray(end + 1);
  }
}

/** The value of the pack, without a cache. */
function evaluated(file: string): unknown {
  const text = textOf(file);
  if (runHere !== undefined) return runHere(new Script(text, { filename: file }));
  // The realm of this code is that of its functions.
  return new Function(`return ${text}\n//# sourceURL=${file}`)();
}

const textOf = (file: string): string => readFileSync(file).toString('latin1', EXPORT.length);

/** Names the path too, because V8 stores it, and stack frames show it: a copy of the package can have the same size and time. */
function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
