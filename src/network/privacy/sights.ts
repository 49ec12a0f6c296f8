/** The parties that see each node of a committed transaction, and why. The parties of a view see all nodes below it. */
import type { Action, TransactionNode } from '../../daml/model/transaction.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { TraceWitness } from '../../daml/tracing/trace-types.js';
import {
  disclosedTo,
  informees,
  seeingBelow,
  witnessesOf,
  type Seeing,
} from '../../daml/tracing/witness-reasons.js';
import type { TransactionUpdate } from '../model/updates.js';

/** A node, and the parties that see it. */
export interface NodeSights {
  readonly nodeId: number;
  readonly action: Action;
  /** Whether an exception rolled it back. Participants receive its views anyway. */
  readonly isRolledBack: boolean;
  /** The innermost exercise around it. */
  readonly parent: NodeSights | undefined;
  /** Sorted by party. `through` is a node id. */
  readonly witnesses: readonly TraceWitness[];
}

const NOBODY: Seeing = new Map();

/** The nodes of a transaction in order. */
export function sightsOf({ transaction, submission }: TransactionUpdate): readonly NodeSights[] {
  const { nodes } = transaction;
  const readers = submission === undefined ? [] : [...submission.actAs, ...submission.readAs];
  const created = new Set<ContractId>();
  const below: Seeing[] = [];
  const sights: NodeSights[] = [];
  const byNode = new Map<number, NodeSights>();
  for (const node of nodes) {
    const outer = node.parent < 0 ? NOBODY : below[node.parent]!;
    const action = actionOf(node);
    if (action === undefined) {
      below[node.nodeId] = outer;
      continue;
    }
    const own = informees(action);
    below[node.nodeId] = seeingBelow(outer, own, node.nodeId);
    if (action.kind === 'create') created.add(action.contract.contractId);
    const sight: NodeSights = {
      nodeId: node.nodeId,
      action,
      isRolledBack: node.kind === 'rolledBack',
      parent: byNode.get(parentOf(node, nodes)),
      witnesses: witnessesOf(own, outer, onlyDisclosed(action, created, readers)),
    };
    byNode.set(node.nodeId, sight);
    sights.push(sight);
  }
  return sights;
}

function actionOf(node: TransactionNode): Action | undefined {
  if (node.kind === 'rollback') return undefined;
  return node.kind === 'rolledBack' ? node.action : node;
}

/** The id of the exercise around a node, without scopes that were rolled back; -1 for a root. */
function parentOf({ parent }: TransactionNode, nodes: readonly TransactionNode[]): number {
  let at = parent;
  while (at >= 0 && nodes[at]!.kind === 'rollback') at = nodes[at]!.parent;
  return at;
}

function onlyDisclosed(
  action: Action,
  created: ReadonlySet<ContractId>,
  readers: readonly Party[],
): readonly Party[] {
  if (action.kind !== 'exercise' && action.kind !== 'fetch') return [];
  return created.has(action.contract.contractId) ? [] : disclosedTo(action.contract, readers);
}
