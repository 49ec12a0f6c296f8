/**
 * The realms of cn-quickstart's Keycloak: the clients and users of each, with the ids in their tokens (L-AUTH-006). These are public test
 * fixtures. The realm of any other node has the same structure.
 */
import { createHash } from 'node:crypto';
import type { RealmOptions } from '../../http/keycloak/realm.js';
import type { LocalnetOptions } from './localnet-options.js';
import { AUDIENCE } from './tokens.js';

/** cn-quickstart's password of all users. */
export const PASSWORD = 'abc123';

/** The token endpoint, and the client that gets tokens. */
export interface OAuth2Facts {
  /** URL of the realm, for discovery. */
  readonly issuer: string;
  readonly tokenUrl: string;
  /** The client of the validator. */
  readonly clientId: string;
  readonly clientSecret: string;
}

interface NodeRealm {
  readonly realm: RealmOptions;
  /** The service account of the validator's client. */
  readonly user: string;
  readonly walletUser: string;
  readonly client: { readonly id: string; readonly secret: string };
}

/** The values that differ between realms. */
interface Known {
  readonly validator: { readonly secret: string; readonly id: string };
  readonly wallet: string;
  /** Further clients with a service account. */
  readonly services: Readonly<Record<string, { readonly secret: string; readonly id: string }>>;
  /** Further users, by their names. */
  readonly people: Readonly<Record<string, string>>;
}

const KNOWN: Readonly<Record<string, Known>> = {
  'app-user': {
    validator: {
      secret: '6m12QyyGl81d9nABWQXMycZdXho6ejEX',
      id: '97bb6cef-a7a9-410b-ba8c-ada08451a5c9',
    },
    wallet: '92a520cb-2f09-4e55-b465-d178c6cfe5e4',
    services: {
      pqs: {
        secret: '7WkEjRTCSDz7u8CuXRWFp0UKdAp24hO4',
        id: 'eecd72be-b6a6-44ed-834a-9305ad22f610',
      },
    },
    people: { adrian: 'e37a3590-77d7-4acf-a053-70e84211dfa6' },
  },
  'app-provider': {
    validator: {
      secret: 'AL8648b9SfdTFImq7FV56Vd0KHifHBuC',
      id: 'c87743ab-80e0-4b83-935a-4c0582226691',
    },
    wallet: '553c6754-8879-41c9-ae80-b302f5af92c9',
    services: {
      backend: {
        secret: '05dmL9DAUmDnIlfoZ5EQ7pKskWmhBlNz',
        id: '1a36eb86-4ccc-4ec6-b7b7-caa08b354989',
      },
      pqs: {
        secret: 'zuYvMzWEo8csYNiQNlmXNPsmPErBWP3W',
        id: '0145df12-c560-40fa-bef3-caff2c5c2224',
      },
    },
    people: { beatris: '3c467325-772f-4f93-8972-711ec75634b1' },
  },
};

/** A client of a node's realm with a service account, such as `backend`: its secret, and the id of its user. */
export const serviceOf = (node: string, service: string): { secret: string; id: string } =>
  KNOWN[node]!.services[service]!;

/**
 * @param node such as `app-user`, whose realm is `AppUser`
 * @param options further URLs to which browsers may return; with TLS, those of cn-quickstart use HTTPS
 */
export function realmOf(
  node: string,
  { redirectUris = [], tls }: Pick<LocalnetOptions, 'redirectUris' | 'tls'> = {},
): NodeRealm {
  const { validator, wallet, services, people } = KNOWN[node] ?? made(node);
  const accounts = Object.entries({ validator, ...services });
  const users = Object.entries({ [node]: wallet, ...people });
  return {
    realm: {
      name: realmName(node),
      audience: AUDIENCE,
      clients: [
        ...accounts.map(([name, { secret, id }]) => ({
          id: `${node}-${name}`,
          secret,
          serviceAccount: id,
          // cn-quickstart sets this for only one client.
          takesPasswords: `${node}-${name}` === 'app-user-pqs',
        })),
        { id: `${node}-unsafe`, takesPasswords: true },
        ...Object.entries(pagesOf(node, tls === undefined ? 'http' : 'https')).map(([id, own]) => ({
          id,
          redirectUris: [...own, ...redirectUris],
        })),
      ],
      users: users.map(([name, id]) => ({ id, name, password: PASSWORD })),
    },
    user: validator.id,
    walletUser: wallet,
    client: { id: `${node}-validator`, secret: validator.secret },
  };
}

/** The clients of browser logins, and the URLs to which they may return. */
const pagesOf = (node: string, scheme: string): Readonly<Record<string, readonly string[]>> => ({
  [`${node}-wallet`]: [`${scheme}://wallet.localhost:*`],
  [`${node}-ans`]: [`${scheme}://ans.localhost:*`],
  // cn-quickstart's application: users of both realms log in there.
  'app-provider-backend-oidc': [
    `${scheme}://app-provider.localhost:*`,
    ...(node === 'app-provider' ? [`${scheme}://app-provider.localhost/*`] : []),
  ],
});

export const realmName = (node: string): string =>
  node.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());

function made(node: string): Known {
  return {
    validator: { secret: digest(`secret of ${node}`).slice(0, 32), id: uuidOf(`${node} service`) },
    wallet: uuidOf(`${node} wallet`),
    services: {},
    people: {},
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function uuidOf(text: string): string {
  const hex = digest(text);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
    .concat(hex.slice(20, 32))
    .join('-');
}
