/** The keys of a participant, including keys that an operator generated or imported, and filters of them. */
import { fieldNotSet, plainError, unrecognizedEnum } from '../parsing/conversion.js';
import { fingerprint } from '../parsing/fields.js';
import {
  fingerprintOfBytes,
  KEY_USAGE,
  readPublicKey,
  type GeneratedKey,
  type PartyKey,
  type PublicKeyMessage,
} from '../../../network/topology/party-keys.js';
import { memberKeys, participantMember } from '../../../network/topology/topology-transactions.js';
import type { AdminContext } from '../admin-context.js';
import { encryptionKeyMessage, keyOf } from '../parsing/key-messages.js';

const { NAMESPACE, SEQUENCER_AUTHENTICATION, PROTOCOL, PROOF_OF_OWNERSHIP } = KEY_USAGE;

/** By name, the number in the enumeration; undefined for an obsolete name. */
const USAGES: Readonly<Record<string, number | undefined>> = {
  SIGNING_KEY_USAGE_NAMESPACE: NAMESPACE,
  SIGNING_KEY_USAGE_IDENTITY_DELEGATION: undefined,
  SIGNING_KEY_USAGE_SEQUENCER_AUTHENTICATION: SEQUENCER_AUTHENTICATION,
  SIGNING_KEY_USAGE_PROTOCOL: PROTOCOL,
  SIGNING_KEY_USAGE_PROOF_OF_OWNERSHIP: PROOF_OF_OWNERSHIP,
};

/** Throws a ConversionError. */
export function usagesIn(given: readonly string[]): readonly number[] {
  return given.flatMap((each) => {
    if (each === 'SIGNING_KEY_USAGE_UNSPECIFIED') throw fieldNotSet('usage');
    if (!(each in USAGES)) throw unrecognizedEnum('usage', each);
    return USAGES[each] ?? [];
  });
}

type Purpose = 'KEY_PURPOSE_SIGNING' | 'KEY_PURPOSE_ENCRYPTION';

interface Key {
  readonly name: string;
  readonly purpose: Purpose;
  readonly fingerprint: string;
  readonly usage: readonly number[];
  readonly message: object;
  /** A key that the participant needs, and that cannot be removed. */
  readonly isOwn?: true;
  /** A public key without its private key. */
  readonly isForeign?: true | undefined;
}

export interface KeysQuery {
  readonly filters?: {
    readonly fingerprint: string;
    readonly name: string;
    readonly purpose: readonly string[];
    readonly usage: readonly string[];
  };
}

/** Throws a ConversionError. */
export function filterIn({ filters }: KeysQuery): (key: Key) => boolean {
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

const encryption = (name: string, key: Pick<PublicKeyMessage, 'publicKey' | 'keySpec'>): Key => ({
  name,
  purpose: 'KEY_PURPOSE_ENCRYPTION',
  fingerprint: fingerprintOfBytes(key.publicKey),
  usage: [],
  message: { encryptionPublicKey: encryptionKeyMessage(key) },
});

const OWN_NAMES: Readonly<Record<number, string>> = {
  [NAMESPACE]: 'namespace',
  [SEQUENCER_AUTHENTICATION]: 'sequencer-auth',
  [PROTOCOL]: 'signing',
};

export function keysOf({ participant, network }: AdminContext): readonly Key[] {
  const { id, name } = participant;
  const member = participantMember(id, name);
  const { root, own, encryption: decrypting } = memberKeys(network.random, member);
  const owned = [
    ...[root, ...own].map((key) => signing(`${name}-${OWN_NAMES[key.usage[0]!]!}`, key)),
    ...decrypting.map((key) => encryption(`${name}-encryption`, key)),
  ];
  return [
    ...owned.map((key): Key => ({ ...key, isOwn: true })),
    ...participant.generatedKeys.value.map((each): Key => {
      const made = madeOf(each.key);
      const key = each.encrypts ? encryption(each.name, made) : signing(each.name, made);
      return { ...key, isForeign: each.isForeign };
    }),
  ];
}

/** In the form of saved state. */
export const storedKey = (key: PublicKeyMessage): GeneratedKey['key'] => ({
  ...key,
  publicKey: Buffer.from(key.publicKey).toString('base64'),
});

const madeOf = (key: GeneratedKey['key']): PublicKeyMessage => ({
  ...key,
  publicKey: Buffer.from(key.publicKey, 'base64'),
});
