/**
 * Which offset a moment stands for: of `PartyManagementService`, for who exports contracts as they were, and of `PruningService`, for who
 * forgets what came before.
 */
import { parseInstant } from '../../daml/codec/java-time.js';
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { formatInstant } from '../../daml/model/time.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { invalidArgument } from '../../network/request-errors.js';
import type { AdminContext } from './topology-reads.js';

export interface TimeOnSynchronizer {
  readonly synchronizerId: string;
  readonly timestamp?: string;
  /** Takes the end of the ledger for a moment that the synchronizer has not seen yet. */
  readonly force: boolean;
}

const refused = (reason: string) => ledgerError('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', reason);

/** @throws LedgerError INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR, UNPROCESSED_REQUESTED_TIMESTAMP, INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR */
function getHighestOffsetByTimestamp(context: AdminContext, request: TimeOnSynchronizer) {
  const { network, participant } = context;
  const { synchronizerId: id, timestamp, force } = request;
  const fault = uniqueIdentifierFault(id);
  if (fault !== undefined)
    throw refused(`Value conversion error for field \`synchronizer_id\`: ${fault}`);
  const synchronizer = network.synchronizers.find((each) => each.id === id);
  if (synchronizer === undefined || !participant.registered.includes(id))
    throw refused(`Synchronizer id ${id} is unknown`);
  if (timestamp === undefined) throw refused('Field `timestamp` is not set');
  const time = parseInstant(timestamp);
  const { log } = participant;
  const clean = synchronizer.recordTime;
  const last = clean === undefined ? 0 : lastOn(context, id, log.lastOffsetUntil(time));
  if (clean === undefined || last === 0)
    throw ledgerError(
      'INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR',
      `No ledger offset found for the requested timestamp ${formatInstant(time)} on synchronizer ${id} (using force flag = ${force}): The participant does not yet have a ledger offset before or at the requested timestamp: ${formatInstant(time)}`,
    );
  if (time > clean && !force)
    throw ledgerError(
      'UNPROCESSED_REQUESTED_TIMESTAMP',
      `Requested timestamp ${formatInstant(time)} exceeds the clean synchronizer timestamp ${formatInstant(clean)}.`,
    );
  return { ledgerOffset: force && time >= clean ? log.end : last };
}

/** The last offset up to one that came of the synchronizer; 0 where there is none that is not pruned. */
function lastOn({ participant: { log } }: AdminContext, id: string, upTo: number): number {
  for (const { offset, synchronizerId } of log.backwards(log.prunedUpTo, upTo))
    if (synchronizerId === id) return offset;
  return 0;
}

export interface SafeOffsetQuery {
  readonly beforeOrAt?: string;
  readonly ledgerEnd: number;
}

/** All before the end of the ledger is safe: nobody waits for commitments of others. @throws LedgerError NO_INTERNAL_PARTICIPANT_DATA_BEFORE */
function getSafePruningOffset({ participant }: AdminContext, request: SafeOffsetQuery) {
  const { beforeOrAt, ledgerEnd } = request;
  const invalid = (why: string) => invalidArgument(`Invalid GetSafePruningOffsetRequest: ${why}`);
  if (beforeOrAt === undefined) throw invalid('FieldNotSet(before_or_at)');
  if (ledgerEnd <= 0)
    throw invalid(
      `ValueConversionError(ledger_end,Expecting positive value for offset, found ${ledgerEnd}.)`,
    );
  const { log } = participant;
  const time = parseInstant(beforeOrAt);
  const last = Math.min(log.lastOffsetUntil(time), ledgerEnd);
  if (last === 0)
    throw ledgerError(
      'NO_INTERNAL_PARTICIPANT_DATA_BEFORE',
      `No internal participant data to prune up to time ${formatInstant(time)} and offset ${ledgerEnd}.`,
    );
  const safe = Math.min(last, log.end - 1);
  return safe === 0 ? { noSafePruningOffset: {} } : { safePruningOffset: safe };
}

export const offsets = {
  getHighestOffsetByTimestamp,
  getSafePruningOffset,
};
