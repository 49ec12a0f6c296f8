/** `fuzzDaml`: a DAR as the tests of its checks and invariants. */
import {
  type ActingView,
  conserved,
  type FuzzedBug,
  type FuzzingFailed,
  fuzzDaml,
  invariant,
  replayDaml,
  seenOnlyBy,
} from '../../../src/testing/jest.js';
import { openClaim } from '../../fuzzing/zoo/authority.js';
import { mintingSplit } from '../../fuzzing/zoo/value.js';
import { visibleBid } from '../../fuzzing/zoo/lifecycle.js';
import { buildDar } from '../../support/daml/dar-builder.js';

const supply = () => conserved({ template: 'Token', field: 'amount', by: 'instrument' });

/** The outcomes of the tests that it declares, by title: undefined, or the error's message. */
function outcomes(...[dar, options]: Parameters<typeof fuzzDaml>) {
  const bodies = new Map<string, () => void>();
  const titles: string[] = [];
  const runner = {
    describe: (title: string, body: () => void) => {
      titles.push(title);
      body();
    },
    it: (title: string, body: () => void) => void bodies.set(title, body),
    afterAll: () => undefined,
  };
  fuzzDaml(dar, { runs: 20, ...options, runner });
  const failures = new Map<string, string>();
  const bugs: FuzzedBug[] = [];
  for (const [title, body] of bodies)
    try {
      body();
    } catch (error) {
      const failed = error as FuzzingFailed;
      failures.set(title.split(':')[0]!, failed.message);
      bugs.push(...failed.bugs);
    }
  return { titles, tests: [...bodies.keys()], failures, bugs };
}

const faulty = buildDar(mintingSplit(false));
const good = buildDar(mintingSplit(true));

describe('the twin without the bug', () => fuzzDaml(good, { runs: 20, invariants: [supply()] }));

it('fails the test of the invariant that finds a bug, with the steps to it', () => {
  const { titles, tests, failures } = outcomes(faulty, { invariants: [supply()] });
  expect(titles).toEqual(['zoo']);
  expect(tests).toContain('conserved: No choice changes the sum of amount by instrument.');
  expect(tests).toContainEqual(expect.stringMatching(/^anyone-may-exercise: /));
  expect([...failures.keys()]).toEqual(['conserved']);
  const story = failures.get('conserved')!;
  expect(story).toContain('Main:Token.Split increases the sum of amount');
  expect(story).toContain('Steps:');
});

it('finds the same with the same seed', () => {
  const story = (seed: number) =>
    outcomes(faulty, { seed, invariants: [supply()] }).failures.get('conserved');
  expect(story(3)).toBe(story(3));
});

it('runs as many sequences as asked', () => {
  const { failures } = outcomes(faulty, { runs: 0, invariants: [supply()] });
  expect(failures.size).toBe(0);
});

it('selects checks, actions and budgets', () => {
  const tests = outcomes(faulty, { skipChecks: ['step-budget'], name: 'a name' });
  expect(tests.titles).toEqual(['a name']);
  expect(tests.tests.some((each) => each.startsWith('step-budget'))).toBe(false);
  const options = { exclude: ['Token.Split'], invariants: [supply()] };
  expect(outcomes(faulty, options).failures.size).toBe(0);
  const cheap = outcomes(good, { budget: { steps: 0 } });
  expect([...cheap.failures.keys()]).toEqual(['step-budget']);
  const delegated = outcomes(good, { failOn: ['delegated-authority'] });
  expect([...delegated.failures.keys()]).toEqual(['delegated-authority']);
});

it('takes functions as invariants', () => {
  const invariants = [
    invariant('few tokens', (ledger) => ledger.contracts('Token').length < 3),
    invariant('owners', (ledger) =>
      ledger.contracts('Token').map(({ payload }) => `${payload['owner']} owns one.`),
    ),
  ];
  const { failures } = outcomes(good, { invariants });
  expect(failures.get('few tokens')).toContain('The invariant few tokens does not hold.');
  expect(failures.get('owners')).toMatch(/owns one\./);
  const secret = seenOnlyBy({ template: 'Bid', parties: ['bidder', 'auctioneer'] });
  const bids = outcomes(buildDar(visibleBid(false)), { invariants: [secret] });
  expect([...bids.failures.keys()]).toEqual(['seen-only-by']);
});

it('names the runner where none is global', () => {
  const { describe: global } = globalThis;
  try {
    Reflect.deleteProperty(globalThis, 'describe');
    expect(() => fuzzDaml(good)).toThrow('Import fuzzDaml from canticle/vitest');
  } finally {
    globalThis.describe = global;
  }
});

it('fails with bugs, which replayDaml shows in the faulty model alone', () => {
  const invariants = [supply()];
  const { bugs } = outcomes(faulty, { invariants });
  expect(bugs).toMatchObject([{ check: 'conserved', place: 'Main:Token.Split creates' }]);
  const [{ steps, scenario, damlScript }] = bugs as [FuzzedBug];
  expect(steps).toHaveLength(2);
  expect(scenario).toContain('- attempt:');
  expect(damlScript).toContain('module Reproductions.Conserved where');
  const replayed = { invariants, check: 'conserved', steps };
  expect(() => replayDaml(faulty, replayed)).toThrow(/^zoo 1\.0\.0 has 1 bug \(seed 0\)\./);
  expect(() => replayDaml(good, replayed)).not.toThrow();
  expect(() => replayDaml(good, { ...replayed, check: 'none' })).toThrow(
    'no check or invariant none',
  );
});

it('emits a test that fails for the faulty model alone', () => {
  const { bugs } = outcomes(buildDar(openClaim(false)));
  const { test: text } = bugs[0]!;
  expect(text).toContain("import { replayDaml } from 'canticle/jest';");
  const code = text.split('\n').filter((line) => !line.startsWith('import '));
  const run = new Function('test', 'replayDaml', code.join('\n')) as (...given: unknown[]) => void;
  const emitted = (dar: Uint8Array) => () =>
    run(
      (_: string, body: () => void) => body(),
      (_: string, options: Parameters<typeof replayDaml>[1]) => replayDaml(dar, options),
    );
  expect(emitted(buildDar(openClaim(false)))).toThrow('anyone-may-exercise');
  expect(emitted(buildDar(openClaim(true)))).not.toThrow();
});

it('takes functions as actions', () => {
  const seen = new Set<string>();
  const act = (ledger: ActingView): void => {
    const [owner = ''] = ledger.parties;
    const payload = { issuer: owner, owner, instrument: 'X', amount: '2' };
    const token = ledger.create(owner, 'Token', payload);
    ledger.exercise(owner, token, 'Split', { part: '1' });
    ledger.advance(1_000);
    seen.add(ledger.now).add(String(ledger.contracts('Token').length));
    // A rejected command ends the action, which does not count as a bug.
    ledger.exercise(owner, token, 'Split', { part: '1' });
    seen.add('after a rejected command');
  };
  const own = { actions: [{ name: 'mint', act }], only: ['mint'], runs: 1, steps: 2 };
  expect(outcomes(good, own).failures.size).toBe(0);
  expect([...seen]).toEqual(['1970-01-01T00:00:01Z', '2', '1970-01-01T00:00:02Z', '4']);
});
