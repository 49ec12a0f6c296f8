/**
 * Contract ids of Canton's V1 form: `00`, a discriminator that the transaction's seed fixes, `ca12` and a hash. The hash
 * covers everything that a contract is, so a contract that someone discloses can be checked against its own id.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { contractIdFault } from './contract-id-text.js';
import { canonicalText } from './canonical-text.js';
import type { ContractContents } from './fat-contract.js';
import { sha256, sha256Hex, toHex } from './hash.js';
import { requireField } from './identifiers.js';
import { invariant } from './ledger-error.js';
import type { PackageLookup } from './package.js';
import type { ContractInstance } from './transaction.js';
import type { ContractId, DamlValue, Party } from './values.js';

const V1 = '00';
const DISCRIMINATOR_DIGITS = 64;
/** The suffix of contract ids since protocol version 34, and the multihash prefix of SHA-256. */
const SUFFIX = 'ca12';
const MULTIHASH = '1220';
const SUFFIX_START = V1.length + DISCRIMINATOR_DIGITS;

export function makeContractId(
  packages: PackageLookup,
  discriminator: Uint8Array,
  contents: ContractContents,
): ContractId {
  return contractIdFor(packages, toHex(discriminator), contents);
}

/** @param discriminator hexadecimal */
export function contractIdFor(
  packages: PackageLookup,
  discriminator: string,
  contents: ContractContents,
): ContractId {
  const prefix = V1 + discriminator;
  invariant(prefix.length === SUFFIX_START, 'the discriminator of a contract id has 32 bytes');
  // In one piece: texts that are joined keep their parts, and ids are kept for ever.
  return [prefix, contractIdSuffix(packages, prefix, contents)].join('');
}

/** Whether the contract is what its id says. */
export function authenticates(packages: PackageLookup, instance: ContractInstance): boolean {
  const { contractId } = instance;
  return (
    contractId.slice(SUFFIX_START) ===
    contractIdSuffix(packages, contractId.slice(0, SUFFIX_START), instance)
  );
}

/** The suffix that the id of such a contract must have. */
export function contractIdSuffix(
  packages: PackageLookup,
  prefix: string,
  contents: ContractContents,
): string {
  const { payload, createdAt, key } = contents;
  const parts: DamlValue[] = [prefix, circumstancesOf(contents), payload, createdAt];
  if (key) parts.push(key.hash, key.maintainers);
  return SUFFIX + MULTIHASH + sha256Hex(`canticle contract id\n${canonicalText(parts)}`);
}

/** What contracts share that have one template and the same parties, and its hash. */
interface Circumstances {
  readonly templateId: string;
  readonly packageName: string;
  readonly observers: readonly Party[];
  readonly hash: string;
}

/** By the array of the signatories; those that contracts share are few. */
const CIRCUMSTANCES = new WeakMap<readonly Party[], Circumstances[]>();
const MAX_KEPT = 16;

function circumstancesOf(contents: ContractContents): string {
  const { templateId, packageName, signatories, observers } = contents;
  let kept = CIRCUMSTANCES.get(signatories);
  const known = kept?.find(
    (each) =>
      each.observers === observers &&
      each.templateId === templateId &&
      each.packageName === packageName,
  );
  if (known !== undefined) return known.hash;
  const hash = sha256Hex(canonicalText([templateId, packageName, signatories, observers]));
  // An array that may still change stands for nothing.
  if (!Object.isFrozen(signatories) || !Object.isFrozen(observers)) return hash;
  if (kept === undefined) CIRCUMSTANCES.set(signatories, (kept = []));
  if (kept.length >= MAX_KEPT) kept.shift();
  kept.push({ templateId, packageName, observers, hash });
  return hash;
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
