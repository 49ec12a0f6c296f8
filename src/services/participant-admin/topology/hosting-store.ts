/** What a synchronizer's store has of who hosts parties, as signed transactions: the model keeps the hosts, and how often they changed. */
import { namespaceOf } from '../../../network/ids.js';
import type { Network } from '../../../network/network.js';
import type { Participant } from '../../../network/participant.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { proposeHosting } from '../../../network/external/rehosting.js';
import { encodeHosting } from '../../../network/topology/party-hosting.js';
import { Delegations, type StoredMapping } from '../../../network/topology/signed-mappings.js';
import { signatureOf } from '../../../network/topology/store-signing.js';
import {
  identityMappings,
  participantMember,
  signingKeysOf,
} from '../../../network/topology/topology-transactions.js';
import type { AdminContext } from '../admin-context.js';
import { NotServed } from '../not-served.js';
import { readKnown, type WritableStore } from './store-writes.js';

/** What participants say of their own namespaces. */
export function participantDelegations(
  { random, startTime: since }: Network,
  participants: readonly Participant[],
): Delegations {
  const delegationOf = ({ id, name }: Participant): StoredMapping => {
    const member = participantMember(id, name);
    const transaction = readKnown(identityMappings(random, member).delegation.encoded);
    const [root] = signingKeysOf(random, member);
    const signatures = [signatureOf(root!, transaction.hash)];
    return { transaction, signatures, joint: [], isProposal: false, since };
  };
  return new Delegations({
    delegationsOf: (namespace) =>
      participants.filter((each) => namespaceOf(each.id) === namespace).map(delegationOf),
    definitionOf: () => undefined,
  });
}

export function hostingStore(
  { network, participant }: AdminContext,
  { id }: Synchronizer,
): WritableStore {
  const { topology, externalParties, startTime } = network;
  const participants = network.participants.filter((each) => each.isConnectedTo(id));
  const latest: WritableStore['latest'] = (mapping) => {
    if (mapping.kind !== 'PartyToParticipant' || !topology.knows(mapping.party)) return undefined;
    const { party } = mapping;
    const hosts = [...topology.hosts(party, id)].map(([participantId, permission]) => ({
      participantId,
      permission,
    }));
    const { serial = 1, since = startTime } = topology.hostingVersion(party, id) ?? {};
    const external = externalParties.get(party, id);
    const signing = external && !external.isMappedApart ? external : undefined;
    const threshold = external?.confirmationThreshold ?? 1;
    const known = { party, threshold, hosts, ...(signing && { signing }) };
    const transaction = readKnown(encodeHosting(known, serial));
    const signers = new Set([party, ...hosts.map((each) => each.participantId)].map(namespaceOf));
    // NOTE: whose word it is, without the signatures themselves.
    const signatures = [...signers].map((signedBy) => {
      return { format: 0, algorithm: 0, signature: new Uint8Array(), signedBy };
    });
    const replaces = hosts.length > 0;
    return {
      transaction: { ...transaction, replaces },
      signatures,
      joint: [],
      isProposal: false,
      since,
    };
  };
  return {
    latest,
    byHash: () => undefined,
    delegations: participantDelegations(network, participants),
    add: (transactions, mustBeComplete) => {
      for (const { transaction } of transactions) {
        const { mapping, replaces } = transaction;
        if (mapping.kind !== 'PartyToParticipant') throw new NotServed(mapping.kind);
        const hosting = replaces ? mapping : { ...mapping, hosts: [] };
        proposeHosting(participant, id, transaction, hosting, mustBeComplete);
      }
    },
  };
}
