/** Keys that scripts generate are those that others read, and what they sign verifies. */
import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2';
import { derKeys, readPrivateKey, sign } from '../../src/script/secp256k1-keys.js';

const secret = sha256('a secret');
const { privateKey, publicKey } = derKeys(secret);
const der = (hex: string) => ({ key: Buffer.from(hex, 'hex'), format: 'der' }) as const;

it("form a pair, in Java's formats", () => {
  const read = createPrivateKey({ ...der(privateKey), type: 'pkcs8' });
  const own = createPublicKey(read).export({ format: 'der', type: 'spki' });
  expect(own.toString('hex')).toBe(publicKey);
  expect(readPrivateKey(privateKey)).toEqual(secret);
});

it('sign digests', () => {
  const message = Buffer.from('what is signed');
  const signature = sign(secret, sha256(message));
  const key = createPublicKey({ ...der(publicKey), type: 'spki' });
  expect(verify('sha256', message, key, signature)).toBe(true);
  expect(verify('sha256', Buffer.from('something else'), key, signature)).toBe(false);
  expect(sign(secret, sha256(message))).toEqual(signature);
});

it.each(['', '00', publicKey, privateKey.replace(/0420.{64}/, `0420${'f'.repeat(64)}`)])(
  'are rejected if they are invalid: %s',
  (hex) => {
    expect(() => readPrivateKey(hex)).toThrow('invalid key format');
  },
);
