/**
 * Scopes that a handler rolled back, and the final node numbers of a transaction, in pre-order without gaps. Empty
 * scopes are removed, and no scope begins or ends with another scope.
 */
import { invariant } from '../errors/ledger-error.js';
import type {
  CreateNode,
  ExerciseNode,
  RollbackNode,
  Interpretation,
  TransactionNode,
} from '../model/transaction.js';
import type { ContractId } from '../model/values.js';

type Nodes = (TransactionNode | undefined)[];

/** The ledger changes since the beginning of a scope: consuming exercises, then creates. */
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

/**
 * Moves the nodes since the beginning of a scope below a rollback node, where they have no effect. Nodes that were
 * moved before stay.
 */
export function rollBackNodes(nodes: Nodes, scope: number, parent: number): void {
  let hasNodes = false;
  for (let index = scope + 1; index < nodes.length; index += 1) {
    const node = nodes[index];
    // Successful scopes have no nodes.
    if (node === undefined) continue;
    hasNodes = true;
    const place = { nodeId: index, parent: node.parent === parent ? scope : node.parent };
    if (node.kind !== 'rollback' && node.kind !== 'rolledBack')
      nodes[index] = { kind: 'rolledBack', ...place, action: node };
    else if (place.parent !== node.parent) nodes[index] = { ...node, ...place };
  }
  if (hasNodes) nodes[scope] = { kind: 'rollback', nodeId: scope, parent };
}

/** @param hasScopes whether the transaction has had a `try` */
export function numbered(
  nodes: Nodes,
  inputs: readonly ContractId[],
  hasScopes: boolean,
): Interpretation {
  // Without scopes, the nodes already have their final numbers.
  if (!hasScopes) {
    const all = nodes.slice() as TransactionNode[];
    return { nodes: all, roots: rootsOf(all), inputs };
  }
  const ordered = inPreOrder(normalised(nodes));
  setDescendants(ordered);
  return { nodes: ordered, roots: rootsOf(ordered), inputs };
}

/** A node with its children. */
interface Branch {
  readonly node: TransactionNode;
  readonly below: readonly Branch[];
}

/** The forest of the nodes, with Canton's normal form of scopes. */
function normalised(nodes: Nodes): readonly Branch[] {
  // Goes from the end, so that the children of a node exist before the node. Lists also grow from their end.
  const below = new Map<number, Branch[]>();
  const take = (nodeId: number): readonly Branch[] => (below.get(nodeId) ?? []).reverse();
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const node = nodes[index];
    if (node === undefined) continue;
    const inside = take(index);
    const branches = node.kind === 'rollback' ? scopesOf(node, inside) : [{ node, below: inside }];
    const siblings = below.get(node.parent);
    if (siblings === undefined) below.set(node.parent, [...branches].reverse());
    else for (const branch of [...branches].reverse()) siblings.push(branch);
  }
  return take(-1);
}

const isScope = ({ node }: Branch): boolean => node.kind === 'rollback';

/** Moves scopes at the beginning of a scope in front of it, and merges a scope at its end into it. */
function scopesOf(node: RollbackNode, inside: readonly Branch[]): readonly Branch[] {
  const first = inside.findIndex((branch) => !isScope(branch));
  if (first < 0) return inside;
  const own = inside.slice(first);
  const last = own.at(-1)!;
  const content = isScope(last) ? [...own.slice(0, -1), ...last.below] : own;
  return [...inside.slice(0, first), { node, below: content }];
}

function inPreOrder(forest: readonly Branch[]): readonly TransactionNode[] {
  const ordered: TransactionNode[] = [];
  const open = forest.map((branch) => ({ branch, parent: -1 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, below } = next.branch;
    const nodeId = ordered.length;
    ordered.push(Object.assign(node, { nodeId, parent: next.parent }));
    for (const branch of [...below].reverse()) open.push({ branch, parent: nodeId });
  }
  return ordered;
}

/** The roots of a transaction with one root, the most frequent case. */
const FIRST_ONLY: readonly number[] = [0];

function rootsOf(nodes: readonly TransactionNode[]): readonly number[] {
  let count = 0;
  for (let i = 0; i < nodes.length; i++) if (nodes[i]!.parent < 0) count += 1;
  if (count === 1) return FIRST_ONLY;
  return nodes.filter(({ parent }) => parent < 0).map(({ nodeId }) => nodeId);
}

/** Sets the last descendant of each exercise that was not rolled back. */
function setDescendants(nodes: readonly TransactionNode[]): void {
  const last = nodes.map((_, index) => index);
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    const node = nodes[index]!;
    invariant(node.nodeId === index, 'node ids are dense and in pre-order');
    if (node.kind === 'rollback' || node.kind === 'rolledBack') continue;
    if (node.kind === 'exercise') Object.assign(node, { lastDescendant: last[index] });
    if (node.parent >= 0) last[node.parent] = Math.max(last[node.parent]!, last[index]!);
  }
}
