/**
 * The tables of a package: each string, dotted name, kind, type and expression is added once, and then referred to
 * by its index.
 */
import { splitTypeId, type DamlType, type TypeId } from '../model/types.js';
import { member, message, natural, number, packed, part, parts, type Part } from './message.js';

const EMPTY = message();

/** The numbers of the builtin types. */
const BUILTIN_TYPES = {
  unit: 0,
  bool: 1,
  int64: 2,
  date: 3,
  timestamp: 4,
  numeric: 5,
  party: 6,
  text: 7,
  contractId: 8,
  optional: 9,
  list: 10,
  genMap: 11,
  any: 13,
  typeRep: 15,
  arrow: 16,
  update: 17,
  failureCategory: 18,
  textMap: 19,
} as const;

/** A type of the ledger, or a type that only code uses. */
export type CodeType =
  | DamlType
  | { readonly kind: 'any' | 'typeRep' | 'failureCategory' }
  | { readonly kind: 'list'; readonly of: CodeType }
  | { readonly kind: 'arrow'; readonly from: CodeType; readonly to: CodeType }
  | { readonly kind: 'update'; readonly of: CodeType }
  | { readonly kind: 'forall'; readonly params: readonly string[]; readonly of: CodeType };

export class Tables {
  readonly strings: string[] = [];
  readonly names: Uint8Array[] = [];
  readonly types: Uint8Array[] = [];
  readonly kinds: Uint8Array[] = [];
  readonly expressions: Uint8Array[] = [];
  readonly imports: string[] = [];
  private readonly indexes = new Map<string, number>();

  /** @param flat whether each constructor has a separate entry, and packages are listed: from Daml-LF 2.2 on */
  constructor(readonly flat: boolean) {}

  private index<T>(table: T[], key: string, entry: T): number {
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    this.indexes.set(key, table.length);
    return table.push(entry) - 1;
  }

  private entry(table: Uint8Array[], name: string, bytes: Uint8Array): number {
    return this.index(table, `${name} ${Buffer.from(bytes).toString('latin1')}`, bytes);
  }

  string(value: string): number {
    return this.index(this.strings, `string ${value}`, value);
  }

  dottedName(name: string): number {
    const segments = name.split('.').map((segment) => this.string(segment));
    return this.entry(this.names, 'name', message(packed(1, segments)));
  }

  /** The expression, inline or as a reference to its entry. */
  expression(...parts: readonly Part[]): Uint8Array {
    const bytes = message(...parts);
    if (!this.flat) return bytes;
    return message(member(44, this.entry(this.expressions, 'expression', bytes)));
  }

  typeId(id: TypeId): Uint8Array {
    const { packageId, module, entity } = splitTypeId(id);
    const moduleId = message(
      part(1, this.packageId(packageId)),
      number(2, this.dottedName(module)),
    );
    return message(part(1, moduleId), number(2, this.dottedName(entity)));
  }

  /** A reference to a package. The written package itself has no id yet. */
  private packageId(id: string): Uint8Array {
    if (id === '') return message(part(1, EMPTY));
    if (!this.flat) return message(member(3, this.string(id)));
    return message(member(4, this.index(this.imports, `import ${id}`, id)));
  }

  /** A variable of kind `*`, or of kind `Nat`. */
  typeVariable(name: string, isNatural = false): Uint8Array {
    return message(number(3, this.string(name)), part(2, this.kind(isNatural ? 3 : 1)));
  }

  /** @param number the field number of the kind, for kinds without parameters */
  private kind(number: 1 | 3): Uint8Array {
    const kind = message(part(number, EMPTY));
    return this.flat ? message(member(4, this.entry(this.kinds, 'kind', kind))) : kind;
  }

  /** A type constructor with its arguments, in the form of expressions. */
  constructorAt(id: TypeId, args: readonly CodeType[]): Uint8Array {
    const head = this.typeId(id);
    return message(
      part(1, head),
      parts(
        2,
        args.map((arg) => this.type(arg)),
      ),
    );
  }

  /** A reference to the type's entry. */
  type(type: CodeType): Uint8Array {
    return this.reference(this.typeEntry(type));
  }

  private reference(entry: Uint8Array): Uint8Array {
    return message(member(8, this.entry(this.types, 'type', entry)));
  }

  private typeEntry(type: CodeType): Uint8Array {
    switch (type.kind) {
      case 'var':
        return message(part(1, message(number(3, this.string(type.name)))));
      case 'con': {
        const id = this.typeId(type.id);
        const args = type.args.map((arg) => this.type(arg));
        return this.applied(
          (given) => message(part(2, message(part(1, id), parts(2, given)))),
          args,
        );
      }
      case 'forall': {
        const params = type.params.map((param) => this.typeVariable(param));
        return message(part(4, message(parts(1, params), part(2, this.type(type.of)))));
      }
      case 'opaque':
        throw new Error(`${type.name} is no type of the ledger`);
      case 'numeric':
        return this.applied(
          (scale) => this.builtin('numeric', scale),
          [this.reference(message(natural(6, type.scale)))],
        );
      default: {
        const args = argumentsOf(type).map((arg) => this.type(arg));
        return this.applied((given) => this.builtin(type.kind, given), args);
      }
    }
  }

  private builtin(kind: keyof typeof BUILTIN_TYPES, args: readonly Uint8Array[]): Uint8Array {
    return message(part(3, message(number(1, BUILTIN_TYPES[kind]), parts(2, args))));
  }

  /** A type with its arguments. Each argument is a separate application if `flat` is set. */
  private applied(
    make: (args: readonly Uint8Array[]) => Uint8Array,
    args: readonly Uint8Array[],
  ): Uint8Array {
    return this.flat
      ? args.reduce((left, arg) => this.application(left, arg), make([]))
      : make(args);
  }

  private application(left: Uint8Array, right: Uint8Array): Uint8Array {
    return message(part(9, message(part(1, this.reference(left)), part(2, right))));
  }
}

function argumentsOf(
  type: Exclude<CodeType, { kind: 'var' | 'con' | 'forall' | 'opaque' }>,
): readonly CodeType[] {
  switch (type.kind) {
    case 'contractId':
    case 'optional':
    case 'list':
    case 'textMap':
    case 'update':
      return [type.of];
    case 'genMap':
      return [type.key, type.value];
    case 'arrow':
      return [type.from, type.to];
    default:
      return [];
  }
}
