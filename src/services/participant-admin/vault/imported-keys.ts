/**
 * Public keys that an operator brings to a participant: `PublicKey` of Canton's crypto messages, version 30, in
 * bytes.
 */
import { createPublicKey } from 'node:crypto';
import { ProtoFault } from '../../../daml/codec/protobuf/reading.js';
import { defined } from '../../../network/protobuf/defined.js';
import {
  fingerprintOfBytes,
  KEY_FORMAT,
  readPublicKey,
  type GeneratedKey,
} from '../../../network/topology/party-keys.js';
import { conversionOf, fieldNotSet, unrecognizedEnum } from '../parsing/conversion.js';
import { storedKey } from './known-keys.js';
import { ENCRYPTION_SPEC } from './new-keys.js';

const AnyPublicKey = defined('com.digitalasset.canton.crypto.v30.PublicKey');
type AnyPublicKey = ReturnType<typeof AnyPublicKey.decode>;

export type ImportedKey = Pick<GeneratedKey, 'key' | 'encrypts'> & { readonly fingerprint: string };

/** Throws a ConversionError. */
export function readImportedKey(given: Uint8Array): ImportedKey {
  const { signingPublicKey: signing, encryptionPublicKey: encryption } = decoded(given);
  if (signing !== undefined) {
    const key = readPublicKey(signing);
    if (typeof key === 'string') throw conversionOf(key);
    const { fingerprint, ...lasting } = key;
    return { key: storedKey(lasting), fingerprint };
  }
  if (encryption === undefined) throw fieldNotSet('key');
  return readEncryptionKey(encryption);
}

function decoded(given: Uint8Array): AnyPublicKey {
  try {
    return AnyPublicKey.decode(given);
  } catch (error) {
    throw error instanceof ProtoFault ? conversionOf(error.message) : error;
  }
}

/** The OpenSSL type of a key of each specification. */
const KINDS: Readonly<Record<number, { readonly type: string; readonly detail: string | number }>> =
  {
    [ENCRYPTION_SPEC.EC_P256]: { type: 'ec', detail: 'prime256v1' },
    [ENCRYPTION_SPEC.RSA_2048]: { type: 'rsa', detail: 2048 },
  };

/** NOTE: formats that Canton deprecates are not brought to the lasting one here. */
function readEncryptionKey({
  format,
  publicKey,
  keySpec,
}: NonNullable<AnyPublicKey['encryptionPublicKey']>): ImportedKey {
  if (format === 0) throw fieldNotSet('format');
  if (!Object.values<number>(KEY_FORMAT).includes(format))
    throw unrecognizedEnum('format', String(format));
  if (keySpec === 0) throw fieldNotSet('scheme');
  const kind = KINDS[keySpec];
  if (kind === undefined) throw unrecognizedEnum('key_spec', String(keySpec));
  if (format !== KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO || !isOfKind(publicKey, kind))
    throw conversionOf('KeyParseAndValidateError(Failed to deserialize or validate public key)');
  const key = storedKey({ format, publicKey, usage: [], keySpec });
  return { key, encrypts: true, fingerprint: fingerprintOfBytes(publicKey) };
}

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
