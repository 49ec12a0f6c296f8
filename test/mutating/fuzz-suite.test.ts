/** Random sequences as the tests of mutants: how many run, and when a mutant is noticed. */
import { CheckedPackages } from '../../src/daml/dar/checked-packages.js';
import type { DarPackage } from '../../src/daml/dar/dar-package.js';
import { readDar } from '../../src/daml/index.js';
import { ActionSet } from '../../src/fuzzing/actions/action-set.js';
import { plainStart } from '../../src/fuzzing/ledger/start-state.js';
import { conserved } from '../../src/fuzzing/invariants/index.js';
import type { Check } from '../../src/fuzzing/model/finding.js';
import { FuzzRun } from '../../src/fuzzing/running/fuzz-run.js';
import { Mutation } from '../../src/mutating/mutation.js';
import { FuzzSuite } from '../../src/mutating/running/fuzz-suite.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { mintingSplit } from '../fuzzing/zoo/value.js';

const SEQUENCES = 12;

function opened() {
  const mutation = new Mutation({ isMutated: () => true });
  const code = { of: () => undefined, instrumentation: mutation };
  const checked = new CheckedPackages(undefined, '', code);
  const { main, packages: all } = readDar(buildDar(mintingSplit(true)), undefined, { checked });
  (main as DarPackage).visitCode();
  const packages = new ScriptPackages(all);
  let started = 0;
  const counting: Check = {
    name: 'counting',
    summary: 'The sequences.',
    start: () => {
      started += 1;
      return {};
    },
  };
  const supply = () => conserved({ name: 'supply', template: 'Token', field: 'amount' });
  const newRun = (more: Check) =>
    new FuzzRun({
      packages,
      start: plainStart(),
      actions: new ActionSet({ packages, chosen: [main] }),
      checks: [counting, supply(), more],
      seed: 'suite',
    });
  const suite = new FuzzSuite([main as DarPackage], mutation, newRun, SEQUENCES);
  return { suite, mutation, started: () => started };
}

it('runs as many sequences as it should, and notices what breaks an invariant', () => {
  const { suite, mutation, started } = opened();
  const facts = suite.facts();
  expect(started()).toBe(SEQUENCES);
  expect(facts.bugs).toEqual([]);
  expect(facts.steps).toBeGreaterThan(100);
  const of = (after: string) => mutation.mutants.find((each) => each.after === after)!;
  const { number } = of('amount + part');
  expect(facts.affected).toContain(number);
  expect(suite.judge(number, facts)).toMatchObject({ status: 'killed', by: 'supply' });
  expect(suite.judge(0, facts)).toEqual({ status: 'survived' });
  expect(started()).toBe(3 * SEQUENCES);
});

it('does not count a bug that the original code has', () => {
  const { suite, mutation } = opened();
  const { number } = mutation.mutants.find(({ after }) => after === 'amount + part')!;
  const bugs = ['supply\nMain:Token.Split creates'];
  expect(suite.judge(number, { bugs, steps: 1 })).toEqual({ status: 'survived' });
});
