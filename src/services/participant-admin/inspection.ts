/**
 * What consoles ask of a participant before they begin, and of what it does inside: `ParticipantInspectionService`,
 * `ResourceManagementService` and their like.
 * NOTE: commitments are not exchanged here, nothing waits inside for long, and limits are those of Canton's own default.
 */
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { abbreviatedId } from '../../network/ids.js';
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

/** The fault of an id alone is told. @param unknown what is told of one that is not registered */
function requireSynchronizer({ participant }: AdminContext, id: string, unknown: string): void {
  const fault = uniqueIdentifierFault(id);
  if (fault !== undefined) throw internal(fault);
  if (!participant.registered.includes(id)) throw internal(`${unknown} ${abbreviatedId(id)}`);
}

const ONLINE_REPLICATION =
  'Online party replication commands require the `alpha_online_party_replication_support` configuration';

export interface OfSynchronizers {
  readonly synchronizerIds: readonly string[];
}

export interface TimeRanges {
  readonly timeRanges: readonly { readonly synchronizerId: string }[];
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

/** Commitments of a kind that was sent or received: there are none. */
const commitments =
  (kind: 'sent' | 'received') =>
  (context: AdminContext, { timeRanges }: TimeRanges): object => {
    for (const { synchronizerId } of timeRanges)
      requireSynchronizer(context, synchronizerId, 'No synchronizer alias found for');
    return { [kind]: [] };
  };

const ofSynchronizers = (told: object) =>
  parsed(
    ({ synchronizerIds }: OfSynchronizers) => {
      for (const id of synchronizerIds) uniqueIdentifier('synchronizer_id', id);
    },
    () => told,
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
  getResourceLimits: () => ({
    currentLimits: {
      maxInflightValidationRequests: 500,
      maxSubmissionRate: 200,
      maxSubmissionBurstFactor: 0.5,
    },
  }),
  lookupOffsetByTime,
  countInFlight,
  lookupSentAcsCommitments: commitments('sent'),
  lookupReceivedAcsCommitments: commitments('received'),
  getConfigForSlowCounterParticipants: ofSynchronizers({ configs: [] }),
  getIntervalsBehindForCounterParticipants: ofSynchronizers({ intervalsBehind: [] }),
};
