/**
 * The top-level values of a module. There are thousands, of which a test uses a few. References in the own package find a value by the
 * number of its name, without decoding names. Other packages find it by name.
 */
import { definedTwice } from './lf-names.js';
import { lf2, type Lf2 } from './lf-messages.js';
import type { LfTables } from './lf-tables.js';
import type { LfType } from './lf-type.js';
import { WireReader, WireType, type Parts } from './wire/wire-reader.js';

/** A top-level value. Its type and expression are decoded on first use. */
export class LfValue {
  private decoded: Lf2<'DefValue'> | undefined;

  constructor(
    private readonly tables: LfTables,
    private readonly bytes: Uint8Array,
  ) {}

  get type(): LfType {
    const { nameWithType = new Uint8Array() } = this.message;
    return this.tables.type(lf2.decode('DefValue.NameWithType', nameWithType).type);
  }

  get expression(): Uint8Array | undefined {
    return this.message.expr;
  }

  private get message(): Lf2<'DefValue'> {
    this.decoded ??= lf2.decode('DefValue', this.bytes);
    return this.decoded;
  }
}

export class LfValues {
  /** The index of each value by its name, as far as names were decoded. */
  private readonly names = new Map<string, number>();
  private named = 0;
  /** The interned name of each entry, as far as entries were searched; -1 for the others. */
  private numbers: Int32Array | undefined;
  private looked = 0;

  constructor(
    private readonly entries: Parts,
    private readonly tables: LfTables,
  ) {}

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  get(name: string): LfValue | undefined {
    return this.value(this.find(name));
  }

  /** @param name the number of an interned dotted name; of two values with that name, which no valid package has, the first counts */
  numbered(name: number): LfValue | undefined {
    this.numbers ??= new Int32Array(this.entries.length).fill(-1);
    let index = this.numbers.indexOf(name);
    while (index < 0 && this.looked < this.entries.length) {
      const number = nameOfValue(this.entries, this.looked);
      this.numbers[this.looked] = number;
      if (number === name) index = this.looked;
      this.looked += 1;
    }
    return index < 0 ? undefined : this.value(index);
  }

  /**
   * Names in the archive's order.
   * @throws LedgerError if two values have the same name
   */
  keys(): Iterable<string> {
    while (this.named < this.entries.length) this.readName();
    return this.names.keys();
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: LfValue], undefined> {
    for (const name of this.keys()) yield [name, this.get(name)!];
  }

  /** Values of a wanted type, in the archive's order, without decoding the names of others. */
  *ofType(isWanted: (type: LfType) => boolean): Generator<readonly [string, LfType], undefined> {
    for (let index = 0; index < this.entries.length; index += 1) {
      const { type } = this.value(index)!;
      if (isWanted(type)) yield [this.tables.dottedName(nameOfValue(this.entries, index)), type];
    }
  }

  private value(index: number | undefined): LfValue | undefined {
    return index === undefined ? undefined : new LfValue(this.tables, this.entries.at(index)!);
  }

  private find(name: string): number | undefined {
    let index = this.names.get(name);
    while (index === undefined && this.named < this.entries.length)
      if (this.readName() === name) index = this.named - 1;
    return index;
  }

  /** Decodes the name of the next entry. */
  private readName(): string {
    const name = this.tables.dottedName(nameOfValue(this.entries, this.named));
    if (this.names.has(name)) throw definedTwice('definition', name);
    this.names.set(name, this.named);
    this.named += 1;
    return name;
  }
}

const reader = new WireReader();
const NAME_WITH_TYPE = (2 << 3) | WireType.LengthDelimited;
const NAME = (1 << 3) | WireType.Varint;

/** The name of a `DefValue`, skipping everything else. NOTE: if there were two, the first would count. */
function nameOfValue(entries: Parts, index: number): number {
  const end = entries.open(index, reader);
  while (reader.at < end) {
    const tag = reader.varint();
    if (tag !== NAME_WITH_TYPE) {
      reader.skip(tag & 7);
      continue;
    }
    for (const inside = reader.varint() + reader.at; reader.at < inside;) {
      const inner = reader.varint();
      if (inner === NAME) return reader.varint();
      reader.skip(inner & 7);
    }
  }
  return 0;
}
