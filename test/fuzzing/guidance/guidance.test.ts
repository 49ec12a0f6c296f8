/** Guided runs reach code that random ones miss. */
import { FuzzRun } from '../../../src/fuzzing/running/fuzz-run.js';
import { vaultOptions } from './vault.js';

const SEQUENCES = 600;

function run(seed: string, isGuided = true, most = SEQUENCES) {
  const { guidance, ...options } = vaultOptions(seed);
  const made = new FuzzRun({ ...options, ...(isGuided && { guidance }) });
  for (let sequence = 0; sequence < most && guidance.share < 1; sequence++) made.next();
  made.absorb(made.takeKept());
  return { made, coverage: guidance };
}

it.each(['a', 'b', 'c'])('reaches every branch of the vault with seed %s', (seed) => {
  const { coverage } = run(seed);
  expect(coverage.summary().missedBranches).toEqual([]);
  expect(coverage.share).toBe(1);
});

it('does not reach them without guidance', () => {
  const { coverage } = run('a', false);
  expect(coverage.share).toBeLessThan(1);
  const [missed] = coverage.summary().missedBranches;
  expect(missed).toMatchObject({
    module: 'Main',
    definition: 'Vault.Open',
    condition: 'guess == ((number * 1009) + 17)',
    when: 'True',
  });
});

it('gives the same report and corpus for the same seed', () => {
  const [one, other] = [run('d', true, 150).made, run('d', true, 150).made];
  expect(one.report()).toEqual(other.report());
  expect(one.corpus).toEqual(other.corpus);
  expect(one.corpus.length).toBeGreaterThan(5);
});

it('keeps sequences that reach the same again', () => {
  const { made, coverage } = run('b');
  const again = vaultOptions('b');
  const replayed = new FuzzRun(again);
  for (const { steps } of made.corpus) replayed.runSteps(-2, steps);
  expect(again.guidance.share).toBe(coverage.share);
});
