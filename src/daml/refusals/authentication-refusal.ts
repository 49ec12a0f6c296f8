/** The error for a contract that does not match its id, in Canton's words. */
import { prettyStored, prettyTypeId } from '../codec/pretty.js';
import { encodeValueProto } from '../codec/protobuf/value.js';
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import type { PackageLookup, Template } from '../model/package.js';
import type { ContractInstance } from '../model/transaction.js';
import type { DamlRecord } from '../model/values.js';

export interface Unauthenticated {
  readonly contract: Pick<ContractInstance, 'contractId' | 'templateId'>;
  /** The required version of its template, and its payload in that version. */
  readonly target: Template;
  readonly payload: DamlRecord;
}

export function authenticationFailed(
  packages: PackageLookup,
  { contract: { contractId, templateId }, target, payload }: Unauthenticated,
  explanation: string | undefined,
): LedgerError {
  const { id, payloadType } = target;
  const argument = encodeValueProto(packages, payloadType, payload);
  return ledgerError('INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED', {
    cause:
      `Interpretation error: Error: Error when authenticating contract ${contractId} against template ` +
      `${prettyTypeId(id)} : failed to authenticate contract\n` +
      `The contract is purportedly an instance of ${prettyTypeId(templateId)}\n` +
      `The contract argument is ${prettyStored(packages, payloadType, payload)}`,
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['TEMPLATE_ID', id],
      ['CONTRACT_ARG', Buffer.from(argument).toString('base64')],
    ],
    explanation,
  });
}
