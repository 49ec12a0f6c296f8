/**
 * Compiles a Daml type into one closure, once. Codecs, comparison and checks are folds: a function for each kind of
 * type. This file resolves references, binds type parameters, connects recursive types and caches the result per
 * package lookup.
 */
import { invariant } from '../errors/ledger-error.js';
import { dataType, type PackageLookup } from '../model/package.js';
import { substitute, type DamlType, type TypeId } from '../model/types.js';

export type ScalarType = Extract<
  DamlType,
  {
    kind:
      | 'unit'
      | 'bool'
      | 'int64'
      | 'text'
      | 'timestamp'
      | 'date'
      | 'party'
      | 'numeric'
      | 'contractId';
  }
>;

export interface FoldedField<F> {
  readonly name: string;
  readonly run: F;
  /** The field's type with every type parameter bound. */
  readonly type: DamlType;
}

/** F is a function; it must be safe to call only after the whole fold returned. */
/** The last argument is the whole type, with every type parameter bound. */
export interface TypeFold<F> {
  scalar(type: ScalarType): F;
  /**
   * A fold may compile or inspect `of`: JSON distinguishes a written `Optional (Optional a)` from one that results
   * from substitution.
   */
  optional(of: DamlType, compile: (type: DamlType) => F, type: DamlType): F;
  list(of: F, type: DamlType): F;
  textMap(of: F, type: DamlType): F;
  genMap(key: F, value: F, type: Extract<DamlType, { kind: 'genMap' }>): F;
  record(fields: readonly FoldedField<F>[], id: TypeId, type: DamlType): F;
  variant(constructors: readonly FoldedField<F>[], id: TypeId, type: DamlType): F;
  enumeration(constructors: readonly string[], id: TypeId, type: DamlType): F;
  /** Types without serializable values: no value of them can exist. */
  opaque(name: string): F;
}

type Bindings = ReadonlyMap<string, DamlType>;
const NO_BINDINGS: Bindings = new Map();

/** The most parameters of a compiled function: {@link Compilation} passes as many on. */
type Compiled = (a: never, b: never, c: never, d: never) => unknown;

export type TypeCompiler<F> = (packages: PackageLookup, type: DamlType) => F;

/**
 * Makes the compiler of a fold. Results are kept per lookup (of a view: per its root), so a type id must mean the
 * same for the whole life of that lookup, as package ids do.
 */
export function typeCompiler<F extends Compiled>(
  foldFor: (packages: PackageLookup) => TypeFold<F>,
): TypeCompiler<F> {
  const caches = new WeakMap<PackageLookup, Compilation<F>>();
  return (packages, type) => {
    const root = packages.root ?? packages;
    let compilation = caches.get(root);
    if (compilation === undefined) {
      compilation = new Compilation(root, foldFor(root));
      caches.set(root, compilation);
    }
    return compilation.ofObject(type);
  };
}

class Compilation<F extends Compiled> {
  private readonly byObject = new WeakMap<DamlType, F>();
  private readonly byReference = new Map<string, F>();

  constructor(
    private readonly packages: PackageLookup,
    private readonly fold: TypeFold<F>,
  ) {}

  ofObject(type: DamlType): F {
    let compiled = this.byObject.get(type);
    if (compiled === undefined) {
      compiled = this.compile(type, NO_BINDINGS);
      this.byObject.set(type, compiled);
    }
    return compiled;
  }

  private compile(type: DamlType, bindings: Bindings): F {
    const fold = this.fold;
    const compile = (inner: DamlType): F => this.compile(inner, bindings);
    const bound = <T extends DamlType>(of: T): T => substitute(of, bindings) as T;
    switch (type.kind) {
      case 'optional':
        return fold.optional(type.of, compile, bound(type));
      case 'list':
        return fold.list(compile(type.of), bound(type));
      case 'textMap':
        return fold.textMap(compile(type.of), bound(type));
      case 'genMap':
        return fold.genMap(compile(type.key), compile(type.value), bound(type));
      case 'con':
        return this.reference(
          type.id,
          type.args.map((arg) => substitute(arg, bindings)),
        );
      case 'var': {
        const given = bindings.get(type.name);
        return given === undefined ? fold.opaque(type.name) : this.ofObject(given);
      }
      case 'opaque':
        return fold.opaque(type.name);
      default:
        return fold.scalar(bound(type));
    }
  }

  private reference(id: TypeId, args: readonly DamlType[]): F {
    const key =
      args.length === 0 ? id : `${id}(${args.map((arg) => typeKey(arg, true)).join(',')})`;
    const known = this.byReference.get(key);
    if (known !== undefined) return known;
    // Types may be recursive, so the body is compiled at its first use.
    let body: F | undefined;
    // NOTE: passing all of a list on is several times slower.
    const lazily: Compiled = (a, b, c, d) => (body ??= this.body(id, args))(a, b, c, d);
    this.byReference.set(key, lazily as F);
    return lazily as F;
  }

  private body(id: TypeId, args: readonly DamlType[]): F {
    const definition = dataType(this.packages, id);
    invariant(definition !== undefined, `the type ${id} is not known to this view of the packages`);
    const bindings = new Map(definition.params.map((name, index) => [name, args[index]!] as const));
    const fields = (list: readonly { name: string; type: DamlType }[]): FoldedField<F>[] =>
      list.map(({ name, type }) => ({
        name,
        type: substitute(type, bindings),
        run: this.compile(type, bindings),
      }));
    const type = { kind: 'con', id, args } as const;
    switch (definition.body.kind) {
      case 'record':
        return this.fold.record(fields(definition.body.fields), id, type);
      case 'variant':
        return this.fold.variant(fields(definition.body.constructors), id, type);
      case 'enum':
        return this.fold.enumeration(definition.body.constructors, id, type);
      case 'interface':
        return this.fold.opaque(id);
    }
  }
}

/**
 * A text that is equal for equal types.
 * @param isOfContracts whether types of contract ids of different templates differ
 */
export function typeKey(type: DamlType, isOfContracts = false): string {
  const key = (of: DamlType): string => typeKey(of, isOfContracts);
  switch (type.kind) {
    case 'numeric':
      return `numeric ${type.scale}`;
    case 'optional':
    case 'list':
    case 'textMap':
      return `${type.kind} (${key(type.of)})`;
    case 'contractId':
      return isOfContracts ? `${type.kind} (${key(type.of)})` : type.kind;
    case 'genMap':
      return `genMap (${key(type.key)},${key(type.value)})`;
    case 'con':
      return `${type.id}(${type.args.map(key).join(',')})`;
    case 'var':
    case 'opaque':
      return `${type.kind} ${type.name}`;
    default:
      return type.kind;
  }
}
