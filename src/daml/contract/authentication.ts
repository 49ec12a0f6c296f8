/** Authenticates foreign contracts: it computes the hashes in the contract's id again. */
import { ProtobufError } from '../codec/protobuf/reading.js';
import type { PackageLookup } from '../model/package.js';
import { saltIn } from './authentication-data.js';
import { suffixOf, suffixWith, versionOf } from './contract-id.js';
import { hashContract } from './contract-hash.js';
import type { DecodedContract } from './fat-contract.js';
import { unicum } from './unicum.js';
import { hashUntyped } from './untyped-hash.js';

/** The reason why the contract does not match its id; undefined if it does. */
export function authenticationError(
  packages: PackageLookup,
  { contract, template, argument }: DecodedContract,
): string | undefined {
  const { contractId, authenticationData, packageName, templateId, payload } = contract;
  const version = versionOf(contractId);
  if (version === undefined)
    return `Malformed contract ID: Suffix '${suffixOf(contractId)}' is not a supported contract-id V1 prefix`;
  const salt = saltOrError(authenticationData);
  if (typeof salt !== 'string') return salt.message;
  const contractHash =
    version.hashing === 'typedNormalForm'
      ? hashContract(packages, { ...template, packageName }, payload)
      : hashUntyped(version.hashing, packageName, templateId, argument);
  const recomputed = suffixWith(version, unicum(salt, contract, contractHash));
  const actual = suffixOf(contractId);
  return recomputed === actual
    ? undefined
    : `Mismatching contract id suffixes. Expected: ${recomputed} vs actual: ${actual}`;
}

function saltOrError(authenticationData: Uint8Array): string | ProtobufError {
  try {
    return saltIn(authenticationData);
  } catch (error) {
    if (error instanceof ProtobufError) return error;
    throw error;
  }
}
