/**
 * The update history of Scan: transactions and reassignments by migration, record time and synchronizer (S-UPD-005), as the
 * DSO party sees them or, in a sandbox, all of them. Topology is no part of it. How an update is written is the edge's.
 */
import { createHash } from 'node:crypto';
import {
  isEvent,
  stakeholdersOf,
  type ContractInstance,
  type CreateNode,
  type ExerciseNode,
} from '../daml/transaction.js';
import { MIN_TIMESTAMP } from '../daml/time.js';
import type { ContractId, Party, Timestamp } from '../daml/values.js';
import { multihash, type SynchronizerId } from '../network/ids.js';
import type { ImportedContract, MigrationRecord } from '../network/migrations.js';
import type { Network } from '../network/network.js';
import type {
  ReassignmentEvent,
  ReassignmentUpdate,
  TransactionUpdate,
  Update,
} from '../network/updates.js';

/** What Scan shows: all that happens, or the part that the DSO party is a witness of. */
export type ScanView = 'everything' | 'dso';

/** A node that Scan shows. Places count the shown nodes from 0, in pre-order over all roots (S-UPD-015). */
export interface ScanNode {
  readonly node: CreateNode | ExerciseNode;
  readonly place: number;
  /** Places of the nodes directly below. */
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
  /** At the participant of the DSO; 0 for an import. */
  readonly offset: number;
  readonly externalTransactionHash: string | undefined;
  /** By place. */
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

/** A place in the history; all that lies behind it comes next (S-UPD-003). */
export interface HistoryPlace {
  readonly migrationId: number;
  readonly recordTime: Timestamp;
}

interface HistorySource {
  readonly length: number;
  at(index: number): Update | undefined;
  firstIndex(reached: (update: Update) => boolean): number;
}

const NOTHING: HistorySource = { length: 0, at: () => undefined, firstIndex: () => 0 };

export class ScanHistory {
  private readonly imports = new WeakMap<MigrationRecord, ReadonlyMap<string, ScanTransaction>>();

  constructor(
    private readonly network: Network,
    private readonly dsoParty: Party,
    private readonly view: ScanView,
  ) {}

  /**
   * The next items, in order. Their cost does not depend on the place.
   * @param imports also the contracts that a migration carried over, each as a transaction at the beginning of time. As on
   *   the real Scan a page that ends among them is followed by what comes after them all: they share their record time.
   */
  page(after: HistoryPlace | undefined, limit: number, imports = false): readonly ScanItem[] {
    const items: ScanItem[] = [];
    for (const group of this.groups(after, imports)) {
      items.push(...group);
      // NOTE: an update of several contracts is never cut, though its page may become longer than asked for: whoever goes
      // on from its record time would lose the rest.
      if (items.length >= limit) break;
    }
    return items;
  }

  /** Transactions only: a reassignment is not found by its id (S-UPD-035). */
  transaction(updateId: string): ScanTransaction | undefined {
    const update = this.network.updateById(updateId);
    return update === undefined ? this.importWithId(updateId) : this.shownTransaction(update);
  }

  transactionByExternalHash(hash: string): ScanTransaction | undefined {
    const update = this.network.updateByExternalHash(hash);
    return update && this.shownTransaction(update);
  }

  /** The items of one update after the other. */
  private *groups(
    after: HistoryPlace | undefined,
    imports: boolean,
  ): Generator<readonly ScanItem[], void, undefined> {
    const { source } = this;
    let index = after === undefined ? 0 : source.firstIndex((update) => isBehind(update, after));
    const migrations = imports ? this.network.migrations.history : [];
    for (const record of migrations) {
      if (after !== undefined && record.migrationId <= after.migrationId) continue;
      for (; index < source.length && source.at(index)!.migrationId < record.migrationId; index++)
        yield this.itemsOf(source.at(index)!);
      for (const item of this.importsById(record).values()) yield [item];
    }
    for (; index < source.length; index++) yield this.itemsOf(source.at(index)!);
  }

  private get source(): HistorySource {
    const { network, view, dsoParty } = this;
    return view === 'everything' ? network.ledgerHistory : (network.updatesOf(dsoParty) ?? NOTHING);
  }

  private itemsOf(update: Update): readonly ScanItem[] {
    if (update.kind === 'topology') return [];
    if (update.kind === 'reassignment')
      return update.events
        .filter(({ contract }) => this.isShown(stakeholdersOf(contract)))
        .map((event) => ({ kind: 'reassignment', update, event, offset: this.offsetOf(update) }));
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
    const offset = this.offsetOf(update);
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

  /** What is visible, with the roots that it has then: they may be inner nodes of the whole transaction (S-UPD-027). */
  private shownNodes({
    transaction,
    witnesses,
  }: TransactionUpdate): Pick<ScanTransaction, 'nodes' | 'roots'> {
    const nodes: { node: CreateNode | ExerciseNode; place: number; children: number[] }[] = [];
    const places = new Map<number, number>();
    const roots: number[] = [];
    for (const node of transaction.nodes) {
      if (!isEvent(node) || !this.isShown(witnesses[node.nodeId]!)) continue;
      const place = nodes.length;
      const parent = places.get(node.parent);
      places.set(node.nodeId, place);
      (parent === undefined ? roots : nodes[parent]!.children).push(place);
      nodes.push({ node, place, children: [] });
    }
    return { nodes, roots };
  }

  private isShown(parties: readonly Party[]): boolean {
    return this.view === 'everything' || parties.includes(this.dsoParty);
  }

  /** NOTE: where one Scan shows what several participants see, offsets are those of the whole network. */
  private offsetOf(update: TransactionUpdate | ReassignmentUpdate): number {
    const { participants, topology } = this.network;
    const host = participants.find(({ id }) => topology.isHosted(this.dsoParty, id));
    const own = host && update.offsets.get(host.id);
    return own !== undefined && (this.view === 'dso' || participants.length === 1)
      ? own
      : update.sequence + 1;
  }

  private importsOf(record: MigrationRecord): readonly ScanTransaction[] {
    const items = record.imported.flatMap((imported) => {
      const contract = this.network.contracts.get(imported.contractId)!.instance;
      return this.isShown(stakeholdersOf(contract)) ? [importOf(record, imported, contract)] : [];
    });
    return items.sort(
      (a, b) => compare(a.synchronizerId, b.synchronizerId) || compare(a.updateId, b.updateId),
    );
  }

  private importWithId(updateId: string): ScanTransaction | undefined {
    for (const record of this.network.migrations.history) {
      const found = this.importsById(record).get(updateId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Made once: what was imported never changes. */
  private importsById(record: MigrationRecord): ReadonlyMap<string, ScanTransaction> {
    let imports = this.imports.get(record);
    if (imports === undefined)
      this.imports.set(
        record,
        (imports = new Map(this.importsOf(record).map((item) => [item.updateId, item]))),
      );
    return imports;
  }
}

function isBehind(update: Update, after: HistoryPlace): boolean {
  if (update.migrationId !== after.migrationId) return update.migrationId > after.migrationId;
  return update.recordTime > after.recordTime;
}

function importOf(
  record: MigrationRecord,
  { contractId, synchronizerId }: ImportedContract,
  contract: ContractInstance,
): ScanTransaction {
  return {
    kind: 'transaction',
    updateId: importId(record, contractId),
    migrationId: record.migrationId,
    workflowId: '',
    recordTime: MIN_TIMESTAMP,
    synchronizerId,
    effectiveAt: MIN_TIMESTAMP,
    offset: 0,
    externalTransactionHash: undefined,
    nodes: [{ node: { kind: 'create', nodeId: 0, parent: -1, contract }, place: 0, children: [] }],
    roots: [0],
  };
}

/** A participant makes these ids up; here they follow from what is imported. */
function importId({ migrationId }: MigrationRecord, contractId: ContractId): string {
  return multihash(createHash('sha256').update(`import/${migrationId}/${contractId}`).digest());
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
