/** The zoo: each planted bug is found within its budget, and the fixed twin has no finding. */
import { FuzzRun, replay } from '../../src/fuzzing/running/fuzz-run.js';
import { failuresOf, firstBug, zooOptions } from './zoo/run.js';
import { ZOO } from './zoo/zoo.js';

describe.each(ZOO)('$name: $bug', (row) => {
  test(`is found by ${row.finds} within ${row.runs} sequences, and its steps show it again`, () => {
    const {
      options: { packages, start, checks },
      bug: { finding, steps },
    } = firstBug(row);
    if (steps.length === 0) return;
    const again = replay(packages, start, steps, checks);
    // The message of a finding about a run tells more than that of its steps.
    const { check, place } = finding;
    const same = finding.check === 'stuck-contract' ? { check, place } : finding;
    expect(again).toContainEqual(expect.objectContaining(same));
  });

  test('has a twin without findings', () => {
    const run = new FuzzRun(zooOptions(row, true));
    for (let count = 0; count < row.runs; count++) run.next();
    expect(failuresOf(run.report()).map(({ finding }) => finding)).toEqual([]);
  });
});
