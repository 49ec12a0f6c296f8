/**
 * Keeps what V8 made of the built command line for the next process, by command, beside what is kept of packages: much of a start is V8
 * reading our files. What is torn, or of other files or another V8, is none. The files are loaded as Node loads them, but for that.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { cacheFolder, OF_BUILD, OwnFiles } from '../assembly/cache/own-files.js';

/** Others end before it pays, or are none. */
const COMMANDS = ['sandbox', 'localnet', 'run', 'test', 'script', 'codegen', 'inspect', 'trace'];
/** Those that run much code for a second or two: what V8 is late to optimise, it mostly need not. */
const SHORT_COMMANDS = ['test', 'script'];
/** Bytes of a function's code that run before V8 thinks of it; some 130,000 by default. */
const LATE = 500_000;
const HASH_LENGTH = 64;
/** Milliseconds after which what runs on has loaded what it starts with. */
const STARTED = 5000;

/** Of a file: which it is, and where in the data V8's begins and how long that is. */
type Place = readonly [stamp: string, start: number, length: number];

interface Loader {
  _compile(this: NodeModule, content: string, filename: string, ...rest: unknown[]): unknown;
}

/**
 * Has the files of the build loaded from what was kept, from now on.
 * @returns writes it where something is new, for when work is over, as that takes a moment
 */
export function keepBundle(command: string | undefined): () => void {
  if (SHORT_COMMANDS.includes(command!) && !isBun) setFlagsFromString(`--interrupt-budget=${LATE}`);
  const root = cacheFolder(undefined);
  if (root === undefined || !COMMANDS.includes(command!) || isWatchedOver()) return () => undefined;
  const kept = new KeptBundle(root, command!);
  const loader = Module.prototype as unknown as Loader;
  const { _compile: compile } = loader;
  loader._compile = function (content, filename, ...rest) {
    return kept.has(filename)
      ? kept.run(this, content, filename)
      : compile.call(this, content, filename, ...rest);
  };
  setTimeout(() => kept.keep(), STARTED).unref();
  return () => kept.keep();
}

const isBun = process.versions['bun'] !== undefined;

/** Debuggers, coverage and source maps are told of files by Node's own loader; Bun has another one. */
const isWatchedOver = (): boolean =>
  isBun ||
  process.env['NODE_V8_COVERAGE'] !== undefined ||
  /--(inspect|enable-source-maps|cpu-prof)/.test(
    `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`,
  );

class KeptBundle {
  private readonly store: OwnFiles;
  private readonly name: string;
  /** Of this build: `dist/cjs`. */
  private readonly folder = resolve(__dirname, '..');
  private readonly places: Readonly<Record<string, Place>>;
  private data: Uint8Array = new Uint8Array();
  private readonly scripts = new Map<string, { readonly stamp: string; readonly script: Script }>();
  private isNew = false;

  constructor(root: string, command: string) {
    this.store = new OwnFiles(root, () => undefined);
    const version = cachedDataVersionTag().toString(16);
    this.name = `${OF_BUILD}/command-line/${command}-${process.arch}-${version}`;
    this.places = this.read();
  }

  has(filename: string): boolean {
    return filename.startsWith(join(this.folder, '/'));
  }

  /** As Node's own loader does. */
  run(module: NodeModule, content: string, filename: string): unknown {
    const name = relative(this.folder, filename);
    const { mtimeMs, size } = statSync(filename);
    const stamp = `${size} ${mtimeMs}`;
    const place = Object.hasOwn(this.places, name) ? this.places[name]! : undefined;
    const cachedData =
      place?.[0] === stamp ? this.data.subarray(place[1], place[1] + place[2]) : undefined;
    const script = new Script(Module.wrap(content), {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (script.cachedDataRejected !== false) this.isNew = true;
    this.scripts.set(name, { stamp, script });
    const own = createRequire(filename);
    const require = Object.assign((id: string): unknown => module.require(id), {
      resolve: own.resolve,
      cache: own.cache,
      extensions: own.extensions,
      main: process.mainModule,
    });
    const load = script.runInThisContext() as (...given: unknown[]) => unknown;
    return load.call(module.exports, module.exports, require, module, filename, dirname(filename));
  }

  keep(): void {
    if (!this.isNew) return;
    this.isNew = false;
    const places: Record<string, Place> = {};
    const parts: Uint8Array[] = [];
    let start = 0;
    for (const [name, { stamp, script }] of this.scripts) {
      const made = script.createCachedData();
      places[name] = [stamp, start, made.length];
      parts.push(made);
      start += made.length;
    }
    const body = Buffer.concat([Buffer.from(`${JSON.stringify(places)}\n`), ...parts]);
    this.store.write(this.name, Buffer.concat([Buffer.from(hashOf(body)), body]));
  }

  private read(): Readonly<Record<string, Place>> {
    const bytes = this.store.read(this.name);
    if (bytes === undefined) return {};
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = whole.subarray(HASH_LENGTH);
    if (whole.toString('latin1', 0, HASH_LENGTH) !== hashOf(body)) return {};
    const end = body.indexOf('\n');
    this.data = body.subarray(end + 1);
    return JSON.parse(body.toString('utf8', 0, end)) as Readonly<Record<string, Place>>;
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
