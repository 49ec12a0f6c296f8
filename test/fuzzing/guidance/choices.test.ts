/** Choices of guided runs: sequences of the corpus, changes of values and of steps, and what is kept. */
import { ActionSet } from '../../../src/fuzzing/actions/action-set.js';
import { Corpus } from '../../../src/fuzzing/guidance/corpus.js';
import { Guidance } from '../../../src/fuzzing/guidance/guidance.js';
import { Mutation } from '../../../src/fuzzing/guidance/mutation.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { Some, type DamlValue } from '../../../src/daml/model/values.js';
import { changed } from '../../../src/fuzzing/values/changes.js';
import { DURATIONS } from '../../../src/fuzzing/values/numbers.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { ValueSource } from '../../../src/fuzzing/values/values.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { create, packages, submit } from '../models.js';
import { chancesOf, shareOf } from '../values/chances.js';

const start = plainStart(['alice', 'bob']);
const dummy = (operator = 'alice') => create('Dummy', { operator });
const entry = (number: number, isOfCode: boolean) => ({
  steps: [submit(number, ['alice'], dummy())],
  isOfCode,
});

describe('a sequence of the corpus', () => {
  const chances = (ofCode: number, ofShapes: number) => {
    const corpus = new Corpus();
    for (let number = 0; number < ofCode; number++) corpus.add(entry(number, true));
    for (let number = 0; number < ofShapes; number++) corpus.add(entry(100 + number, false));
    return chancesOf((random) => corpus.pick(random).steps[0]!.number);
  };

  it('reached new code in 70 % of the cases, if there is one that did', () => {
    expect(shareOf(chances(3, 3), (number) => number < 100)).toBeCloseTo(0.7);
    expect(shareOf(chances(3, 0), (number) => number < 100)).toBeCloseTo(1);
    expect(shareOf(chances(0, 3), (number) => number < 100)).toBe(0);
  });

  it('is one of the last ten in half of the cases, and any one otherwise', () => {
    const all = chances(20, 0);
    for (const late of [10, 19]) expect(all.get(late)).toBeCloseTo(0.5 / 10 + 0.5 / 20);
    for (const early of [0, 9]) expect(all.get(early)).toBeCloseTo(0.5 / 20);
    for (const each of chances(4, 0).values()) expect(each).toBeCloseTo(1 / 4);
  });
});

describe('a changed value', () => {
  const BOOL: DamlType = { kind: 'bool' };
  const ledger = new FuzzLedger(packages, start);
  const chances = (type: DamlType, value: DamlValue) =>
    chancesOf((random) => text(changed(new ValueSource(random, ledger), packages, type, value)));
  const text = (value: DamlValue): string =>
    Array.isArray(value)
      ? `[${value.map(text).join()}]`
      : value instanceof Some
        ? `Some ${text(value.value)}`
        : value instanceof Map
          ? `{${[...value].map(([key, each]) => `${key}=${text(each)}`).join()}}`
          : value === null
            ? 'None'
            : value === true
              ? 'T'
              : 'F';
  /** Of a new value of any kind. */
  const WHOLE = 0.15;
  const LENGTHS = { one: 0.6 + 0.4 / 5, other: 0.4 / 5 };

  it('is new in 15 % of the cases', () => {
    expect(chances(BOOL, true).get('F')).toBeCloseTo(0.5);
    const optional = chances({ kind: 'optional', of: BOOL }, null);
    expect(optional.get('None')).toBeCloseTo(WHOLE * 0.6);
    const set = chances({ kind: 'optional', of: BOOL }, new Some(true));
    expect(set.get('None')).toBeCloseTo(WHOLE * 0.6 + 0.85 * 0.3);
    expect(set.get('Some F')).toBeCloseTo(WHOLE * 0.4 * 0.5 + 0.85 * 0.7 * 0.5);
  });

  it('has an element more, less, twice or changed, each in 25 % of the cases', () => {
    const type: DamlType = { kind: 'list', of: BOOL };
    const all = chances(type, [true, true]);
    const whole = (length: number) => WHOLE * (length === 1 ? LENGTHS.one : LENGTHS.other);
    const share = (is: (list: string) => boolean) => shareOf(all, is);
    const length = (list: string) => list.replace(/[^TF]/g, '').length;
    expect(share((list) => length(list) === 1)).toBeCloseTo(whole(1) + 0.85 / 4);
    expect(share((list) => length(list) === 3)).toBeCloseTo(whole(3) + 0.85 / 2);
    expect(share((list) => length(list) === 2)).toBeCloseTo(whole(2) + 0.85 / 4);
    // A new element is at each place equally often.
    for (const list of ['[F,T,T]', '[T,F,T]', '[T,T,F]'])
      expect(all.get(list)).toBeCloseTo(whole(3) / 8 + (0.85 / 4 / 3) * 0.5);
    expect(all.get('[T,F]')).toBeCloseTo(whole(2) / 4 + (0.85 / 4) * (2 / 3) * 0.5);
    expect(all.get('[F,T]')).toBeCloseTo(whole(2) / 4 + (0.85 / 4) * (1 / 3) * 0.5);
    expect(shareOf(chances(type, []), (list) => list === '[]')).toBeCloseTo(WHOLE * LENGTHS.other);
  });

  it('has an entry less in 30 % of the cases, or another value', () => {
    const pairs: DamlType = { kind: 'genMap', key: BOOL, value: BOOL };
    const changedPairs = chances(pairs, [[true, true]] as never);
    expect(changedPairs.get('[]')).toBeCloseTo(WHOLE * LENGTHS.other + 0.85 * 0.3);
    const one = (list: string) => list === '[[F,T]]' || list === '[[T,F]]';
    const key = changedPairs.get('[[F,T]]')!;
    const value = changedPairs.get('[[T,F]]')!;
    expect(shareOf(changedPairs, one)).toBeCloseTo(key + value);
    expect(value - key).toBeCloseTo(0.85 * 0.7 * (0.7 - 0.3) * 0.5);
  });
});

describe('a changed sequence', () => {
  const mine = { name: 'mine', argument: { kind: 'bool' } as const, act: () => undefined };
  const only = ['Dummy', 'mine'];
  const actions = new ActionSet({ packages, chosen: [modelPackage], only, custom: [mine] });
  const changedSteps = (step: Step, count = 600): readonly Step[] => {
    const corpus = new Corpus();
    corpus.add({ steps: [step], isOfCode: true });
    const ledger = new FuzzLedger(packages, start);
    const mutation = new Mutation(actions, ledger);
    return Array.from({ length: count }, (_, seed) => {
      const values = new ValueSource(new Random(`s${seed}`), ledger);
      return mutation.sequence(corpus, values, 1)();
    }).filter((each) => each?.number === step.number && each.kind === step.kind) as Step[];
  };

  it('loses at most one command of a submission', () => {
    const step = submit(3, ['alice', 'bob'], dummy(), dummy('bob'), dummy());
    const counts = changedSteps(step).map((each) =>
      each.kind === 'submit' ? each.submission.commands.length : 0,
    );
    expect(new Set(counts)).toEqual(new Set([2, 3]));
  });

  it('loses one of two commands', () => {
    const step = submit(3, ['alice', 'bob'], dummy(), dummy('bob'));
    const counts = changedSteps(step).map((each) =>
      each.kind === 'submit' ? each.submission.commands.length : 0,
    );
    expect(new Set(counts)).toEqual(new Set([1, 2]));
  });

  it('calls an action with another argument', () => {
    const step = { kind: 'custom', number: 3, action: 'mine', argument: true } as const;
    const called = changedSteps(step).map((each) => each.kind === 'custom' && each.argument);
    expect(new Set(called)).toEqual(new Set([true, false]));
  });

  it('mostly begins as the sequence of the corpus does', () => {
    const corpus = new Corpus();
    const steps = [0, 1, 2].map((number) => submit(number, ['alice'], dummy()));
    corpus.add({ steps, isOfCode: true });
    const ledger = new FuzzLedger(packages, start);
    const mutation = new Mutation(actions, ledger);
    const firsts = Array.from({ length: 2_000 }, (_, seed) => {
      const values = new ValueSource(new Random(`s${seed}`), ledger);
      return mutation.sequence(corpus, values, 10)()?.number;
    });
    // Only a new first step, or the loss of the first one, each in one of 24 cases.
    const others = firsts.filter((number) => number !== 0).length / firsts.length;
    expect(others).toBeGreaterThan(0.06);
    expect(others).toBeLessThan(0.11);
  });

  it('advances the time by one microsecond more or less, or by a usual duration', () => {
    const micros = changedSteps({ kind: 'advance', number: 3, micros: 777n }).map((each) =>
      each.kind === 'advance' ? each.micros : undefined,
    );
    const expected = new Set([776n, 777n, 778n, ...DURATIONS]);
    expect(micros.filter((each) => !expected.has(each!))).toEqual([]);
    for (const each of [776n, 777n, 778n]) expect(micros).toContain(each);
    const first = changedSteps({ kind: 'advance', number: 3, micros: 0n }).map((each) =>
      each.kind === 'advance' ? each.micros : -1n,
    );
    expect(first.every((each) => each >= 0n)).toBe(true);
    expect(first).toContain(1n);
  });

  it('changes one of two racing submissions', () => {
    const race = {
      kind: 'race',
      number: 3,
      submissions: [
        { actAs: ['alice'], readAs: [], commands: [dummy()] },
        { actAs: ['alice'], readAs: [], commands: [dummy()] },
      ],
    } as const;
    const sides = changedSteps(race).map((each) =>
      each.kind === 'race'
        ? each.submissions.map((one, place) => Number(one !== race.submissions[place])).join('')
        : '',
    );
    expect(new Set(sides)).toEqual(new Set(['00', '10', '01']));
  });
});

describe('a kept sequence', () => {
  const actions = new ActionSet({ packages, chosen: [modelPackage] });

  it('ends with the last step that reached something new, without rejected ones before it', () => {
    const ledger = new FuzzLedger(packages, start);
    const guidance = new Guidance(actions, ledger, undefined);
    const after = (...steps: readonly Step[]) => {
      guidance.begin();
      for (const step of steps) guidance.afterStep(ledger.run(step));
      return guidance.kept()?.steps.map(({ number }) => number);
    };
    expect(guidance.kept()).toBeUndefined();
    expect(after(submit(0, ['alice'], dummy()))).toEqual([0]);
    expect(after(submit(1, ['bob'], dummy()))).toEqual([1]);
    // The second rejection is not new, the second contract is, and an advance reaches nothing.
    expect(
      after(submit(2, ['bob'], dummy()), submit(3, ['alice'], dummy()), {
        kind: 'advance',
        number: 4,
        micros: 1n,
      }),
    ).toEqual([3]);
    for (let number = 5; number < 20; number++) ledger.run(submit(number, ['alice'], dummy()));
    after(submit(30, ['alice'], dummy()));
    expect(after(submit(31, ['alice'], dummy()))).toBeUndefined();
    // An accepted step before a new one stays: later steps may need it.
    expect(
      after(submit(32, ['alice'], dummy()), submit(33, ['alice'], create('Asset', {}))),
    ).toBeDefined();
  });
});
