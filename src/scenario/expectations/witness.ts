/** The events that parties see: the witnesses of the ledger model, if a participant hosts them. */
import type { ContractId, Party } from '../../daml/model/values.js';
import type { World } from '../world.js';

/** Whether a party saw the contract being created. */
export function isWitness({ network }: World, contractId: ContractId, party: Party): boolean {
  const stored = network.contracts.get(contractId);
  return stored !== undefined && stored.createdIn.witnesses[stored.createdNode]!.includes(party);
}

/** Transactions and reassignments of which a party sees any part. */
export function updatesSeenBy({ network }: World, party: Party): number {
  const seen = network.updatesOf(party);
  let count = 0;
  for (let i = 0; i < (seen?.length ?? 0); i++) if (seen!.at(i)!.kind !== 'topology') count++;
  return count;
}
