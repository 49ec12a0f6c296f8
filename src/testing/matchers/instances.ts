/** The instances that matchers search, because a contract id or a party does not identify its ledger. */
import type { Canticle } from '../../assembly/canticle.js';
import type { StoredContract } from '../../network/ledger/contract-store.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';

const instances: Canticle[] = [];

/** Registers an instance with the matchers, before the instances registered earlier. `useCanticle` calls this for you. */
export function lookAt(canticle: Canticle): void {
  lookAwayFrom(canticle);
  instances.unshift(canticle);
}

export function lookAwayFrom(canticle: Canticle): void {
  const index = instances.indexOf(canticle);
  if (index >= 0) instances.splice(index, 1);
}

/** Newest first. */
export function knownInstances(): readonly Canticle[] {
  if (instances.length === 0)
    throw withCallerStack(
      new Error(
        'Failed to read the ledger: no instance is registered with the matchers. Call useCanticle, or register your instance with lookAt(canticle).',
      ),
    );
  return instances;
}

/** Like {@link knownInstances}, for additional details of a message: undefined instead of an error. */
export function rememberedInstances(): readonly Canticle[] {
  return instances;
}

export interface LocatedContract {
  readonly canticle: Canticle;
  readonly stored: StoredContract;
}

/** The contract and the newest instance that has it. */
export function findContract(contractId: string): LocatedContract | undefined {
  for (const canticle of knownInstances()) {
    const stored = canticle.network.contracts.get(contractId);
    if (stored !== undefined) return { canticle, stored };
  }
  return undefined;
}

/** The newest instance that hosts the party. */
export function findParty(party: string): Canticle | undefined {
  return knownInstances().find(({ network }) =>
    network.participants.some((participant) => participant.hosts(party)),
  );
}
