/** Users of a participant, as scripts see them: what is not there, or there already, is told by an answer. */
import type { Participant } from '../../network/participant.js';
import type { User } from '../../network/administration/users.js';
import type { UserRight } from '../../network/administration/user-rights.js';
import type { ScriptRight, ScriptUser } from '../ledger.js';
import { refusedAs, unlessRefused } from './refused-as.js';

const NOT_FOUND = ['USER_NOT_FOUND'];

const shown = ({ id, primaryParty }: User): ScriptUser => ({
  id,
  primaryParty: primaryParty === '' ? undefined : primaryParty,
});

/** Of a name that no right has, the store makes a refusal. */
const requested = (rights: readonly ScriptRight[]): readonly UserRight[] =>
  rights as readonly UserRight[];

interface Page<T> {
  readonly items: readonly T[];
  readonly nextPageToken: string;
}

/** @throws ScriptRefusal where the network refuses */
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

export class NetworkUsers {
  create({ users }: Participant, user: ScriptUser, rights: readonly ScriptRight[]): boolean {
    const { id, primaryParty = '' } = user;
    const created = unlessRefused(['USER_ALREADY_EXISTS'], () =>
      users.create({ id, primaryParty }, requested(rights)),
    );
    return created !== undefined;
  }

  get({ users }: Participant, id: string): ScriptUser | undefined {
    const user = unlessRefused(NOT_FOUND, () => users.get(id));
    return user && shown(user);
  }

  delete({ users }: Participant, id: string): boolean {
    return unlessRefused(NOT_FOUND, () => (users.delete(id), true)) ?? false;
  }

  all({ users }: Participant): readonly ScriptUser[] {
    return allPages((pageToken) => users.list({ pageToken })).map(shown);
  }

  grant({ users }: Participant, id: string, rights: readonly ScriptRight[]) {
    return unlessRefused(NOT_FOUND, () => users.grant(id, requested(rights)));
  }

  revoke({ users }: Participant, id: string, rights: readonly ScriptRight[]) {
    return unlessRefused(NOT_FOUND, () => users.revoke(id, requested(rights)));
  }

  rights({ users }: Participant, id: string) {
    return unlessRefused(NOT_FOUND, () => users.rights(id));
  }
}
