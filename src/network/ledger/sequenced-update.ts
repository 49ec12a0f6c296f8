/**
 * Updates as the log keeps them. History is most of what a network holds, so what consecutive updates share is held once, and
 * their ids are drawn again whenever they are asked for.
 */
import type { Transaction, TransactionNode } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { isImport } from './witnesses.js';
import { updateIdAt, type ParticipantId, type SynchronizerId, type UpdateId } from '../ids.js';
import type { UpdateEntry } from './log-entry.js';
import type { SeededRandom } from '../journal/random.js';
import { traceOf } from './submission-info.js';
import type {
  GivenOrDrawnTrace,
  ReassignmentEvent,
  ReassignmentUpdate,
  SubmissionInfo,
  TopologyEvent,
  TopologyUpdate,
  TraceContext,
  TransactionUpdate,
  Update,
  UpdateContent,
} from '../updates.js';

/** What updates of one synchronizer share until the network migrates. */
export interface UpdateOrigin {
  readonly random: SeededRandom;
  readonly synchronizerId: SynchronizerId;
  readonly migrationId: number;
  /** The id that was asked for last: whoever tells of an update asks for it several times. */
  told?: { readonly sequence: number; readonly id: UpdateId };
}

const NOWHERE = { get: (_participantId: ParticipantId) => undefined };

abstract class SequencedUpdate {
  readonly #origin: UpdateOrigin;
  /** At the participants that see any of it; these members are no part of how an update is shown. */
  #entries: UpdateEntry | undefined;
  readonly submission: SubmissionInfo | undefined;
  readonly workflowId: string;
  readonly #trace: GivenOrDrawnTrace | undefined;

  constructor(
    origin: UpdateOrigin,
    readonly sequence: number,
    readonly recordTime: Timestamp,
    { submission, workflowId, traceContext }: UpdateContent,
  ) {
    this.#origin = origin;
    this.#entries = undefined;
    this.submission = submission;
    this.workflowId = workflowId;
    this.#trace = traceContext;
  }

  /** Of which {@link traceContext} is made. */
  get trace(): GivenOrDrawnTrace | undefined {
    return this.#trace;
  }

  get traceContext(): TraceContext | undefined {
    return traceOf(this.#origin.random, this.#trace);
  }

  get updateId(): UpdateId {
    const { sequence } = this;
    const origin = this.#origin;
    if (origin.told?.sequence !== sequence)
      origin.told = { sequence, id: updateIdAt(origin.random, sequence) };
    return origin.told.id;
  }

  get synchronizerId(): SynchronizerId {
    return this.#origin.synchronizerId;
  }

  get migrationId(): number {
    return this.#origin.migrationId;
  }

  /** Most are not: the mark takes no room in those. */
  get isImported(): boolean {
    return false;
  }

  get offsets(): { get(participantId: ParticipantId): number | undefined } {
    return this.#entries ?? NOWHERE;
  }

  /** The first of its entries, each of which leads to the next; undefined where nobody sees any of it. */
  get entries(): UpdateEntry | undefined {
    return this.#entries;
  }

  /** Called once, when the update is sequenced. */
  isAt(entries: UpdateEntry | undefined): void {
    this.#entries = entries;
  }
}

/** Its own transaction, so that there are fewer objects to keep. */
class SequencedTransaction extends SequencedUpdate implements TransactionUpdate, Transaction {
  readonly kind = 'transaction';
  readonly effectiveAt: Timestamp;
  readonly nodes: readonly TransactionNode[];
  readonly roots: readonly number[];
  readonly witnesses: readonly (readonly Party[])[];
  readonly externalTransactionHash: string | undefined;

  constructor(
    origin: UpdateOrigin,
    sequence: number,
    recordTime: Timestamp,
    content: Extract<UpdateContent, { kind: 'transaction' }>,
  ) {
    super(origin, sequence, recordTime, content);
    this.effectiveAt = content.effectiveAt;
    this.nodes = content.transaction.nodes;
    this.roots = content.transaction.roots;
    this.witnesses = content.witnesses;
    this.externalTransactionHash = content.externalTransactionHash;
  }

  get transaction(): Transaction {
    return this;
  }
}

class ImportedTransaction extends SequencedTransaction {
  override get isImported(): boolean {
    return true;
  }
}

class SequencedReassignment extends SequencedUpdate implements ReassignmentUpdate {
  readonly kind = 'reassignment';
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
}

class ImportedReassignment extends SequencedReassignment {
  override get isImported(): boolean {
    return true;
  }
}

class SequencedTopology extends SequencedUpdate implements TopologyUpdate {
  readonly kind = 'topology';
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
}

export type StoredUpdate = SequencedUpdate & Update;

/** What an update is made of, but the offsets that it has at participants. */
export type KeptUpdate = readonly [
  kind: Update['kind'],
  sequence: number,
  synchronizerId: SynchronizerId,
  migrationId: number,
  recordTime: Timestamp,
  submission: SubmissionInfo | undefined,
  workflowId: string,
  traceContext: TraceContext | undefined,
  /** Of a transaction: ledger time, nodes, roots, witnesses, external hash; of others their events. */
  content: readonly unknown[],
  mark: typeof IMPORTED | undefined,
];

/** Marks what is none of the network's: see UpdateHeader.isImported. */
export const IMPORTED = 'imported';

export function isStoredUpdate(value: object): value is StoredUpdate {
  return value instanceof SequencedUpdate;
}

export function keptUpdate(update: StoredUpdate): KeptUpdate {
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

/** @param originOf what updates of that synchronizer share under that migration */
export function restoredUpdate(
  kept: KeptUpdate,
  originOf: (synchronizerId: SynchronizerId, migrationId: number) => UpdateOrigin,
): StoredUpdate {
  const [kind, sequence, synchronizerId, migrationId, recordTime] = kept;
  const [, , , , , submission, workflowId, traceContext, content, mark] = kept;
  const origin = originOf(synchronizerId, migrationId);
  const isImported = mark === IMPORTED;
  const head = { synchronizerId, submission, workflowId, traceContext, isImported };
  if (kind !== 'transaction')
    return sequencedUpdate(origin, sequence, recordTime, {
      kind,
      ...head,
      events: content,
    } as never);
  // Named one by one, as there are as many as a history has, and copying takes several times as long.
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
  } as never);
}

export function sequencedUpdate(
  origin: UpdateOrigin,
  sequence: number,
  recordTime: Timestamp,
  content: UpdateContent,
): StoredUpdate {
  switch (content.kind) {
    case 'transaction':
      return content.isImported === true
        ? new ImportedTransaction(origin, sequence, recordTime, content)
        : new SequencedTransaction(origin, sequence, recordTime, content);
    case 'reassignment':
      return content.isImported === true
        ? new ImportedReassignment(origin, sequence, recordTime, content)
        : new SequencedReassignment(origin, sequence, recordTime, content);
    case 'topology':
      return new SequencedTopology(origin, sequence, recordTime, content);
  }
}
