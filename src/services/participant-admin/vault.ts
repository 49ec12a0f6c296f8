/**
 * `VaultService`: the keys of a participant, and new ones to sign with.
 * NOTE: a new key is listed and told; the participant signs nothing with it.
 */
import { createECDH, createPublicKey } from 'node:crypto';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { tooLong } from '../../daml/model/identifiers.js';
import type { SeededRandom } from '../../network/journal/random.js';
import { signingKey } from '../../network/keys.js';
import {
  KEY_FORMAT,
  KEY_SPEC,
  KEY_USAGE,
  readPublicKey,
  type PartyKey,
  type PublicKeyMessage,
} from '../../network/topology/party-keys.js';
import { memberKeys, participantMember } from '../../network/topology/topology-transactions.js';
import type { AdminContext } from './admin-context.js';
import { PlainRefusal } from './not-served.js';
import {
  fieldNotSet,
  invariantViolation,
  plainError,
  unrecognizedEnum,
} from './parsing/conversion.js';
import { fingerprint } from './parsing/fields.js';
import { parsed } from './parsing/parsed.js';
import { keyOf } from './topology/items.js';
import { encryptionKeysOf } from './topology/members.js';

const UNKNOWN = 2;
const LONGEST_NAME = 300;
const { NAMESPACE, SEQUENCER_AUTHENTICATION, PROTOCOL, PROOF_OF_OWNERSHIP } = KEY_USAGE;

/** A name is a number of the enumeration; undefined for one that no longer means anything. */
const USAGES: Readonly<Record<string, number | undefined>> = {
  SIGNING_KEY_USAGE_NAMESPACE: NAMESPACE,
  SIGNING_KEY_USAGE_IDENTITY_DELEGATION: undefined,
  SIGNING_KEY_USAGE_SEQUENCER_AUTHENTICATION: SEQUENCER_AUTHENTICATION,
  SIGNING_KEY_USAGE_PROTOCOL: PROTOCOL,
  SIGNING_KEY_USAGE_PROOF_OF_OWNERSHIP: PROOF_OF_OWNERSHIP,
};
const SPECS: Readonly<Record<string, number>> = {
  SIGNING_KEY_SPEC_UNSPECIFIED: KEY_SPEC.EC_CURVE25519,
  SIGNING_KEY_SPEC_EC_CURVE25519: KEY_SPEC.EC_CURVE25519,
  SIGNING_KEY_SPEC_EC_P256: KEY_SPEC.EC_P256,
  SIGNING_KEY_SPEC_EC_P384: KEY_SPEC.EC_P384,
  SIGNING_KEY_SPEC_EC_SECP256K1: KEY_SPEC.EC_SECP256K1,
};
/** By its name in OpenSSL and in a JSON Web Key. */
const CURVES: Readonly<Record<number, readonly [string, string]>> = {
  [KEY_SPEC.EC_P256]: ['prime256v1', 'P-256'],
  [KEY_SPEC.EC_P384]: ['secp384r1', 'P-384'],
  [KEY_SPEC.EC_SECP256K1]: ['secp256k1', 'secp256k1'],
};

type Purpose = 'KEY_PURPOSE_SIGNING' | 'KEY_PURPOSE_ENCRYPTION';

interface Key {
  readonly name: string;
  readonly purpose: Purpose;
  readonly fingerprint: string | undefined;
  readonly usage: readonly number[];
  readonly message: object;
}

/** Throws a ConversionError. */
function usagesIn(given: readonly string[]): readonly number[] {
  return given.flatMap((each) => {
    if (each === 'SIGNING_KEY_USAGE_UNSPECIFIED') throw fieldNotSet('usage');
    if (!(each in USAGES)) throw unrecognizedEnum('usage', each);
    return USAGES[each] ?? [];
  });
}

export interface KeysQuery {
  readonly filters?: {
    readonly fingerprint: string;
    readonly name: string;
    readonly purpose: readonly string[];
    readonly usage: readonly string[];
  };
}

type Filter = (key: Key) => boolean;

function filterIn({ filters }: KeysQuery): Filter {
  if (filters === undefined) return () => true;
  const { name, purpose } = filters;
  if (filters.fingerprint !== '') fingerprint(filters.fingerprint);
  for (const each of purpose) {
    if (each === 'KEY_PURPOSE_UNSPECIFIED') throw fieldNotSet('purpose');
    if (/^-?\d+$/.test(each)) throw unrecognizedEnum('purpose', each);
  }
  const usages = usagesIn(filters.usage);
  if (purpose.includes('KEY_PURPOSE_ENCRYPTION') && usages.length > 0)
    throw plainError('Cannot specify a usage when listing encryption keys');
  return (key) =>
    (filters.fingerprint === '' || key.fingerprint === filters.fingerprint) &&
    key.name.includes(name) &&
    (purpose.length === 0 || purpose.includes(key.purpose)) &&
    (usages.length === 0 ||
      key.purpose === 'KEY_PURPOSE_ENCRYPTION' ||
      key.usage.some((each) => each !== PROOF_OF_OWNERSHIP && usages.includes(each)));
}

function signing(name: string, key: PublicKeyMessage): Key {
  return {
    name,
    purpose: 'KEY_PURPOSE_SIGNING',
    fingerprint: (readPublicKey(key) as PartyKey).fingerprint,
    usage: key.usage,
    message: { signingPublicKey: keyOf(key) },
  };
}

const OWN_NAMES: Readonly<Record<number, string>> = {
  [NAMESPACE]: 'namespace',
  [SEQUENCER_AUTHENTICATION]: 'sequencer-auth',
  [PROTOCOL]: 'signing',
};

function keysOf({ participant, network }: AdminContext): readonly Key[] {
  const { id, name } = participant;
  const member = participantMember(id, name);
  const { root, own } = memberKeys(network.random, member);
  return [
    ...[root, ...own].map((key) => signing(`${name}-${OWN_NAMES[key.usage[0]!]!}`, key)),
    ...encryptionKeysOf(member).map((encryptionPublicKey): Key => {
      const purpose = 'KEY_PURPOSE_ENCRYPTION';
      const message = { encryptionPublicKey };
      return { name: `${name}-encryption`, purpose, fingerprint: undefined, usage: [], message };
    }),
    ...participant.generatedKeys.value.map((each) => signing(each.name, madeOf(each.key))),
  ];
}

/** As files of the state can hold it. */
const kept = (key: PublicKeyMessage) => ({
  ...key,
  publicKey: Buffer.from(key.publicKey).toString('base64'),
});
const madeOf = (key: ReturnType<typeof kept>): PublicKeyMessage => ({
  ...key,
  publicKey: Buffer.from(key.publicKey, 'base64'),
});

const listed = (context: AdminContext, filter: Filter) =>
  keysOf(context)
    .filter(filter)
    .map(({ name, message }) => ({ publicKey: message, name }));

export interface SigningKeyRequest {
  readonly keySpec: string;
  readonly name: string;
  readonly usage: readonly string[];
}

function readNewKey({ keySpec, name, usage }: SigningKeyRequest) {
  const spec = SPECS[keySpec];
  if (spec === undefined) throw unrecognizedEnum('key_spec', keySpec);
  const usages = [...new Set(usagesIn(usage))];
  if (usages.length === 0) throw fieldNotSet('usage');
  if (name.length > LONGEST_NAME)
    throw invariantViolation('KeyName', tooLong('KeyName', LONGEST_NAME, name));
  return { spec, name, usages };
}

/** @throws LedgerError SIGNING_KEY_GENERATION_ERROR */
function generate(
  { participant, network }: AdminContext,
  { spec, name, usages }: ReturnType<typeof readNewKey>,
): object {
  if (usages.every((each) => each === PROOF_OF_OWNERSHIP))
    throw ledgerError('SIGNING_KEY_GENERATION_ERROR', {
      cause: 'Unable to create signing key',
      context: { reason: 'InvalidKeyUsage(keyUsage = proof-of-ownership)' },
    });
  // Who announces a key for more than a namespace must prove that it is its own.
  const proves = usages.some((each) => each !== NAMESPACE) && !usages.includes(PROOF_OF_OWNERSHIP);
  const key: PublicKeyMessage = {
    format: KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO,
    publicKey: newPublicKey(network.random, spec),
    usage: proves ? [...usages, PROOF_OF_OWNERSHIP] : usages,
    keySpec: spec,
  };
  const { generatedKeys } = participant;
  generatedKeys.value = [...generatedKeys.value, { name, key: kept(key) }];
  return { publicKey: keyOf(key) };
}

function newPublicKey(random: SeededRandom, spec: number): Uint8Array {
  const secret = random.hex('key of a vault');
  const curve = CURVES[spec];
  if (curve === undefined) return signingKey(random, `generated/${secret}`).publicKey;
  const [openssl, crv] = curve;
  const pair = createECDH(openssl);
  // Shorter than the order of each curve.
  pair.setPrivateKey(Buffer.from(secret.slice(2).padStart(64, '0'), 'hex'));
  const point = pair.getPublicKey();
  const half = (point.length - 1) / 2;
  const part = (from: number): string => point.subarray(from, from + half).toString('base64url');
  const key = { kty: 'EC', crv, x: part(1), y: part(1 + half) };
  return createPublicKey({ key, format: 'jwk' }).export({ format: 'der', type: 'spki' });
}

export const vault = {
  listMyKeys: parsed(filterIn, (context, filter) => ({
    privateKeysMetadata: listed(context, filter).map((publicKeyWithName) => ({
      publicKeyWithName,
    })),
  })),
  listPublicKeys: parsed(
    filterIn,
    (context, filter) => ({ publicKeys: listed(context, filter) }),
    () => new PlainRefusal(UNKNOWN, 'Application error processing RPC'),
  ),
  generateSigningKey: parsed(readNewKey, generate),
};
