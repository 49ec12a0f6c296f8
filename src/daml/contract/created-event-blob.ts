/**
 * Created-event blobs: contracts as base64, which one party passes to another for explicit disclosure. A blob that cannot be decoded, or
 * that does not match its contract id, is refused (B-DSC-002, B-DSC-003, B-DSC-007). Blobs of real networks are valid as well.
 */
import { authenticationDataWith } from './authentication-data.js';
import { authenticationError } from './authentication.js';
import { saltOf } from './contract-id.js';
import {
  decodeFatContract,
  encodeFatContract,
  NOW,
  type BlobHead,
  type DecodedContract,
} from './fat-contract.js';
import { invalidArgument, missingField } from '../model/identifiers.js';
import type { LedgerError } from '../errors/ledger-error.js';
import { isBase64 } from '../model/scans.js';
import { packagesFor, type PackageLookup } from '../model/package.js';
import { ProtobufError } from '../codec/protobuf/reading.js';
import { authenticationFailed } from '../refusals/authentication-refusal.js';
import type { ContractInstance } from '../model/transaction.js';

/** Standard base64 (S-ENC-002). */
export function createdEventBlob(packages: PackageLookup, instance: ContractInstance): string {
  return Buffer.from(createdEventBytes(packages, instance)).toString('base64');
}

/** The blob as bytes, for protobuf messages. */
export function createdEventBytes(packages: PackageLookup, instance: ContractInstance): Uint8Array {
  if (instance.blob !== undefined) return instance.blob;
  const authenticationData = authenticationDataWith(saltOf(instance.contractId));
  const known = packagesFor(packages, instance.templateId);
  return encodeFatContract(known, { ...instance, authenticationData });
}

export interface DisclosedBlob {
  readonly contract: ContractInstance;
  /** The error if it does not match its contract id. */
  readonly error: LedgerError | undefined;
}

/**
 * The contract in a blob.
 * @throws LedgerError unless it is authentic
 */
export function decodeBlob(packages: PackageLookup, base64: string): ContractInstance {
  const { contract, error } = readBlob(packages, base64);
  if (error) throw error;
  return contract;
}

/**
 * Decodes a blob, and returns the error for a contract that is not authentic, which counts only if the contract is used.
 * @param accept refuses a contract by its head
 */
export function readBlob(
  packages: PackageLookup,
  base64: string,
  accept?: (head: BlobHead) => void,
): DisclosedBlob {
  if (base64 === '') throw missingField('DisclosedContract.createdEventBlob');
  if (!isBase64(base64)) throw invalidArgument(`The string is not a valid Base64: ${base64}`);
  return decodable(() =>
    readBlobBytes(packages, Buffer.from(base64, 'base64'), (head) => {
      accept?.(head);
      if (head.createdAt === NOW) throw invalidArgument("Contract creation time cannot be 'Now'");
    }),
  );
}

/** @throws ProtobufError if the bytes are not a contract; LedgerError PACKAGE_NOT_FOUND */
export function readBlobBytes(
  packages: PackageLookup,
  bytes: Uint8Array,
  accept?: (head: BlobHead) => void,
): DisclosedBlob {
  const decoded = decodeFatContract(packages, bytes, accept);
  const { authenticationData, ...contract } = decoded.contract;
  const error = authenticationError(packages, decoded);
  if (error !== undefined) return { contract, error: unauthentic(packages, decoded, error) };
  const own = authenticationDataWith(saltOf(contract.contractId));
  if (Buffer.compare(authenticationData, own) === 0) return { contract, error: undefined };
  return { contract: { ...contract, blob: Uint8Array.from(bytes) }, error: undefined };
}

function decodable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtobufError)
      throw invalidArgument(
        `Unable to decode disclosed contract event payload: DecodeError(${error.message})`,
      );
    throw error;
  }
}

/** NOTE: this is the code of Canton 3.5. It declares DISCLOSED_CONTRACT_AUTHENTICATION_FAILED, but never uses it. */
function unauthentic(
  packages: PackageLookup,
  { contract, template }: DecodedContract,
  reason: string,
): LedgerError {
  return authenticationFailed(
    packages,
    { contract, target: template, payload: contract.payload },
    `The blob was changed after it left its ledger: ${reason}. Fetch it again.`,
  );
}
