/** A failing sequence shrinks to what the failure needs. */
import fc from 'fast-check';
import { Iou, quickstartPackage } from '../../../src/daml/define/quickstart.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import type { Command } from '../../../src/daml/model/transaction.js';
import type { DamlRecord } from '../../../src/daml/model/values.js';
import type { Step, Submission } from '../../../src/fuzzing/model/step.js';
import { shrink } from '../../../src/fuzzing/shrinking/shrink.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { check } from '../../support/property.js';
import * as models from '../models.js';

const packages = new ScriptPackages([quickstartPackage]);
const templateId = `${quickstartPackage.id}:${Iou.templateId.split(':').slice(1).join(':')}`;
const origins = { packages, parties: ['alice', 'bank', 'bob'], now: 0n };

const payload = (amount: string): DamlRecord => ({
  issuer: 'bank',
  owner: 'bob',
  currency: 'EUR',
  amount: Numeric.of(amount),
  observers: ['alice', 'bob'],
});
const create = (amount: string): Command => ({
  kind: 'create',
  templateId,
  payload: payload(amount),
});
const submission = (...commands: readonly Command[]): Submission => ({
  actAs: ['bank', 'bob'],
  readAs: ['alice'],
  commands,
});
const submit = (number: number, ...commands: readonly Command[]): Step => ({
  kind: 'submit',
  number,
  submission: submission(...commands),
});

const commandsOf = (step: Step): readonly Command[] =>
  step.kind === 'submit'
    ? step.submission.commands
    : step.kind === 'race'
      ? step.submissions.flatMap(({ commands }) => commands)
      : [];
const amountOf = (command: Command): Numeric =>
  (command as unknown as { readonly payload: { readonly amount: Numeric } }).payload.amount;
const exceeds = (limit: bigint) => (steps: readonly Step[]) =>
  steps.flatMap(commandsOf).some((each) => amountOf(each).unscaled > limit * 10n ** 10n);

test('the other steps, commands, parties and values go', () => {
  const steps = Array.from({ length: 30 }, (_, number) =>
    number === 17
      ? submit(number, create('1'), create('250.75'), create('3'))
      : submit(number, create('5')),
  );
  expect(shrink(steps, { ...origins, fails: exceeds(99n) })).toEqual([
    {
      kind: 'submit',
      number: 17,
      submission: {
        actAs: ['alice'],
        readAs: [],
        commands: [
          {
            kind: 'create',
            templateId,
            payload: {
              issuer: 'alice',
              owner: 'alice',
              currency: '',
              amount: Numeric.of('100'),
              observers: [],
            },
          },
        ],
      },
    },
  ]);
});

test('a race becomes one submission if that fails, too', () => {
  const race: Step = {
    kind: 'race',
    number: 4,
    submissions: [submission(create('1')), submission(create('100'))],
  };
  const [shrunk] = shrink([race], { ...origins, fails: exceeds(99n) });
  expect(shrunk).toMatchObject({ kind: 'submit', number: 4 });
});

test('a race stays one if both submissions matter', () => {
  const race: Step = {
    kind: 'race',
    number: 4,
    submissions: [submission(create('7'), create('8')), submission(create('9'))],
  };
  const fails = ([step]: readonly Step[]) => step?.kind === 'race';
  const [shrunk] = shrink([race], { ...origins, fails });
  const least = { actAs: ['alice'], readAs: [], commands: [{ payload: { currency: '' } }] };
  expect(shrunk).toMatchObject({ kind: 'race', submissions: [least, least] });
});

test('an advance becomes as short as possible, but not nothing', () => {
  const steps: readonly Step[] = [{ kind: 'advance', number: 0, micros: 1_000n }];
  const micros = (of: readonly Step[]) => (of[0]?.kind === 'advance' ? of[0].micros : 0n);
  const shrunk = shrink(steps, { ...origins, fails: (of) => micros(of) >= 600n });
  expect(micros(shrunk)).toBe(600n);
  const least = shrink(steps, { ...origins, fails: (of) => of.length === 1 });
  expect(micros(least)).toBe(1n);
});

test('numbers that depend on each other shrink together', () => {
  const doubled = ([first, second]: readonly Step[]) => {
    if (first === undefined || second === undefined) return false;
    const [one, other] = [amountOf(commandsOf(first)[0]!), amountOf(commandsOf(second)[0]!)];
    return one.unscaled > 0n && other.unscaled === 2n * one.unscaled;
  };
  const steps = [submit(0, create('4096')), submit(1, create('8192'))];
  const shrunk = shrink(steps, { ...origins, fails: doubled });
  expect(shrunk.flatMap(commandsOf).map((each) => amountOf(each).toCompact())).toEqual([
    '1.0',
    '2.0',
  ]);
});

test('the result fails, and no step can be removed from it', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 20 });
  check(
    fc.property(steps, fc.integer({ min: 1, max: 100 }), (amounts, limit) => {
      const total = (of: readonly Step[]) =>
        of.flatMap(commandsOf).reduce((sum, each) => sum + amountOf(each).unscaled, 0n);
      const fails = (of: readonly Step[]) => total(of) >= BigInt(limit) * 10n ** 10n;
      const all = amounts.map((amount, number) => submit(number, create(String(amount))));
      if (!fails(all)) return;
      const shrunk = shrink(all, { ...origins, fails });
      expect(total(shrunk)).toBe(BigInt(limit) * 10n ** 10n);
      for (const place of shrunk.keys()) expect(fails(shrunk.toSpliced(place, 1))).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test.each([
  [0, 30],
  [1, 15],
  [2, 15],
])('%i replays leave %i steps', (maxReplays, left) => {
  let replays = 0;
  const fails = (steps: readonly Step[]) => {
    replays += 1;
    return steps.some(({ number }) => number === 0);
  };
  const steps = Array.from({ length: 30 }, (_, number) => submit(number, create('5')));
  expect(shrink(steps, { ...origins, fails, maxReplays })).toHaveLength(left);
  expect(replays).toBe(maxReplays);
});

test('later steps keep the contracts of the second submission of a race that goes', () => {
  const party = (name: string) => ({ ...origins, parties: [name] });
  const start = plainStart(['alice', 'bob']);
  const dummy = (operator: string) => models.create('Dummy', { operator });
  const given = (second: Submission): Step => ({
    kind: 'race',
    number: 4,
    submissions: [models.submission(['bob'], dummy('bob')), second],
  });
  const first = new FuzzLedger(models.packages, start);
  first.run(given(models.submission(['alice'], dummy('alice'))));
  const { contractId } = [...first.active()].find(
    ({ payload: { operator } }) => operator === 'alice',
  )!;
  const steps = [
    given(models.submission(['alice'], dummy('alice'))),
    models.submit(5, ['alice'], models.exercise('Dummy', contractId, 'Clone')),
  ];
  /** Whether Alice has two contracts after the last step. */
  const fails = (some: readonly Step[]): boolean => {
    const ledger = new FuzzLedger(models.packages, start);
    for (const step of some) ledger.run(step);
    return (
      [...ledger.active()].filter(({ payload: { operator } }) => operator === 'alice').length === 2
    );
  };
  const shrunk = shrink(steps, { ...party('alice'), packages: models.packages, fails });
  expect(fails(shrunk)).toBe(true);
  expect(shrunk.map(({ kind }) => kind)).toEqual(['submit', 'submit']);
  expect(shrunk.map(({ number }) => number)).toEqual([4, 5]);
});

test('the search ends after the given number of replays', () => {
  const steps = Array.from({ length: 30 }, (_, number) => submit(number, create('500')));
  const replaysOf = (maxReplays?: number): number => {
    let replays = 0;
    const fails = (some: readonly Step[]) => {
      replays += 1;
      return exceeds(99n)(some);
    };
    shrink(steps, { ...origins, fails, ...(maxReplays !== undefined && { maxReplays }) });
    return replays;
  };
  expect(replaysOf(7)).toBe(7);
  expect(replaysOf(0)).toBe(0);
  expect(replaysOf()).toBeLessThan(1_000);
});

test('the search ends after 20,000 replays by default', () => {
  const commands = Array.from({ length: 900 }, (_, number) => create(`${1_000_003 + number}.5`));
  const steps = [submit(0, ...commands)];
  let replays = 0;
  const fails = () => {
    replays += 1;
    return false;
  };
  expect(shrink(steps, { ...origins, fails })).toBe(steps);
  expect(replays).toBe(20_000);
});
