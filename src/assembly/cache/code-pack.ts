/**
 * A file of built code, with what V8 made of it, which is kept for the next process; much of a start is V8 reading us. What is torn, or of another build or another V8, is none.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import type { OwnFiles } from './own-files.js';
import { runHere } from './realm.js';

const HASH_LENGTH = 64;

/** As Node calls what it loads. */
type Run = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  importMetaUrl: string,
) => void;

/** What V8 made, of which pack, and which of its sources were loaded by then. */
interface PackHeader {
  readonly stamp: string;
  readonly ran: readonly string[];
}

const native = createRequire(import.meta.url);

export class CodePack {
  private stamp = '';
  /** What had run when V8's part was kept that this process has. */
  private saved: readonly string[] | undefined;
  private script: Script | undefined;
  readonly run: Run;

  /** @param name of what is kept; nothing is where there is no store */
  constructor(
    private readonly file: string,
    private readonly store: OwnFiles | undefined,
    private readonly name: string,
  ) {
    this.run = (this.read() ?? native(file)) as Run;
  }

  /** Whether nothing was kept of it. */
  get isNew(): boolean {
    return this.script !== undefined && this.saved === undefined;
  }

  /** @param loaded what was loaded of it */
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

  /** Undefined where Node is to load it, as ever. */
  private read(): unknown {
    if (this.store === undefined || runHere === undefined) return undefined;
    try {
      const filename = this.file;
      this.stamp = stampOf(filename);
      const text = readFileSync(filename, 'latin1');
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

function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${size} ${mtimeMs}`;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
