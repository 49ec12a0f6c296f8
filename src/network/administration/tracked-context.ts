/**
 * The log context while a participant waits for a party to appear: its tracker identifies the party by an id
 * (B-ERR-033).
 */
import {
  callContext,
  type LoggedValue,
  type LoggingContext,
} from '../../daml/errors/logging-context.js';
import { sha256 } from '../../daml/model/hash.js';
import { multihash, type ParticipantId, type Party } from '../model/ids.js';

/** The id is the same for each request for the party. */
export function trackedContext(
  participantId: ParticipantId,
  party: Party,
  values: Readonly<Record<string, LoggedValue>> = {},
): LoggingContext {
  const submissionId = (): string => multihash(sha256(`tracked/${participantId}/${party}`));
  return callContext(() => ({ ...values, submissionId: submissionId() }), submissionId);
}
