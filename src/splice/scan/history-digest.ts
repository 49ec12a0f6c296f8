/** Data that Scan derives once from each update of the history. A revert of updates starts the derivation over. */
import type { TransactionUpdate, Update } from '../../network/model/updates.js';
import { isEvent, type CreateNode, type ExerciseNode } from '../../daml/model/transaction.js';
import type { ScanViewpoint } from './scan-view.js';

export type DigestRule<Entry> = (
  node: CreateNode | ExerciseNode,
  update: TransactionUpdate,
) => Entry | undefined;

export class HistoryDigest<Entry> {
  private entries: Entry[] = [];
  private read = 0;
  /** The last update that was read. While the history still has it, it also has all updates before it. */
  private last: Update | undefined;

  constructor(
    private readonly viewpoint: ScanViewpoint,
    private readonly rule: DigestRule<Entry>,
  ) {}

  /** In the order of the history, and of the nodes in a transaction. */
  all(): readonly Entry[] {
    const { updates } = this.viewpoint;
    if (this.read > 0 && updates.at(this.read - 1) !== this.last) {
      this.entries = [];
      this.read = 0;
    }
    for (; this.read < updates.length; this.read++) {
      this.last = updates.at(this.read)!;
      if (this.last.kind === 'transaction') this.digest(this.last);
    }
    return this.entries;
  }

  private digest(update: TransactionUpdate): void {
    for (const node of update.transaction.nodes) {
      if (!isEvent(node) || !this.viewpoint.shows(update.witnesses[node.nodeId]!)) continue;
      const entry = this.rule(node, update);
      if (entry !== undefined) this.entries.push(entry);
    }
  }
}
