/** What clients proposed of parties on a synchronizer, as its store has it: every node there sees it. */
import type { Synchronizer } from '../../../network/synchronizer.js';
import { isFounded } from '../../../network/topology/external-parties.js';
import {
  decodeTopologyTransaction,
  type PartyHosting,
} from '../../../network/topology/party-hosting.js';
import type { AdminContext } from '../admin-context.js';
import type { Entry } from './stores.js';

/** Hostings to which some have consented and others not yet. */
export function proposedHostings({ network }: AdminContext, { id }: Synchronizer) {
  return network.externalParties.proposalsOn(id).map((waiting) => {
    const { serial, hash, mapping, replaces } = decodeTopologyTransaction(waiting.transaction);
    const { since, consents } = waiting;
    const entry: Entry = {
      since,
      replaces,
      serial,
      hash,
      signedBy: [...consents],
      isProposal: true,
    };
    return { mapping: mapping as unknown as PartyHosting, entry };
  });
}

/** A namespace of parties that belongs to several, proposed or founded. */
export function sharedNamespaces({ network }: AdminContext, { id }: Synchronizer) {
  return network.externalParties.namespacesOn(id).map((shared) => {
    const { namespace, threshold, owners, hash, founders, since } = shared;
    const isProposal = !isFounded(shared);
    const signedBy = [...founders];
    const entry: Entry = { since, replaces: true, serial: 1, hash, signedBy, isProposal };
    return { mapping: { namespace, threshold, owners }, entry };
  });
}
