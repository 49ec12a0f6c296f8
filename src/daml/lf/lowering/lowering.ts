/** Lowers expressions of an archive to those that the emitter writes as JavaScript, within a package and a scope of bindings. */
import type { SourceLocation } from '../../errors/source-location.js';
import type { LfExpression } from '../../archive/code/expression.js';
import { ExpressionSize } from '../../archive/code/limits.js';
import { moduleName, moduleOf, RangeField, rangeOf } from '../../archive/code/places.js';
import type { LfType } from '../../archive/lf-type.js';
import { parseError } from '../../archive/dar-refusals.js';
import type { LfTables } from '../../archive/lf-tables.js';
import type { Message } from '../../archive/wire/message.js';
import type { TypeId } from '../../model/types.js';
import type { Binding, Expression, Operation } from './expression.js';
import type { Instrument } from './instrument.js';
import { FORMS, type AnyLower } from './lower-forms.js';
import type { Definition } from '../runtime/machine.js';
import { TypeRep } from '../runtime/runtime-values.js';

/** The package's definitions for its expressions. */
export interface ExpressionContext {
  /** The type at this index of the package's table, without synonyms. */
  type(index: number): LfType;
  /**
   * @param number of its interned name
   * @param home the start of the choice that refers to it, if known
   */
  value(id: TypeId, number: number, home?: SourceLocation): Definition;
  fieldIndex(record: TypeId, field: string): number;
  /** Of a variant or an enum, in their order. */
  constructors(type: TypeId): readonly string[];
  rank(type: TypeId, constructor: string): number;
}

/** @param own the module of a position that names none */
export function sourceLocation(tables: LfTables, own: string, location: Message): SourceLocation {
  const [module, range] = [moduleOf(location), rangeOf(location)];
  return {
    module: module.isEmpty ? own : moduleName(tables, module),
    line: range.numberAt(RangeField.StartLine) + 1,
    column: range.numberAt(RangeField.StartColumn) + 1,
  };
}

export class Lowering {
  private readonly scope = new Map<string, Binding>();
  private readonly size = new ExpressionSize();
  /** The position of the innermost expression that has one. */
  location: SourceLocation | undefined;

  /** @param module the module of the code; positions in it need only a line */
  constructor(
    readonly context: ExpressionContext,
    private readonly module: string,
    /** Whether variables keep their names. */
    private readonly isNamed = false,
    private instrument?: Instrument,
    /** The start of the choice that the code belongs to, if known. */
    readonly home?: SourceLocation,
  ) {}

  /** Binds a name while `inside` runs. */
  bound<T>(name: string, binding: Binding, inside: () => T): T {
    const before = this.scope.get(name);
    if (this.isNamed) binding.name = name;
    this.scope.set(name, binding);
    const result = inside();
    if (before === undefined) this.scope.delete(name);
    else this.scope.set(name, before);
    return result;
  }

  /** Binds several names, the first one outermost. */
  within<T>(names: readonly string[], bindings: readonly Binding[], inside: () => T): T {
    const from = (index: number): T =>
      index === names.length
        ? inside()
        : this.bound(names[index]!, bindings[index]!, () => from(index + 1));
    return from(0);
  }

  lower(expression: LfExpression): Expression {
    this.size.enter();
    const { form, location, code } = expression;
    const outer = this.location;
    if (location !== undefined)
      this.location = sourceLocation(code.lf.tables, this.module, location);
    const plain = () => (FORMS[form.kind] as AnyLower)(this, form, expression);
    const result = this.instrument?.around?.(expression, this, plain) ?? plain();
    this.location = outer;
    this.size.leave();
    return result;
  }

  /** Lowers an expression of the same scope without the instrument. */
  lowerPlain(expression: LfExpression): Expression {
    const { instrument } = this;
    this.instrument = undefined;
    const lowered = this.lower(expression);
    this.instrument = instrument;
    return lowered;
  }

  /** The position of an expression, or of the expression around it. */
  placeOf({ location, code }: LfExpression): SourceLocation | undefined {
    return location === undefined
      ? this.location
      : sourceLocation(code.lf.tables, this.module, location);
  }

  /** The position of a statement, if code is compiled for debugging. */
  statement({ location, code }: LfExpression): { readonly at?: SourceLocation } {
    if (!this.isNamed || location === undefined) return {};
    return { at: sourceLocation(code.lf.tables, this.module, location) };
  }

  variable(name: string): Expression {
    const binding = this.scope.get(name);
    if (binding === undefined) throw parseError(`unknown variable: ${name}`);
    return { kind: 'variable', binding };
  }

  /** An operation with the constants that the runtime needs. */
  operation(
    name: string,
    constants: readonly unknown[],
    args: readonly LfExpression[],
    more: Partial<Operation> = {},
  ): Operation {
    const lowered = args.map((arg) => this.lower(arg));
    const at = this.location;
    return { kind: 'operation', name, constants, args: lowered, calls: false, at, ...more };
  }

  typeRep(index: number): TypeRep {
    return TypeRep.of(this.context.type(index));
  }
}
