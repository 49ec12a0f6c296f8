/**
 * Created-event blobs: a contract as base64 that one party hands to another for explicit disclosure. A blob that cannot be
 * read, or that is not exactly the contract that its id names, is refused (B-DSC-002, B-DSC-003, B-DSC-007).
 */
import { authenticates, authenticationDataFor, expectedSuffix, suffixOf } from './contract-id.js';
import { decodeFatContract, encodeFatContract, type FatContract } from './fat-contract.js';
import { invalidArgument, missingField } from '../model/identifiers.js';
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { isBase64 } from '../model/scans.js';
import { packagesFor, type PackageLookup } from '../model/package.js';
import { prettyTypeId } from '../codec/pretty.js';
import { ProtoFault, reading } from '../codec/protobuf/reading.js';
import type { ContractInstance } from '../model/transaction.js';

/** Standard base64 (S-ENC-002). */
export function createdEventBlob(packages: PackageLookup, instance: ContractInstance): string {
  return Buffer.from(createdEventBytes(packages, instance)).toString('base64');
}

/** The same in bytes, as messages hold it. */
export function createdEventBytes(packages: PackageLookup, instance: ContractInstance): Uint8Array {
  const known = packagesFor(packages, instance.templateId);
  return encodeFatContract(known, fatten(instance));
}

export interface DisclosedBlob {
  readonly contract: ContractInstance;
  /** Why it is not the contract that its id names. */
  readonly fault: LedgerError | undefined;
}

/** The contract that a blob discloses. Throws a LedgerError unless it is authentic. */
export function decodeBlob(packages: PackageLookup, base64: string): ContractInstance {
  const { contract, fault } = readBlob(packages, base64);
  if (fault) throw fault;
  return contract;
}

/** The same, but leaves the refusal of what is not authentic to the caller: it only counts for a contract that is used. */
export function readBlob(packages: PackageLookup, base64: string): DisclosedBlob {
  if (base64 === '') throw missingField('DisclosedContract.createdEventBlob');
  if (!isBase64(base64)) throw invalidArgument(`The string is not a valid Base64: ${base64}`);
  const bytes = Buffer.from(base64, 'base64');
  const { authenticationData, ...contract } = decode(packages, bytes);
  const fault = authenticationFault(contract, authenticationData);
  // One contract has one blob: other bytes that read the same are refused as well.
  if (!fault && createdEventBlob(packages, contract) !== bytes.toString('base64'))
    throw undecodable('the encoding is not canonical');
  return { contract, fault };
}

function authenticationFault(
  contract: ContractInstance,
  authenticationData: Uint8Array,
): LedgerError | undefined {
  const expected = authenticationDataFor(contract.contractId);
  if (Buffer.compare(authenticationData, expected) !== 0)
    return unauthentic(contract, 'the authentication data is not that of the contract id');
  if (authenticates(contract)) return undefined;
  const recomputed = expectedSuffix(contract);
  return unauthentic(
    contract,
    `Mismatching contract id suffixes. Expected: ${recomputed} vs actual: ${suffixOf(contract.contractId)}`,
  );
}

function decode(packages: PackageLookup, bytes: Uint8Array): FatContract {
  try {
    return reading(() => decodeFatContract(packages, bytes));
  } catch (error) {
    if (error instanceof ProtoFault) throw undecodable(error.message);
    throw error;
  }
}

function fatten(instance: ContractInstance): FatContract {
  return { ...instance, authenticationData: authenticationDataFor(instance.contractId) };
}

function undecodable(reason: string): LedgerError {
  return invalidArgument(
    `Unable to decode disclosed contract event payload: DecodeError(${reason})`,
  );
}

/** NOTE: the code of Canton 3.5; DISCLOSED_CONTRACT_AUTHENTICATION_FAILED is declared there, but never raised. */
function unauthentic({ contractId, templateId }: ContractInstance, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED', {
    cause:
      `Interpretation error: Error: Error when authenticating contract ${contractId} against template ` +
      `${prettyTypeId(templateId)}: failed to authenticate contract\n` +
      `The contract is purportedly an instance of ${prettyTypeId(templateId)}`,
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['TEMPLATE_ID', templateId],
    ],
    explanation: `The blob was changed after it left the ledger, or it comes from another one: ${reason}. Fetch it again.`,
  });
}
