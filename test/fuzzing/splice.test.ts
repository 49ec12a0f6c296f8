/** A bug of an earlier release of Splice's Daml code, which is in the release notes of Splice 0.1.10. */
import { readDar } from '../../src/daml/index.js';
import { ActionSet } from '../../src/fuzzing/actions/action-set.js';
import { invariant } from '../../src/fuzzing/invariants/index.js';
import { FuzzLedger } from '../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart, startOf } from '../../src/fuzzing/ledger/start-state.js';
import type { Check } from '../../src/fuzzing/model/finding.js';
import type { StartState } from '../../src/fuzzing/model/state.js';
import { FuzzRun } from '../../src/fuzzing/running/fuzz-run.js';
import { constantsOf } from '../../src/fuzzing/values/constants.js';
import { Random } from '../../src/fuzzing/values/random.js';
import { ValueSource } from '../../src/fuzzing/values/values.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { describeWithDars } from '../support/foreign-files.js';

/** The package, and an empty start state. */
function opened(dar: Uint8Array) {
  const { main, packages: all } = readDar(dar);
  const packages = new ScriptPackages(all);
  const constants = constantsOf([main]);
  const start = plainStart(['DSO', 'Alice', 'Bob']);
  return { packages, chosen: [main], constants, start };
}

type Opened = ReturnType<typeof opened>;

/** A start state with one contract of the template. */
function founded({ packages, chosen, constants, start }: Opened, template: string): StartState {
  const founding = new ActionSet({ packages, chosen, only: [`create ${template}`] });
  const ledger = new FuzzLedger(packages, start);
  const values = new ValueSource(new Random('founding'), ledger, constants);
  const contracts = () => [...ledger.active()].slice(0, 1);
  for (let number = 0; contracts().length === 0; number++)
    ledger.run(founding.next(values, number));
  return startOf({ ...start, contracts: contracts() });
}

/** The bugs after some sequences of the actions. */
function bugsOf(of: Opened, checks: readonly Check[], only: readonly string[], runs: number) {
  const { packages, chosen, constants, start } = of;
  const actions = new ActionSet({ packages, chosen, only });
  const run = new FuzzRun({ packages, start, actions, checks, seed: 'splice', constants });
  for (let sequence = 0; sequence < runs; sequence++) run.next();
  return run.report().bugs.map(({ finding }) => finding);
}

const GOVERNANCE = ['0.1.1', '0.1.2'].map((version) => `splice-dso-governance-${version}.dar`);

/** CIP-0013: an SV that left and came back had two states, and got its rewards twice. */
describeWithDars('an SV that comes back', GOVERNANCE, (faulty, fixed) => {
  const once = () =>
    invariant('one reward state for each SV', (ledger) => {
      const names = ledger.contracts('SvRewardState').map(({ payload }) => payload['svName']);
      return new Set(names).size === names.length;
    });
  const bugs = (dar: Uint8Array) => {
    const dso = opened(dar);
    const start = founded(dso, 'DsoRules');
    const choices = ['DsoRules.DsoRules_AddSv', 'DsoRules.DsoRules_OffboardSv'];
    return bugsOf({ ...dso, start }, [once()], choices, 30);
  };

  it('has two reward states before its fix, and one after it', () => {
    expect(bugs(faulty!)).toMatchObject([{ check: 'one reward state for each SV' }]);
    expect(bugs(fixed!)).toEqual([]);
  });
});
