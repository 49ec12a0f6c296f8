/** Finds a submission by the ids that a client sent or received: the newest completion with these ids. */
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../model/request-errors.js';
import type { Completion } from '../model/updates.js';

/** At least one of the two ids. */
export interface SubmissionIds {
  /** The id that the client sent. */
  readonly commandId?: string | undefined;
  /** The id that the client sent, or that its completion has. */
  readonly submissionId?: string | undefined;
  /** The name of the participant that received it; any if absent. */
  readonly participant?: string | undefined;
}

/**
 * @returns undefined if no completion has the ids: a request that is rejected at once has no completion
 * @throws LedgerError INVALID_ARGUMENT if both ids are missing
 */
export function newestCompletion(network: Network, ids: SubmissionIds): Completion | undefined {
  if (ids.commandId === undefined && ids.submissionId === undefined)
    throw invalidArgument('Say which submission: by commandId or by submissionId.');
  const searched = network.participants.filter(
    ({ name }) => ids.participant === undefined || name === ids.participant,
  );
  let newest: Completion | undefined;
  for (const participant of searched) {
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
