/** Runs the fuzzer on a model of the zoo. */
import { readDar, type DamlPackage } from '../../../src/daml/index.js';
import { ActionSet } from '../../../src/fuzzing/actions/action-set.js';
import { builtInChecks, selectChecks } from '../../../src/fuzzing/checks/checks.js';
import { damlInvariants } from '../../../src/fuzzing/invariants/index.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart, startOf } from '../../../src/fuzzing/ledger/start-state.js';
import type { StartState } from '../../../src/fuzzing/model/state.js';
import {
  FuzzRun,
  type FoundBug,
  type FuzzOptions,
  type FuzzReport,
} from '../../../src/fuzzing/running/fuzz-run.js';
import { constantsOf } from '../../../src/fuzzing/values/constants.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import { darsOf, type ZooRow } from './zoo.js';

const ZOO_PARTIES = ['Alice', 'Bob', 'Carol', 'Dave'];

/** The main packages of a model, and all packages. */
function packagesOf(row: ZooRow, fixed: boolean) {
  const dars = darsOf(row, fixed).map((bytes) => readDar(bytes));
  const packages = new ScriptPackages(dars.flatMap((dar) => dar.packages));
  return { packages, chosen: dars.map(({ main }) => main) };
}

/** The start state with the contracts that a row founds. */
function founded(
  packages: ScriptPackages,
  { id }: DamlPackage,
  contracts: ZooRow['founds'] = {},
): StartState {
  const start = plainStart(ZOO_PARTIES);
  const ledger = new FuzzLedger(packages, start);
  for (const [number, [name, payload]] of Object.entries(contracts).entries()) {
    const command = { kind: 'create', templateId: `${id}:Main:${name}`, payload } as const;
    const submission = { actAs: ['Alice'], readAs: [], commands: [command] };
    const { submitted } = ledger.run({ kind: 'submit', number, submission });
    if (submitted[0]!.error !== undefined) throw submitted[0]!.error;
  }
  return startOf({ ...start, contracts: [...ledger.active()] });
}

/** The options of the run on a model, or on its twin. */
export function zooOptions(row: ZooRow, fixed: boolean, seed = 'zoo'): FuzzOptions {
  const { packages, chosen } = packagesOf(row, fixed);
  const all = [
    ...builtInChecks(row.budget),
    ...damlInvariants(packages, chosen),
    ...(row.invariants?.() ?? []),
  ];
  const checks = selectChecks(all, { failing: row.failing });
  const actions = new ActionSet({ packages, chosen, exclude: row.exclude });
  const start = founded(packages, chosen[0]!, row.founds);
  return { packages, start, actions, checks, seed, constants: constantsOf(chosen) };
}

/** The findings of a report that fail the run. */
export const failuresOf = ({ bugs }: FuzzReport) =>
  bugs.filter(({ finding }) => finding.isNote !== true);

export interface Hunt {
  /** The options of the run on the faulty model. */
  readonly options: FuzzOptions;
  readonly bug: FoundBug;
  /** How many sequences ran. */
  readonly sequences: number;
}

const hunts = new Map<ZooRow, Hunt>();

/** Runs sequences on the faulty model until its check reports a failure. Suites of one process share the result. */
export function firstBug(row: ZooRow): Hunt {
  const hunt = hunts.get(row) ?? hunted(row);
  hunts.set(row, hunt);
  return hunt;
}

/** The same without a shared result. @param seed of the sequences */
export function hunted(row: ZooRow, seed?: string): Hunt {
  const options = zooOptions(row, false, seed);
  const run = new FuzzRun(options);
  for (let count = 0; count < row.runs; count++) {
    run.next();
    const bug = failuresOf(run.report()).find(({ finding }) => finding.check === row.finds);
    if (bug !== undefined) return { options, bug, sequences: count + 1 };
  }
  throw new Error(`${row.finds} found nothing in ${row.runs} sequences.`);
}
