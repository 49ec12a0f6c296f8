/** The traffic cost of an unassignment or an assignment. */
import { createdEventBytes } from '../../daml/contract/created-event-blob.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { ReassignmentEvent } from '../model/updates.js';
import type { RequestMetadata, Sequencing } from './confirmation-request.js';
import { EncryptedView } from './encrypted-view.js';
import { envelopeCost } from './envelope.js';
import { hidden, shown } from './merkle.js';
import {
  bytes,
  bytesOf,
  integer,
  join,
  message,
  string,
  strings,
  versioned,
  type Part,
} from './message-bytes.js';
import { Noise, PARTICIPANT_SIGNATURE } from './noise.js';
import { rootHash } from './root-hash.js';

const OLD = 30;
const NEW = 31;
const VIEW_TYPE = { unassigned: 2, assigned: 3 } as const;
/** Field numbers of the envelope's content. */
const MEDIATOR_MESSAGE = { unassigned: 3, assigned: 4 } as const;

/**
 * @param otherSynchronizerId physical id of the synchronizer that the contracts leave or go to
 * @returns bytes
 */
export function reassignmentCost(
  events: readonly ReassignmentEvent[],
  metadata: Omit<RequestMetadata, 'deduplicationPeriod' | 'external'>,
  sequencing: Sequencing,
  otherSynchronizerId: string,
): number {
  const noise = new Noise();
  const [first] = events;
  if (first === undefined) return 0;
  const { groupsViews, physicalSynchronizerId, hosts } = sequencing;
  const { recordTime } = metadata;
  const version = groupsViews ? NEW : OLD;
  const stakeholders = stakeholdersOf(first.contract);
  const participants = new Set(stakeholders.flatMap((party) => [...hosts(party)]));
  const isUnassignment = first.kind === 'unassigned';
  const source = isUnassignment ? physicalSynchronizerId : otherSynchronizerId;
  const target = isUnassignment ? otherSynchronizerId : physicalSynchronizerId;
  const parties = join(strings(1, stakeholders), strings(2, first.contract.signatories));
  const uuid = noise.uuid();
  const common = isUnassignment
    ? join(
        noise.salt(),
        string(2, source),
        message(3, parties),
        strings(4, participants),
        string(5, uuid),
        message(7, submitter(metadata, first.submitter)),
      )
    : join(
        noise.salt(),
        string(2, target),
        message(3, parties),
        string(4, uuid),
        message(6, submitter(metadata, first.submitter)),
        strings(7, participants),
        string(8, source),
        message(
          9,
          integer(1, recordTime / 1_000_000n),
          integer(2, (recordTime % 1_000_000n) * 1000n),
        ),
      );
  const contracts = events.map(({ contract, reassignmentCounter }) =>
    join(
      bytes(1, createdEventBytes(sequencing.packages, contract)),
      integer(2, reassignmentCounter),
    ),
  );
  const view = isUnassignment
    ? join(
        noise.salt(),
        string(2, target),
        integer(3, recordTime),
        ...contracts.map((each) => message(4, each)),
      )
    : join(
        noise.salt(),
        ...contracts.map((each) => message(2, each)),
        message(3, string(1, first.reassignmentId)),
      );
  const commonBytes = bytesOf(versioned(OLD, common));
  const tree = (data: Part): Part => join(bytes(1, commonBytes), message(2, data));
  const signature = () => noise.signature(PARTICIPANT_SIGNATURE);
  const mediatorMessage = versioned(
    version,
    message(MEDIATOR_MESSAGE[first.kind], message(1, tree(hidden(noise))), message(2, signature())),
  );
  const viewType = VIEW_TYPE[first.kind];
  const root = rootHash(noise, { version, physicalSynchronizerId, viewType, recordTime });
  const whole = versioned(OLD, tree(shown(versioned(OLD, view))));
  const packed = groupsViews ? message(1, whole) : whole;
  const encrypted = new EncryptedView(sequencing, noise).length(packed, {
    views: 1,
    participants: participants.size,
    type: viewType,
    signature,
  });
  return [
    { length: mediatorMessage.length, recipients: 1 },
    { length: root.length, recipients: participants.size + 1 },
    { length: encrypted, recipients: participants.size },
  ].reduce((sum, each) => sum + envelopeCost(each), 0);
}

const submitter = (
  {
    participantId,
    commandId,
    submissionId,
    userId,
    workflowId,
  }: Pick<
    RequestMetadata,
    'participantId' | 'commandId' | 'submissionId' | 'userId' | 'workflowId'
  >,
  party: string,
): Part =>
  join(
    string(1, party),
    string(2, participantId),
    string(3, commandId),
    string(4, submissionId),
    string(5, userId),
    string(6, workflowId),
  );
