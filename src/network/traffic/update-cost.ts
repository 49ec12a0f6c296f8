/** The traffic costs of updates and submissions, with the parties and the synchronizer that the ledger knows. */
import type { PackageLookup } from '../../daml/model/package.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { ParticipantId, SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { TrafficAccounts } from './accounts.js';
import type { ParticipantLog } from '../ledger/participant-log.js';
import type {
  LedgerUpdate,
  ReassignmentEvent,
  SubmissionInfo,
  TransactionUpdate,
  Update,
} from '../model/updates.js';
import {
  envelopeCosts,
  requestCost,
  requestStatistics,
  type RequestMetadata,
  type RequestStatistics,
  type Sequencing,
} from './confirmation-request.js';
import type { EnvelopeCost } from './envelope.js';
import { reassignmentCost } from './reassignment-cost.js';
import type { TopologyBroadcast } from './topology-cost.js';
import { viewsOf, type View } from './views.js';

/** The nodes of a synchronizer: its sequencer and its mediator. */
const NODES = 2;

/** The participant that submits. */
interface Submitting {
  readonly id: ParticipantId;
  readonly ledger: Ledger;
  readonly packages: PackageLookup;
}

/** Costs of updates that were charged or queried: computing a cost takes longer than the commit. */
const known = new WeakMap<Update, number>();

/** In bytes. It is 0 if no participant submitted the update, or if traffic control is off. */
export function paidTrafficCost(
  participant: Submitting & { readonly log: ParticipantLog },
  update: Update,
): number {
  if (update.kind === 'topology' || update.submission === undefined) return 0;
  const { ledger } = participant;
  if (!ledger.traffic.isOn) return 0;
  return trafficCostOf(participant, update);
}

/** Debits an update from the account of the party that submitted it, if the participant counts the traffic of parties. */
export function debitUpdate(
  participant: Submitting & {
    readonly log: ParticipantLog;
    readonly trafficAccounts: TrafficAccounts | undefined;
  },
  update: LedgerUpdate,
  offset: number,
): void {
  const { trafficAccounts: accounts } = participant;
  if (accounts === undefined || update.submission === undefined) return;
  const { recordTime, submission } = update;
  accounts.debit(submission.actAs, paidTrafficCost(participant, update), offset, recordTime);
}

/** Stores the cost that was charged for an update. */
export const rememberCost = (update: LedgerUpdate, cost: number): void => {
  known.set(update, cost);
};

/** In bytes, whether or not traffic control is on. */
export function trafficCostOf(
  participant: Submitting & { readonly log: ParticipantLog },
  update: LedgerUpdate,
): number {
  const cost = known.get(update) ?? costOf(participant, update);
  known.set(update, cost);
  return cost;
}

function costOf(
  participant: Submitting & { readonly log: ParticipantLog },
  update: LedgerUpdate,
): number {
  const { submission, workflowId, recordTime, synchronizerId } = update;
  if (update.kind === 'transaction')
    return costOfTransaction(
      participant,
      synchronizerId,
      update.transaction,
      metadataOf(participant, update),
    );
  const metadata = { ...senderOf(submission!), workflowId, recordTime };
  return costOfReassignment(participant, synchronizerId, update.events, metadata);
}

/** The data of the request that the participant sent for a transaction. */
function metadataOf(
  { id, log }: Submitting & { readonly log: ParticipantLog },
  { submission, workflowId, recordTime, offsets, externalAuthorization }: TransactionUpdate,
): RequestMetadata {
  const offset = offsets.get(id);
  const entry = offset === undefined ? undefined : log.entry(offset);
  const { deduplicationPeriod = { kind: 'offset', offset: 0 } } = entry?.completion ?? {};
  return {
    ...senderOf(submission!),
    workflowId,
    recordTime,
    deduplicationPeriod,
    external: externalAuthorization,
  };
}

/** The cost of each envelope of the request for a transaction that the participant submitted. */
export const envelopeCostsOf = (
  participant: Submitting & { readonly log: ParticipantLog },
  update: TransactionUpdate,
): readonly EnvelopeCost[] =>
  envelopeCosts(
    update.transaction,
    metadataOf(participant, update),
    sequencingAt(participant, update.synchronizerId),
  );

/** The views of a transaction, outermost first. */
export const viewsOfTransaction = (
  participant: Submitting,
  { transaction, synchronizerId }: TransactionUpdate,
): readonly View[] =>
  viewsOf(transaction.nodes, participant.id, sequencingAt(participant, synchronizerId).hosts);

/** The sender's data in a request. */
export const senderOf = ({
  participantId,
  userId,
  commandId,
  submissionId,
  actAs,
}: SubmissionInfo) => ({ participantId, userId, commandId, submissionId, actAs });

export const costOfTransaction = (
  participant: Submitting,
  synchronizerId: SynchronizerId,
  transaction: Pick<Transaction, 'nodes'>,
  metadata: RequestMetadata,
): number => requestCost(transaction, metadata, sequencingAt(participant, synchronizerId));

/** The size of a request, for the log of a participant's operator. */
export const statisticsOfTransaction = (
  participant: Submitting,
  synchronizerId: SynchronizerId,
  transaction: Pick<Transaction, 'nodes'>,
  metadata: RequestMetadata,
): RequestStatistics =>
  requestStatistics(transaction, metadata, sequencingAt(participant, synchronizerId));

export function costOfReassignment(
  participant: Submitting,
  synchronizerId: SynchronizerId,
  events: readonly ReassignmentEvent[],
  metadata: Omit<RequestMetadata, 'deduplicationPeriod' | 'external'>,
): number {
  const [first] = events;
  if (first === undefined) return 0;
  const other = first.kind === 'unassigned' ? first.target : first.source;
  const otherId = participant.ledger.synchronizer(other)?.physicalId ?? other;
  const sequencing = sequencingAt(participant, synchronizerId);
  return reassignmentCost(events, metadata, sequencing, otherId);
}

/** The synchronizer's state for a request. */
function sequencingAt(
  { ledger, packages }: Pick<Submitting, 'ledger' | 'packages'>,
  synchronizerId: SynchronizerId,
): Sequencing {
  const { physicalId, protocol } = ledger.synchronizer(synchronizerId)!;
  return {
    groupsViews: protocol.groupsViews,
    physicalSynchronizerId: physicalId,
    packages,
    hosts: (party) => ledger.topology.hostIds(party, synchronizerId),
  };
}

/** The synchronizer's state for a topology transaction. */
export function broadcastAt(ledger: Ledger, synchronizerId: SynchronizerId): TopologyBroadcast {
  const { physicalId, protocol } = ledger.synchronizer(synchronizerId)!;
  const participants = ledger.members.filter((each) => each.isConnectedTo(synchronizerId));
  return {
    groupsViews: protocol.groupsViews,
    physicalSynchronizerId: physicalId,
    members: participants.length + NODES,
  };
}
