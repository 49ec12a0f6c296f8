/**
 * Each bug of the zoo has a short reproduction. Its steps show the bug again in the faulty model, and not in the fixed
 * one. Its scenario fails on a Canticle with the faulty model, and passes with the fixed one.
 */
import { createCanticle } from 'canticle';
import { asScenario } from '../../../src/fuzzing/emitting/scenario.js';
import { reproduce } from '../../../src/fuzzing/emitting/reproduce.js';
import { StepCodec } from '../../../src/fuzzing/model/step-json.js';
import { replay } from '../../../src/fuzzing/running/fuzz-run.js';
import { scenarioFile } from '../../scenario/scenario-files.js';
import { firstBug, zooOptions } from '../zoo/run.js';
import { darsOf, ZOO, type ZooRow } from '../zoo/zoo.js';

function reproduced(row: ZooRow) {
  const { options, bug } = firstBug(row);
  const dars = darsOf(row, false).map((_, place) => `${row.name}-${place}.dar`);
  return { dars, ...reproduce(bug, { ...options, dars, origin: { kind: 'parties' } }) };
}

/** Writes the DARs of a model into the folder of its scenario. */
function written(row: ZooRow, fixed: boolean, dars: readonly string[]): void {
  darsOf(row, fixed).forEach((bytes, place) => scenarioFile(bytes, dars[place]!));
}

describe.each(ZOO)('$name', (row) => {
  const found = reproduced(row);
  const { steps, reproduction, dars } = found;

  test('the steps show the bug in the faulty model alone', () => {
    expect(steps.length).toBeLessThanOrEqual(found.bug.steps.length);
    for (const fixed of [false, true]) {
      const { packages, start, checks } = zooOptions(row, fixed);
      const written = new StepCodec(reproduction.packages);
      const read = new StepCodec(packages);
      const same = steps.map((step) =>
        read.decode(JSON.parse(JSON.stringify(written.encode(step)))),
      );
      const names = replay(packages, start, same, checks)
        .filter(({ isNote }) => isNote !== true)
        .map(({ check }) => check);
      if (steps.length > 0) expect(names.includes(row.finds)).toBe(!fixed);
    }
  });

  const { assertion } = reproduction.finding;
  if (assertion === undefined || row.founds !== undefined || steps.length === 0) return;

  test('the scenario fails on the faulty model, and passes on the fixed one', () => {
    const scenario = scenarioFile(asScenario(reproduction));
    written(row, false, dars);
    expect(() => createCanticle({ scenario })).toThrow();
    written(row, true, dars);
    expect(() => createCanticle({ scenario })).not.toThrow();
  });
});
