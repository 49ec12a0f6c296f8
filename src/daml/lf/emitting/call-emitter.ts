/** Emits calls: of definitions and builtins, of functions that are known at the call, and of any others. */
import { BUILTINS } from '../builtins/builtins.js';
import {
  lambda as makeLambda,
  type Binding,
  type Expression,
  type Lambda,
} from '../lowering/expression.js';
import type { Definition } from '../runtime/machine.js';
import type { Unit } from './emitter-unit.js';
import { inlineBuiltin, nameOf } from './emitter-text.js';
import {
  FunctionText,
  STEP,
  type EmittedFunction,
  type Mode,
  type Place,
  type Target,
} from './function-text.js';

/** A name or a literal, which can be repeated. */
const ATOM = /^[\w.[\]]+$/;

type Application = Extract<Expression, { kind: 'apply' }>;

export abstract class CallEmitter extends FunctionText {
  constructor(
    unit: Unit,
    mode: Mode,
    functions: EmittedFunction[],
    lambda: Lambda,
    /** Set for the body of a definition. */
    private readonly self: Definition | undefined,
    outer?: FunctionText,
  ) {
    super(unit, mode, functions, lambda, outer);
  }

  /** Emits statements that assign the expression's value to the target. */
  protected abstract to(target: Target, expression: Expression): void;

  /**
   * Emits statements for the parts of an expression.
   * @returns a JavaScript expression for its value, without effects or errors
   */
  protected abstract value(expression: Expression): string;

  /** A name or a literal, which can be repeated. */
  protected atom(expression: Expression): string {
    const value = this.value(expression);
    return ATOM.test(value) ? value : this.assigned(value);
  }

  /** The values, computed from last to first. */
  protected values(expressions: readonly Expression[]): string[] {
    const values: string[] = [];
    for (let index = expressions.length - 1; index >= 0; index -= 1)
      values.push(this.value(expressions[index]!));
    return values.reverse();
  }

  protected application(target: Target, { fun, args, at }: Application): void {
    if (fun.kind === 'lambda') {
      this.redex(target, fun, args);
      return;
    }
    if (fun.kind === 'builtin') {
      this.builtinCall(target, fun, args, at);
      return;
    }
    const values = this.short(this.values(args));
    if (fun.kind === 'definition' && fun.definition.arity > 0) {
      this.mark(at);
      this.definitionCall(target, fun.definition, values);
      return;
    }
    const known = fun.kind === 'variable' ? this.known.get(fun.binding) : undefined;
    if (known?.arity === values.length) {
      const self = this.reference((fun as { binding: Binding }).binding);
      this.mark(at);
      this.callCode(target, known.number, self, values);
      return;
    }
    const callee = this.atom(fun);
    this.mark(at);
    this.call(target, callee, values);
  }

  private callCode(target: Target, number: number, self: string, values: readonly string[]): void {
    this.calls = true;
    const args = [self, ...values].join(',');
    if (this.mode === 'fast') this.finish(target, `c${number}(${args},M,D)`);
    else if (target === 'return') this.finish(target, `M.tail([C${number},${args}])`);
    else this.finish(target, `(yield[C${number},${args}])`);
  }

  private redex(target: Target, fun: Lambda, args: readonly Expression[]): void {
    const { params } = fun;
    const count = Math.min(params.length, args.length);
    const values = this.values(args);
    for (let index = 0; index < count; index += 1) {
      this.local.add(params[index]!);
      this.temporaries += 1;
      this.out.push(`const ${nameOf(params[index]!)}=${values[index]!};`);
    }
    if (params.length > count) {
      this.finish(target, this.value(makeLambda(params.slice(count), fun.body)));
      return;
    }
    if (args.length === count) {
      this.to(target, fun.body);
      return;
    }
    const [result, ...rest] = this.short([this.value(fun.body), ...values.slice(count)]);
    this.call(target, result!, rest);
  }

  private definitionCall(target: Target, definition: Definition, values: readonly string[]): void {
    const { arity } = definition;
    const name = this.unit.definition(definition);
    if (values.length < arity) {
      this.call(target, this.assigned(`${name}.v`), values);
      return;
    }
    if (values.length > arity) {
      const head = this.temporary();
      this.out.push(`let ${head};`);
      this.definitionCall({ name: head }, definition, values.slice(0, arity));
      this.call(target, head, values.slice(arity));
      return;
    }
    if (definition === this.self && target === 'return') {
      this.loop(values);
      return;
    }
    this.calls = true;
    const args = ['0', ...values].join(',');
    if (this.mode === 'fast') this.finish(target, `${name}.c(${args},M,D)`);
    else if (target === 'return') this.finish(target, `M.tail([${name}.k,${args}])`);
    else this.finish(target, `(yield[${name}.k,${args}])`);
  }

  /** Emits a tail call of the function to itself as a loop. */
  private loop(values: readonly string[]): void {
    this.loops = true;
    this.calls = true;
    const fresh = values.map((value) => this.assigned(value));
    const assignments = this.lambda.params.map(
      (param, index) => `${nameOf(param)}=${fresh[index]!};`,
    );
    this.out.push(`${assignments.join('')}${STEP}continue;`);
  }

  private call(target: Target, fun: string, values: readonly string[]): void {
    this.calls = true;
    const n = values.length;
    const args = values.join(',');
    if (this.mode === 'fast') {
      const general = n <= 3 ? `ap${n}(${fun},${args},M,D)` : `applyAll(${fun},[${args}],M,D)`;
      this.finish(target, `(${fun}.n===${n}?${fun}.c(${fun},${args},M,D):${general})`);
      return;
    }
    const request = `${fun}.n===${n}?[${fun}.k,${fun},${args}]:[APPLY,0,${fun},[${args}]]`;
    this.finish(target, target === 'return' ? `M.tail(${request})` : `(yield(${request}))`);
  }

  private builtinCall(
    target: Target,
    { row, type, observer }: Extract<Expression, { kind: 'builtin' }>,
    args: readonly Expression[],
    at: Place,
  ): void {
    const { arity, code, counts } = BUILTINS[row.name];
    const values = this.values(args);
    this.mark(at);
    if (values.length < arity || code !== undefined) {
      const fun = this.assigned(`V[${row.number}]`);
      this.call(target, fun, this.short(values));
      return;
    }
    let own = values.slice(0, arity);
    if (observer !== undefined) {
      own = own.map((value) => (ATOM.test(value) ? value : this.assigned(value)));
      const call = `${this.constant(observer.of)}.compare(${[observer.number, ...own].join(',')})`;
      this.out.push(`if(M.counts)${call};`);
    }
    const rest = this.short(values.slice(arity));
    const all = counts ? [...own, 'M'] : own;
    const text = inlineBuiltin(row.name, type, own) ?? `B[${row.number}](${all.join(',')})`;
    if (rest.length > 0) this.call(target, this.assigned(text), rest);
    else this.finish(target, text);
  }
}
