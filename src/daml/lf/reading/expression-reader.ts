/** Reads an expression's bytes, within a package and the bindings around it. */
import type { SourceLocation } from '../../errors/source-location.js';
import type { LfType } from '../../archive/lf-type.js';
import { parseError } from '../../archive/dar-refusals.js';
import type { TypeId } from '../../model/types.js';
import { UNIT } from '../../model/values.js';
import type { Binding, Expression, Operation } from './expression.js';
import { FORMS } from './expression-forms.js';
import type { Definition } from '../runtime/machine.js';
import { TypeRep } from '../runtime/runtime-values.js';
import { Message } from './message.js';

/** Levels of one definition's expressions; real code stays below 200. */
export const MAX_EXPRESSION_DEPTH = 600;
/** Nodes of one definition, its interned parts written out; real code stays below 50,000. */
const MAX_EXPRESSION_NODES = 1_000_000;

/** What a package gives to its expressions. */
export interface ExpressionContext {
  string(index: number): string;
  dottedName(index: number): string;
  typeId(reference: Uint8Array): TypeId;
  /** Without synonyms. */
  type(reference: Uint8Array): LfType;
  interned(index: number): Uint8Array;
  /** The value that a `ValueId` of these parts stands for. */
  value(packageReference: Uint8Array, module: number, name: number): Definition;
  fieldIndex(record: TypeId, field: string): number;
  rank(type: TypeId, constructor: string): number;
}

/** @param own the module that a place without one is in */
export function readLocation(
  context: Pick<ExpressionContext, 'dottedName'>,
  own: string,
  location: Message,
): SourceLocation {
  const module = location.messageAt(1);
  const range = location.messageAt(2);
  return {
    module: module.isEmpty ? own : context.dottedName(module.numberAt(2)),
    line: range.numberAt(1) + 1,
    column: range.numberAt(2) + 1,
  };
}

export class ExpressionReader {
  private readonly scope = new Map<string, Binding>();
  private depth = 0;
  private nodes = 0;
  /** Of the innermost expression that has one. */
  location: SourceLocation | undefined;

  /** @param module whose code it reads: places in it say no more than a line */
  constructor(
    readonly context: ExpressionContext,
    private readonly module: string,
  ) {}

  /** Binds a name for as long as `inside` reads. */
  bound<T>(name: string | undefined, binding: Binding, inside: () => T): T {
    if (name === undefined) return inside();
    const before = this.scope.get(name);
    this.scope.set(name, binding);
    const result = inside();
    if (before === undefined) this.scope.delete(name);
    else this.scope.set(name, before);
    return result;
  }

  name(index: number): string {
    return this.context.string(index);
  }

  read(message: Message): Expression {
    if (++this.nodes > MAX_EXPRESSION_NODES)
      throw parseError(`An expression has more than ${MAX_EXPRESSION_NODES} parts`);
    if (++this.depth > MAX_EXPRESSION_DEPTH)
      throw parseError(`An expression nests deeper than ${MAX_EXPRESSION_DEPTH} levels`);
    const outer = this.location;
    let result: Expression | undefined;
    while (message.next()) {
      if (message.field === 1)
        this.location = readLocation(this.context, this.module, message.message());
      else result = this.readSum(message);
    }
    this.depth -= 1;
    this.location = outer;
    if (result === undefined) throw parseError('Expr.SUM_NOT_SET');
    return result;
  }

  /** The entry takes the place of what refers to it, and nests no deeper, as the type checker has it. */
  private readInterned(index: number): Expression {
    this.depth -= 1;
    const expression = this.read(Message.of(this.context.interned(index)));
    this.depth += 1;
    return expression;
  }

  /** Reads what stands behind a chain of locations, type applications and type abstractions. */
  private readSum(message: Message): Expression {
    switch (message.field) {
      case 2:
        return this.variable(this.name(message.int()));
      case 4:
        return { kind: 'builtin', number: message.int(), type: undefined };
      case 5: {
        const constant = message.int();
        return { kind: 'constant', value: constant === 0 ? UNIT : constant === 2 };
      }
      case 44:
        return this.readInterned(message.int());
      default: {
        const read = FORMS[message.field];
        if (read === undefined) throw parseError(`Expr: unexpected field ${message.field}`);
        return read(this, message.message());
      }
    }
  }

  variable(name: string): Expression {
    const binding = this.scope.get(name);
    if (binding === undefined) throw parseError(`unknown variable: ${name}`);
    return { kind: 'variable', binding };
  }

  /** Two parts, of which the first is the type that matters at run time. */
  operation(
    name: string,
    constants: readonly unknown[],
    args: readonly Message[],
    more: Partial<Operation> = {},
  ): Operation {
    const read = args.map((arg) => this.read(arg));
    const at = this.location;
    return { kind: 'operation', name, constants, args: read, calls: false, at, ...more };
  }

  typeRep(type: Message): TypeRep {
    return TypeRep.of(this.context.type(type.view));
  }

  /** The type constructor of a `Type.Con`. */
  constructorOf(typeCon: Message): TypeId {
    return this.context.typeId(typeCon.viewAt(1));
  }
}
