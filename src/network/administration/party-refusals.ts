/** The participant's errors of allocating, finding and updating parties. */
import { abbreviatedId } from '../model/ids.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party, SynchronizerId } from '../model/ids.js';
import { PLAIN } from '../../daml/errors/logging-context.js';
import { invalidArgument } from '../model/request-errors.js';

function refusal(code: LedgerError['code'], cause: string, party: Party): LedgerError {
  return ledgerError(code, { cause, resources: [['PARTY', party]] });
}

export const notFound = (operation: string, party: Party): LedgerError =>
  refusal('PARTY_NOT_FOUND', `Party: '${party}' was not found when ${operation}`, party);

export const invalidUpdate = (party: Party, reason: string): LedgerError =>
  refusal(
    'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
    `Update operation for party '${party}' failed due to: ${reason}`,
    party,
  );

export const concurrentUpdate = (party: Party): LedgerError =>
  refusal(
    'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED',
    `Update operation for party '${party}' failed due to a concurrent update to the same party`,
    party,
  );

export const tooManyAnnotations = (party: Party): LedgerError =>
  refusal(
    'MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED',
    `Maximum annotations size for party '${party}' has been exceeded`,
    party,
  );

/** The participant answers INVALID_ARGUMENT and not a conflict (B-PTY-003). */
export const alreadyAllocated = (party: Party): LedgerError =>
  invalidArgument(
    `Party already exists: party ${abbreviatedId(party)} is already allocated on this node`,
  );

/** An internal error with nothing but its text. */
export const internalError = (cause: string): LedgerError =>
  ledgerError('LEDGER_API_INTERNAL_ERROR', { cause, undetailed: true });

/** @param synchronizer as the request names it */
export const notConnected = (synchronizer: SynchronizerId): LedgerError =>
  ledgerError('NOT_CONNECTED_TO_SYNCHRONIZER', {
    cause: `This participant is not connected to synchronizer ${synchronizer}.`,
    context: { synchronizer },
  }).logIn(PLAIN);

/** The sequencer rejects the participant that left, when it sends its certificate again. */
export const cannotRejoin = (): LedgerError =>
  ledgerError(
    'INITIAL_ONBOARDING_ERROR',
    'Transport(Status{code=FAILED_PRECONDITION, description=Unable to register onboarding topology transactions, cause=null})',
  );

export const withoutSynchronizer = (): LedgerError =>
  ledgerError(
    'PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER',
    'Cannot allocate a party without being connected to a synchronizer',
  ).logIn(PLAIN);

export const cannotDetermineSynchronizer = (party: Party): LedgerError =>
  ledgerError('PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER', {
    cause: `Cannot determine the synchronizer on which to allocate party ${abbreviatedId(party)}, because the participant is connected to multiple synchronizers and no synchronizer was specified.`,
    context: { partyId: party },
  }).logIn(PLAIN);
