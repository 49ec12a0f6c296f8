/** Users behind a JSON Ledger API. */
import type { Party } from '../../daml/model/values.js';
import type { ScriptRight, ScriptUser, ScriptUsers } from '../ledger.js';
import { pagesAt, type Json, type JsonApi } from './json-api.js';

const NOT_FOUND = ['USER_NOT_FOUND'];

const rightJson = ({ kind, party }: ScriptRight): object => ({
  kind: { [kind]: { value: party === undefined ? {} : { party } } },
});

const rightsIn = (list: unknown): readonly ScriptRight[] =>
  ((list ?? []) as readonly Json[]).map(({ kind }) => {
    const [[name, held]] = Object.entries(kind as Json) as [[string, { value?: Json }]];
    const party = held.value?.['party'] as Party | undefined;
    return party === undefined ? { kind: name } : { kind: name, party };
  });

const userIn = ({ id, primaryParty }: Json): ScriptUser => ({
  id: String(id),
  primaryParty:
    primaryParty === undefined || primaryParty === '' ? undefined : (primaryParty as Party),
});

const at = (id: string): string => `/v2/users/${encodeURIComponent(id)}`;

export class RemoteUsers implements ScriptUsers {
  constructor(private readonly api: JsonApi) {}

  async create({ id, primaryParty = '' }: ScriptUser, rights: readonly ScriptRight[]) {
    const metadata = { resourceVersion: '', annotations: {} };
    const user = { id, primaryParty, isDeactivated: false, metadata, identityProviderId: '' };
    const body = { user, rights: rights.map(rightJson) };
    const created = await this.api.unless(['USER_ALREADY_EXISTS'], 'POST', '/v2/users', body);
    return created !== undefined;
  }

  async get(id: string): Promise<ScriptUser | undefined> {
    const found = await this.api.unless(NOT_FOUND, 'GET', at(id));
    return found && userIn(found['user'] as Json);
  }

  async delete(id: string): Promise<boolean> {
    return (await this.api.unless(NOT_FOUND, 'DELETE', at(id))) !== undefined;
  }

  async all(): Promise<readonly ScriptUser[]> {
    const users: ScriptUser[] = [];
    for await (const page of pagesAt(this.api, '/v2/users'))
      for (const each of (page['users'] ?? []) as readonly Json[]) users.push(userIn(each));
    return users;
  }

  async grant(id: string, rights: readonly ScriptRight[]) {
    const body = { userId: id, rights: rights.map(rightJson), identityProviderId: '' };
    const granted = await this.api.unless(NOT_FOUND, 'POST', `${at(id)}/rights`, body);
    return granted && rightsIn(granted['newlyGrantedRights']);
  }

  async revoke(id: string, rights: readonly ScriptRight[]) {
    const body = { userId: id, rights: rights.map(rightJson), identityProviderId: '' };
    const revoked = await this.api.unless(NOT_FOUND, 'PATCH', `${at(id)}/rights`, body);
    return revoked && rightsIn(revoked['newlyRevokedRights']);
  }

  async rights(id: string) {
    const found = await this.api.unless(NOT_FOUND, 'GET', `${at(id)}/rights`);
    return found && rightsIn(found['rights']);
  }
}
