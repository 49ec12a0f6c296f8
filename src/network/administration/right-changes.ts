/** A user's rights as a test changes them: by the parties' hints, and whatever the user has. */
import type { Party } from '../ids.js';
import type { UserRight } from './user-rights.js';
import type { UserStore } from './users.js';

/** What a right lets its user do for a party. */
export type PartyRight = 'actAs' | 'readAs' | 'executeAs';

const KINDS = { actAs: 'CanActAs', readAs: 'CanReadAs', executeAs: 'CanExecuteAs' } as const;

const isMeant = (id: Party, named: string): boolean => id === named || id.startsWith(`${named}::`);

/**
 * @param party an id, or the hint that it begins with; all rights of the user where absent. A user who is not there has none
 * @returns those that were taken away
 */
export function revokeRights(users: UserStore, user: string, party?: string): readonly UserRight[] {
  if (!users.has(user)) return [];
  const rights = users
    .rights(user)
    .filter((right) => party === undefined || ('party' in right && isMeant(right.party, party)));
  return users.revoke(user, rights);
}

/**
 * @param to whose party, by its id or its hint; `actAs` by default
 * @param parties that there are
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
