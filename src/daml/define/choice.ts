/**
 * Choices of templates and interfaces written in TypeScript. A choice is made by the `choice` function that
 * {@link defineTemplate} and {@link defineInterface} hand in, which knows the payload's or the view's type.
 */
import type { Type } from './types.js';
import { type Fields, type JsonRecordOf, type RecordOf } from './types.js';
import type { Update } from './update.js';
import type { Choice } from '../model/typed-template.js';
import type { Party } from '../model/values.js';

/** A choice's parameters: fields of a record named after the choice, or an existing record type. */
export type Parameters = Fields | Type<unknown>;
export type ArgumentOf<A> = A extends Type<infer V> ? V : RecordOf<A>;

/** `Data` is the payload (of a template's choice) or the view (of an interface's); `Self` is the contract with its id. */
export interface ChoiceSpec<Data, Self, A, R, RJ = unknown> {
  /** Whether exercising archives the contract; true where left out, as in Daml. */
  readonly consuming?: boolean;
  /** Its parameters; none by default. */
  readonly argument?: A;
  /** The type of what `run` gives. */
  readonly result: Type<R, RJ>;
  /** Who has to act together. */
  controllers(data: Data, argument: ArgumentOf<A>, self: Self): readonly Party[];
  /** Choice observers. */
  observers?(data: Data, argument: ArgumentOf<A>, self: Self): readonly Party[];
  /** Its code. @returns the choice's result */
  run(update: Update, self: Self, argument: ArgumentOf<A>): NoInfer<R>;
}

/**
 * A choice, without the types of its owner. `A` and `R` are for the compiler, as are `AJ` and `RJ`: what the argument and the
 * result are as Ledger API JSON.
 */
export interface ChoiceDefinition<A = unknown, R = unknown, AJ = unknown, RJ = unknown> {
  /** What it was made of. */
  readonly spec: ChoiceSpec<never, never, Parameters, unknown>;
  /** For the compiler alone. */
  readonly argumentValue?: A;
  /** For the compiler alone. */
  readonly resultValue?: R;
  /** For the compiler alone. */
  readonly argumentJson?: AJ;
  /** For the compiler alone. */
  readonly resultJson?: RJ;
}

export type AnyChoices = Readonly<Record<string, ChoiceDefinition>>;

/** Makes a choice, which then knows the type of its payload or view. */
export type ChoiceMaker<Data, Self> = <
  const A extends Parameters = Readonly<Record<never, never>>,
  R = unknown,
  RJ = unknown,
>(
  spec: ChoiceSpec<Data, Self, A, R, RJ>,
) => ChoiceDefinition<ArgumentOf<A>, R, ArgumentJsonOf<A>, RJ>;

type ArgumentJsonOf<A> = A extends Type<unknown, infer J> ? J : JsonRecordOf<A>;

/** The choices of a template or interface as they are named to a participant. */
export type NamedChoices<Contract, C, Key> = {
  readonly [N in keyof C]: C[N] extends ChoiceDefinition<infer _A, infer _R, infer AJ, infer RJ>
    ? Choice<Contract, AJ, RJ, Key>
    : never;
};

/** Gives each choice its name and its owner, and the owner each choice as a member, unless that has one of the name. */
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
