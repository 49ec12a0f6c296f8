/**
 * The file of a compiled package. It contains a line with the hash of the rest and a line of JSON with the positions. A script with the
 * sources of each module follows, and the other data of each unit as JSON. It is pure ASCII. A unit is parsed on its first use.
 */
import { createHash } from 'node:crypto';
import { FACTORY_PARAMS, type CachedUnit } from '../../daml/lf/cached-code.js';

const FORMAT = 2;
const HASH_LENGTH = 64;
/** The header of `new Function`, because units state their places by lines of that. */
const BEFORE = `(function(${FACTORY_PARAMS.join(',')}\n) {\n`;
const AFTER = '\n}),\n';
const [OPEN, CLOSE] = ['[\n', ']\n'];

interface Head {
  readonly format: number;
  readonly compiler: string;
  readonly id: string;
  /** Keys of the same module are adjacent. */
  readonly keys: readonly string[];
  readonly scripts: readonly ModuleScript[];
  /** For each unit: its first line in its script, the start of its source in all scripts, and the length of its source. */
  readonly lines: readonly number[];
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  /** The start of the other data of each unit. */
  readonly told: readonly number[];
  /** The length of all scripts. */
  readonly length: number;
}

/** The units of one module, as an expression: an array of functions, in the order of the keys. */
export interface ModuleScript {
  readonly module: string;
  /** The units of the script: the index of the first one, and their number. */
  readonly first: number;
  readonly count: number;
  /** Its position in all scripts. */
  readonly start: number;
  readonly end: number;
}

export class CodeFile {
  private readonly places: ReadonlyMap<string, number>;

  private constructor(
    private readonly head: Head,
    /** Identifies the file. */
    readonly hash: string,
    private readonly text: string,
    private readonly rest: string,
  ) {
    this.places = new Map(head.keys.map((key, index) => [key, index]));
  }

  /** Undefined if the file is truncated, or belongs to another compiler or package. */
  static read(bytes: Uint8Array, compiler: string, id: string): CodeFile | undefined {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const hash = whole.slice(0, HASH_LENGTH);
    const from = whole.indexOf('\n', HASH_LENGTH + 1) + 1;
    if (from === 0 || hash !== hashOf(bytes.subarray(HASH_LENGTH))) return undefined;
    const head = JSON.parse(whole.slice(HASH_LENGTH, from)) as Head;
    if (head.format !== FORMAT || head.compiler !== compiler || head.id !== id) return undefined;
    const end = from + head.length;
    return new CodeFile(head, hash, whole.slice(from, end), whole.slice(end));
  }

  static of(units: ReadonlyMap<string, CachedUnit>, compiler: string, id: string): Uint8Array {
    const [lines, starts, lengths, restStarts] = [[], [], [], []] as number[][];
    const [texts, rest, keys]: [string[], string[], string[]] = [[], [], []];
    const scripts: ModuleScript[] = [];
    let [at, restAt] = [0, 0];
    for (const [module, own] of byModule(units)) {
      const [first, start] = [keys.length, at];
      let line = 2;
      texts.push(OPEN);
      at += OPEN.length;
      for (const [key, { source, ...more }] of own) {
        const text = `${BEFORE}${source}${AFTER}`;
        const encoded = ascii(JSON.stringify(more));
        keys.push(key);
        lines!.push(line);
        starts!.push(at + BEFORE.length);
        lengths!.push(source.length);
        restStarts!.push(restAt);
        texts.push(text);
        rest.push(encoded);
        line += text.split('\n').length - 1;
        at += text.length;
        restAt += encoded.length;
      }
      texts.push(CLOSE);
      at += CLOSE.length;
      scripts.push({ module, first, count: own.length, start, end: at });
    }
    const head = {
      format: FORMAT,
      compiler,
      id,
      keys,
      scripts,
      lines,
      starts,
      lengths,
      told: restStarts,
    };
    const line = ascii(JSON.stringify({ ...head, length: at }));
    const body = Buffer.from(`\n${line}\n${texts.join('')}${rest.join('')}`, 'latin1');
    return Buffer.concat([Buffer.from(hashOf(body)), body]);
  }

  get keys(): readonly string[] {
    return this.head.keys;
  }

  get scripts(): readonly ModuleScript[] {
    return this.head.scripts;
  }

  /** The script that contains the unit. */
  scriptOf(key: string): ModuleScript | undefined {
    const at = this.places.get(key);
    if (at === undefined) return undefined;
    return this.scripts.find(({ first, count }) => first <= at && at < first + count);
  }

  textOf({ start, end }: ModuleScript): string {
    return this.text.slice(start, end);
  }

  keysOf({ first, count }: ModuleScript): readonly string[] {
    return this.keys.slice(first, first + count);
  }

  /** The first line of each of the script's units. */
  linesOf({ first, count }: ModuleScript): readonly number[] {
    return this.head.lines.slice(first, first + count);
  }

  has(key: string): boolean {
    return this.places.has(key);
  }

  unit(key: string): CachedUnit | undefined {
    const at = this.places.get(key);
    if (at === undefined) return undefined;
    const { told: restStarts, starts, lengths } = this.head;
    const more = JSON.parse(this.rest.slice(restStarts[at], restStarts[at + 1])) as Omit<
      CachedUnit,
      'source'
    >;
    const start = starts[at]!;
    return { ...more, source: this.text.slice(start, start + lengths[at]!) };
  }
}

function byModule(units: ReadonlyMap<string, CachedUnit>) {
  const modules = new Map<string, [key: string, unit: CachedUnit][]>();
  for (const unit of units) {
    const [module = ''] = unit[0].split(':', 1);
    const own = modules.get(module);
    if (own === undefined) modules.set(module, [unit]);
    else own.push(unit);
  }
  return modules;
}

const ascii = (json: string): string =>
  json.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
