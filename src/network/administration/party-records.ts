/**
 * The parties that one participant knows: those in the topology of its synchronizers, with the metadata that only this
 * participant stores (B-PTY-001 to B-PTY-034). A party without a record belongs to the default identity provider.
 */
import {
  identifierError,
  partyError,
  requireArgument,
  uniqueIdentifierError,
  userIdError,
} from '../../daml/model/identifiers.js';
import { uniqueId, type Party, type SynchronizerId } from '../model/ids.js';
import {
  DEFAULT_IDENTITY_PROVIDER,
  permissionDenied,
  requestedIdentityProvider,
} from './identity-provider.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import {
  checkAnnotations,
  fitsAnnotations,
  mergeAnnotations,
  NO_META,
  refuseVersion,
  requestedVersion,
  type Annotations,
  type ObjectMeta,
  type RequestedMeta,
} from './object-meta.js';
import { decodePageToken, pageOf, type Page } from './page-token.js';
import type { AdministeredParticipant } from './administered-participant.js';
import {
  alreadyAllocated,
  cannotDetermineSynchronizer,
  concurrentUpdate,
  internalError,
  invalidUpdate,
  notConnected,
  notFound,
  tooManyAnnotations,
  withoutSynchronizer,
} from './party-refusals.js';
import { callContext, loggedIn, PLAIN } from '../../daml/errors/logging-context.js';
import { trackedContext } from './tracked-context.js';
import { invalidArgument, invalidField, missingField } from '../model/request-errors.js';
import { partyFilter } from './party-filter.js';
import { UpdateMask } from './update-mask.js';
import { requireQuota } from './user-rights.js';

/** Also the default size; larger sizes are rejected (B-PTY-019). */
export const MAX_PARTIES_PAGE_SIZE = 10_000;

export interface PartyDetails {
  readonly party: Party;
  /** Whether this participant hosts it. */
  readonly isLocal: boolean;
  readonly localMetadata: ObjectMeta;
  readonly identityProviderId: string;
}

/** A party as an update describes it: absent members have their defaults. */
export interface RequestedPartyDetails {
  readonly party: Party;
  readonly isLocal?: boolean;
  readonly localMetadata?: RequestedMeta;
  readonly identityProviderId?: string;
}

/** The request to allocate a party. The participant chooses absent or empty members. */
export interface PartyAllocation {
  readonly partyIdHint?: string;
  readonly localMetadata?: RequestedMeta;
  readonly identityProviderId?: string;
  /** Required if the participant is connected to several synchronizers. */
  readonly synchronizerId?: SynchronizerId;
  /** A user that gets the right to act as the new party. */
  readonly userId?: string;
}

interface PartyRecord {
  readonly metadata: ObjectMeta;
  readonly identityProviderId: string;
}

const MEMBERS = { isLocal: 'is_local', annotations: 'local_metadata.annotations' } as const;

/** Every path that a mask may name; those that are not in {@link MEMBERS} only identify the party. */
const UPDATE_PATHS = [
  ...Object.values(MEMBERS),
  'party',
  'local_metadata.resource_version',
  'identity_provider_id',
];

export class PartyRecords {
  private readonly records: JournaledMap<Party, PartyRecord>;

  constructor(
    private readonly journal: Journal,
    private readonly participant: AdministeredParticipant,
  ) {
    this.records = new JournaledMap(journal, `parties/${participant.name}`);
  }

  /**
   * Allocates a party as the API does: all or nothing (B-PTY-001 to B-PTY-010).
   * @param partyQuota how many parties the user may have rights for; absent for no limit
   * @throws LedgerError INVALID_ARGUMENT, INVALID_FIELD, USER_NOT_FOUND, PARTY_ALLOCATION_…,
   * NOT_CONNECTED_TO_SYNCHRONIZER
   */
  allocate(allocation: PartyAllocation, partyQuota?: number): PartyDetails {
    const { partyIdHint: hint = '' } = allocation;
    return loggedIn(
      () => callContext(() => ({ parties: [hint] })),
      () => this.allocateNew(allocation, partyQuota),
    );
  }

  private allocateNew(allocation: PartyAllocation, partyQuota?: number): PartyDetails {
    const { partyIdHint = '', localMetadata, userId = '' } = allocation;
    if (partyIdHint !== '') requireArgument(partyError, partyIdHint);
    const { checksNewPartiesLate, namesDetailsOfNewParties } = this.participant.rules;
    const metadata = namesDetailsOfNewParties ? 'party_details.local_metadata' : 'local_metadata';
    refuseVersion(localMetadata?.resourceVersion, `${metadata}.resource_version`);
    const annotations = localMetadata?.annotations ?? {};
    checkAnnotations(annotations, `${metadata}.annotations`, false);
    const idp = requestedIdentityProvider(allocation.identityProviderId, 'identity_provider_id');
    const named = requestedSynchronizer(allocation.synchronizerId);
    const userError = userId === '' ? undefined : userIdError(userId);
    if (userError !== undefined) throw invalidField('user_id', userError);
    const { users } = this.participant;
    const requireUser = (): void => {
      this.participant.identityProviders.require(idp);
      if (userId !== '')
        loggedIn(PLAIN, () =>
          requireQuota(users.find(userId, idp, "checking user's existence"), partyQuota),
        );
    };
    const allocate = (party: Party): void => {
      const synchronizerId = this.synchronizerFor(party, named);
      loggedIn(
        () => trackedContext(this.participant.id, party, { parties: [partyIdHint] }),
        () => this.hostOn(party, [synchronizerId]),
      );
    };
    const record = (party: Party): PartyDetails => {
      this.remember(party, annotations, idp);
      if (userId !== '') users.grant(userId, [{ kind: 'CanActAs', party }], idp);
      return this.details(party, idp);
    };
    if (checksNewPartiesLate) {
      requireUser();
      const party = this.newPartyId(partyIdHint, (error) => {
        if (named === undefined) this.synchronizerFor(partyIdHint, named);
        return internalError(error);
      });
      allocate(party);
      this.requireOwn(party, idp);
      return this.journal.atomically(() => record(party));
    }
    return this.journal.atomically(() => {
      const party = this.newPartyId(partyIdHint);
      requireUser();
      this.requireOwn(party, idp);
      allocate(party);
      return record(party);
    });
  }

  /**
   * A party id in this participant's namespace.
   * @param refusal of an invalid hint (B-PTY-004)
   * @throws LedgerError
   */
  newPartyId(
    hint = '',
    refusal = (error: string) => invalidArgument(`Invalid party ID: ${error}`),
  ): Party {
    const name = hint || `party-${this.participant.ledger.random.uuid('party')}`;
    const error = identifierError(name);
    if (error !== undefined) throw refusal(error);
    return uniqueId(name, this.participant.namespace);
  }

  /**
   * Hosts a party of this participant's namespace on synchronizers that do not host it yet.
   * @throws LedgerError INVALID_ARGUMENT if all of the synchronizers already host it (B-PTY-003)
   */
  host(
    party: Party,
    synchronizerIds: readonly SynchronizerId[],
    annotations: Annotations = {},
    identityProviderId = DEFAULT_IDENTITY_PROVIDER,
  ): void {
    this.journal.atomically(() => {
      this.hostOn(party, synchronizerIds);
      this.remember(party, annotations, identityProviderId);
    });
  }

  private hostOn(party: Party, synchronizerIds: readonly SynchronizerId[]): void {
    const { ledger, id: participantId } = this.participant;
    const free = synchronizerIds.filter(
      (id) => !ledger.topology.hosts(party, id).has(participantId),
    );
    if (free.length === 0) throw alreadyAllocated(party);
    for (const synchronizerId of free)
      ledger.commit({
        kind: 'topology',
        synchronizerId,
        workflowId: '',
        events: [{ kind: 'added', party, participantId, permission: 'submission' }],
      });
  }

  /** Stores metadata of a party, or replaces it. */
  remember(party: Party, annotations: Annotations, identityProviderId: string): void {
    const metadata = nextMeta(party, this.records.get(party)?.metadata, annotations);
    this.records.set(party, { metadata, identityProviderId });
  }

  /** The known parties of a list, without duplicates, by id (B-PTY-011, B-PTY-012). */
  get(parties: readonly string[], identityProviderId?: string): PartyDetails[] {
    const idp = requestedIdentityProvider(identityProviderId, 'identity_provider_id');
    for (const party of parties) requireArgument(partyError, party);
    const known = [...new Set(parties)].filter((party) => this.knows(party));
    return known.sort().map((party) => this.details(party, idp));
  }

  /** Known parties, by id (B-PTY-017 to B-PTY-021). */
  list(
    options: {
      pageSize?: number;
      pageToken?: string;
      identityProviderId?: string;
      filterParty?: string;
    } = {},
  ): Page<PartyDetails> {
    const { pageSize = 0, pageToken = '', filterParty = '' } = options;
    const after = decodePageToken(pageToken, partyError);
    if (pageSize < 0) throw invalidArgument('Page size must be non-negative');
    if (pageSize > MAX_PARTIES_PAGE_SIZE)
      throw invalidArgument(
        `Page size must not exceed the server's maximum of ${MAX_PARTIES_PAGE_SIZE}`,
      );
    const idp = requestedIdentityProvider(options.identityProviderId, 'identity_provider_id');
    const passes = partyFilter(filterParty);
    const known = this.participant.ledger.topology
      .parties()
      .filter((party) => passes(party) && this.knows(party));
    const { items, nextPageToken } = pageOf(
      known,
      after,
      pageSize === 0 ? MAX_PARTIES_PAGE_SIZE : pageSize,
    );
    return { items: items.map((party) => this.details(party, idp)), nextPageToken };
  }

  /**
   * Changes local metadata. An update without changes still creates a new resource version.
   * @throws LedgerError INVALID_PARTY_DETAILS_UPDATE_REQUEST, CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED,
   * PARTY_NOT_FOUND, …
   */
  update(requested: RequestedPartyDetails, paths: readonly string[] | undefined): PartyDetails {
    const { party, localMetadata, isLocal = false } = requested;
    requireArgument(partyError, party);
    const version = requestedVersion(
      localMetadata?.resourceVersion,
      'party_details.local_metadata',
    );
    const given = localMetadata?.annotations ?? {};
    checkAnnotations(given, 'party_details.local_metadata.annotations', true);
    if (paths === undefined) throw missingField('update_mask');
    const idp = requestedIdentityProvider(requested.identityProviderId, 'identity_provider_id');
    this.participant.identityProviders.require(idp);
    const mask = UpdateMask.parse(paths, UPDATE_PATHS);
    if (!(mask instanceof UpdateMask)) throw invalidUpdate(party, mask.error);
    if (!this.knows(party)) throw notFound('updating a party record', party);
    const hosted = this.participant.hosts(party);
    const record = this.records.get(party);
    if ((mask.updated(MEMBERS.isLocal, isLocal, !isLocal) ?? hosted) !== hosted)
      throw invalidUpdate(
        party,
        "Update request attempted to modify not-modifiable 'is_local' attribute",
      );
    this.requireOwn(party, idp);
    if (record === undefined && !hosted)
      throw notFound('updating a participant party record', party);
    if (
      record !== undefined &&
      version !== undefined &&
      version !== BigInt(record.metadata.resourceVersion)
    )
      throw concurrentUpdate(party);
    const update = mask.updated(MEMBERS.annotations, given, Object.keys(given).length === 0) ?? {};
    this.records.set(party, {
      metadata: nextMeta(party, record?.metadata, update),
      identityProviderId: idp,
    });
    return this.details(party, idp);
  }

  /** Whether an identity provider has party records. */
  hasAnyOf(identityProviderId: string): boolean {
    const parties = this.records.sortedKeys();
    return parties.some(
      (party) => this.records.get(party)!.identityProviderId === identityProviderId,
    );
  }

  /**
   * Moves a party to another identity provider.
   * @throws LedgerError INVALID_ARGUMENT, or PARTY_NOT_FOUND, also if the party belongs to another provider than the
   * source
   */
  moveToIdentityProvider(party: Party, source: string, target: string): void {
    const operation = "updating party's identity provider";
    requireArgument(partyError, party);
    const from = requestedIdentityProvider(source, 'source_identity_provider_id');
    const to = requestedIdentityProvider(target, 'target_identity_provider_id');
    this.participant.identityProviders.require(from);
    this.participant.identityProviders.require(to);
    const record = this.records.get(party);
    const isHere = this.knows(party) && (record !== undefined || this.participant.hosts(party));
    // A party without a record belongs to the default provider.
    const owner = record?.identityProviderId ?? DEFAULT_IDENTITY_PROVIDER;
    if (!isHere || owner !== from) throw notFound(operation, party);
    if (record === undefined) this.remember(party, {}, to);
    else this.records.set(party, { ...record, identityProviderId: to });
  }

  /** Undefined for a party without a record, which this participant did not allocate. */
  identityProviderOf(party: Party): string | undefined {
    return this.records.get(party)?.identityProviderId;
  }

  /** @throws LedgerError PERMISSION_DENIED for a party of another identity provider */
  requireOwn(party: Party, identityProviderId: string): void {
    const record = this.records.get(party);
    if (record === undefined || record.identityProviderId === identityProviderId) return;
    throw permissionDenied(
      `Party ${party} belongs to an identity provider that differs from the one specified in the request`,
    );
  }

  /** Whether one of this participant's synchronizers has the party. */
  knows(party: Party): boolean {
    const { ledger } = this.participant;
    return ledger.topology.synchronizersOf(party).some((id) => this.participant.isConnectedTo(id));
  }

  /**
   * The details for a user of an identity provider: parties of other providers look remote and have no metadata
   * (B-PTY-015).
   */
  private details(party: Party, viewer: string): PartyDetails {
    const record = this.records.get(party);
    const isLocal = this.participant.hosts(party);
    if (record?.identityProviderId === viewer)
      return { party, isLocal, localMetadata: record.metadata, identityProviderId: viewer };
    const isDefaultViewer = viewer === DEFAULT_IDENTITY_PROVIDER;
    return {
      party,
      isLocal: isDefaultViewer && isLocal,
      localMetadata: NO_META,
      identityProviderId: DEFAULT_IDENTITY_PROVIDER,
    };
  }

  private synchronizerFor(party: Party, named: SynchronizerId | undefined): SynchronizerId {
    const connected = this.participant.connected;
    if (named !== undefined) {
      if (connected.includes(named)) return named;
      throw notConnected(named);
    }
    const [only, ...more] = connected;
    if (only === undefined) throw withoutSynchronizer();
    if (more.length > 0) throw cannotDetermineSynchronizer(party);
    return only;
  }
}

function requestedSynchronizer(id: SynchronizerId | undefined): SynchronizerId | undefined {
  if (!id) return undefined;
  const error = uniqueIdentifierError(id);
  if (error !== undefined) throw invalidField('synchronizer_id', error);
  return id;
}

function nextMeta(party: Party, current: ObjectMeta | undefined, update: Annotations): ObjectMeta {
  const annotations = mergeAnnotations(current?.annotations ?? {}, update);
  if (!fitsAnnotations(annotations)) throw tooManyAnnotations(party);
  const resourceVersion =
    current === undefined ? '0' : String(BigInt(current.resourceVersion) + 1n);
  return { resourceVersion, annotations };
}
