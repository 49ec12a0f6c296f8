/**
 * A digest of Daml values: equal for equal values, and as good as never for others of the same type. It tells a contract that was
 * changed from the one that it claims to be; nobody is kept from forging one, so that it may be quick. Lengths count
 * before texts, so that nothing inside a text can look like structure.
 */
import { mix, writeWord } from './mixing.js';
import { Numeric } from '../model/numeric.js';
import { DamlVariant, Some, type DamlRecord, type DamlValue } from '../model/values.js';

export const DIGEST_BYTES = 32;

const TWO_TO_THE_32 = 0x1_0000_0000;

/** One for each kind of value. */
const NONE = 1;
const FALSE = 2;
const TRUE = 3;
const INTEGER = 4;
const DAYS = 5;
const NUMERIC = 6;
const SOME = 7;
const VARIANT = 8;
const MAP = 9;
const LIST = 10;
const RECORD = 11;

export class ValueDigest {
  private low = 0x243f6a88;
  private high = 0x85a308d3;

  /** @param word 32 bits */
  word(word: number): void {
    const low = Math.imul(this.low ^ word, 0x9e3779b1);
    const high = Math.imul(this.high + word, 0xc2b2ae3d);
    this.low = ((low << 13) | (low >>> 19)) + high;
    this.high = ((high << 17) | (high >>> 15)) ^ this.low;
  }

  text(text: string): void {
    const { length } = text;
    this.word(length);
    const whole = length & ~3;
    for (let i = 0; i < whole; i += 4) {
      const a = text.charCodeAt(i);
      const b = text.charCodeAt(i + 1);
      const c = text.charCodeAt(i + 2);
      const d = text.charCodeAt(i + 3);
      // Most texts are ASCII, of which a word holds four characters.
      if ((a | b | c | d) < 0x80) this.word(a | (b << 8) | (c << 16) | (d << 24));
      else {
        this.word(a | (b << 16));
        this.word(c | (d << 16));
      }
    }
    for (let i = whole; i < length; i++) this.word(text.charCodeAt(i));
  }

  value(value: DamlValue): void {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'bigint':
        this.word(INTEGER);
        return this.integer(value);
      case 'number':
        this.word(DAYS);
        return this.word(value);
      case 'boolean':
        return this.word(value ? TRUE : FALSE);
      default:
        return value === null ? this.word(NONE) : this.compound(value);
    }
  }

  private integer(integer: bigint): void {
    const number = Number(integer);
    if (!Number.isSafeInteger(number)) return this.text(integer.toString());
    this.word(Math.floor(number / TWO_TO_THE_32));
    this.word(number | 0);
  }

  private compound(value: Exclude<DamlValue, null | string | bigint | number | boolean>): void {
    if (value instanceof Numeric) {
      this.word(NUMERIC);
      this.word(value.scale);
      this.integer(value.unscaled);
    } else if (value instanceof Some) {
      this.word(SOME);
      this.value(value.value);
    } else if (value instanceof DamlVariant) {
      this.word(VARIANT);
      this.text(value.tag);
      this.value(value.value);
    } else if (value instanceof Map) {
      this.word(MAP);
      this.word(value.size);
      for (const [key, member] of value as ReadonlyMap<string, DamlValue>) {
        this.text(key);
        this.value(member);
      }
    } else if (Array.isArray(value)) {
      this.word(LIST);
      this.word(value.length);
      for (let i = 0; i < value.length; i++) this.value((value as readonly DamlValue[])[i]!);
    } else {
      this.word(RECORD);
      for (const name in value) this.value((value as DamlRecord)[name]!);
    }
  }

  /** Two words, with which another digest can go on. */
  get state(): { readonly low: number; readonly high: number } {
    const { low, high } = this;
    return { low, high };
  }

  /** Writes the {@link DIGEST_BYTES} of what was told so far. */
  write(target: Uint8Array, at: number): void {
    const low = mix(this.low >>> 0);
    const high = mix((this.high ^ low) >>> 0);
    for (let i = 0; i < DIGEST_BYTES; i += 4)
      writeWord(target, at + i, mix(((i & 4 ? high : low) + Math.imul(i >> 3, 0x9e3779b9)) >>> 0));
  }
}
