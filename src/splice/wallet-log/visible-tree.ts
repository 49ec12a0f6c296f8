/** A transaction as one party sees it: the tree of the nodes that the party witnesses. */
import { isEvent, type CreateNode, type ExerciseNode } from '../../daml/model/transaction.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { ContractId, DamlRecord, Party, Timestamp } from '../../daml/model/values.js';
import type { UpdateId } from '../../network/model/ids.js';
import type { LocalUpdate, TransactionUpdate } from '../../network/model/updates.js';

export interface Visible<Node = CreateNode | ExerciseNode> {
  readonly node: Node;
  /** `#<update id>:<node id>`, with the participant's node id. */
  readonly eventId: string;
  readonly children: readonly Visible[];
}

export type VisibleExercise = Visible<ExerciseNode>;

export const isExercise = (visible: Visible): visible is VisibleExercise =>
  visible.node.kind === 'exercise';

export class VisibleTree {
  readonly updateId: UpdateId;
  readonly date: Timestamp;
  readonly roots: readonly Visible[];

  constructor(
    private readonly update: TransactionUpdate,
    party: Party,
    position: LocalUpdate | undefined,
  ) {
    this.updateId = update.updateId;
    this.date = update.effectiveAt;
    this.roots = rootsFor(update, party, position);
  }

  /**
   * The payload of a contract that the transaction created.
   * @throws Error if it created no such contract
   */
  created(contractId: ContractId): DamlRecord {
    for (const node of this.update.transaction.nodes)
      if (node.kind === 'create' && node.contract.contractId === contractId)
        return node.contract.payload;
    throw new Error(`The contract ${contractId} was not found in transaction ${this.updateId}`);
  }
}

function rootsFor(
  { transaction, witnesses, updateId }: TransactionUpdate,
  party: Party,
  position: LocalUpdate | undefined,
) {
  const roots: Visible[] = [];
  const byId = new Map<number, Visible[]>();
  for (const node of transaction.nodes) {
    if (!isEvent(node) || !witnesses[node.nodeId]!.includes(party)) continue;
    const children: Visible[] = [];
    byId.set(node.nodeId, children);
    const nodeId = position?.nodeIdOf(node.nodeId) ?? node.nodeId;
    const visible = { node, eventId: `#${updateId}:${nodeId}`, children };
    (byId.get(node.parent) ?? roots).push(visible);
  }
  return roots;
}

/** All nodes below, in pre-order. */
export function* descendants({ children }: Visible): Generator<Visible, void, undefined> {
  for (const child of children) {
    yield child;
    yield* descendants(child);
  }
}

/** `Module:Entity` of a node's contract. */
export const entityOf = ({ node }: Visible): string => qualifiedNameOf(node.contract.templateId);
