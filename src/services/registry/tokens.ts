/** Selects the token of a request: one registry serves Amulet and the test token. */
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
 * By the instrument ids in a request: Amulet answers for all that the test token does not have. If Amulet does not run, the test token
 * answers. A real registry of Amulet answers for any instrument, too.
 */
export function isOfAmulet(splice: Splice, instruments: readonly string[]): boolean {
  if (!isAmuletRunning(splice)) return false;
  const ledger = tokenLedger(splice);
  return (
    instruments.includes(AMULET_INSTRUMENT) || !instruments.some((id) => hasInstrument(ledger, id))
  );
}

/** Whether Amulet answers for the contract: if Amulet runs, it does for all contracts except those of the test token's template. */
export function isAmuletContract(splice: Splice, id: ContractId, template: TypeId): boolean {
  const contract = splice.network.contracts.get(id)?.instance;
  return isAmuletRunning(splice) && contract?.templateId !== template;
}
