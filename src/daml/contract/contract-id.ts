/**
 * Contract ids of Canton's V1 form: `00`, a discriminator that the transaction's seed fixes, and a suffix that commits to everything
 * that the contract is, so that a contract that someone discloses can be checked against its own id. The suffix says in its first
 * bytes by which rules it was made; each set of rules is a row here.
 */
import { contractIdFault } from '../model/contract-id-text.js';
import { sha256Hex } from '../model/hash.js';
import { requireField } from '../model/identifiers.js';
import type { PackageLookup, Template } from '../model/package.js';
import type { ContractId } from '../model/values.js';
import { hashContract } from './contract-hash.js';
import type { ContractContents } from './fat-contract.js';
import { nodeSeed } from './node-seed.js';
import { unicum } from './unicum.js';

export interface ContractIdVersion {
  readonly name: string;
  /** What suffixes begin with, hexadecimal. */
  readonly prefix: string;
  /** How the hash of the contract's argument is computed. */
  readonly hashing: 'legacy' | 'upgradeFriendly' | 'typedNormalForm';
}

/** What the networks of Canton 3.2, of 3.3, and those since protocol version 34 (Canton 3.4) write. */
const VERSIONS = [
  { name: 'V10', prefix: 'ca10', hashing: 'legacy' },
  { name: 'V11', prefix: 'ca11', hashing: 'upgradeFriendly' },
  { name: 'V12', prefix: 'ca12', hashing: 'typedNormalForm' },
] as const satisfies readonly ContractIdVersion[];

const WRITTEN = VERSIONS[2];
/** Of SHA-256, and its 32 bytes. */
const MULTIHASH_PREFIX = '1220';
const VERSION_PREFIX = '00';
/** Version and discriminator, in digits. */
const SUFFIX_START = 2 + 64;

/** The id of the contract that a node of a transaction creates. @param seed of the transaction, hexadecimal */
export function contractIdAt(
  packages: PackageLookup,
  template: Template,
  seed: string,
  nodeId: number,
  contents: ContractContents,
): ContractId {
  return contractIdWith(packages, template, nodeSeed(seed, nodeId), contents);
}

/** @param discriminator 32 bytes, hexadecimal */
export function contractIdWith(
  packages: PackageLookup,
  template: Template,
  discriminator: string,
  contents: ContractContents,
): ContractId {
  const contractHash = hashContract(packages, template, contents.payload);
  const suffix = suffixWith(WRITTEN, unicum(saltFor(discriminator), contents, contractHash));
  return VERSION_PREFIX + discriminator + suffix;
}

export function suffixWith({ prefix }: ContractIdVersion, hash: string): string {
  return prefix + MULTIHASH_PREFIX + hash;
}

/**
 * The salt of a contract of ours, hexadecimal. NOTE: a participant derives it from a secret of the transaction; ours follows from
 * the discriminator, so that nothing needs to be kept with the contract. Nobody can tell: whoever has the salt checks only the id by it.
 */
export function saltOf(contractId: ContractId): string {
  return saltFor(contractId.slice(VERSION_PREFIX.length, SUFFIX_START));
}

function saltFor(discriminator: string): string {
  return sha256Hex(`canticle salt\n${discriminator}`);
}

export function suffixOf(contractId: ContractId): string {
  return contractId.slice(SUFFIX_START);
}

/** The rules by which an id was made; undefined where they are none of a participant's. */
export function versionOf(contractId: ContractId): ContractIdVersion | undefined {
  if (!contractId.startsWith(VERSION_PREFIX)) return undefined;
  const suffix = suffixOf(contractId);
  return VERSIONS.find(
    ({ prefix }) =>
      suffix.startsWith(prefix + MULTIHASH_PREFIX) && suffix.length === prefix.length + 68,
  );
}

/**
 * Whether a participant would look a contract up by its id. Of an id of V2 it takes the suffixes of the form 0, relative and absolute
 * ones; of any other id it knows no version (B-ID-033).
 */
export function isOfKnownVersion(contractId: ContractId): boolean {
  return versionOf(contractId) !== undefined || KNOWN_V2.test(contractId);
}

const KNOWN_V2 = /^01[0-9a-f]{24}(?:00|80)/;

/** Answers the text where it is a contract id; throws MISSING_FIELD or INVALID_FIELD where it is not (B-ID-018). */
export function parseContractId(text: string, field = 'contract_id'): ContractId {
  return requireField((id) => contractIdFault(id), text, field);
}
