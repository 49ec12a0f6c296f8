/** The order of nodes in a participant's prepared transaction: that of the engine's map (B-INT-038). */
import { caseClassHash, scalaOrder } from '../../../daml/errors/scala-order.js';
import type { ProtoNode, ProtoTransaction } from './messages.js';

/** The engine adds a node when it is complete, so that its children come first. */
export function inOrderOfEngine(transaction: ProtoTransaction): ProtoTransaction {
  const nodes = scalaOrder(inOrderOfFinish(transaction), hashOfNodeId);
  return { ...transaction, nodes };
}

function hashOfNodeId({ nodeId }: ProtoNode): number {
  return caseClassHash('NodeId', [Number(nodeId)]);
}

/** NOTE: it uses an explicit stack, because a transaction can have any depth. */
function inOrderOfFinish({ roots, nodes }: ProtoTransaction): readonly ProtoNode[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const finished: ProtoNode[] = [];
  const waiting = [...roots];
  while (waiting.length > 0) {
    const node = byId.get(waiting.pop()!)!;
    finished.push(node);
    waiting.push(...childrenOf(node));
  }
  return finished.reverse();
}

export function childrenOf({ v1 }: ProtoNode): readonly string[] {
  return (v1?.exercise ?? v1?.rollback)?.children ?? [];
}
