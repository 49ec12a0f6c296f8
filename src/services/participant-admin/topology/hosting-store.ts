/**
 * The hosting of parties in a synchronizer's store, as signed transactions. The model stores the hosts, and how
 * often they changed.
 */
import { toHex } from '../../../daml/model/hash.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { proposeHosting } from '../../../network/external/rehosting.js';
import { encodeHosting } from '../../../network/topology/party-hosting.js';
import type { PartyKey } from '../../../network/topology/party-keys.js';
import {
  Delegations,
  isSame,
  signersOf,
  type SignedMapping,
  type StoredMapping,
} from '../../../network/topology/signed-mappings.js';
import { serialMismatch } from '../../../network/topology/store-rules.js';
import { signatureOf } from '../../../network/topology/store-signing.js';
import { encodeAddition } from '../../../network/topology/topology-messages.js';
import {
  identityMappings,
  signingKeysOf,
  type Member,
} from '../../../network/topology/topology-transactions.js';
import type { AdminContext } from '../admin-context.js';
import { NotServed } from '../not-served.js';
import { membersOf } from './members.js';
import { hostingByHash, namespaceByHash } from './proposals.js';
import { readKnown, type WritableStore } from './store-writes.js';

/** The namespace delegations of a synchronizer's nodes, and of decentralized namespaces there. */
export function synchronizerDelegations(
  context: AdminContext,
  synchronizer: Synchronizer,
): Delegations {
  const { random, startTime: since, externalParties } = context.network;
  const stored = (encoded: Uint8Array): StoredMapping => {
    const transaction = readKnown(encoded);
    return { transaction, signatures: [], joint: [], isProposal: false, since };
  };
  const ofNode = (member: Member): StoredMapping => {
    const found = stored(identityMappings(random, member).delegation.encoded);
    const [root] = signingKeysOf(random, member);
    return { ...found, signatures: [signatureOf(root!, found.transaction.hash)] };
  };
  // NOTE: without the signature that they came with.
  const ofOwner = ({ fingerprint: namespace, ...targetKey }: PartyKey): StoredMapping =>
    stored(
      encodeAddition({ namespaceDelegation: { namespace, targetKey, isRootDelegation: true } }),
    );
  return new Delegations({
    delegationsOf: (namespace) => [
      ...membersOf(context, synchronizer)
        .filter(({ uid }) => namespaceOf(uid) === namespace)
        .map(ofNode),
      ...externalParties
        .namespacesOn(synchronizer.id)
        .flatMap(({ keys }) => keys)
        .filter(({ fingerprint }) => fingerprint === namespace)
        .map(ofOwner),
    ],
    definitionOf: (namespace) => {
      const found = externalParties.definitionOf(synchronizer.id, namespace);
      return found && namespaceByHash(context, synchronizer, toHex(found.hash));
    },
  });
}

export function hostingStore(context: AdminContext, synchronizer: Synchronizer): WritableStore {
  const { topology, externalParties, startTime } = context.network;
  const { id } = synchronizer;
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
      return { format: 0, signingAlgorithmSpec: 0, signature: new Uint8Array(), signedBy };
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
  const byHash = (hash: string) => hostingByHash(context, synchronizer, hash);
  const add = (given: SignedMapping, mustBeComplete: boolean): void => {
    const { transaction } = given;
    const { mapping, replaces, serial, hash } = transaction;
    if (mapping.kind !== 'PartyToParticipant') throw new NotServed(mapping.kind);
    const known = byHash(toHex(hash));
    const signers = known && signersOf(known);
    // A transaction without new signatures has no effect, whether the mapping is in force or has ended.
    if (signers && signersOf(given).every((each) => signers.includes(each))) return;
    const before = latest(mapping);
    const next = before === undefined ? 1 : before.transaction.serial + 1;
    if (before && !isSame(before.transaction.hash, hash) && serial !== next)
      throw serialMismatch(serial, next);
    // With the keys of a separate mapping, if the proposal included one.
    const proposed = externalParties.proposal(id, toHex(hash))?.hosting ?? mapping;
    const hosting = replaces ? proposed : { ...mapping, hosts: [] };
    proposeHosting(context.participant, id, transaction, hosting, mustBeComplete);
  };
  return {
    latest,
    byHash,
    delegations: synchronizerDelegations(context, synchronizer),
    add: (transactions, mustBeComplete) => {
      for (const each of transactions) add(each, mustBeComplete);
    },
  };
}
