/**
 * The topology store of a synchronizer, and the participant's own store, for writes. Each kind of mapping has its
 * effect on the model. Delegations, keys and certificates are transactions in a log.
 */
import { LedgerError } from '../../../daml/errors/ledger-error.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { TopologyMapping } from '../../../network/topology/party-hosting.js';
import type { SignedMapping } from '../../../network/topology/signed-mappings.js';
import { taken, type TopologyStore } from '../../../network/topology/store-rules.js';
import { logOf, logOn, storeOn } from '../../../network/topology/synchronizer-store.js';
import { connected, type AdminContext } from '../admin-context.js';
import { certificatePart } from './certificate-store.js';
import { hostingPart } from './hosting-store.js';
import { namespacePart } from './namespace-store.js';
import type { WritableStore } from './store-writes.js';
import { requireSafeHosting } from './party-safety.js';
import { vettingPart } from './vetting-store.js';

type Kind = TopologyMapping['kind'];

/** The mappings of some kinds. */
export interface StorePart extends Pick<TopologyStore, 'latest' | 'byHash'> {
  /** Applies an accepted transaction. @param force names of force flags */
  readonly apply: (accepted: SignedMapping, force: readonly string[]) => void;
}

export const isLogged = (kind: string): boolean =>
  ['NamespaceDelegation', 'OwnerToKeyMapping', 'PartyToKeyMapping'].includes(kind);

export function synchronizerStore(
  context: AdminContext,
  synchronizer: Synchronizer,
): WritableStore {
  const { network } = context;
  const logged = storeOn(network, synchronizer);
  const log: StorePart = {
    ...logged,
    apply: (accepted) => logOn(network, synchronizer).add(accepted),
  };
  const parts: Readonly<Record<Kind, StorePart>> = {
    PartyToParticipant: hostingPart(context, synchronizer),
    DecentralizedNamespaceDefinition: namespacePart(context, synchronizer),
    VettedPackages: vettingPart(context, synchronizer),
    NamespaceDelegation: log,
    OwnerToKeyMapping: log,
    PartyToKeyMapping: log,
    SynchronizerTrustCertificate: certificatePart(context, synchronizer, log),
  };
  const store: TopologyStore = {
    ...logged,
    latest: (mapping) => parts[mapping.kind].latest(mapping),
    byHash: (hash) => {
      for (const part of new Set(Object.values(parts))) {
        const found = part.byHash(hash);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
  return {
    ...store,
    requireSafe: (transaction, force) =>
      requireSafeHosting(context, synchronizer, transaction, force),
    add: (transactions, mustBeComplete, force) => {
      for (const each of transactions) {
        const accepted = taken(store, each, mustBeComplete);
        if (accepted !== undefined) parts[each.transaction.mapping.kind].apply(accepted, force);
      }
    },
  };
}

/**
 * The participant's own store. A transaction in it is sent to each synchronizer.
 * NOTE: as on a participant, an error of a synchronizer does not reach the client.
 */
export function ownStore(context: AdminContext): WritableStore {
  const log = logOf(context.network, context.participant);
  const store: TopologyStore = {
    latest: (mapping) => log.latest(mapping),
    byHash: (hash) => log.byHash(hash),
    delegations: log.delegations,
  };
  return {
    ...store,
    add: (transactions, mustBeComplete, force) => {
      for (const each of transactions) {
        const accepted = taken(store, each, mustBeComplete);
        if (accepted === undefined) continue;
        log.add(accepted);
        if (!accepted.isProposal) send(context, accepted, force);
      }
    },
  };
}

function send(context: AdminContext, accepted: SignedMapping, force: readonly string[]): void {
  for (const synchronizer of connected(context))
    try {
      synchronizerStore(context, synchronizer).add([accepted], false, force);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
    }
}
