/**
 * Updates in the form of the log. History is most of a network's memory, so consecutive updates share their common
 * data, and ids are generated again on each read.
 */
import type {
  ContractInstance,
  Transaction,
  TransactionNode,
} from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { isImport } from './witnesses.js';
import { updateIdAt, type SynchronizerId, type UpdateId } from '../model/ids.js';
import type { UpdateEntry } from './log-entry.js';
import type { SeededRandom } from '../journal/random.js';
import {
  StoredSubmissionInfo,
  traceOf,
  type GivenOrDrawn,
  type Submitter,
} from './submission-info.js';
import type {
  ExternalAuthorization,
  GivenOrDrawnTrace,
  Offsets,
  ReassignmentEvent,
  ReassignmentUpdate,
  SubmissionInfo,
  TopologyEvent,
  TopologyUpdate,
  TraceContext,
  TransactionUpdate,
  Update,
  UpdateContent,
} from '../model/updates.js';

/** The common data of a synchronizer's updates between two migrations. */
export interface UpdateOrigin {
  readonly random: SeededRandom;
  readonly synchronizerId: SynchronizerId;
  readonly migrationId: number;
  /** The last generated id: a reader of an update needs it several times. */
  latest?: { readonly sequence: number; readonly id: UpdateId };
}

const NOWHERE: Offsets = { get: () => undefined, at: () => undefined };

/** Data that few updates have. */
interface Given {
  readonly workflowId: string;
  readonly externalTransactionHash: string | undefined;
  readonly externalAuthorization: ExternalAuthorization | undefined;
}

const NOTHING_GIVEN: Given = {
  workflowId: '',
  externalTransactionHash: undefined,
  externalAuthorization: undefined,
};

function givenOf(content: UpdateContent): Given {
  const { workflowId } = content;
  const { externalTransactionHash, externalAuthorization }: Partial<Given> =
    content.kind === 'transaction' ? content : NOTHING_GIVEN;
  if (workflowId === '' && externalTransactionHash === undefined) return NOTHING_GIVEN;
  return { workflowId, externalTransactionHash, externalAuthorization };
}

abstract class SequencedUpdate {
  readonly #origin: UpdateOrigin;
  /** The entries at the participants that see any of it; not visible when an update is printed. */
  #entries: UpdateEntry | undefined;
  readonly #submitter: Submitter | undefined;
  readonly #submissionId: GivenOrDrawn = '';
  readonly #commandId: GivenOrDrawn = '';
  readonly #given: Given;
  readonly #trace: GivenOrDrawnTrace | undefined;

  constructor(
    origin: UpdateOrigin,
    readonly sequence: number,
    readonly recordTime: Timestamp,
    content: UpdateContent,
  ) {
    this.#origin = origin;
    this.#entries = undefined;
    const { submission } = content;
    if (submission !== undefined) {
      const { parts } = StoredSubmissionInfo.from(origin.random, submission);
      [this.#submitter, this.#submissionId, this.#commandId] = parts;
    }
    this.#given = givenOf(content);
    this.#trace = content.traceContext;
  }

  get submission(): StoredSubmissionInfo | undefined {
    const submitter = this.#submitter;
    return submitter && new StoredSubmissionInfo(submitter, this.#submissionId, this.#commandId);
  }

  get workflowId(): string {
    return this.#given.workflowId;
  }

  get externalTransactionHash(): string | undefined {
    return this.#given.externalTransactionHash;
  }

  get externalAuthorization(): ExternalAuthorization | undefined {
    return this.#given.externalAuthorization;
  }

  /** The origin of {@link traceContext}. */
  get trace(): GivenOrDrawnTrace | undefined {
    return this.#trace;
  }

  get traceContext(): TraceContext | undefined {
    return traceOf(this.#origin.random, this.#trace);
  }

  get updateId(): UpdateId {
    const { sequence } = this;
    const origin = this.#origin;
    if (origin.latest?.sequence !== sequence)
      origin.latest = { sequence, id: updateIdAt(origin.random, sequence) };
    return origin.latest.id;
  }

  get synchronizerId(): SynchronizerId {
    return this.#origin.synchronizerId;
  }

  get migrationId(): number {
    return this.#origin.migrationId;
  }

  /** Most updates are not imported and do not store the mark. */
  get isImported(): boolean {
    return false;
  }

  get offsets(): Offsets {
    return this.#entries ?? NOWHERE;
  }

  /** The first of its linked entries; undefined if no participant sees the update. */
  get entries(): UpdateEntry | undefined {
    return this.#entries;
  }

  /** Called once, when the update is sequenced. */
  isAt(entries: UpdateEntry | undefined): void {
    this.#entries = entries;
  }
}

type TransactionContent = Extract<UpdateContent, { kind: 'transaction' }>;

/** An update that is also its transaction, which saves an object. */
abstract class OwnTransaction extends SequencedUpdate implements TransactionUpdate, Transaction {
  readonly witnesses: readonly (readonly Party[])[];
  abstract readonly effectiveAt: Timestamp;
  abstract readonly nodes: readonly TransactionNode[];
  abstract readonly roots: readonly number[];

  constructor(
    origin: UpdateOrigin,
    sequence: number,
    recordTime: Timestamp,
    content: TransactionContent,
  ) {
    super(origin, sequence, recordTime, content);
    this.witnesses = content.witnesses;
  }

  get kind() {
    return 'transaction' as const;
  }

  get transaction(): Transaction {
    return this;
  }
}

class SequencedTransaction extends OwnTransaction {
  readonly effectiveAt: Timestamp;
  readonly nodes: readonly TransactionNode[];
  readonly roots: readonly number[];

  constructor(
    origin: UpdateOrigin,
    sequence: number,
    recordTime: Timestamp,
    content: TransactionContent,
  ) {
    super(origin, sequence, recordTime, content);
    this.effectiveAt = content.effectiveAt;
    this.nodes = content.transaction.nodes;
    this.roots = content.transaction.roots;
  }
}

/** A transaction of a single create, the most common kind: it stores only the contract. */
class SequencedCreate extends OwnTransaction {
  readonly #contract: ContractInstance;

  constructor(
    contract: ContractInstance,
    origin: UpdateOrigin,
    sequence: number,
    recordTime: Timestamp,
    content: TransactionContent,
  ) {
    super(origin, sequence, recordTime, content);
    this.#contract = contract;
  }

  /** The contract, if the transaction only creates it, at the contract's own time. */
  static contractOf({
    transaction,
    effectiveAt,
  }: TransactionContent): ContractInstance | undefined {
    const { nodes, roots } = transaction;
    const [node] = nodes;
    if (nodes.length !== 1 || roots.length !== 1 || node?.kind !== 'create') return undefined;
    return node.contract.createdAt === effectiveAt ? node.contract : undefined;
  }

  get effectiveAt(): Timestamp {
    return this.#contract.createdAt;
  }

  get nodes(): readonly TransactionNode[] {
    return [{ kind: 'create', nodeId: 0, parent: -1, contract: this.#contract }];
  }

  get roots(): readonly number[] {
    return [0];
  }
}

class ImportedTransaction extends SequencedTransaction {
  override get isImported(): boolean {
    return true;
  }
}

class SequencedReassignment extends SequencedUpdate implements ReassignmentUpdate {
  readonly events: readonly ReassignmentEvent[];

  constructor(
    origin: UpdateOrigin,
    sequence: number,
    recordTime: Timestamp,
    content: Extract<UpdateContent, { kind: 'reassignment' }>,
  ) {
    super(origin, sequence, recordTime, content);
    this.events = content.events;
  }

  get kind() {
    return 'reassignment' as const;
  }
}

class ImportedReassignment extends SequencedReassignment {
  override get isImported(): boolean {
    return true;
  }
}

class SequencedTopology extends SequencedUpdate implements TopologyUpdate {
  readonly events: readonly TopologyEvent[];

  constructor(
    origin: UpdateOrigin,
    sequence: number,
    recordTime: Timestamp,
    content: Extract<UpdateContent, { kind: 'topology' }>,
  ) {
    super(origin, sequence, recordTime, content);
    this.events = content.events;
  }

  get kind() {
    return 'topology' as const;
  }
}

export type StoredUpdate = SequencedUpdate & Update;

/** The parts of an update, without its offsets at participants. */
export type SavedUpdate = readonly [
  kind: Update['kind'],
  sequence: number,
  synchronizerId: SynchronizerId,
  migrationId: number,
  recordTime: Timestamp,
  submission: SubmissionInfo | undefined,
  workflowId: string,
  traceContext: TraceContext | undefined,
  /** For a transaction: ledger time, nodes, roots, witnesses, external hash; for other updates their events. */
  content: readonly unknown[],
  mark: typeof IMPORTED | undefined,
];

/** Marks an imported update: see UpdateHeader.isImported. */
export const IMPORTED = 'imported';

export function isStoredUpdate(value: object): value is StoredUpdate {
  return value instanceof SequencedUpdate;
}

export function savedUpdate(update: StoredUpdate): SavedUpdate {
  const { kind, sequence, synchronizerId, migrationId, recordTime } = update;
  const { submission, workflowId, traceContext } = update;
  const content =
    update.kind === 'transaction'
      ? [
          update.effectiveAt,
          update.transaction.nodes,
          update.transaction.roots,
          update.witnesses,
          update.externalTransactionHash,
          update.externalAuthorization,
        ]
      : update.events;
  return [
    kind,
    sequence,
    synchronizerId,
    migrationId,
    recordTime,
    submission,
    workflowId,
    traceContext,
    content,
    isImport(update) ? IMPORTED : undefined,
  ];
}

/** @param originOf returns the common data of updates of that synchronizer and migration */
export function restoredUpdate(
  saved: SavedUpdate,
  originOf: (synchronizerId: SynchronizerId, migrationId: number) => UpdateOrigin,
): StoredUpdate {
  const [kind, sequence, synchronizerId, migrationId, recordTime] = saved;
  const [, , , , , submission, workflowId, traceContext, content, mark] = saved;
  const origin = originOf(synchronizerId, migrationId);
  const isImported = mark === IMPORTED;
  const head = { synchronizerId, submission, workflowId, traceContext, isImported };
  if (kind !== 'transaction')
    return sequencedUpdate(origin, sequence, recordTime, {
      kind,
      ...head,
      events: content,
    } as never);
  // Listed one by one, because copying is several times slower for a whole history.
  return sequencedUpdate(origin, sequence, recordTime, {
    kind,
    synchronizerId,
    submission,
    workflowId,
    traceContext,
    isImported,
    effectiveAt: content[0],
    transaction: { nodes: content[1], roots: content[2] },
    witnesses: content[3],
    externalTransactionHash: content[4],
    externalAuthorization: content[5],
  } as never);
}

export function sequencedUpdate(
  origin: UpdateOrigin,
  sequence: number,
  recordTime: Timestamp,
  content: UpdateContent,
): StoredUpdate {
  switch (content.kind) {
    case 'transaction': {
      if (content.isImported === true)
        return new ImportedTransaction(origin, sequence, recordTime, content);
      const contract = SequencedCreate.contractOf(content);
      return contract === undefined
        ? new SequencedTransaction(origin, sequence, recordTime, content)
        : new SequencedCreate(contract, origin, sequence, recordTime, content);
    }
    case 'reassignment':
      return content.isImported === true
        ? new ImportedReassignment(origin, sequence, recordTime, content)
        : new SequencedReassignment(origin, sequence, recordTime, content);
    case 'topology':
      return new SequencedTopology(origin, sequence, recordTime, content);
  }
}
