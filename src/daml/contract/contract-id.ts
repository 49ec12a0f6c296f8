/**
 * Contract ids of Canton's V1 form: `00`, a discriminator from the transaction's seed, and a suffix that commits to the contract's data. So
 * a disclosed contract can be verified against its id. The first bytes of the suffix name its rules; each set of rules is a row here.
 */
import { contractIdError } from '../model/contract-id-text.js';
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
  /** The start of suffixes, hexadecimal. */
  readonly prefix: string;
  /** The hash of the contract's argument. */
  readonly hashing: 'legacy' | 'upgradeFriendly' | 'typedNormalForm';
}

/** The versions of networks with Canton 3.2, with Canton 3.3, and with protocol version 34 (Canton 3.4) or later. */
const VERSIONS = [
  { name: 'V10', prefix: 'ca10', hashing: 'legacy' },
  { name: 'V11', prefix: 'ca11', hashing: 'upgradeFriendly' },
  { name: 'V12', prefix: 'ca12', hashing: 'typedNormalForm' },
] as const satisfies readonly ContractIdVersion[];

const WRITTEN = VERSIONS[2];
/** SHA-256, 32 bytes. */
const MULTIHASH_PREFIX = '1220';
const VERSION_PREFIX = '00';
/** The number of digits of version and discriminator. */
const SUFFIX_START = 2 + 64;

/**
 * The id of the contract that a node of a transaction creates.
 * @param seed of the transaction, hexadecimal
 */
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
 * The salt of a contract of this network, hexadecimal. NOTE: a participant derives it from a secret of the transaction. Here, it is derived
 * from the discriminator, so that it need not be stored. Clients see no difference, because the salt only serves to verify the id.
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

/** The rules of an id; undefined if no participant uses them. */
export function versionOf(contractId: ContractId): ContractIdVersion | undefined {
  if (!contractId.startsWith(VERSION_PREFIX)) return undefined;
  const suffix = suffixOf(contractId);
  return VERSIONS.find(
    ({ prefix }) =>
      suffix.startsWith(prefix + MULTIHASH_PREFIX) && suffix.length === prefix.length + 68,
  );
}

/**
 * Whether a participant looks up a contract with this id. Of V2 ids, it accepts suffixes of form 0, relative and absolute ones. Other ids
 * have unknown versions (B-ID-033).
 */
export function isOfKnownVersion(contractId: ContractId): boolean {
  return versionOf(contractId) !== undefined || KNOWN_V2.test(contractId);
}

const KNOWN_V2 = /^01[0-9a-f]{24}(?:00|80)/;

/**
 * Returns a valid contract id.
 * @throws LedgerError MISSING_FIELD or INVALID_FIELD for other texts (B-ID-018)
 */
export function parseContractId(text: string, field = 'contract_id'): ContractId {
  return requireField((id) => contractIdError(id), text, field);
}
