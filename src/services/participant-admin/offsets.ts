/**
 * Finds the offset for a time: `PartyManagementService` uses it to export past contracts, and `PruningService` to
 * prune earlier data.
 */
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { abbreviatedId } from '../../network/model/ids.js';
import { invalidArgument } from '../../network/model/request-errors.js';
import { unrecognizedEnum, valueConversion } from './parsing/conversion.js';
import { instant, positiveOffsetError, required, uniqueIdentifier } from './parsing/fields.js';
import { invalidArgumentAlone, parsed, reading } from './parsing/parsed.js';
import type { AdminContext } from './admin-context.js';

export interface TimeOnSynchronizer {
  readonly synchronizerId: string;
  readonly timestamp?: string;
  /** Uses the end of the ledger for a time that the synchronizer has not reached yet. */
  readonly force: boolean;
}

const refused = (reason: string) => ledgerError('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', reason);

/**
 * NOTE: as on a participant, the synchronizer is checked before the time.
 * @throws LedgerError INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR, UNPROCESSED_REQUESTED_TIMESTAMP,
 * INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR
 */
function getHighestOffsetByTimestamp(context: AdminContext, request: TimeOnSynchronizer) {
  const { network, participant } = context;
  const { synchronizerId: id, timestamp, force } = request;
  const failed = ({ message }: Error) => refused(message);
  reading(() => uniqueIdentifier('synchronizer_id', id), failed);
  const synchronizer = network.synchronizers.find((each) => each.id === id);
  const shortId = abbreviatedId(id);
  if (synchronizer === undefined || !participant.registered.includes(id))
    throw refused(`Synchronizer id ${shortId} is unknown`);
  const time = reading(() => instant(required('timestamp', timestamp)), failed);
  const { log } = participant;
  const clean = synchronizer.recordTime;
  const last = clean === undefined ? 0 : lastOn(context, id, log.lastOffsetUntil(time));
  const requestedTimestamp = formatInstant(time);
  if (clean === undefined || last === 0) {
    const reason = `The participant does not yet have a ledger offset before or at the requested timestamp: ${requestedTimestamp}`;
    throw ledgerError('INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR', {
      cause: `No ledger offset found for the requested timestamp ${requestedTimestamp} on synchronizer ${shortId} (using force flag = ${force}): ${reason}`,
      context: { requestedTimestamp, synchronizerId: shortId, force: String(force), reason },
    });
  }
  if (time > clean && !force) {
    const cleanSynchronizerTimestamp = formatInstant(clean);
    throw ledgerError('UNPROCESSED_REQUESTED_TIMESTAMP', {
      cause: `Requested timestamp ${requestedTimestamp} exceeds the clean synchronizer timestamp ${cleanSynchronizerTimestamp}.`,
      context: { requestedTimestamp, cleanSynchronizerTimestamp, synchronizerId: shortId },
    });
  }
  return { ledgerOffset: force && time >= clean ? log.end : last };
}

/** The last offset up to the given one that came from the synchronizer; 0 if all of them are pruned or none exists. */
function lastOn({ participant: { log } }: AdminContext, id: string, upTo: number): number {
  for (const { offset, synchronizerId } of log.backwards(log.prunedUpTo, upTo))
    if (synchronizerId === id) return offset;
  return 0;
}

interface CommitmentsState {
  /** The counter-participants whose commitments are awaited, if stated. */
  readonly counterParticipantsCommitmentsState?: string;
}

export interface SafeOffsetQuery extends CommitmentsState {
  readonly beforeOrAt?: string;
  readonly ledgerEnd: number;
}

export interface PruneRequest extends CommitmentsState {
  readonly pruneUpTo: number;
}

const COMMITMENT_STATES: Readonly<Record<string, number>> = {
  SAFE_TO_PRUNE_COMMITMENT_STATE_MATCH: 1,
  SAFE_TO_PRUNE_COMMITMENT_STATE_MATCH_MISMATCH: 2,
  SAFE_TO_PRUNE_COMMITMENT_STATE_ALL: 3,
};

/** NOTE: Canticle does not wait for commitments of others, so it only checks the value. */
function checkState(state: string | undefined): void {
  if (state === undefined || state in COMMITMENT_STATES) return;
  const number = /^-?\d+$/.test(state) ? state : '0';
  throw unrecognizedEnum('safe_to_prune_commitment_state', number);
}

/**
 * All offsets before the ledger's end are safe, because Canticle does not wait for commitments of others.
 * @throws LedgerError NO_INTERNAL_PARTICIPANT_DATA_BEFORE
 */
function safeOffset(
  { participant }: AdminContext,
  { time, ledgerEnd }: { readonly time: Timestamp; readonly ledgerEnd: number },
): object {
  const { log } = participant;
  const last = Math.min(log.lastOffsetUntil(time), ledgerEnd);
  const beforeOrAt = formatInstant(time);
  if (last === 0)
    throw ledgerError('NO_INTERNAL_PARTICIPANT_DATA_BEFORE', {
      cause: `No internal participant data to prune up to time ${beforeOrAt} and offset ${ledgerEnd}.`,
      context: { beforeOrAt, boundInclusive: String(ledgerEnd) },
    });
  const safe = Math.min(last, log.end - 1);
  return safe === 0 ? { noSafePruningOffset: {} } : { safePruningOffset: safe };
}

const getSafePruningOffset = parsed(
  (request: SafeOffsetQuery) => {
    const time = instant(required('before_or_at', request.beforeOrAt));
    const { ledgerEnd } = request;
    const error = positiveOffsetError(ledgerEnd);
    if (error !== undefined) throw valueConversion('ledger_end', error);
    checkState(request.counterParticipantsCommitmentsState);
    return { time, ledgerEnd };
  },
  safeOffset,
  ({ printed }) => invalidArgumentAlone(`Invalid GetSafePruningOffsetRequest: ${printed}`),
);

/** @throws LedgerError INVALID_ARGUMENT; INTERNAL_PRUNING_ERROR for an offset after the ledger's end */
const prune = parsed(
  (request: PruneRequest) => {
    const { pruneUpTo, counterParticipantsCommitmentsState: state } = request;
    const error = positiveOffsetError(pruneUpTo);
    if (error !== undefined)
      throw invalidArgument(`The prune_up_to field (${pruneUpTo}) is invalid: ${error}`);
    const shown = /^-?\d+$/.test(state ?? '') ? 'UNRECOGNIZED' : state;
    reading(
      () => checkState(state),
      ({ printed }) =>
        invalidArgument(
          `The counter_participants_commitments_state field (Some(${shown})) is invalid: ${printed}`,
        ),
    );
    return pruneUpTo;
  },
  ({ participant }, offset) => {
    if (offset > participant.log.end)
      throw ledgerError(
        'INTERNAL_PRUNING_ERROR',
        'Internal error such as the inability to write to the database',
      );
    participant.prune(offset);
    return {};
  },
);

export const offsets = {
  getHighestOffsetByTimestamp,
  getSafePruningOffset,
  prune,
};
