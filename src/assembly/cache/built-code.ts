/**
 * Loads the built code: one file, `pack.js`, with a function for each of its parts, so that what V8 made of it can be kept for the next
 * process, beside what is kept of packages; much of a start is V8 reading us. Each use, an entrance or a command, has what is kept for
 * itself, as it runs other parts. What is torn, or of another build or another V8, is none.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { engineName } from './engine.js';
import { cacheFolder, OF_BUILD, OwnFiles } from './own-files.js';
import { runHere } from './realm.js';

export { runHere };

const PACK = 'pack.js';
/** Those of the command line that have what is kept for themselves. */
const COMMANDS = ['sandbox', 'localnet', 'run', 'test', 'script', 'codegen', 'inspect', 'trace'];
/** Those that run much code for a second or two: what V8 is late to optimise, it mostly need not. */
const SHORT_COMMANDS = ['test', 'script'];
/** Bytes of a function's code that run before V8 thinks of it; some 130,000 by default. */
const LATE = 500_000;
/** Milliseconds after which who runs on has loaded what it starts with. */
const STARTED = 5000;
const HASH_LENGTH = 64;

/** As Node calls what it loads; `require` knows what is in the pack, and leaves the rest to Node. */
type Part = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  folder: string,
) => void;
type Parts = Readonly<Record<string, Part>>;

/** What V8 made, of which pack, and the parts that ran by then. */
interface Kept {
  readonly stamp: string;
  readonly ran: readonly string[];
}

const folder = (): string => dirname(fileURLToPath(import.meta.url));
const native = createRequire(import.meta.url);
/** Code of the build asks for this module as one, as there may be one alone. */
const self = { runHere, keepBuilt };

let built: BuiltCode | undefined;

/**
 * What a part of the build exports; it runs when it is first asked for.
 * @param name its file's, from `dist/cjs`
 * @param use what to keep V8's part by; of the first that loads anything
 */
export function load(name: string, use = name): unknown {
  if (built === undefined) {
    built = new BuiltCode(use);
    process.once('exit', keepBuilt);
    if (built.isNew) setTimeout(keepBuilt, STARTED).unref();
  }
  return built.load(name);
}

/** The command line, as it is for a command. */
export function loadCommandLine(command: string | undefined): unknown {
  if (SHORT_COMMANDS.includes(command!) && !isBun) setFlagsFromString(`--interrupt-budget=${LATE}`);
  return load('cli/main.js', COMMANDS.includes(command!) ? command : 'command-line');
}

/**
 * Writes what V8 made where something is new, for when work is over, as that takes a moment. That is at the
 * exit, too, and where nothing is kept yet some time after the start.
 */
export function keepBuilt(): void {
  try {
    built?.keep();
  } catch {
    // Of a test file that is over, whose realm was taken apart.
  }
}

class BuiltCode {
  private readonly store: OwnFiles | undefined;
  private readonly name: string;
  private stamp = '';
  /** What had run when V8's part was kept that this process has. */
  private kept: readonly string[] | undefined;
  private script: Script | undefined;
  private readonly parts: Parts;
  private readonly modules = new Map<string, { exports: unknown }>();

  constructor(use: string) {
    const root = isWatchedOver() ? undefined : cacheFolder(undefined);
    this.store = root === undefined ? undefined : new OwnFiles(root, () => undefined);
    this.name = `${OF_BUILD}/built/${use.replaceAll('/', '-')}-${engineName()}`;
    this.parts = this.read() ?? (native(`./${PACK}`) as Parts);
  }

  /** Whether nothing was kept of it. */
  get isNew(): boolean {
    return this.script !== undefined && this.kept === undefined;
  }

  load(name: string): unknown {
    let module = this.modules.get(name);
    if (module === undefined) {
      module = { exports: {} };
      this.modules.set(name, module);
      const file = join(folder(), name);
      const require = (id: string) => this.require(name, id);
      this.parts[name]!.call(module.exports, module.exports, require, module, file, dirname(file));
    }
    return module.exports;
  }

  keep(): void {
    const { store, script, kept } = this;
    const ran = [...new Set([...(kept ?? []), ...this.modules.keys()])];
    if (store === undefined || script === undefined || ran.length === kept?.length) return;
    const header: Kept = { stamp: this.stamp, ran };
    const body = Buffer.concat([
      Buffer.from(`${JSON.stringify(header)}\n`),
      script.createCachedData(),
    ]);
    store.write(this.name, Buffer.concat([Buffer.from(hashOf(body)), body]));
    this.kept = ran;
  }

  private require(from: string, id: string): unknown {
    if (id === 'canticle:built-code') return self;
    if (!id.startsWith('.')) return native(id);
    return this.load(posix.join(posix.dirname(from), id));
  }

  /** Undefined where Node is to load it, as ever. */
  private read(): Parts | undefined {
    if (this.store === undefined || runHere === undefined) return undefined;
    try {
      const filename = join(folder(), PACK);
      this.stamp = stampOf(filename);
      const text = readFileSync(filename, 'latin1');
      const cachedData = this.readKept();
      const script = new Script(text, { filename, ...(cachedData && { cachedData }) });
      if (script.cachedDataRejected !== false) this.kept = undefined;
      const parts = runHere(script) as Parts;
      this.script = script;
      return parts;
    } catch {
      return undefined;
    }
  }

  private readKept(): Uint8Array | undefined {
    const bytes = this.store!.read(this.name);
    if (bytes === undefined) return undefined;
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = whole.subarray(HASH_LENGTH);
    if (whole.toString('latin1', 0, HASH_LENGTH) !== hashOf(body)) return undefined;
    const end = body.indexOf('\n');
    const { stamp, ran } = JSON.parse(body.toString('utf8', 0, end)) as Kept;
    if (stamp !== this.stamp) return undefined;
    this.kept = ran;
    return body.subarray(end + 1);
  }
}

const isBun = process.versions['bun'] !== undefined;

/** Debuggers, coverage and source maps are told of files by Node's own loader; Bun has another one. */
const isWatchedOver = (): boolean =>
  isBun ||
  process.env['NODE_V8_COVERAGE'] !== undefined ||
  /--(inspect|enable-source-maps|cpu-prof)/.test(
    `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`,
  );

function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${size} ${mtimeMs}`;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
