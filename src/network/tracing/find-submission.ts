/** Finds what a client submitted by the ids that it gave, or got: the newest completion that has them. */
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../request-errors.js';
import type { Completion } from '../updates.js';

/** One of the two ids at least. */
export interface SubmissionIds {
  /** As the client gave it. */
  readonly commandId?: string | undefined;
  /** As the client gave it, or as its completion has it. */
  readonly submissionId?: string | undefined;
  /** The name of the one that it was submitted to; any where absent. */
  readonly participant?: string | undefined;
}

/**
 * @returns undefined where no completion has the ids: what is refused at once has none
 * @throws LedgerError INVALID_ARGUMENT where neither id is given
 */
export function newestCompletion(network: Network, ids: SubmissionIds): Completion | undefined {
  if (ids.commandId === undefined && ids.submissionId === undefined)
    throw invalidArgument('Say which submission: by commandId or by submissionId.');
  const asked = network.participants.filter(
    ({ name }) => ids.participant === undefined || name === ids.participant,
  );
  let newest: Completion | undefined;
  for (const participant of asked) {
    const found = completionOf(participant, ids);
    if (found && (newest === undefined || found.recordTime > newest.recordTime)) newest = found;
  }
  return newest;
}

function completionOf(
  { log }: Participant,
  { commandId, submissionId }: SubmissionIds,
): Completion | undefined {
  for (const { completion } of log.backwards()) {
    if (completion === undefined) continue;
    if (commandId !== undefined && completion.commandId !== commandId) continue;
    if (submissionId !== undefined && completion.submissionId !== submissionId) continue;
    return completion;
  }
  return undefined;
}
