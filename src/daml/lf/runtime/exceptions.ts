/** Errors of compiled code: Daml exceptions, which `try` catches, and other errors, which it does not. */
import { interpretation, ledgerError, type LedgerError } from '../../errors/ledger-error.js';
import type { TypeId } from '../../model/types.js';
import type { ContractId } from '../../model/values.js';
import { Any, TypeRep } from './runtime-values.js';
import { typeCon } from '../../archive/lf-type.js';
import { prettyTypeId } from '../../codec/pretty.js';

/** A thrown Daml exception. */
export class DamlException extends Error {
  override readonly name = 'DamlException';
  /** The exercises around the throwing code, once known. */
  trace: string | undefined;
  /** Whether handlers ignore it. */
  isFinal = false;
  constructor(
    /** The exception value with its type. */
    readonly value: Any,
  ) {
    super('Daml exception');
  }
}

/** Runs contract code whose exceptions no handler may catch. */
export function uncaught<T>(code: () => T): T {
  try {
    return code();
  } catch (error) {
    if (error instanceof DamlException) error.isFinal = true;
    throw error;
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

export function malformedBytes(value: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_CRYPTO_ERROR_MALFORMED_BYTE_ENCODING', {
    cause: interpretation(`Invalid byte encoding format for ${value} :\n${reason}`),
    resources: [['CRYPTO_VALUE', value]],
  });
}

export function malformedKey(key: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_CRYPTO_ERROR_MALFORMED_KEY', {
    cause: interpretation(`Malformed public key for ${key} :\n${reason}`),
    resources: [['CRYPTO_VALUE', key]],
  });
}

export function malformedSignature(signature: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_CRYPTO_ERROR_MALFORMED_SIGNATURE', {
    cause: interpretation(`Malformed signature for ${signature} :\n${reason}`),
    resources: [['CRYPTO_VALUE', signature]],
  });
}

export function externalCallMalformed(extension: string, name: string): LedgerError {
  const reason = 'Invalid external call config or input: expected canonical lowercase hex';
  return ledgerError('INTERPRETATION_EXTERNAL_CALL_ERROR_PREPARATION_FAILED', {
    cause: interpretation(
      `External call preparation failed (extensionId=${extension}, functionId=${name}): ${reason}`,
    ),
    resources: externalCallResources(extension, name, reason),
  });
}

/** The reason of a participant without extension services (R-36-079). */
export const NO_SERVICE = 'External calls not supported';

/** @param reason of the host, or of the service (R-36-078) */
export function externalCallFailed(extension: string, name: string, reason: string): LedgerError {
  return ledgerError('INTERPRETATION_EXTERNAL_CALL_ERROR_EXECUTION_FAILED', {
    cause: interpretation(
      `External call execution failed (extensionId=${extension}, functionId=${name}): call failed: ${reason}`,
    ),
    resources: externalCallResources(extension, name, reason),
  });
}

export function externalOutputMalformed(extension: string, name: string): LedgerError {
  const reason = 'Invalid external call output: expected canonical lowercase hex';
  return ledgerError('INTERPRETATION_EXTERNAL_CALL_ERROR_INVALID_OUTPUT', {
    cause: interpretation(
      `External call execution failed (extensionId=${extension}, functionId=${name}): invalid output: ${reason}`,
    ),
    resources: externalCallResources(extension, name, reason),
  });
}

function externalCallResources(extension: string, name: string, reason: string) {
  return [
    ['EXTERNAL_CALL_EXTENSION_ID', extension],
    ['EXTERNAL_CALL_FUNCTION_ID', name],
    ['EXCEPTION_TEXT', reason],
  ] as const;
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
