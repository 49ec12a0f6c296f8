/**
 * Contracts of the amulet packages among those that the DSO party sees, found by their templates' names. Whether there are
 * any is up to what runs on the ledger.
 */
import type { ContractInstance } from '../daml/transaction.js';
import type { ContractId, Party, Timestamp } from '../daml/values.js';
import type { SynchronizerId } from '../network/ids.js';
import type { Splice } from './splice.js';

const FEATURED_APP_RIGHT = 'splice-amulet:Splice.Amulet:FeaturedAppRight';
const TRANSFER_PREAPPROVAL = 'splice-amulet:Splice.AmuletRules:TransferPreapproval';

/** Of several, the first that was given. */
export function featuredAppRight(splice: Splice, provider: Party): ContractInstance | undefined {
  for (const contract of contractsOf(splice, FEATURED_APP_RIGHT))
    if (contract.payload.provider === provider) return contract;
  return undefined;
}

/** Of several, the one that is valid from the latest time on; that it may have expired is not looked at (S-PRE-002). */
export function transferPreapproval(splice: Splice, receiver: Party): ContractInstance | undefined {
  let latest: ContractInstance | undefined;
  for (const contract of contractsOf(splice, TRANSFER_PREAPPROVAL))
    if (
      contract.payload.receiver === receiver &&
      (latest === undefined || validFrom(contract) >= validFrom(latest))
    )
      latest = contract;
  return latest;
}

/** Undefined while it is between synchronizers (S-ENC-003). */
export function synchronizerOf(
  { network }: Splice,
  contractId: ContractId,
): SynchronizerId | undefined {
  const state = network.contracts.state(contractId);
  return state?.kind === 'active' ? state.synchronizerId : undefined;
}

function* contractsOf(
  { network, dsoParty }: Splice,
  template: string,
): Generator<ContractInstance, void, undefined> {
  const host = network.participants.find((each) => each.hosts(dsoParty));
  for (const { contract } of host?.activeContracts.now([
    { party: dsoParty, templates: [template] },
  ]) ?? [])
    yield contract;
}

function validFrom({ payload }: ContractInstance): Timestamp {
  return payload.validFrom as Timestamp;
}
