/**
 * Prints expressions as Scala prints their syntax tree. NOTE: forms for which no real error was observed are
 * printed as `…`. One of them is an expression with a source location.
 */
import type { LfExpression } from '../archive/code/expression.js';
import { Constant, type FieldValue, type Literal, type TypeConApp } from '../archive/code/form.js';
import { formatDate, formatTimestamp } from '../model/time.js';
import { showType } from './type-text.js';
import type { Type } from './type.js';

const OTHER = '…';

/** @param typeOf returns the type at an index of the package's table of types */
export class ExpressionText {
  constructor(private readonly typeOf: (index: number) => Type) {}

  fields(fields: readonly FieldValue[]): string {
    return immutableArray(fields.map(({ name, value }) => `(${name},${this.expression(value)})`));
  }

  con({ id, args }: TypeConApp): string {
    return `TypeConApp(${id},${immutableArray(args.map((arg) => this.type(arg)))})`;
  }

  private type(index: number): string {
    return showType(this.typeOf(index));
  }

  private expression(of: LfExpression): string {
    if (of.location !== undefined) return OTHER;
    const { form } = of;
    switch (form.kind) {
      case 'variable':
        return `EVar(${form.name})`;
      case 'value':
        return `EVal(${form.id})`;
      case 'constant':
        return `EBuiltinCon(BC${Constant[form.constant]})`;
      case 'literal':
        return `EBuiltinLit(${literalText(form.literal)})`;
      case 'record':
        return `ERecCon(${this.con(form.con)},${this.fields(form.fields)})`;
      case 'variant':
        return `EVariantCon(${this.con(form.con)},${form.name},${this.expression(form.value)})`;
      case 'enum':
        return `EEnumCon(${form.id},${form.name})`;
      case 'struct':
        return `EStructCon(${this.fields(form.fields)})`;
      case 'nil':
        return `ENil(${this.type(form.type)})`;
      case 'none':
        return `ENone(${this.type(form.type)})`;
      case 'some':
        return `ESome(${this.type(form.type)},${this.expression(form.value)})`;
      case 'application':
        return form.args.reduce(
          (head, arg) => `EApp(${head},${this.expression(arg)})`,
          this.expression(form.fun),
        );
      default:
        return OTHER;
    }
  }
}

function immutableArray(items: readonly string[]): string {
  return `ImmArray(${items.join(',')})`;
}

function literalText(literal: Literal): string {
  switch (literal.type) {
    case 'Timestamp':
      return `BLTimestamp(${formatTimestamp(literal.value)})`;
    case 'Date':
      return `BLDate(${formatDate(literal.value)})`;
    case 'Int64':
    case 'Numeric':
    case 'Text':
      return `BL${literal.type}(${literal.value.toString()})`;
    default:
      return OTHER;
  }
}
