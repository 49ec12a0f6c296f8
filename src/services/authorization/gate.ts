/**
 * The gate of all requests to the Ledger API: it identifies callers and checks their rights. Without authorization
 * it admits every caller.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { UNTRACED } from '../../daml/errors/logging-context.js';
import type { EngineRules } from '../../daml/refusals/engine-rules.js';
import type { Participant } from '../../network/participant.js';
import { rightKey } from '../../network/administration/user-rights.js';
import type { ServedIds } from '../../spec/served.js';
import type { Release } from '../../spec/versions.js';
import type { DecodedInput } from '../../spec/decode.js';
import type { Operation } from '../../spec/operations.js';
import type { Authenticator } from './authenticator.js';
import { authorize, expired, unauthenticated } from './authorize.js';
import { WILDCARD, type Claims } from './claim-set.js';
import { CLAIMS } from './claims.js';
import { ADMIN, type Requirement } from './requirements.js';
import type { OngoingCheck } from '../streams/pump.js';
import type { SpliceCaller } from './splice-callers.js';
import type { TokenRules } from './token-format.js';

/** The known facts about a caller. */
export type Admission =
  /** Authorization is not configured. */
  | { readonly kind: 'anyone' }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'known'; readonly claims: Claims }
  /** The caller of an app of Splice. */
  | SpliceCaller;

export const ANYONE: Admission = { kind: 'anyone' };
const ANONYMOUS: Admission = { kind: 'anonymous' };

/**
 * The requirements of an operation: a function, `open` as in the table, or `unsecured`, for which no token is checked.
 */
export type Row =
  | 'unsecured'
  | 'open'
  | ((input: DecodedInput, rules: EngineRules) => readonly Requirement[]);

const OF_CONTROLS: Row = () => [ADMIN];

/** @param operation an operation of the table, or the row of one that the table does not have */
function rowOf(operation: Operation | Row): Row {
  if (typeof operation !== 'object') return operation;
  const { api, operationId } = operation;
  if (api === 'control') return OF_CONTROLS;
  return api === 'ledger' ? (CLAIMS[operationId as ServedIds<'ledger'>] as Row) : 'unsecured';
}

/**
 * Identifies the caller, before the rest of the request is read.
 * @throws LedgerError PERMISSION_DENIED for a token that no service accepts
 */
export async function admit(
  auth: Authenticator,
  participant: Participant,
  token: string | undefined,
  rules: TokenRules,
): Promise<Admission> {
  const claims = await auth.authenticate(token, participant, rules);
  return claims === undefined ? ANONYMOUS : { kind: 'known', claims };
}

/**
 * Checks the caller's rights, once the request is read. It fills in fields that the request leaves to the token.
 * Without configured authorization the caller has all rights, and the filled-in fields are still checked.
 * @param unproven has the user that the token then names, unverified; empty without one
 * @throws LedgerError UNAUTHENTICATED, PERMISSION_DENIED, INVALID_TOKEN
 */
export function requireAllowed(
  auth: Authenticator | undefined,
  admission: Admission,
  operation: Operation | Row,
  participant: Participant,
  input: DecodedInput,
  unproven: { readonly userId: string },
): void {
  const row = rowOf(operation);
  if (typeof row === 'string') return;
  const { id: participantId, rules } = participant;
  if (auth === undefined || admission.kind === 'anyone')
    return authorize(WILDCARD, row(input, rules), { participantId, now: 0, unproven });
  if (admission.kind !== 'known') throw unauthenticated();
  authorize(admission.claims, row(input, rules), { participantId, now: auth.now() });
}

const STALE = 'Stale stream authorization. Retry quickly.';

/**
 * Checks whether an open stream may continue: before each element, and periodically if the token names a user.
 * There is no timer for the end of a token (B-AUTH-028). The error that ends the stream has no trace of its call
 * (B-ERR-038).
 * @returns a check that throws LedgerError ACCESS_TOKEN_EXPIRED or STALE_STREAM_AUTHORIZATION (B-AUTH-027)
 */
export function ongoingCheck(
  auth: Authenticator | undefined,
  admission: Admission,
  { users, identityProviders }: Participant,
  { endsStreamsOfProviders = false }: Pick<Release, 'endsStreamsOfProviders'>,
): OngoingCheck | undefined {
  if (auth === undefined || admission.kind !== 'known') return undefined;
  const { expiresAt, isUser, userId } = admission.claims;
  const first = isUser ? users.lookup(userId!) : undefined;
  const keys = JSON.stringify([...(first?.rights.values() ?? [])].map(rightKey).sort());
  const provider = first?.user.identityProviderId;
  const isCutOff = (): boolean =>
    endsStreamsOfProviders && Boolean(provider) && !identityProviders.isActive(provider!);
  const ofUser = (): void => {
    const current = first && users.lookup(userId!);
    if (current === first && !isCutOff()) return;
    const isSame =
      current !== undefined &&
      !isCutOff() &&
      !current.user.isDeactivated &&
      current.user.identityProviderId === first!.user.identityProviderId &&
      JSON.stringify([...current.rights.values()].map(rightKey).sort()) === keys;
    if (!isSame) throw ledgerError('STALE_STREAM_AUTHORIZATION', STALE).logIn(UNTRACED);
  };
  const beforeElement = (): void => {
    const now = auth.now();
    if (expiresAt !== undefined && now >= expiresAt)
      throw ledgerError('ACCESS_TOKEN_EXPIRED', expired(expiresAt, now)).logIn(UNTRACED);
    ofUser();
  };
  return { beforeElement, ofUser: first && ofUser };
}
