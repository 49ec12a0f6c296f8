/**
 * The part of Keycloak's admin API that creates, finds and removes users of a realm, as cn-quickstart's tests do:
 * as the master realm's `admin`, with a password. Users that were made go with a revert.
 * NOTE: as for the token endpoint, the answers are those that clients observe. All other paths of the API answer
 * 404.
 */
import { createHash } from 'node:crypto';
import { isJsonObject } from '../../daml/model/own-members.js';
import { MAX_BODY_BYTES } from '../../services/limits.js';
import type { WireAnswer } from '../answers.js';
import type { Exchange } from '../contexts.js';
import type { Realm, RealmOptions, RealmUser } from './realm.js';

/** The realm whose tokens the admin API accepts. */
export const MASTER: RealmOptions = {
  name: 'master',
  audience: 'master-realm',
  clients: [{ id: 'admin-cli', takesPasswords: true }],
  users: [{ id: '00000000-0000-4000-8000-000000000001', name: 'admin', password: 'admin' }],
};

/** The limit of users created in a realm. */
const MAX_USERS = 10_000;

interface AdminAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly location?: string;
}

const ROUTE = /^\/admin\/realms\/([^/]+)\/users(?:\/([^/]+)(\/reset-password)?)?$/;
const UNMATCHED: AdminAnswer = {
  status: 404,
  body: { error: 'Unable to find matching target resource method' },
};

/** @param path without a query, beginning with `/admin` */
export async function administered(
  realms: readonly Realm[],
  master: Realm,
  exchange: Exchange,
  path: string,
): Promise<WireAnswer> {
  const { status, body, location } = await answerTo(realms, master, exchange, path);
  return {
    status,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(location !== undefined && { location: exchange.root() + location }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function answerTo(
  realms: readonly Realm[],
  master: Realm,
  { method, header, target, readBody }: Exchange,
  path: string,
): Promise<AdminAnswer> {
  const token = /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1] ?? '';
  if (master.verified(token)?.['typ'] !== 'Bearer')
    return { status: 401, body: { error: 'HTTP 401 Unauthorized' } };
  const [, name, id, password] = ROUTE.exec(path) ?? [];
  if (name === undefined) return UNMATCHED;
  const realm = realms.find(({ options }) => options.name === name);
  if (realm === undefined) return { status: 404, body: { error: 'Realm not found.' } };
  const body = async () => objectIn((await readBody(MAX_BODY_BYTES)).toString());
  if (id === undefined) {
    if (method === 'GET') return { status: 200, body: found(realm, target) };
    return method === 'POST' ? created(realm, path, await body()) : UNMATCHED;
  }
  const user = realm.users().find((each) => each.id === id);
  if (user === undefined) return { status: 404, body: { error: 'User not found' } };
  if (password !== undefined) {
    if (method !== 'PUT') return UNMATCHED;
    realm.put({ ...user, password: textIn((await body()) ?? {}, 'value') });
    return { status: 204 };
  }
  if (method === 'GET') return { status: 200, body: representation(user) };
  if (method !== 'DELETE') return UNMATCHED;
  realm.remove(user);
  return { status: 204 };
}

function created(realm: Realm, path: string, given: Given | undefined): AdminAnswer {
  if (given === undefined) return refused(400, 'Cannot parse the JSON');
  // Names are kept in small letters.
  const name = textIn(given, 'username')?.toLowerCase();
  const email = textIn(given, 'email')?.toLowerCase();
  if (!name)
    return {
      status: 400,
      body: {
        field: 'username',
        errorMessage: 'error-user-attribute-required',
        params: ['username'],
      },
    };
  const all = realm.users();
  if (all.some((each) => each.name === name)) return refused(409, 'User exists with same username');
  if (email !== undefined && all.some((each) => each.email === email))
    return refused(409, 'User exists with same email');
  if (all.length >= MAX_USERS) return refused(400, `A realm has ${MAX_USERS} users at most.`);
  const { credentials, attributes, enabled } = given;
  const password = (Array.isArray(credentials) ? credentials : [])
    .filter(isJsonObject)
    .find(({ type }) => type === 'password');
  const id = idOf(`${realm.options.name}/${name}`);
  realm.put({
    id,
    name,
    password: password && textIn(password, 'value'),
    email,
    firstName: textIn(given, 'firstName'),
    lastName: textIn(given, 'lastName'),
    isDisabled: enabled !== true,
    isIncomplete: password?.['temporary'] === true,
    attributes: isJsonObject(attributes) ? attributes : undefined,
  });
  return { status: 201, location: `${path}/${id}` };
}

/** By name or email: by a part of it, or in full with `exact`. `search` searches all fields. */
function found(realm: Realm, target: string): readonly object[] {
  const query = new URLSearchParams(target.replace(/^[^?]*/, ''));
  const isExact = query.get('exact') === 'true';
  const matches = (value = '', wanted: string | null) =>
    wanted === null ||
    (isExact ? value === wanted.toLowerCase() : value.includes(wanted.toLowerCase()));
  const number = (of: string, otherwise: number) => {
    const value = Number(query.get(of) ?? otherwise);
    return Number.isInteger(value) && value >= 0 ? value : otherwise;
  };
  const [first, max] = [number('first', 0), number('max', 100)];
  return realm
    .users()
    .filter(
      ({ name, email, firstName, lastName }) =>
        matches(name, query.get('username')) &&
        matches(email, query.get('email')) &&
        [name, email, firstName?.toLowerCase(), lastName?.toLowerCase()].some((each) =>
          matches(each, query.get('search')),
        ),
    )
    .slice(first, first + max)
    .map(representation);
}

function representation(user: RealmUser): object {
  const { id, name: username, firstName, lastName, email, attributes, isDisabled } = user;
  return {
    ...{ id, username, firstName, lastName, email, emailVerified: false, attributes },
    ...{ enabled: isDisabled !== true, totp: false, disableableCredentialTypes: [] },
    ...{ requiredActions: user.isIncomplete ? ['UPDATE_PASSWORD'] : [], notBefore: 0 },
  };
}

const refused = (status: number, errorMessage: string): AdminAnswer => ({
  status,
  body: { errorMessage },
});

type Given = Readonly<Record<string, unknown>>;

function objectIn(text: string): Given | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textIn(given: Given, member: string): string | undefined {
  const value = given[member];
  return typeof value === 'string' ? value : undefined;
}

/** The same of the same name, as a UUID. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
    .concat(hex.slice(20, 32))
    .join('-');
}
