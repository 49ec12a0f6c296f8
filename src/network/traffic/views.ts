/**
 * The views of a transaction: parts of its tree that go to the same participants. A root action starts a view. Below
 * it, a node starts another if it informs a participant that the head of the view does not inform (B-TRF-003).
 */
import { stakeholdersOf, type Action, type TransactionNode } from '../../daml/model/transaction.js';
import { namedParties, parties } from '../../daml/model/parties.js';
import type { Party } from '../../daml/model/values.js';
import type { ParticipantId } from '../model/ids.js';

export interface View {
  /** The first action. */
  readonly action: Action;
  /** The node id of the first action. */
  readonly nodeId: number;
  /** All of its actions in order, including the first one, without those of subviews. */
  readonly core: Action[];
  /** In the order of their nodes; within one node in Canton's order (B-TRF-007). */
  readonly informees: Set<Party>;
  /** Each distinct set of parties that must confirm an action. */
  readonly quorums: (readonly Party[])[];
  /** The participants that receive the view. */
  readonly participants: ReadonlySet<ParticipantId>;
  readonly subviews: View[];
  /** The view around it. */
  readonly parent: View | undefined;
}

/**
 * @param adminParty the admin party of the submitting participant
 * @param hosts the participants of a party
 */
export function viewsOf(
  nodes: readonly TransactionNode[],
  adminParty: Party,
  hosts: (party: Party) => Iterable<ParticipantId>,
): readonly View[] {
  const roots: View[] = [];
  const viewAt: (View | undefined)[] = [];
  for (const node of nodes) {
    const action = node.kind === 'rolledBack' ? node.action : node;
    const parent = node.parent < 0 ? undefined : viewAt[node.parent];
    if (action.kind === 'rollback') {
      viewAt[node.nodeId] = parent;
      continue;
    }
    const isRoot = parent === undefined;
    // The participant's admin party confirms the roots of the transaction.
    const confirmers = new Set(node.parent < 0 ? [adminParty] : []);
    for (const party of confirmersOf(action)) confirmers.add(party);
    const informees = namedParties(parties([...informeesOf(action), ...confirmers]));
    const participants = new Set(informees.flatMap((party) => [...hosts(party)]));
    const isSame = !isRoot && [...participants].every((id) => parent.participants.has(id));
    const view = isSame ? parent : begun(node.nodeId, action, participants, parent, roots);
    if (isSame) view.core.push(action);
    viewAt[node.nodeId] = view;
    // Informees and confirmers of a subview belong to it alone.
    for (const party of informees) view.informees.add(party);
    addQuorum(view, namedParties(informees.filter((party) => confirmers.has(party))));
  }
  return roots;
}

function begun(
  nodeId: number,
  action: Action,
  participants: ReadonlySet<ParticipantId>,
  parent: View | undefined,
  roots: View[],
): View {
  const view: View = {
    action,
    nodeId,
    core: [action],
    informees: new Set(),
    quorums: [],
    participants,
    subviews: [],
    parent,
  };
  (parent?.subviews ?? roots).push(view);
  return view;
}

function addQuorum({ quorums }: View, parties: readonly Party[]): void {
  const isKnown = quorums.some(
    (each) => each.length === parties.length && parties.every((party) => each.includes(party)),
  );
  if (!isKnown) quorums.push(parties);
}

/** A view and all views below it, in preorder. */
export function* withSubviews(view: View): Generator<View, void, undefined> {
  yield view;
  for (const each of view.subviews) yield* withSubviews(each);
}

/** Signatories or maintainers, and the acting parties. */
function confirmersOf(action: Action): readonly Party[] {
  switch (action.kind) {
    case 'create':
      return action.contract.signatories;
    case 'queryByKey':
      return action.key.maintainers;
    default:
      return [...action.contract.signatories, ...action.actingParties];
  }
}

function informeesOf(action: Action): readonly Party[] {
  switch (action.kind) {
    case 'create':
      return stakeholdersOf(action.contract);
    case 'exercise': {
      const { contract, choiceObservers, consuming } = action;
      return consuming ? [...stakeholdersOf(contract), ...choiceObservers] : choiceObservers;
    }
    default:
      return [];
  }
}
