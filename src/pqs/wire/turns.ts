/** The turns of connections at one database: only one uses its session at a time. */
import { clearTimeout, setTimeout } from 'node:timers';
import type { LocalSession, LocalStore } from '../store.js';
import { Backend } from './backend.js';
import { error, type SqlError } from './errors.js';

/** The use of the session by one connection, until it is in no transaction. */
export interface Turn {
  readonly backend: Backend;
  /** Resolves as soon as another use waits for the end of this one. */
  readonly blocks: Promise<void>;
  end(): void;
}

/** A wait for a turn. */
export interface Waiting {
  readonly turn: Promise<Turn>;
  /** Ends the wait with this error, if it has not ended. */
  cancel(cause: SqlError): void;
}

/** @param waitMs milliseconds until the wait ends with an error; without it, never */
export function waitForTurn(store: LocalStore, waitMs: number | undefined): Waiting {
  let isOver = false;
  let fail: (cause: SqlError) => void = () => undefined;
  const turn = new Promise<Turn>((resolve, reject) => {
    const timer =
      waitMs === undefined ? undefined : setTimeout(() => fail(waitedTooLong(waitMs)), waitMs);
    fail = (cause) => {
      isOver = true;
      clearTimeout(timer);
      reject(cause);
    };
    const use = (session: LocalSession): Promise<void> => {
      clearTimeout(timer);
      if (isOver) return Promise.resolve();
      isOver = true;
      return new Promise<void>((end) =>
        resolve({ backend: new Backend(session), blocks: session.blocks(), end }),
      );
    };
    store.runExclusive(use).catch(reject);
  });
  return {
    turn,
    cancel: (cause) => {
      if (!isOver) fail(cause);
    },
  };
}

const waitedTooLong = (waitMs: number): SqlError =>
  error(
    '55P03',
    'canceling statement due to lock timeout',
    `For ${waitMs} ms a transaction of another connection did not end. All connections to this database share one session, so a transaction blocks the statements of the others.`,
  );

export const blockedTooLong = (blockingMs: number) => ({
  code: '25P03',
  message: 'terminating connection due to idle-in-transaction timeout',
  hint: `The transaction blocked other connections for ${blockingMs} ms. All connections to this database share one session, so end each transaction soon.`,
});
