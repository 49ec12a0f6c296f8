/** Snapshots, reverts and resets. They do not change the request journal. */
import { InvariantError, LedgerError } from '../../daml/errors/ledger-error.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import { HttpRefusal, Reply, type SomeHandlers } from '../handler.js';

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

  /** @throws HttpRefusal 400 for a world that cannot be saved now */
  getWorld: ({ dump }, { query: { packages, format, participant, parties } }) => {
    const chosen = {
      ...(packages !== undefined && { packages }),
      ...(format !== undefined && { format }),
      ...(participant !== undefined && { participant }),
      ...(parties !== undefined && { parties: parties.split(',') }),
    };
    try {
      return new Reply(dump(chosen), { contentType: 'application/octet-stream' });
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      throw new HttpRefusal(400, (error as Error).message);
    }
  },

  resetNetwork: ({ network }) => {
    network.reset();
    return { time: formatTimestampMicros(network.clock.now()) };
  },
} satisfies SomeHandlers<'control'>;
