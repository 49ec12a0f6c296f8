/** Checks of requests that several services share, before the participant receives them. */
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import { IN_JSON_LAYER, loggedIn } from '../../../daml/errors/logging-context.js';
import { uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import type { ParticipantLog } from '../../../network/ledger/participant-log.js';
import {
  missingField,
  offsetAfterLedgerEnd,
  prunedDataAccessed,
} from '../../../network/model/request-errors.js';
import type { SynchronizerId } from '../../../network/model/ids.js';
import type { Caller } from '../../../network/administration/user-rights.js';
import { releaseOf } from '../../../spec/versions.js';
import type { LedgerContext } from '../../handler.js';

/** Runs a step that the JSON layer does before it calls the service. Its errors look like those of the service. */
export const inJsonLayer = <R>(run: () => R): R => loggedIn(IN_JSON_LAYER, run);

/**
 * Requires a message that a body may omit although its schema requires it: only the participant rejects it
 * (B-GEN-016).
 */
export function requirePresence<T>(message: T | undefined, field: string): T {
  if (message === undefined) throw missingField(field);
  return message;
}

/**
 * @throws LedgerError OFFSET_AFTER_LEDGER_END, PARTICIPANT_PRUNED_DATA_ACCESSED if the contracts at that offset are
 * pruned
 */
export function requireActiveAt({ end, prunedUpTo }: ParticipantLog, offset: number): void {
  if (offset > end) throw offsetAfterLedgerEnd('active_at_offset', offset, end);
  if (offset < prunedUpTo)
    throw prunedDataAccessed(
      `Active contracts request at offset ${offset} precedes pruned offset ${prunedUpTo}`,
      prunedUpTo,
    );
}

/** @throws LedgerError PARTICIPANT_PRUNED_DATA_ACCESSED if some of the updates are pruned */
export function requireUnpruned({ prunedUpTo }: ParticipantLog, from: number, to: number): void {
  if (from < prunedUpTo)
    throw prunedDataAccessed(
      `Transactions request from ${from + 1} to ${to} precedes pruned offset ${prunedUpTo}`,
      prunedUpTo,
    );
}

/** For the package services, which read the id with the wire form. @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
export function optionalSynchronizer(id: string | undefined): SynchronizerId | undefined {
  if (!id) return undefined;
  const error = uniqueIdentifierError(id);
  if (error === undefined) return id;
  throw protoDeserializationFailure(`ValueConversionError(synchronizer_id,${error})`);
}

/** For services that read requests in the wire form. @param reason the participant's text of the error */
export function protoDeserializationFailure(reason: string): LedgerError {
  return ledgerError('PROTO_DESERIALIZATION_FAILURE', {
    cause: 'Deserialization of protobuf message failed',
    context: { reason },
  });
}

/** Without authorization every caller has all rights; a token still names the caller (B-AUTH-016). */
export function callerOf({ userId, claims, apiVersion, participant }: LedgerContext): Caller {
  return {
    rules: participant.rules,
    isParticipantAdmin: claims?.isAdmin ?? true,
    mayNameUnknown: releaseOf(apiVersion).grantsForUnknownParties,
    userId,
  };
}

/**
 * The identity provider of the users: if a request cannot name one, as in JSON, the provider that the caller
 * administers.
 */
export function impliedIdentityProvider(
  { claims }: LedgerContext,
  query: object = {},
): string | undefined {
  const named = (query as { 'identity-provider-id'?: string })['identity-provider-id'];
  return named ? named : claims && !claims.isAdmin ? claims.identityProviderId : undefined;
}
