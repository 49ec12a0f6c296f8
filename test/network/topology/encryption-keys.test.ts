/** Keys by which others encrypt for a node, as messages contain them. */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { KEY_FORMAT } from '../../../src/network/topology/party-keys.js';
import {
  ENCRYPTION_SPEC,
  encryptionKeyOf,
  readEncryptionKey,
} from '../../../src/network/topology/encryption-keys.js';

const { RAW, DER_X509_SUBJECT_PUBLIC_KEY_INFO: SPKI } = KEY_FORMAT;
const spki = { type: 'spki', format: 'der' } as const;
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(spki);
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export(spki);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export(spki);
const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(spki);
const { EC_P256, RSA_2048 } = ENCRYPTION_SPEC;

it.each([
  ['a key on P-256', p256, SPKI, EC_P256, undefined],
  ['an RSA key', rsa, SPKI, RSA_2048, undefined],
  ['a raw key', p256, RAW, EC_P256, 'validate public key'],
  ['a key on another curve', p384, SPKI, EC_P256, 'validate public key'],
  ['a key of another kind', rsa, SPKI, EC_P256, 'validate public key'],
  ['a short RSA key', short, SPKI, RSA_2048, 'validate public key'],
  ['bytes that are no key', Buffer.from('no key'), SPKI, EC_P256, 'validate public key'],
  ['no format', p256, 0, EC_P256, '`format` is not set'],
  ['an unknown format', p256, 99, EC_P256, 'Unrecognized value `99` in enum field `format`'],
  ['no specification', p256, SPKI, 0, '`scheme` is not set'],
  ['an unknown specification', p256, SPKI, 9, 'Unrecognized value `9` in enum field `key_spec`'],
])('reads keys of its specifications alone: %s', (_, publicKey, format, keySpec, error) => {
  const read = () =>
    readEncryptionKey({ publicKey, format, keySpec, usage: [] } as Parameters<
      typeof readEncryptionKey
    >[0]);
  if (error === undefined) expect(read()).toMatchObject({ publicKey, keySpec, encrypts: true });
  else expect(read).toThrow(error);
});

it('the key of a node follows from the last 62 digits of its namespace', () => {
  const digits = 'cd'.repeat(31);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(`00${digits}`, 'hex');
  const { publicKey } = encryptionKeyOf(`one::1220ab${digits}`);
  expect(Buffer.from(publicKey).subarray(-65)).toEqual(ecdh.getPublicKey());
});
