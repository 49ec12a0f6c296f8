/**
 * The token issuer that is built in, for tests of login flows: client credentials and passwords for tokens, a key
 * set, OIDC discovery. Its key follows from the seed. It is open whether authorization is on or not, and is for
 * tests only.
 * NOTE: the texts are Canticle's, because it does not copy a real issuer.
 */
import {
  createECDH,
  createHash,
  createPrivateKey,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { remembered } from '../daml/model/remembered.js';
import type { WireAnswer } from './answers.js';
import type { Exchange } from './contexts.js';
import { MAX_BODY_BYTES } from '../services/limits.js';
import { signedJwt, type JSONWebKeySet } from '../services/authorization/jwt.js';
import type { AuthService, RealClock } from '../services/authorization/options.js';

export const ISSUER_PATH = '/canticle/v1/issuer';

const ALGORITHM = 'ES256';
const LIFE_SECONDS = 3600;

/** The content of a token of the built-in issuer. */
export interface TokenRequest {
  /** The subject of the token. */
  readonly sub: string;
  /** By default, the audience that the first auth service expects. */
  readonly audience?: string | readonly string[];
  /** By default, the scope that the first auth service expects. */
  readonly scope?: string;
  /** Seconds from now, an hour by default; negative for a token that has expired; null for one that never does. */
  readonly expiresIn?: number | null;
  /** `iss`. */
  readonly issuer?: string;
  /** Further members of the payload, in place of those above. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The options of the built-in token issuer. */
export interface IssuerOptions {
  /** Secrets by client id, or passwords by user; if absent, callers need none. */
  readonly clients?: Readonly<Record<string, string>>;
}

export class Issuer {
  readonly keys: JSONWebKeySet;
  private readonly kid: string;
  private readonly privateKey: KeyObject;

  constructor(
    seed: number,
    private readonly services: readonly AuthService[],
    private readonly options: IssuerOptions,
    private readonly now: RealClock,
    /** The audience of tokens for services without a target; undefined for tokens with a scope alone. */
    private readonly audience?: string,
  ) {
    const { publicKey, privateKey } = keyPair(String(seed));
    this.keys = { keys: [publicKey] };
    this.kid = publicKey.kid;
    this.privateKey = privateKey;
  }

  private get service(): AuthService | undefined {
    return this.services.find(
      ({ type }) => type === 'unsafe-jwt-hmac-256' || type === 'built-in-issuer',
    );
  }

  /** Whether a token of this opens the Ledger API. */
  get canSign(): boolean {
    return this.service !== undefined;
  }

  /** Signed as the first service that this can sign for expects it. */
  token(request: TokenRequest): string {
    const { service } = this;
    const payload = this.payload(request, service);
    if (service?.type === 'unsafe-jwt-hmac-256')
      return signedJwt({ alg: 'HS256', typ: 'JWT' }, payload, service.secret);
    return this.signWithOwnKey(payload);
  }

  /** Answers below {@link ISSUER_PATH}. */
  async answer(exchange: Exchange): Promise<WireAnswer> {
    const pathname = exchange.target.replace(/\?.*$/, '').slice(ISSUER_PATH.length);
    const url = exchange.root() + ISSUER_PATH;
    switch (`${exchange.method} ${pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, discovery(url));
      case 'GET /jwks':
        return json(200, this.keys);
      case 'POST /token':
        return this.grant(exchange, url);
      default:
        return json(404, {
          error: 'The issuer has /.well-known/openid-configuration, /jwks and /token.',
        });
    }
  }

  private async grant(exchange: Exchange, issuer: string): Promise<WireAnswer> {
    const form = new URLSearchParams((await exchange.readBody(MAX_BODY_BYTES)).toString());
    const client = basicCredentials(exchange.header('authorization')) ?? {
      id: form.get('client_id') ?? '',
      secret: form.get('client_secret') ?? '',
    };
    const grantType = form.get('grant_type');
    if (grantType !== 'client_credentials' && grantType !== 'password')
      return json(400, { error: 'unsupported_grant_type' });
    const isPassword = grantType === 'password';
    const sub = isPassword ? (form.get('username') ?? '') : client.id;
    if (sub === '')
      return json(400, { error: 'invalid_request', error_description: 'Nobody is named.' });
    if (!this.knows(sub, isPassword ? (form.get('password') ?? '') : client.secret))
      return json(401, { error: isPassword ? 'invalid_grant' : 'invalid_client' });
    const scope = form.get('scope') ?? undefined;
    const audience = form.get('audience') ?? undefined;
    const own = this.services.find(({ type }) => type === 'built-in-issuer');
    const payload = this.payload({ sub, scope, audience, issuer }, own);
    const token = this.signWithOwnKey(payload);
    return json(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: LIFE_SECONDS,
      scope: payload.scope,
    });
  }

  private knows(id: string, secret: string): boolean {
    const { clients } = this.options;
    return clients === undefined || (Object.hasOwn(clients, id) && clients[id] === secret);
  }

  private payload(
    request: TokenRequest,
    service: AuthService | undefined,
  ): Record<string, unknown> {
    const { sub, expiresIn = LIFE_SECONDS, issuer, claims } = request;
    const iat = Math.floor(this.now() / 1000);
    const { targetAudience, targetScope } = service ?? {};
    const aud = request.audience ?? targetAudience ?? this.audience;
    const scope = request.scope ?? targetScope ?? 'daml_ledger_api';
    return {
      sub,
      scope,
      iat,
      ...(aud === undefined ? {} : { aud }),
      ...(issuer === undefined ? {} : { iss: issuer }),
      ...(expiresIn === null ? {} : { exp: iat + expiresIn }),
      ...claims,
    };
  }

  private signWithOwnKey(payload: Readonly<Record<string, unknown>>): string {
    return signedJwt({ alg: ALGORITHM, typ: 'JWT', kid: this.kid }, payload, this.privateKey);
  }
}

interface KeyPair {
  readonly publicKey: JsonWebKey & { readonly kid: string };
  readonly privateKey: KeyObject;
}

/** Tests start many networks of one seed, which have the same key. */
const keyPair = remembered((seed): KeyPair => {
  const ecdh = createECDH('prime256v1');
  const secret = createHash('sha256').update(`issuer/${seed}`).digest();
  ecdh.setPrivateKey(secret);
  const point = ecdh.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  const kid = createHash('sha256').update(point).digest('hex').slice(0, 16);
  const publicKey = { kty: 'EC', crv: 'P-256', x, y, kid, alg: ALGORITHM, use: 'sig' };
  const key = { ...publicKey, d: secret.toString('base64url') };
  return { publicKey, privateKey: createPrivateKey({ key, format: 'jwk' }) };
});

function discovery(issuer: string): Record<string, unknown> {
  return {
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    grant_types_supported: ['client_credentials', 'password'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    id_token_signing_alg_values_supported: [ALGORITHM],
    response_types_supported: ['token'],
    subject_types_supported: ['public'],
  };
}

/** RFC 6749, 2.3.1. */
function basicCredentials(header: string | undefined): { id: string; secret: string } | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const decoded = (text: string): string =>
    decodeURIComponent(text.replace(/\+/g, ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
  return { id: decoded(id), secret: decoded(rest.join(':')) };
}

function json(status: number, body: unknown): WireAnswer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
