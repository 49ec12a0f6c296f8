/**
 * The hosting of parties in a synchronizer's store, as signed transactions. The model stores the hosts, and the number
 * of their changes.
 */
import { namespaceOf, type Party } from '../../../network/model/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { encodeHosting } from '../../../network/topology/party-hosting.js';
import { signersOf, type StoredMapping } from '../../../network/topology/signed-mappings.js';
import type { AdminContext } from '../admin-context.js';
import { hostingByHash } from './proposals.js';
import { readKnown } from './store-writes.js';
import type { StorePart } from './synchronizer-store.js';

/** The hosting of a party in force, or the transaction that removed it. */
export interface LatestHosting extends Pick<StoredMapping, 'transaction' | 'since'> {
  /** Fingerprints of keys, including keys of participants. */
  readonly signers: readonly string[];
  /** The signatures, except those of participants. */
  readonly given?: Pick<StoredMapping, 'signatures' | 'joint'>;
}

export function latestHosting(
  { network }: Pick<AdminContext, 'network'>,
  { id }: Synchronizer,
  party: Party,
): LatestHosting | undefined {
  const { topology, externalParties, startTime } = network;
  const version = topology.hostingVersion(party, id);
  const hosts = [...topology.mappedHosts(party, id)].map(([participantId, permission]) => ({
    participantId,
    permission,
  }));
  if (!topology.knows(party) || (version === undefined && hosts.length === 0)) return undefined;
  const { serial, since } = version ?? { serial: 1, since: startTime };
  const signed = externalParties.signedHosting(party, id);
  const transaction = signed && readKnown(signed.transaction);
  if (transaction?.serial === serial) {
    const { signatures = [], joint = [], signers = [] } = signed!;
    return { transaction, since, signers, given: { signatures, joint } };
  }
  // The hosting was not created by a transaction of the admin API.
  const threshold = externalParties.confirmationThreshold(party, id);
  const derived = readKnown(encodeHosting({ party, threshold, hosts }, serial));
  const replaces = hosts.length > 0;
  return { transaction: { ...derived, replaces }, since, signers: [namespaceOf(party)] };
}

export function hostingPart(context: AdminContext, synchronizer: Synchronizer): StorePart {
  const { network, participant } = context;
  const { externalParties, clock } = network;
  const { id } = synchronizer;
  return {
    latest: (mapping) => {
      if (mapping.kind !== 'PartyToParticipant') return undefined;
      const found = latestHosting(context, synchronizer, mapping.party);
      if (found === undefined) return undefined;
      const { transaction, since, signers } = found;
      // NOTE: only the fingerprints of the signers, without the signatures.
      const signatures = signers.map((signedBy) => {
        return { format: 0, signingAlgorithmSpec: 0, signature: new Uint8Array(), signedBy };
      });
      return { transaction, since, signatures, joint: [], isProposal: false };
    },
    byHash: (hash) => hostingByHash(context, synchronizer, hash),
    apply: (accepted) => {
      const { transaction, signatures, joint, isProposal } = accepted;
      const { mapping, replaces, serial, hash, encoded } = transaction;
      if (mapping.kind !== 'PartyToParticipant') return;
      const { kind: _, ...hosting } = mapping;
      const isNode = (signedBy: string): boolean =>
        network.participants.some((each) => each.namespace === signedBy);
      const evidence = {
        // Nodes sign again on request.
        signatures: signatures.filter(({ signedBy }) => !isNode(signedBy)),
        joint,
      };
      externalParties.propose(
        (content) => network.commit(content),
        id,
        hash,
        {
          hosting: replaces ? hosting : { ...hosting, hosts: [], signing: undefined },
          transaction: encoded,
          serial,
          consents: new Set(signersOf(accepted)),
          evidence,
        },
        !isProposal,
        clock.now(),
      );
      const isHost = mapping.hosts.some(({ participantId }) => participantId === participant.id);
      if (isHost && replaces) participant.parties.remember(mapping.party, {}, '');
    },
  };
}
