/** The mediator's verdict on a transaction: its acceptance, informees and confirming parties (S-EVT-010 to S-EVT-012). */
import { createHash } from 'node:crypto';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { multihash, type SynchronizerId } from '../../network/model/ids.js';
import type { Network } from '../../network/network.js';
import type { TransactionUpdate } from '../../network/model/updates.js';
import { transactionViews, type Quorum, type TransactionView } from './transaction-views.js';

export interface VerdictView {
  /** Index in the pre-order of all views, from 0. */
  readonly viewId: number;
  readonly informees: readonly Party[];
  readonly quorums: readonly Quorum[];
  /** Ids of the direct subviews. */
  readonly subviews: readonly number[];
  /** Hexadecimal. */
  readonly hash: string;
}

/** The verdict on an accepted transaction. There are no others: Canticle refuses transactions before it sequences them. */
export interface Verdict {
  readonly updateId: string;
  readonly migrationId: number;
  readonly synchronizerId: SynchronizerId;
  readonly recordTime: Timestamp;
  readonly submittingParties: readonly Party[];
  readonly submittingParticipant: string;
  /** Indexed by id. */
  readonly views: readonly VerdictView[];
  /** Ids. */
  readonly rootViews: readonly number[];
}

/** NOTE: it uses the current hosting of parties, because there is no history of hosting. */
export function verdictOn(network: Network, update: TransactionUpdate): Verdict | undefined {
  const { updateId, migrationId, synchronizerId, recordTime, submission, transaction } = update;
  if (submission === undefined) return undefined;
  const roots = transactionViews(transaction.nodes, {
    participantsOf: (party) => network.topology.hosts(party, synchronizerId).keys(),
    adminParty: submission.participantId,
  });
  const views: VerdictView[] = [];
  const rootViews = roots.map((root) => flatten(updateId, root, views));
  return {
    updateId,
    migrationId,
    synchronizerId,
    recordTime,
    submittingParties: submission.actAs,
    submittingParticipant: submission.participantId,
    views,
    rootViews,
  };
}

/** @returns the view's id */
function flatten(updateId: string, view: TransactionView, all: VerdictView[]): number {
  const viewId = all.length;
  const subviews: number[] = [];
  const { informees, quorums } = view;
  all.push({ viewId, informees, quorums, subviews, hash: viewHash(updateId, view.nodeId) });
  for (const subview of view.subviews) subviews.push(flatten(updateId, subview, all));
  return viewId;
}

/** NOTE: in Canton, it is the root of a Merkle tree with random salts; here, it is derived from the update. */
function viewHash(updateId: string, nodeId: number): string {
  return multihash(createHash('sha256').update(`view/${updateId}/${nodeId}`).digest());
}
