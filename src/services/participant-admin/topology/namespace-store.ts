/**
 * The decentralized namespaces in a synchronizer's store, as signed transactions. The first definition counts once
 * each owner signed it. A later one counts once the previous threshold of owners, and each owner that it adds
 * (B-EXT-033).
 */
import { toHex } from '../../../daml/model/hash.js';
import { abbreviatedHash, namespaceOf } from '../../../network/model/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { signersOf, type SignedMapping } from '../../../network/topology/signed-mappings.js';
import { taken, type TopologyStore } from '../../../network/topology/store-rules.js';
import {
  invalidMapping,
  requireDerivedNamespace,
} from '../../../network/topology/topology-refusals.js';
import type { AdminContext } from '../admin-context.js';
import { NotServed } from '../not-served.js';
import { synchronizerDelegations } from './hosting-store.js';
import { namespaceByHash } from './proposals.js';
import type { WritableStore } from './store-writes.js';

const KIND = 'DecentralizedNamespaceDefinition';

export function namespaceStore(context: AdminContext, synchronizer: Synchronizer): WritableStore {
  const { network, participant } = context;
  const { externalParties } = network;
  const { id } = synchronizer;
  const store: TopologyStore = {
    latest: (mapping) => {
      const namespace = mapping.kind === KIND ? mapping.namespace : '';
      const found = externalParties.latestDefinition(id, namespace);
      return found && namespaceByHash(context, synchronizer, toHex(found.hash));
    },
    byHash: (hash) => namespaceByHash(context, synchronizer, hash),
    delegations: synchronizerDelegations(context, synchronizer),
    comparesRemovals: true,
  };
  const apply = (accepted: SignedMapping): void => {
    const { mapping, replaces, serial, hash, encoded: transaction } = accepted.transaction;
    if (mapping.kind !== KIND) throw new NotServed(mapping.kind);
    const { namespace, threshold, owners } = mapping;
    const before = externalParties.latestDefinition(id, namespace);
    if (before === undefined) requireDerivedNamespace(mapping);
    const unknown = owners.filter(
      (each) => store.delegations.keysOf(each, KIND).flat().length === 0,
    );
    if (replaces && unknown.length > 0)
      throw invalidMapping(
        `No root certificate found for ${unknown.map(abbreviatedHash).join(', ')}`,
      );
    const signers = new Set(signersOf(accepted));
    const founders = new Set(
      [...owners, ...(before?.owners ?? [])].filter((each) =>
        store.delegations.isSpokenFor(each, KIND, signers),
      ),
    );
    // Nodes sign again on request.
    const signatures = accepted.signatures.filter(
      ({ signedBy }) =>
        !participant.ledger.members.some((each) => namespaceOf(each.id) === signedBy),
    );
    const definition = { namespace, threshold, owners, hash, transaction, signatures, founders };
    const isAuthorized = !accepted.isProposal;
    const of = { serial, isRemoved: !replaces, isAuthorized, keys: [] };
    externalParties.found(id, { ...definition, ...of }, network.clock.now());
  };
  return {
    ...store,
    add: (transactions, mustBeComplete) => {
      for (const each of transactions) {
        const accepted = taken(store, each, mustBeComplete);
        if (accepted !== undefined) apply(accepted);
      }
    },
  };
}
