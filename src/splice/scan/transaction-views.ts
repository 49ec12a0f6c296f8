/** The views of a transaction, as Scan shows them. */
import type { TransactionNode } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { ParticipantId } from '../../network/model/ids.js';
import { viewsOf, type View } from '../../network/traffic/views.js';

/** `threshold` of these parties must confirm. */
export interface Quorum {
  /** Sorted. */
  readonly parties: readonly Party[];
  readonly threshold: number;
}

export interface TransactionView {
  /** Sorted. */
  readonly informees: readonly Party[];
  /** Without duplicates, that of the view's first node first. */
  readonly quorums: readonly Quorum[];
  /** The direct subviews. */
  readonly subviews: readonly TransactionView[];
  /** The view's first node. */
  readonly nodeId: number;
}

export interface ViewRules {
  readonly participantsOf: (party: Party) => Iterable<ParticipantId>;
  /** The admin party of the submitting participant, which confirms each root. */
  readonly adminParty: Party;
}

/** The views of the roots, in order. */
export const transactionViews = (
  nodes: readonly TransactionNode[],
  { adminParty, participantsOf }: ViewRules,
): readonly TransactionView[] => viewsOf(nodes, adminParty, participantsOf).map(viewOf);

const viewOf = ({ informees, quorums, subviews, nodeId }: View): TransactionView => ({
  informees: [...informees].sort(),
  quorums: quorums.map((parties) => ({
    parties: [...parties].sort(),
    threshold: parties.length,
  })),
  subviews: subviews.map(viewOf),
  nodeId,
});
