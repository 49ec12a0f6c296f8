/** Verifies signatures and times of tokens, by key or by key set. */
import { createPublicKey } from 'node:crypto';
import type { JSONWebKeySet } from './jwt.js';
import {
  parseJwt,
  TokenRefused,
  verifySignature,
  type Jwt,
  type Payload,
  type VerifyingKey,
} from './jwt.js';
import { localKeys, RemoteKeys, type KeySet } from './key-sets.js';
import type { AuthService, PartyTokens, RealClock } from './options.js';

export interface Verifier {
  /** @throws TokenRefused for an invalid token, a wrong signature, or a token that is not valid at this time */
  readonly verify: (token: string) => Promise<Payload>;
}

const CERTIFICATE_ALGORITHMS = {
  'jwt-rs-256-crt': 'RS256',
  'jwt-es-256-crt': 'ES256',
  'jwt-es-512-crt': 'ES512',
} as const;

export interface VerifierRules {
  readonly now: RealClock;
  /** Seconds. */
  readonly maxTokenLife?: number | undefined;
}

/** @param ownKeys those of the built-in issuer */
export function verifierOf(
  service: Exclude<AuthService, PartyTokens>,
  ownKeys: JSONWebKeySet,
  { now, maxTokenLife }: VerifierRules,
): Verifier {
  const rules = { now, maxTokenLife: service.maxTokenLife ?? maxTokenLife };
  switch (service.type) {
    case 'unsafe-jwt-hmac-256':
      return keyVerifier({ algorithm: 'HS256', key: Buffer.from(service.secret) }, rules);
    case 'jwt-jwks':
      return 'keys' in service
        ? keySetVerifier(localKeys(service.keys.keys), rules)
        : remoteVerifier(service.url, rules);
    case 'built-in-issuer':
      return keySetVerifier(localKeys(ownKeys.keys), rules);
    default: {
      // A certificate or a bare public key; a wrong one is refused here, at the start.
      const key = createPublicKey(service.certificate);
      return keyVerifier({ algorithm: CERTIFICATE_ALGORITHMS[service.type], key }, rules);
    }
  }
}

/** The verifier of a remote key set, which is fetched for unknown keys. */
export function remoteVerifier(url: string, rules: VerifierRules): Verifier {
  return keySetVerifier(new RemoteKeys(url, rules.now), rules);
}

function keyVerifier(key: VerifyingKey, rules: VerifierRules): Verifier {
  return remembering(rules, () => key);
}

function keySetVerifier(keys: KeySet, rules: VerifierRules): Verifier {
  return remembering(rules, ({ header: { kid } }) =>
    keys.key(typeof kid === 'string' ? kid : undefined),
  );
}

/**
 * Checks a signature once, because clients send the same token with every request. It checks the token's times each
 * time.
 */
function remembering(
  rules: VerifierRules,
  keyFor: (jwt: Jwt) => VerifyingKey | Promise<VerifyingKey>,
): Verifier {
  const known = new KnownTokens();
  return {
    verify: async (token) => {
      const time = rules.now();
      let payload = known.payloadOf(token, time);
      if (payload === undefined) {
        const jwt = parseJwt(token);
        verifySignature(jwt, await keyFor(jwt));
        ({ payload } = jwt);
        known.add(token, { payload, since: time });
      }
      requireCurrent(payload, time, rules);
      return payload;
    },
  };
}

interface KnownToken {
  readonly payload: Payload;
  /** Milliseconds since 1970, real time. */
  readonly since: number;
}

/** The time that a fetched key is trusted. */
const MAX_KNOWN_MS = 5 * 60_000;
const MAX_KNOWN_TOKENS = 1000;

/** The payloads of tokens with verified signatures, by their texts; the oldest leave first. */
class KnownTokens {
  private readonly tokens = new Map<string, KnownToken>();

  payloadOf(token: string, time: number): Payload | undefined {
    const known = this.tokens.get(token);
    return known !== undefined && Math.abs(time - known.since) < MAX_KNOWN_MS
      ? known.payload
      : undefined;
  }

  add(token: string, known: KnownToken): void {
    const [oldest] = this.tokens.keys();
    if (this.tokens.size >= MAX_KNOWN_TOKENS) this.tokens.delete(oldest!);
    this.tokens.set(token, known);
  }
}

const LARGEST_TIME = 2 ** 63;

/** Seconds since 1970; undefined if it is absent or null. */
function timeIn(payload: Payload, claim: 'exp' | 'nbf' | 'iat'): number | undefined {
  const value = payload[claim];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Math.abs(value) < LARGEST_TIME) return Math.trunc(value);
  throw new TokenRefused(`The claim ${claim} is no time`);
}

/** In integer seconds, except for the time of issue and the life. */
export function requireCurrent(
  payload: Payload,
  time: number,
  { maxTokenLife }: VerifierRules,
): void {
  const now = Math.floor(time / 1000);
  const [nbf, exp, iat] = [timeIn(payload, 'nbf'), timeIn(payload, 'exp'), timeIn(payload, 'iat')];
  if ((nbf !== undefined && nbf > now) || (exp !== undefined && exp <= now))
    throw new TokenRefused('The token is not of this time');
  if (iat !== undefined && iat * 1000 > time)
    throw new TokenRefused("The Token can't be used before its time of issue");
  if (maxTokenLife === undefined) return;
  if (exp === undefined) throw new TokenRefused('token has no expiration time');
  if (exp * 1000 - time > maxTokenLife * 1000) throw new TokenRefused('token lifetime too long');
}
