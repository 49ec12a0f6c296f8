/**
 * Loads the built code: `pack.js`, with what most runs load, and beside it packs with what is loaded late or by few. Each use, an
 * entrance or a command, has what V8 made of them for itself, as it runs other parts (see code-pack.ts).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { CodePack, type Part } from './code-pack.js';
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

const folder = (): string => dirname(fileURLToPath(import.meta.url));
const native = createRequire(import.meta.url);
/** Code of the build asks for this module as one, as there may be one alone. */
const self = { runHere, keepBuilt, readFacts };

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

/** @param name of a file in `dist/cjs/facts` */
function readFacts(name: string): unknown {
  return JSON.parse(readFileSync(join(folder(), 'facts', name), 'utf8'));
}

class BuiltCode {
  private readonly store: OwnFiles | undefined;
  /** By file; each is read when one of its parts is first asked for. */
  private readonly packs = new Map<string, CodePack>();
  private readonly modules = new Map<string, { exports: unknown }>();

  constructor(private readonly use: string) {
    const root = isWatchedOver() ? undefined : cacheFolder(undefined);
    this.store = root === undefined ? undefined : new OwnFiles(root, () => undefined);
  }

  /** What gives a part that is loaded when something of it is first used: see scripts/build/late.mjs. */
  private readonly late = (name: string): (() => unknown) => {
    let part: unknown;
    return () => (part ??= this.load(`late/${name}.js`));
  };

  get isNew(): boolean {
    return this.pack(PACK).isNew;
  }

  load(name: string): unknown {
    let module = this.modules.get(name);
    if (module === undefined) {
      module = { exports: {} };
      this.modules.set(name, module);
      const file = join(folder(), name);
      const require = Object.assign((id: string) => this.require(name, id), { late: this.late });
      this.part(name).call(module.exports, module.exports, require, module, file, dirname(file));
    }
    return module.exports;
  }

  keep(): void {
    for (const pack of this.packs.values()) pack.keep(this.modules.keys());
  }

  private part(name: string): Part {
    const found = this.pack(PACK).part(name)!;
    return typeof found === 'string' ? (this.pack(found).part(name) as Part) : found;
  }

  private pack(file: string): CodePack {
    let pack = this.packs.get(file);
    if (pack === undefined) {
      const kept = `${this.use.replaceAll('/', '-')}-${posix.basename(file, '.js')}`;
      const name = `${OF_BUILD}/built/${kept}-${engineName()}`;
      pack = new CodePack(join(folder(), file), this.store, name);
      this.packs.set(file, pack);
    }
    return pack;
  }

  private require(from: string, id: string): unknown {
    if (id === 'canticle:built-code') return self;
    if (!id.startsWith('.')) return native(id);
    return this.load(posix.join(posix.dirname(from), id));
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
