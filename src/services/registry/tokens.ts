/** One registry speaks for Amulet and for the test token: which of them is meant, and what the test token's sees. */
import type { TypeId } from '../../daml/model/types.js';
import type { ContractId } from '../../daml/model/values.js';
import { AMULET_INSTRUMENT, isAmuletRunning } from '../../splice/registry/amulet-registry.js';
import { hasInstrument } from '../../token/registry/instruments.js';
import { registryLedger } from '../../token/registry/network-ledger.js';
import type { RegistryLedger } from '../../token/registry/registry.js';
import type { ScanContext } from '../handler.js';

export type Splice = ScanContext['splice'];

export function tokenLedger({ network, registryAdmin }: Splice): RegistryLedger {
  return registryLedger(network, network.participants, registryAdmin);
}

/**
 * By the ids of the instruments that a request names: what the test token does not know is Amulet's to answer where it runs, as a real
 * registry of Amulet answers whatever is asked for.
 */
export function isOfAmulet(splice: Splice, instruments: readonly string[]): boolean {
  if (!isAmuletRunning(splice)) return false;
  const ledger = tokenLedger(splice);
  return (
    instruments.includes(AMULET_INSTRUMENT) || !instruments.some((id) => hasInstrument(ledger, id))
  );
}

/** Whether a contract is none of the test token's template. An id that nobody knows is Amulet's to refuse where it runs. */
export function isAmuletContract(splice: Splice, id: ContractId, template: TypeId): boolean {
  const contract = splice.network.contracts.get(id)?.instance;
  return isAmuletRunning(splice) && contract?.templateId !== template;
}
