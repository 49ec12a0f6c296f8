/** A JSON Web Token: parsed, and verified with a key, for the kinds that a participant supports. */
import {
  createHmac,
  createPublicKey,
  sign,
  timingSafeEqual,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { isBytes, isError } from '../../daml/errors/realms.js';

/** The reason for rejecting a token; only the log has it. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** The claims of a token. Their types are unchecked. */
export type Payload = Readonly<Record<string, unknown>>;

export interface Jwt {
  readonly header: Payload;
  readonly payload: Payload;
  /** The signed text. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** A key, and the only algorithm that it is for (B-AUTH-035). */
export interface VerifyingKey {
  readonly algorithm: 'HS256' | 'RS256' | 'ES256' | 'ES512';
  readonly key: Uint8Array | KeyObject;
}

/** A set of keys in the form of RFC 7517. */
export interface JSONWebKeySet {
  readonly keys: readonly JsonWebKey[];
}

/** Signed by a secret, or by a private key that is for the algorithm. */
export function signedJwt(
  header: Payload & { readonly alg: VerifyingKey['algorithm'] },
  payload: Payload,
  key: string | KeyObject,
): string {
  const signed = [header, payload].map((part) => encoded(JSON.stringify(part))).join('.');
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(signed).digest()
      : sign(HASH_OF[header.alg], Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const HASH_OF = { HS256: 'sha256', RS256: 'sha256', ES256: 'sha256', ES512: 'sha512' } as const;

/** @throws TokenRefused for a text that is not a token */
export function parseJwt(token: string): Jwt {
  const parts = token.split('.');
  const [header, payload, signature] = parts;
  if (parts.length !== 3) throw new TokenRefused('The token is no JWT');
  return {
    header: objectIn(header!),
    payload: objectIn(payload!),
    signed: `${header}.${payload}`,
    signature: bytesOf(signature!),
  };
}

/** Decodes base64url only. */
function bytesOf(text: string): Buffer {
  if (!/^[\w-]*={0,2}$/.test(text)) throw new TokenRefused('The token is no JWT');
  return Buffer.from(text, 'base64url');
}

function objectIn(text: string): Payload {
  let value: unknown;
  try {
    value = JSON.parse(bytesOf(text).toString('utf8'));
  } catch (error) {
    if (!isError(error, 'SyntaxError')) throw error;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new TokenRefused('The token is no JWT');
  return value as Payload;
}

/** @throws TokenRefused for a token that the key did not sign, or whose header states another algorithm */
export function verifySignature({ header, signed, signature }: Jwt, key: VerifyingKey): void {
  if (header['alg'] !== key.algorithm || !isSigned(signed, signature, key))
    throw new TokenRefused('Could not verify JWT token');
}

function isSigned(signed: string, signature: Buffer, { algorithm, key }: VerifyingKey): boolean {
  if (isBytes(key)) {
    const own = createHmac('sha256', key).update(signed).digest();
    return own.length === signature.length && timingSafeEqual(own, signature);
  }
  try {
    return verify(
      HASH_OF[algorithm],
      Buffer.from(signed),
      { key, dsaEncoding: 'ieee-p1363' },
      signature,
    );
  } catch {
    // The kind of the key differs from the declared one.
    return false;
  }
}

const OF_CURVE: Readonly<Record<string, 'ES256' | 'ES512'>> = {
  prime256v1: 'ES256',
  secp521r1: 'ES512',
};

/**
 * A key in a set's form; its declared use is not checked.
 * @throws TokenRefused for one that no token is verified by
 */
export function keyOfJwk(jwk: object): VerifyingKey {
  let key: KeyObject | undefined;
  try {
    key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    // Refused below.
  }
  const curve = key?.asymmetricKeyDetails?.namedCurve;
  const algorithm = key?.asymmetricKeyType === 'rsa' ? 'RS256' : OF_CURVE[curve ?? ''];
  if (key === undefined || algorithm === undefined)
    throw new TokenRefused('Unsupported public key format');
  return { algorithm, key };
}
