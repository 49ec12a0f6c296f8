/**
 * Values of compiled code. Their forms are fast and have no type. They do not leave this folder: `convert.ts` converts them to ledger
 * values.
 *
 *   Unit       UNIT                              Bool       boolean
 *   Int64, Timestamp  number if it is a safe integer, else bigint: one form per value, for `===` and `<`
 *   Date, Enum number (an enum is its rank)      Numeric    Numeric
 *   Text, Party, ContractId  string              Optional   null or Some
 *   List       Cons or NIL                       Variant    Variant, by rank
 *   Record     plain object p0, p1, …            Struct     plain object, a key per field name, in the names' order
 *   TextMap, GenMap   SortedMap                  function, Update  Fun (an Update takes a token)
 *   Any, AnyException, interfaces  Any            TypeRep    TypeRep
 */
import type { LfType } from '../../archive/lf-type.js';
import type { TypeId } from '../../model/types.js';

export class Cons {
  constructor(
    readonly h: unknown,
    readonly t: Cons,
  ) {}
}

/** The empty list: the only Cons without a tail. */
export const NIL: Cons = new Cons(undefined, undefined as never);

export class Variant {
  constructor(
    /** Rank of the constructor. */
    readonly t: number,
    readonly v: unknown,
  ) {}
}

/** Both forms have these parameters: the closure, the arguments, the machine and the stack depth. */
export type FastCode = (self: Fun | 0, ...rest: never[]) => unknown;
export type DeepCode = (self: Fun | 0, ...rest: unknown[]) => Generator<Call, unknown, unknown>;
/** A call that deep code yields to the trampoline: code, closure, arguments. */
export type Call = readonly [code: Code, self: unknown, ...args: unknown[]];

/** A body in two forms. The deep form is created on first use, and null for code without calls. */
export class Code {
  deep: DeepCode | null | undefined;
  constructor(
    public fast: FastCode,
    private readonly makeDeep?: () => DeepCode,
    /** Whether its deep form gets the errors of the frames above it. */
    readonly guards = false,
  ) {
    this.deep = makeDeep === undefined ? null : undefined;
  }

  prepare(): DeepCode | null {
    if (this.deep === undefined) this.deep = this.makeDeep!();
    return this.deep;
  }
}

/** A function value: the number of missing arguments, its code, and its captured values. */
export class Fun {
  constructor(
    readonly n: number,
    /** Fast form. */
    public c: FastCode,
    readonly k: Code,
    readonly e: readonly unknown[],
  ) {}
}

/** A ground type at run time. Equal types are the same object. */
export class TypeRep {
  private static readonly known = new Map<string, TypeRep>();
  private constructor(
    readonly key: string,
    readonly type: LfType,
  ) {}

  /** The type must be without synonyms. */
  static of(type: LfType): TypeRep {
    const key = typeKey(type);
    let rep = TypeRep.known.get(key);
    if (rep === undefined) {
      rep = new TypeRep(key, type);
      TypeRep.known.set(key, rep);
    }
    return rep;
  }

  /** The template or exception, if the type is a bare constructor. */
  get constructorId(): TypeId | undefined {
    return this.type.tag === 'con' ? this.type.id : undefined;
  }
}

function typeKey(type: LfType): string {
  switch (type.tag) {
    case 'con':
      return type.id;
    case 'builtin':
      return `!${type.name}`;
    case 'nat':
      return String(type.value);
    case 'app':
      return `(${typeKey(type.function)} ${typeKey(type.argument)})`;
    case 'struct':
      return `{${type.fields.map(([name, field]) => `${name}:${typeKey(field)}`).join(',')}}`;
    case 'variable':
      return `?${type.name}`;
    case 'syn':
      return `~${type.id}(${type.args.map(typeKey).join(',')})`;
    case 'forall':
      return `^${type.variable}.${typeKey(type.body)}`;
  }
}

/** A value together with its type: Any, AnyException, or a contract as an interface. */
export class Any {
  constructor(
    readonly type: TypeRep,
    readonly value: unknown,
  ) {}
}

const PLAIN_NAME = /^\w+$/;

/** The member for a struct's field: one generated name per field name, the same in every process. */
export function structKey(name: string): string {
  return PLAIN_NAME.test(name) ? `f_${name}` : `x_${Buffer.from(name).toString('hex')}`;
}

export type RuntimeRecord = Readonly<Record<string, unknown>>;

export function listFrom(items: readonly unknown[], tail: Cons = NIL): Cons {
  let list = tail;
  for (let index = items.length - 1; index >= 0; index -= 1) list = new Cons(items[index], list);
  return list;
}

export function listToArray(list: Cons): unknown[] {
  const items: unknown[] = [];
  for (let rest = list; rest !== NIL; rest = rest.t) items.push(rest.h);
  return items;
}
