/**
 * `TopologyManagerReadService`: the mappings that follow from the model of each synchronizer, and those of
 * temporary stores, in the shape of their messages.
 * NOTE: for a synchronizer, only mappings in force and proposals are stored. Parts without known changes are as old
 * as the ledger, and the participant's own store has only its identity.
 */
import type { Timestamp } from '../../../daml/model/values.js';
import { namespaceOf } from '../../../network/model/ids.js';
import type { Network } from '../../../network/network.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import {
  encodeHosting,
  encodeVettedPackages,
  type PartyHosting,
  type TopologyMapping,
} from '../../../network/topology/party-hosting.js';
import { encodeAddition } from '../../../network/topology/topology-messages.js';
import {
  identityMappings,
  memberId,
  memberKeys,
  type Member,
} from '../../../network/topology/topology-transactions.js';
import type { PartyPermission } from '../../../network/model/updates.js';
import type { QueryMessage } from '../parsing/topology.js';
import { keyOf, passes, restrictionOf, vettedPackageOf } from './items.js';
import { inForce, listing, ofSynchronizers, signedEntry } from './listings.js';
import { encryptionKeysOf, membersOf } from './members.js';
import type { AdminContext } from '../admin-context.js';
import { mappedKeysOfProposals, proposedHostings, sharedNamespaces } from './proposals.js';
import { storeMessage, storesOf, type Entry, type Store } from './stores.js';

export const PERMISSIONS: Readonly<Record<PartyPermission, string>> = {
  submission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  confirmation: 'PARTICIPANT_PERMISSION_CONFIRMATION',
  observation: 'PARTICIPANT_PERMISSION_OBSERVATION',
};

/** The start of a synchronizer: its first time. */
const FOUNDED: Timestamp = -62_135_596_799_999_999n;

type Of<K extends TopologyMapping['kind']> = Omit<Extract<TopologyMapping, { kind: K }>, 'kind'>;

function hostingsInForce({ network }: AdminContext, { id }: Synchronizer) {
  const { topology, externalParties } = network;
  return topology.parties().map((party) => {
    const external = externalParties.get(party, id);
    const hosts = [...topology.hosts(party, id)].map(([participantId, permission]) => ({
      participantId,
      permission,
    }));
    const signing = external && !external.isMappedApart ? external : undefined;
    const threshold = external?.confirmationThreshold ?? 1;
    const mapping: PartyHosting = { party, threshold, hosts, ...(signing && { signing }) };
    const { since = network.startTime, serial } = topology.hostingVersion(party, id) ?? {};
    const encoded = encodeHosting(mapping, serial);
    const given = externalParties.signaturesOf(party, id, encoded);
    return { mapping, entry: inForce(network, encoded, [party], since, { serial, given }) };
  });
}

const partyToParticipant = {
  code: 'ptp',
  kind: 'PartyToParticipant',
  known: ofSynchronizers((context, synchronizer) => [
    ...hostingsInForce(context, synchronizer),
    ...proposedHostings(context, synchronizer),
  ]),
  owner: ({ party }: PartyHosting) => party,
  itemOf: (
    { party, threshold, hosts, signing }: PartyHosting,
    query: QueryMessage & { readonly filterParty: string; readonly filterParticipant: string },
  ) => {
    const filterParticipant = query.filterParticipant.replace(/^PAR::/, '');
    const isMatch =
      passes(party, query.filterParty) &&
      hosts.some(({ participantId }) => passes(participantId, filterParticipant));
    const participants = hosts.map(({ participantId, permission }) => ({
      participantUid: participantId,
      permission: PERMISSIONS[permission],
    }));
    const keys = signing && { keys: signing.keys.map(keyOf), threshold: signing.threshold };
    return isMatch && { party, threshold, participants, ...(keys && { partySigningKeys: keys }) };
  },
} as const;

const mappedKeysInForce = ({ network }: AdminContext, { id }: Synchronizer) =>
  network.topology.parties().flatMap((party) => {
    const signing = network.externalParties.get(party, id);
    if (!signing?.isMappedApart) return [];
    const { keys: signingKeys, threshold } = signing;
    const partyToKeyMapping = { party, threshold, signingKeys };
    const encoded = encodeAddition({ partyToKeyMapping });
    const entry = inForce(network, encoded, [party], network.startTime);
    return [{ mapping: { party, signing }, entry }];
  });

const partyToKey = {
  code: 'ptk',
  kind: 'PartyToKeyMapping',
  known: ofSynchronizers((context, synchronizer) => [
    ...mappedKeysInForce(context, synchronizer),
    ...mappedKeysOfProposals(context, synchronizer),
  ]),
  owner: ({ party }: Of<'PartyToKeyMapping'>) => party,
  itemOf: (
    { party, signing }: Of<'PartyToKeyMapping'>,
    query: QueryMessage & { readonly filterParty: string },
  ) => {
    const { threshold, keys } = signing;
    return passes(party, query.filterParty) && { party, threshold, signingKeys: keys.map(keyOf) };
  },
} as const;

const vettedPackages = {
  code: 'vtp',
  kind: 'VettedPackages',
  known: ofSynchronizers(({ network }, { id }) =>
    network.participants.flatMap(({ id: participantId }) => {
      const {
        serial,
        packages,
        since = network.startTime,
      } = network.topology.vetting(participantId, id);
      if (serial === 0) return [];
      const encoded = encodeVettedPackages(participantId, serial, packages.values());
      const entry = inForce(network, encoded, [participantId], since, { serial });
      return [{ mapping: { participantId, packages: [...packages.values()] }, entry }];
    }),
  ),
  owner: ({ participantId }: Of<'VettedPackages'>) => participantId,
  itemOf: (
    { participantId, packages }: Of<'VettedPackages'>,
    query: QueryMessage & { readonly filterParticipant: string },
  ) =>
    passes(participantId, query.filterParticipant) && {
      participantUid: participantId,
      packages: packages.map(vettedPackageOf),
    },
} as const;

/** A participant first announces that it joins, and then its capabilities. */
const TRUST = {
  serial: 2,
  /** `PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER`. */
  featureFlags: [2],
  names: ['PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER'],
};

const trustCertificate = {
  code: 'dtc',
  kind: 'SynchronizerTrustCertificate',
  known: ofSynchronizers(({ network }, { id: synchronizerId }) =>
    network.participants
      .filter((each) => each.isConnectedTo(synchronizerId))
      .map(({ id: participantId }) => {
        const { featureFlags, serial } = TRUST;
        const certificate = { participantUid: participantId, synchronizerId, featureFlags };
        const encoded = encodeAddition({ synchronizerTrustCertificate: certificate }, serial);
        return {
          mapping: { participantId, synchronizerId, featureFlags: TRUST.names },
          entry: inForce(network, encoded, [participantId], network.startTime, { serial }),
        };
      }),
  ),
  owner: ({ participantId }: Of<'SynchronizerTrustCertificate'>) => participantId,
  itemOf: (
    mapping: Of<'SynchronizerTrustCertificate'> & { readonly featureFlags?: readonly string[] },
    query: QueryMessage & { readonly filterUid: string },
  ) => {
    const { participantId: participantUid, synchronizerId, featureFlags = [] } = mapping;
    return (
      passes(participantUid, query.filterUid) && { participantUid, synchronizerId, featureFlags }
    );
  },
} as const;

/** For each node of a store, one of the two mappings of its identity. */
const ofMembers =
  <T>(which: 'delegation' | 'ownKeys', mappingOf: (context: AdminContext, member: Member) => T) =>
  (context: AdminContext, store: Exclude<Store, { kind: 'temporary' }>) => {
    const { participant, network } = context;
    const { id: uid, name } = participant;
    const own: Member = { code: 'PAR', uid, owner: `participant/${name}` };
    const members = store.kind === 'authorized' ? [own] : membersOf(context, store.synchronizer);
    return members.map((member) => {
      const { encoded, signers } = identityMappings(network.random, member)[which];
      const since = member.code === 'PAR' ? network.startTime : FOUNDED;
      return { mapping: mappingOf(context, member), entry: signedEntry(encoded, signers, since) };
    });
  };

const namespaceDelegation = {
  code: 'nsd',
  kind: 'NamespaceDelegation',
  known: ofMembers('delegation', ({ network }, member): Of<'NamespaceDelegation'> => {
    const { root } = memberKeys(network.random, member);
    const namespace = namespaceOf(member.uid);
    const target = { ...root, fingerprint: namespace };
    return { namespace, target, isRoot: true, restriction: 'all' };
  }),
  owner: ({ namespace }: Of<'NamespaceDelegation'>) => namespace,
  itemOf: (
    { namespace, target, restriction }: Of<'NamespaceDelegation'>,
    query: QueryMessage & {
      readonly filterNamespace: string;
      readonly filterTargetKeyFingerprint: string;
    },
  ) => {
    const { filterNamespace, filterTargetKeyFingerprint: key } = query;
    const isMatch =
      namespace.startsWith(filterNamespace) && (key === '' || target.fingerprint === key);
    return isMatch && { namespace, targetKey: keyOf(target), ...restrictionOf(restriction) };
  },
} as const;

/** The word of a synchronizer's owners: its sequencer and its mediator. */
const ownersOf = ({ sequencerId, mediatorId }: Synchronizer): readonly string[] => [
  sequencerId,
  mediatorId,
];

/** For a mapping from a synchronizer's start. */
export function foundingEntry(
  network: Network,
  synchronizer: Synchronizer,
  encoded: Uint8Array,
): Entry {
  return inForce(network, encoded, ownersOf(synchronizer), FOUNDED);
}

const decentralizedNamespace = {
  code: 'dnd',
  kind: 'DecentralizedNamespaceDefinition',
  known: ofSynchronizers((context, synchronizer) => {
    const namespace = namespaceOf(synchronizer.id);
    const owners = ownersOf(synchronizer).map(namespaceOf);
    const mapping = { namespace, threshold: 1, owners };
    const definition = { decentralizedNamespace: namespace, threshold: 1, owners };
    const encoded = encodeAddition({ decentralizedNamespaceDefinition: definition });
    const entry = foundingEntry(context.network, synchronizer, encoded);
    return [{ mapping, entry }, ...sharedNamespaces(context, synchronizer)];
  }),
  owner: ({ namespace }: Of<'DecentralizedNamespaceDefinition'>) => namespace,
  itemOf: (
    { namespace, threshold, owners }: Of<'DecentralizedNamespaceDefinition'>,
    query: QueryMessage & { readonly filterNamespace: string },
  ) =>
    namespace.startsWith(query.filterNamespace) && {
      decentralizedNamespace: namespace,
      threshold,
      owners,
    },
} as const;

const ownerToKey = {
  code: 'otk',
  kind: 'OwnerToKeyMapping',
  known: ofMembers('ownKeys', ({ network }, member) => {
    const { own } = memberKeys(network.random, member);
    const encryption = encryptionKeysOf(member);
    return { member: memberId(member), keys: own, encryption };
  }),
  owner: ({ member }: { readonly member: string }) => member.replace(/^\w+::/, ''),
  itemOf: (
    mapping: {
      readonly member: string;
      readonly keys: readonly Parameters<typeof keyOf>[0][];
      readonly encryption?: readonly object[];
    },
    query: QueryMessage & {
      readonly filterKeyOwnerType: string;
      readonly filterKeyOwnerUid: string;
    },
  ) => {
    const { member, keys, encryption = [] } = mapping;
    const { filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
    const [code = '', ...uid] = member.split('::');
    const isMatch = (type === '' || type === code) && passes(uid.join('::'), filter);
    const publicKeys = [
      ...keys.map((key) => ({ signingPublicKey: keyOf(key) })),
      ...encryption.map((encryptionPublicKey) => ({ encryptionPublicKey })),
    ];
    return isMatch && { member, publicKeys };
  },
} as const;

/** In the order of Canton's codes. */
export const LISTINGS = {
  namespaceDelegation,
  decentralizedNamespace,
  ownerToKey,
  trustCertificate,
  vettedPackages,
  partyToParticipant,
  partyToKey,
};

export const topologyReads = {
  listPartyToParticipant: listing(partyToParticipant),
  listPartyToKeyMapping: listing(partyToKey),
  listVettedPackages: listing(vettedPackages),
  listSynchronizerTrustCertificate: listing(trustCertificate),
  listNamespaceDelegation: listing(namespaceDelegation),
  listOwnerToKeyMapping: listing(ownerToKey),
  listDecentralizedNamespaceDefinition: listing(decentralizedNamespace),
  listAvailableStores: (context: AdminContext) => ({
    storeIds: storesOf(context, undefined).map(storeMessage),
  }),
};
