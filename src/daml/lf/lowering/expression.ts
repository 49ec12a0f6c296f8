/**
 * Expressions between the archive and JavaScript: names are resolved, types are erased unless the runtime needs them, and chains of lambdas
 * and applications are flattened. An update is a function with an additional token argument, because evaluating an update differs from
 * running it. Running an update that is a literal lambda is its body.
 */
import type { BuiltinRow } from '../../archive/builtin-table.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { Definition } from '../runtime/machine.js';

/** Receives the operands of comparisons, before they are compared. */
export interface OperandObserver {
  /** @param number of the comparison in the code */
  compare(number: number, left: unknown, right: unknown): void;
}

export class Binding {
  private static count = 0;
  readonly id = Binding.count++;
  /** The Daml name, if code is to be readable. */
  name?: string;
}

export type Expression =
  | { readonly kind: 'variable'; readonly binding: Binding }
  | { readonly kind: 'definition'; readonly definition: Definition }
  | {
      readonly kind: 'builtin';
      readonly row: BuiltinRow;
      /** The type argument without its own arguments, if it compares values of a builtin type. */
      readonly type: string | undefined;
      /** Receives the operands of each comparison. */
      readonly observer?: { readonly of: OperandObserver; readonly number: number };
    }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'record'; readonly fields: readonly Expression[] }
  | { readonly kind: 'project'; readonly index: number; readonly record: Expression }
  | {
      readonly kind: 'update';
      readonly key: string;
      readonly target: Expression;
      readonly value: Expression;
    }
  | { readonly kind: 'variant'; readonly rank: number; readonly value: Expression }
  | {
      readonly kind: 'struct';
      readonly names: readonly string[];
      readonly fields: readonly Expression[];
    }
  | { readonly kind: 'member'; readonly key: string; readonly struct: Expression }
  | { readonly kind: 'cons'; readonly front: readonly Expression[]; readonly tail: Expression }
  | { readonly kind: 'some'; readonly value: Expression }
  | {
      readonly kind: 'apply';
      readonly fun: Expression;
      readonly args: readonly Expression[];
      readonly at?: SourceLocation;
    }
  | Lambda
  | {
      readonly kind: 'let';
      readonly binding: Binding;
      readonly bound: Expression;
      readonly body: Expression;
      /** The position of the bound expression, if code is compiled for debugging. */
      readonly at?: SourceLocation;
    }
  | Case
  | Operation
  | Counted
  | Switched
  | Native;

export interface Lambda {
  readonly kind: 'lambda';
  readonly params: readonly Binding[];
  readonly body: Expression;
}

export type Pattern =
  | { readonly kind: 'default' | 'nil' | 'cons' | 'none' | 'some' }
  | { readonly kind: 'rank'; readonly rank: number; readonly variant: boolean }
  | { readonly kind: 'constant'; readonly value: unknown };

export interface Alternative {
  readonly pattern: Pattern;
  readonly bindings: readonly Binding[];
  readonly body: Expression;
}

export interface Case {
  readonly kind: 'case';
  readonly scrutinee: Expression;
  readonly alternatives: readonly Alternative[];
}

/** A call of a function in `operations.ts`. */
export interface Operation {
  readonly kind: 'operation';
  readonly name: string;
  /** The first arguments, as constants. */
  readonly constants: readonly unknown[];
  readonly args: readonly Expression[];
  /** Whether it gets the stack depth, and may run compiled code. */
  readonly calls: boolean;
  readonly total?: boolean;
  readonly at?: SourceLocation;
}

/** Counters by number. Compiled code increments them. */
export type Counts = Record<number, number>;

/** Increments counters, then evaluates the body. */
export interface Counted {
  readonly kind: 'counted';
  readonly counts: Counts;
  /** The counters to increment. */
  readonly numbers: readonly number[];
  /** Receives the number of each counter that was 0. */
  readonly reached?: number[];
  readonly body: Expression;
}

/** The number of the variant that runs. Compiled code reads it. */
export interface Selector {
  /** 0 for the original code; -1 for the original code that also records what it reaches. */
  at: number;
  /** By the first number of a place with variants: whether it ran while `at` was -1. */
  readonly reached: boolean[];
  /** By the number of a variant: whether its value ever differed from that of the original while `at` was -1. */
  readonly differs: boolean[];
  /** By the first number of a place with compared variants: evaluations of the original that ended with an exception, or did not end. */
  readonly unfinished: number[];
}

/** One of several expressions: the variant that the selector names, otherwise the original. */
export interface Switched {
  readonly kind: 'switched';
  readonly selector: Selector;
  readonly original: Expression;
  /** With consecutive numbers above 0. */
  readonly variants: readonly Variant[];
  /** Whether the variants are evaluated too while `at` is -1: they are booleans, and quick. */
  readonly isCompared: boolean;
}

export interface Variant {
  readonly number: number;
  readonly expression: Expression;
}

/** A call of a JavaScript function that an instrument provides. */
export interface Native {
  readonly kind: 'native';
  readonly run: (...args: never[]) => unknown;
  readonly args: readonly Expression[];
}

/** The argument of an update. Its value is never used. */
const TOKEN: Expression = { kind: 'constant', value: 0 };

/** Nested lambdas become one function with at most this number of parameters. */
export const MAX_MERGED_PARAMS = 60;

export function lambda(params: readonly Binding[], body: Expression): Lambda {
  if (body.kind === 'lambda' && params.length + body.params.length <= MAX_MERGED_PARAMS)
    return { kind: 'lambda', params: [...params, ...body.params], body: body.body };
  return { kind: 'lambda', params, body };
}

export function apply(
  fun: Expression,
  args: readonly Expression[],
  at?: SourceLocation,
): Expression {
  if (args.length === 0) return fun;
  if (fun.kind === 'counted') return { ...fun, body: apply(fun.body, args, at) };
  if (fun.kind === 'switched')
    return withArguments(args, (atoms) => everyVariant(fun, (each) => apply(each, atoms, at)));
  // The arguments of the whole chain are evaluated from last to first.
  if (fun.kind === 'apply')
    return { kind: 'apply', fun: fun.fun, args: [...fun.args, ...args], at: at ?? fun.at };
  return { kind: 'apply', fun, args, at };
}

const everyVariant = (of: Switched, change: (each: Expression) => Expression): Switched => ({
  ...of,
  original: change(of.original),
  variants: of.variants.map((each) => ({ ...each, expression: change(each.expression) })),
});

/** Evaluates the arguments from last to first, so that `body` may use each more than once. */
export function withArguments(
  args: readonly Expression[],
  body: (atoms: readonly Expression[]) => Expression,
): Expression {
  const lets: [Binding, Expression][] = [];
  const atoms = args.map((arg): Expression => {
    if (arg.kind === 'variable' || arg.kind === 'constant' || arg.kind === 'builtin') return arg;
    const binding = new Binding();
    lets.push([binding, arg]);
    return { kind: 'variable', binding };
  });
  return lets.reduce<Expression>(
    (inner, [binding, bound]) => ({ kind: 'let', binding, bound, body: inner }),
    body(atoms),
  );
}

/**
 * Counts the calls if the body is a function, otherwise its evaluations.
 * @param reached receives the number of each counter that was 0
 */
export function counted(
  body: Expression,
  counts: Counts,
  numbers: readonly number[],
  reached?: number[],
): Expression {
  if (body.kind === 'lambda')
    return { ...body, body: counted(body.body, counts, numbers, reached) };
  return { kind: 'counted', counts, numbers, body, ...(reached && { reached }) };
}

/**
 * Runs an update.
 * @param at its position, if no expression in it has one
 */
export function run(update: Expression, at?: SourceLocation): Expression {
  switch (update.kind) {
    case 'lambda':
      return update.params.length === 1
        ? update.body
        : { kind: 'lambda', params: update.params.slice(1), body: update.body };
    case 'let':
    case 'counted':
      return { ...update, body: run(update.body, at) };
    case 'switched':
      return everyVariant(update, (each) => run(each, at));
    case 'case':
      return {
        ...update,
        alternatives: update.alternatives.map((each) => ({ ...each, body: run(each.body, at) })),
      };
    default:
      return apply(update, [TOKEN], update.kind === 'apply' ? (update.at ?? at) : at);
  }
}

/** Whether evaluating it always gives a value, without effects or errors. */
export function isTotal(expression: Expression): boolean {
  switch (expression.kind) {
    case 'variable':
    case 'constant':
    case 'builtin':
    case 'lambda':
      return true;
    case 'definition':
      return expression.definition.explicitArity > 0;
    case 'project':
      return isTotal(expression.record);
    case 'member':
      return isTotal(expression.struct);
    case 'some':
    case 'variant':
      return isTotal(expression.value);
    case 'record':
    case 'struct':
      return expression.fields.every(isTotal);
    case 'apply':
      return (
        expression.fun.kind === 'definition' &&
        expression.fun.definition.explicitArity > expression.args.length &&
        expression.args.every(isTotal)
      );
    default:
      return false;
  }
}
