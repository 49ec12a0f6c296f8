/** Converts errors of a network to errors for scripts. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ScriptRefusal } from '../failures.js';

/** @throws ScriptRefusal for errors of the network */
export function refusedAs<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof LedgerError)
      throw new ScriptRefusal(error.message, 'StatusRuntimeException', error);
    throw error;
  }
}

/** The network's answer; undefined if it refuses with one of the codes. */
export function unlessRefused<T>(codes: readonly string[], call: () => T): T | undefined {
  return refusedAs(() => {
    try {
      return call();
    } catch (error) {
      if (error instanceof LedgerError && codes.includes(error.code)) return undefined;
      throw error;
    }
  });
}
