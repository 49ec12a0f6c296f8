/**
 * Requests that wait for their submission. It executes them at once, unless the synchronizer is paused. Then they
 * wait until it resumes, within a participant's limits of time and number (B-CMD-040, B-CMD-041).
 */
import { clearTimeout, setTimeout } from 'node:timers';
import { TRACKING_TIMEOUT, type PendingSubmission } from '../../../network/ledger/in-flight.js';
import type { Ledger } from '../../../network/ledger/ledger.js';
import type { SubmissionResult } from '../../../network/ledger/in-flight.js';
import type { ReassignmentUpdate, TransactionUpdate } from '../../../network/model/updates.js';
import type { LedgerContext } from '../../handler.js';

type Update = TransactionUpdate | ReassignmentUpdate;
type Read<U, R> = (update: U, offset: number) => R;

/**
 * Submits, and reads the update back. The read may fail after the commit; a late rejection is an error for the
 * waiting caller.
 */
export function submitAndRead<U extends Update, R>(
  { network, participant }: Pick<LedgerContext, 'network' | 'participant'>,
  submission: () => SubmissionResult<U>,
  read: Read<U, R>,
): R | Promise<R> {
  network.inFlight.checkCapacity(participant);
  const result = submission();
  if (result.kind === 'rejected') throw result.error;
  if (result.kind === 'inFlight') return whenSequenced(network, result.pending, read);
  return read(result.update, result.completionOffset);
}

export function updateAndOffset({ updateId }: Update, completionOffset: number) {
  return { updateId, completionOffset };
}

/** For a command that is delayed until its ledger time. Rejects with the error of that time. */
export async function whenSent({ inFlight }: Ledger, held: PendingSubmission): Promise<object> {
  await inFlight.track(held);
  return {};
}

/** With virtual time, its jumps end the wait. With wall-clock time, this timer ends it. */
async function whenSequenced<U extends Update, R>(
  { clock, inFlight }: Ledger,
  pending: PendingSubmission<U>,
  read: Read<U, R>,
): Promise<R> {
  const timer =
    clock.mode === 'wall'
      ? setTimeout(() => inFlight.giveUp(pending), Number(TRACKING_TIMEOUT / 1000n)).unref()
      : undefined;
  try {
    const result = await inFlight.track(pending);
    if (result.kind === 'rejected') throw result.error;
    return read(result.update, result.completionOffset);
  } finally {
    clearTimeout(timer);
  }
}
