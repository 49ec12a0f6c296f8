/** Rights of users (B-USR-022 to B-USR-030), and the caller of a request. */
import { NO_RULES, type EngineRules } from '../../daml/refusals/engine-rules.js';
import { caseClassHash, scalaOrder, textHash } from '../../daml/errors/scala-order.js';
import { partyError, requireArgument } from '../../daml/model/identifiers.js';
import { permissionDenied } from './identity-provider.js';
import { invalidArgument } from '../model/request-errors.js';
import type { Party } from '../model/ids.js';

export type UserRight =
  | { readonly kind: 'ParticipantAdmin' }
  | { readonly kind: 'IdentityProviderAdmin' }
  | { readonly kind: 'CanActAs'; readonly party: Party }
  | { readonly kind: 'CanActAsAnyParty' }
  | { readonly kind: 'CanReadAs'; readonly party: Party }
  | { readonly kind: 'CanReadAsAnyParty' }
  | { readonly kind: 'CanExecuteAs'; readonly party: Party }
  | { readonly kind: 'CanExecuteAsAnyParty' };

/** A right in a request: a right of an unknown kind is read as `Empty`. */
export type RequestedRight = UserRight | { readonly kind: 'Empty' };

export const PARTICIPANT_ADMIN: UserRight = { kind: 'ParticipantAdmin' };

export const MAX_RIGHTS_PER_USER = 1000;

/** By {@link rightKey}, in the order of granting. */
export type UserRights = ReadonlyMap<string, UserRight>;

export function rightKey(right: UserRight): string {
  return 'party' in right ? `${right.kind} ${right.party}` : right.kind;
}

/**
 * NOTE: a real set that was larger before stays a trie; this is not modelled.
 * @param largest the number of rights including those that are left out
 */
export const listed = (
  rights: readonly UserRight[],
  largest = rights.length,
): readonly UserRight[] =>
  scalaOrder(
    rights,
    (right) => caseClassHash(right.kind, 'party' in right ? [textHash(right.party)] : []),
    largest,
  );

/**
 * Reads a request's rights, without duplicates.
 * @throws LedgerError INVALID_ARGUMENT
 */
export function readRights(requested: readonly RequestedRight[]): UserRights {
  const rights = new Map<string, UserRight>();
  for (const right of requested) {
    if (right.kind === 'Empty')
      throw invalidArgument(
        'unknown kind of right - check that the Ledger API version of the server is recent enough',
      );
    if ('party' in right) requireArgument(partyError, right.party);
    if (!rights.has(rightKey(right))) rights.set(rightKey(right), right);
  }
  return rights;
}

/** The sender of a request. */
export interface Caller {
  /** Empty if no token names a user. */
  readonly userId: string;
  readonly isParticipantAdmin: boolean;
  /** Whether an administrator may grant rights for unknown parties. */
  readonly mayNameUnknown?: boolean;
  /** The rules of the participant that it calls. */
  readonly rules?: EngineRules;
}

/** The caller without authorization, who may do everything (B-AUTH-016). */
export const WILDCARD: Caller = { userId: '', isParticipantAdmin: true, mayNameUnknown: true };

const KINDS_FOR_ADMINS = [
  'ParticipantAdmin',
  'CanActAsAnyParty',
  'CanReadAsAnyParty',
  'CanExecuteAsAnyParty',
] as const;

/** The kinds of rights that only a participant administrator may grant or revoke. */
export const kindsForAdmins = ({
  sharesAnyPartyRights,
}: EngineRules): readonly RequestedRight['kind'][] =>
  sharesAnyPartyRights ? ['ParticipantAdmin'] : KINDS_FOR_ADMINS;

/** @throws LedgerError PERMISSION_DENIED if the caller may not grant or revoke such rights (B-USR-030) */
export function requireMayToggle(rights: readonly RequestedRight[], caller: Caller): void {
  if (caller.isParticipantAdmin) return;
  const reserved = kindsForAdmins(caller.rules ?? NO_RULES);
  for (const { kind } of rights)
    if (reserved.includes(kind))
      throw permissionDenied('Claims do not authorize the use of administrative services.');
}

/** @throws LedgerError PERMISSION_DENIED if the rights already reach the quota of parties (B-AUTH-020) */
export function requireQuota({ rights }: { readonly rights: UserRights }, quota = Infinity): void {
  const parties = [...rights.values()].flatMap((right) => ('party' in right ? [right.party] : []));
  if (new Set(parties).size >= quota)
    throw permissionDenied('User quota of party allocations exhausted');
}

/** Parties that must exist before their rights are granted: those of acting and reading. */
export function partiesToVerify(rights: UserRights): readonly Party[] {
  const parties = [...rights.values()].flatMap((right) =>
    right.kind === 'CanActAs' || right.kind === 'CanReadAs' ? [right.party] : [],
  );
  return [...new Set(parties)];
}
