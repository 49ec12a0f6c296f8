/** In which order a participant lists the nodes of a prepared transaction: as the map of them has them that the engine builds (B-INT-038). */
import { caseClassHash, scalaOrder } from '../../../daml/errors/scala-order.js';
import type { ProtoNode, ProtoTransaction } from './messages.js';

/** The engine adds a node once it is finished: those below it come before it. */
export function inOrderOfEngine(transaction: ProtoTransaction): ProtoTransaction {
  const nodes = scalaOrder(inOrderOfFinish(transaction), hashOfNodeId);
  return { ...transaction, nodes };
}

function hashOfNodeId({ nodeId }: ProtoNode): number {
  return caseClassHash('NodeId', [Number(nodeId)]);
}

/** NOTE: with a stack of its own, as transactions may be of any depth. */
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
