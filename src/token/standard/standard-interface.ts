/**
 * Interfaces in the form of the token standard: a choice `Transfer_Accept` does what the method `transfer_acceptImpl` of the template
 * does, and `transfer_acceptExtraObservers` says who else sees it.
 */
import {
  defineInterface,
  methods,
  type ChoiceDefinition,
  type DefinedInterface,
  type Type,
  type Update,
} from '../../daml/define/index.js';
import type { Fields, JsonRecordOf, RecordOf } from '../../daml/define/types.js';
import type { QualifiedName } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';

type Made<A, R, RJ> = ChoiceDefinition<RecordOf<A>, R, JsonRecordOf<A>, RJ>;
/** A choice with a method that says who else sees it. */
export interface Observed {
  readonly isObserved: true;
}
type Actors = { readonly actors: readonly Party[] };

/** Makes the choices of an interface with the view `V`. */
interface ChoiceMakers<V> {
  choice<const A extends Fields, R, RJ>(spec: {
    readonly consuming?: false;
    readonly argument: A;
    readonly result: Type<R, RJ>;
    controllers(view: V, argument: RecordOf<A>): readonly Party[];
    observers?(view: V, argument: RecordOf<A>): readonly Party[];
  }): Made<A, R, RJ>;
  /** It does not consume, and its caller names who acts: as of version 2. */
  byActors<const A extends Fields, R, RJ>(
    argument: RecordOf<A> extends Actors ? A : never,
    result: Type<R, RJ>,
  ): Made<A, R, RJ> & Observed;
}

type Choices = Readonly<Record<string, ChoiceDefinition>>;
type Method<N> = N extends `${infer A}_${infer B}`
  ? `${Uncapitalize<A>}_${Uncapitalize<B>}`
  : never;
type MethodsOf<C> = {
  readonly [N in keyof C as `${Method<N>}Impl`]: C[N] extends ChoiceDefinition<infer A, infer R>
    ? (update: Update, argument: A) => R
    : never;
} & {
  readonly [
    N in keyof C as C[N] extends Observed ? `${Method<N>}ExtraObservers` : never
  ]: C[N] extends ChoiceDefinition<infer A> ? (argument: A) => readonly Party[] : never;
};
type Called = {
  readonly methods: Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;
};

const makers: ChoiceMakers<unknown> = {
  choice: (spec) => ({ spec: spec as unknown as ChoiceDefinition['spec'] }),
  byActors: (argument, result) => {
    const controllers = (_view: unknown, { actors }: Actors) => actors;
    const spec = { consuming: false, argument, result, controllers };
    return { spec: spec as unknown as ChoiceDefinition['spec'], isObserved: true };
  },
};

const methodOf = (choice: string): string =>
  choice.replace(
    /(^|_)(.)/g,
    (_match, before: string, first: string) => before + first.toLowerCase(),
  );
const isObserved = (choice: ChoiceDefinition): boolean => 'isObserved' in choice;

export function standardInterface<V, C extends Choices, VJ>(given: {
  readonly name: QualifiedName;
  readonly view: Type<V, VJ>;
  readonly choices: (make: ChoiceMakers<V>) => C;
}): DefinedInterface<V, MethodsOf<C>, C, VJ> {
  const made = Object.entries(given.choices(makers));
  const observed = made.filter(([, choice]) => isObserved(choice));
  const names = [
    ...made.map(([name]) => `${methodOf(name)}Impl`),
    ...observed.map(([name]) => `${methodOf(name)}ExtraObservers`),
  ];
  const choices = made.map(([name, choice]) => {
    const method = methodOf(name);
    const run = (update: Update, { methods: own }: Called, argument: unknown) =>
      own[`${method}Impl`]!(update, argument);
    const observers = (_view: unknown, argument: unknown, { methods: own }: Called) =>
      own[`${method}ExtraObservers`]!(argument);
    const spec = { ...choice.spec, run, ...(isObserved(choice) && { observers }) };
    return [name, { spec }] as const;
  });
  return defineInterface<V, MethodsOf<C>, C, VJ>({
    name: given.name,
    view: given.view,
    methods: methods<MethodsOf<C>>()(...(names as (keyof MethodsOf<C> & string)[])),
    choices: () => Object.fromEntries(choices) as unknown as C,
  });
}
