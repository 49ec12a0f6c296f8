/**
 * Emits a definition as JavaScript, in fast and deep form. The source contains only numbers and generated names; texts and other data of
 * the archive are in an array of constants. Every call except a tail call is assigned to a temporary. So the order of
 * statements is the order of evaluation: arguments from last to first, then the function, as in the real interpreter.
 */
import type {
  Alternative,
  Binding,
  Case,
  Counted,
  Expression,
  Lambda,
  Operation,
  Switched,
} from '../lowering/expression.js';
import type { Definition } from '../runtime/machine.js';
import { heapOperations } from '../runtime/heap-operations.js';
import { structKey } from '../runtime/runtime-values.js';
import { CallEmitter } from './call-emitter.js';
import { conditionOf, isExhaustive, nameOf } from './emitter-text.js';
import type { Unit } from './emitter-unit.js';
import type { EmittedFunction, Mode, Place, Target } from './function-text.js';

export interface EmittedModule {
  readonly source: string;
  /** The position in Daml's source of each line. */
  readonly places: readonly Place[];
}

/** The runtime functions for compiled code, which `program.ts` passes to it. */
const RUNTIME_NAMES =
  'Cons NIL Some Variant Fun UNIT O HEAP B V APPLY FORCE deep ap1 ap2 ap3 applyAll spent noMatch LIM equal equalText addInt subInt mulInt'.split(
    ' ',
  );

/** The source of a module: its functions ordered by number, undefined if a form does not exist. */
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

/** Expressions that become statements. */
const STATEMENTS: readonly Expression['kind'][] = ['let', 'case', 'apply', 'switched'];

class FunctionEmitter extends CallEmitter {
  emit(): void {
    const { params, body } = this.lambda;
    for (const param of params) this.local.add(param);
    this.to('return', body);
    if (!this.calls) this.unit.leaves.add(this.number);
    if (this.mode === 'deep' && this.unit.leaves.has(this.number) && !this.calls) return;
    const names = params.map(nameOf);
    const loads = this.captured.map((binding, index) => `const ${nameOf(binding)}=S.e[${index}];`);
    // In parentheses, like a function that is called at once, so that V8 compiles it with the script.
    const head = `var c${this.number}=(function${this.mode === 'fast' ? '' : '*'} ${this.unit.functionName}(S,${[...names, 'M', 'd'].join(',')}){`;
    const text = this.out.join('');
    const looped = this.loops ? `for(;;){${text}}` : text;
    const whole = `${head}${this.prologue(names)}${loads.join('')}${looped}});`;
    this.functions.push({ text: whole, places: this.places });
  }

  /** Emits statements that assign the expression's value to the target. */
  protected to(target: Target, expression: Expression): void {
    switch (expression.kind) {
      case 'let':
        if (expression.at !== undefined) this.mark(expression.at);
        this.bind(expression.binding, expression.bound);
        this.to(target, expression.body);
        return;
      case 'case':
        this.cases(target, expression);
        return;
      case 'apply':
        this.application(target, expression);
        return;
      case 'counted':
        this.count(expression);
        this.to(target, expression.body);
        return;
      case 'switched':
        this.switched(target, expression);
        return;
      default:
        this.finish(target, this.value(expression));
    }
  }

  private count({ counts, numbers, reached }: Counted): void {
    const all = this.constant(counts);
    const first = reached && this.constant(reached);
    const added = numbers.map((number) =>
      first === undefined
        ? `${all}[${number}]++;`
        : `if(${all}[${number}]++===0)${first}.push(${number});`,
    );
    this.out.push(`if(M.counts){${added.join('')}}`);
  }

  /** One comparison finds that the selector names no variant, which is the usual case. */
  private switched(target: Target, switched: Switched): void {
    const { selector, original, variants, isCompared } = switched;
    const chosen = this.constant(selector);
    const at = `${chosen}.at`;
    const [first, last] = [variants[0]!.number, variants.at(-1)!.number];
    this.out.push(`if(${at}<${first}||${at}>${last}){`);
    if (isCompared) this.finish(target, this.compared(switched));
    else {
      this.out.push(`if(${at}<0)${chosen}.reached[${first}]=true;`);
      this.to(target, original);
    }
    this.out.push('}');
    for (const { number, expression } of variants) {
      this.out.push(number === last ? 'else{' : `else if(${at}===${number}){`);
      this.to(target, expression);
      this.out.push('}');
    }
  }

  /** Evaluates the original, and records which variants have another value. @returns its name */
  private compared({ selector, original, variants }: Switched): string {
    const chosen = this.constant(selector);
    const value = this.temporary();
    const first = variants[0]!.number;
    const unfinished = `${chosen}.unfinished[${first}]`;
    this.out.push(
      `let ${value};if(${chosen}.at<0){${chosen}.reached[${first}]=true;${unfinished}=(${unfinished}||0)+1;}`,
    );
    this.to({ name: value }, original);
    this.out.push(`if(${chosen}.at<0){${unfinished}--;`);
    for (const { number, expression } of variants) {
      const other = this.temporary();
      this.out.push(`let ${other};`);
      this.to({ name: other }, expression);
      this.out.push(`if(${other}!==${value})${chosen}.differs[${number}]=true;`);
    }
    this.out.push('}');
    return value;
  }

  private bind(binding: Binding, bound: Expression): void {
    if (bound.kind === 'counted') {
      this.count(bound);
      this.bind(binding, bound.body);
      return;
    }
    const name = nameOf(binding);
    this.temporaries += 1;
    if (STATEMENTS.includes(bound.kind)) {
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

  /**
   * Emits statements for the parts of an expression.
   * @returns a JavaScript expression for its value, without effects or errors
   */
  protected value(expression: Expression): string {
    switch (expression.kind) {
      case 'variable':
        return this.reference(expression.binding);
      case 'constant':
        return this.constant(expression.value);
      case 'definition':
        return this.definition(expression.definition);
      case 'builtin':
        return `V[${expression.row.number}]`;
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
        this.mark(expression.at);
        const call = this.operation(expression, [...constants, ...values]);
        return expression.total === true ? call : this.assigned(call);
      }
      case 'counted':
        this.count(expression);
        return this.value(expression.body);
      case 'native': {
        const run = this.constant(expression.run);
        return this.assigned(`${run}(${this.values(expression.args).join(',')})`);
      }
      default: {
        const name = this.temporary();
        this.out.push(`let ${name};`);
        this.to({ name }, expression);
        return name;
      }
    }
  }

  private operation({ name, calls }: Operation, args: readonly string[]): string {
    if (this.mode === 'deep' && name in heapOperations)
      return `(yield[HEAP.${name},0,${args.join(',')}])`;
    return `O.${name}(${[...args, ...(calls ? ['M', 'D'] : ['M'])].join(',')})`;
  }

  private struct(names: readonly string[], values: readonly string[]): string {
    const order = names.map((name, index) => [name, values[index]!] as const);
    order.sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${order.map(([name, value]) => `${structKey(name)}:${value}`).join(',')}}`;
  }

  /** A definition as a value. A constant is computed on first use. */
  private definition(definition: Definition): string {
    const name = this.unit.definition(definition);
    if (definition.arity > 0) return `${name}.v`;
    this.calls = true;
    const force = this.mode === 'fast' ? `${name}.force(M,D)` : `(yield[FORCE,0,${name}])`;
    return this.assigned(`(${name}.v!==undefined?${name}.v:${force})`);
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

  /** In the deep form of a module, only the Code object has the fast code. */
  private codeOf(number: number): string {
    return this.mode === 'fast' ? `c${number}` : `C${number}.fast`;
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
