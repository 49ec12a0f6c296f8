/** Public keys as messages of the admin API. */
import { ENCRYPTION_SPEC } from '../../../network/topology/encryption-keys.js';
import { encrypts, type NodeKey } from '../../../network/topology/mapped-keys.js';
import type { PublicKeyMessage } from '../../../network/topology/party-keys.js';

/** In the form of messages: bytes are base64. */
export const keyOf = ({ format, publicKey, usage, keySpec }: PublicKeyMessage) => ({
  format,
  publicKey: Buffer.from(publicKey).toString('base64'),
  usage,
  keySpec,
});

const ENCRYPTION_SPECS: Readonly<Record<number, string>> = {
  [ENCRYPTION_SPEC.EC_P256]: 'ENCRYPTION_KEY_SPEC_EC_P256',
  [ENCRYPTION_SPEC.RSA_2048]: 'ENCRYPTION_KEY_SPEC_RSA_2048',
};

/** @param key X.509 SubjectPublicKeyInfo, DER */
export const encryptionKeyMessage = ({
  publicKey,
  keySpec,
}: Pick<PublicKeyMessage, 'publicKey' | 'keySpec'>) => ({
  format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
  publicKey: Buffer.from(publicKey).toString('base64'),
  keySpec: ENCRYPTION_SPECS[keySpec],
});

export const nodeKeyOf = (key: NodeKey): object =>
  encrypts(key)
    ? { encryptionPublicKey: encryptionKeyMessage(key) }
    : { signingPublicKey: keyOf(key) };
