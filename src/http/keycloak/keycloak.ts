/**
 * Realms at the paths that Keycloak has them at, on a port of their own, with the headers that the nginx before cn-quickstart's adds:
 * discovery, keys, tokens and user information.
 * NOTE: nobody logs in by a page: of OAuth2's ways there are those without a browser. The issuer is called as the client calls it, where
 * cn-quickstart's is always called keycloak.localhost:8082.
 */
import { MAX_BODY_BYTES } from '../../services/limits.js';
import { withHeaders, type WireAnswer } from '../answers.js';
import type { Exchange } from '../contexts.js';
import type { Place, RequestHead } from '../sites.js';
import type { Claims, Realm } from './realm.js';
import { granted } from './token-endpoint.js';

const OPENID = '/protocol/openid-connect';

export class Keycloak implements Place {
  /** @param realms in any order, each of a name of its own */
  constructor(private readonly realms: readonly Realm[]) {}

  locate(_: string, { method, header }: RequestHead) {
    const origin = header('origin') ?? '';
    if (method === 'OPTIONS') return { answer: preflight(origin) };
    return { answering: (exchange: Exchange) => this.answer(exchange, origin) };
  }

  closeStreams(): Promise<void> {
    return Promise.resolve();
  }

  private async answer(exchange: Exchange, origin: string): Promise<WireAnswer> {
    const answer = await this.plainly(exchange);
    return withHeaders(answer, {
      'access-control-allow-headers': '*',
      'access-control-allow-origin': origin,
    });
  }

  private async plainly(exchange: Exchange): Promise<WireAnswer> {
    const path = exchange.target.replace(/\?.*$/, '').replace(/(?<=.)\/$/, '');
    const [, name = '', rest = ''] = /^\/realms\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (name === '') return json(404, { error: 'Unable to find matching target resource method' });
    const realm = this.realms.find((each) => each.options.name === name);
    if (realm === undefined) return json(404, { error: 'Realm does not exist' });
    const issuer = `${exchange.root()}/realms/${name}`;
    switch (`${exchange.method} ${rest}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, discovery(issuer));
      case `GET ${OPENID}/certs`:
        return json(200, realm.keys);
      case `POST ${OPENID}/token`: {
        const form = new URLSearchParams((await exchange.readBody(MAX_BODY_BYTES)).toString());
        const authorization = exchange.header('authorization');
        const { status, body } = granted(realm, { form, issuer, authorization });
        return json(status, body);
      }
      case `GET ${OPENID}/userinfo`:
      case `POST ${OPENID}/userinfo`:
        return userInfo(realm, exchange.header('authorization'));
      default:
        return json(404, { error: 'Unable to find matching target resource method' });
    }
  }
}

function discovery(issuer: string): Claims {
  const at = `${issuer}${OPENID}`;
  return {
    issuer,
    authorization_endpoint: `${at}/auth`,
    token_endpoint: `${at}/token`,
    userinfo_endpoint: `${at}/userinfo`,
    jwks_uri: `${at}/certs`,
    grant_types_supported: ['client_credentials', 'password', 'refresh_token'],
    response_types_supported: ['code', 'none', 'id_token', 'token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    claims_supported: ['aud', 'sub', 'iss', 'preferred_username'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
}

function userInfo(realm: Realm, authorization = ''): WireAnswer {
  const claims = realm.verified(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
  if (claims?.['typ'] !== 'Bearer')
    return json(401, { error: 'invalid_token', error_description: 'Token verification failed' });
  const { sub, email_verified, preferred_username } = claims;
  return json(200, { sub, email_verified, preferred_username });
}

function preflight(origin: string): WireAnswer {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
      'access-control-allow-headers': '*',
      'access-control-max-age': '1728000',
    },
  };
}

function json(status: number, body: unknown): WireAnswer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
