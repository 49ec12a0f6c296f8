/** Performs one step: reads its fields, runs its verb, checks its expectations and names the result. */
import type { ErrorCode } from '../daml/errors/error-catalogue.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { EXPECTATIONS, type ExpectationName } from './expectations.js';
import { ExpectationFailed } from './faults.js';
import { ANY_CODE, at, readFields } from './fields.js';
import type { SomeExpectation, SomeVerb } from './row.js';
import { VERBS, type VerbName } from './verbs.js';
import type { World } from './world.js';

/** A step in a file or in a call of the builder: a verb with its value, its fields, and the fields of every step. */
export type Step = Readonly<Record<string, unknown>>;

/** Fields of every step, in addition to the fields of its verb. */
export interface StepOptions {
  /** Gives the result a name, for `$name`. */
  readonly as?: string;
  /** The Canton error code with which the step must fail; `ANY` for any code. */
  readonly refused?: ErrorCode | typeof ANY_CODE;
}

/** @throws LedgerError for an error of the ledger, ScenarioError for an invalid step, ExpectationFailed */
export function perform(world: World, name: VerbName, step: Step): unknown {
  const { as, refused } = step as StepOptions;
  const verb = VERBS[name] as SomeVerb;
  const subject = at(name, () => verb.subject.read(step[name], world));
  const fields = readFields(verb.fields, step, world);
  if (refused !== undefined)
    return performRefused(world, name, step, () => verb.run(world, subject, fields));
  const result = verb.run(world, subject, fields);
  if (as !== undefined) world.names.set(as, verb.named === undefined ? result : verb.named(result));
  return result;
}

/** @param code an error code, or {@link ANY_CODE} */
export const isRefusedAs = (error: LedgerError, code: unknown): boolean =>
  code === ANY_CODE || error.code === code;

function performRefused(world: World, name: VerbName, step: Step, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    if (isRefusedAs(error, step.refused)) return;
    const problem = `refused: expected ${String(step.refused)}, found ${world.humanize(error.message)}`;
    throw new ExpectationFailed(labelOf(step), [problem], undefined, undefined, undefined, error);
  }
  throw new ExpectationFailed(labelOf(step), [
    `refused: expected ${step.refused === ANY_CODE ? 'an error' : String(step.refused)}, but ${name} was accepted`,
  ]);
}

/** @throws ExpectationFailed if the state of the ledger differs, ScenarioError for an unknown name */
export function expectThat(world: World, step: Step): void {
  const name = Object.keys(EXPECTATIONS).find(
    (each) => step[each] !== undefined,
  ) as ExpectationName;
  const row = EXPECTATIONS[name] as SomeExpectation;
  const subject = at(name, () => row.subject.read(step[name], world));
  const { errors, holds } = row.check(world, subject, readFields(row.fields, step, world));
  if (errors.length > 0) throw new ExpectationFailed(labelOf(step), errors, holds);
}

/** The step as it was written, in one line. */
export function labelOf(step: Step): string {
  return Object.entries(step)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
