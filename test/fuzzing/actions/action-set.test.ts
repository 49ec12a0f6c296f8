/** The choice of steps: which actions, with which weights, by which parties. */
import { ActionSet, MAX_COMMANDS, UnknownAction } from '../../../src/fuzzing/actions/action-set.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import type { Step, Submission } from '../../../src/fuzzing/model/step.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { STRANGER, ValueSource } from '../../../src/fuzzing/values/values.js';
import { keysPackage } from '../../support/daml/keys-package.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { create, packages, KEYED_AND_OTHERS, submit } from '../models.js';
import { d, definePackage, defineTemplate } from 'canticle';
import { STABLE_PACKAGES } from '../../../src/daml/define/stable-packages.js';
import { actorsOf } from '../../../src/fuzzing/actions/actors.js';
import type { ContractInstance } from '../../../src/daml/model/transaction.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { readDar } from '../../../src/daml/index.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { chancesOf } from '../values/chances.js';
import { ALLOCATION_API, HOLDING_API, registry } from '../zoo/tokens.js';
import { DURATIONS } from '../../../src/fuzzing/values/numbers.js';

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
let known: ReturnType<typeof sequence> | undefined;
/** Steps of all actions; two tests look at them. */
const thousandSteps = () => (known ??= sequence({}, 1_000));
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
  expect(MAX_COMMANDS).toBe(3);
  expect(Math.max(...submissions.map(({ commands }) => commands.length))).toBe(MAX_COMMANDS);
  expect(submissions.some(({ readAs }) => readAs.length > 0)).toBe(true);
});

it('submits mostly with the required parties, and sometimes with others', () => {
  const codes = thousandSteps().flatMap((each) => each.codes);
  const count = (code: string | undefined) => codes.filter((each) => each === code).length;
  expect(count(undefined)).toBeGreaterThan(codes.length / 2);
  expect(count('DAML_AUTHORIZATION_ERROR')).toBeGreaterThan(codes.length / 20);
  expect(count('LOCAL_VERDICT_INACTIVE_CONTRACTS')).toBeGreaterThan(0);
});

it('lets strangers, single stakeholders and several parties submit', () => {
  const actors = thousandSteps().flatMap(({ step }) =>
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

it('has the choices of interfaces that its templates implement, of other packages, too', () => {
  const { main, packages: all } = readDar(
    buildDar(registry(undefined), HOLDING_API, ALLOCATION_API),
  );
  const { actions } = new ActionSet({ packages: new ScriptPackages(all), chosen: [main] });
  expect(actions.map(({ name }) => name)).toContain(
    'Splice.Api.Token.AllocationV1:Allocation.Allocation_Cancel',
  );
});

it('lists no action with weight 0, and the most specific name counts', () => {
  const weights = new Map([
    ['Dummy', 0],
    ['Dummy.Clone', 2],
  ]);
  expect(namesOf({ only: ['Dummy'], weights })).toEqual(['Test:Dummy.Clone']);
});

it('archives less often than it exercises another choice', () => {
  const commands = commandsOf({ only: ['Dummy'] }, 1_500);
  const choices = commands.flatMap((each) => ('choice' in each ? [each.choice] : []));
  const count = (name: string) => choices.filter((each) => each === name).length;
  const others = new Set(choices.filter((each) => each !== 'Archive'));
  const average = (choices.length - count('Archive')) / others.size;
  expect(count('Archive') / average).toBeGreaterThan(0.15);
  expect(count('Archive') / average).toBeLessThan(0.45);
});

it('lets a custom action or another command race with a command', () => {
  const custom = [{ name: 'mine', argument: { kind: 'bool' } as const, act: () => undefined }];
  const actions = setOf({ only: ['create Dummy', 'mine'], custom });
  const ledger = new FuzzLedger(packages, start, { actions: new Map([['mine', custom[0]!]]) });
  const values = new ValueSource(new Random('rivals'), ledger);
  const steps = Array.from({ length: 1_000 }, (_, number) => actions.next(values, number));
  const races = steps.flatMap((step) => (step.kind === 'race' ? [step.submissions] : []));
  const same = races.filter(([one, other]) => one.commands[0] === other.commands[0]);
  // In place of the custom action, half of the actions, the command races with itself.
  expect(same.length / races.length).toBeGreaterThan(0.25);
  expect(same.length / races.length).toBeLessThan(0.75);
});

it('mostly names contracts by keys that exist', () => {
  const ran = sequence({ chosen: [keysPackage], only: ['Account'] }, 800);
  const byKey = ran.filter(
    ({ step }) => step.kind === 'submit' && step.submission.commands[0]?.kind === 'exerciseByKey',
  );
  const missing = byKey.filter(({ codes }) => codes[0] === 'CONTRACT_KEY_NOT_FOUND');
  expect(byKey.length).toBeGreaterThan(50);
  expect(missing.length / byKey.length).toBeLessThan(0.5);
});

describe('the chances of a submission', () => {
  const actions = setOf({ only: ['Dummy'] });
  const ledger = new FuzzLedger(packages, start);
  const dummy = (operator: string) => create('Dummy', { operator });
  const chances = (commands: readonly ReturnType<typeof dummy>[], mayDiffer?: boolean) =>
    chancesOf((random) => {
      const values = new ValueSource(random, ledger);
      const { actAs, readAs } = actions.submission(values, commands, mayDiffer);
      return `${actAs.join()}${readAs.length === 0 ? '' : ` ${readAs.join()}`}`;
    });
  const sum = (all: ReadonlyMap<string, number>, actors: string) =>
    [...all].reduce(
      (total, [each, chance]) => total + (each.split(' ')[0] === actors ? chance : 0),
      0,
    );
  /** Of a party: 6 % strangers, the others equally. */
  const [one, stranger] = [0.47, 0.06];

  it('are 85 % for the required party, and equal for the kinds of other parties', () => {
    const all = chances([dummy('alice')]);
    expect(sum(all, 'alice')).toBeCloseTo(0.85 + 0.03 * (3 * one + one * one));
    expect(sum(all, 'bob')).toBeCloseTo(0.03 * (2 * one + one * one));
    expect(sum(all, STRANGER)).toBeCloseTo(0.03 * (1 + 2 * stranger + stranger * stranger));
    expect(sum(all, 'alice,bob')).toBeCloseTo(0.03 * (one + one * one));
    expect(sum(all, 'bob,alice')).toBeCloseTo(0.03 * one * one);
  });

  it('include one of several required parties alone', () => {
    const all = chances([dummy('alice'), dummy('bob')]);
    expect(sum(all, 'alice,bob')).toBeCloseTo(0.85 + 0.03 * (2 * one + one * one));
    expect(sum(all, 'alice')).toBeCloseTo(0.03 * (0.5 + one + one * one));
  });

  it('are 5 % for a further reader', () => {
    const all = chances([dummy('alice')], false);
    expect([...all.keys()].every((each) => /^alice( |$)/.test(each))).toBe(true);
    expect(all.get('alice')).toBeCloseTo(0.95);
    expect(all.get(`alice ${STRANGER}`)).toBeCloseTo(0.05 * stranger);
  });
});

describe('the chances of an advance', () => {
  const none = setOf({ only: ['Dummy'], exclude: ['Dummy'] });
  const ledger = new FuzzLedger(packages, { ...start, now: 0n });
  const chances = (timestamps: readonly bigint[]) =>
    chancesOf((random) => {
      const constants = { ints: [], numerics: [], texts: [], timestamps, dates: [] };
      const step = none.next(new ValueSource(random, ledger, constants), 3);
      return step.kind === 'advance' && step.number === 3 ? step.micros : undefined;
    });

  it('are equal for the usual durations without a deadline', () => {
    for (const timestamps of [[], [-5n]]) {
      const all = chances(timestamps);
      expect([...all.keys()].sort()).toEqual([...DURATIONS].sort());
      for (const chance of all.values()) expect(chance).toBeCloseTo(1 / DURATIONS.length);
    }
  });

  it('are 70 % for a known deadline, one microsecond before it and one after it', () => {
    const all = chances([777n]);
    for (const micros of [776n, 777n, 778n]) expect(all.get(micros)).toBeCloseTo((0.25 * 0.7) / 3);
  });
});

it('often uses the same parties in one payload, and seldom exercises a choice on a new contract', () => {
  const only = ['create TriProposal', 'Dummy'];
  const ledger = new FuzzLedger(packages, plainStart(['alice', 'bob', 'carol', 'dave']));
  const actions = setOf({ only });
  const values = new ValueSource(new Random('focus'), ledger);
  const steps = Array.from({ length: 4_000 }, (_, number) => actions.next(values, number));
  const commands = steps.flatMap((step) => submissionsOf(step).flatMap((each) => each.commands));
  const proposals = commands.filter(({ templateId }) => templateId.endsWith(':TriProposal'));
  const parties = proposals.flatMap((each) =>
    'payload' in each ? [new Set(Object.values(each.payload)).size] : [],
  );
  // Equal chances for four parties would give 6 %.
  expect(parties.filter((each) => each === 1).length / parties.length).toBeGreaterThan(0.15);
  const dummies = commands.filter(
    (each) => 'payload' in each && each.templateId.endsWith(':Dummy'),
  );
  const used = dummies.filter(({ kind }) => kind === 'createAndExercise');
  expect(used.length / dummies.length).toBeGreaterThan(0.01);
  expect(used.length / dummies.length).toBeLessThan(0.1);
});

describe('with code that names contracts', () => {
  const Thing = defineTemplate({
    name: 'Main:Thing',
    fields: { owner: d.party },
    signatories: ({ owner }) => [owner],
    choices: (choice) => ({
      Use: choice({
        argument: { other: d.contractId('Main:Other') },
        result: d.unit,
        controllers: ({ owner }) => [owner],
        run: () => ({}),
      }),
      Fail: choice({
        result: d.unit,
        controllers: () => {
          throw new Error('no controllers');
        },
        run: () => ({}),
      }),
    }),
  });
  const Other = defineTemplate({
    name: 'Main:Other',
    fields: { owner: d.party },
    signatories: ({ owner }) => [owner],
  });
  const main = definePackage({ name: 'naming', version: '1.0.0', templates: [Thing, Other] });
  const own = new ScriptPackages([...STABLE_PACKAGES, main]);
  const templateId = `${main.id}:Main:Thing`;

  it('ends the search for a contract that does not exist', () => {
    const custom = [{ name: 'mine', argument: { kind: 'bool' } as const, act: () => undefined }];
    const only = ['Thing.Use', 'mine'];
    const actions = new ActionSet({ packages: own, chosen: [main], only, custom });
    const ledger = new FuzzLedger(own, start, { actions: new Map([['mine', custom[0]!]]) });
    const values = new ValueSource(new Random('lacking'), ledger);
    const steps = Array.from({ length: 300 }, (_, number) => actions.next(values, number));
    expect(new Set(steps.map(({ kind }) => kind))).toContain('submit');
  });

  it('has no actors of a choice whose code fails', () => {
    const ledger = new FuzzLedger(own, start);
    const payload = { owner: 'alice' };
    ledger.run(submit(0, ['alice'], { kind: 'create', templateId, payload }));
    const [{ contractId }] = [...ledger.active()] as [ContractInstance];
    const exercise = { kind: 'exercise', templateId, contractId, choice: 'Fail', argument: {} };
    expect(actorsOf(ledger, exercise as never)).toEqual([]);
    expect(actorsOf(ledger, { ...exercise, choice: 'Archive' } as never)).toEqual(['alice']);
    expect(actorsOf(ledger, { kind: 'create', templateId, payload })).toEqual(['alice']);
  });
});
