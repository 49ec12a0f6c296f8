/** Remember a moment, go back to it, go back to the start. The request journal stays as it is. */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';

export const snapshots = {
  createSnapshot: ({ network }) => ({ snapshotId: network.snapshot() }),

  revertToSnapshot: ({ network }, { path: { snapshotId } }) => {
    try {
      network.revert(snapshotId);
    } catch (error) {
      throw error instanceof LedgerError ? new HttpRefusal(404, error.details.cause) : error;
    }
    return { snapshotId, time: formatTimestampMicros(network.clock.now()) };
  },

  resetNetwork: ({ network }) => {
    network.reset();
    return { time: formatTimestampMicros(network.clock.now()) };
  },
} satisfies SomeHandlers<'control'>;
