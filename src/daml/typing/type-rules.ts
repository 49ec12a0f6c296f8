/** Substitution into types, and their equality up to the names of bound variables. */
import { sameKind } from '../archive/lf-type.js';
import type { Type, Types } from './type.js';

export type Substitution = ReadonlyMap<string, Type>;

/** Bound variables are renamed as the real checker renames them, which error texts show. */
export function substitute(types: Types, substitution: Substitution, type: Type): Type {
  if (type.closed || substitution.size === 0) return type;
  if (!type.plain) return new Renaming(types).go(undefined, substitution, type);
  return substitutePlain(types, substitution, type);
}

function substitutePlain(types: Types, substitution: Substitution, type: Type): Type {
  if (type.closed) return type;
  if (type.tag === 'variable') return substitution.get(type.name) ?? type;
  if (type.tag === 'app') {
    const fun = substitutePlain(types, substitution, type.function);
    const argument = substitutePlain(types, substitution, type.argument);
    return fun === type.function && argument === type.argument ? type : types.app(fun, argument);
  }
  return types.struct(
    type.names,
    type.inner.map((field) => substitutePlain(types, substitution, field)),
  );
}

/** Names that must not be captured; found when the first forall is met. */
type Avoided = ReadonlySet<string> | undefined;

class Renaming {
  constructor(private readonly types: Types) {}

  go(avoided: Avoided, substitution: Substitution, type: Type): Type {
    if (type.closed) return type;
    if (type.plain) return substitutePlain(this.types, substitution, type);
    const inner = (part: Type): Type => this.go(avoided, substitution, part);
    switch (type.tag) {
      case 'app':
        return this.types.app(inner(type.function), inner(type.argument));
      case 'syn':
        return this.types.syn(type.name, type.inner.map(inner));
      case 'struct':
        return this.types.struct(type.names, type.inner.map(inner));
      default:
        return this.forall(avoided ?? mentioned(substitution), substitution, type);
    }
  }

  private forall(avoided: ReadonlySet<string>, substitution: Substitution, type: Type): Type {
    const more = new Map(substitution);
    let { name } = type;
    if (avoided.has(name)) {
      name = freshName(avoided);
      more.set(type.name, this.types.variable(name));
    } else more.delete(name);
    const body = this.go(new Set(avoided).add(name), more, type.body);
    return this.types.forall(name, type.bound!, body);
  }
}

function freshName(avoided: ReadonlySet<string>): string {
  let number = 0;
  while (avoided.has(`$freshVar${number}`)) number += 1;
  return `$freshVar${number}`;
}

/** Variables that occur in the substituted types, including bound ones. */
function mentioned(substitution: Substitution): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Type>();
  const visit = (type: Type): void => {
    if (type.closed || seen.has(type)) return;
    seen.add(type);
    if (type.tag === 'variable') names.add(type.name);
    type.inner.forEach(visit);
  };
  for (const type of substitution.values()) visit(type);
  return names;
}

interface Binder {
  readonly left: string;
  readonly right: string;
  readonly outer: Binder | undefined;
}

/** Here, a synonym is equal only to itself. */
export function alphaEquivalent(left: Type, right: Type, binders?: Binder): boolean {
  if (left === right && (binders === undefined || left.closed)) return true;
  if (left.tag !== right.tag || (left.plain && right.plain && binders === undefined)) return false;
  switch (left.tag) {
    case 'variable': {
      let binder = binders;
      while (binder !== undefined) {
        if (binder.left === left.name || binder.right === right.name)
          return binder.left === left.name && binder.right === right.name;
        binder = binder.outer;
      }
      return left === right;
    }
    case 'forall': {
      const inner = { left: left.name, right: right.name, outer: binders };
      return sameKind(left.bound!, right.bound!) && alphaEquivalent(left.body, right.body, inner);
    }
    case 'syn':
      if (left.name !== right.name) return false;
      break;
    case 'struct':
      if (left.names.join(' ') !== right.names.join(' ')) return false;
      break;
    case 'app':
      break;
    default:
      return false;
  }
  return (
    left.inner.length === right.inner.length &&
    left.inner.every((part, index) => alphaEquivalent(part, right.inner[index]!, binders))
  );
}
