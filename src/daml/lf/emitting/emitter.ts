/**
 * Writes a definition as JavaScript, in the fast and in the deep form. What it writes is made of numbers and of names of
 * its own; texts and all else of the archive are handed over in an array. A call that is not the last thing that a
 * body does goes to a temporary, so the order of evaluation is the order of statements: arguments from the last to the
 * first, then the function, as the real interpreter has it.
 */
import { BUILTINS } from '../builtins/builtins.js';
import {
  lambda as makeLambda,
  type Alternative,
  type Binding,
  type Case,
  type Expression,
  type Lambda,
} from '../reading/expression.js';
import { builtinFunction } from './builtin-functions.js';
import { conditionOf, inlineBuiltin, isExhaustive, nameOf } from './emitter-text.js';
import type { Unit } from './emitter-unit.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { Definition } from '../runtime/machine.js';
import { NIL, structKey } from '../runtime/runtime-values.js';
import { UNIT } from '../../model/values.js';

export type Mode = 'fast' | 'deep';

type Place = SourceLocation | undefined;
type Application = Extract<Expression, { kind: 'apply' }>;

/** Where a value goes: out of the function, or into a variable. */
type Target = 'return' | { readonly name: string };

interface EmittedFunction {
  readonly text: string;
  readonly places: readonly Place[];
}

export interface EmittedModule {
  readonly source: string;
  /** Where in Daml's source each line comes from. */
  readonly places: readonly Place[];
}

/** What compiled code is made of, as `program.ts` hands it over. */
const RUNTIME_NAMES =
  'M Cons NIL Some Variant Fun UNIT O B V APPLY FORCE deep tail ap1 ap2 ap3 applyAll overrun noMatch LIM equal addInt subInt mulInt'.split(
    ' ',
  );

/** The source of a module: its functions in the order of their numbers, undefined where a form does not exist. */
export function emitModule(unit: Unit, body: Lambda, self: Definition, mode: Mode): EmittedModule {
  const functions: EmittedFunction[] = [];
  const emitter = new FunctionEmitter(unit, mode, functions, body, self);
  emitter.emit();
  const text = functions.map((each) => each.text).join('\n');
  const header = [
    `const {${RUNTIME_NAMES.filter((name) => text.includes(name)).join(',')}}=R;`,
    ...unit.definitions.map((_, index) => `const D${index}=D[${index}];`),
    ...unit.lambdas.map((_, index) => `const C${index}=C[${index}];`),
  ];
  const names = unit.lambdas.map((_, index) =>
    mode === 'deep' && unit.leaves.has(index) ? 'undefined' : `c${index}`,
  );
  return {
    source: `"use strict";${header.join('')}\n${text}\nreturn [${names.join(',')}];`,
    places: [undefined, ...functions.flatMap(({ places }) => places)],
  };
}

class FunctionEmitter {
  private out: string[] = [];
  /** Of each line of `out`. */
  private readonly places: Place[] = [undefined];
  private readonly local = new Set<Binding>();
  private readonly known = new Map<Binding, { number: number; arity: number }>();
  private captured: Binding[];
  private temporaries = 0;
  private calls = false;
  private loops = false;
  private readonly number: number;

  constructor(
    private readonly unit: Unit,
    private readonly mode: Mode,
    private readonly functions: EmittedFunction[],
    private readonly lambda: Lambda,
    /** Set for the body of a definition. */
    private readonly self: Definition | undefined,
    private readonly outer?: FunctionEmitter,
  ) {
    this.number = unit.number(lambda);
    this.captured = unit.captured[this.number] ?? [];
    unit.captured[this.number] = this.captured;
    if (outer) for (const [binding, how] of outer.known) this.known.set(binding, how);
  }

  emit(): void {
    const { params, body } = this.lambda;
    for (const param of params) this.local.add(param);
    this.to('return', body);
    if (!this.calls) this.unit.leaves.add(this.number);
    if (this.mode === 'deep' && this.unit.leaves.has(this.number) && !this.calls) return;
    const names = params.map(nameOf);
    const loads = this.captured.map((binding, index) => `const ${nameOf(binding)}=S.e[${index}];`);
    // In parentheses, as it will be called: so V8 compiles it with the script, not in a pass of its own.
    const head = `var c${this.number}=(function${this.mode === 'fast' ? '' : '*'}(S,${[...names, 'd'].join(',')}){`;
    const text = this.out.join('');
    const looped = this.loops ? `for(;;){${text}}` : text;
    const whole = `${head}${this.prologue(names)}${loads.join('')}${looped}});`;
    this.functions.push({ text: whole, places: this.places });
  }

  /** What is emitted next comes from there: it gets a line of its own. */
  private mark(place: Place): void {
    if (place === this.places[this.places.length - 1]) return;
    this.places.push(place);
    this.out.push('\n');
  }

  private prologue(names: readonly string[]): string {
    if (!this.calls) return '';
    if (this.mode === 'deep') return 'const D=d;';
    const bytes = 110 + 10 * (this.temporaries + names.length + this.captured.length);
    const args = ['S', ...names].join(',');
    return `if(d>LIM)return deep(C${this.number},[${args}],d);if(++M.steps>M.limit)overrun();const D=d+${bytes};`;
  }

  private temporary(): string {
    return `t${this.temporaries++}`;
  }

  private reference(binding: Binding): string {
    if (!this.local.has(binding) && !this.captured.includes(binding)) this.captured.push(binding);
    return nameOf(binding);
  }

  private finish(target: Target, value: string): void {
    this.out.push(target === 'return' ? `return ${value};` : `${target.name}=${value};`);
  }

  /** Emits statements that leave the expression's value where it is wanted. */
  private to(target: Target, expression: Expression): void {
    switch (expression.kind) {
      case 'let':
        this.bind(expression.binding, expression.bound);
        this.to(target, expression.body);
        return;
      case 'case':
        this.cases(target, expression);
        return;
      case 'apply':
        this.application(target, expression);
        return;
      default:
        this.finish(target, this.value(expression));
    }
  }

  private bind(binding: Binding, bound: Expression): void {
    const name = nameOf(binding);
    this.temporaries += 1;
    if (bound.kind === 'let' || bound.kind === 'case' || bound.kind === 'apply') {
      this.out.push(`let ${name};`);
      this.to({ name }, bound);
    } else {
      const value = this.value(bound);
      this.out.push(`const ${name}=${value};`);
    }
    this.local.add(binding);
    if (bound.kind === 'lambda')
      this.known.set(binding, { number: this.unit.number(bound), arity: bound.params.length });
  }

  /** An expression without effect or failure that stands for the value, after statements that computed its parts. */
  private value(expression: Expression): string {
    switch (expression.kind) {
      case 'variable':
        return this.reference(expression.binding);
      case 'constant':
        return this.constant(expression.value);
      case 'definition':
        return this.definition(expression.definition);
      case 'builtin':
        return this.builtin(expression.number);
      case 'lambda':
        return this.closure(expression);
      case 'record': {
        const values = this.values(expression.fields);
        return values.length === 0
          ? 'UNIT'
          : `{${values.map((value, index) => `p${index}:${value}`).join(',')}}`;
      }
      case 'struct':
        return this.struct(expression.names, this.values(expression.fields));
      case 'project':
        return `${this.atom(expression.record)}.p${expression.index}`;
      case 'member':
        return `${this.atom(expression.struct)}.${expression.key}`;
      case 'update': {
        const [target, value] = this.values([expression.target, expression.value]);
        return `{...${target},${expression.key}:${value}}`;
      }
      case 'variant':
        return `new Variant(${expression.rank},${this.value(expression.value)})`;
      case 'some':
        return `new Some(${this.value(expression.value)})`;
      case 'cons': {
        const values = this.values([...expression.front, expression.tail]);
        return values.reduceRight((tail, head) => `new Cons(${head},${tail})`);
      }
      case 'operation': {
        const values = this.values(expression.args);
        const constants = expression.constants.map((each) => this.constant(each));
        if (expression.calls) this.calls = true;
        const depth = expression.calls ? ['D'] : [];
        this.mark(expression.at);
        const call = `O.${expression.name}(${[...constants, ...values, ...depth].join(',')})`;
        return expression.total === true ? call : this.assigned(call);
      }
      default: {
        const name = this.temporary();
        this.out.push(`let ${name};`);
        this.to({ name }, expression);
        return name;
      }
    }
  }

  /** A name or a literal: it may be written twice. */
  private atom(expression: Expression): string {
    const value = this.value(expression);
    return /^[\w.[\]]+$/.test(value) ? value : this.assigned(value);
  }

  private assigned(value: string): string {
    const name = this.temporary();
    this.out.push(`const ${name}=${value};`);
    return name;
  }

  /** Computed from the last to the first. */
  private values(expressions: readonly Expression[]): string[] {
    const values: string[] = [];
    for (let index = expressions.length - 1; index >= 0; index -= 1)
      values.push(this.value(expressions[index]!));
    return values.reverse();
  }

  private constant(value: unknown): string {
    if (typeof value === 'boolean' || value === null) return String(value);
    if (value === undefined) return 'undefined';
    if (typeof value === 'number') return value < 0 ? `(${value})` : String(value);
    if (value === UNIT) return 'UNIT';
    return value === NIL ? 'NIL' : this.unit.constant(value);
  }

  private struct(names: readonly string[], values: readonly string[]): string {
    const order = names.map((name, index) => [name, values[index]!] as const);
    order.sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${order.map(([name, value]) => `${structKey(name)}:${value}`).join(',')}}`;
  }

  /** A definition as a value: a constant is computed when it is first asked for. */
  private definition(definition: Definition): string {
    const name = this.unit.definition(definition);
    if (definition.arity > 0) return `${name}.v`;
    this.calls = true;
    const force = this.mode === 'fast' ? `${name}.force(D)` : `(yield[FORCE,0,${name}])`;
    return this.assigned(`(${name}.v!==undefined?${name}.v:${force})`);
  }

  private builtin(number: number): string {
    builtinFunction(number);
    return `V[${number}]`;
  }

  private closure(lambda: Lambda): string {
    const inner = new FunctionEmitter(
      this.unit,
      this.mode,
      this.functions,
      lambda,
      undefined,
      this,
    );
    inner.emit();
    const environment = inner.captured.map((binding) => this.reference(binding)).join(',');
    return `new Fun(${lambda.params.length},${this.codeOf(inner.number)},C${inner.number},[${environment}])`;
  }

  /** In the deep form of a module the fast code is in the Code alone. */
  private codeOf(number: number): string {
    return this.mode === 'fast' ? `c${number}` : `C${number}.fast`;
  }

  private application(target: Target, { fun, args, at }: Application): void {
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
    if (this.mode === 'fast') this.finish(target, `c${number}(${args},D)`);
    else if (target === 'return') this.finish(target, `tail([C${number},${args}])`);
    else this.finish(target, `(yield[C${number},${args}])`);
  }

  /** Long texts are written once. */
  private short(values: readonly string[]): string[] {
    return values.map((value) => (value.length > 24 ? this.assigned(value) : value));
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
    if (this.mode === 'fast') this.finish(target, `${name}.c(${args},D)`);
    else if (target === 'return') this.finish(target, `tail([${name}.k,${args}])`);
    else this.finish(target, `(yield[${name}.k,${args}])`);
  }

  /** A call of the function itself as the last thing that it does. */
  private loop(values: readonly string[]): void {
    this.loops = true;
    this.calls = true;
    const fresh = values.map((value) => this.assigned(value));
    const assignments = this.lambda.params.map(
      (param, index) => `${nameOf(param)}=${fresh[index]!};`,
    );
    this.out.push(`${assignments.join('')}if(++M.steps>M.limit)overrun();continue;`);
  }

  private call(target: Target, fun: string, values: readonly string[]): void {
    this.calls = true;
    const n = values.length;
    const args = values.join(',');
    if (this.mode === 'fast') {
      const general = n <= 3 ? `ap${n}(${fun},${args},D)` : `applyAll(${fun},[${args}],D)`;
      this.finish(target, `(${fun}.n===${n}?${fun}.c(${fun},${args},D):${general})`);
      return;
    }
    const request = `${fun}.n===${n}?[${fun}.k,${fun},${args}]:[APPLY,0,${fun},[${args}]]`;
    this.finish(target, target === 'return' ? `tail(${request})` : `(yield(${request}))`);
  }

  private builtinCall(
    target: Target,
    { number, type }: Extract<Expression, { kind: 'builtin' }>,
    args: readonly Expression[],
    at: Place,
  ): void {
    const builtin = BUILTINS[number];
    builtinFunction(number);
    const values = this.values(args);
    this.mark(at);
    const { arity } = builtin!;
    if (values.length < arity || builtin!.code !== undefined) {
      const fun = this.assigned(`V[${number}]`);
      this.call(target, fun, this.short(values));
      return;
    }
    const own = values.slice(0, arity);
    const rest = this.short(values.slice(arity));
    const text = inlineBuiltin(number, type, own) ?? `B[${number}](${own.join(',')})`;
    if (rest.length > 0) this.call(target, this.assigned(text), rest);
    else this.finish(target, text);
  }

  private cases(target: Target, { scrutinee, alternatives }: Case): void {
    const subject = this.atom(scrutinee);
    const first = alternatives[0]?.pattern;
    if (first?.kind === 'rank' || alternatives.some(({ pattern }) => pattern.kind === 'rank')) {
      this.ranks(target, subject, alternatives);
      return;
    }
    for (const [index, alternative] of alternatives.entries()) {
      const condition = conditionOf(subject, alternative);
      const last = index === alternatives.length - 1;
      // The last pattern of an exhaustive match needs no test.
      const always = condition === undefined || (last && isExhaustive(alternatives));
      if (!always) this.out.push(`if(${condition}){`);
      else this.out.push('{');
      this.alternative(target, subject, alternative);
      this.out.push('}');
      if (always) return;
      this.out.push('else ');
    }
    this.out.push('noMatch();');
  }

  private alternative(
    target: Target,
    subject: string,
    { pattern, bindings, body }: Alternative,
  ): void {
    const parts =
      pattern.kind === 'cons' ? ['h', 't'] : pattern.kind === 'some' ? ['value'] : ['v'];
    for (const [index, binding] of bindings.entries()) {
      this.local.add(binding);
      this.temporaries += 1;
      this.out.push(`const ${nameOf(binding)}=${subject}.${parts[index]};`);
    }
    this.to(target, body);
  }

  private ranks(target: Target, subject: string, alternatives: readonly Alternative[]): void {
    const variant = alternatives.some(({ pattern }) => pattern.kind === 'rank' && pattern.variant);
    this.out.push(`switch(${subject}${variant ? '.t' : ''}){`);
    let complete = false;
    const seen = new Set<number>();
    for (const alternative of alternatives) {
      const { pattern } = alternative;
      if (complete || (pattern.kind === 'rank' && seen.has(pattern.rank))) continue;
      if (pattern.kind === 'rank') seen.add(pattern.rank);
      complete = pattern.kind !== 'rank';
      this.out.push(pattern.kind === 'rank' ? `case ${pattern.rank}:{` : 'default:{');
      this.alternative(target, subject, alternative);
      this.out.push(target === 'return' ? '}' : 'break;}');
    }
    if (!complete) this.out.push('default:noMatch();');
    this.out.push('}');
  }
}
