/** Runs: the same seed gives the same report, and findings can be replayed. */
import { ActionSet } from '../../../src/fuzzing/actions/action-set.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import type { Check } from '../../../src/fuzzing/model/finding.js';
import { mergedCounts } from '../../../src/fuzzing/running/counts.js';
import { FuzzRun, replay } from '../../../src/fuzzing/running/fuzz-run.js';
import { modelPackage } from '../../support/daml/model-package.js';
import { create, packages, submit } from '../models.js';

const start = plainStart(['alice', 'bob']);
const actions = new ActionSet({ packages, chosen: [modelPackage] });

/** Reports each template of which three contracts are active. */
const crowd: Check = {
  name: 'crowd',
  summary: 'Three contracts of a template are active.',
  start: (state) => ({
    *afterStep() {
      const counts = new Map<string, number>();
      for (const { templateId } of state.active()) {
        const count = (counts.get(templateId) ?? 0) + 1;
        counts.set(templateId, count);
        if (count === 3) yield { check: 'crowd', place: templateId, message: 'three', templateId };
      }
    },
  }),
};
/** Reports how many steps the sequence had. */
const length: Check = {
  name: 'length',
  summary: 'Counts steps.',
  start: () => {
    let steps = 0;
    return {
      beforeStep: () => void steps++,
      *atEnd() {
        yield { check: 'length', place: '', message: String(steps), isNote: true };
      },
    };
  },
  *atEndOfRun() {
    yield { finding: { check: 'length', place: 'run', message: 'whole' }, steps: [] };
  },
};

function run(seed: string, sequences = 30) {
  const made = new FuzzRun({ packages, start, actions, checks: [crowd, length], seed, steps: 20 });
  for (let i = 0; i < sequences; i++) made.next();
  return made.report();
}

it('gives the same report for the same seed', () => {
  expect(run('a')).toEqual(run('a'));
  expect(run('a').bugs).not.toEqual(run('b').bugs);
});

it('counts sequences, steps and rejections', () => {
  const { counts } = run('a');
  expect(counts).toMatchObject({ sequences: 30, steps: 600 });
  const codes = counts.actions.flatMap(({ rejected }) => Object.values(rejected));
  expect(codes.reduce((sum, each) => sum + each, 0)).toBe(counts.rejected);
  const created = counts.actions.find(({ action }) => action === 'Test:Dummy');
  expect(created?.accepted).toBeGreaterThan(0);
  expect(counts.accepted).toBeGreaterThan(0);
});

it('reports each bug once, with its steps and the number of sequences that show it', () => {
  const { bugs } = run('a');
  const keys = bugs.map(({ finding: { check, place } }) => `${check} ${place}`);
  expect(new Set(keys).size).toBe(keys.length);
  const crowds = bugs.filter(({ finding }) => finding.check === 'crowd');
  expect(crowds.length).toBeGreaterThan(1);
  for (const { finding, steps } of crowds) {
    expect(replay(packages, start, steps, [crowd])).toContainEqual(finding);
    expect(replay(packages, start, steps.slice(0, -1), [crowd])).not.toContainEqual(finding);
  }
  const atEnd = bugs.find(({ finding }) => finding.check === 'length');
  expect(atEnd).toMatchObject({ sequence: 0, times: 30, finding: { message: '20' } });
  expect(bugs.at(-1)).toMatchObject({ finding: { place: 'run' }, steps: [], sequence: -1 });
});

it('starts each sequence at the start state', () => {
  const made = new FuzzRun({ packages, start, actions, checks: [], seed: 'a' });
  made.next();
  expect([...made.ledger.active()]).toEqual([]);
  expect(made.ledger.now).toBe(start.now);
});

it('counts each outcome of an action once, and has 30 steps by default', () => {
  const made = new FuzzRun({ packages, start, actions, checks: [], seed: 'a' });
  const given = [
    create('Dummy', { operator: 'alice' }),
    create('Dummy', { operator: 'alice' }),
    create('Dummy', { operator: 'bob' }),
  ];
  made.runSteps(
    0,
    given.map((command, number) => submit(number, ['alice'], command)),
  );
  const { counts } = made.report();
  expect(counts).toEqual({
    sequences: 1,
    steps: 3,
    accepted: 2,
    rejected: 1,
    actions: [{ action: 'Test:Dummy', accepted: 2, rejected: { DAML_AUTHORIZATION_ERROR: 1 } }],
  });
  made.next();
  expect(made.report().counts.steps).toBe(33);
});

it('adds the counts of several threads', () => {
  const counts = (accepted: number, rejected: Record<string, number>, action = 'Test:Dummy') => ({
    sequences: 2,
    steps: 7,
    accepted,
    rejected: Object.values(rejected).reduce((sum, each) => sum + each, 0),
    actions: [{ action, accepted, rejected }],
  });
  expect(mergedCounts([])).toMatchObject({ sequences: 0, actions: [] });
  expect(
    mergedCounts([counts(3, { A: 1 }), counts(4, { A: 2, B: 5 }), counts(1, { C: 1 }, 'Other')]),
  ).toEqual({
    sequences: 6,
    steps: 21,
    accepted: 8,
    rejected: 9,
    actions: [
      { action: 'Test:Dummy', accepted: 7, rejected: { A: 3, B: 5 } },
      { action: 'Other', accepted: 1, rejected: { C: 1 } },
    ],
  });
});

it('replays the end of a sequence, too', () => {
  const steps = [submit(0, ['alice'], create('Dummy', { operator: 'alice' }))];
  expect(replay(packages, start, steps, [length])).toEqual([
    { check: 'length', place: '', message: '1', isNote: true },
  ]);
});

it('replays a check of whole runs by its check of a sequence', () => {
  const steps = [submit(0, ['alice'], create('Dummy', { operator: 'alice' }))];
  const whole: Check = {
    name: 'whole',
    summary: 'Of a run.',
    start: () => ({
      *atEnd() {
        yield { check: 'whole', place: 'run', message: '' };
      },
    }),
    inSequence: { ...length, name: 'whole' },
  };
  expect(replay(packages, start, steps, [whole]).map(({ place }) => place)).toEqual(['']);
});
