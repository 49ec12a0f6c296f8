/** The keys that mappings assign to owners: how many there may be, and how they are read. Faults are ProtoFaults. */
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { scalaList, scalaVector } from '../../daml/errors/scala-text.js';
import { encryptionKeyText, readEncryptionKey, type EncryptionKey } from './encryption-keys.js';
import { notSet, requireMember } from './mapping-fields.js';
import { keyText, readPublicKey, type PartyKey, type PublicKeyMessage } from './party-keys.js';
import { defined } from '../protobuf/defined.js';
import { encodeAddition, type OwnerToKeyMessage } from './topology-messages.js';

/** The most keys of a mapping: Canton's. */
const MAX_KEYS = 20;

export const NodeKeyMessage = defined('com.digitalasset.canton.crypto.v30.PublicKey');
type NodeKeyMessage = ReturnType<typeof NodeKeyMessage.decode>;

export type NodeKey = PartyKey | EncryptionKey;

/** The keys of a node. */
export interface OwnedKeys {
  /** `PAR::identifier::namespace`, or of a sequencer or a mediator. */
  readonly member: string;
  readonly keys: readonly NodeKey[];
}

export const encrypts = (key: NodeKey): key is EncryptionKey => 'encrypts' in key;

export const signs = (key: NodeKey): key is PartyKey => !encrypts(key);

export const nodeKeyText = (key: NodeKey): string =>
  encrypts(key) ? encryptionKeyText(key) : keyText(key);

export const byFingerprint = (
  { fingerprint: left }: Pick<NodeKey, 'fingerprint'>,
  { fingerprint: right }: Pick<NodeKey, 'fingerprint'>,
): number => (left < right ? -1 : Number(left > right));

export function readKey(given: PublicKeyMessage): PartyKey {
  const key = readPublicKey(given);
  if (typeof key === 'string') throw new ProtobufError(key);
  // Without the deprecated scheme.
  const { fingerprint, format, publicKey, usage, keySpec } = key;
  return { fingerprint, format, publicKey, usage, keySpec };
}

export function readNodeKey({ signingPublicKey, encryptionPublicKey }: NodeKeyMessage): NodeKey {
  if (signingPublicKey) return readKey(signingPublicKey);
  if (encryptionPublicKey) return readEncryptionKey(encryptionPublicKey);
  throw notSet('key');
}

export function readOwnedKeys({ member, publicKeys }: OwnerToKeyMessage): OwnedKeys {
  requireMember(member);
  if (publicKeys.length === 0) throw notSet('Sequence public_keys not set or empty');
  const keys = publicKeys.map(readNodeKey);
  requireDistinct(keys, 'keys');
  requireFewKeys(keys, '');
  return { member, keys };
}

export const encodeOwnedKeys = ({ member, keys }: OwnedKeys, serial?: number): Uint8Array =>
  encodeAddition(
    {
      ownerToKeyMapping: {
        member,
        publicKeys: keys.map((key) =>
          encrypts(key) ? { encryptionPublicKey: key } : { signingPublicKey: key },
        ),
      },
    },
    serial,
  );

/** @param kind the name of such keys in the error */
export function requireDistinct(keys: readonly NodeKey[], kind: string): void {
  const groups = new Map<string, NodeKey[]>();
  for (const key of keys)
    groups.set(key.fingerprint, [...(groups.get(key.fingerprint) ?? []), key]);
  const repeated = [...groups.values()].filter(({ length }) => length > 1);
  if (repeated.length === 0) return;
  const texts = repeated.map((group) => scalaVector(group.map(nodeKeyText)));
  throw new ProtobufError(`All ${kind} must be unique. Duplicate keys: ${scalaList(texts)}`);
}

/** @param place the beginning of the error */
export function requireFewKeys(keys: readonly NodeKey[], place: string): void {
  if (keys.length > MAX_KEYS)
    throw new ProtobufError(
      `${place}At most ${MAX_KEYS} key(s) can be specified, got ${keys.length}.`,
    );
}
