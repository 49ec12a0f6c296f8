/**
 * The bytes of one package's expressions, and what their numbers stand for. Expressions are read in place: a message is
 * a range of bytes, its fields are scanned without copying, and each reference is resolved once.
 */
import { WireType } from '../archive/wire/wire-reader.js';
import type { TypeId } from '../model/types.js';
import { parseError } from '../archive/dar-refusals.js';
import type { LfPackage } from '../archive/lf-package.js';
import { checkName } from '../archive/lf-names.js';
import type { Entities, Entity } from './entities.js';
import type { Type, Types } from './type.js';

/** Fields of messages that are scanned have smaller numbers. */
const SCANNED_FIELDS = 17;
/** What an index of a table stays below for references to be kept by it. */
const MAX_KEPT_INDEX = 2 ** 20;

export class PackageCode {
  private bytes: Uint8Array;
  /** Where reading goes on. */
  at = 0;
  /** What `scan` found, by the fields' numbers: a range, or a number as the start of none. */
  readonly starts = new Int32Array(SCANNED_FIELDS);
  readonly ends = new Int32Array(SCANNED_FIELDS);
  /** What `find` and `interned` found. */
  partStart = 0;
  partEnd = 0;
  private readonly internedStarts: number[] = [];
  private readonly internedEnds: number[] = [];
  private readonly typeTable: (Type | undefined)[] = [];
  private readonly firstIndexes: number[] = [];
  private readonly indexOfName = new Map<string, number>();
  private readonly references = new Map<number, Map<number, Entity>>();

  constructor(
    readonly lf: LfPackage,
    private readonly types: Types,
    private readonly entities: Entities,
  ) {
    this.bytes = lf.archive.packageBytes;
  }

  /** Where an expression's bytes are; what is absent is empty. */
  rangeOf(view: Uint8Array | undefined): readonly [start: number, end: number] {
    if (view === undefined || view.length === 0) return [0, 0];
    const { packageBytes } = this.lf.archive;
    if (view.buffer === packageBytes.buffer) {
      const start = view.byteOffset - packageBytes.byteOffset;
      return [start, start + view.length];
    }
    // A message that was sent in two pieces was put together outside of the archive.
    const start = this.bytes.length;
    const both = new Uint8Array(start + view.length);
    both.set(this.bytes);
    both.set(view, start);
    this.bytes = both;
    return [start, start + view.length];
  }

  /** Finds an interned expression; its range is that of a part. */
  interned(index: number): void {
    let start = this.internedStarts[index];
    if (start === undefined) {
      let end: number;
      [start, end] = this.rangeOf(this.lf.expression(index));
      this.internedStarts[index] = start;
      this.internedEnds[index] = end;
    }
    this.partStart = start;
    this.partEnd = this.internedEnds[index]!;
  }

  /** Finds the next of a repeated field, from `at` on; its range is that of a part. */
  find(at: number, end: number, wanted: number): boolean {
    this.at = at;
    while (this.at < end) {
      const tag = this.varint();
      if (tag >>> 3 === wanted && (tag & 7) === WireType.LengthDelimited) {
        const length = this.varint();
        this.partStart = this.at;
        this.partEnd = this.at + length;
        return true;
      }
      this.skip(tag & 7);
    }
    return false;
  }

  view(start: number, end: number): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  /** The archive was walked before: its fields are sound. */
  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 70; shift += 7) {
      byte = bytes[this.at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
    }
    return value;
  }

  skip(wireType: number): void {
    if (wireType === WireType.LengthDelimited) {
      const length = this.varint();
      this.at += length;
    } else if (wireType === WireType.Varint) this.varint();
    else this.at += wireType === WireType.Bit64 ? 8 : 4;
  }

  /** Finds the fields of a message; of one that is repeated, the last. */
  scan(start: number, end: number): void {
    this.starts.fill(0);
    this.ends.fill(0);
    this.at = start;
    while (this.at < end) {
      const tag = this.varint();
      const field = tag >>> 3;
      const wireType = tag & 7;
      if (field >= SCANNED_FIELDS || (wireType & 1) === 1) this.skip(wireType);
      else if (wireType === WireType.Varint) this.starts[field] = this.varint();
      else {
        const length = this.varint();
        this.starts[field] = this.at;
        this.at += length;
        this.ends[field] = this.at;
      }
    }
  }

  string(index: number): string {
    return this.lf.tables.string(index);
  }

  name(index: number): string {
    return this.string(this.nameIndex(index));
  }

  /** The first index at which the table has this name: two names are the same if their numbers are. */
  nameIndex(index: number): number {
    let first = this.firstIndexes[index];
    if (first === undefined) {
      const name = checkName(this.string(index));
      first = this.indexOfName.get(name) ?? index;
      this.indexOfName.set(name, first);
      this.firstIndexes[index] = first;
    }
    return first;
  }

  /** The type that a message in an expression refers to. */
  type(start: number, end: number): Type {
    this.at = start;
    if (end - start < 2 || this.varint() !== INTERNED_TYPE)
      return this.types.of(this.lf.tables.type(this.view(start, end)));
    return this.internedType(this.varint());
  }

  private internedType(index: number): Type {
    let type = this.typeTable[index];
    if (type === undefined) {
      type = this.types.of(this.lf.tables.internedType(index));
      this.typeTable[index] = type;
    }
    return type;
  }

  /** A `TypeConId`, `TypeSynId` or `ValueId`. */
  entity(start: number, end: number): Entity {
    let module = 0;
    let name = 0;
    let own = 0;
    this.at = start;
    while (this.at < end) {
      const tag = this.varint();
      if (tag === NAME) name = this.varint();
      else if (tag === MODULE) {
        const moduleEnd = this.varint() + this.at;
        while (this.at < moduleEnd) {
          const inner = this.varint();
          if (inner === NAME) module = this.varint();
          else if (inner === PACKAGE) own = this.packageKey();
          else this.skip(inner & 7);
        }
      } else this.skip(tag & 7);
    }
    if (own >= MAX_KEPT_INDEX || module >= MAX_KEPT_INDEX) return this.readEntity(start, end);
    const key = own * MAX_KEPT_INDEX + module;
    let names = this.references.get(key);
    if (names === undefined) {
      names = new Map();
      this.references.set(key, names);
    }
    let entity = names.get(name);
    if (entity === undefined) {
      entity = this.readEntity(start, end);
      names.set(name, entity);
    }
    return entity;
  }

  /** A number for each way of naming a package. */
  private packageKey(): number {
    const end = this.varint() + this.at;
    let key = 0;
    while (this.at < end) {
      const tag = this.varint();
      if (tag === IMPORTED_ID) key = 1 + 2 * this.varint();
      else if (tag === PACKAGE_IMPORT) key = 2 + 2 * this.varint();
      else this.skip(tag & 7);
    }
    return key;
  }

  private readEntity(start: number, end: number): Entity {
    const id: TypeId = this.lf.tables.typeId(this.view(start, end));
    return this.entities.get(id);
  }

  /** @throws LedgerError where an entry of the table refers to itself or to one behind it */
  static checkOrder(index: number, outer: number): void {
    if (index < outer) return;
    throw parseError(
      'Interned expression indexes not monotonic (interned expressions may only refer to interned expressions of smaller index)',
    );
  }
}

const tagOf = (field: number, wireType: WireType): number => (field << 3) | wireType;
const INTERNED_TYPE = tagOf(8, WireType.Varint);
const MODULE = tagOf(1, WireType.LengthDelimited);
const PACKAGE = MODULE;
const NAME = tagOf(2, WireType.Varint);
const IMPORTED_ID = tagOf(3, WireType.Varint);
const PACKAGE_IMPORT = tagOf(4, WireType.Varint);
