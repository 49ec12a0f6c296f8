/**
 * Changes code while it is compiled, so that it counts, reports or varies what it does. Code without an instrument is compiled as it is.
 * Instrumented code must not be cached: the store of units returns nothing for its package.
 */
import type { LfExpression } from '../../archive/code/expression.js';
import type { LfPackage } from '../../archive/lf-package.js';
import type { LfWorld } from '../../archive/lf-world.js';
import type { QualifiedName } from '../../model/types.js';
import type { Expression, Lambda } from './expression.js';
import type { Lowering } from './lowering.js';

/** A definition that is compiled. */
export interface CompiledDefinition {
  readonly lf: LfPackage;
  /** The packages that it refers to. */
  readonly world: LfWorld;
  readonly module: string;
  /** Such as `transfer`, `Iou signatories` or `Iou Transfer update`, as in the archive. */
  readonly name: string;
  /** Whether it is a top-level value, not a part of a template or interface. */
  readonly isValue: boolean;
}

/** The instrument of one definition. A definition may be lowered several times; each time gets its own instrument. */
export interface Instrument {
  /**
   * Lowers an expression.
   * @param lower without this instrument
   */
  around?(expression: LfExpression, by: Lowering, lower: () => Expression): Expression;
  /** Changes the whole definition. */
  whole?(lambda: Lambda, by: Lowering): Lambda;
}

export interface Instrumentation {
  /** Undefined for a definition to compile as it is. */
  of(definition: CompiledDefinition): Instrument | undefined;
  /**
   * Changes whether a choice archives its contract.
   * @param owner its template or interface
   * @returns undefined to leave it as it is
   */
  consuming?(
    lf: LfPackage,
    owner: QualifiedName,
    choice: { readonly name: string; readonly consuming: boolean },
  ): (() => boolean) | undefined;
}

/** Several instrumentations of the same code. The first one is the innermost. */
export function together(all: readonly Instrumentation[]): Instrumentation {
  return {
    consuming: (lf, owner, choice) => {
      for (const each of all) {
        const found = each.consuming?.(lf, owner, choice);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    of: (definition) => {
      const found = all.flatMap((each) => each.of(definition) ?? []);
      if (found.length < 2) return found[0];
      return {
        around: (expression, by, lower) =>
          found.reduce<() => Expression>(
            (inner, each) => () => each.around?.(expression, by, inner) ?? inner(),
            lower,
          )(),
        whole: (lambda, by) =>
          found.reduce((inner, each) => each.whole?.(inner, by) ?? inner, lambda),
      };
    },
  };
}
