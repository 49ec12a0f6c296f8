/**
 * Scan's update history: transactions and reassignments by migration, record time and synchronizer (S-UPD-005). It has the DSO party's view
 * or, in a sandbox, all updates. It has no topology. The service encodes the updates.
 */
import {
  isEvent,
  stakeholdersOf,
  type CreateNode,
  type ExerciseNode,
} from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import type { Network } from '../../network/network.js';
import type {
  ReassignmentEvent,
  ReassignmentUpdate,
  TransactionUpdate,
  Update,
} from '../../network/model/updates.js';
import { ScanImports } from './scan-imports.js';
import type { HistoryPlace, ScanViewpoint } from './scan-view.js';

/** A node that Scan shows. `place` counts the shown nodes from 0, in pre-order over all roots (S-UPD-015). */
export interface ScanNode {
  readonly node: CreateNode | ExerciseNode;
  readonly place: number;
  /** The participant's node id. */
  readonly nodeId: number;
  /** Places of the child nodes. */
  readonly children: readonly number[];
}

export interface ScanTransaction {
  readonly kind: 'transaction';
  readonly updateId: string;
  readonly migrationId: number;
  readonly workflowId: string;
  readonly recordTime: Timestamp;
  readonly synchronizerId: SynchronizerId;
  readonly effectiveAt: Timestamp;
  /** Offset at the DSO's participant; 0 for an import. */
  readonly offset: number;
  readonly externalTransactionHash: string | undefined;
  /** Indexed by place. */
  readonly nodes: readonly ScanNode[];
  /** Places. */
  readonly roots: readonly number[];
}

export interface ScanReassignment {
  readonly kind: 'reassignment';
  readonly update: ReassignmentUpdate;
  readonly event: ReassignmentEvent;
  readonly offset: number;
}

export type ScanItem = ScanTransaction | ScanReassignment;

export class ScanHistory {
  readonly imports: ScanImports;

  constructor(private readonly viewpoint: ScanViewpoint) {
    this.imports = new ScanImports(viewpoint);
  }

  private get network(): Network {
    return this.viewpoint.network;
  }

  /**
   * The next items, in order, at a cost that does not depend on the position.
   * @param imports whether to include the contracts that a migration carried over, each as a transaction at the beginning of time. As on
   * the real Scan, a page that ends among them continues after all of them, because they share a record time.
   */
  page(after: HistoryPlace | undefined, limit: number, imports = false): readonly ScanItem[] {
    const items: ScanItem[] = [];
    for (const group of this.groups(after, imports)) {
      items.push(...group);
      // NOTE: an update of several contracts is not split, so that a page may exceed its limit. A client that continues from its record
      // time would miss the rest.
      if (items.length >= limit) break;
    }
    return items;
  }

  /** Finds transactions only. Reassignments have no lookup by id (S-UPD-035). */
  transaction(updateId: string): ScanTransaction | undefined {
    const update = this.network.updateById(updateId);
    if (update === undefined) return this.importWithId(updateId);
    return this.viewpoint.knows(update) ? this.shownTransaction(update) : undefined;
  }

  transactionByExternalHash(hash: string): ScanTransaction | undefined {
    const update = this.network.updateByExternalHash(hash);
    return update && this.viewpoint.knows(update) ? this.shownTransaction(update) : undefined;
  }

  /** The items of each update. */
  private *groups(
    after: HistoryPlace | undefined,
    imports: boolean,
  ): Generator<readonly ScanItem[], void, undefined> {
    const source = this.viewpoint.updates;
    let index =
      after === undefined ? 0 : this.viewpoint.behind(after.migrationId, after.recordTime);
    const migrations = imports ? this.network.migrations.history : [];
    for (const record of migrations) {
      if (after !== undefined && record.migrationId <= after.migrationId) continue;
      for (; index < source.length && source.at(index)!.migrationId < record.migrationId; index++)
        yield this.itemsOf(source.at(index)!);
      for (const item of this.imports.of(record).values()) yield [item];
    }
    for (; index < source.length; index++) yield this.itemsOf(source.at(index)!);
  }

  /** Empty for an update that is not shown. */
  itemsOf(update: Update): readonly ScanItem[] {
    if (update.kind === 'topology') return [];
    if (update.kind === 'reassignment')
      return update.events
        .filter(({ contract }) => this.viewpoint.shows(stakeholdersOf(contract)))
        .map((event) => ({
          kind: 'reassignment',
          update,
          event,
          offset: this.viewpoint.offsetOf(update),
        }));
    const transaction = this.shownTransaction(update);
    return transaction === undefined ? [] : [transaction];
  }

  private shownTransaction(update: Update): ScanTransaction | undefined {
    if (update.kind !== 'transaction') return undefined;
    const { nodes, roots } = this.shownNodes(update);
    if (nodes.length === 0) return undefined;
    const {
      updateId,
      migrationId,
      workflowId,
      recordTime,
      synchronizerId,
      effectiveAt,
      externalTransactionHash,
    } = update;
    const offset = this.viewpoint.offsetOf(update);
    return {
      kind: 'transaction',
      updateId,
      migrationId,
      workflowId,
      recordTime,
      synchronizerId,
      effectiveAt,
      offset,
      externalTransactionHash,
      nodes,
      roots,
    };
  }

  /** The visible nodes and their roots, which may be inner nodes of the whole transaction (S-UPD-027). */
  private shownNodes(update: TransactionUpdate): Pick<ScanTransaction, 'nodes' | 'roots'> {
    const { transaction, witnesses } = update;
    const nodes: (ScanNode & { children: number[] })[] = [];
    const places = new Map<number, number>();
    const roots: number[] = [];
    for (const node of transaction.nodes) {
      if (!isEvent(node) || !this.viewpoint.shows(witnesses[node.nodeId]!)) continue;
      const place = nodes.length;
      const parent = places.get(node.parent);
      places.set(node.nodeId, place);
      (parent === undefined ? roots : nodes[parent]!.children).push(place);
      const nodeId = this.viewpoint.nodeIdOf(update, node.nodeId);
      nodes.push({ node, place, nodeId, children: [] });
    }
    return { nodes, roots };
  }

  private importWithId(updateId: string): ScanTransaction | undefined {
    for (const record of this.network.migrations.history) {
      const found = this.imports.of(record).get(updateId);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
