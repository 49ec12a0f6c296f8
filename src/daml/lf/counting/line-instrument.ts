/** Adds the counters of lines and functions to compiled code. */
import type { LfExpression } from '../../archive/code/expression.js';
import { counted, type Expression, type Lambda } from '../lowering/expression.js';
import type { CompiledDefinition, Instrument, Instrumentation } from '../lowering/instrument.js';
import type { LineCounting, ModuleLines } from './line-counts.js';
import { spanOf } from './located.js';

export class LineInstrumentation implements Instrumentation {
  constructor(private readonly counting: LineCounting) {}

  of(definition: CompiledDefinition): Instrument | undefined {
    const lines = this.counting.linesOf(definition.lf, definition.module);
    return lines && new LineInstrument(definition, lines);
  }
}

class LineInstrument implements Instrument {
  /** Numbers of the places around the current expression. */
  private readonly surrounding = new Set<number>();

  constructor(
    private readonly definition: CompiledDefinition,
    private readonly lines: ModuleLines,
  ) {}

  around(expression: LfExpression, _by: unknown, lower: () => Expression): Expression {
    const number = this.numberOf(expression);
    if (number === undefined) return lower();
    this.surrounding.add(number);
    const lowered = lower();
    this.surrounding.delete(number);
    return counted(lowered, this.lines.runs, [number], this.lines.reached);
  }

  /** The number of an expression's place, unless an outer expression at the same place already counts. */
  private numberOf(expression: LfExpression): number | undefined {
    const { module, name, isValue } = this.definition;
    const span = spanOf(expression, module);
    const number = span && this.lines.numberOf(isValue ? name : '', span);
    return number === undefined || this.surrounding.has(number) ? undefined : number;
  }

  /** Counts the calls of a function, and the starts of a choice, which has no places. */
  whole(lambda: Lambda): Lambda {
    const { lines } = this;
    const { name } = this.definition;
    const number = lines.functionOf(name);
    const called = number === undefined ? lambda.body : counted(lambda.body, lines.calls, [number]);
    const begun = lines.choicePlaces(name);
    const body = begun.length === 0 ? called : counted(called, lines.runs, begun, lines.reached);
    return { ...lambda, body };
  }
}
