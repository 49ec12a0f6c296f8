/** Refusals of a network, as scripts meet them. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ScriptRefusal } from '../failures.js';

/** @throws ScriptRefusal for what the network refuses */
export function refusedAs<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof LedgerError)
      throw new ScriptRefusal(error.message, 'StatusRuntimeException', error);
    throw error;
  }
}

/** What the network answers, undefined where it refuses for one of the codes. */
export function unlessRefused<T>(codes: readonly string[], ask: () => T): T | undefined {
  return refusedAs(() => {
    try {
      return ask();
    } catch (error) {
      if (error instanceof LedgerError && codes.includes(error.code)) return undefined;
      throw error;
    }
  });
}
