/**
 * `VaultService`: the keys of a participant, new keys, and imported public keys. NOTE: the participant signs topology
 * transactions with a new key, but does not decrypt with it.
 */
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { tooLong } from '../../../daml/model/identifiers.js';
import {
  KEY_FORMAT,
  KEY_SPEC,
  keyUsages,
  type GeneratedKey,
  type PublicKeyMessage,
} from '../../../network/topology/party-keys.js';
import { fromBase64 } from '../../ledger-api/formats/crypto-messages.js';
import type { AdminContext } from '../admin-context.js';
import { NotServed, PlainRefusal } from '../not-served.js';
import {
  fieldNotSet,
  invariantViolation,
  plainError,
  unrecognizedEnum,
} from '../parsing/conversion.js';
import { fingerprint } from '../parsing/fields.js';
import { parsed, reading } from '../parsing/parsed.js';
import { ENCRYPTION_SPEC } from '../../../network/topology/encryption-keys.js';
import { encryptionKeyMessage, keyOf } from '../parsing/key-messages.js';
import { readImportedKey, type ImportedKey } from './imported-keys.js';
import { filterIn, storedKey, keysOf, usagesIn } from './known-keys.js';
import { newEncryptionKey, newSigningKey } from './new-keys.js';

const UNKNOWN = 2;
const LONGEST_NAME = 300;
const FORMAT = KEY_FORMAT.DER_X509_SUBJECT_PUBLIC_KEY_INFO;

const SPECS: Readonly<Record<string, number>> = {
  SIGNING_KEY_SPEC_UNSPECIFIED: KEY_SPEC.EC_CURVE25519,
  SIGNING_KEY_SPEC_EC_CURVE25519: KEY_SPEC.EC_CURVE25519,
  SIGNING_KEY_SPEC_EC_P256: KEY_SPEC.EC_P256,
  SIGNING_KEY_SPEC_EC_P384: KEY_SPEC.EC_P384,
  SIGNING_KEY_SPEC_EC_SECP256K1: KEY_SPEC.EC_SECP256K1,
};
const ENCRYPTION_SPECS: Readonly<Record<string, number>> = {
  ENCRYPTION_KEY_SPEC_UNSPECIFIED: ENCRYPTION_SPEC.EC_P256,
  ENCRYPTION_KEY_SPEC_EC_P256: ENCRYPTION_SPEC.EC_P256,
  ENCRYPTION_KEY_SPEC_RSA_2048: ENCRYPTION_SPEC.RSA_2048,
};

const listed = (context: AdminContext, filter: ReturnType<typeof filterIn>) =>
  keysOf(context).filter(filter);

const namedKey = ({ name, message }: ReturnType<typeof keysOf>[number]) => ({
  publicKey: message,
  name,
});

export interface NewKeyRequest {
  readonly keySpec: string;
  readonly name: string;
}

export interface SigningKeyRequest extends NewKeyRequest {
  readonly usage: readonly string[];
}

function specIn(specs: Readonly<Record<string, number>>, keySpec: string): number {
  const spec = specs[keySpec];
  if (spec === undefined) throw unrecognizedEnum('key_spec', keySpec);
  return spec;
}

function keyName(name: string): string {
  if (name.length > LONGEST_NAME)
    throw invariantViolation('KeyName', tooLong('KeyName', LONGEST_NAME, name));
  return name;
}

function readSigningKey({ keySpec, name, usage }: SigningKeyRequest) {
  const spec = specIn(SPECS, keySpec);
  const usages = usagesIn(usage);
  if (usages.length === 0) throw fieldNotSet('usage');
  return { spec, name: keyName(name), usages };
}

function addKey({ participant: { generatedKeys } }: AdminContext, key: GeneratedKey): void {
  generatedKeys.value = [...generatedKeys.value, key];
}

/** @throws LedgerError SIGNING_KEY_GENERATION_ERROR */
function generate(
  context: AdminContext,
  { spec, name, usages }: ReturnType<typeof readSigningKey>,
): object {
  const usage = keyUsages(usages);
  if (typeof usage === 'string')
    throw ledgerError('SIGNING_KEY_GENERATION_ERROR', {
      cause: 'Unable to create signing key',
      context: { reason: usage },
    });
  const { publicKey, secret } = newSigningKey(context.network.random, spec);
  const key: PublicKeyMessage = { format: FORMAT, publicKey, usage, keySpec: spec };
  addKey(context, { name, key: storedKey(key), secret });
  return { publicKey: keyOf(key) };
}

function generateToEncrypt(
  context: AdminContext,
  { spec, name }: { readonly spec: number; readonly name: string },
): object {
  const publicKey = newEncryptionKey(context.network.random, spec);
  const key = { format: FORMAT, publicKey, usage: [], keySpec: spec };
  addKey(context, { name, key: storedKey(key), encrypts: true });
  return { publicKey: encryptionKeyMessage(key) };
}

export interface ImportRequest {
  /** Base64. */
  readonly publicKey: string;
  readonly name: string;
}

/** A key that is known already does not change. */
function importKey(
  context: AdminContext,
  { fingerprint, name, ...key }: ImportedKey & { readonly name: string },
): object {
  if (!keysOf(context).some((each) => each.fingerprint === fingerprint))
    addKey(context, { name, ...key, isForeign: true });
  return { fingerprint };
}

/** An unknown key counts as deleted. @throws NotServed for the participant's signing and namespace keys */
function remove(context: AdminContext, given: string): object {
  const keys = keysOf(context);
  const [own, others] = [keys.filter(({ isOwn }) => isOwn), keys.filter(({ isOwn }) => !isOwn)];
  if (own.some((key) => key.fingerprint === given)) throw new NotServed('deleting its own keys');
  const { generatedKeys } = context.participant;
  generatedKeys.value = generatedKeys.value.filter(
    (_, index) => others[index]!.fingerprint !== given,
  );
  return {};
}

export const vault = {
  listMyKeys: parsed(filterIn, (context, filter) => ({
    privateKeysMetadata: listed(context, filter)
      .filter(({ isForeign }) => !isForeign)
      .map((key) => ({ publicKeyWithName: namedKey(key) })),
  })),
  listPublicKeys: parsed(
    filterIn,
    (context, filter) => ({ publicKeys: listed(context, filter).map(namedKey) }),
    () => new PlainRefusal(UNKNOWN, 'Application error processing RPC'),
  ),
  generateSigningKey: parsed(readSigningKey, generate),
  generateEncryptionKey: parsed(
    ({ keySpec, name }: NewKeyRequest) => ({
      spec: specIn(ENCRYPTION_SPECS, keySpec),
      name: keyName(name),
    }),
    generateToEncrypt,
  ),
  importPublicKey: parsed(
    ({ publicKey, name }: ImportRequest) => ({
      ...readImportedKey(fromBase64(publicKey)),
      name: keyName(name),
    }),
    importKey,
  ),
  deleteKeyPair: parsed((request: { readonly fingerprint: string }) => {
    return reading(
      () => fingerprint(request.fingerprint),
      ({ printed }) => plainError(`Failed to parse key fingerprint: ${printed}`),
    );
  }, remove),
};
