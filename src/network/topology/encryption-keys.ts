/** Keys by which others encrypt for a node: `EncryptionPublicKey` of Canton's crypto messages, version 30. */
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { remembered } from '../../daml/model/remembered.js';
import { abbreviatedHash, namespaceOf } from '../model/ids.js';
import type { Defined } from '../protobuf/defined.js';
import { notSet } from './mapping-fields.js';
import { fingerprintOfBytes, KEY_FORMAT } from './party-keys.js';

export const ENCRYPTION_SPEC = { EC_P256: 1, RSA_2048: 2 } as const;

/** NOTE: the deprecated scheme of a key is not read. */
export type EncryptionKeyMessage = Omit<
  Defined<'com.digitalasset.canton.crypto.v30.EncryptionPublicKey'>,
  'scheme'
>;

export interface EncryptionKey extends EncryptionKeyMessage {
  readonly encrypts: true;
  readonly fingerprint: string;
}

/** By the number of each specification: its OpenSSL type, and its name. */
const KINDS: Readonly<
  Record<number, { readonly type: string; readonly detail: string | number; readonly name: string }>
> = {
  [ENCRYPTION_SPEC.EC_P256]: { type: 'ec', detail: 'prime256v1', name: 'EC-P256' },
  [ENCRYPTION_SPEC.RSA_2048]: { type: 'rsa', detail: 2048, name: 'RSA-2048' },
};

/** Canton's names of all specifications, in its order. */
export const ENCRYPTION_SPEC_NAMES = Object.values(KINDS).map(({ name }) => name);

/** Normalizes a key: the deprecated format is the lasting one by another name. @throws ProtobufError */
export function readEncryptionKey(given: EncryptionKeyMessage): EncryptionKey {
  const { format, publicKey, keySpec } = given;
  if (format === 0) throw notSet('format');
  if (!Object.values<number>(KEY_FORMAT).includes(format))
    throw new ProtobufError(`Unrecognized value \`${format}\` in enum field \`format\``);
  if (keySpec === 0) throw notSet('scheme');
  const kind = KINDS[keySpec];
  if (kind === undefined)
    throw new ProtobufError(`Unrecognized value \`${keySpec}\` in enum field \`key_spec\``);
  if (format === KEY_FORMAT.RAW || !isOfKind(publicKey, kind))
    throw new ProtobufError(
      'KeyParseAndValidateError(Failed to deserialize or validate public key)',
    );
  return encryptionKey({ ...given, format: KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO });
}

const encryptionKey = ({ format, publicKey, keySpec }: EncryptionKeyMessage): EncryptionKey => ({
  format,
  publicKey,
  keySpec,
  encrypts: true,
  fingerprint: fingerprintOfBytes(publicKey),
});

function isOfKind(
  publicKey: Uint8Array,
  { type, detail }: { readonly type: string; readonly detail: string | number },
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    const { namedCurve, modulusLength } = key.asymmetricKeyDetails ?? {};
    return key.asymmetricKeyType === type && (namedCurve ?? modulusLength) === detail;
  } catch {
    return false;
  }
}

/** A key in Canton's format. */
export const encryptionKeyText = ({ fingerprint, keySpec }: EncryptionKey): string =>
  `EncryptionPublicKey(id = ${abbreviatedHash(fingerprint)}, format = DER-encoded X.509 SubjectPublicKeyInfo, keySpec = ${KINDS[keySpec]!.name})`;

/** PKCS #8 of a P-256 private key, up to its 32 bytes. */
const PKCS8_PREFIX = Buffer.from(
  '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420',
  'hex',
);

/** The key that a participant announces, which Canticle does not use. The same for the same namespace. */
export const encryptionKeyOf = (uid: string): EncryptionKey => keyOfNamespace(namespaceOf(uid));

const keyOfNamespace = remembered((namespace): EncryptionKey => {
  const secret = Buffer.from(namespace.slice(-62).padStart(64, '0'), 'hex');
  const key = Buffer.concat([PKCS8_PREFIX, secret]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return encryptionKey({
    format: KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO,
    publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }),
    keySpec: ENCRYPTION_SPEC.EC_P256,
  });
});
