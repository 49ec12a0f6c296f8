/**
 * The state of a participant for consoles, at their start and for inspection: `ParticipantInspectionService` and
 * similar services.
 * NOTE: commitments are not exchanged here, and nothing waits inside for long.
 */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { abbreviatedId, memberError } from '../../network/model/ids.js';
import { unrecognizedEnum, valueConversion } from './parsing/conversion.js';
import { instant, uniqueIdentifier } from './parsing/fields.js';
import { parsed, reading } from './parsing/parsed.js';
import type { AdminContext } from './admin-context.js';
import { PlainRefusal } from './not-served.js';

const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;

const refuses = (code: number, message: string) => (): object => {
  throw new PlainRefusal(code, message);
};

const internal = (message: string): PlainRefusal => new PlainRefusal(INTERNAL, message);

/** The error states only the id's error. @param unknown the error text for an unregistered synchronizer */
function requireSynchronizer({ participant }: AdminContext, id: string, unknown: string): void {
  const error = uniqueIdentifierError(id);
  if (error !== undefined) throw internal(error);
  if (!participant.registered.includes(id)) throw internal(`${unknown} ${abbreviatedId(id)}`);
}

const ONLINE_REPLICATION =
  'Online party replication commands require the `alpha_online_party_replication_support` configuration';

export interface OfSynchronizers {
  readonly synchronizerIds: readonly string[];
}

export interface CommitmentsQuery {
  readonly timeRanges: readonly { readonly synchronizerId: string }[];
  readonly counterParticipantIds: readonly string[];
  readonly commitmentState: readonly string[];
}

function lookupOffsetByTime(
  { participant }: AdminContext,
  { timestamp }: { readonly timestamp?: string },
): object {
  if (timestamp === undefined) throw internal('Timestamp not specified');
  const time = reading(
    () => instant(timestamp),
    ({ printed }) => internal(`Failed to parse timestamp: ${printed}`),
  );
  const offset = participant.log.lastOffsetUntil(time);
  return offset === 0 ? {} : { offset };
}

function countInFlight(
  context: AdminContext,
  { synchronizerId }: { readonly synchronizerId: string },
): object {
  requireSynchronizer(context, synchronizerId, 'Not able to find synchronizer alias for');
  return { pendingSubmissions: 0, pendingTransactions: 0 };
}

/** Sent or received commitments: always empty. */
const commitments =
  (kind: 'sent' | 'received') =>
  (context: AdminContext, query: CommitmentsQuery): object => {
    for (const { synchronizerId } of query.timeRanges)
      requireSynchronizer(context, synchronizerId, 'No synchronizer alias found for');
    reading(
      () => {
        for (const id of query.counterParticipantIds) counterParticipant(id);
        for (const state of query.commitmentState)
          if (/^-?\d+$/.test(state)) throw unrecognizedEnum(`${kind}_commitment_state`, state);
      },
      ({ message }) => internal(message),
    );
    return { [kind]: [] };
  };

/** Throws a ConversionError. */
function counterParticipant(text: string): void {
  const error = memberError(text);
  if (error !== undefined) throw valueConversion('counter_participant_ids', error);
  if (!text.startsWith('PAR::'))
    throw valueConversion(
      'counter_participant_ids',
      `Value \`${text}\` is not of type ParticipantId`,
    );
}

const ofSynchronizers = (answer: object) =>
  parsed(
    ({ synchronizerIds }: OfSynchronizers) => {
      for (const id of synchronizerIds) uniqueIdentifier('synchronizer_id', id);
    },
    () => answer,
  );

export const inspection = {
  initId: refuses(
    FAILED_PRECONDITION,
    'Node configuration does not allow for a manual node initialization via API',
  ),
  addPartyAsync: refuses(UNIMPLEMENTED, ONLINE_REPLICATION),
  getAddPartyStatus: refuses(UNIMPLEMENTED, ONLINE_REPLICATION),
  exportKeyPair: refuses(
    FAILED_PRECONDITION,
    'Remote export of private keys only allowed when preview is enabled',
  ),
  /** NOTE: Canticle has no log with a level, so this has no effect. Like a participant, it accepts any text. */
  setLogLevel: () => ({}),
  /** NOTE: Canticle logs no errors, so no trace has any (B-GRPC-036). */
  getLastErrors: () => ({ errors: [] }),
  getLastErrorTrace: refuses(FAILED_PRECONDITION, 'No trace available for the given traceId'),
  /** Like {@link inspection.setPassive}, for the storage of operations. */
  listPendingOperations: refuses(
    UNIMPLEMENTED,
    'listPendingOperations is not supported with an in-memory pending operation store',
  ),
  /** A participant that stores its state in memory has no replica to take over. */
  setPassive: (): object => {
    throw ledgerError(
      'PARTICIPANT_REPLICATION_NOT_SUPPORTED_BY_STORAGE',
      'Participant with storage MemoryStorage does not support set passive.',
    );
  },
  lookupOffsetByTime,
  countInFlight,
  lookupSentAcsCommitments: commitments('sent'),
  lookupReceivedAcsCommitments: commitments('received'),
  getConfigForSlowCounterParticipants: ofSynchronizers({ configs: [] }),
  getIntervalsBehindForCounterParticipants: ofSynchronizers({ intervalsBehind: [] }),
};
