/**
 * The file of a compiled package: a line with the hash of all behind it, a line of JSON that says what there is, the units' sources as
 * one script, and the rest of each unit as JSON. It is ASCII alone, and a unit is looked at when it is asked for.
 */
import { createHash } from 'node:crypto';
import { FACTORY_PARAMS, type KeptUnit } from '../../daml/lf/kept-code.js';

const FORMAT = 1;
const HASH_LENGTH = 64;
/** As `new Function` has it: units say their places by lines of that. */
const BEFORE = `(function(${FACTORY_PARAMS.join(',')}\n) {\n`;
const AFTER = '\n}),\n';

interface Head {
  readonly format: number;
  readonly compiler: string;
  readonly id: string;
  readonly keys: readonly string[];
  /** Of each unit, in the script: its first line, where its source begins, and how long that is. */
  readonly lines: readonly number[];
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  /** Where what is told of it begins. */
  readonly told: readonly number[];
  /** Length of the script. */
  readonly script: number;
}

export class CodeFile {
  private readonly places: ReadonlyMap<string, number>;

  private constructor(
    private readonly head: Head,
    /** Says which file it is. */
    readonly hash: string,
    /** An expression: an array of functions, in the order of the keys. */
    readonly script: string,
    private readonly rest: string,
  ) {
    this.places = new Map(head.keys.map((key, index) => [key, index]));
  }

  /** Undefined for what is torn, or of another compiler or package. */
  static read(bytes: Uint8Array, compiler: string, id: string): CodeFile | undefined {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const hash = whole.slice(0, HASH_LENGTH);
    const from = whole.indexOf('\n', HASH_LENGTH + 1) + 1;
    if (from === 0 || hash !== hashOf(bytes.subarray(HASH_LENGTH))) return undefined;
    const head = JSON.parse(whole.slice(HASH_LENGTH, from)) as Head;
    const { script } = head;
    if (head.format !== FORMAT || head.compiler !== compiler || head.id !== id) return undefined;
    return new CodeFile(head, hash, whole.slice(from, from + script), whole.slice(from + script));
  }

  static of(units: ReadonlyMap<string, KeptUnit>, compiler: string, id: string): Uint8Array {
    const [lines, starts, lengths, told] = [[], [], [], []] as number[][];
    const [scripts, rest]: [string[], string[]] = [['[\n'], []];
    let [line, at, toldAt] = [2, 2, 0];
    for (const { source, ...more } of units.values()) {
      const text = `${BEFORE}${source}${AFTER}`;
      const telling = ascii(JSON.stringify(more));
      lines!.push(line);
      starts!.push(at + BEFORE.length);
      lengths!.push(source.length);
      told!.push(toldAt);
      scripts.push(text);
      rest.push(telling);
      line += text.split('\n').length - 1;
      at += text.length;
      toldAt += telling.length;
    }
    scripts.push(']');
    const keys = [...units.keys()];
    const head = { format: FORMAT, compiler, id, keys, lines, starts, lengths, told };
    const first = ascii(JSON.stringify({ ...head, script: at + 1 }));
    const body = Buffer.from(`\n${first}\n${scripts.join('')}${rest.join('')}`, 'latin1');
    return Buffer.concat([Buffer.from(hashOf(body)), body]);
  }

  get keys(): readonly string[] {
    return this.head.keys;
  }

  /** The first line of each unit. */
  get lines(): readonly number[] {
    return this.head.lines;
  }

  has(key: string): boolean {
    return this.places.has(key);
  }

  unit(key: string): KeptUnit | undefined {
    const at = this.places.get(key);
    if (at === undefined) return undefined;
    const { told, starts, lengths } = this.head;
    const more = JSON.parse(this.rest.slice(told[at], told[at + 1])) as Omit<KeptUnit, 'source'>;
    const start = starts[at]!;
    return { ...more, source: this.script.slice(start, start + lengths[at]!) };
  }
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
