/**
 * The tables of a package and the references into them: strings, dotted names, kinds and types. An entry may only refer to earlier entries,
 * so tables are decoded front to back, and all references share an entry.
 */
import { scalaVector } from '../errors/scala-text.js';
import type { PackageId, TypeId } from '../model/types.js';
import { illegalInterning, parseError, unexpected } from './dar-refusals.js';
import { checkName, checkPackageId, joinSegments } from './lf-names.js';
import { LF2 } from './wire/lf-schema.js';
import {
  BUILTIN_TYPES,
  MAX_TYPE_DEPTH,
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
import {
  notSupported,
  requireOne,
  STABLE_PACKAGE_IDS,
  type LanguageVersion,
} from './lf-version.js';
import { LfKinds } from './lf-kinds.js';
import { lf2, type Lf2 } from './lf-messages.js';
import { Message } from './wire/message.js';
import { referenceTo, soleReference, soleSegment } from './wire/sole-numbers.js';
import { WireType, type Parts } from './wire/wire-reader.js';

const MAX_NUMERIC_SCALE = 37;

const builtins = new Map<number, (typeof BUILTIN_TYPES)[number]>(
  BUILTIN_TYPES.map((row) => [row.number, row]),
);

export class LfTables {
  private readonly dottedNames = new Map<number, string>();
  private readonly strings: (string | undefined)[];
  /** 1 for each string that is a valid name. */
  private names: Uint8Array | undefined;
  private readonly importedIds = new Map<number, PackageId>();
  private readonly packageIds = new Map<string, PackageId>();
  private readonly typeIds = new Map<string, TypeId>();
  readonly kinds: LfKinds;
  private types: (LfType | undefined)[] | undefined;
  /** The number of entries that are being decoded, each from within the previous one. */
  private typeDepth = 0;

  constructor(
    private readonly packageId: PackageId,
    private readonly version: LanguageVersion,
    private readonly message: Lf2<'Package'>,
    private readonly imports: readonly string[] | undefined,
  ) {
    this.kinds = new LfKinds(message.kinds, version);
    // Allocated with its full length, because V8 makes an array slow if it grows out of order.
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

  /**
   * Decodes the tables of dotted names, kinds, strings and types.
   * @throws LedgerError for an invalid entry
   */
  readAll(): void {
    const { dottedNames } = this.message;
    for (let index = 0; index < dottedNames.length; index += 1) this.dottedName(index);
    this.kinds.readAll();
    for (let index = 0; index < this.message.strings.length; index += 1) this.string(index);
    for (let index = 0; index < this.message.types.length; index += 1) this.internedType(index);
  }

  name(index: number): string {
    // For most names, the real decoder does not check that the index is in the table.
    if (!this.message.strings.has(index))
      throw unexpected(`${index < 0 ? 'Array' : ''}IndexOutOfBoundsException`);
    return this.listedName(index);
  }

  /** A name with an explicit error if it is missing from the table. */
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

  /** The id of an imported package, by the index of its string. */
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

  /** `TypeConId`, `TypeSynId` and `ValueId` have the same shape. */
  typeId(bytes: Uint8Array = EMPTY): TypeId {
    return this.idOf(Message.of(bytes));
  }

  idOf(message: Message): TypeId {
    const { key } = message;
    let id = this.typeIds.get(key);
    if (id === undefined) {
      const module = message.messageAt(1);
      const [moduleName, name] = [module.numberAt(2), message.numberAt(2)];
      id = `${this.packageOf(module.messageAt(1))}:${this.dottedName(moduleName)}:${this.dottedName(name)}`;
      this.typeIds.set(key, id);
    }
    return id;
  }

  /** Each form of a package reference is decoded once. */
  private packageOf(message: Message): PackageId {
    const { key } = message;
    let id = this.packageIds.get(key);
    if (id === undefined) {
      id = this.packageIdOf(message.view);
      this.packageIds.set(key, id);
    }
    return id;
  }

  /** A type outside the table: always a reference into it. */
  type(bytes: Uint8Array = EMPTY): LfType {
    return this.internedType(this.typeIndex(Message.of(bytes)));
  }

  /** The index in the table. */
  typeIndex(message: Message): number {
    const reference = message.soleNumber(INTERNED);
    if (this.message.types.has(reference)) return reference;
    const { interned, ...inPlace } = lf2.decode('Type', message.view);
    if (interned !== undefined) {
      if (this.message.types.has(interned)) return interned;
      throw parseError(`invalid internedTypes table index ${interned}`);
    }
    const found = Object.entries(inPlace).find(([, value]) => value !== undefined);
    const what = found === undefined ? 'SUM_NOT_SET' : TYPE_CASES[found[0] as keyof typeof inPlace];
    throw parseError(`${what} is not supported outside type interning table`);
  }

  /** An entry may only refer to entries with an index below its own. */
  internedType(index: number, below = Infinity): LfType {
    this.types ??= new Array<LfType | undefined>(this.message.types.length);
    const known = index < below ? this.types[index] : undefined;
    if (known !== undefined) return known;
    const entry = index < below ? this.message.types.at(index) : undefined;
    if (entry === undefined) throw parseError(`invalid internedTypes table index ${index}`);
    // Each level of references adds a level to the type.
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

  /** The recursion is bounded, because the nesting of the whole package was checked before. */
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
      return [this.name(variable), this.kinds.of(Message.of(kind ?? EMPTY))] as const;
    });
  }

  private builtin(number: number): LfType {
    const row = builtins.get(number);
    if (row === undefined) throw unexpected('NoSuchElementException');
    if ('dev' in row && !this.version.dev)
      throw this.notSupported(`daml_lf_2.BuiltinType.${row.dev}`);
    return typeBuiltin(row.name);
  }

  notSupported(what: string): Error {
    return notSupported(this.version, what);
  }

  private requireParts(parts: Parts, what: string, where = what): void {
    if (parts.length === 0) throw parseError(`Unexpected empty ${what}`);
    this.requireOne(parts.length, where);
  }

  /** Checks a list that must have one element from a language version on. */
  requireOne(count: number, what: string): void {
    requireOne(this.version, count, what);
  }
}

/** The number of `Type.interned`, the reference to an entry of the table. */
const INTERNED = LF2.Type.interned[0];
const EMPTY: Uint8Array = new Uint8Array();

/** The protobuf names of the forms of a type. */
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
