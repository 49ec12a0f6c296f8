/**
 * Scopes that a handler rolled back, and node numbers as a transaction has them in the end: in pre-order without gaps.
 * Scopes without nodes are gone.
 */
import { invariant } from './ledger-error.js';
import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  QueryByKeyNode,
  Transaction,
  TransactionNode,
} from './transaction.js';
import type { ContractId } from './values.js';

type Nodes = (TransactionNode | undefined)[];

/** What changes the ledger from the beginning of a scope on: exercises that consume, then creates. */
export function effectsSince(nodes: Nodes, scope: number): readonly (CreateNode | ExerciseNode)[] {
  const consumed: ExerciseNode[] = [];
  const created: CreateNode[] = [];
  for (let index = scope + 1; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node?.kind === 'create') created.push(node);
    else if (node?.kind === 'exercise' && node.consuming) consumed.push(node);
  }
  return [...consumed, ...created];
}

/** Turns what follows the beginning of a scope into nodes without effect. */
export function rollBackNodes(nodes: Nodes, scope: number, parent: number): void {
  let first: FetchNode | QueryByKeyNode | undefined;
  for (let index = nodes.length - 1; index > scope; index -= 1) {
    const node = nodes[index];
    // Scopes that succeeded leave no trace.
    if (node === undefined) continue;
    if (node.kind === 'queryByKey') {
      first = { ...node, rolledBack: true };
      nodes[index] = first;
      continue;
    }
    const { nodeId, parent: within, contract } = node;
    const { templateId, interfaceId, actingParties } =
      node.kind === 'create'
        ? { templateId: contract.templateId, interfaceId: undefined, actingParties: [] }
        : node;
    const place = { nodeId, parent: within, contract, templateId };
    first = { kind: 'fetch', ...place, interfaceId, actingParties, rolledBack: true };
    nodes[index] = first;
  }
  if (first === undefined) return;
  if (first.kind === 'queryByKey') {
    nodes[scope] = { ...first, nodeId: scope, parent, scope: true };
    return;
  }
  const { contract, templateId } = first;
  const place = { nodeId: scope, parent, contract, templateId };
  const head = { interfaceId: undefined, actingParties: [], rolledBack: true } as const;
  nodes[scope] = { kind: 'fetch', ...place, ...head };
}

export function numbered(
  nodes: Nodes,
  roots: readonly number[],
  inputs: readonly ContractId[],
): Transaction {
  if (!nodes.includes(undefined)) {
    const all = nodes.slice() as TransactionNode[];
    setDescendants(all);
    return { nodes: all, roots: isFirstOnly(roots) ? FIRST_ONLY : roots.slice(), inputs };
  }
  const ids = new Map<number, number>([[-1, -1]]);
  const kept: TransactionNode[] = [];
  for (const node of nodes) {
    if (node === undefined) continue;
    ids.set(node.nodeId, kept.length);
    kept.push(node);
  }
  if (kept.length < nodes.length)
    for (const node of kept)
      Object.assign(node, { nodeId: ids.get(node.nodeId), parent: ids.get(node.parent) });
  setDescendants(kept);
  return { nodes: kept, roots: roots.map((id) => ids.get(id)!), inputs };
}

/** The roots of nearly every transaction. */
const FIRST_ONLY: readonly number[] = [0];

function isFirstOnly(roots: readonly number[]): boolean {
  return roots.length === 1 && roots[0] === 0;
}

/** Each exercise's last node that was not rolled back. */
function setDescendants(nodes: readonly TransactionNode[]): void {
  if (nodes.length === 1) return;
  const last = nodes.map((_, index) => index);
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const node = nodes[index]!;
    invariant(node.nodeId === index, 'node ids are dense and in pre-order');
    if (isRolledBack(node)) continue;
    if (node.kind === 'exercise') Object.assign(node, { lastDescendant: last[index] });
    if (node.parent >= 0) last[node.parent] = Math.max(last[node.parent]!, last[index]!);
  }
}

/** Whether a node has no effect, and is shown to nobody. */
export function isRolledBack(node: TransactionNode): boolean {
  return (node.kind === 'fetch' || node.kind === 'queryByKey') && node.rolledBack === true;
}
