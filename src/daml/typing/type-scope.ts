/** The type variables that are in scope, the innermost first. A scope never changes: it stands for what holds in it. */
import type { LfKind } from '../archive/lf-type.js';

export interface TypeScope {
  readonly outer: TypeScope | undefined;
  readonly name: string;
  readonly kind: LfKind | undefined;
}

/** A scope of its own without variables. */
export function emptyScope(): TypeScope {
  return { outer: undefined, name: '', kind: undefined };
}

export function kindInScope(scope: TypeScope, name: string): LfKind | undefined {
  let inner: TypeScope | undefined = scope;
  while (inner !== undefined && inner.name !== name) inner = inner.outer;
  return inner?.kind;
}
