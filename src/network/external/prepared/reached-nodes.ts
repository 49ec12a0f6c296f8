/**
 * The nodes that are reachable from the roots of a prepared transaction, in preorder, and a participant's first checks
 * of them.
 */
import type { LedgerError } from '../../../daml/errors/ledger-error.js';
import { unforeseen, unforeseenInCall } from './execution-refusals.js';
import type { ProtoNode, ProtoTransaction } from './messages.js';
import { childrenOf } from './node-order.js';

export class ReachedNodes {
  private readonly nodes: readonly ProtoNode[];
  private isRepeated = false;

  /**
   * @throws LedgerError LEDGER_API_INTERNAL_ERROR if a root or child does not exist, or if a node is its own
   * descendant
   */
  constructor(private readonly transaction: ProtoTransaction) {
    this.nodes = this.walk();
  }

  /** Contracts that it uses and does not create, in order of first use. */
  inputContracts(): readonly string[] {
    const created = new Set(this.nodes.map(({ v1 }) => v1?.create?.contractId));
    const used = this.nodes.flatMap(
      ({ v1 }) => (v1?.exercise ?? v1?.fetch)?.contractId ?? v1?.queryByKey?.result ?? [],
    );
    return [...new Set(used.filter((id) => !created.has(id)))];
  }

  /** The packages of templates and interfaces. */
  packageIds(): readonly string[] {
    const ids = new Set<string>();
    for (const { v1 } of this.nodes) {
      const action = v1?.create ?? v1?.exercise ?? v1?.fetch ?? v1?.queryByKey;
      const { interfaceId } = v1?.exercise ?? v1?.fetch ?? {};
      if (action?.templateId) ids.add(action.templateId.packageId);
      if (interfaceId) ids.add(interfaceId.packageId);
    }
    return [...ids];
  }

  /** The participant's failure while it creates views of them (B-INT-042). */
  failure(): LedgerError | undefined {
    if (this.isRepeated) return unforeseen('discloseNode: nodeId already processed');
    if (this.nodes.length < this.transaction.nodes.length)
      return unforeseenInCall('The transaction has nodes that no root leads to');
    return this.nodes.some(isCreatedByNobody)
      ? unforeseenInCall('The signatories of a contract are some of its stakeholders')
      : undefined;
  }

  private walk(): readonly ProtoNode[] {
    const byId = new Map(this.transaction.nodes.map((node) => [node.nodeId, node]));
    const reached: ProtoNode[] = [];
    const seen = new Map<string, 'open' | 'done'>();
    const waiting = [...this.transaction.roots].reverse();
    while (waiting.length > 0) {
      const id = waiting.at(-1)!;
      const node = byId.get(id);
      if (node === undefined) throw unforeseen(`key not found: NodeId(${id})`);
      if (seen.has(id)) {
        // The node is complete, or visited again.
        if (seen.get(id) === 'done') this.isRepeated = true;
        seen.set(id, 'done');
        waiting.pop();
        continue;
      }
      seen.set(id, 'open');
      reached.push(node);
      const below = childrenOf(node);
      if (below.some((child) => seen.get(child) === 'open'))
        throw unforeseen(`NodeId(${id}) is below itself`);
      waiting.push(...[...below].reverse());
    }
    return reached;
  }
}

function isCreatedByNobody({ v1 }: ProtoNode): boolean {
  if (v1?.create === undefined) return false;
  const { signatories, stakeholders } = v1.create;
  return (
    signatories.length === 0 || !signatories.every((signatory) => stakeholders.includes(signatory))
  );
}
