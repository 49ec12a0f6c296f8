/**
 * The verbs of scenarios for tests: `scenario.create(template, { with, by, as: 'iou' })` does what the step of a file
 * does, since both are one row. Refusals of the ledger are thrown as they are.
 */
import type { EXPECTATIONS } from './expectations.js';
import { ScenarioError } from '../wallet/scenario-error.js';
import { formFault } from './form.js';
import { expectThat, perform, type Step, type StepOptions } from './perform.js';
import type { Given, InOf } from './row.js';
import { stepDefinition } from './schema.js';
import { VERBS, type VerbName } from './verbs.js';
import type { World } from './world.js';

type Rows = typeof VERBS;
type SubjectOf<V> = V extends { readonly subject: infer S } ? InOf<S> : never;
type FieldsOf<V> = V extends { readonly fields: infer F } ? Given<F> : never;
type ResultOf<V> = V extends { run(...given: never[]): infer R } ? R : never;

/** Fields may be left out as a whole where none is needed. */
type Rest<T> = Record<never, never> extends T ? [fields?: T] : [fields: T];

interface VerbMethod<V> {
  /** With `refused`: @throws ExpectationFailed unless the ledger refuses with that code. */
  (
    subject: SubjectOf<V>,
    fields: FieldsOf<V> & StepOptions & Required<Pick<StepOptions, 'refused'>>,
  ): void;
  (subject: SubjectOf<V>, ...fields: Rest<FieldsOf<V> & Omit<StepOptions, 'refused'>>): ResultOf<V>;
}

type Expectations = typeof EXPECTATIONS;
type ExpectationStep = {
  [K in keyof Expectations]: { readonly [Key in K]: SubjectOf<Expectations[K]> } & FieldsOf<
    Expectations[K]
  >;
}[keyof Expectations];

export type ScenarioVerbs = { readonly [K in VerbName]: VerbMethod<Rows[K]> };

export interface Scenario extends ScenarioVerbs {
  /** @throws ExpectationFailed, whose message shows what the ledger holds instead */
  expect(...expectations: ExpectationStep[]): void;
  /** What has that name: a party, or a result that `as` named. @throws ScenarioError where nothing has it */
  named<T = string>(name: string): T;
}

/** @param world of a running Canticle; names that its scenario file gave are known */
export function scenarioOf(world: World): Scenario {
  const methods = Object.keys(VERBS).map((name) => [
    name,
    (subject: unknown, fields: object = {}) => {
      const step: Step = { [name]: subject, ...fields };
      checkForm(stepDefinition(name), step, name);
      return perform(world, name as VerbName, step);
    },
  ]);
  return {
    ...(Object.fromEntries(methods) as ScenarioVerbs),
    expect: (...expectations) => {
      checkForm(stepDefinition('expect'), { expect: expectations }, 'expect');
      for (const each of expectations) expectThat(world, each);
    },
    named: <T>(name: string) => world.names.resolve(`$${name}`) as T,
  };
}

/** What types would have told: for tests in JavaScript, and for values that come from elsewhere. */
function checkForm(definition: string, step: Step, verb: string): void {
  const fault = formFault(definition, step);
  if (fault !== undefined) throw new ScenarioError(fault.reason, fault.path, undefined, verb);
}
