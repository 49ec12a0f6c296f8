/** Public keys that an operator imports: `PublicKey` of Canton's crypto messages, version 30, in bytes. */
import { encrypts, NodeKeyMessage, readNodeKey } from '../../../network/topology/mapped-keys.js';
import type { GeneratedKey } from '../../../network/topology/party-keys.js';
import { ofError } from '../parsing/conversion.js';
import { storedKey } from './known-keys.js';

export type ImportedKey = Pick<GeneratedKey, 'key' | 'encrypts'> & { readonly fingerprint: string };

/** Throws a ConversionError. */
export function readImportedKey(given: Uint8Array): ImportedKey {
  const read = ofError(() => readNodeKey(NodeKeyMessage.decode(given)));
  const { fingerprint, format, publicKey, keySpec } = read;
  if (encrypts(read))
    return {
      key: storedKey({ format, publicKey, usage: [], keySpec }),
      encrypts: true,
      fingerprint,
    };
  return { key: storedKey({ format, publicKey, usage: read.usage, keySpec }), fingerprint };
}
