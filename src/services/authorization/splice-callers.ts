/**
 * Checks the caller of a Splice app and its rights, after reading only the request's path (V-GEN-003 to V-GEN-008).
 * NOTE: without authorization, tokens prove no identity and rights are not checked. The caller is the user that the
 * token names. Without a token it is the default user of a LocalNet: the validator's user for operators, otherwise
 * the wallet's user.
 */
import { subjectOf } from './token-format.js';
import type { Claims } from './claim-set.js';
import type { User } from '../../network/administration/users.js';
import type { Party } from '../../daml/model/values.js';
import { installedWallet, type InstalledWallet } from '../../splice/validators/wallets.js';
import type { Validator } from '../../splice/validators/validator.js';
import type { Authenticator } from './authenticator.js';
import { claimsOfUser } from './claim-set.js';
import type { Access, AccessClass } from './splice-access.js';

export interface SpliceCaller {
  readonly kind: 'caller';
  readonly userId: string;
}

/** The answer to a caller without access; `reason` is for the journal alone. */
export type CallerRefusal = { readonly reason: string } & (
  | { readonly status: 401; readonly text: string; readonly realm: string }
  | { readonly status: 403 | 404; readonly text: string }
);

const MISSING = 'The resource requires authentication, which was not supplied with the request';
const REJECTED = 'The supplied authentication is invalid';

/** As in RFC 6750; any other header counts as absent. */
const BEARER = /^bearer +([\w\-.~+/]{1,65536}={0,2}) *$/i;

export interface CallerRequest {
  readonly auth: Authenticator | undefined;
  readonly access: Access;
  readonly operationId: string;
  /** The validator whose app receives the request; for an SV's app, its validator. */
  readonly validator: Validator;
  readonly header: (name: string) => string | undefined;
  readonly query: string;
}

export async function spliceCaller(request: CallerRequest): Promise<SpliceCaller | CallerRefusal> {
  const { auth, access, validator } = request;
  const token = tokenIn(request);
  if (auth === undefined) {
    const userId = (token && subjectOf(token)) || unnamedCaller(access.class, validator);
    return access.class === 'wallet user'
      ? withWallet(request, userId, () => undefined)
      : { kind: 'caller', userId };
  }
  const { realm } = access;
  if (!token) return { status: 401, text: MISSING, realm, reason: 'There is no bearer token' };
  const known = await auth.callerOf(token);
  if ('reason' in known) return { status: 401, text: REJECTED, realm, reason: known.reason };
  const { userId } = known;
  if (access.class === 'any token') return { kind: 'caller', userId };
  const why = (party: Party, role: AccessClass): string | undefined =>
    whyNot(validator, userId, party, role);
  if (access.class === 'wallet user')
    return withWallet(request, userId, ({ party }) => why(party, 'wallet user'));
  const reason = why(validator.party, access.class);
  return reason === undefined ? { kind: 'caller', userId } : forbidden(userId, reason);
}

function tokenIn({ header, query }: CallerRequest): string | undefined {
  const authorization = header('authorization');
  return (
    (authorization && BEARER.exec(authorization)?.[1]) ??
    new URLSearchParams(query).get('access_token') ??
    undefined
  );
}

function unnamedCaller(role: AccessClass, { user, walletUser }: Validator): string {
  return role === 'wallet user' || role === 'any token' ? walletUser : user;
}

/** The check for a wallet precedes all checks of the user (V-GEN-008). */
function withWallet(
  { validator, operationId }: CallerRequest,
  userId: string,
  why: (wallet: InstalledWallet) => string | undefined,
): SpliceCaller | CallerRefusal {
  const wallet = installedWallet(validator, userId);
  if (wallet === undefined) {
    const text = `No wallet found for user '${userId}' for operation '${operationId}'`;
    return { status: 404, text, reason: text };
  }
  const reason = why(wallet);
  return reason === undefined ? { kind: 'caller', userId } : forbidden(userId, reason);
}

function forbidden(userId: string, reason: string): CallerRefusal {
  return { status: 403, text: `Authorization Failed for ${userId}`, reason };
}

/** The reason for denying access; undefined for a user with access (V-GEN-005, V-GEN-006). */
function whyNot(
  { participant }: Validator,
  userId: string,
  party: Party,
  role: AccessClass,
): string | undefined {
  const record = participant.users.lookup(userId);
  if (record === undefined) return 'User not found';
  const { user } = record;
  if (user.isDeactivated) return 'User is deactivated';
  const claims = claimsOfUser(record.rights.values(), NOBODY);
  if (role !== 'wallet user') {
    const needs = operatorError(participant.id, user, party, claims);
    if (needs !== undefined) return needs;
  } else if (!claims.actAs.has(party)) return `User may not act as wallet party ${party}`;
  if ((role === 'operator' || role === 'sv admin') && !claims.isAdmin)
    return 'User is not a participant administrator';
  return undefined;
}

const NOBODY = {
  userId: undefined,
  participantId: undefined,
  expiresAt: undefined,
  identityProviderId: undefined,
};

/**
 * NOTE: if the validator has no party, its user has none either. Then only its admin right is checked.
 */
function operatorError(
  participantId: string,
  { primaryParty }: User,
  party: Party,
  { actAs, isAdmin }: Claims,
): string | undefined {
  if (party === participantId && primaryParty === '' && isAdmin) return undefined;
  if (primaryParty !== party)
    return `Primary party of user ${primaryParty} is not equal to the operator party ${party}`;
  return actAs.has(party) ? undefined : `User may not act as the operator party ${party}`;
}
