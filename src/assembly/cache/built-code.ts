/**
 * Loads the built code: `pack.js` with the code of most runs, and other packs with code that few runs need, or that runs need later. Each
 * use, such as a command, has its own V8 code cache, because it runs other parts (see code-pack.ts).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { gunzipSync } from 'node:zlib';
import { lazy } from '../../daml/errors/lazy.js';
import { CodePack, EXPORT } from './code-pack.js';
import { engineName } from './engine.js';
import { cacheFolder, OF_BUILD, OwnFiles } from './own-files.js';
import { runHere } from './realm.js';

export { runHere };

const FIRST = 'pack.js';
/** The end of such a module is a semicolon and the end of its line. */
const EXPORT_END = -2;
/** Commands with their own V8 code cache. */
const COMMANDS = ['sandbox', 'localnet', 'run', 'test', 'script', 'codegen', 'inspect', 'trace'];
/** Commands that run much code for a second or two. Late optimization by V8 saves time there. */
const SHORT_COMMANDS = ['test', 'script'];
/** Bytes of a function's code that run before V8 optimizes it; about 130,000 by default. */
const LATE = 500_000;
/** Milliseconds after which a long-running process has loaded the code of its start. */
const STARTED = 5000;

const folder = lazy(() => join(dirname(fileURLToPath(import.meta.url)), 'packs'));
const native = createRequire(import.meta.url);
/** The build imports this module by this name, because a process must have only one instance of it. */
const self = { runHere, saveBuiltCode };

let built: BuiltCode | undefined;

/**
 * Returns the exports of a source.
 * @param place its pack and its name
 * @param use name of the V8 code cache; only the first call sets it
 */
export function load(place: string, use = place.slice(place.indexOf('#') + 5, -3)): unknown {
  if (built === undefined) {
    built = new BuiltCode(use);
    process.once('exit', saveBuiltCode);
    if (built.isNew) setTimeout(saveBuiltCode, STARTED).unref();
  }
  return built.load(place);
}

/** The exports of the command line, with the code cache of the command. */
export function loadCommandLine(command: string | undefined): unknown {
  if (SHORT_COMMANDS.includes(command!) && !isBun) setFlagsFromString(`--interrupt-budget=${LATE}`);
  return load(
    'pack-cli.js#src/cli/main.ts',
    COMMANDS.includes(command!) ? command : 'command-line',
  );
}

/**
 * Writes the V8 code cache if it has changed. This takes a moment, so it happens after the work, at the exit, and once after the start if
 * no cache exists yet.
 */
export function saveBuiltCode(): void {
  try {
    built?.save();
  } catch {
    // The test file is over, and its realm no longer exists.
  }
}

/** The exports of a pack: a function for each of its sources that other packs use. */
type Members = Readonly<Record<string, () => object>>;

class BuiltCode {
  private readonly store: OwnFiles | undefined;
  /** By file; each is read on the first use of a source in it. */
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
    if (id === 'globals') return globalThis;
    if (id === 'loader') return self;
    if (id.startsWith('validators/')) return validators(id);
    if (id.startsWith('facts/')) return JSON.parse(expressionOf(id));
    return id.startsWith('pack') && id.includes('#') ? this.load(id) : native(id);
  }
}

/** Copies the exports without esbuild's getters: this makes access twice as fast. */
const plain = (exported: object): object =>
  '__esModule' in exported
    ? Object.defineProperty({ ...exported }, '__esModule', { value: true })
    : exported;

/** The value of a module that is only an expression: for browsers and bundlers, the files of facts and validators are modules. */
const expressionOf = (name: string): string =>
  readFileSync(join(folder(), `${name}.js`), 'utf8').slice(EXPORT.length, EXPORT_END);

/** Generated validators, which the build compresses. */
function validators(name: string): unknown {
  const packed = Buffer.from(JSON.parse(expressionOf(name)) as string, 'base64');
  const module = { exports: {} };
  new Function('module', 'exports', gunzipSync(packed).toString())(module, module.exports);
  return module.exports;
}

const isBun = process.versions['bun'] !== undefined;

/** Debuggers, coverage and source maps need Node's own loader; Bun has another one. */
const isWatchedOver = (): boolean =>
  isBun ||
  process.env['NODE_V8_COVERAGE'] !== undefined ||
  /--(inspect|enable-source-maps|cpu-prof)/.test(
    `${process.execArgv.join(' ')} ${process.env['NODE_OPTIONS'] ?? ''}`,
  );
