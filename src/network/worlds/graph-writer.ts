/**
 * Writes the state of a network as bytes: values, lists, maps and the few classes of the state. For unknown objects,
 * such as functions, it throws an error with their path, so that nothing is silently omitted.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { savedContext } from '../../daml/errors/logging-context.js';
import { Numeric } from '../../daml/model/numeric.js';
import type { DamlPackage } from '../../daml/model/package.js';
import { DamlVariant, Some } from '../../daml/model/values.js';
import { isStoredUpdate, savedUpdate } from '../ledger/sequenced-update.js';
import { StoredSubmissionInfo } from '../ledger/submission-info.js';
import { TAG } from './tags.js';
import { isBytes, isMap, isSet } from '../../daml/errors/realms.js';

/** The objects that are written by name. */
export interface Named {
  readonly packages: ReadonlySet<object>;
  /** SHA-256, hexadecimal, by the bytes of DARs. */
  readonly dars: ReadonlyMap<object, string>;
  /** The names of participants. */
  readonly participants: ReadonlyMap<object, string>;
}

const FIRST_BYTES = 1 << 16;
const SEPARATOR = '\0';
const HEX = /^(?:[0-9a-f]{2}){16,}$/;

export class GraphWriter {
  private bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;
  private readonly texts = new Map<string, number>();
  private readonly shapes = new Map<string, number>();
  private readonly shared = new Map<object, number>();
  /** Lists of texts, by their content. */
  private readonly lists = new Map<string, number>();
  /** The current path in the state, for errors. */
  private readonly path: string[] = [];

  constructor(private readonly named: Named) {}

  /** All bytes that were written. */
  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** @throws Error with the path of an object that cannot be written */
  write(value: unknown, name?: string): void {
    if (name !== undefined) this.path.push(name);
    this.value(value);
    if (name !== undefined) this.path.pop();
  }

  private value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return this.number(value);
      case 'bigint':
        return this.bigint(value);
      case 'boolean':
        return this.byte(value ? TAG.true : TAG.false);
      case 'undefined':
        return this.byte(TAG.undefined);
      case 'object':
        return value === null ? this.byte(TAG.null) : this.object(value);
      default:
        throw this.refused(`a ${typeof value}`);
    }
  }

  private object(value: object): void {
    if (this.named.packages.has(value)) {
      this.byte(TAG.package);
      return this.text((value as DamlPackage).id);
    }
    const dar = this.named.dars.get(value);
    if (dar !== undefined) {
      this.byte(TAG.dar);
      return this.text(dar);
    }
    const participant = this.named.participants.get(value);
    if (participant !== undefined) {
      this.byte(TAG.participant);
      return this.text(participant);
    }
    if (Array.isArray(value) && value.length === 0) return this.byte(TAG.emptyList);
    if (isPlain(value) && isEmpty(value)) return this.byte(TAG.emptyObject);
    if (isTexts(value)) return this.textsOf(value);
    if (isStoredUpdate(value)) {
      if (!this.isShared(this.shared, value))
        this.share(this.shared, value, () => this.list(TAG.update, savedUpdate(value), false));
    } else if (isContract(value)) {
      if (this.isShared(this.shared, value)) return;
      this.byte(TAG.contract);
      this.share(this.shared, value, () => this.plain(value));
    } else this.members(value);
  }

  private textsOf(texts: readonly string[]): void {
    // Such texts would make the key of a list ambiguous.
    if (texts.some((text) => text.includes(SEPARATOR))) return this.list(TAG.list, texts);
    const key = `${texts.length}${SEPARATOR}${texts.join(SEPARATOR)}`;
    if (!this.isShared(this.lists, key))
      this.share(this.lists, key, () => this.list(TAG.texts, texts));
  }

  /** Writes the object's number, if it has one. */
  private isShared<K>(numbers: ReadonlyMap<K, number>, key: K): boolean {
    const number = numbers.get(key);
    if (number === undefined) return false;
    this.byte(TAG.shared);
    this.unsigned(number);
    return true;
  }

  private share<K>(numbers: Map<K, number>, key: K, write: () => void): void {
    write();
    numbers.set(key, this.shared.size + this.lists.size);
  }

  private members(value: object): void {
    if (Array.isArray(value)) return this.list(TAG.list, value);
    if (isPlain(value)) return this.plain(value as Record<string, unknown>);
    if (isMap(value)) return this.list(TAG.map, [...value].flat(1));
    if (isSet(value)) return this.list(TAG.set, [...value]);
    if (isBytes(value)) return this.raw(value);
    if (value instanceof Some) return this.list(TAG.some, [value.value], false);
    if (value instanceof DamlVariant)
      return this.list(TAG.variant, [value.tag, value.value], false);
    if (value instanceof Numeric)
      return this.list(TAG.numeric, [value.unscaled, value.scale], false);
    if (value instanceof StoredSubmissionInfo) return this.list(TAG.submission, value.saved, false);
    if (value instanceof LedgerError)
      return this.list(
        TAG.refusal,
        [value.code, value.details, value.logging && savedContext(value.logging)],
        false,
      );
    throw this.refused(value.constructor.name);
  }

  private list(tag: number, items: readonly unknown[], isCounted = true): void {
    this.byte(tag);
    if (isCounted) this.unsigned(items.length);
    for (let i = 0; i < items.length; i++) this.value(items[i]);
  }

  private plain(value: Record<string, unknown>): void {
    const names = Object.keys(value);
    const shape = `${names.length}${SEPARATOR}${names.join(SEPARATOR)}`;
    const known = this.shapes.get(shape);
    if (known === undefined) {
      if (names.some((name) => name.includes(SEPARATOR))) throw this.refused('a name with a NUL');
      this.shapes.set(shape, this.shapes.size);
      this.byte(TAG.newShape);
      this.unsigned(names.length);
      for (const name of names) this.text(name);
    } else {
      this.byte(TAG.object);
      this.unsigned(known);
    }
    for (const name of names) {
      const member = value[name];
      if (typeof member === 'function') throw this.refused(`the function ${name}`);
      this.value(member);
    }
  }

  private text(text: string): void {
    const known = this.texts.get(text);
    if (known !== undefined) {
      this.byte(TAG.text);
      return this.unsigned(known);
    }
    this.texts.set(text, this.texts.size);
    const isHex = HEX.test(text);
    this.byte(isHex ? TAG.newHex : TAG.newText);
    const length = isHex ? text.length / 2 : Buffer.byteLength(text, 'utf8');
    this.unsigned(length);
    this.reserve(length);
    this.bytes.write(text, this.length, isHex ? 'hex' : 'utf8');
    this.length += length;
  }

  private number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      this.byte(TAG.integer);
      return this.signed(value);
    }
    this.byte(TAG.double);
    this.reserve(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  private bigint(value: bigint): void {
    const number = Number(value);
    if (Number.isSafeInteger(number)) {
      this.byte(TAG.bigint);
      return this.signed(number);
    }
    this.byte(TAG.largeBigint);
    this.text(value.toString());
  }

  private raw(bytes: Uint8Array): void {
    this.byte(TAG.bytes);
    this.unsigned(bytes.length);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The lowest bit is the sign. No bit shifts, because numbers can have 53 bits. */
  private signed(value: number): void {
    const isNegative = value < 0;
    const magnitude = isNegative ? -(value + 1) : value;
    this.reserve(10);
    this.bytes[this.length++] =
      (magnitude % 64) * 2 + (isNegative ? 1 : 0) + (magnitude >= 64 ? 128 : 0);
    if (magnitude >= 64) this.unsigned(Math.floor(magnitude / 64));
  }

  private unsigned(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  private byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  private refused(what: string): Error {
    return new Error(`it holds ${what} (${this.path.join(', ')}), which no file can hold`);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isTexts(value: object): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (typeof value[i] !== 'string') return false;
  return true;
}

function isContract(value: object): value is Record<string, unknown> {
  return 'contractId' in value && 'signatories' in value && isPlain(value);
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}
