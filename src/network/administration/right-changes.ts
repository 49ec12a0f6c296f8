/** Changes of a user's rights by a test: with hints of parties, or all rights at once. */
import type { Party } from '../model/ids.js';
import type { UserRight } from './user-rights.js';
import type { UserStore } from './users.js';

/** The actions that a right allows for a party. */
export type PartyRight = 'actAs' | 'readAs' | 'executeAs';

const KINDS = { actAs: 'CanActAs', readAs: 'CanReadAs', executeAs: 'CanExecuteAs' } as const;

const isMeant = (id: Party, named: string): boolean => id === named || id.startsWith(`${named}::`);

/**
 * @param party an id, or the hint at its start; if absent, all rights of the user. An unknown user has none
 * @returns the revoked rights
 */
export function revokeRights(users: UserStore, user: string, party?: string): readonly UserRight[] {
  if (!users.has(user)) return [];
  const rights = users
    .rights(user)
    .filter((right) => party === undefined || ('party' in right && isMeant(right.party, party)));
  return users.revoke(user, rights);
}

/**
 * @param to the party, by its id or hint; `actAs` by default
 * @param parties the existing parties
 * @throws LedgerError USER_NOT_FOUND
 */
export function grantRight(
  users: UserStore,
  user: string,
  to: { readonly party: string; readonly right?: PartyRight },
  parties: readonly Party[],
): readonly UserRight[] {
  const { party, right = 'actAs' } = to;
  const known = parties.find((id) => isMeant(id, party));
  return users.grant(user, [{ kind: KINDS[right], party: known ?? party }]);
}
