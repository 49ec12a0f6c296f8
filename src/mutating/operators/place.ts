/** A place in the code of a definition, where operators add their variants. */
import type { LfExpression } from '../../daml/archive/code/expression.js';
import type { SourceLocation } from '../../daml/errors/source-location.js';
import type { Expression, Selector, Variant } from '../../daml/lf/lowering/expression.js';
import type { Lowering } from '../../daml/lf/lowering/lowering.js';
import type { DefinitionReader } from '../../daml/lf/probing/definition-reader.js';
import type { OperatorName } from './mutant.js';

/** A change, with its code before and after it. */
export interface Change {
  readonly operator: OperatorName;
  readonly before: string;
  readonly after: string;
  readonly expression: Expression;
}

/** Numbers a mutant. @returns undefined for a mutant that is left out */
export type AddMutant = (
  change: Omit<Change, 'expression'>,
  at: SourceLocation | undefined,
  /** The number of the first mutant of the same place; undefined if it is this one. */
  place: number | undefined,
  isCompared: boolean,
) => { readonly number: number; readonly isActive: boolean } | undefined;

export class Place {
  constructor(
    readonly reader: DefinitionReader,
    readonly by: Lowering,
    private readonly selector: Selector,
    private readonly add: AddMutant,
    private readonly at: SourceLocation | undefined,
  ) {}

  text(expression: LfExpression): string {
    return this.reader.text.of(expression);
  }

  /**
   * The original, or the change that the selector names.
   * @param isCompared whether all are booleans that are quick to evaluate: only tests with another value run with the mutant
   */
  switched(original: Expression, changes: readonly Change[], isCompared = false): Expression {
    const variants: Variant[] = [];
    let place: number | undefined;
    for (const { expression, ...change } of changes) {
      const added = this.add(change, this.at, place, isCompared);
      if (added === undefined) continue;
      place ??= added.number;
      if (added.isActive) variants.push({ number: added.number, expression });
    }
    if (variants.length === 0) return original;
    return { kind: 'switched', selector: this.selector, original, variants, isCompared };
  }
}

export const TRUE: Expression = { kind: 'constant', value: true };
export const FALSE: Expression = { kind: 'constant', value: false };

/** The opposite of a boolean. */
export const negated = (scrutinee: Expression): Expression => ({
  kind: 'case',
  scrutinee,
  alternatives: [
    { pattern: { kind: 'constant', value: true }, bindings: [], body: FALSE },
    { pattern: { kind: 'default' }, bindings: [], body: TRUE },
  ],
});
