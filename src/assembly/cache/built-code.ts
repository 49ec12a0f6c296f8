/**
 * Loads the built code: `pack.js`, with what most runs load, and beside it packs with what is loaded late or by few. Each use, an
 * entrance or a command, has what V8 made of them for itself, as it runs other parts (see code-pack.ts).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { CodePack } from './code-pack.js';
import { engineName } from './engine.js';
import { cacheFolder, OF_BUILD, OwnFiles } from './own-files.js';
import { runHere } from './realm.js';

export { runHere };

const FIRST = 'pack.js';
/** Those of the command line that have what is kept for themselves. */
const COMMANDS = ['sandbox', 'localnet', 'run', 'test', 'script', 'codegen', 'inspect', 'trace'];
/** Those that run much code for a second or two: what V8 is late to optimise, it mostly need not. */
const SHORT_COMMANDS = ['test', 'script'];
/** Bytes of a function's code that run before V8 thinks of it; some 130,000 by default. */
const LATE = 500_000;
/** Milliseconds after which who runs on has loaded what it starts with. */
const STARTED = 5000;

const folder = (): string => dirname(fileURLToPath(import.meta.url));
const native = createRequire(import.meta.url);
/** Code of the build asks for this module as one, as there may be one alone. */
const self = { runHere, saveBuiltCode };

let built: BuiltCode | undefined;

/**
 * What a source exports.
 * @param place its pack and its name
 * @param use what to keep V8's part by; of the first that loads anything
 */
export function load(place: string, use = place.slice(place.indexOf('#') + 5, -3)): unknown {
  if (built === undefined) {
    built = new BuiltCode(use);
    process.once('exit', saveBuiltCode);
    if (built.isNew) setTimeout(saveBuiltCode, STARTED).unref();
  }
  return built.load(place);
}

/** The command line, as it is for a command. */
export function loadCommandLine(command: string | undefined): unknown {
  if (SHORT_COMMANDS.includes(command!) && !isBun) setFlagsFromString(`--interrupt-budget=${LATE}`);
  return load(
    'pack-cli.js#src/cli/main.ts',
    COMMANDS.includes(command!) ? command : 'command-line',
  );
}

/**
 * Writes what V8 made where something is new, for when work is over, as that takes a moment. That is at the
 * exit, too, and where nothing is kept yet some time after the start.
 */
export function saveBuiltCode(): void {
  try {
    built?.save();
  } catch {
    // Of a test file that is over, whose realm was taken apart.
  }
}

/** What a pack exports: what gives each of its sources that others need. */
type Members = Readonly<Record<string, () => object>>;

class BuiltCode {
  private readonly store: OwnFiles | undefined;
  /** By file; each is read when something in it is first asked for. */
  private readonly packs = new Map<
    string,
    { readonly pack: CodePack; readonly members: Members }
  >();
  private readonly loaded = new Map<string, object>();

  constructor(private readonly use: string) {
    const root = isWatchedOver() ? undefined : cacheFolder(undefined);
    this.store = root === undefined ? undefined : new OwnFiles(root, () => undefined);
  }

  get isNew(): boolean {
    return this.pack(FIRST).pack.isNew;
  }

  /** @param place `PACK#SOURCE` */
  load(place: string): object {
    let exported = this.loaded.get(place);
    if (exported === undefined) {
      const [file, source] = place.split('#') as [string, string];
      exported = plain(this.pack(file).members[source]!());
      this.loaded.set(place, exported);
    }
    return exported;
  }

  save(): void {
    for (const [file, { pack }] of this.packs)
      pack.save([...this.loaded.keys()].filter((place) => place.startsWith(`${file}#`)));
  }

  private pack(file: string) {
    let found = this.packs.get(file);
    if (found === undefined) {
      const packName = `${this.use.replaceAll('/', '-')}-${basename(file, '.js')}`;
      const name = `${OF_BUILD}/built/${packName}-${engineName()}`;
      const pack = new CodePack(join(folder(), file), this.store, name);
      const module = { exports: {} as Members };
      pack.run(module.exports, (id) => this.require(id), module, import.meta.url);
      found = { pack, members: module.exports };
      this.packs.set(file, found);
    }
    return found;
  }

  private require(id: string): unknown {
    if (id === 'loader') return self;
    if (id.startsWith('validators/')) return validators(id);
    return id.startsWith('pack') && id.includes('#') ? this.load(id) : native(id);
  }
}

/** The same names without the functions that esbuild puts behind each: twice as fast to use. */
const plain = (exported: object): object =>
  '__esModule' in exported
    ? Object.defineProperty({ ...exported }, '__esModule', { value: true })
    : exported;

/** Generated validators, which the build compresses. */
function validators(name: string): unknown {
  const code = brotliDecompressSync(readFileSync(join(folder(), `${name}.br`))).toString();
  const module = { exports: {} };
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports;
}

const isBun = process.versions['bun'] !== undefined;

/** Debuggers, coverage and source maps are told of files by Node's own loader; Bun has another one. */
const isWatchedOver = (): boolean =>
  isBun ||
  process.env['NODE_V8_COVERAGE'] !== undefined ||
  /--(inspect|enable-source-maps|cpu-prof)/.test(
    `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`,
  );
