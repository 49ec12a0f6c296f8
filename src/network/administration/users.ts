/**
 * The users of one participant and their rights (B-USR-001 to B-USR-033). Checks have the participant's order: the
 * caller's permission, the request's fields, the identity provider, and then the store.
 */
import {
  checkUserId,
  partyError,
  requireArgument,
  userIdError,
} from '../../daml/model/identifiers.js';
import { DEFAULT_IDENTITY_PROVIDER, requestedIdentityProvider } from './identity-provider.js';
import { JournaledMap, type Journal } from '../journal/journal.js';
import {
  checkAnnotations,
  fitsAnnotations,
  mergeAnnotations,
  refuseVersion,
  requestedVersion,
  type ObjectMeta,
  type RequestedMeta,
} from './object-meta.js';
import { decodePageToken, pageOf, type Page } from './page-token.js';
import type { AdministeredParticipant } from './administered-participant.js';
import type { Party } from '../model/ids.js';
import { invalidArgument, missingField } from '../model/request-errors.js';
import { UpdateMask } from './update-mask.js';
import {
  alreadyExists,
  belongsElsewhere,
  concurrentUpdate,
  invalidUpdate,
  notFound,
  tooManyAnnotations,
  tooManyRights,
  unknownParties,
} from './user-refusals.js';
import {
  listed,
  MAX_RIGHTS_PER_USER,
  PARTICIPANT_ADMIN,
  partiesToVerify,
  readRights,
  requireMayToggle,
  rightKey,
  WILDCARD,
  type Caller,
  type RequestedRight,
  type UserRight,
  type UserRights,
} from './user-rights.js';

/** Exists from the start, with the right of its name (B-USR-001). */
export const PARTICIPANT_ADMIN_USER = 'participant_admin';

/** Also the default size; larger sizes are reduced to it (B-USR-011). */
export const MAX_USERS_PAGE_SIZE = 1000;

export interface User {
  readonly id: string;
  /** Empty for none. The party need not exist. */
  readonly primaryParty: string;
  readonly isDeactivated: boolean;
  readonly metadata: ObjectMeta;
  readonly identityProviderId: string;
  readonly primaryPartyAuthentication: boolean;
}

/** A user as requests describe it: absent members have their defaults. */
export interface RequestedUser extends Partial<Omit<User, 'id' | 'metadata'>> {
  readonly id: string;
  readonly metadata?: RequestedMeta;
}

interface UserRecord {
  readonly user: User;
  readonly rights: UserRights;
}

const MEMBERS = {
  primaryParty: 'primary_party',
  isDeactivated: 'is_deactivated',
  annotations: 'metadata.annotations',
  primaryPartyAuthentication: 'primary_party_authentication',
} as const;

/** Every path that a mask may name; those that are not in {@link MEMBERS} only identify the user. */
const UPDATE_PATHS = [
  ...Object.values(MEMBERS),
  'id',
  'metadata.resource_version',
  'identity_provider_id',
];

export class UserStore {
  private readonly records: JournaledMap<string, UserRecord>;
  /** Ids of the users that exist from the start. */
  readonly admins: ReadonlySet<string>;

  constructor(
    journal: Journal,
    private readonly participant: AdministeredParticipant,
    additionalAdminUser: string | undefined,
  ) {
    this.records = new JournaledMap(journal, `users/${participant.name}`);
    this.admins = new Set([PARTICIPANT_ADMIN_USER, additionalAdminUser ?? PARTICIPANT_ADMIN_USER]);
    for (const id of this.admins) {
      checkUserId(id, 'id');
      const user = { ...readUser({ id }), metadata: { resourceVersion: '0', annotations: {} } };
      const rights = new Map([[rightKey(PARTICIPANT_ADMIN), PARTICIPANT_ADMIN]]);
      this.records.set(id, { user, rights });
    }
  }

  /** @throws LedgerError MISSING_FIELD, INVALID_FIELD, INVALID_ARGUMENT, USER_ALREADY_EXISTS, TOO_MANY_USER_RIGHTS */
  create(
    requested: RequestedUser,
    requestedRights: readonly RequestedRight[] = [],
    caller: Caller = WILDCARD,
  ): User {
    requireMayToggle(requestedRights, caller);
    checkUserId(requested.id, 'id');
    refuseVersion(requested.metadata?.resourceVersion, 'user.metadata.resource_version');
    checkAnnotations(requested.metadata?.annotations ?? {}, 'user.metadata.annotations', false);
    const described = readUser(requested);
    const rights = readRights(requestedRights);
    requestedIdentityProvider(described.identityProviderId, 'identity_provider_id');
    this.participant.identityProviders.require(described.identityProviderId);
    this.requireKnownParties(rights, described.identityProviderId, caller);
    const existing = this.records.get(described.id);
    if (existing !== undefined) {
      const isOwn = existing.user.identityProviderId === described.identityProviderId;
      throw isOwn ? alreadyExists('creating user', described.id) : belongsElsewhere(described.id);
    }
    if (rights.size > MAX_RIGHTS_PER_USER) throw tooManyRights('creating user', described.id);
    const user = { ...described, metadata: { ...described.metadata, resourceVersion: '0' } };
    this.records.set(user.id, { user, rights });
    return user;
  }

  has(id: string): boolean {
    return this.records.has(id);
  }

  /** Whether an identity provider has users. */
  hasAnyOf(identityProviderId: string): boolean {
    const ids = this.records.sortedKeys();
    return ids.some((id) => this.records.get(id)!.user.identityProviderId === identityProviderId);
  }

  /** @throws LedgerError USER_NOT_FOUND, or PERMISSION_DENIED if the user has another identity provider (B-USR-009) */
  get(id: string, identityProviderId?: string): User {
    return this.find(id, identityProviderId, 'getting user').user;
  }

  /** Users of one identity provider, by id. */
  list(
    options: { pageSize?: number; pageToken?: string; identityProviderId?: string } = {},
  ): Page<User> {
    const { pageSize = 0, pageToken = '' } = options;
    const after = decodePageToken(pageToken, userIdError);
    if (pageSize < 0) throw invalidArgument('Max page size must be non-negative');
    const idp = requestedIdentityProvider(options.identityProviderId, 'identity_provider_id');
    const size = pageSize === 0 ? MAX_USERS_PAGE_SIZE : Math.min(pageSize, MAX_USERS_PAGE_SIZE);
    const ids = this.records
      .sortedKeys()
      .filter((id) => this.records.get(id)!.user.identityProviderId === idp);
    const { items, nextPageToken } = pageOf(ids, after, size);
    return { items: items.map((id) => this.records.get(id)!.user), nextPageToken };
  }

  /**
   * Changes the members that the mask names. An update without changes still creates a new resource version.
   * @throws LedgerError INVALID_USER_UPDATE_REQUEST, CONCURRENT_USER_UPDATE_DETECTED, USER_NOT_FOUND, …
   */
  update(
    requested: RequestedUser,
    paths: readonly string[] | undefined,
    caller: Caller = WILDCARD,
  ): User {
    checkUserId(requested.id, 'user.id');
    if (paths === undefined) throw missingField('update_mask');
    const described = readUser(requested);
    const idp = requestedIdentityProvider(requested.identityProviderId, 'identity_provider_id');
    const version = requestedVersion(
      requested.metadata?.resourceVersion,
      'user.metadata.resource_version',
    );
    checkAnnotations(described.metadata.annotations, 'user.metadata.annotations', true);
    const mask = UpdateMask.parse(paths, UPDATE_PATHS);
    if (!(mask instanceof UpdateMask)) throw invalidUpdate(described.id, mask.error);
    this.participant.identityProviders.require(idp);
    const isDeactivated = mask.updated(
      MEMBERS.isDeactivated,
      described.isDeactivated,
      !described.isDeactivated,
    );
    if (isDeactivated === true && isSame(caller, described.id))
      throw invalidArgument('Requesting user cannot self-deactivate');
    const { user, rights } = this.find(described.id, idp, 'updating user');
    if (version !== undefined && version !== BigInt(user.metadata.resourceVersion))
      throw concurrentUpdate(user.id);
    const updated = {
      ...user,
      ...changesOf(mask, described, user),
      metadata: nextMeta(mask, described, user),
    };
    this.records.set(user.id, { user: updated, rights });
    return updated;
  }

  delete(id: string, identityProviderId?: string, caller: Caller = WILDCARD): void {
    checkUserId(id, 'user_id');
    requestedIdentityProvider(identityProviderId, 'identity_provider_id');
    if (isSame(caller, id)) throw invalidArgument('Requesting user cannot delete itself');
    this.find(id, identityProviderId, 'deleting user');
    this.records.delete(id);
  }

  /** In the order of granting, or in that of a larger set (B-USR-034). */
  rights(id: string, identityProviderId?: string): readonly UserRight[] {
    return listed([...this.find(id, identityProviderId, 'list user rights').rights.values()]);
  }

  /** @returns the rights that the user did not have yet. Its resource version stays (B-USR-027). */
  grant(
    id: string,
    requested: readonly RequestedRight[],
    identityProviderId?: string,
    caller: Caller = WILDCARD,
  ): readonly UserRight[] {
    const granted = this.readToggled(id, requested, identityProviderId, caller);
    const { user, rights } = this.find(id, identityProviderId, 'grant user rights');
    const added = [...granted].filter(([key]) => !rights.has(key));
    const all = new Map([...rights, ...added]);
    if (all.size > MAX_RIGHTS_PER_USER) throw tooManyRights('grant user rights', id);
    if (added.length > 0) this.records.set(id, { user, rights: all });
    return listed(
      added.map(([, right]) => right),
      granted.size,
    );
  }

  /** @returns the rights that the user had. */
  revoke(
    id: string,
    requested: readonly RequestedRight[],
    identityProviderId?: string,
    caller: Caller = WILDCARD,
  ): readonly UserRight[] {
    const revoked = this.readToggled(id, requested, identityProviderId, caller, (rights) => {
      if (isSame(caller, id) && rights.has(rightKey(PARTICIPANT_ADMIN)))
        throw invalidArgument('Requesting user cannot remove own admin rights');
    });
    const { user, rights } = this.find(id, identityProviderId, 'revoke user rights');
    const removed = [...revoked].filter(([key]) => rights.has(key));
    const left = new Map([...rights].filter(([key]) => !revoked.has(key)));
    if (removed.length > 0) this.records.set(id, { user, rights: left });
    return listed(
      removed.map(([, right]) => right),
      revoked.size,
    );
  }

  /** Moves a user from one identity provider to another (B-USR-031, B-USR-032). */
  moveToIdentityProvider(id: string, source: string | undefined, target: string | undefined): User {
    checkUserId(id, 'user_id');
    const from = requestedIdentityProvider(source, 'source_identity_provider_id');
    const to = requestedIdentityProvider(target, 'target_identity_provider_id');
    this.participant.identityProviders.require(from);
    this.participant.identityProviders.require(to);
    const { user, rights } = this.find(id, from, 'update user identity provider');
    const moved = { ...user, identityProviderId: to };
    this.records.set(id, { user: moved, rights });
    return moved;
  }

  /** The first user by id that may act as all of these parties and read as all of those. */
  userFor(actAs: readonly Party[], readAs: readonly Party[]): string | undefined {
    const may = (rights: UserRights, kinds: readonly string[], party: Party): boolean =>
      kinds.some((kind) => rights.has(`${kind}AnyParty`) || rights.has(`${kind} ${party}`));
    return this.records.sortedKeys().find((id) => {
      const { user, rights } = this.records.get(id)!;
      return (
        !user.isDeactivated &&
        actAs.every((party) => may(rights, ['CanActAs'], party)) &&
        readAs.every((party) => may(rights, ['CanActAs', 'CanReadAs'], party))
      );
    });
  }

  /** The user, regardless of its identity provider. */
  lookup(id: string): UserRecord | undefined {
    return this.records.get(id);
  }

  /** The user, if it belongs to this identity provider. The error contains `operation`. */
  find(id: string, identityProviderId: string | undefined, operation: string): UserRecord {
    checkUserId(id, 'user_id');
    const idp = requestedIdentityProvider(identityProviderId, 'identity_provider_id');
    const record = this.records.get(id);
    if (record === undefined) throw notFound(operation, id);
    if (record.user.identityProviderId !== idp) throw belongsElsewhere(id);
    return record;
  }

  private readToggled(
    id: string,
    requested: readonly RequestedRight[],
    identityProviderId: string | undefined,
    caller: Caller,
    check: (rights: UserRights) => void = () => undefined,
  ): UserRights {
    requireMayToggle(requested, caller);
    checkUserId(id, 'user_id');
    const rights = readRights(requested);
    const idp = requestedIdentityProvider(identityProviderId, 'identity_provider_id');
    check(rights);
    this.requireKnownParties(rights, idp, caller);
    return rights;
  }

  /**
   * A participant administrator may name parties of any provider, and parties that do not exist (B-USR-007,
   * B-USR-030).
   */
  private requireKnownParties(
    rights: UserRights,
    identityProviderId: string,
    caller: Caller,
  ): void {
    if (caller.isParticipantAdmin && caller.mayNameUnknown) return;
    const { parties } = this.participant;
    const unknown = partiesToVerify(rights).filter((party) =>
      caller.isParticipantAdmin
        ? !parties.knows(party)
        : parties.identityProviderOf(party) !== identityProviderId,
    );
    if (unknown.length > 0) throw unknownParties(unknown, identityProviderId);
  }
}

function readUser(requested: RequestedUser): User {
  const { id, primaryParty = '', metadata } = requested;
  if (primaryParty !== '') requireArgument(partyError, primaryParty);
  return {
    id,
    primaryParty,
    isDeactivated: requested.isDeactivated ?? false,
    metadata: { resourceVersion: '', annotations: metadata?.annotations ?? {} },
    identityProviderId: requested.identityProviderId ?? DEFAULT_IDENTITY_PROVIDER,
    primaryPartyAuthentication: requested.primaryPartyAuthentication ?? false,
  };
}

function changesOf(mask: UpdateMask, described: User, user: User): Partial<User> {
  const { primaryParty, isDeactivated, primaryPartyAuthentication } = described;
  return {
    primaryParty:
      mask.updated(MEMBERS.primaryParty, primaryParty, primaryParty === '') ?? user.primaryParty,
    isDeactivated:
      mask.updated(MEMBERS.isDeactivated, isDeactivated, !isDeactivated) ?? user.isDeactivated,
    primaryPartyAuthentication:
      mask.updated(
        MEMBERS.primaryPartyAuthentication,
        primaryPartyAuthentication,
        !primaryPartyAuthentication,
      ) ?? user.primaryPartyAuthentication,
  };
}

function nextMeta(mask: UpdateMask, described: User, user: User): ObjectMeta {
  const given = described.metadata.annotations;
  const update = mask.updated(MEMBERS.annotations, given, Object.keys(given).length === 0) ?? {};
  const annotations = mergeAnnotations(user.metadata.annotations, update);
  if (!fitsAnnotations(annotations)) throw tooManyAnnotations(user.id);
  return { resourceVersion: String(BigInt(user.metadata.resourceVersion) + 1n), annotations };
}

const isSame = (caller: Caller, id: string): boolean =>
  caller.userId !== '' && caller.userId === id;
