/** The views of a transaction as Scan tells them. */
import type { TransactionNode } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { ParticipantId } from '../../network/ids.js';
import { viewsOf, type View } from '../../network/traffic/views.js';

/** So many of these parties must confirm. */
export interface Quorum {
  /** Sorted. */
  readonly parties: readonly Party[];
  readonly threshold: number;
}

export interface TransactionView {
  /** Sorted. */
  readonly informees: readonly Party[];
  /** Each once, that of the view's first node first. */
  readonly quorums: readonly Quorum[];
  /** Directly below. */
  readonly subviews: readonly TransactionView[];
  /** Its first node. */
  readonly nodeId: number;
}

export interface ViewRules {
  readonly participantsOf: (party: Party) => Iterable<ParticipantId>;
  /** The submitting participant's own party, which confirms every root. */
  readonly adminParty: Party;
}

/** The views of the roots, in order. */
export const transactionViews = (
  nodes: readonly TransactionNode[],
  { adminParty, participantsOf }: ViewRules,
): readonly TransactionView[] => viewsOf(nodes, adminParty, participantsOf).map(told);

const told = ({ informees, quorums, subviews, nodeId }: View): TransactionView => ({
  informees: [...informees].sort(),
  quorums: quorums.map((parties) => ({
    parties: [...parties].sort(),
    threshold: parties.length,
  })),
  subviews: subviews.map(told),
  nodeId,
});
