/**
 * The users of a participant for scripts. For a missing user, or a user that already exists, the answer says so
 * instead of an error.
 */
import type { User, UserStore } from '../../network/administration/users.js';
import type { UserRight } from '../../network/administration/user-rights.js';
import type { ScriptRight, ScriptUser, ScriptUsers } from '../ledger.js';
import { refusedAs, unlessRefused } from './refused-as.js';

const NOT_FOUND = ['USER_NOT_FOUND'];

const shown = ({ id, primaryParty }: User): ScriptUser => ({
  id,
  primaryParty: primaryParty === '' ? undefined : primaryParty,
});

/** Converts rights. The user store refuses unknown names. */
const requested = (rights: readonly ScriptRight[]): readonly UserRight[] =>
  rights as readonly UserRight[];

interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}

/** @throws ScriptRefusal if the network refuses */
export function allPages<T>(list: (pageToken: string) => Page<T>): readonly T[] {
  const all: T[] = [];
  let token = '';
  do {
    const { items, nextPageToken } = refusedAs(() => list(token));
    all.push(...items);
    token = nextPageToken;
  } while (token !== '');
  return all;
}

export class NetworkUsers implements ScriptUsers {
  constructor(
    private readonly store: UserStore,
    /** Receives each user that a script reads. */
    private readonly found: (user: ScriptUser) => void,
  ) {}

  create(user: ScriptUser, rights: readonly ScriptRight[]): boolean {
    const { id, primaryParty = '' } = user;
    const created = unlessRefused(['USER_ALREADY_EXISTS'], () =>
      this.store.create({ id, primaryParty }, requested(rights)),
    );
    return created !== undefined;
  }

  get(id: string): ScriptUser | undefined {
    const user = unlessRefused(NOT_FOUND, () => this.store.get(id));
    if (user === undefined) return undefined;
    const seen = shown(user);
    this.found(seen);
    return seen;
  }

  delete(id: string): boolean {
    return unlessRefused(NOT_FOUND, () => (this.store.delete(id), true)) ?? false;
  }

  all(): readonly ScriptUser[] {
    return allPages((pageToken) => this.store.list({ pageToken })).map(shown);
  }

  grant(id: string, rights: readonly ScriptRight[]) {
    return unlessRefused(NOT_FOUND, () => this.store.grant(id, requested(rights)));
  }

  revoke(id: string, rights: readonly ScriptRight[]) {
    return unlessRefused(NOT_FOUND, () => this.store.revoke(id, requested(rights)));
  }

  rights(id: string) {
    return unlessRefused(NOT_FOUND, () => this.store.rights(id));
  }
}
