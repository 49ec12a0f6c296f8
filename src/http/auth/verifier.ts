/** Verifies signatures and times of tokens, by key or by key set. */
import { createPublicKey } from 'node:crypto';
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, KeyLike } from 'jose';
import { jose } from '../packages.js';
import type { AuthService, RealClock } from './options.js';
import { TokenRefused } from './token-format.js';

export interface Verifier {
  /** @throws TokenRefused for a token that is none, was not signed by the key, or is not of this time */
  readonly verify: (token: string) => Promise<JWTPayload>;
}

const KEY_SET_ALGORITHMS = ['RS256', 'ES256', 'ES384', 'ES512'];
const CERTIFICATE_ALGORITHMS = {
  'jwt-rs-256-crt': 'RS256',
  'jwt-es-256-crt': 'ES256',
  'jwt-es-512-crt': 'ES512',
} as const;

export interface VerifierRules {
  readonly now: RealClock;
  /** Seconds. */
  readonly maxTokenLife?: number;
}

/** @param ownKeys those of the built-in issuer */
export function verifierOf(service: AuthService, ownKeys: JSONWebKeySet, now: RealClock): Verifier {
  const rules = { now, maxTokenLife: service.maxTokenLife };
  switch (service.type) {
    case 'unsafe-jwt-hmac-256':
      return keyVerifier(new TextEncoder().encode(service.secret), ['HS256'], rules);
    case 'jwt-jwks':
      return 'keys' in service
        ? keySetVerifier(jose().createLocalJWKSet(service.keys), rules)
        : remoteVerifier(service.url, rules);
    case 'built-in-issuer':
      return keySetVerifier(jose().createLocalJWKSet(ownKeys), rules);
    default:
      // A certificate or a bare public key; a wrong one is refused here, at the start.
      return keyVerifier(
        createPublicKey(service.certificate),
        [CERTIFICATE_ALGORITHMS[service.type]],
        rules,
      );
  }
}

/** Of a key set that is fetched when it is first needed, and again for keys that it lacks. */
export function remoteVerifier(url: string, rules: VerifierRules): Verifier {
  let keys: JWTVerifyGetKey | undefined;
  return keySetVerifier(
    (header, token) => (keys ??= jose().createRemoteJWKSet(new URL(url)))(header, token),
    rules,
  );
}

function keyVerifier(
  key: KeyLike | Uint8Array,
  algorithms: string[],
  rules: VerifierRules,
): Verifier {
  return {
    verify: (token) =>
      checked(token, rules, (currentDate) =>
        jose().jwtVerify(token, key, { algorithms, currentDate }),
      ),
  };
}

function keySetVerifier(keys: JWTVerifyGetKey, rules: VerifierRules): Verifier {
  return {
    verify: (token) =>
      checked(token, rules, (currentDate) =>
        jose().jwtVerify(token, keys, { algorithms: KEY_SET_ALGORITHMS, currentDate }),
      ),
  };
}

async function checked(
  token: string,
  { now, maxTokenLife }: VerifierRules,
  verify: (currentDate: Date) => Promise<{ payload: JWTPayload }>,
): Promise<JWTPayload> {
  const time = now();
  let payload: JWTPayload;
  try {
    ({ payload } = await verify(new Date(time)));
  } catch (error) {
    throw new TokenRefused(
      `Could not verify JWT token: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const { iat, exp } = payload;
  if (iat !== undefined && iat * 1000 > time)
    throw new TokenRefused("The Token can't be used before its time of issue");
  if (maxTokenLife === undefined) return payload;
  if (exp === undefined) throw new TokenRefused('token has no expiration time');
  if (exp * 1000 - time > maxTokenLife * 1000) throw new TokenRefused('token lifetime too long');
  return payload;
}
