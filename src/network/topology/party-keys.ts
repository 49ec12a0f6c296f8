/**
 * Public keys and signatures of external parties: Canton's formats, curves and algorithms, its fingerprints, and the
 * verification of signatures.
 */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { toHex } from '../../daml/model/hash.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import { abbreviatedHash } from '../model/ids.js';
import { HASH_PURPOSE, purposeHash } from '../model/keys.js';
import type { Defined } from '../protobuf/defined.js';

export const KEY_FORMAT = { DER: 2, RAW: 3, DER_X509_SUBJECT_PUBLIC_KEY_INFO: 4 } as const;
export const KEY_SPEC = { EC_CURVE25519: 1, EC_P256: 2, EC_P384: 3, EC_SECP256K1: 4 } as const;
export const KEY_USAGE = {
  NAMESPACE: 1,
  SEQUENCER_AUTHENTICATION: 3,
  PROTOCOL: 4,
  PROOF_OF_OWNERSHIP: 5,
} as const;
export const SIGNATURE_FORMAT = { RAW: 1, DER: 2, CONCAT: 3, SYMBOLIC: 10000 } as const;
export const SIGNATURE_ALGORITHM = { ED25519: 1, EC_DSA_SHA_256: 2, EC_DSA_SHA_384: 3 } as const;

/** NOTE: the deprecated scheme of a key is not read. */
export type PublicKeyMessage = Omit<
  Defined<'com.digitalasset.canton.crypto.v30.SigningPublicKey'>,
  'scheme'
>;

/** A key that was made for a participant, or brought to it, as files of the state can hold it: in base64. */
export interface GeneratedKey {
  readonly name: string;
  readonly key: Omit<PublicKeyMessage, 'publicKey'> & { readonly publicKey: string };
  /** Set for an encryption key: its `keySpec` is a number of another enumeration, and it has no usages. */
  readonly encrypts?: true;
  /** The source of the private key; absent for a key that only encrypts. */
  readonly secret?: string;
  /** The participant has no private key that goes with it. */
  readonly isForeign?: true;
}

export interface PartyKey extends PublicKeyMessage {
  readonly fingerprint: string;
}

/** `signedBy` is the fingerprint of the key. */
export type Signature = Defined<'com.digitalasset.canton.crypto.v30.Signature'>;

interface Curve {
  /** The JVM's name. */
  readonly name: string;
  /** Canton's name. */
  readonly spec: string;
  /** OpenSSL's name. */
  readonly openssl: string;
  readonly algorithm: number;
  readonly signatureFormat: number;
  readonly digest: string | null;
}

const CURVES: Readonly<Record<number, Curve>> = {
  [KEY_SPEC.EC_CURVE25519]: {
    name: 'Ed25519',
    spec: 'EC-Curve25519',
    openssl: 'ed25519',
    algorithm: SIGNATURE_ALGORITHM.ED25519,
    signatureFormat: SIGNATURE_FORMAT.CONCAT,
    digest: null,
  },
  [KEY_SPEC.EC_P256]: {
    name: 'secp256r1',
    spec: 'EC-P256',
    openssl: 'prime256v1',
    algorithm: SIGNATURE_ALGORITHM.EC_DSA_SHA_256,
    signatureFormat: SIGNATURE_FORMAT.DER,
    digest: 'sha256',
  },
  [KEY_SPEC.EC_P384]: {
    name: 'secp384r1',
    spec: 'EC-P384',
    openssl: 'secp384r1',
    algorithm: SIGNATURE_ALGORITHM.EC_DSA_SHA_384,
    signatureFormat: SIGNATURE_FORMAT.DER,
    digest: 'sha384',
  },
  [KEY_SPEC.EC_SECP256K1]: {
    name: 'secp256k1',
    spec: 'EC-Secp256k1',
    openssl: 'secp256k1',
    algorithm: SIGNATURE_ALGORITHM.EC_DSA_SHA_256,
    signatureFormat: SIGNATURE_FORMAT.DER,
    digest: 'sha256',
  },
};

/** Canton's names of all specifications, in its order. */
export const SIGNING_SPEC_NAMES = Object.values(CURVES).map(({ spec }) => spec);

const FORMAT_NAMES: Readonly<Record<number, string>> = {
  [KEY_FORMAT.DER]: 'DER',
  [KEY_FORMAT.RAW]: 'Raw',
  [KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO]: 'DER-encoded X.509 SubjectPublicKeyInfo',
};

/** The OpenSSL name of the curve with 384 bits; the others have 256. */
const LARGER = 'secp384r1';

/** DER in front of the 32 bytes of an Ed25519 key. */
const ED25519_SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const RAW_ED25519_LENGTH = 32;
const ED25519_SPKI_LENGTH = ED25519_SPKI_PREFIX.length + RAW_ED25519_LENGTH;

/**
 * Normalizes a key: converts Canton's deprecated formats to DER SubjectPublicKeyInfo, and completes the usages.
 * @returns the key or an error text
 * @throws LedgerError LEDGER_API_INTERNAL_ERROR for a key of 384 bits with a spec of 256 bits
 */
export function readPublicKey(given: PublicKeyMessage): PartyKey | string {
  const curve = CURVES[given.keySpec];
  if (given.format === 0) return 'Field `format` is not set';
  if (FORMAT_NAMES[given.format] === undefined) return unrecognized(given.format, 'format');
  if (given.keySpec === 0) return 'Field `key_spec and scheme` is not set';
  if (curve === undefined) return unrecognized(given.keySpec, 'key_spec');
  const unread = given.usage.map(usageError).find((each) => each !== undefined);
  if (unread !== undefined) return unread;
  const usage = keyUsages(given.usage);
  if (typeof usage === 'string') return usage;
  const migrated = migratedKey(given);
  const error = keyError(migrated, curve);
  if (error !== undefined) return refused(error);
  const { format, publicKey, keySpec } = migrated;
  return { format, publicKey, usage, keySpec, fingerprint: fingerprintOf(migrated) };
}

/** A usage that no longer means anything, and is passed over. */
const IDENTITY_DELEGATION = 2;

function usageError(usage: number): string | undefined {
  if (usage === 0) return 'Field `usage` is not set';
  const isKnown = usage === IDENTITY_DELEGATION || usage in USAGE_NAMES;
  return isKnown ? undefined : unrecognized(usage, 'usage');
}

/**
 * The usages of a key (B-EXT-029): an empty list means all. A key for more than a namespace also proves its owner.
 * @param given known usages
 * @returns the usages, or an error text
 */
export function keyUsages(given: readonly number[]): readonly number[] | string {
  const named = [...new Set(given)].filter((each) => each !== IDENTITY_DELEGATION);
  const usage = named.length > 0 ? named : Object.values(KEY_USAGE);
  const proves = usage.includes(KEY_USAGE.PROOF_OF_OWNERSHIP);
  const isForMore = usage.some(
    (each) => each !== KEY_USAGE.NAMESPACE && each !== KEY_USAGE.PROOF_OF_OWNERSHIP,
  );
  if (proves && !isForMore) return `InvalidKeyUsage(keyUsage = ${usageText(usage)})`;
  return isForMore && !proves ? [...usage, KEY_USAGE.PROOF_OF_OWNERSHIP] : usage;
}

/** A set in Canton's format, without brackets for one element. */
function usageText(usage: readonly number[]): string {
  const names = usage.map((each) => USAGE_NAMES[each]!);
  return names.length === 1 ? names[0]! : scalaSet(names);
}

const unrecognized = (number: number, field: string): string =>
  `Unrecognized value \`${number}\` in enum field \`${field}\``;

const USAGE_NAMES: Readonly<Record<number, string>> = {
  [KEY_USAGE.NAMESPACE]: 'namespace',
  [KEY_USAGE.SEQUENCER_AUTHENTICATION]: 'sequencer-auth',
  [KEY_USAGE.PROTOCOL]: 'signing',
  [KEY_USAGE.PROOF_OF_OWNERSHIP]: 'proof-of-ownership',
};

/** A key in Canton's format. */
export function keyText({ fingerprint, format, keySpec, usage }: PartyKey): string {
  const uses = usage.map((each) => USAGE_NAMES[each] ?? String(each)).sort();
  return `SigningPublicKey(id = ${abbreviatedHash(fingerprint)}, format = ${FORMAT_NAMES[format]}, keySpec = ${CURVES[keySpec]!.spec}, usage = ${scalaSet(uses)})`;
}

const refused = (reason: string): string => `KeyParseAndValidateError(${reason})`;

/** NOTE: for a key that cannot be parsed, a participant also prints a JVM stack trace. */
function keyError({ format, publicKey }: PublicKeyMessage, curve: Curve): string | undefined {
  const name = FORMAT_NAMES[format] ?? String(format);
  const isEd25519 = curve.algorithm === SIGNATURE_ALGORITHM.ED25519;
  const invalid = (reason: string, form = name): string =>
    `Failed to deserialize or validate ${form} public key: ${refused(reason)}`;
  const unread = (reason: string): string =>
    invalid(
      `InvalidKey(java.security.spec.InvalidKeySpecException: ${reason})`,
      FORMAT_NAMES[KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO],
    );
  if (isEd25519 && format === KEY_FORMAT.RAW) return unread('raw key data not recognised');
  if (format !== KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO)
    return invalid(`Invalid format for public key: ${name}`);
  const actual = curveOf(publicKey);
  const unparsed = 'java.lang.IllegalArgumentException: failed to construct sequence from byte[]';
  if (actual === curve.openssl) {
    const isWhole = !isEd25519 || publicKey.length === ED25519_SPKI_LENGTH;
    return isWhole
      ? undefined
      : refused(`Failed to parse public key: ${unparsed}: Extra data detected in stream`);
  }
  if (actual === undefined && isEd25519) return refused(`Failed to parse public key: ${unparsed}`);
  if (actual === undefined || actual === 'ed25519' || isEd25519)
    return unread('encoded key spec not recognized');
  // A point with coordinates outside the field is an unexpected error of the participant.
  if (actual === LARGER && curve.openssl !== LARGER)
    throw ledgerError(
      'LEDGER_API_INTERNAL_ERROR',
      `x value invalid for ${curve.name === 'secp256k1' ? 'SecP256K1' : 'SecP256R1'}FieldElement`,
    );
  return invalid(`EC key not in curve '${curve.name}'.`);
}

function migratedKey(given: PublicKeyMessage): PublicKeyMessage {
  const format = KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO;
  const isEd25519 = given.keySpec === KEY_SPEC.EC_CURVE25519;
  if (isEd25519 && given.format === KEY_FORMAT.RAW && given.publicKey.length === RAW_ED25519_LENGTH)
    return { ...given, format, publicKey: Buffer.concat([ED25519_SPKI_PREFIX, given.publicKey]) };
  const isNist = given.keySpec === KEY_SPEC.EC_P256 || given.keySpec === KEY_SPEC.EC_P384;
  return isNist && given.format === KEY_FORMAT.DER ? { ...given, format } : given;
}

/** For Ed25519 it covers the raw key, for other keys the complete DER. */
function fingerprintOf({ keySpec, publicKey }: PublicKeyMessage): string {
  return fingerprintOfBytes(
    keySpec === KEY_SPEC.EC_CURVE25519 ? publicKey.subarray(-RAW_ED25519_LENGTH) : publicKey,
  );
}

/** For all keys except Ed25519 keys: it covers the complete DER. */
export function fingerprintOfBytes(publicKey: Uint8Array): string {
  return toHex(purposeHash(HASH_PURPOSE.publicKeyFingerprint, publicKey));
}

function curveOf(publicKey: Uint8Array): string | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec'
      ? key.asymmetricKeyDetails?.namedCurve
      : key.asymmetricKeyType;
  } catch {
    return undefined;
  }
}

/** Whether `key` made the signature of exactly these bytes, and in a form that Canton takes for its curve. */
export function isValidSignature(signed: Uint8Array, key: PartyKey, given: Signature): boolean {
  const curve = CURVES[key.keySpec];
  if (
    curve === undefined ||
    given.signedBy !== key.fingerprint ||
    given.signingAlgorithmSpec !== curve.algorithm
  )
    return false;
  // The deprecated raw format meant what is now the only format of each algorithm.
  const format = given.format === SIGNATURE_FORMAT.RAW ? curve.signatureFormat : given.format;
  if (format !== curve.signatureFormat) return false;
  try {
    return verify(curve.digest, signed, parsed(key), given.signature);
  } catch {
    return false;
  }
}

/** The DER form of a signature that is the concatenation of its two numbers. */
export function derSignature(concatenated: Uint8Array): Buffer {
  const half = concatenated.length / 2;
  const numbers = [concatenated.subarray(0, half), concatenated.subarray(half)].map(derInteger);
  const length = numbers.reduce((sum, each) => sum + each.length, 0);
  return Buffer.concat([Buffer.from([0x30, length]), ...numbers]);
}

function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((each) => each !== 0);
  const digits = first < 0 ? bytes.subarray(-1) : bytes.subarray(first);
  const sign = digits[0]! > 0x7f ? [0] : [];
  return Buffer.from([0x02, digits.length + sign.length, ...sign, ...digits]);
}

/** Parsing a key takes longer than checking a signature with it, and a party has the same for long. */
const parsedKeys = new WeakMap<PartyKey, KeyObject>();

function parsed(key: PartyKey): KeyObject {
  let known = parsedKeys.get(key);
  if (known === undefined)
    parsedKeys.set(
      key,
      (known = createPublicKey({ key: Buffer.from(key.publicKey), format: 'der', type: 'spki' })),
    );
  return known;
}
