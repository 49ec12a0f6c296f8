/**
 * Into which views a participant divides a transaction for those that must see and confirm it, as Canton's
 * TransactionViewDecompositionFactory does: a node begins a view where it informs a participant that its parent does not.
 */
import type { Action, ExerciseNode, TransactionNode } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { ParticipantId } from '../../network/ids.js';

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

/** What a node needs, and what its subtree adds to the view that it is in. */
interface Part {
  readonly informees: readonly Party[];
  readonly quorums: readonly Quorum[];
  readonly views: readonly TransactionView[];
}

export interface ViewRules {
  readonly participantsOf: (party: Party) => Iterable<ParticipantId>;
  /** The submitting participant's own party, which confirms every root. */
  readonly adminParty: Party;
}

/** The views of the roots, in order. */
export function transactionViews(
  nodes: readonly TransactionNode[],
  rules: ViewRules,
): readonly TransactionView[] {
  const below = childrenOf(nodes);
  const viewOf = (node: TransactionNode, action: Action): TransactionView => {
    const own = ownPart(action, node.parent < 0 ? [rules.adminParty] : []);
    const inside = participantsOf(own.informees, rules);
    const inner = joined(below[node.nodeId]!.map((child) => partOf(child, inside)));
    return {
      informees: union(own.informees, inner.informees),
      quorums: distinct([...own.quorums, ...inner.quorums]),
      subviews: inner.views,
      nodeId: node.nodeId,
    };
  };
  const partOf = (node: TransactionNode, inside: ReadonlySet<ParticipantId>): Part => {
    const inner = () => below[node.nodeId]!.map((child) => partOf(child, inside));
    const action = actionOf(node);
    if (action === undefined) return joined(inner());
    const own = ownPart(action, []);
    for (const participant of participantsOf(own.informees, rules))
      if (!inside.has(participant))
        return { informees: [], quorums: [], views: [viewOf(node, action)] };
    return joined([own, ...inner()]);
  };
  const viewsAt = (node: TransactionNode): readonly TransactionView[] => {
    const action = actionOf(node);
    return action === undefined ? below[node.nodeId]!.flatMap(viewsAt) : [viewOf(node, action)];
  };
  return nodes.filter(({ parent }) => parent < 0).flatMap(viewsAt);
}

/** Undefined for a rolled back scope itself, which informs nobody. */
function actionOf(node: TransactionNode): Action | undefined {
  if (node.kind === 'rollback') return undefined;
  return node.kind === 'rolledBack' ? node.action : node;
}

/** By node id. */
function childrenOf(nodes: readonly TransactionNode[]): readonly TransactionNode[][] {
  const children: TransactionNode[][] = nodes.map(() => []);
  for (const node of nodes) if (node.parent >= 0) children[node.parent]!.push(node);
  return children;
}

function ownPart(node: Action, also: readonly Party[]): Part {
  const confirming = union(confirmersOf(node), also);
  return {
    informees: union(informeesOf(node), confirming),
    quorums: [{ parties: confirming, threshold: confirming.length }],
    views: [],
  };
}

/** Signatories or maintainers, and who acts. */
function confirmersOf(node: Action): readonly Party[] {
  switch (node.kind) {
    case 'create':
      return node.contract.signatories;
    case 'queryByKey':
      return node.key.maintainers;
    default:
      return [...node.contract.signatories, ...node.actingParties];
  }
}

function informeesOf(node: Action): readonly Party[] {
  switch (node.kind) {
    case 'create':
      return node.contract.observers;
    case 'exercise':
      return observersOf(node);
    default:
      return [];
  }
}

function observersOf({ contract, consuming, choiceObservers }: ExerciseNode): readonly Party[] {
  return consuming ? [...contract.observers, ...choiceObservers] : choiceObservers;
}

function participantsOf(parties: readonly Party[], rules: ViewRules): ReadonlySet<ParticipantId> {
  return new Set(parties.flatMap((party) => [...rules.participantsOf(party)]));
}

function joined(parts: readonly Part[]): Part {
  return {
    informees: parts.reduce<readonly Party[]>((all, { informees }) => union(all, informees), []),
    quorums: parts.flatMap(({ quorums }) => quorums),
    views: parts.flatMap(({ views }) => views),
  };
}

function distinct(quorums: readonly Quorum[]): readonly Quorum[] {
  const byParties = new Map(quorums.map((quorum) => [quorum.parties.join(), quorum]));
  return [...byParties.values()];
}

function union(a: readonly Party[], b: readonly Party[]): readonly Party[] {
  return [...new Set([...a, ...b])].sort();
}
