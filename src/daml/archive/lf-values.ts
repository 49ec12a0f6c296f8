/**
 * The top-level values of a module: there are thousands, of which a test runs a few. One that its own package refers to is
 * found by the number of its name, so that no names are read for it; the others are found by name.
 */
import { definedTwice } from './lf-names.js';
import { lf2, type Lf2 } from './lf-messages.js';
import type { LfTables } from './lf-tables.js';
import type { LfType } from './lf-type.js';
import { WireReader, WireType, type Parts } from './wire/wire-reader.js';

/** A top-level value: its type and its expression are looked up when asked for. */
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
  /** As far as names were read: which entry each is of. */
  private readonly names = new Map<string, number>();
  private named = 0;
  /** The interned name of each entry, as far as was looked; -1 for the others. */
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

  /** @param name the number of an interned dotted name. Of two of that name, which no checked package has, the first. */
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

  /** Names in the archive's order. @throws LedgerError where two have one name */
  keys(): Iterable<string> {
    while (this.named < this.entries.length) this.readName();
    return this.names.keys();
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: LfValue], undefined> {
    for (const name of this.keys()) yield [name, this.get(name)!];
  }

  /** Those whose type is wanted, in the archive's order: no names are read of the others. */
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

  /** Of the next entry whose name is not known. */
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

/** The name of a `DefValue`, past all else. NOTE: were it there twice, the first would count. */
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
