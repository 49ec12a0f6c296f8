/** The details of a submission in completions and errors. */
import { StoredSubmissionInfo } from '../ledger/submission-info.js';
import type { Participant } from '../participant.js';
import type { Submission } from '../submission/submission.js';
import type { SubmissionInfo } from '../model/updates.js';

export function submissionInfo(participant: Participant, submission: Submission): SubmissionInfo {
  const { random, requestNumbers, partySets } = participant.ledger;
  return StoredSubmissionInfo.of(
    random,
    submission.submissionId || requestNumbers.ofSubmission(),
    participant.id,
    submission.userId,
    submission.commandId,
    partySets.named(submission.actAs),
    submission.readAs && partySets.of(submission.readAs),
  );
}
