/**
 * What a package interns, and how references into it are read: strings, dotted names, kinds, types. An entry of a table
 * refers to earlier entries alone, so tables are read front to back and each entry is shared by all who refer to it.
 */
import { scalaVector } from '../errors/scala-text.js';
import type { PackageId, TypeId } from '../model/types.js';
import { illegalInterning, parseError, unexpected } from './dar-refusals.js';
import { checkName, checkPackageId, joinSegments } from './lf-names.js';
import { LF2 } from './wire/lf-schema.js';
import {
  BUILTIN_TYPES,
  kindArrow,
  MAX_TYPE_DEPTH,
  NAT,
  STAR,
  tooDeep,
  typeApp,
  typeBuiltin,
  typeCon,
  typeForall,
  typeNat,
  typeStruct,
  typeSyn,
  typeVariable,
  type LfKind,
  type LfType,
} from './lf-type.js';
import { STABLE_PACKAGE_IDS, type LanguageVersion } from './lf-version.js';
import { Messages, type Message } from './wire/wire.js';
import { referenceTo, soleReference, soleSegment } from './wire/sole-numbers.js';
import { WireType, type Parts } from './wire/wire-reader.js';

export const lf2 = new Messages('daml_lf_2', LF2);
export type Lf2<Name extends keyof typeof LF2> = Message<(typeof LF2)[Name]>;

const MAX_NUMERIC_SCALE = 37;

const builtins = new Map<number, (typeof BUILTIN_TYPES)[number]>(
  BUILTIN_TYPES.map((row) => [row.number, row]),
);

export class LfTables {
  private readonly dottedNames = new Map<number, string>();
  private readonly strings: (string | undefined)[];
  /** Entries of the table of strings that were found to be names: 1. */
  private names: Uint8Array | undefined;
  private readonly importedIds = new Map<number, PackageId>();
  private readonly typeIds = new Map<string, TypeId>();
  private kinds: LfKind[] | undefined;
  private types: (LfType | undefined)[] | undefined;
  /** Entries that are being read, each for the one before. */
  private typeDepth = 0;

  constructor(
    private readonly packageId: PackageId,
    private readonly version: LanguageVersion,
    private readonly message: Lf2<'Package'>,
    private readonly imports: readonly string[] | undefined,
  ) {
    // Made at full length: an array that is filled from anywhere else becomes a slow one.
    this.strings = new Array<string | undefined>(message.strings.length);
  }

  string(index: number): string {
    let text = this.strings[index];
    if (text === undefined) {
      text = this.message.strings.text(index);
      if (text === undefined) throw parseError(`invalid internedString table index ${index}`);
      this.strings[index] = text;
    }
    return text;
  }

  /** Reads the tables of strings, kinds and types whole, and so refuses entries that are none. */
  readAll(): void {
    this.kindTable();
    for (let index = 0; index < this.message.strings.length; index += 1) this.string(index);
    for (let index = 0; index < this.message.types.length; index += 1) this.internedType(index);
  }

  name(index: number): string {
    // Of most names the real decoder does not look whether they are in the table.
    if (!this.message.strings.has(index))
      throw unexpected(`${index < 0 ? 'Array' : ''}IndexOutOfBoundsException`);
    return this.listedName(index);
  }

  /** A name whose absence from the table is told as such. */
  listedName(index: number): string {
    const name = this.string(index);
    this.names ??= new Uint8Array(this.message.strings.length);
    if (this.names[index] === 0) {
      checkName(name);
      this.names[index] = 1;
    }
    return name;
  }

  namesOf(indexes: readonly number[]): readonly string[] {
    return indexes.map((index) => this.name(index));
  }

  dottedName(index: number): string {
    const known = this.dottedNames.get(index);
    if (known !== undefined) return known;
    const name = this.readDottedName(index);
    this.dottedNames.set(index, name);
    return name;
  }

  private readDottedName(index: number): string {
    const { dottedNames } = this.message;
    if (!dottedNames.has(index)) throw parseError(`invalid dotted name table index ${index}`);
    const sole = soleSegment(dottedNames, index);
    if (sole >= 0) return this.segment(sole);
    const { segments } = lf2.decode('InternedDottedName', dottedNames.at(index)!);
    return joinSegments(segments.map((segment) => this.segment(segment)));
  }

  private segment(index: number): string {
    if (this.message.strings.has(index)) return this.listedName(index);
    throw parseError(`invalid string table index ${index}`);
  }

  /** The id of an imported package, by what a reference holds. */
  importedPackageId(string: number): PackageId {
    const known = this.importedIds.get(string);
    if (known !== undefined) return known;
    const id = checkPackageId(this.string(string));
    if (this.version.packageImports && !STABLE_PACKAGE_IDS.has(id)) {
      throw parseError(
        `Got explicit non-stable package id (${id}) on lf version (${this.version.name}) that supports explicit package imports, ` +
          `imports: (${this.importsText()})`,
      );
    }
    this.importedIds.set(string, id);
    return id;
  }

  private importsText(): string {
    if (this.imports !== undefined) return `Right(${scalaVector(this.imports)})`;
    const { noImportsReason = 'PLF.Package.ImportsSumCase.IMPORTSSUM_NOT_SET' } = this.message;
    return `Left(${noImportsReason})`;
  }

  packageImport(index: number): PackageId {
    if (this.imports === undefined) throw parseError('Imports table None');
    const id = this.imports[index];
    if (id === undefined) {
      throw parseError(`Index out of bounds: invalid imported package index ${index}`);
    }
    return id;
  }

  packageIdOf(bytes: Uint8Array | undefined): PackageId {
    if (bytes?.[0] === SELF && bytes.length === 2) return this.packageId;
    const reference = lf2.decode('SelfOrImportedPackageId', bytes ?? EMPTY);
    if (reference.packageImport !== undefined) return this.packageImport(reference.packageImport);
    if (reference.importedPackageId !== undefined) {
      return this.importedPackageId(reference.importedPackageId);
    }
    if (reference.self !== undefined) return this.packageId;
    throw parseError('PackageId.SUM_NOT_SET');
  }

  /** `TypeConId`, `TypeSynId` and `ValueId` are of one shape. */
  typeId(bytes: Uint8Array = EMPTY): TypeId {
    const key = String.fromCharCode.apply(undefined, bytes as unknown as number[]);
    let id = this.typeIds.get(key);
    if (id === undefined) {
      id = this.readTypeId(bytes);
      this.typeIds.set(key, id);
    }
    return id;
  }

  private readTypeId(bytes: Uint8Array): TypeId {
    const { module, name } = lf2.decode('TypeConId', bytes);
    const { packageId, moduleName } = lf2.decode('ModuleId', module ?? EMPTY);
    return `${this.packageIdOf(packageId)}:${this.dottedName(moduleName)}:${this.dottedName(name)}`;
  }

  kind(bytes: Uint8Array | undefined): LfKind {
    return this.readKind(lf2.decode('Kind', bytes ?? EMPTY), this.kindTable());
  }

  private kindTable(): readonly LfKind[] {
    if (this.kinds !== undefined) return this.kinds;
    const { kinds } = this.message;
    if (kinds.length > 0) this.requireFlat('Flat Archive');
    this.kinds = readTable(kinds, (entry, table) => {
      const kind = lf2.decode('Kind', entry);
      if (kind.interned !== undefined) throw illegalInterning('InternedKind');
      return this.readKind(kind, table);
    });
    return this.kinds;
  }

  /** A type outside the table: always a reference into it. */
  type(bytes: Uint8Array = EMPTY): LfType {
    const index = referenceTo(bytes);
    if (index >= 0) return this.internedType(index);
    const { interned, ...inPlace } = lf2.decode('Type', bytes);
    if (interned !== undefined) return this.internedType(interned);
    const found = Object.entries(inPlace).find(([, value]) => value !== undefined);
    const what = found === undefined ? 'SUM_NOT_SET' : TYPE_CASES[found[0] as keyof typeof inPlace];
    throw parseError(`${what} is not supported outside type interning table`);
  }

  /** An entry refers to earlier ones alone: they are found `below` it. */
  internedType(index: number, below = Infinity): LfType {
    this.types ??= new Array<LfType | undefined>(this.message.types.length);
    const known = index < below ? this.types[index] : undefined;
    if (known !== undefined) return known;
    const entry = index < below ? this.message.types.at(index) : undefined;
    if (entry === undefined) throw parseError(`invalid internedTypes table index ${index}`);
    // Each entry on the way adds a level to the type.
    if (this.typeDepth >= MAX_TYPE_DEPTH) throw tooDeep();
    this.typeDepth += 1;
    try {
      const type = lf2.decode('Type', entry);
      if (type.interned !== undefined) throw illegalInterning('Interned type');
      const read = this.readType(type, index);
      this.types[index] = read;
      return read;
    } finally {
      this.typeDepth -= 1;
    }
  }

  private readKind(kind: Lf2<'Kind'>, table: readonly LfKind[]): LfKind {
    const read = (bytes = EMPTY): LfKind => this.readKind(lf2.decode('Kind', bytes), table);
    if (kind.interned !== undefined) {
      this.requireFlat('Flat Archive (case interned kinds)');
      return entryOf(table, kind.interned, 'internedKinds');
    }
    if (kind.star !== undefined) return STAR;
    if (kind.nat !== undefined) return NAT;
    if (kind.arrow === undefined) throw parseError('Kind.SUM_NOT_SET');
    const { params, result } = lf2.decode('Kind.Arrow', kind.arrow);
    this.requireParts(params, 'params');
    const base = read(result);
    return [...params].reduceRight<LfKind>((to, param) => kindArrow(read(param), to), base);
  }

  /** Recursion here is bounded: the nesting of the whole package was checked before. */
  private readType(type: Lf2<'Type'>, below: number): LfType {
    const read = (bytes = EMPTY): LfType => {
      const index = referenceTo(bytes);
      return index >= 0
        ? this.internedType(index, below)
        : this.readType(lf2.decode('Type', bytes), below);
    };
    const apply = (head: LfType, args: Parts, what: string): LfType => {
      if (this.version.flatArchive && args.length > 0)
        throw parseError(
          `Illegal local flattening: Since lf flattening is supported, expected a null list ${what}.getArgsList, ` +
            `but found ${args.length}, version ${this.version.name}`,
        );
      let type = head;
      for (let index = 0; index < args.length; index += 1) {
        const entry = soleReference(args, index);
        type = typeApp(type, entry >= 0 ? this.internedType(entry, below) : read(args.at(index)));
      }
      return type;
    };
    if (type.interned !== undefined) return this.internedType(type.interned, below);
    if (type.nat !== undefined) return readNat(type.nat);
    if (type.variable !== undefined) {
      const { variable, args } = lf2.decode('Type.Var', type.variable);
      return apply(typeVariable(this.name(variable)), args, 'tvar');
    }
    if (type.con !== undefined) {
      const { con, args } = lf2.decode('Type.Con', type.con);
      return apply(typeCon(this.typeId(con)), args, 'tcon');
    }
    if (type.builtin !== undefined) {
      const { builtin, args } = lf2.decode('Type.Builtin', type.builtin);
      return apply(this.builtin(builtin), args, 'builtin');
    }
    if (type.syn !== undefined) {
      const { syn, args } = lf2.decode('Type.Syn', type.syn);
      return typeSyn(
        this.typeId(syn),
        args.map((arg) => read(arg)),
      );
    }
    if (type.app !== undefined) {
      if (!this.version.flatArchive)
        throw parseError(
          `Illegal case: TApp not supported in version ${this.version.name}, since this version has local flattening`,
        );
      const { left, right } = lf2.decode('Type.TApp', type.app);
      return typeApp(read(left), read(right));
    }
    if (type.forall !== undefined) {
      const { vars, body } = lf2.decode('Type.Forall', type.forall);
      this.requireParts(vars, 'vars', 'builtin.getArgsList');
      const base = read(body);
      return this.params(vars).reduceRight(
        (inner, [name, kind]) => typeForall(name, kind, inner),
        base,
      );
    }
    if (type.struct !== undefined) return this.readStruct(type.struct, read);
    throw parseError('Type.SUM_NOT_SET');
  }

  private readStruct(bytes: Uint8Array, read: (type?: Uint8Array) => LfType): LfType {
    const fields = lf2.decode('Type.Struct', bytes).fields.map((field) => {
      const { field: name, type } = lf2.decode('FieldWithType', field);
      return [this.name(name), read(type)] as const;
    });
    if (fields.length === 0) throw parseError('Unexpected empty fields');
    const names = new Set<string>();
    for (const [name] of fields) {
      if (names.has(name)) throw parseError(`TStruct: duplicate field ${name}`);
      names.add(name);
    }
    return typeStruct(fields);
  }

  params(
    messages: Parts | readonly Uint8Array[],
  ): readonly (readonly [name: string, kind: LfKind])[] {
    return messages.map((bytes) => {
      const { variable, kind } = lf2.decode('TypeVarWithKind', bytes);
      return [this.name(variable), this.kind(kind)] as const;
    });
  }

  private builtin(number: number): LfType {
    const row = builtins.get(number);
    if (row === undefined) throw unexpected('NoSuchElementException');
    if ('dev' in row && !this.version.dev) throw this.notSupported(`daml_lf_2.${row.dev}`);
    return typeBuiltin(row.name);
  }

  private requireFlat(what: string): void {
    if (!this.version.flatArchive) throw this.notSupported(what);
  }

  notSupported(what: string): Error {
    return parseError(`${what} is not supported by Daml-LF ${this.version.name}`);
  }

  private requireParts(parts: Parts, what: string, where = what): void {
    if (parts.length === 0) throw parseError(`Unexpected empty ${what}`);
    this.requireOne(parts.length, where);
  }

  /** Of what a compiler put into one message before each went into one of its own. */
  requireOne(count: number, what: string): void {
    if (count === 1 || !this.version.flatArchive) return;
    throw parseError(
      `Illegal local flattening: since lf flattening is supported, expected a single element for ${what}, ` +
        `but found ${count}, version ${this.version.name}`,
    );
  }
}

const EMPTY: Uint8Array = new Uint8Array();

/** What protobuf calls the forms of a type. */
const TYPE_CASES = {
  variable: 'VAR',
  con: 'CON',
  builtin: 'BUILTIN',
  forall: 'FORALL',
  struct: 'STRUCT',
  nat: 'NAT',
  syn: 'SYN',
  app: 'TAPP',
} as const;

/** The tag of `SelfOrImportedPackageId.self`, an empty message. */
const SELF = (1 << 3) | WireType.LengthDelimited;

function readNat(nat: bigint): LfType {
  if (nat < 0n || nat > BigInt(MAX_NUMERIC_SCALE)) {
    throw parseError(`TNat must be between 0 and ${MAX_NUMERIC_SCALE}, found ${nat}`);
  }
  return typeNat(Number(nat));
}

function readTable<T>(entries: Parts, read: (entry: Uint8Array, table: readonly T[]) => T): T[] {
  const table: T[] = [];
  for (const entry of entries) table.push(read(entry, table));
  return table;
}

function entryOf<T>(table: readonly T[], index: number, name: string): T {
  const entry = table[index];
  if (entry === undefined) throw parseError(`invalid ${name} table index ${index}`);
  return entry;
}
