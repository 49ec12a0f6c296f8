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
import type { PublicKeyMessage } from '../../network/topology/party-keys.js';
import type { PartyPermission } from '../../network/updates.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import type { LedgerContext } from '../handler.js';

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
    readonly proposals: boolean;
    readonly operation: string;
  };
}

interface Result {
  readonly context: object;
  readonly item: object;
}

export interface Results {
  readonly results: readonly Result[];
}

/** The synchronizers whose stores are asked for; `isOwn` where the participant's own store is. */
function storesOf(
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

const storeOf = ({ physicalId }: Synchronizer): StoreId => ({ synchronizer: { physicalId } });

function contextOf(
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

/** Both halves of an id, each by what it begins with, as far as the filter names them. */
function passes(uid: string, filter: string): boolean {
  const [identifier, namespace = ''] = filter.split('::') as [string, string?];
  const [ownIdentifier, ownNamespace = ''] = uid.split('::') as [string, string?];
  return ownIdentifier.startsWith(identifier) && ownNamespace.startsWith(namespace);
}

/** As messages have it: bytes are base64. */
const keyOf = ({ format, publicKey, usage, keySpec }: PublicKeyMessage) => ({
  format,
  publicKey: Buffer.from(publicKey).toString('base64'),
  usage,
  keySpec,
});

function listPartyToParticipant(
  context: AdminContext,
  query: Query & { readonly filterParty: string; readonly filterParticipant: string },
): Results {
  const { topology, externalParties } = context.network;
  const results = storesOf(context, query).synchronizers.flatMap((synchronizer) =>
    topology.parties().flatMap((party): Result[] => {
      const hosts = [...topology.hosts(party, synchronizer.id)];
      const isAsked =
        passes(party, query.filterParty) &&
        hosts.some(([uid]) => passes(uid, query.filterParticipant));
      if (!isAsked) return [];
      const external = externalParties.get(party, synchronizer.id);
      const item = {
        party,
        threshold: external?.confirmationThreshold ?? 1,
        participants: hosts.map(([participantUid, permission]) => ({
          participantUid,
          permission: PERMISSIONS[permission],
        })),
        ...(external &&
          !external.isMappedApart && {
            partySigningKeys: { keys: external.keys.map(keyOf), threshold: external.threshold },
          }),
      };
      return [{ context: contextOf(context, storeOf(synchronizer), [namespaceOf(party)]), item }];
    }),
  );
  return { results };
}

function listPartyToKeyMapping(
  context: AdminContext,
  query: Query & { readonly filterParty: string },
): Results {
  const { topology, externalParties } = context.network;
  const results = storesOf(context, query).synchronizers.flatMap((synchronizer) =>
    topology.parties().flatMap((party): Result[] => {
      const external = externalParties.get(party, synchronizer.id);
      if (!external?.isMappedApart || !passes(party, query.filterParty)) return [];
      const { threshold, keys } = external;
      const item = { party, threshold, signingKeys: keys.map(keyOf) };
      return [{ context: contextOf(context, storeOf(synchronizer), [namespaceOf(party)]), item }];
    }),
  );
  return { results };
}

function listVettedPackages(
  context: AdminContext,
  query: Query & { readonly filterParticipant: string },
): Results {
  const { participants, topology } = context.network;
  const results = storesOf(context, query).synchronizers.flatMap((synchronizer) =>
    participants.flatMap(({ id: participantUid }): Result[] => {
      const { serial, packages } = topology.vetting(participantUid, synchronizer.id);
      if (serial === 0 || !passes(participantUid, query.filterParticipant)) return [];
      const item = {
        participantUid,
        packages: [...packages.values()].map(({ packageId, validFrom, validUntil }) => ({
          packageId,
          ...(validFrom !== undefined && { validFromInclusive: formatInstant(validFrom) }),
          ...(validUntil !== undefined && { validUntilExclusive: formatInstant(validUntil) }),
        })),
      };
      const signedBy = [namespaceOf(participantUid)];
      return [{ context: contextOf(context, storeOf(synchronizer), signedBy, serial), item }];
    }),
  );
  return { results };
}

function listSynchronizerTrustCertificate(
  context: AdminContext,
  query: Query & { readonly filterUid: string },
): Results {
  const results = storesOf(context, query).synchronizers.flatMap((synchronizer) =>
    context.network.participants
      .filter((each) => each.isConnectedTo(synchronizer.id) && passes(each.id, query.filterUid))
      .map(({ id }): Result => ({
        context: contextOf(context, storeOf(synchronizer), [namespaceOf(id)]),
        item: { participantUid: id, synchronizerId: synchronizer.id },
      })),
  );
  return { results };
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
  return ofMembers(context, query, ({ uid }, { root }) => {
    const namespace = namespaceOf(uid);
    const { filterNamespace, filterTargetKeyFingerprint: filterKey } = query;
    if (!namespace.startsWith(filterNamespace) || !namespace.startsWith(filterKey))
      return undefined;
    return { namespace, targetKey: keyOf(root), isRootDelegation: true, canSignAllMappings: {} };
  });
}

function listOwnerToKeyMapping(
  context: AdminContext,
  query: Query & { readonly filterKeyOwnerType: string; readonly filterKeyOwnerUid: string },
): Results {
  return ofMembers(context, query, (member, { own }) => {
    const { filterKeyOwnerType: type, filterKeyOwnerUid: filter } = query;
    if ((type !== '' && type !== member.code) || !passes(member.uid, filter)) return undefined;
    return {
      member: memberId(member),
      publicKeys: own.map((key) => ({ signingPublicKey: keyOf(key) })),
    };
  });
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

const nothing = (context: AdminContext, query: Query): Results => {
  storesOf(context, query);
  return { results: [] };
};

export const topologyReads = {
  listPartyToParticipant,
  listPartyToKeyMapping,
  listVettedPackages,
  listSynchronizerTrustCertificate,
  listNamespaceDelegation,
  listOwnerToKeyMapping,
  listKeyOwners,
  /** Of what no network here ever has. */
  listDecentralizedNamespaceDefinition: nothing,
  listAvailableStores: (context: AdminContext) => ({
    storeIds: [...connected(context).map(storeOf), { authorized: {} }],
  }),
};
