/** One registry speaks for Amulet and for the test token: which of them is meant, and what the test token's sees. */
import type { TypeId } from '../../daml/model/types.js';
import type { ContractId } from '../../daml/model/values.js';
import { AMULET_INSTRUMENT, isAmuletRunning } from '../../splice/registry/amulet-registry.js';
import { registryLedger } from '../../token/registry/network-ledger.js';
import type { RegistryLedger } from '../../token/registry/registry.js';
import type { RegistryContext } from '../handler.js';

export type Splice = RegistryContext['splice'];

export function tokenLedger({ network, registryAdmin }: Splice): RegistryLedger {
  return registryLedger(network, network.participants, registryAdmin);
}

/** By the ids of the instruments that a request names. Where there is none, it is Amulet's to answer. */
export function isOfAmulet(splice: Splice, instruments: readonly string[]): boolean {
  const named = instruments.length === 0 || instruments.includes(AMULET_INSTRUMENT);
  return named && isAmuletRunning(splice);
}

/** Whether a contract is none of the test token's template. An id that nobody knows is Amulet's to refuse where it runs. */
export function isAmuletContract(splice: Splice, id: ContractId, template: TypeId): boolean {
  const contract = splice.network.contracts.get(id)?.instance;
  return isAmuletRunning(splice) && contract?.templateId !== template;
}
