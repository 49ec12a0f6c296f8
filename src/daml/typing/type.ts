/**
 * The types of the checker. Each distinct type is one object, so equal types are identical, and a type caches the
 * results about it. They are made from the types of archives, and by substitution.
 */
import type { TypeId } from '../model/types.js';
import { parseError } from '../archive/dar-refusals.js';
import {
  MAX_TYPE_DEPTH,
  MAX_TYPE_SIZE,
  sameKind,
  type LfKind,
  type LfType,
} from '../archive/lf-type.js';
import type { Entity } from './entities.js';
import type { TypeScope } from './type-scope.js';

type Tag = LfType['tag'];

const NO_NAMES: readonly string[] = [];

export class Type {
  /** Its kind, as computed in `scope`. */
  kind: LfKind | undefined = undefined;
  scope: TypeScope | undefined = undefined;
  /** The entity that a constructor or synonym names, after the first lookup. */
  entity: Entity | undefined = undefined;
  /** The type without synonyms, after the first expansion. */
  expansion: Type | undefined = undefined;
  /** The types of the fields or constructors of this data type, after the first use. */
  parts: (Type | undefined)[] | undefined = undefined;
  /** The last application of this type. From two applications on, also all of them by argument. */
  lastApplication: Type | undefined = undefined;
  applications: Map<Type, Type> | undefined = undefined;
  /** The previous type with the same hash. */
  before: Type | undefined = undefined;

  constructor(
    readonly id: number,
    readonly tag: Tag,
    /**
     * The name of a variable or builtin, the id of a constructor or synonym, the scale of a nat, or the variable of
     * a forall.
     */
    readonly name: string,
    /** Function and argument, the body of a forall, the arguments of a synonym, the types of a struct. */
    readonly inner: readonly Type[],
    /** Names of a struct's fields, sorted. */
    readonly names: readonly string[],
    /** The kind of a forall's variable. */
    readonly bound: LfKind | undefined,
    /** Whether it has no variables, bound variables included. */
    readonly closed: boolean,
    /** Whether it has no synonym and no forall: it is equivalent only to itself. */
    readonly plain: boolean,
    private readonly depth: number,
    private readonly size: number,
  ) {}

  static of(
    id: number,
    tag: Tag,
    name: string,
    inner: readonly Type[] = [],
    names: readonly string[] = [],
    bound?: LfKind,
  ): Type {
    let closed = tag !== 'variable';
    let plain = tag !== 'syn' && tag !== 'forall';
    let depth = 1;
    let size = 1;
    for (const part of inner) {
      closed &&= part.closed;
      plain &&= part.plain;
      depth = Math.max(depth, part.depth + 1);
      size += part.size;
    }
    if (depth > MAX_TYPE_DEPTH)
      throw parseError(`A type nests deeper than ${MAX_TYPE_DEPTH} levels`);
    if (size > MAX_TYPE_SIZE) throw parseError(`A type has more than ${MAX_TYPE_SIZE} parts`);
    return new Type(id, tag, name, inner, names, bound, closed, plain, depth, size);
  }

  /** The function of an application. */
  get function(): Type {
    return this.inner[0]!;
  }

  /** The argument of an application. */
  get argument(): Type {
    return this.inner[1]!;
  }

  /** The body of a forall. */
  get body(): Type {
    return this.inner[0]!;
  }
}

/** Makes each distinct type once. */
export class Types {
  private count = 0;
  private readonly atoms: Partial<Record<Tag, Map<string, Type>>> = {};
  /** The last compound type for each hash of its parts. */
  private readonly compounds = new Map<number, Type>();
  private readonly fromArchives = new Map<LfType, Type>();

  private make(
    tag: Tag,
    name: string,
    inner?: readonly Type[],
    names?: readonly string[],
    bound?: LfKind,
  ): Type {
    this.count += 1;
    return Type.of(this.count, tag, name, inner, names, bound);
  }

  private atom(tag: Tag, name: string): Type {
    const known = this.atoms[tag] ?? (this.atoms[tag] = new Map());
    let type = known.get(name);
    if (type === undefined) {
      type = this.make(tag, name);
      known.set(name, type);
    }
    return type;
  }

  readonly arrow = this.builtin('Arrow');
  readonly unit = this.builtin('Unit');
  readonly bool = this.builtin('Bool');
  readonly text = this.builtin('Text');
  readonly any = this.builtin('Any');
  readonly anyException = this.builtin('AnyException');
  readonly typeRep = this.builtin('TypeRep');
  readonly timestamp = this.builtin('Timestamp');
  readonly int64 = this.builtin('Int64');
  readonly list = this.builtin('List');
  readonly optional = this.builtin('Optional');
  readonly update = this.builtin('Update');
  readonly contractId = this.builtin('ContractId');
  readonly numeric = this.builtin('Numeric');
  readonly parties = this.app(this.list, this.builtin('Party'));

  variable(name: string): Type {
    return this.atom('variable', name);
  }

  con(id: TypeId): Type {
    return this.atom('con', id);
  }

  builtin(name: string): Type {
    return this.atom('builtin', name);
  }

  nat(value: number): Type {
    return this.atom('nat', String(value));
  }

  app(fun: Type, argument: Type): Type {
    const last = fun.lastApplication;
    if (last !== undefined && last.argument === argument) return last;
    let type = fun.applications?.get(argument);
    if (type === undefined) {
      type = this.make('app', '', [fun, argument]);
      if (last !== undefined) {
        fun.applications ??= new Map([[last.argument, last]]);
        fun.applications.set(argument, type);
      }
    }
    fun.lastApplication = type;
    return type;
  }

  fun(argument: Type, result: Type): Type {
    return this.app(this.app(this.arrow, argument), result);
  }

  syn(id: TypeId, args: readonly Type[]): Type {
    return this.compound('syn', id, args);
  }

  forall(variable: string, kind: LfKind, body: Type): Type {
    return this.compound('forall', variable, [body], NO_NAMES, kind);
  }

  /** The fields must be sorted by name. */
  struct(names: readonly string[], types: readonly Type[]): Type {
    return this.compound('struct', '', types, names);
  }

  private compound(
    tag: Tag,
    name: string,
    inner: readonly Type[],
    names: readonly string[] = NO_NAMES,
    bound?: LfKind,
  ): Type {
    let hash = inner.length;
    for (const part of inner) hash = (Math.imul(hash, 31) + part.id) | 0;
    const known = this.compounds.get(hash);
    for (let type = known; type !== undefined; type = type.before) {
      const isSame =
        type.tag === tag &&
        type.name === name &&
        sameItems(type.inner, inner) &&
        sameItems(type.names, names) &&
        (bound === undefined || sameKind(type.bound!, bound));
      if (isSame) return type;
    }
    const type = this.make(tag, name, inner, names, bound);
    type.before = known;
    this.compounds.set(hash, type);
    return type;
  }

  /** Converts a type of an archive. The reader of archives limits its depth and size. */
  of(lf: LfType): Type {
    let type = this.fromArchives.get(lf);
    if (type === undefined) {
      type = this.convert(lf);
      this.fromArchives.set(lf, type);
    }
    return type;
  }

  private convert(lf: LfType): Type {
    switch (lf.tag) {
      case 'variable':
      case 'builtin':
        return this.atom(lf.tag, lf.name);
      case 'con':
        return this.con(lf.id);
      case 'nat':
        return this.nat(lf.value);
      case 'app':
        return this.app(this.of(lf.function), this.of(lf.argument));
      case 'syn':
        return this.syn(
          lf.id,
          lf.args.map((arg) => this.of(arg)),
        );
      case 'forall':
        return this.forall(lf.variable, lf.kind, this.of(lf.body));
      case 'struct': {
        const fields = [...lf.fields].sort(([a], [b]) => (a < b ? -1 : 1));
        return this.struct(
          fields.map(([name]) => name),
          fields.map(([, field]) => this.of(field)),
        );
      }
    }
  }
}

function sameItems<T>(some: readonly T[], others: readonly T[]): boolean {
  if (some === others) return true;
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1)
    if (some[index] !== others[index]) return false;
  return true;
}
