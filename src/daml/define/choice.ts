/**
 * Choices of templates and interfaces written in TypeScript. A choice is made by the `choice` function that
 * {@link defineTemplate} and {@link defineInterface} hand in, which knows the payload's or the view's type.
 */
import type { Type } from './types.js';
import { type Fields, type RecordOf } from './types.js';
import type { Update } from './update.js';
import type { Party } from '../model/values.js';

/** A choice's parameters: fields of a record named after the choice, or an existing record type. */
export type Parameters = Fields | Type<unknown>;
export type ArgumentOf<A> = A extends Type<infer V> ? V : RecordOf<A>;

/** `Data` is the payload (of a template's choice) or the view (of an interface's); `Self` is the contract with its id. */
export interface ChoiceSpec<Data, Self, A, R> {
  /** Whether exercising archives the contract; true where left out, as in Daml. */
  readonly consuming?: boolean;
  readonly argument?: A;
  readonly result: Type<R>;
  controllers(data: Data, argument: ArgumentOf<A>, self: Self): readonly Party[];
  /** Choice observers. */
  observers?(data: Data, argument: ArgumentOf<A>, self: Self): readonly Party[];
  run(update: Update, self: Self, argument: ArgumentOf<A>): NoInfer<R>;
}

/** A choice, without the types of its owner. `A` and `R` are for the compiler. */
export interface ChoiceDefinition<A = unknown, R = unknown> {
  readonly spec: ChoiceSpec<never, never, Parameters, unknown>;
  readonly argumentValue?: A;
  readonly resultValue?: R;
}

export type AnyChoices = Readonly<Record<string, ChoiceDefinition>>;

export type ChoiceMaker<Data, Self> = <
  const A extends Parameters = Readonly<Record<never, never>>,
  R = unknown,
>(
  spec: ChoiceSpec<Data, Self, A, R>,
) => ChoiceDefinition<ArgumentOf<A>, R>;

export type ChoiceArgument<C> = C extends ChoiceDefinition<infer A, unknown> ? A : never;
export type ChoiceResult<C> = C extends ChoiceDefinition<unknown, infer R> ? R : never;

export function makeChoice(spec: unknown): ChoiceDefinition<never, never> {
  return { spec: spec as ChoiceDefinition['spec'] };
}
