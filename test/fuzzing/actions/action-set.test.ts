/** The choice of steps: which actions, with which weights, by which parties. */
import { ActionSet, MAX_COMMANDS, UnknownAction } from '../../../src/fuzzing/actions/action-set.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import type { Step, Submission } from '../../../src/fuzzing/model/step.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { STRANGER, ValueSource } from '../../../src/fuzzing/values/values.js';
import { keysPackage } from '../../support/daml/keys-package.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { packages, KEYED_AND_OTHERS } from '../models.js';

const chosen = [modelPackage];
const start = plainStart(['alice', 'bob']);
type Options = Partial<ConstructorParameters<typeof ActionSet>[0]>;

const setOf = (options: Options = {}) => new ActionSet({ packages, chosen, ...options });
const namesOf = (options: Options) => setOf(options).actions.map(({ name }) => name);

/** Steps of a sequence, with the codes of their outcomes. */
function sequence(options: Options = {}, count = 400) {
  const actions = setOf(options);
  const ledger = new FuzzLedger(packages, start);
  const values = new ValueSource(new Random('steps'), ledger);
  return Array.from({ length: count }, (_, number) => {
    const step = actions.next(values, number);
    const { submitted } = ledger.run(step);
    return { step, codes: submitted.map(({ error }) => error?.code) };
  });
}
const submissionsOf = (step: Step): readonly Submission[] =>
  step.kind === 'submit' ? [step.submission] : step.kind === 'race' ? step.submissions : [];
const commandsOf = (options: Options = {}, count?: number) =>
  sequence(options, count).flatMap(({ step }) =>
    submissionsOf(step).flatMap(({ commands }) => commands),
  );

it('has the creates and choices of templates and interfaces', () => {
  const names = namesOf({});
  for (const each of ['Test:Dummy', 'Test:Dummy.Clone', 'Test:Dummy.Archive', 'Test:Asset.Touch'])
    expect(names).toContain(each);
  expect(names).not.toContain('Keys:Account');
});

it('selects actions by the names of templates and choices', () => {
  const touch = ['Test:Asset.Touch'];
  expect(namesOf({ only: ['Asset.Touch'] })).toEqual(touch);
  expect(
    namesOf({ only: ['Test:Asset'], exclude: ['Burn', 'Archive'].map((each) => `Asset.${each}`) }),
  ).toEqual(touch);
  expect(namesOf({ only: ['TriProposal'] })).toEqual([
    'Test:TriProposal',
    'Test:TriProposal.Accept',
    'Test:TriProposal.Archive',
  ]);
});

it('refuses names of no action', () => {
  for (const options of [
    { only: ['Nothing'] },
    { exclude: ['Dummy.Nothing'] },
    { weights: new Map([['X', 1]]) },
  ])
    expect(() => setOf(options)).toThrow(UnknownAction);
});

it('chooses actions by their weights, and none with weight 0', () => {
  const only = ['Dummy', 'WithParam'];
  const weights = new Map([
    ['Dummy', 0],
    ['WithParam', 1],
    ['WithParam.Set', 5],
  ]);
  const commands = commandsOf({ only, weights });
  expect(commands.every(({ templateId }) => templateId.endsWith(':WithParam'))).toBe(true);
  const sets = commands.filter((each) => 'choice' in each && each.choice === 'Set');
  expect(sets.length).toBeGreaterThan(commands.length / 2);
});

it('uses every kind of step and command', () => {
  const steps = sequence({ chosen: [modelPackage, keysPackage], only: KEYED_AND_OTHERS }, 1_500);
  expect(new Set(steps.map(({ step }) => step.kind))).toEqual(
    new Set(['submit', 'race', 'advance']),
  );
  const submissions = steps.flatMap(({ step }) => submissionsOf(step));
  const kinds = new Set(submissions.flatMap(({ commands }) => commands.map(({ kind }) => kind)));
  expect(kinds).toEqual(new Set(['create', 'exercise', 'createAndExercise', 'exerciseByKey']));
  expect(Math.max(...submissions.map(({ commands }) => commands.length))).toBe(MAX_COMMANDS);
  expect(submissions.some(({ readAs }) => readAs.length > 0)).toBe(true);
});

it('submits mostly with the required parties, and sometimes with others', () => {
  const codes = sequence({}, 1_000).flatMap((each) => each.codes);
  const count = (code: string | undefined) => codes.filter((each) => each === code).length;
  expect(count(undefined)).toBeGreaterThan(codes.length / 2);
  expect(count('DAML_AUTHORIZATION_ERROR')).toBeGreaterThan(codes.length / 20);
  expect(count('LOCAL_VERDICT_INACTIVE_CONTRACTS')).toBeGreaterThan(0);
});

it('lets strangers, single stakeholders and several parties submit', () => {
  const actors = sequence({}, 1_000).flatMap(({ step }) =>
    submissionsOf(step).map(({ actAs }) => actAs.join()),
  );
  for (const each of ['alice', 'bob', STRANGER, 'alice,bob']) expect(actors).toContain(each);
});

it('advances the time exactly to times of the state', () => {
  const ledger = new FuzzLedger(packages, { ...start, now: 0n });
  const constants = { ints: [], numerics: [], texts: [], timestamps: [777n], dates: [] };
  const values = new ValueSource(new Random('deadlines'), ledger, constants);
  const actions = setOf({ only: ['Dummy'] });
  const micros = new Set<bigint>();
  for (let number = 0; number < 2_000; number++) {
    const step = actions.next(values, number);
    if (step.kind === 'advance') micros.add(step.micros);
  }
  for (const each of [776n, 777n, 778n]) expect(micros).toContain(each);
});

it('calls custom actions with arguments of their type', () => {
  const custom = [{ name: 'mine', argument: { kind: 'bool' } as const, act: () => undefined }];
  const actions = setOf({ only: ['mine'], custom });
  const ledger = new FuzzLedger(packages, start, { actions: new Map([['mine', custom[0]!]]) });
  const values = new ValueSource(new Random('custom'), ledger);
  const steps = Array.from({ length: 50 }, (_, number) => actions.next(values, number));
  const called = steps.flatMap((step) => (step.kind === 'custom' ? [step.argument] : []));
  expect(new Set(called)).toEqual(new Set([true, false]));
});
