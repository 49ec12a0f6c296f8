/**
 * What a package interns, and how references into it are read: strings, dotted names, kinds, types. An entry of a table
 * refers to earlier entries alone, so tables are read front to back and each entry is shared by all who refer to it.
 */
import type { PackageId, TypeId } from '../types.js';
import { parseError } from './dar-refusals.js';
import { checkDottedName, checkName, checkPackageId } from './lf-names.js';
import { LF2 } from './lf-schema.js';
import {
  BUILTIN_TYPES,
  kindArrow,
  NAT,
  STAR,
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
import { Messages, type Message } from './wire.js';

export const lf2 = new Messages('daml_lf_2', LF2);
export type Lf2<Name extends keyof typeof LF2> = Message<(typeof LF2)[Name]>;

const MAX_NUMERIC_SCALE = 37;

const builtins = new Map<number, (typeof BUILTIN_TYPES)[number]>(
  BUILTIN_TYPES.map((row) => [row.number, row]),
);

export class LfTables {
  private readonly dottedNames = new Map<number, string>();
  private kinds: LfKind[] | undefined;
  private types: LfType[] | undefined;

  constructor(
    private readonly packageId: PackageId,
    private readonly version: LanguageVersion,
    private readonly message: Lf2<'Package'>,
    private readonly imports: readonly string[] | undefined,
  ) {}

  string(index: number): string {
    const text = this.message.strings[index];
    if (text === undefined) throw parseError(`invalid internedString table index ${index}`);
    return text;
  }

  name(index: number): string {
    return checkName(this.string(index));
  }

  names(indexes: readonly number[]): readonly string[] {
    return indexes.map((index) => this.name(index));
  }

  dottedName(index: number): string {
    const known = this.dottedNames.get(index);
    if (known !== undefined) return known;
    const bytes = this.message.dottedNames[index];
    if (bytes === undefined) throw parseError(`invalid dotted name table index ${index}`);
    const { segments } = lf2.decode('InternedDottedName', bytes);
    const name = checkDottedName(segments.map((segment) => this.string(segment)));
    this.dottedNames.set(index, name);
    return name;
  }

  /** The id of an imported package, by what a reference holds. */
  importedPackageId(string: number): PackageId {
    const id = checkPackageId(this.string(string));
    if (this.version.packageImports && !STABLE_PACKAGE_IDS.has(id)) {
      throw parseError(
        `Got explicit non-stable package id (${id}) on lf version (${this.version.name}) that supports explicit package imports`,
      );
    }
    return id;
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
    const reference = lf2.decode('SelfOrImportedPackageId', bytes ?? EMPTY);
    if (reference.packageImport !== undefined) return this.packageImport(reference.packageImport);
    if (reference.importedPackageId !== undefined) {
      return this.importedPackageId(reference.importedPackageId);
    }
    if (reference.self !== undefined) return this.packageId;
    throw parseError('PackageId.SUM_NOT_SET');
  }

  /** `TypeConId` and `TypeSynId` are of one shape. */
  typeId(bytes: Uint8Array | undefined): TypeId {
    const { module, name } = lf2.decode('TypeConId', bytes ?? EMPTY);
    const { packageId, moduleName } = lf2.decode('ModuleId', module ?? EMPTY);
    return `${this.packageIdOf(packageId)}:${this.dottedName(moduleName)}:${this.dottedName(name)}`;
  }

  kind(bytes: Uint8Array | undefined): LfKind {
    this.kinds ??= readTable(this.message.kinds, (entry, table) => {
      const kind = lf2.decode('Kind', entry);
      if (kind.interned !== undefined) throw illegalInterning('InternedKind');
      return this.readKind(kind, table);
    });
    return this.readKind(lf2.decode('Kind', bytes ?? EMPTY), this.kinds);
  }

  /** A type outside the table: always a reference into it. */
  type(bytes: Uint8Array | undefined): LfType {
    const { interned, ...inPlace } = lf2.decode('Type', bytes ?? EMPTY);
    if (interned !== undefined) return this.internedType(interned);
    const found = Object.entries(inPlace).find(([, value]) => value !== undefined);
    const what = found === undefined ? 'SUM_NOT_SET' : found[0].toUpperCase();
    throw parseError(`${what} is not supported outside type interning table`);
  }

  internedType(index: number): LfType {
    return entryOf(this.typeTable(), index, 'internedTypes');
  }

  private typeTable(): readonly LfType[] {
    this.types ??= readTable(this.message.types, (entry, table) => {
      const type = lf2.decode('Type', entry);
      if (type.interned !== undefined) throw illegalInterning('Interned type');
      return this.readType(type, table);
    });
    return this.types;
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
    return params.reduceRight<LfKind>((to, param) => kindArrow(read(param), to), base);
  }

  /** Recursion here is bounded: the nesting of the whole package was checked before. */
  private readType(type: Lf2<'Type'>, table: readonly LfType[]): LfType {
    const read = (bytes = EMPTY): LfType => this.readType(lf2.decode('Type', bytes), table);
    const apply = (head: LfType, args: readonly Uint8Array[]): LfType => {
      if (this.version.flatArchive && args.length > 0) throw localFlattening('a null list', args);
      return args.reduce((fun, arg) => typeApp(fun, read(arg)), head);
    };
    if (type.interned !== undefined) return entryOf(table, type.interned, 'internedTypes');
    if (type.nat !== undefined) return readNat(type.nat);
    if (type.variable !== undefined) {
      const { variable, args } = lf2.decode('Type.Var', type.variable);
      return apply(typeVariable(this.name(variable)), args);
    }
    if (type.con !== undefined) {
      const { con, args } = lf2.decode('Type.Con', type.con);
      return apply(typeCon(this.typeId(con)), args);
    }
    if (type.builtin !== undefined) {
      const { builtin, args } = lf2.decode('Type.Builtin', type.builtin);
      return apply(this.builtin(builtin), args);
    }
    if (type.syn !== undefined) {
      const { syn, args } = lf2.decode('Type.Syn', type.syn);
      return typeSyn(
        this.typeId(syn),
        args.map((arg) => read(arg)),
      );
    }
    if (type.app !== undefined) {
      this.requireFlat('TApp');
      const { left, right } = lf2.decode('Type.TApp', type.app);
      return typeApp(read(left), read(right));
    }
    if (type.forall !== undefined) {
      const { vars, body } = lf2.decode('Type.Forall', type.forall);
      this.requireParts(vars, 'vars');
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

  params(messages: readonly Uint8Array[]): readonly (readonly [name: string, kind: LfKind])[] {
    return messages.map((bytes) => {
      const { variable, kind } = lf2.decode('TypeVarWithKind', bytes);
      return [this.name(variable), this.kind(kind)] as const;
    });
  }

  private builtin(number: number): LfType {
    const row = builtins.get(number);
    if (row === undefined)
      throw parseError(`BuiltinType.UNRECOGNIZED, value looked up was ${number}`);
    if ('dev' in row && !this.version.dev) throw this.notSupported(`daml_lf_2.${row.name}`);
    return typeBuiltin(row.name);
  }

  private requireFlat(what: string): void {
    if (!this.version.flatArchive) throw this.notSupported(what);
  }

  notSupported(what: string): Error {
    return parseError(`${what} is not supported by Daml-LF ${this.version.name}`);
  }

  private requireParts(parts: readonly unknown[], what: string): void {
    if (parts.length === 0) throw parseError(`Unexpected empty ${what}`);
    if (this.version.flatArchive && parts.length > 1)
      throw localFlattening('a single element', parts);
  }
}

const EMPTY: Uint8Array = new Uint8Array();

function readNat(nat: bigint): LfType {
  if (nat < 0n || nat > BigInt(MAX_NUMERIC_SCALE)) {
    throw parseError(`TNat must be between 0 and ${MAX_NUMERIC_SCALE}, found ${nat}`);
  }
  return typeNat(Number(nat));
}

function readTable<T>(
  entries: readonly Uint8Array[],
  read: (entry: Uint8Array, table: readonly T[]) => T,
): T[] {
  const table: T[] = [];
  for (const entry of entries) table.push(read(entry, table));
  return table;
}

function entryOf<T>(table: readonly T[], index: number, name: string): T {
  const entry = table[index];
  if (entry === undefined) throw parseError(`invalid ${name} table index ${index}`);
  return entry;
}

function illegalInterning(what: string): Error {
  return parseError(`Immediate ${what} in interning table (needs concrete constructor)`);
}

function localFlattening(expected: string, found: readonly unknown[]): Error {
  return parseError(
    `Illegal local flattening: since lf flattening is supported, expected ${expected}, but found ${found.length}`,
  );
}
