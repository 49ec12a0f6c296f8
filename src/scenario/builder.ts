/**
 * The verbs of scenarios for tests. `scenario.create(template, { with, by, as: 'iou' })` has the effect of the same
 * step in a file, because both use one row. Errors of the ledger are thrown unchanged.
 */
import type {
  AnyChoice,
  AnyTemplate,
  ArgumentOf,
  ContractIdOf,
  PayloadOf,
  ResultOf as ChoiceResultOf,
  TargetOf,
} from '../daml/model/typed-template.js';
import type { Exercised, ExerciseResult } from '../wallet/exercised.js';
import { encodedArgument, encodedPayload, idOf, isChoice } from '../wallet/typed.js';
import type { EXPECTATIONS } from './expectations.js';
import { ScenarioError } from '../wallet/scenario-error.js';
import { formError } from './form.js';
import { expectThat, perform, type Step, type StepOptions } from './perform.js';
import type { Given, InOf } from './row.js';
import { stepDefinition } from './schema.js';
import { VERBS, type VerbName } from './verbs.js';
import type { World } from './world.js';

type Rows = typeof VERBS;
type SubjectOf<V> = V extends { readonly subject: infer S } ? InOf<S> : never;
type FieldsOf<V> = V extends { readonly fields: infer F } ? Given<F> : never;
type VerbResultOf<V> = V extends { run(...given: never[]): infer R } ? R : never;

/** You may omit the fields object if no field is required. */
type Rest<T> = Record<never, never> extends T ? [fields?: T] : [fields: T];

interface VerbMethod<V> {
  /** @throws ExpectationFailed with `refused`, unless the ledger rejects the step with that code. */
  (
    subject: SubjectOf<V>,
    fields: FieldsOf<V> & StepOptions & Required<Pick<StepOptions, 'refused'>>,
  ): void;
  (
    subject: SubjectOf<V>,
    ...fields: Rest<FieldsOf<V> & Omit<StepOptions, 'refused'>>
  ): VerbResultOf<V>;
}

type Expectations = typeof EXPECTATIONS;
type ExpectationStep = {
  [K in keyof Expectations]: { readonly [Key in K]: SubjectOf<Expectations[K]> } & FieldsOf<
    Expectations[K]
  >;
}[keyof Expectations];

interface TypedCreate {
  /** With a template object, the payload is typed. */
  <T extends AnyTemplate>(template: T, fields: CreateFields<T> & Refused): void;
  <T extends AnyTemplate>(template: T, fields: CreateFields<T>): ContractIdOf<T>;
}
type CreateFields<T> = Omit<FieldsOf<Rows['create']>, 'with'> &
  Omit<StepOptions, 'refused'> & { readonly with: PayloadOf<T> };

interface TypedExercise {
  /** With a choice object, the argument and the result are typed, and it selects the template or interface. */
  <C extends AnyChoice>(contract: TargetOf<C>, fields: ExerciseFields<C> & Refused): void;
  <C extends AnyChoice>(
    contract: TargetOf<C>,
    fields: ExerciseFields<C>,
  ): ExerciseResult<ChoiceResultOf<C>>;
}
type ExerciseFields<C> = Omit<FieldsOf<Rows['exercise']>, 'with' | 'choice' | 'through'> &
  Omit<StepOptions, 'refused'> & { readonly choice: C; readonly with?: ArgumentOf<C> };

type Refused = Required<Pick<StepOptions, 'refused'>>;

export type ScenarioVerbs = {
  readonly [K in Exclude<VerbName, 'create' | 'exercise'>]: VerbMethod<Rows[K]>;
} & {
  readonly create: VerbMethod<Rows['create']> & TypedCreate;
  readonly exercise: VerbMethod<Rows['exercise']> & TypedExercise;
};

/**
 * The verbs of scenario files as methods. The first argument is the value of the verb, and the second has the other
 * fields.
 * @throws LedgerError, ScenarioError
 */
export interface Scenario extends ScenarioVerbs {
  /** @throws ExpectationFailed, whose message shows the actual state of the ledger */
  expect(...expectations: ExpectationStep[]): void;
  /** The value of a name: a party, or a result that `as` named. @throws ScenarioError for an unknown name */
  named<T = string>(name: string): T;
}

/** @param world of a running Canticle, with the names of its scenario file */
export function scenarioOf(world: World): Scenario {
  const methods = Object.keys(VERBS).map((name) => [
    name,
    (subject: unknown, fields: object = {}) => {
      const step = inNames({ [name]: subject, ...fields });
      checkForm(stepDefinition(name), step, name);
      const result = perform(world, name as VerbName, step);
      const { choice } = fields as { readonly choice?: unknown };
      return isChoice(choice) ? (result as Exercised | undefined)?.of(choice) : result;
    },
  ]);
  return {
    ...(Object.fromEntries(methods) as ScenarioVerbs),
    expect: (...expectations) => {
      const steps = expectations.map(inNames);
      checkForm(stepDefinition('expect'), { expect: steps }, 'expect');
      for (const each of steps) expectThat(world, each);
    },
    named: <T>(name: string) => world.names.resolve(`$${name}`) as T,
  };
}

/** The step in the form of a file: templates and choices by their names, their values as JSON. */
function inNames(step: Step): Step {
  const { create, choice } = step;
  const named = Object.entries(step).map(([key, value]) => [
    key,
    isTemplate(value) ? idOf(value) : value,
  ]);
  const plain: Step = Object.fromEntries(named);
  if (isTemplate(create)) return { ...plain, with: encodedPayload(create, step.with) };
  if (!isChoice(choice)) return plain;
  const through = plain.through ?? idOf(choice.template());
  const argument = step.with === undefined ? {} : { with: encodedArgument(choice, step.with) };
  return { ...plain, ...argument, choice: choice.choiceName, through };
}

const isTemplate = (given: unknown): given is AnyTemplate =>
  typeof given === 'object' && given !== null && 'templateId' in given;

/** Checks that types cannot make: for tests in JavaScript, and for untyped values. */
function checkForm(definition: string, step: Step, verb: string): void {
  const error = formError(definition, step);
  if (error !== undefined) throw new ScenarioError(error.reason, error.path, undefined, verb);
}
