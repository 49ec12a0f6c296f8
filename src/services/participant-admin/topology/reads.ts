/**
 * `TopologyManagerReadService`: the mappings that follow from what the model knows of each synchronizer, and those of temporary
 * stores, in the shape of their messages.
 * NOTE: of a synchronizer's mappings only what is in force is kept. What is not known to have changed is as old as the ledger, and
 * the participant's own store has nothing but its identity.
 */
import type { Timestamp } from '../../../daml/model/values.js';
import { namespaceOf } from '../../../network/ids.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import {
  encodeHosting,
  encodeVettedPackages,
  topologyHash,
  type PartyHosting,
  type TopologyMapping,
} from '../../../network/topology/party-hosting.js';
import { signersOf, type StoredMapping } from '../../../network/topology/signed-mappings.js';
import {
  encodeAddition,
  type MappingMessage,
} from '../../../network/topology/topology-messages.js';
import {
  identityMappings,
  memberId,
  memberKeys,
  type Member,
} from '../../../network/topology/topology-transactions.js';
import type { PartyPermission } from '../../../network/updates.js';
import { parsed } from '../parsing/parsed.js';
import { baseQuery, type QueryMessage } from '../parsing/topology.js';
import { keyOf, passes, restrictionOf, vettedPackageOf } from './items.js';
import { encryptionKeysOf, membersOf } from './members.js';
import type { AdminContext } from '../admin-context.js';
import { proposedHostings, sharedNamespaces } from './proposals.js';
import {
  entryMessage,
  isAskedFor,
  storeMessage,
  storesOf,
  type Entry,
  type Store,
} from './stores.js';

export const PERMISSIONS: Readonly<Record<PartyPermission, string>> = {
  submission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  confirmation: 'PARTICIPANT_PERMISSION_CONFIRMATION',
  observation: 'PARTICIPANT_PERMISSION_OBSERVATION',
};

/** When a synchronizer was founded: the first moment that there is. */
const FOUNDED: Timestamp = -62_135_596_799_999_999n;

type Kind = TopologyMapping['kind'];
type Of<K extends Kind> = Omit<Extract<TopologyMapping, { kind: K }>, 'kind'>;

export interface Results {
  readonly results: readonly { readonly context: object; readonly item: object }[];
}

/** A mapping of a store, as its message has it. */
interface Found {
  readonly store: Store;
  readonly entry: Entry;
  readonly item: object;
}

/** What a method tells of the mappings of one kind. */
interface Listing<Q extends QueryMessage, T> {
  /** Of a synchronizer's store, or the participant's own. */
  readonly known: (
    context: AdminContext,
    store: Exclude<Store, { kind: 'temporary' }>,
  ) => readonly { readonly entry: Entry; readonly mapping: T }[];
  /** Where temporary stores can have them. */
  readonly kind?: Kind;
  /** False for what the request does not ask for. */
  readonly told: (mapping: T, query: Q) => object | false;
}

export const listing = <Q extends QueryMessage, T>({ known, kind, told }: Listing<Q, T>) =>
  parsed(
    (message: Q) => ({ message, base: baseQuery(message) }),
    (context, { message, base }): Results => {
      const found = storesOf(context, base.store).flatMap((store): Found[] => {
        const all =
          store.kind === 'temporary'
            ? storedIn(context, store.name, kind).map((each) => ({
                entry: entryOf(each),
                mapping: each.transaction.mapping as T,
              }))
            : known(context, store);
        return all.flatMap(({ entry, mapping }): Found[] => {
          const item = isAskedFor(entry, base) && told(mapping, message);
          return item === false ? [] : [{ store, entry, item }];
        });
      });
      return {
        results: found.map(({ store, entry, item }) => ({
          context: entryMessage(store, entry),
          item,
        })),
      };
    },
  );

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
function storedIn(
  { participant }: AdminContext,
  name: string,
  kind: Kind | undefined,
): readonly StoredMapping[] {
  const all = participant.temporaryStores.all(name);
  return all.filter(({ transaction }) => transaction.mapping.kind === kind);
}

const entryOf = (stored: StoredMapping): Entry => ({
  since: stored.since,
  until: stored.until,
  replaces: stored.transaction.replaces,
  serial: stored.transaction.serial,
  hash: stored.transaction.hash,
  signedBy: signersOf(stored),
  isProposal: stored.isProposal,
});

/** Of what a synchronizer's store has in force. */
function inForce(
  encoded: Uint8Array,
  owners: readonly string[],
  since: Timestamp,
  serial = 1,
): Entry {
  const signedBy = owners.map(namespaceOf);
  const hash = topologyHash(encoded);
  return { since, replaces: true, serial, hash, signedBy, isProposal: false };
}

/** Nothing of it in the participant's own store. */
export const ofSynchronizers =
  <T>(
    known: (
      context: AdminContext,
      synchronizer: Synchronizer,
    ) => readonly { readonly entry: Entry; readonly mapping: T }[],
  ) =>
  (context: AdminContext, store: Exclude<Store, { kind: 'temporary' }>) =>
    store.kind === 'authorized' ? [] : known(context, store.synchronizer);

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
    return { mapping, entry: inForce(encodeHosting(mapping, serial), [party], since, serial) };
  });
}

const listPartyToParticipant = listing({
  kind: 'PartyToParticipant',
  known: ofSynchronizers((context, synchronizer) => [
    ...hostingsInForce(context, synchronizer),
    ...proposedHostings(context, synchronizer),
  ]),
  told: (
    { party, threshold, hosts, signing }: PartyHosting,
    query: QueryMessage & { readonly filterParty: string; readonly filterParticipant: string },
  ) => {
    const filterParticipant = query.filterParticipant.replace(/^PAR::/, '');
    const isAsked =
      passes(party, query.filterParty) &&
      hosts.some(({ participantId }) => passes(participantId, filterParticipant));
    const participants = hosts.map(({ participantId, permission }) => ({
      participantUid: participantId,
      permission: PERMISSIONS[permission],
    }));
    const keys = signing && { keys: signing.keys.map(keyOf), threshold: signing.threshold };
    return isAsked && { party, threshold, participants, ...(keys && { partySigningKeys: keys }) };
  },
});

const listPartyToKeyMapping = listing({
  kind: 'PartyToKeyMapping',
  known: ofSynchronizers(({ network }, { id }) =>
    network.topology.parties().flatMap((party) => {
      const signing = network.externalParties.get(party, id);
      if (!signing?.isMappedApart) return [];
      const encoded = encodeAddition({ partyToKey: { party, ...signing } });
      return [{ mapping: { party, signing }, entry: inForce(encoded, [party], network.startTime) }];
    }),
  ),
  told: (
    { party, signing }: Of<'PartyToKeyMapping'>,
    query: QueryMessage & { readonly filterParty: string },
  ) => {
    const { threshold, keys } = signing;
    return passes(party, query.filterParty) && { party, threshold, signingKeys: keys.map(keyOf) };
  },
});

const listVettedPackages = listing({
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
      const entry = inForce(encoded, [participantId], since, serial);
      return [{ mapping: { participantId, packages: [...packages.values()] }, entry }];
    }),
  ),
  told: (
    { participantId, packages }: Of<'VettedPackages'>,
    query: QueryMessage & { readonly filterParticipant: string },
  ) =>
    passes(participantId, query.filterParticipant) && {
      participantUid: participantId,
      packages: packages.map(vettedPackageOf),
    },
});

/** A participant first says that it joins, and then what it can do. */
const TRUST = {
  serial: 2,
  /** `PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER`. */
  featureFlags: [2],
  names: ['PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER'],
};

const listSynchronizerTrustCertificate = listing({
  kind: 'SynchronizerTrustCertificate',
  known: ofSynchronizers(({ network }, { id: synchronizerId }) =>
    network.participants
      .filter((each) => each.isConnectedTo(synchronizerId))
      .map(({ id: participantId }) => {
        const { featureFlags, serial } = TRUST;
        const trustCertificate = { participantUid: participantId, synchronizerId, featureFlags };
        const encoded = encodeAddition({ trustCertificate }, serial);
        return {
          mapping: { participantId, synchronizerId, featureFlags: TRUST.names },
          entry: inForce(encoded, [participantId], network.startTime, serial),
        };
      }),
  ),
  told: (
    mapping: Of<'SynchronizerTrustCertificate'> & { readonly featureFlags?: readonly string[] },
    query: QueryMessage & { readonly filterUid: string },
  ) => {
    const { participantId: participantUid, synchronizerId, featureFlags = [] } = mapping;
    return (
      passes(participantUid, query.filterUid) && { participantUid, synchronizerId, featureFlags }
    );
  },
});

/** Of each node of a store one of the two mappings of its identity. */
const ofMembers =
  <T>(which: 'delegation' | 'ownKeys', mappingOf: (context: AdminContext, member: Member) => T) =>
  (context: AdminContext, store: Exclude<Store, { kind: 'temporary' }>) => {
    const { participant, network } = context;
    const { id: uid, name } = participant;
    const own: Member = { code: 'PAR', uid, owner: `participant/${name}` };
    const members = store.kind === 'authorized' ? [own] : membersOf(context, store.synchronizer);
    return members.map((member) => {
      const { encoded, signers } = identityMappings(network.random, member)[which];
      const hash = topologyHash(encoded);
      const signedBy = signers.map(({ fingerprint }) => fingerprint);
      const since = member.code === 'PAR' ? network.startTime : FOUNDED;
      const entry: Entry = { since, replaces: true, serial: 1, hash, signedBy, isProposal: false };
      return { mapping: mappingOf(context, member), entry };
    });
  };

const listNamespaceDelegation = listing({
  kind: 'NamespaceDelegation',
  known: ofMembers('delegation', ({ network }, member): Of<'NamespaceDelegation'> => {
    const { root } = memberKeys(network.random, member);
    const namespace = namespaceOf(member.uid);
    const target = { ...root, fingerprint: namespace };
    return { namespace, target, isRoot: true, restriction: 'all' };
  }),
  told: (
    { namespace, target, restriction }: Of<'NamespaceDelegation'>,
    query: QueryMessage & {
      readonly filterNamespace: string;
      readonly filterTargetKeyFingerprint: string;
    },
  ) => {
    const { filterNamespace, filterTargetKeyFingerprint: key } = query;
    const isAsked =
      namespace.startsWith(filterNamespace) && (key === '' || target.fingerprint === key);
    return isAsked && { namespace, targetKey: keyOf(target), ...restrictionOf(restriction) };
  },
});

/** The word of a synchronizer's owners: its sequencer and its mediator. */
const ownersOf = ({ sequencerId, mediatorId }: Synchronizer): readonly string[] => [
  sequencerId,
  mediatorId,
];

/** Of a mapping that a synchronizer was founded with. */
export function foundingEntry(synchronizer: Synchronizer, mapping: MappingMessage): Entry {
  return inForce(encodeAddition(mapping), ownersOf(synchronizer), FOUNDED);
}

const listDecentralizedNamespaceDefinition = listing({
  kind: 'DecentralizedNamespaceDefinition',
  known: ofSynchronizers((context, synchronizer) => {
    const namespace = namespaceOf(synchronizer.id);
    const owners = ownersOf(synchronizer).map(namespaceOf);
    const mapping = { namespace, threshold: 1, owners };
    const entry = foundingEntry(synchronizer, { decentralizedNamespace: mapping });
    return [{ mapping, entry }, ...sharedNamespaces(context, synchronizer)];
  }),
  told: (
    { namespace, threshold, owners }: Of<'DecentralizedNamespaceDefinition'>,
    query: QueryMessage & { readonly filterNamespace: string },
  ) =>
    namespace.startsWith(query.filterNamespace) && {
      decentralizedNamespace: namespace,
      threshold,
      owners,
    },
});

const listOwnerToKeyMapping = listing({
  kind: 'OwnerToKeyMapping',
  known: ofMembers('ownKeys', ({ network }, member) => {
    const { own } = memberKeys(network.random, member);
    const encryption = encryptionKeysOf(member);
    return { member: memberId(member), keys: own, encryption };
  }),
  told: (
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
    const isAsked = (type === '' || type === code) && passes(uid.join('::'), filter);
    const publicKeys = [
      ...keys.map((key) => ({ signingPublicKey: keyOf(key) })),
      ...encryption.map((encryptionPublicKey) => ({ encryptionPublicKey })),
    ];
    return isAsked && { member, publicKeys };
  },
});

export const topologyReads = {
  listPartyToParticipant,
  listPartyToKeyMapping,
  listVettedPackages,
  listSynchronizerTrustCertificate,
  listNamespaceDelegation,
  listOwnerToKeyMapping,
  listDecentralizedNamespaceDefinition,
  listAvailableStores: (context: AdminContext) => ({
    storeIds: storesOf(context, undefined).map(storeMessage),
  }),
};
