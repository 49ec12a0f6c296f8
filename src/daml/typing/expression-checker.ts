/**
 * Computes the types of expressions in the order of the real checker, so that both report the same error first.
 * This file walks through the tree. Other files in the folder have the forms of expressions.
 */
import type { LfExpression } from '../archive/code/expression.js';
import type { FormOf, TypeConApp } from '../archive/code/form.js';
import { ExpressionSize } from '../archive/code/limits.js';
import type { LfPackage } from '../archive/lf-package.js';
import { Checking, TypeMismatch } from './checking.js';
import type { DataType, Entity } from './entities.js';
import { RULES, type AnyRule } from './expression-rules.js';
import { prettyType } from './type-text.js';
import type { Type } from './type.js';

/** A data type with all its type arguments. */
export interface Instance {
  readonly entity: Entity;
  readonly data: DataType;
  readonly args: readonly Type[];
  readonly type: Type;
}

export class ExpressionChecker extends Checking {
  /** Types of the variables in scope. */
  private readonly variables = new Map<string, Type | undefined>();
  /** The outer variables that `bind` replaced, with their types. `unbind` restores them. */
  private readonly hidden: [string, Type | undefined][] = [];
  private size = new ExpressionSize();
  private readonly instances = new Map<Type, Instance>();

  override enterPackage(lf: LfPackage): void {
    super.enterPackage(lf);
    this.variables.clear();
    this.hidden.length = 0;
  }

  /** The position to pass to `unbind` later. */
  get mark(): number {
    return this.hidden.length;
  }

  /** Brings a variable into scope. */
  bind(name: string, type: Type): void {
    this.hidden.push([name, this.variables.get(name)]);
    this.variables.set(name, type);
  }

  unbind(mark: number): void {
    while (this.hidden.length > mark) {
      const [name, type] = this.hidden.pop()!;
      this.variables.set(name, type);
    }
  }

  variable(name: string): Type {
    return (
      this.variables.get(name) ?? this.fail('EUnknownExprVar', `unknown expr variable: ${name}`)
    );
  }

  /** Checks a definition's expression against its type. An absent expression is valid. */
  checkTop(bytes: Uint8Array | undefined, expected: Type): void {
    this.size = new ExpressionSize();
    const found = this.typeOf(this.code.expression(bytes));
    if (found !== expected && !this.equivalent(found, expected)) this.mismatch(found, expected);
  }

  typeOf(expression: LfExpression): Type {
    this.size.enter();
    const { form } = expression;
    const outer = this.location;
    this.location = expression.location ?? outer;
    const type = (RULES[form.kind] as AnyRule)(this, form, expression);
    this.location = outer;
    this.size.leave();
    return type;
  }

  /** The type of an expression, which must be equivalent to `expected`. */
  checkExpression(expression: LfExpression, expected: Type): Type {
    const found = this.typeOf(expression);
    if (found === expected || this.equivalent(found, expected)) return found;
    const { form, location } = expression;
    if (form.kind === 'projection' && location === undefined)
      this.fail(
        'EFieldTypeMismatch',
        `Tried to use field ${form.field} with type ${prettyType(found)} on value of type ` +
          `${prettyType(this.instance(form.con).type)}, but that field has type ${prettyType(expected)}`,
      );
    return this.mismatch(found, expected);
  }

  /** Treats nested type applications as one, like the real checker. */
  typeApplication(outermost: FormOf<'typeApplication'>): Type {
    const types = [...outermost.types];
    let { head } = outermost;
    for (;;) {
      const { form, location } = head;
      if (form.kind !== 'typeApplication' || location !== undefined) break;
      types.unshift(...form.types);
      head = form.head;
    }
    const type = this.typeOf(head);
    return this.applyType(
      type,
      types.map((index) => this.type(index)),
    );
  }

  private applyType(head: Type, types: readonly Type[]): Type {
    const bindings = new Map<string, Type>();
    let body = head;
    for (const type of types) {
      const forall = body.tag === 'forall' ? body : this.expand(body);
      if (forall.tag !== 'forall')
        this.fail(
          'EExpectedUniversalType',
          `expected universal type, but found: ${prettyType(body)}`,
        );
      this.checkType(type, forall.bound);
      bindings.set(forall.name, type);
      body = forall.body;
    }
    return this.substitute(bindings, body);
  }

  /** The named data type, with checked arguments. */
  instance(con: TypeConApp): Instance {
    const entity = this.entities.get(con.id);
    const data = this.dataType(entity);
    const args = con.args.map((arg) => this.type(arg));
    const { params } = data.lf;
    const type = args.reduce((fun, arg) => this.types.app(fun, arg), entity.type);
    if (params.length !== args.length)
      this.fail('ETypeConAppWrongArity', `wrong arity in typecon application: ${prettyType(type)}`);
    for (let n = 0; n < args.length; n += 1) this.checkType(args[n]!, params[n]![1]);
    let instance = this.instances.get(type);
    if (instance === undefined) {
      instance = { entity, data, args, type };
      this.instances.set(type, instance);
    }
    return instance;
  }

  /** Reports each mismatch in a method or view as an error of the method or view. */
  naming<T>(run: () => T, refuse: (mismatch: TypeMismatch) => never): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof TypeMismatch)) throw error;
      return refuse(error);
    }
  }
}
