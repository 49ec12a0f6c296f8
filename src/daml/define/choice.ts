/**
 * Choices of templates and interfaces written in TypeScript. The `choice` function, which {@link defineTemplate}
 * and {@link defineInterface} pass to you, makes a choice. It has the type of the payload or view.
 */
import type { Type } from './types.js';
import { type Fields, type JsonRecordOf, type RecordOf } from './types.js';
import type { Update } from './update.js';
import type { Choice } from '../model/typed-template.js';
import type { Party } from '../model/values.js';

/** A choice's parameters: fields of a record named after the choice, or an existing record type. */
export type Parameters = Fields | Type<unknown>;
export type ArgumentOf<A> = A extends Type<infer V> ? V : RecordOf<A>;

/**
 * `Data` is the payload (of a template's choice) or the view (of an interface's); `Self` is the contract with its
 * id.
 */
export interface ChoiceSpec<Data, Self, A, R, RJ = unknown> {
  /** Whether exercising archives the contract; true by default, as in Daml. */
  readonly consuming?: boolean;
  /** The choice's parameters; none by default. */
  readonly argument?: A;
  /** The type of the result of `run`. */
  readonly result: Type<R, RJ>;
  /** The parties that must authorize the exercise together. */
  controllers(data: Data, argument: ArgumentOf<A>, self: Self): readonly Party[];
  /** Choice observers. */
  observers?(data: Data, argument: ArgumentOf<A>, self: Self): readonly Party[];
  /** The choice's code. @returns the choice's result */
  run(update: Update, self: Self, argument: ArgumentOf<A>): NoInfer<R>;
}

/**
 * A choice, without the types of its owner. `A` and `R` are types for the compiler only, like `AJ` and `RJ`: the
 * argument and the result as Ledger API JSON.
 */
export interface ChoiceDefinition<A = unknown, R = unknown, AJ = unknown, RJ = unknown> {
  /** The specification that it was made from. */
  readonly spec: ChoiceSpec<never, never, Parameters, unknown>;
  /** For the compiler only. */
  readonly argumentValue?: A;
  /** For the compiler only. */
  readonly resultValue?: R;
  /** For the compiler only. */
  readonly argumentJson?: AJ;
  /** For the compiler only. */
  readonly resultJson?: RJ;
}

export type AnyChoices = Readonly<Record<string, ChoiceDefinition>>;

/** Makes a choice with the type of its payload or view. */
export type ChoiceMaker<Data, Self> = <
  const A extends Parameters = Readonly<Record<never, never>>,
  R = unknown,
  RJ = unknown,
>(
  spec: ChoiceSpec<Data, Self, A, R, RJ>,
) => ChoiceDefinition<ArgumentOf<A>, R, ArgumentJsonOf<A>, RJ>;

type ArgumentJsonOf<A> = A extends Type<unknown, infer J> ? J : JsonRecordOf<A>;

/** The choices of a template or interface in the form that a participant's methods take. */
export type NamedChoices<Contract, C, Key> = {
  readonly [N in keyof C]: C[N] extends ChoiceDefinition<infer _A, infer _R, infer AJ, infer RJ>
    ? Choice<Contract, AJ, RJ, Key>
    : never;
};

/**
 * Sets the name and owner of each choice. Adds each choice as a member to the owner, unless the owner has a member
 * with that name.
 */
export function nameChoices(owner: { readonly choices: AnyChoices }): void {
  const named = (choiceName: string, choice: object): object =>
    Object.assign(choice, { choiceName, template: () => owner });
  const members = Object.entries(owner.choices).map(([name, choice]) => [
    name,
    named(name, choice),
  ]);
  const archive = ['Archive', named('Archive', {})];
  for (const [name, value] of [...members, archive] as [string, object][])
    if (!(name in owner)) Object.defineProperty(owner, name, { value });
}

export type ChoiceArgument<C> = C extends ChoiceDefinition<infer A, unknown> ? A : never;
export type ChoiceResult<C> = C extends ChoiceDefinition<unknown, infer R> ? R : never;

export function makeChoice(spec: unknown): ChoiceDefinition<never, never> {
  return { spec: spec as ChoiceDefinition['spec'] };
}
