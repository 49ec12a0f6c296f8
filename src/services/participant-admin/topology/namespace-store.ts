/**
 * The decentralized namespaces in a synchronizer's store, as signed transactions. The first definition takes effect
 * after each owner has signed it. A later one takes effect after the previous threshold of owners and each new owner
 * have signed it (B-EXT-033).
 */
import { toHex } from '../../../daml/model/hash.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { signersOf } from '../../../network/topology/signed-mappings.js';
import { logOn } from '../../../network/topology/synchronizer-store.js';
import type { AdminContext } from '../admin-context.js';
import { namespaceByHash } from './proposals.js';
import type { StorePart } from './synchronizer-store.js';

const KIND = 'DecentralizedNamespaceDefinition';

export function namespacePart(context: AdminContext, synchronizer: Synchronizer): StorePart {
  const { network, participant } = context;
  const { externalParties } = network;
  const { id } = synchronizer;
  return {
    latest: (mapping) => {
      const namespace = mapping.kind === KIND ? mapping.namespace : '';
      const found = externalParties.latestDefinition(id, namespace);
      return found && namespaceByHash(context, synchronizer, toHex(found.hash));
    },
    byHash: (hash) => namespaceByHash(context, synchronizer, hash),
    apply: (accepted) => {
      const { mapping, replaces, serial, hash, encoded: transaction } = accepted.transaction;
      if (mapping.kind !== KIND) return;
      const { namespace, threshold, owners } = mapping;
      const before = externalParties.latestDefinition(id, namespace);
      const { delegations } = logOn(network, synchronizer);
      const signers = new Set(signersOf(accepted));
      const founders = new Set(
        [...owners, ...(before?.owners ?? [])].filter((each) =>
          delegations.isSpokenFor(each, KIND, signers),
        ),
      );
      // Nodes sign again on request.
      const signatures = accepted.signatures.filter(
        ({ signedBy }) =>
          !participant.ledger.members.some((each) => namespaceOf(each.id) === signedBy),
      );
      const definition = { namespace, threshold, owners, hash, transaction, signatures, founders };
      const of = { serial, isRemoved: !replaces, isAuthorized: !accepted.isProposal };
      externalParties.found(id, { ...definition, ...of }, network.clock.now());
    },
  };
}
