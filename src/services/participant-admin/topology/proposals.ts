/** What clients proposed of parties on a synchronizer, as its store has it: every node there sees it. */
import type { Synchronizer } from '../../../network/synchronizer.js';
import { isFounded } from '../../../network/topology/external-parties.js';
import {
  decodeTopologyTransaction,
  type PartyHosting,
} from '../../../network/topology/party-hosting.js';
import type { AdminContext } from '../admin-context.js';
import { wordsOf } from './listings.js';

/** Hostings to which some have consented and others not yet. */
export function proposedHostings({ network }: AdminContext, { id }: Synchronizer) {
  return network.externalParties.proposalsOn(id).map((waiting) => {
    const { transaction: encoded } = waiting;
    const { serial, hash, mapping, replaces } = decodeTopologyTransaction(encoded);
    const { since, consents } = waiting;
    const signedBy = [...consents];
    const said = { since, replaces, serial, hash, encoded, signedBy, isProposal: true };
    const entry = wordsOf(network, said, waiting.evidence);
    return { mapping: mapping as unknown as PartyHosting, entry };
  });
}

/** A namespace of parties that belongs to several, proposed or founded. */
export function sharedNamespaces({ network }: AdminContext, { id }: Synchronizer) {
  return network.externalParties.namespacesOn(id).map((shared) => {
    const { namespace, threshold, owners, hash, founders, since } = shared;
    const { transaction: encoded, signatures } = shared;
    const isProposal = !isFounded(shared);
    const signedBy = [...founders];
    const said = { since, replaces: true, serial: 1, hash, encoded, signedBy, isProposal };
    const entry = wordsOf(network, said, { signatures, joint: [] });
    return { mapping: { namespace, threshold, owners }, entry };
  });
}
