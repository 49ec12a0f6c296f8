/**
 * Realms at Keycloak's paths, on a separate port, with the headers that the nginx of cn-quickstart adds. They serve
 * discovery, the browser's login and logout, keys, tokens and user information, and the users of the admin API.
 * NOTE: by default the issuer has the name that the client uses, but cn-quickstart's always has the name
 * keycloak.localhost:8082.
 */
import { MAX_BODY_BYTES } from '../../services/limits.js';
import { withHeaders, type WireAnswer } from '../answers.js';
import type { Exchange } from '../contexts.js';
import type { Place, RequestHead } from '../sites.js';
import type { Claims, Realm } from './realm.js';
import { administered, MASTER } from './admin.js';
import { loginAnswer, loggedIn } from './login.js';
import { logoutAnswer } from './logout.js';
import { granted, loggedOutBy, type Granted } from './token-endpoint.js';

const OPENID = '/protocol/openid-connect';

export class Keycloak implements Place {
  private madeMaster: Realm | undefined;

  /**
   * @param realms in any order, with unique names
   * @param makeMaster creates the realm whose users administer the others
   * @param hostName of the issuer; undefined for the name that the client uses
   */
  constructor(
    private readonly realms: readonly Realm[],
    private readonly makeMaster: () => Realm,
    private readonly hostName?: string,
  ) {}

  /** Making its key takes about 100 ms, and few callers need it. */
  private get master(): Realm {
    return (this.madeMaster ??= this.makeMaster());
  }

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
    if (path.startsWith('/admin/')) return administered(this.realms, this.master, exchange, path);
    const [, name = '', rest = ''] = /^\/realms\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (name === '') return json(404, { error: 'Unable to find matching target resource method' });
    const realm =
      name === MASTER.name ? this.master : this.realms.find((each) => each.options.name === name);
    if (realm === undefined) return json(404, { error: 'Realm does not exist' });
    return this.ofRealm(realm, exchange, rest);
  }

  private rootOf(exchange: Exchange): string {
    const root = exchange.root();
    if (this.hostName === undefined) return root;
    return root.replace(/^(\w+:\/\/)(?:\[[^\]]*\]|[^:/]+)/, `$1${this.hostName}`);
  }

  private async ofRealm(realm: Realm, exchange: Exchange, path: string): Promise<WireAnswer> {
    const { method, header } = exchange;
    const issuer = `${this.rootOf(exchange)}/realms/${realm.options.name}`;
    const query = new URLSearchParams(exchange.target.replace(/^[^?]*/, ''));
    const form = async () =>
      new URLSearchParams((await exchange.readBody(MAX_BODY_BYTES)).toString());
    const readRequest = async () => ({
      form: await form(),
      issuer,
      authorization: header('authorization'),
    });
    const cookie = header('cookie') ?? '';
    switch (`${method} ${path}`) {
      case 'GET ':
        return json(200, {
          realm: realm.options.name,
          public_key: realm.publicKeyText,
          'token-service': `${issuer}${OPENID}`,
          'account-service': `${issuer}/account`,
          'tokens-not-before': 0,
        });
      case 'GET /.well-known/openid-configuration':
        return json(200, discovery(issuer));
      case `GET ${OPENID}/certs`:
        return json(200, realm.keys);
      case `GET ${OPENID}/auth`:
        return loginAnswer(realm, { parameters: query, cookie, issuer });
      case `POST ${OPENID}/auth`:
        return loginAnswer(realm, { parameters: await form(), cookie, issuer });
      case 'POST /login-actions/authenticate': {
        const begun = query.get('session_code') ?? '';
        return loggedIn(realm, { parameters: await form(), cookie, issuer }, begun);
      }
      case `GET ${OPENID}/logout`:
        return logoutAnswer(realm, { parameters: query, cookie, issuer });
      case `POST ${OPENID}/logout/logout-confirm`:
        return logoutAnswer(realm, { parameters: query, cookie, issuer }, true);
      case `POST ${OPENID}/logout`: {
        const given = await readRequest();
        if (!given.form.has('refresh_token'))
          return logoutAnswer(realm, { parameters: given.form, cookie, issuer });
        const refusal = loggedOutBy(realm, given);
        return refusal === undefined ? { status: 204, headers: {} } : jsonAnswer(refusal);
      }
      case `POST ${OPENID}/token`:
        return jsonAnswer(granted(realm, await readRequest()));
      case `GET ${OPENID}/userinfo`:
      case `POST ${OPENID}/userinfo`:
        return userInfo(realm, header('authorization'));
      default:
        return json(404, { error: 'Unable to find matching target resource method' });
    }
  }
}

const jsonAnswer = ({ status, body }: Granted): WireAnswer => json(status, body);

function discovery(issuer: string): Claims {
  const at = `${issuer}${OPENID}`;
  return {
    issuer,
    authorization_endpoint: `${at}/auth`,
    token_endpoint: `${at}/token`,
    userinfo_endpoint: `${at}/userinfo`,
    end_session_endpoint: `${at}/logout`,
    jwks_uri: `${at}/certs`,
    grant_types_supported: [
      'authorization_code',
      'client_credentials',
      'password',
      'refresh_token',
    ],
    response_types_supported: ['code', 'none'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    code_challenge_methods_supported: ['plain', 'S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile', 'offline_access'],
    claims_supported: ['aud', 'sub', 'iss', 'auth_time', 'preferred_username', 'acr'],
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
