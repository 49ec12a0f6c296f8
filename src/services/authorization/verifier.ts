/** Verifies signatures and times of tokens, by key or by key set. */
import { createPublicKey } from 'node:crypto';
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, KeyLike } from 'jose';
import { jose } from './jose.js';
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
  return remembering(rules, async (token, currentDate) => {
    const { payload } = await jose().jwtVerify(token, key, { algorithms, currentDate });
    return payload;
  });
}

function keySetVerifier(keys: JWTVerifyGetKey, rules: VerifierRules): Verifier {
  const algorithms = KEY_SET_ALGORITHMS;
  return remembering(rules, async (token, currentDate) => {
    const { payload } = await jose().jwtVerify(token, keys, { algorithms, currentDate });
    return payload;
  });
}

type Verify = (token: string, currentDate: Date) => Promise<JWTPayload>;

/** A signature is looked at once, for clients send the same token with every request; its times are looked at each time. */
function remembering(rules: VerifierRules, verify: Verify): Verifier {
  const known = new KnownTokens();
  return {
    verify: async (token) => {
      const time = rules.now();
      let payload = known.payloadOf(token, time);
      if (payload === undefined) {
        payload = await verified(token, new Date(time), verify);
        known.add(token, { payload, since: time });
      } else requireCurrent(payload, time);
      requireIssuedAndShort(payload, time, rules);
      return payload;
    },
  };
}

interface KnownToken {
  readonly payload: JWTPayload;
  /** Milliseconds since 1970, real time. */
  readonly since: number;
}

/** As long as jose keeps a key set that it has fetched: so a key that was taken back is not trusted for longer. */
const MAX_KNOWN_MS = 10 * 60_000;
const MAX_KNOWN_TOKENS = 1000;

/** What tokens say whose signatures have been verified, by their texts; the oldest leave first. */
class KnownTokens {
  private readonly tokens = new Map<string, KnownToken>();

  payloadOf(token: string, time: number): JWTPayload | undefined {
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

async function verified(token: string, currentDate: Date, verify: Verify): Promise<JWTPayload> {
  try {
    return await verify(token, currentDate);
  } catch (error) {
    throw new TokenRefused(
      `Could not verify JWT token: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** In whole seconds, as jose compares them. */
function requireCurrent({ nbf, exp }: JWTPayload, time: number): void {
  const now = Math.floor(time / 1000);
  if ((nbf !== undefined && nbf > now) || (exp !== undefined && exp <= now))
    throw new TokenRefused('The token is not of this time');
}

function requireIssuedAndShort(
  { iat, exp }: JWTPayload,
  time: number,
  { maxTokenLife }: VerifierRules,
): void {
  if (iat !== undefined && iat * 1000 > time)
    throw new TokenRefused("The Token can't be used before its time of issue");
  if (maxTokenLife === undefined) return;
  if (exp === undefined) throw new TokenRefused('token has no expiration time');
  if (exp * 1000 - time > maxTokenLife * 1000) throw new TokenRefused('token lifetime too long');
}
