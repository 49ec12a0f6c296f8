/**
 * The type variables that are in scope, the innermost first. A scope is immutable, so that results for types can
 * refer to it.
 */
import type { LfKind } from '../archive/lf-type.js';

export interface TypeScope {
  readonly outer: TypeScope | undefined;
  readonly name: string;
  readonly kind: LfKind | undefined;
}

/** A new scope without variables. */
export function emptyScope(): TypeScope {
  return { outer: undefined, name: '', kind: undefined };
}

export function kindInScope(scope: TypeScope, name: string): LfKind | undefined {
  let inner: TypeScope | undefined = scope;
  while (inner !== undefined && inner.name !== name) inner = inner.outer;
  return inner?.kind;
}
