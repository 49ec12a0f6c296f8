/**
 * `TopologyManagerReadService`: the mappings of each synchronizer that are derived from the model, and those of
 * temporary stores, in the shape of their messages. NOTE: for a synchronizer, only mappings in force and proposals are
 * stored. Parts without known changes are as old as the ledger, and the participant's own store has only its identity.
 */
import { namespaceOf } from '../../../network/model/ids.js';
import type { Network } from '../../../network/network.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import {
  encodeVettedPackages,
  type PartyHosting,
  type TopologyMapping,
} from '../../../network/topology/party-hosting.js';
import { encodeAddition } from '../../../network/topology/topology-messages.js';
import { memberUid } from '../../../network/topology/mapping-rules.js';
import type { OwnedKeys } from '../../../network/topology/mapped-keys.js';
import { FOUNDED } from '../../../network/topology/synchronizer-store.js';
import type { PartyPermission } from '../../../network/model/updates.js';
import type { QueryMessage } from '../parsing/topology.js';
import { latestHosting } from './hosting-store.js';
import { keyOf, nodeKeyOf } from '../parsing/key-messages.js';
import { passes, restrictionOf, vettedPackageOf } from './items.js';
import { inForce, listing, ofLog, ofSynchronizers, wordsOf } from './listings.js';
import type { AdminContext } from '../admin-context.js';
import { proposedHostings, sharedNamespaces } from './proposals.js';
import { storeMessage, storesOf, type Entry } from './stores.js';

export const PERMISSIONS: Readonly<Record<PartyPermission, string>> = {
  submission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  confirmation: 'PARTICIPANT_PERMISSION_CONFIRMATION',
  observation: 'PARTICIPANT_PERMISSION_OBSERVATION',
};

type Of<K extends TopologyMapping['kind']> = Omit<Extract<TopologyMapping, { kind: K }>, 'kind'>;

function hostingsInForce(context: AdminContext, synchronizer: Synchronizer) {
  const { network } = context;
  return network.topology.parties().flatMap((party) => {
    const found = latestHosting(context, synchronizer, party);
    if (found === undefined) return [];
    const { since, signers: signedBy, given } = found;
    const { mapping, ...transaction } = found.transaction;
    const said = { ...transaction, since, signedBy, isProposal: false };
    return [{ mapping: mapping as unknown as PartyHosting, entry: wordsOf(network, said, given) }];
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

const partyToKey = {
  code: 'ptk',
  kind: 'PartyToKeyMapping',
  known: ofLog<Of<'PartyToKeyMapping'>>('PartyToKeyMapping'),
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

/** By number. */
const FEATURE_FLAGS: Readonly<Record<number, string>> = {
  1: 'PARTICIPANT_FEATURE_FLAG_PV33_EXTERNAL_SIGNING_LOCAL_CONTRACT_IN_SUBVIEW',
  2: 'PARTICIPANT_FEATURE_FLAG_ENABLE_MULTI_SYNCHRONIZER',
};

const certificate = {
  code: 'dtc',
  kind: 'SynchronizerTrustCertificate',
  known: ofLog<Of<'SynchronizerTrustCertificate'>>('SynchronizerTrustCertificate'),
  owner: ({ participantId }: Of<'SynchronizerTrustCertificate'>) => participantId,
  itemOf: (
    mapping: Of<'SynchronizerTrustCertificate'>,
    query: QueryMessage & { readonly filterUid: string },
  ) => {
    const { participantId: participantUid, synchronizerId } = mapping;
    const featureFlags = mapping.featureFlags.map((each) => FEATURE_FLAGS[each] ?? each);
    return (
      passes(participantUid, query.filterUid) && { participantUid, synchronizerId, featureFlags }
    );
  },
} as const;

const namespaceDelegation = {
  code: 'nsd',
  kind: 'NamespaceDelegation',
  known: ofLog<Of<'NamespaceDelegation'>>('NamespaceDelegation'),
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

/** The signers of a synchronizer: its sequencer and its mediator. */
const ownersOf = ({ sequencerId, mediatorId }: Synchronizer): readonly string[] => [
  sequencerId,
  mediatorId,
];

/** The entry of a mapping that exists since the start of a synchronizer. */
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
  known: ofLog<OwnedKeys>('OwnerToKeyMapping'),
  owner: ({ member }: OwnedKeys) => memberUid(member),
  itemOf: (
    { member, keys }: OwnedKeys,
    query: QueryMessage & {
      readonly filterKeyOwnerType: string;
      readonly filterKeyOwnerUid: string;
    },
  ) => {
    const { filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
    const isMatch =
      (type === '' || member.startsWith(`${type}::`)) && passes(memberUid(member), filter);
    return isMatch && { member, publicKeys: keys.map(nodeKeyOf) };
  },
} as const;

/** In the order of Canton's codes. */
export const LISTINGS = {
  namespaceDelegation,
  decentralizedNamespace,
  ownerToKey,
  trustCertificate: certificate,
  vettedPackages,
  partyToParticipant,
  partyToKey,
};

export const topologyReads = {
  listPartyToParticipant: listing(partyToParticipant),
  listPartyToKeyMapping: listing(partyToKey),
  listVettedPackages: listing(vettedPackages),
  listSynchronizerTrustCertificate: listing(certificate),
  listNamespaceDelegation: listing(namespaceDelegation),
  listOwnerToKeyMapping: listing(ownerToKey),
  listDecentralizedNamespaceDefinition: listing(decentralizedNamespace),
  listAvailableStores: (context: AdminContext) => ({
    storeIds: storesOf(context, undefined).map(storeMessage),
  }),
};
