/** The start states of sequences: the result of a setup script, or parties without contracts. */
import { testScript, type TestedScript } from '../../script/test-script.js';
import type { Script } from '../../script/find-scripts.js';
import type { ScriptPackages } from '../../script/packages.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { IdeLedger } from '../../script/ide/ide-ledger.js';
import type { StartState } from '../model/state.js';
import { withTexts } from '../model/texts.js';
import { startId } from './fuzz-interpreter.js';

/** A setup script that failed. */
export class SetupFailed extends Error {
  override readonly name = 'SetupFailed';
  constructor(readonly tested: TestedScript) {
    super(tested.failure?.message);
  }
}

/** The parties of sequences that have no other start state. */
const PLAIN_PARTIES: readonly Party[] = ['Alice', 'Bob', 'Carol'];

export function plainStart(
  parties: readonly Party[] = PLAIN_PARTIES,
  now: Timestamp = 0n,
): StartState {
  return { parties, contracts: [], now };
}

/** @throws SetupFailed if the script fails */
export function startFromScript(
  packages: ScriptPackages,
  script: Script,
  argument?: unknown,
): StartState {
  const tested = testScript(packages, script, { argument });
  if (tested.failure !== undefined) throw new SetupFailed(tested);
  return stateOf(tested.ledger);
}

/** The state of a script's ledger. */
function stateOf(ledger: IdeLedger): StartState {
  const contracts = [...ledger.contracts.all()]
    .filter(({ archivedIn }) => archivedIn === undefined)
    .map(({ instance }) => instance);
  return startOf({
    parties: ledger.knownParties().map(({ party }) => party),
    contracts,
    now: ledger.time(),
  });
}

/** The same state with contract ids that depend only on the order of the contracts, as those of steps do. */
export function startOf(state: StartState): StartState {
  const ids = new Map(state.contracts.map(({ contractId }, place) => [contractId, startId(place)]));
  const contracts = state.contracts.map((contract) => ({
    ...contract,
    contractId: ids.get(contract.contractId)!,
    payload: withTexts(contract.payload, (text) => ids.get(text) ?? text),
  }));
  return { ...state, contracts };
}
