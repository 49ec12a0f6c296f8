/** The refusal of a DAR: the code, cause and context of the error. */
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { LedgerError } from '../../../src/daml/errors/ledger-error.js';

export interface Refusal {
  readonly code: string;
  readonly cause: string;
  readonly context: Readonly<Record<string, string>>;
}

export function errorOf(...args: Parameters<typeof readDar>): LedgerError {
  try {
    readDar(...args);
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('The DAR was accepted.');
}

export function refusalOf(...args: Parameters<typeof readDar>): Refusal {
  const { code, details } = errorOf(...args);
  return { code, cause: details.cause, context: details.context ?? {} };
}

/** The stack of the refusal, as a failed test shows it. */
export function stackOf(...args: Parameters<typeof readDar>): string {
  try {
    readDar(...args);
  } catch (error) {
    return String((error as Error).stack);
  }
  throw new Error('The DAR was accepted.');
}

/** `reason` of DAR_PARSE_ERROR. */
export function parseFault(...args: Parameters<typeof readDar>): string {
  const { code, context } = refusalOf(...args);
  return code === 'DAR_PARSE_ERROR' ? context['reason']! : `${code}, not DAR_PARSE_ERROR`;
}

/** The fault that DAR_VALIDATION_ERROR reports, without its class path. */
export function validationFault(...args: Parameters<typeof readDar>): string {
  const { code, context } = refusalOf(...args);
  if (code !== 'DAR_VALIDATION_ERROR')
    return `${code}, not DAR_VALIDATION_ERROR: ${JSON.stringify(context)}`;
  return context['validationError']!.replace('com.digitalasset.daml.lf.validation.', '');
}
