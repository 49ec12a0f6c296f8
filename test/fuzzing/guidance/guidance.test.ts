/** Guided runs reach code that random ones miss. */
import { FuzzRun } from '../../../src/fuzzing/running/fuzz-run.js';
import { Guidance, MAX_WAITING } from '../../../src/fuzzing/guidance/guidance.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import type { Step } from '../../../src/fuzzing/model/step.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { ValueSource } from '../../../src/fuzzing/values/values.js';
import { submit } from '../models.js';
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

/** Takes each chance, so that a sequence follows a hint as long as one waits. */
class Certain extends Random {
  override chance(): boolean {
    return true;
  }
}

it('keeps at most 5,000 hints for later sequences', () => {
  expect(MAX_WAITING).toBe(5_000);
  const { guidance: coverage, packages, start, actions } = vaultOptions('waiting');
  const ledger = new FuzzLedger(packages, start);
  const [vault] = packages.all().filter(({ name }) => name === 'zoo');
  const templateId = `${vault!.id}:Main:Vault`;
  const payload = { owner: 'alice', number: 5n, opensAt: 0n, name: 'a' };
  const mark = ledger.mark();
  const create = submit(0, ['alice'], { kind: 'create', templateId, payload });
  ledger.run(create);
  const { contractId } = [...ledger.active()][0]!;
  ledger.revert(mark);
  const argument = { guess: 7n, second: 1n, word: 'b' };
  const open = { kind: 'exercise', templateId, contractId, choice: 'Open', argument } as const;
  const steps: readonly Step[] = [create, submit(1, ['alice'], open)];
  /** The hints of this many kept sequences. */
  const waiting = (count: number): number => {
    const guidance = new Guidance(actions, ledger, coverage);
    for (let kept = 0; kept < count; kept++) {
      guidance.absorb({ steps, isOfCode: true });
      ledger.revert(mark);
    }
    const values = new ValueSource(new Certain('waiting'), ledger);
    let found = 0;
    // A new sequence without steps ends at once.
    while (guidance.sequence(values, 0)() !== undefined) found += 1;
    return found;
  };
  const each = waiting(1);
  expect(each).toBeGreaterThan(1);
  const fitting = Math.floor(MAX_WAITING / each);
  expect(waiting(fitting)).toBe(fitting * each);
  expect(waiting(fitting + 1)).toBe(MAX_WAITING);
});
