/**
 * Holds a request against the claims of its caller. The transport redacts a refusal before it sends it
 * (B-AUTH-029).
 */
import { ledgerStringError } from '../../daml/model/identifiers.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { PLAIN } from '../../daml/errors/logging-context.js';
import { permissionDenied } from '../../network/administration/identity-provider.js';
import {
  canActAs,
  canExecuteAs,
  canExecuteAsAnyParty,
  canOperateAs,
  canReadAs,
  canReadAsAnyParty,
  isAnyAdmin,
  type Claims,
} from './claim-set.js';
import { partiesOfPrepared } from './prepared-parties.js';
import type { Place, Requirement } from './requirements.js';

export function unauthenticated(): LedgerError {
  return ledgerError('UNAUTHENTICATED', 'The command is missing a (valid) JWT token');
}

export interface AuthorizationRules {
  readonly participantId: string;
  /** Milliseconds since 1970, real time. */
  readonly now: number;
  /** The caller with the user of an unverified token, because authorization is not configured; empty without one. */
  readonly unproven?: { readonly userId: string };
}

/**
 * Also fills in fields that the request leaves to the token.
 * @throws LedgerError PERMISSION_DENIED, or INVALID_TOKEN if the request and the token name no user
 */
export function authorize(
  claims: Claims,
  requirements: readonly Requirement[],
  rules: AuthorizationRules,
): void {
  const { expiresAt, participantId } = claims;
  if (expiresAt !== undefined && rules.now >= expiresAt)
    throw permissionDenied(expired(expiresAt, rules.now));
  if (participantId !== undefined && participantId !== rules.participantId)
    throw permissionDenied(
      `Claims are only valid for participantId '${participantId}', actual participantId is '${rules.participantId}'`,
    );
  for (const requirement of requirements) check(claims, requirement, rules);
}

/** In integer seconds, as in tokens. */
export function expired(expiresAt: number, now: number): string {
  const isoTime = (time: number): string => new Date(time).toISOString();
  return `Claims were valid until ${isoTime(expiresAt)}, current time is ${isoTime(now)}`;
}

const NOT_ADMIN = 'Claims do not authorize the use of administrative services.';

function check(claims: Claims, requirement: Requirement, rules: AuthorizationRules): void {
  switch (requirement.kind) {
    case 'public':
      return;
    case 'admin':
      return allow(claims.isAdmin, NOT_ADMIN);
    case 'adminOrIdpAdmin':
      return allow(isAnyAdmin(claims), NOT_ADMIN);
    case 'actAs':
      return allowEach(requirement.parties, 'act as', (party) => canActAs(claims, party));
    case 'readAs':
      return allowEach(requirement.parties, 'read data for', (party) => canReadAs(claims, party));
    case 'executeAs':
      return allowExecution(claims, requirement.parties);
    case 'executePrepared':
      return canExecuteAsAnyParty(claims)
        ? undefined
        : allowExecution(claims, partiesOfPrepared(requirement.prepared));
    case 'readAsAnyParty':
      return allow(
        canReadAsAnyParty(claims),
        'Claims do not authorize to read data as any party (super-reader wildcard)',
      );
    case 'readAsSomeone':
      return allow(
        canReadAsAnyParty(claims) || claims.actAs.size + claims.readAs.size > 0,
        'Claims do not authorize reading data: neither a read-as-any-party wildcard nor any party-specific read/act claim is present',
      );
    case 'adminOrOperateAs':
      return checkOperation(claims, requirement.parties);
    case 'adminOrSelf':
      return checkSelf(claims, requirement.userId);
    case 'user':
      return checkUser(claims, requirement, rules);
    case 'userOrAdmin':
      return checkManagedUser(claims, requirement.place, rules);
    case 'identityProvider':
      return checkIdentityProvider(claims, requirement.place);
  }
}

function allow(isAllowed: boolean, reason: string): void {
  if (!isAllowed) throw permissionDenied(reason);
}

function allowEach(
  parties: readonly string[],
  what: string,
  isAllowed: (party: string) => boolean,
): void {
  for (const party of parties)
    if (!isAllowed(party))
      throw permissionDenied(`Claims do not authorize to ${what} party '${party}'`);
}

const allowExecution = (claims: Claims, parties: readonly string[]): void =>
  allowEach(parties, 'execute for', (party) => canExecuteAs(claims, party));

function checkOperation(claims: Claims, parties: readonly string[]): void {
  if (isAnyAdmin(claims)) return;
  allow(parties.length > 0, NOT_ADMIN);
  for (const party of parties)
    allow(
      canOperateAs(claims, party),
      `Claims do not authorize the use of administrative services nor authorize to operate for party '${party}'`,
    );
}

/** B-AUTH-020. The service checks the quota, because it has the rest of the request by then. */
function checkSelf(claims: Claims, userId: string): void {
  allow(isAnyAdmin(claims) || (claims.isUser && claims.userId === userId), NOT_ADMIN);
}

function checkUser(
  claims: Claims,
  { place: user, orAnyPartyReader = false }: Extract<Requirement, { kind: 'user' }>,
  { unproven }: AuthorizationRules,
): void {
  const userId = user.get() || claims.userId || unproven?.userId;
  if (!userId) throw undefaultedUser();
  const isOther = claims.userId !== undefined && claims.userId !== userId;
  if (isOther && !(orAnyPartyReader && claims.anyParty.read))
    throw permissionDenied(
      `Claims are only valid for userId '${claims.userId}', actual userId is '${userId}'`,
    );
  user.set(userId);
}

function checkManagedUser(claims: Claims, user: Place, { unproven }: AuthorizationRules): void {
  const requested = user.get() || (unproven?.userId ?? '');
  if (claims.isUser && (requested === '' || requested === claims.userId))
    return user.set(claims.userId!);
  if (requested === '') throw unnamedUser();
  allow(isAnyAdmin(claims), NOT_ADMIN);
}

function checkIdentityProvider(claims: Claims, provider: Place): void {
  if (provider.get() === '' && !claims.isAdmin) provider.set(claims.identityProviderId ?? '');
  const requested = provider.get();
  const error = requested === '' ? undefined : ledgerStringError(requested);
  if (error !== undefined)
    throw ledgerError(
      'INVALID_TOKEN',
      `The submitted token has a field with invalid value: Invalid field identity_provider_id: ${error}`,
    ).logIn(PLAIN);
  const { identityProviderId } = claims;
  if (identityProviderId !== undefined && requested !== identityProviderId)
    throw permissionDenied(
      `identity_provider_id from the request \`${requested || '<empty>'}\` does not match the one provided in the authorization claims`,
    );
}

/** The error if neither the request nor its token names a user. */
function undefaultedUser(): LedgerError {
  return missingUser(
    'Cannot default user_id field because claims do not specify an user-id. Is authentication turned on?',
  );
}

/** The error of a request about a user that names none. */
export function unnamedUser(): LedgerError {
  return missingUser(
    'requests with an empty user-id are only supported if there is an authenticated user',
  );
}

export function missingUser(reason: string): LedgerError {
  const cause = `The submitted request is missing a user-id: ${reason}`;
  return ledgerError('INVALID_TOKEN', cause).logIn(PLAIN);
}
