/**
 * `TopologyManagerReadService`: the mappings that follow from what the model knows of each synchronizer, in the shape of their messages.
 * NOTE: of a mapping only what is in force is kept. When it was sequenced is told as the moment that the ledger began at, its hash is
 * left out, and of parties and keys the serial is 1; an earlier time that is asked for is not looked at.
 */
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { formatInstant } from '../../daml/model/time.js';
import { namespaceOf } from '../../network/ids.js';
import type { Synchronizer } from '../../network/synchronizer.js';
import { memberKeys, memberId, type Member } from '../../network/topology/topology-transactions.js';
import type { PartyPermission } from '../../network/updates.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import type { TopologyMapping } from '../../network/topology/party-hosting.js';
import type { LedgerContext } from '../handler.js';
import { keyOf, passes, restrictionOf, vettedPackageOf } from './topology-items.js';
import { storedMappings, type TimeQuery } from './temporary-topology.js';

export type AdminContext = Pick<
  LedgerContext,
  'network' | 'participant' | 'apiVersion' | 'values' | 'userId'
>;

export const connected = ({ network, participant }: AdminContext): readonly Synchronizer[] =>
  network.synchronizers.filter(({ id }) => participant.isConnectedTo(id));

export const PERMISSIONS: Readonly<Record<PartyPermission, string>> = {
  submission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  confirmation: 'PARTICIPANT_PERMISSION_CONFIRMATION',
  observation: 'PARTICIPANT_PERMISSION_OBSERVATION',
};

const ADD_REPLACE = 'TOPOLOGY_CHANGE_OP_ADD_REPLACE';

export interface StoreId {
  readonly authorized?: object;
  readonly synchronizer?: { readonly id?: string; readonly physicalId?: string };
  readonly temporary?: { readonly name: string };
}

export interface Query {
  readonly baseQuery?: {
    readonly store?: StoreId;
  } & TimeQuery;
}

type Kind = TopologyMapping['kind'];
type Of<K extends Kind> = Extract<TopologyMapping, { kind: K }>;

interface Result {
  readonly context: object;
  readonly item: object;
}

export interface Results {
  readonly results: readonly Result[];
}

/** The synchronizers whose stores are asked for; `isOwn` where the participant's own store is. */
export function storesOf(
  context: AdminContext,
  { baseQuery }: Query,
): { readonly synchronizers: readonly Synchronizer[]; readonly isOwn: boolean } {
  if (baseQuery === undefined) throw protoDeserializationFailure('FieldNotSet(base_query)');
  const { store, proposals, operation } = baseQuery;
  const isNothingSuch = proposals || operation === 'TOPOLOGY_CHANGE_OP_REMOVE';
  if (isNothingSuch || store?.temporary !== undefined) return { synchronizers: [], isOwn: false };
  if (store?.authorized !== undefined) return { synchronizers: [], isOwn: true };
  const all = connected(context);
  if (store?.synchronizer === undefined) return { synchronizers: all, isOwn: store === undefined };
  const { id, physicalId } = store.synchronizer;
  const given = id ?? physicalId ?? '';
  // Of a physical id what stands before its version.
  const fault = uniqueIdentifierFault(id ?? given.replace(/::[^:]*$/, ''));
  if (fault !== undefined)
    throw protoDeserializationFailure(`ValueConversionError(store,${fault})`);
  return {
    synchronizers: all.filter((each) => each.id === given || each.physicalId === given),
    isOwn: false,
  };
}

export const storeOf = ({ physicalId }: Synchronizer): StoreId => ({
  synchronizer: { physicalId },
});

export function contextOf(
  { network }: AdminContext,
  store: StoreId,
  signedBy: readonly string[],
  serial = 1,
): object {
  const since = formatInstant(network.startTime);
  return {
    store,
    sequenced: since,
    validFrom: since,
    operation: ADD_REPLACE,
    serial,
    signedByFingerprints: signedBy,
  };
}

/** Of the mappings of a kind in temporary stores what is told of each: of the store that is asked for; of every one, where none is named. */
function inTemporary<K extends Kind>(
  context: AdminContext,
  { baseQuery }: Query,
  kind: K,
  told: (mapping: Of<K>) => object | false,
): readonly Result[] {
  if (baseQuery === undefined) return [];
  const { store } = baseQuery;
  const names =
    store === undefined
      ? context.participant.temporaryStores.names()
      : store.temporary === undefined
        ? []
        : [store.temporary.name];
  return names.flatMap((name) =>
    storedMappings(context, name, kind, baseQuery).flatMap((found): Result[] => {
      const item = told(found.mapping);
      return item === false ? [] : [{ context: found.context, item }];
    }),
  );
}

/** A mapping of a synchronizer, which the model knows otherwise. */
interface Known<K extends Kind> {
  readonly mapping: Omit<Of<K>, 'kind'>;
  /** Whose word it is. */
  readonly owner: string;
  readonly serial?: number;
}

/** The same of synchronizers' stores, and then of temporary ones. */
function listed<K extends Kind>(
  context: AdminContext,
  query: Query,
  kind: K,
  knownOf: (synchronizer: Synchronizer) => readonly Known<K>[],
  told: (mapping: Omit<Of<K>, 'kind'>) => object | false,
): Results {
  const results = storesOf(context, query).synchronizers.flatMap((synchronizer) =>
    knownOf(synchronizer).flatMap(({ mapping, owner, serial }): Result[] => {
      const item = told(mapping);
      const signedBy = [namespaceOf(owner)];
      return item === false
        ? []
        : [{ context: contextOf(context, storeOf(synchronizer), signedBy, serial), item }];
    }),
  );
  return { results: [...results, ...inTemporary(context, query, kind, told)] };
}

function listPartyToParticipant(
  context: AdminContext,
  query: Query & { readonly filterParty: string; readonly filterParticipant: string },
): Results {
  const { topology, externalParties } = context.network;
  const knownOf = ({ id }: Synchronizer): readonly Known<'PartyToParticipant'>[] =>
    topology.parties().map((party) => {
      const external = externalParties.get(party, id);
      const hosts = [...topology.hosts(party, id)].map(([participantId, permission]) => ({
        participantId,
        permission,
      }));
      const signing = external && !external.isMappedApart ? external : undefined;
      const threshold = external?.confirmationThreshold ?? 1;
      return { mapping: { party, threshold, hosts, signing }, owner: party };
    });
  return listed(context, query, 'PartyToParticipant', knownOf, (mapping) => {
    const { party, threshold, hosts, signing } = mapping;
    const isAsked =
      passes(party, query.filterParty) &&
      hosts.some(({ participantId }) => passes(participantId, query.filterParticipant));
    const participants = hosts.map(({ participantId, permission }) => ({
      participantUid: participantId,
      permission: PERMISSIONS[permission],
    }));
    const keys = signing && { keys: signing.keys.map(keyOf), threshold: signing.threshold };
    return isAsked && { party, threshold, participants, ...(keys && { partySigningKeys: keys }) };
  });
}

function listPartyToKeyMapping(
  context: AdminContext,
  query: Query & { readonly filterParty: string },
): Results {
  const { topology, externalParties } = context.network;
  const knownOf = ({ id }: Synchronizer): readonly Known<'PartyToKeyMapping'>[] =>
    topology.parties().flatMap((party) => {
      const signing = externalParties.get(party, id);
      return signing?.isMappedApart ? [{ mapping: { party, signing }, owner: party }] : [];
    });
  return listed(context, query, 'PartyToKeyMapping', knownOf, ({ party, signing }) => {
    const { threshold, keys } = signing;
    return passes(party, query.filterParty) && { party, threshold, signingKeys: keys.map(keyOf) };
  });
}

function listVettedPackages(
  context: AdminContext,
  query: Query & { readonly filterParticipant: string },
): Results {
  const { participants, topology } = context.network;
  const knownOf = ({ id }: Synchronizer): readonly Known<'VettedPackages'>[] =>
    participants.flatMap(({ id: participantId }) => {
      const { serial, packages } = topology.vetting(participantId, id);
      const mapping = { participantId, packages: [...packages.values()] };
      return serial === 0 ? [] : [{ mapping, owner: participantId, serial }];
    });
  return listed(context, query, 'VettedPackages', knownOf, ({ participantId, packages }) => {
    const item = { participantUid: participantId, packages: packages.map(vettedPackageOf) };
    return passes(participantId, query.filterParticipant) && item;
  });
}

function listSynchronizerTrustCertificate(
  context: AdminContext,
  query: Query & { readonly filterUid: string },
): Results {
  const knownOf = ({ id: synchronizerId }: Synchronizer) =>
    context.network.participants
      .filter((each) => each.isConnectedTo(synchronizerId))
      .map(({ id }) => ({ mapping: { participantId: id, synchronizerId }, owner: id }));
  return listed(context, query, 'SynchronizerTrustCertificate', knownOf, (mapping) => {
    const { participantId: participantUid, synchronizerId } = mapping;
    return passes(participantUid, query.filterUid) && { participantUid, synchronizerId };
  });
}

/** The nodes that a synchronizer's store knows; in a participant's own there is nobody but it. */
function membersOf({ network }: AdminContext, synchronizer: Synchronizer): readonly Member[] {
  const { sequencerId, mediatorId, alias, id } = synchronizer;
  return [
    { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` },
    { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` },
    ...network.participants
      .filter((participant) => participant.isConnectedTo(id))
      .map(({ id: uid, name }) => ({ code: 'PAR', uid, owner: `participant/${name}` }) as const),
  ];
}

/** What is told of each node, store after store. */
function ofMembers(
  context: AdminContext,
  query: Query,
  told: (member: Member, keys: ReturnType<typeof memberKeys>) => object | undefined,
): Results {
  const { id, name } = context.participant;
  const own: Member = { code: 'PAR', uid: id, owner: `participant/${name}` };
  const { synchronizers, isOwn } = storesOf(context, query);
  const stores = [
    ...(isOwn ? [{ store: { authorized: {} }, members: [own] }] : []),
    ...synchronizers.map((each) => ({ store: storeOf(each), members: membersOf(context, each) })),
  ];
  const results = stores.flatMap(({ store, members }) =>
    members.flatMap((member): Result[] => {
      const keys = memberKeys(context.network.random, member);
      const item = told(member, keys);
      return item === undefined
        ? []
        : [{ context: contextOf(context, store, [namespaceOf(member.uid)]), item }];
    }),
  );
  return { results };
}

function listNamespaceDelegation(
  context: AdminContext,
  query: Query & { readonly filterNamespace: string; readonly filterTargetKeyFingerprint: string },
): Results {
  const { filterNamespace, filterTargetKeyFingerprint: filterKey } = query;
  const { results } = ofMembers(context, query, ({ uid }, { root }) => {
    const namespace = namespaceOf(uid);
    if (!namespace.startsWith(filterNamespace) || !namespace.startsWith(filterKey))
      return undefined;
    return { namespace, targetKey: keyOf(root), isRootDelegation: true, canSignAllMappings: {} };
  });
  const stored = inTemporary(context, query, 'NamespaceDelegation', (mapping) => {
    const { namespace, target, restriction } = mapping;
    const isAsked =
      namespace.startsWith(filterNamespace) &&
      (filterKey === '' || target.fingerprint === filterKey);
    return isAsked && { namespace, targetKey: keyOf(target), ...restrictionOf(restriction) };
  });
  return { results: [...results, ...stored] };
}

function listDecentralizedNamespaceDefinition(
  context: AdminContext,
  query: Query & { readonly filterNamespace: string },
): Results {
  // Of synchronizers nothing is kept of it but who signs for the party.
  storesOf(context, query);
  const results = inTemporary(context, query, 'DecentralizedNamespaceDefinition', (mapping) => {
    const { namespace: decentralizedNamespace, threshold, owners } = mapping;
    const isAsked = decentralizedNamespace.startsWith(query.filterNamespace);
    return isAsked && { decentralizedNamespace, threshold, owners };
  });
  return { results };
}

function listOwnerToKeyMapping(
  context: AdminContext,
  query: Query & { readonly filterKeyOwnerType: string; readonly filterKeyOwnerUid: string },
): Results {
  const { filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
  const { results } = ofMembers(context, query, (member, { own }) => {
    if ((type !== '' && type !== member.code) || !passes(member.uid, filter)) return undefined;
    return {
      member: memberId(member),
      publicKeys: own.map((key) => ({ signingPublicKey: keyOf(key) })),
    };
  });
  const stored = inTemporary(context, query, 'OwnerToKeyMapping', ({ member, keys }) => {
    const [code = '', ...uid] = member.split('::');
    const isAsked = (type === '' || type === code) && passes(uid.join('::'), filter);
    return isAsked && { member, publicKeys: keys.map((key) => ({ signingPublicKey: keyOf(key) })) };
  });
  return { results: [...results, ...stored] };
}

export interface OwnersQuery {
  readonly limit: number;
  readonly synchronizerIds: readonly string[];
  readonly filterKeyOwnerType: string;
  readonly filterKeyOwnerUid: string;
}

/** NOTE: nodes have no keys to encrypt with: nothing here is encrypted for anybody. */
function listKeyOwners(context: AdminContext, query: OwnersQuery) {
  const { limit, synchronizerIds, filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
  const results = connected(context)
    .filter(({ id }) => synchronizerIds.length === 0 || synchronizerIds.includes(id))
    .flatMap((synchronizer) =>
      membersOf(context, synchronizer)
        .filter(({ code, uid }) => (type === '' || type === code) && passes(uid, filter))
        .map((member) => ({
          synchronizerId: synchronizer.id,
          keyOwner: memberId(member),
          signingKeys: memberKeys(context.network.random, member).own.map(keyOf),
          physicalSynchronizerId: synchronizer.physicalId,
        })),
    );
  return { results: results.slice(0, limit) };
}

export const topologyReads = {
  listPartyToParticipant,
  listPartyToKeyMapping,
  listVettedPackages,
  listSynchronizerTrustCertificate,
  listNamespaceDelegation,
  listOwnerToKeyMapping,
  listKeyOwners,
  listDecentralizedNamespaceDefinition,
  listAvailableStores: (context: AdminContext) => ({
    storeIds: [
      ...connected(context).map(storeOf),
      { authorized: {} },
      ...context.participant.temporaryStores.names().map((name) => ({ temporary: { name } })),
    ],
  }),
};
