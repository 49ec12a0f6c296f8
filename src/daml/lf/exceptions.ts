/** What compiled code throws: Daml exceptions, which `try` catches, and refusals, which it does not. */
import { ledgerError, type LedgerError } from '../ledger-error.js';
import type { TypeId } from '../types.js';
import type { ContractId } from '../values.js';
import { Any, TypeRep } from './runtime-values.js';
import { typeCon } from '../dar/lf-type.js';
import { prettyTypeId } from '../pretty.js';

const interpretation = (text: string): string => `Interpretation error: Error: ${text}`;

/** A Daml exception on its way to a handler. */
export class DamlException extends Error {
  override readonly name = 'DamlException';
  /** The exercises around the place that threw it, once known. */
  trace: string | undefined;
  constructor(
    /** The exception value with its type. */
    readonly value: Any,
  ) {
    super('Daml exception');
  }
}

export const ARITHMETIC_ERROR: TypeId =
  'ee33fb70918e7aaa3d3fc44d64a399fb2bf5bcefc54201b1690ecd448551ba88:DA.Exception.ArithmeticError:ArithmeticError';

export const ARITHMETIC_ERROR_TYPE = TypeRep.of(typeCon(ARITHMETIC_ERROR));

export function arithmeticError(builtin: string, ...operands: readonly string[]): DamlException {
  const message = `ArithmeticError while evaluating (${[builtin, ...operands].join(' ')}).`;
  return new DamlException(new Any(ARITHMETIC_ERROR_TYPE, { p0: message }));
}

export function userError(message: string): LedgerError {
  return ledgerError('INTERPRETATION_USER_ERROR', {
    cause: interpretation(`User abort: ${message}`),
    resources: [['EXCEPTION_TEXT', message]],
  });
}

export function notComparable(): LedgerError {
  return ledgerError('NON_COMPARABLE_VALUES', interpretation('functions are not comparable'));
}

/** Code that the type check of a participant would have refused. */
export function crash(reason: string): LedgerError {
  return ledgerError('DAML_INTERPRETATION_ERROR', interpretation(`CRASH: ${reason}`));
}

export function malformedBytes(value: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING', {
    cause: interpretation(`Invalid byte encoding format for ${value}:\n${reason}`),
  });
}

export function malformedKey(key: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY', {
    cause: interpretation(`Malformed public key for ${key}:\n${reason}`),
  });
}

export function malformedSignature(signature: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE', {
    cause: interpretation(`Malformed signature for ${signature}:\n${reason}`),
  });
}

export function notRequiringInterface(
  contractId: ContractId,
  templateId: TypeId,
  required: TypeId,
  requiring: TypeId,
): LedgerError {
  return ledgerError('CONTRACT_DOES_NOT_IMPLEMENT_REQUIRING_INTERFACE', {
    cause: interpretation(
      `Update failed due to contract ${contractId} not implementing the requiring interface\n` +
        `Expected contract to implement interface ${prettyTypeId(requiring)} requirring the interface ` +
        `${prettyTypeId(required)} but contract has type ${prettyTypeId(templateId)}`,
    ),
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['INTERFACE_ID', required],
      ['INTERFACE_ID', requiring],
    ],
  });
}
