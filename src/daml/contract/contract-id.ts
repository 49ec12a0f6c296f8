/**
 * Contract ids of Canton's V1 form: `00`, a discriminator that the transaction's seed fixes, `ca12` and a hash. The hash
 * covers everything that a contract is, so a contract that someone discloses can be checked against its own id. NOTE: a participant
 * hashes the payload in its typed normal form, as keys are hashed here (key-hash.ts); this hash is a quick one of our own.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { contractIdFault, noteContractId, type ContractIdForm } from '../model/contract-id-text.js';
import type { ContractContents } from './fat-contract.js';
import { sha256 } from '../model/hash.js';
import { requireField } from '../model/identifiers.js';
import { invariant } from '../errors/ledger-error.js';
import { readWord } from './mixing.js';
import { writeNodeSeed } from './node-seed.js';
import type { ContractInstance } from '../model/transaction.js';
import { DIGEST_BYTES, ValueDigest } from './value-digest.js';
import type { ContractId, Party } from '../model/values.js';

/** Version, discriminator, suffix: `00`, 32 bytes, and what authenticates the contract. */
const DISCRIMINATOR_BYTES = 32;
const SUFFIX_AT = 1 + DISCRIMINATOR_BYTES;
/** How suffixes begin since protocol version 34, and the multihash prefix of SHA-256, whose length the digest has. */
const SUFFIX = [0xca, 0x12, 0x12, 0x20];
const SUFFIX_START = 2 * SUFFIX_AT;
const FORM: ContractIdForm = { version: 1, suffixed: true };
/** Filled anew for each id. */
const SCRATCH = Buffer.alloc(SUFFIX_AT + SUFFIX.length + DIGEST_BYTES);
SCRATCH.set(SUFFIX, SUFFIX_AT);

export function makeContractId(discriminator: Uint8Array, contents: ContractContents): ContractId {
  invariant(
    discriminator.length === DISCRIMINATOR_BYTES,
    'the discriminator of a contract id has 32 bytes',
  );
  SCRATCH.set(discriminator, 1);
  return authenticated(contents);
}

/** The id of the contract that a node of a transaction creates. @param seed of the transaction */
export function contractIdAt(
  seed: Uint8Array,
  nodeId: number,
  contents: ContractContents,
): ContractId {
  writeNodeSeed(SCRATCH, 1, seed, nodeId);
  return authenticated(contents);
}

/** Whether the contract is what its id says. */
export function authenticates(instance: ContractInstance): boolean {
  return instance.contractId === expected(instance);
}

/** The suffix that the id of such a contract must have. */
export function expectedSuffix(instance: ContractInstance): string {
  return suffixOf(expected(instance));
}

function expected(instance: ContractInstance): ContractId {
  SCRATCH.fill(0, 1, SUFFIX_AT);
  SCRATCH.write(instance.contractId.slice(2, SUFFIX_START), 1, 'hex');
  return authenticated(instance);
}

/** Behind the discriminator, which stands there already. */
function authenticated(contents: ContractContents): ContractId {
  const { payload, createdAt, key } = contents;
  const digest = new ValueDigest();
  for (let at = 1; at < SUFFIX_AT; at += 4) digest.word(readWord(SCRATCH, at));
  const circumstances = circumstancesOf(contents);
  digest.word(circumstances.low);
  digest.word(circumstances.high);
  digest.value(payload);
  digest.value(createdAt);
  if (key !== undefined) {
    digest.text(key.hash);
    digest.value(key.maintainers);
  }
  digest.write(SCRATCH, SUFFIX_AT + SUFFIX.length);
  const id = SCRATCH.toString('hex');
  noteContractId(id, FORM);
  return id;
}

/** What contracts share that have one template and the same parties, and its digest. */
interface Circumstances {
  readonly templateId: string;
  readonly packageName: string;
  readonly observers: readonly Party[];
  readonly low: number;
  readonly high: number;
}

/** By the array of the signatories; those that contracts share are few. */
const CIRCUMSTANCES = new WeakMap<readonly Party[], Circumstances[]>();
const MAX_KEPT = 16;

function circumstancesOf({
  templateId,
  packageName,
  signatories,
  observers,
}: ContractContents): Circumstances {
  let kept = CIRCUMSTANCES.get(signatories);
  if (kept !== undefined)
    for (const each of kept)
      if (
        each.observers === observers &&
        each.templateId === templateId &&
        each.packageName === packageName
      )
        return each;
  const digest = new ValueDigest();
  digest.value([templateId, packageName, signatories, observers]);
  const { low, high } = digest.state;
  const found = { templateId, packageName, observers, low, high };
  // An array that may still change stands for nothing.
  if (!Object.isFrozen(signatories) || !Object.isFrozen(observers)) return found;
  if (kept === undefined) CIRCUMSTANCES.set(signatories, (kept = []));
  if (kept.length >= MAX_KEPT) kept.shift();
  kept.push(found);
  return found;
}

export function suffixOf(contractId: ContractId): string {
  return contractId.slice(SUFFIX_START);
}

/**
 * The salt of the contract in Canton's own wrapping (`UntypedVersionedMessage` of `ContractAuthenticationData`). Canton
 * draws it from a secret of the transaction; here the discriminator stands for that.
 */
export function authenticationDataFor(contractId: ContractId): Uint8Array {
  const salt = sha256('canticle salt\n', contractId.slice(0, SUFFIX_START));
  const hmacSha256 = 1;
  const saltMessage = new BinaryWriter()
    .tag(1, WireType.Varint)
    .int32(hmacSha256)
    .tag(2, WireType.LengthDelimited)
    .bytes(salt)
    .finish();
  const data = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(saltMessage).finish();
  return new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(data)
    .tag(2, WireType.Varint)
    .int32(30)
    .finish();
}

/** Answers the text where it is a contract id; throws MISSING_FIELD or INVALID_FIELD where it is not (B-ID-018). */
export function parseContractId(text: string, field = 'contract_id'): ContractId {
  return requireField((id) => contractIdFault(id), text, field);
}
