/**
 * Reads the bytes of {@link GraphWriter}. The caller checks their integrity. Invalid bytes are still an error, and
 * content of a file is never executed.
 */
import { CATALOGUE, type ErrorCode } from '../../daml/errors/error-catalogue.js';
import { LedgerError, type LedgerErrorDetails } from '../../daml/errors/ledger-error.js';
import type { LoggingContext } from '../../daml/errors/logging-context.js';
import { Numeric } from '../../daml/model/numeric.js';
import type { DamlPackage } from '../../daml/model/package.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../../daml/model/values.js';
import type { SavedUpdate, StoredUpdate } from '../ledger/sequenced-update.js';
import { StoredSubmissionInfo, type SavedSubmissionInfo } from '../ledger/submission-info.js';
import type { SeededRandom } from '../journal/random.js';
import { TAG } from './tags.js';

/** Resolves the names in a file. Each function throws for an unknown name. */
export interface Resolving {
  readonly random: SeededRandom;
  readonly package: (id: string) => DamlPackage;
  readonly participant: (name: string) => object;
  /** @param sha256 of its bytes, hexadecimal */
  readonly dar: (sha256: string) => Uint8Array;
  readonly update: (saved: SavedUpdate) => StoredUpdate;
}

export class GraphReader {
  private position = 0;
  private readonly texts: string[] = [];
  private readonly shapes: string[][] = [];
  private readonly shared: unknown[] = [];

  constructor(
    private readonly bytes: Buffer,
    private readonly resolving: Resolving,
  ) {}

  get isAtEnd(): boolean {
    return this.position === this.bytes.length;
  }

  /** @throws Error for invalid bytes */
  read(): unknown {
    const tag = this.byte();
    switch (tag) {
      case TAG.null:
        return null;
      case TAG.undefined:
        return undefined;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.integer:
        return this.signed();
      case TAG.bigint:
        return BigInt(this.signed());
      case TAG.largeBigint:
        return BigInt(this.text());
      case TAG.double:
        this.position += 8;
        return this.bytes.readDoubleLE(this.position - 8);
      case TAG.text:
      case TAG.newText:
      case TAG.newHex:
        return this.textOf(tag);
      case TAG.emptyList:
        return [];
      case TAG.emptyObject:
        return UNIT;
      case TAG.shared:
        return this.known(this.shared, this.unsigned());
      case TAG.texts:
        return this.share(this.list(this.count()));
      case TAG.contract:
        return this.share(this.read());
      case TAG.update:
        return this.share(
          this.resolving.update(this.list(UPDATE_MEMBERS) as unknown as SavedUpdate),
        );
      case TAG.package:
        return this.resolving.package(this.text());
      case TAG.dar:
        return this.resolving.dar(this.text());
      case TAG.participant:
        return this.resolving.participant(this.text());
      default:
        return this.members(tag);
    }
  }

  private share<T>(value: T): T {
    this.shared.push(value);
    return value;
  }

  private members(tag: number): unknown {
    switch (tag) {
      case TAG.list:
        return this.list(this.count());
      case TAG.object:
        return this.object(this.known(this.shapes, this.unsigned()));
      case TAG.newShape: {
        const shape = Array.from({ length: this.count() }, () => this.text());
        this.shapes.push(shape);
        return this.object(shape);
      }
      case TAG.map: {
        const items = this.list(this.count());
        const map = new Map<unknown, unknown>();
        for (let i = 0; i < items.length; i += 2) map.set(items[i], items[i + 1]);
        return map;
      }
      case TAG.set:
        return new Set(this.list(this.count()));
      case TAG.bytes: {
        const length = this.count();
        this.position += length;
        // A copy, so that the file's memory can be freed.
        return Uint8Array.prototype.slice.call(this.bytes, this.position - length, this.position);
      }
      default:
        return this.instance(tag);
    }
  }

  private instance(tag: number): unknown {
    switch (tag) {
      case TAG.some:
        return new Some(this.read() as DamlValue);
      case TAG.variant:
        return new DamlVariant(this.read() as string, this.read() as DamlValue);
      case TAG.numeric:
        return new Numeric(this.read() as bigint, this.read() as number);
      case TAG.submission:
        return StoredSubmissionInfo.of(
          this.resolving.random,
          ...(this.list(6) as unknown as SavedSubmissionInfo),
        );
      case TAG.refusal: {
        const [code, details, logging] = this.list(3);
        if (!Object.hasOwn(CATALOGUE, code as string)) throw damaged();
        const error = new LedgerError(code as ErrorCode, details as LedgerErrorDetails);
        if (logging !== undefined) error.logIn(logging as LoggingContext);
        return error;
      }
      default:
        throw damaged();
    }
  }

  private object(shape: readonly string[]): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (let i = 0; i < shape.length; i++) {
      const name = shape[i]!;
      const value = this.read();
      if (name !== '__proto__') made[name] = value;
      else Object.defineProperty(made, name, { value, enumerable: true });
    }
    return made;
  }

  private list(length: number): unknown[] {
    const items: unknown[] = [];
    for (let i = 0; i < length; i++) items.push(this.read());
    return items;
  }

  private text(): string {
    return this.textOf(this.byte());
  }

  private textOf(tag: number): string {
    if (tag === TAG.text) return this.known(this.texts, this.unsigned());
    if (tag !== TAG.newText && tag !== TAG.newHex) throw damaged();
    const length = this.count();
    const start = this.position;
    this.position += length;
    const encoding = tag === TAG.newHex ? 'hex' : 'utf8';
    const text = this.bytes.toString(encoding, start, this.position);
    this.texts.push(text);
    return text;
  }

  private signed(): number {
    const first = this.byte();
    const low = (first & 127) >> 1;
    const magnitude = first < 128 ? low : low + this.unsigned() * 64;
    return (first & 1) === 1 ? -magnitude - 1 : magnitude;
  }

  private unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** The number of items that follow, each of which has at least one byte. */
  private count(): number {
    const count = this.unsigned();
    if (count > this.bytes.length - this.position) throw damaged();
    return count;
  }

  private byte(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw damaged();
    return byte;
  }

  private known<T>(of: readonly T[], number: number): T {
    if (number >= of.length) throw damaged();
    return of[number]!;
  }
}

const UPDATE_MEMBERS = 10;

const damaged = (): Error => new Error('it is damaged');
