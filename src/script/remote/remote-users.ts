/** Users behind a Ledger API. */
import { call, type Json } from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import { allPages } from '../../client/paging.js';
import { changeRights, createUser, rightsOf } from '../../client/verbs.js';
import type { Party } from '../../daml/model/values.js';
import type { ScriptRight, ScriptUser, ScriptUsers } from '../ledger.js';
import type { RemoteApi } from './remote-api.js';

const NOT_FOUND = ['USER_NOT_FOUND'];

const userIn = ({ id, primaryParty }: Json): ScriptUser => ({
  id: String(id),
  primaryParty:
    primaryParty === undefined || primaryParty === '' ? undefined : (primaryParty as Party),
});

export class RemoteUsers implements ScriptUsers {
  constructor(private readonly api: RemoteApi) {}

  async create(user: ScriptUser, rights: readonly ScriptRight[]) {
    const created = await this.api.unless(['USER_ALREADY_EXISTS'], createUser(user, rights));
    return created !== undefined;
  }

  async get(id: string): Promise<ScriptUser | undefined> {
    const found = await this.api.unless(NOT_FOUND, call(OPERATIONS.user, { id }));
    return found && userIn(found['user'] as Json);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.api.unless(NOT_FOUND, call(OPERATIONS.deleteUser, { id }))) !== undefined;
  }

  async all(): Promise<readonly ScriptUser[]> {
    return (await this.api.run(allPages(OPERATIONS.users))).map(userIn);
  }

  grant(id: string, rights: readonly ScriptRight[]) {
    return this.api.unless(NOT_FOUND, changeRights('grant', id, rights));
  }

  revoke(id: string, rights: readonly ScriptRight[]) {
    return this.api.unless(NOT_FOUND, changeRights('revoke', id, rights));
  }

  rights(id: string) {
    return this.api.unless(NOT_FOUND, rightsOf(id));
  }
}
