/** Public and private keys, as Node's crypto reads and writes them: DER, PEM, certificates, and JSON Web Keys. */
import { bytesIn, shared, type PageBytes } from './bytes.js';
import { curveBy, ed25519, type Curve } from './curves.js';
import { elements, encoded, encodedInteger, inside, TAG } from './der.js';

/** The members of a JSON Web Key. */
export type Jwk = Readonly<Record<string, unknown>>;

/** A key of RSA, and its parts. */
interface RsaKey {
  readonly kind: 'rsa';
  readonly modulus: Uint8Array;
  readonly exponent: Uint8Array;
}

interface EdwardsKey {
  readonly kind: 'ed25519';
  /** 32 bytes. */
  readonly point: Uint8Array;
  readonly secret?: Uint8Array;
}

interface EllipticKey {
  readonly kind: 'ec';
  readonly curve: Curve;
  /** Uncompressed. */
  readonly point: Uint8Array;
  readonly secret?: Uint8Array;
}

export type Parts = RsaKey | EdwardsKey | EllipticKey;

const OID = {
  ed25519: '2b6570',
  ec: '2a8648ce3d0201',
  rsa: '2a864886f70d010101',
};

/** DER of the algorithm of RSA has a null after its identifier. */
const NULL = Uint8Array.of(5, 0);

export class PageKey {
  constructor(
    readonly type: 'public' | 'private',
    readonly parts: Parts,
  ) {}

  get asymmetricKeyType(): string {
    return this.parts.kind;
  }

  get asymmetricKeyDetails(): { readonly namedCurve?: string; readonly modulusLength?: number } {
    const { parts } = this;
    if (parts.kind === 'ec') return { namedCurve: parts.curve.name };
    return parts.kind === 'rsa' ? { modulusLength: 8 * withoutZeros(parts.modulus).length } : {};
  }

  export({ format }: { readonly format: 'der' | 'jwk' }): PageBytes | Jwk {
    return format === 'jwk' ? jwkOf(this.parts) : shared(spkiOf(this.parts));
  }
}

const withoutZeros = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((each) => each !== 0),
    ),
  );

const base64url = (bytes: Uint8Array): string => shared(bytes).toString('base64url');

function jwkOf(parts: Parts): Jwk {
  switch (parts.kind) {
    case 'rsa':
      return {
        kty: 'RSA',
        n: base64url(withoutZeros(parts.modulus)),
        e: base64url(withoutZeros(parts.exponent)),
      };
    case 'ed25519':
      return { crv: 'Ed25519', x: base64url(parts.point), kty: 'OKP' };
    case 'ec': {
      const half = (parts.point.length - 1) / 2;
      return {
        kty: 'EC',
        x: base64url(parts.point.subarray(1, 1 + half)),
        y: base64url(parts.point.subarray(1 + half)),
        crv: parts.curve.crv,
      };
    }
  }
}

const objectId = (hex: string): Uint8Array => encoded(TAG.objectId, bytesIn(hex, 'hex'));

function spkiOf(parts: Parts): Uint8Array {
  const [algorithm, key] = algorithmAndKey(parts);
  const bits = encoded(TAG.bits, Uint8Array.of(0), key);
  return encoded(TAG.sequence, encoded(TAG.sequence, ...algorithm), bits);
}

function algorithmAndKey(parts: Parts): readonly [readonly Uint8Array[], Uint8Array] {
  if (parts.kind === 'ed25519') return [[objectId(OID.ed25519)], parts.point];
  if (parts.kind === 'ec') return [[objectId(OID.ec), objectId(parts.curve.oid)], parts.point];
  const numbers = [parts.modulus, parts.exponent].map(encodedInteger);
  return [[objectId(OID.rsa), NULL], encoded(TAG.sequence, ...numbers)];
}

/** The inputs of `createPublicKey` and `createPrivateKey`. */
export type KeyInput =
  | string
  | PageKey
  | { readonly key: Uint8Array | string | Jwk; readonly format?: 'der' | 'jwk' | 'pem' };

/** @throws Error for a key that cannot be read, or of a kind that this build does not have */
export function publicKeyOf(input: KeyInput): PageKey {
  if (input instanceof PageKey) {
    const { secret: _, ...parts } = input.parts as EllipticKey;
    return new PageKey('public', parts);
  }
  const key = typeof input === 'string' ? input : input.key;
  if (typeof key === 'string') return new PageKey('public', partsOfPem(key));
  if (isBytes(key)) return new PageKey('public', partsOfSpki(key));
  return new PageKey('public', partsOfJwk(key));
}

/** @throws Error as above */
export function privateKeyOf(input: { readonly key: Uint8Array | Jwk }): PageKey {
  const { key } = input;
  if (!isBytes(key)) {
    const secret = bytesIn(String(key['d']), 'base64url');
    return new PageKey('private', { ...(partsOfJwk(key) as EllipticKey), secret });
  }
  const [, algorithm, octets] = elements(inside(elements(key)[0], TAG.sequence));
  const [id, curve] = identifiers(inside(algorithm, TAG.sequence));
  const [content] = elements(inside(octets, TAG.octets));
  if (id === OID.ed25519) {
    const secret = inside(content, TAG.octets);
    const point = ed25519.getPublicKey(secret);
    return new PageKey('private', { kind: 'ed25519', point, secret });
  }
  if (id !== OID.ec) throw new Error('This build reads private keys of elliptic curves only.');
  const secret = inside(elements(inside(content, TAG.sequence))[1], TAG.octets);
  return new PageKey('private', ellipticPair(curveBy('oid', curve), secret));
}

/** A private key, and the point that belongs to it. */
export const ellipticPair = (curve: Curve, secret: Uint8Array): EllipticKey => ({
  kind: 'ec',
  curve,
  secret,
  point: curve.noble.getPublicKey(secret, false),
});

const isBytes = (value: object): value is Uint8Array => ArrayBuffer.isView(value);

/** The object identifiers among the elements, hexadecimal. */
const identifiers = (bytes: Uint8Array): readonly string[] =>
  elements(bytes)
    .filter(({ tag }) => tag === TAG.objectId)
    .map(({ body }) => shared(body).toString('hex'));

function partsOfSpki(bytes: Uint8Array): Parts {
  const [algorithm, bits] = elements(inside(elements(bytes)[0], TAG.sequence));
  const [id, curve] = identifiers(inside(algorithm, TAG.sequence));
  const key = inside(bits, TAG.bits).subarray(1);
  if (id === OID.ec) return pointOn(curveBy('oid', curve), key);
  if (id === OID.ed25519 && key.length === 32) return { kind: 'ed25519', point: key };
  if (id !== OID.rsa) throw new Error(`This build has no keys of the kind ${id}.`);
  const [modulus, exponent] = elements(inside(elements(key)[0], TAG.sequence));
  return {
    kind: 'rsa',
    modulus: inside(modulus, TAG.integer),
    exponent: inside(exponent, TAG.integer),
  };
}

/** @throws Error if the point is not on the curve */
function pointOn(curve: Curve, bytes: Uint8Array): EllipticKey {
  const point = curve.noble.Point.fromHex(bytes);
  return { kind: 'ec', curve, point: point.toRawBytes(false) };
}

function partsOfJwk(jwk: Jwk): Parts {
  const member = (name: string): Uint8Array => bytesIn(String(jwk[name]), 'base64url');
  switch (jwk['kty']) {
    case 'RSA':
      return { kind: 'rsa', modulus: member('n'), exponent: member('e') };
    case 'OKP':
      if (jwk['crv'] !== 'Ed25519') break;
      return { kind: 'ed25519', point: member('x') };
    case 'EC':
      return pointOn(
        curveBy('crv', String(jwk['crv'])),
        Uint8Array.from([4, ...member('x'), ...member('y')]),
      );
  }
  throw new Error(`This build reads no JSON Web Keys of the kind ${String(jwk['kty'])}.`);
}

/** A public key, or the certificate of one. */
function partsOfPem(text: string): Parts {
  const found = /-----BEGIN ([A-Z ]+)-----([^-]+)-----END/.exec(text);
  if (found === null) throw new Error('The key is neither PEM nor a certificate.');
  const bytes = bytesIn(found[2]!, 'base64');
  if (found[1] !== 'CERTIFICATE') return partsOfSpki(bytes);
  const [certificate] = elements(inside(elements(bytes)[0], TAG.sequence));
  const fields = elements(inside(certificate, TAG.sequence));
  // After the serial number, the algorithm, the issuer, the validity and the subject.
  return partsOfSpki(fields[fields[0]!.tag === TAG.version ? 6 : 5]!.whole);
}
