/** Reads a definition for an instrument while it is lowered: the definitions that it uses, and texts of its expressions. */
import type { LfExpression } from '../../archive/code/expression.js';
import { partsWithin } from '../../archive/code/parts-within.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { CompiledDefinition } from '../lowering/instrument.js';
import type { Lowering } from '../lowering/lowering.js';
import { CodeText } from './code-text.js';
import type { DefinitionNames } from './definition-names.js';

/** Expressions that a search for a position looks at. */
const MAX_PARTS = 500;

export class DefinitionReader {
  readonly text: CodeText;
  private readonly aliases = new Map<string, LfExpression>();

  constructor(
    readonly definition: CompiledDefinition,
    private readonly names: DefinitionNames,
  ) {
    this.text = new CodeText(definition.lf, this.aliases);
  }

  /** Called before each expression is lowered. */
  see({ form }: LfExpression): void {
    if (form.kind === 'value') this.names.uses(this.definition, form.id);
    // A variable for a field is printed as the field.
    if (form.kind === 'let')
      for (const { binder, bound } of form.bindings)
        if (bound.form.kind === 'projection') this.aliases.set(binder.name, bound);
  }

  /** The first position in an expression, or in the definitions that are parts of it. */
  firstPlace(by: Lowering, expression: LfExpression): SourceLocation | undefined {
    let left = MAX_PARTS;
    const search = (each: LfExpression): SourceLocation | undefined => {
      if (each.location !== undefined) return by.placeOf(each);
      if (--left < 0) return undefined;
      const { form } = each;
      const part = form.kind === 'value' ? this.text.partOf(form.id) : undefined;
      if (part !== undefined) return search(part);
      for (const inner of partsWithin(form)) {
        const found = search(inner);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    return search(expression);
  }

  /** The position of the first of these expressions that has one, otherwise that of the expression around them. */
  placeOf(by: Lowering, ...at: readonly LfExpression[]): SourceLocation | undefined {
    const located = at.find(({ location }) => location !== undefined);
    return located === undefined ? by.location : by.placeOf(located);
  }
}
