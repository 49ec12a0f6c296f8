/** What the mediator of a synchronizer says of a transaction: that it was accepted, and who had to see and confirm it (S-EVT-010 to S-EVT-012). */
import { createHash } from 'node:crypto';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { multihash, type SynchronizerId } from '../../network/ids.js';
import type { Network } from '../../network/network.js';
import type { TransactionUpdate } from '../../network/updates.js';
import { transactionViews, type Quorum, type TransactionView } from './transaction-views.js';

export interface VerdictView {
  /** Place in the pre-order of all views, from 0. */
  readonly viewId: number;
  readonly informees: readonly Party[];
  readonly quorums: readonly Quorum[];
  /** Ids of the views directly below. */
  readonly subviews: readonly number[];
  /** Hexadecimal. */
  readonly hash: string;
}

/** Of an accepted transaction: what is refused here is refused before it is sequenced. */
export interface Verdict {
  readonly updateId: string;
  readonly migrationId: number;
  readonly synchronizerId: SynchronizerId;
  readonly recordTime: Timestamp;
  readonly submittingParties: readonly Party[];
  readonly submittingParticipant: string;
  /** By id. */
  readonly views: readonly VerdictView[];
  /** Ids. */
  readonly rootViews: readonly number[];
}

/** NOTE: hosting is that of now: what it was then is not kept. */
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

/** NOTE: Canton's is the root of a Merkle tree with random salts; here it follows from the update. */
function viewHash(updateId: string, nodeId: number): string {
  return multihash(createHash('sha256').update(`view/${updateId}/${nodeId}`).digest());
}
