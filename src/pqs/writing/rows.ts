/** Rows of transactions: from the events of the Ledger API to the columns of the tables (Q-ROW-001 to Q-ROW-007). */
import { wholeJsonEncoderOf } from '../../daml/codec/json/encode.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { ValueForm } from '../../services/value-form.js';
import type {
  CreatedEvent,
  Event,
  ExercisedEvent,
  JsReassignment,
  JsTransaction,
} from '../../spec/generated/ledger.js';
import type { SchemaVersion } from '../schema/columns.js';
import type { Names, TypeName } from './names.js';
import { sqlJson } from './sql-json.js';

type Row = Readonly<Record<string, unknown>>;

/** Rows by table. */
export interface Rows {
  readonly transactions: Row[];
  readonly events: Row[];
  readonly contracts: Row[];
  readonly exercises: Row[];
  /** Contract, event, index of the transaction, and type. */
  readonly archives: (readonly [string, number, number, number])[];
  /** Tables that rows need: `__contracts` or `__exercises`, and the key of the type. */
  readonly partitions: (readonly [string, number])[];
}

const noRows = (): Rows => ({
  transactions: [],
  events: [],
  contracts: [],
  exercises: [],
  archives: [],
  partitions: [],
});

/** Daml values as JSON: records have all fields, numbers are texts, numerics have all digits. */
export const SQL_VALUES: ValueForm = {
  name: 'sql',
  writer: () => SQL_WRITER,
  get requestWriter() {
    return SQL_WRITER;
  },
};

const SQL_WRITER: ReturnType<ValueForm['writer']> = {
  value: (packages, type, value) => wholeJsonEncoderOf(packages, type)(value),
  record: (packages, type, value) => wholeJsonEncoderOf(packages, type)(value),
};

/** Writes the rows of one participant, with ascending keys. */
export class RowWriter {
  /** The key of the last event. */
  eventPk = 0;
  private rows: Rows = noRows();
  private readonly partitions = new Map<string, readonly [string, number]>();
  /** The transactions that brought contracts by assignment. */
  private readonly assigned = new Map<string, number>();

  constructor(
    private readonly names: Names,
    private readonly version: SchemaVersion,
    /** Whether the database has rows of a type, by its name. */
    private readonly includes: (type: TypeName) => boolean,
    /** Whether it has the blobs of contracts of a template. */
    private readonly includesBlob: (type: TypeName) => boolean,
  ) {}

  get eventCount(): number {
    return this.rows.events.length;
  }

  /** The rows since the last call. */
  takeRows(): Rows {
    const { rows } = this;
    this.rows = noRows();
    return rows;
  }

  /** Continues after a transaction, and drops rows that were not written. */
  continueAfter(ix: number, eventPk: number): void {
    this.eventPk = eventPk;
    // The rows that are dropped may have been the first of their tables.
    this.rows = { ...noRows(), partitions: [...this.partitions.values()] };
    for (const [id, at] of this.assigned) if (at > ix) this.assigned.delete(id);
  }

  /** The first transaction of a database. It replaces all before it, and seems to create its contracts. */
  seed(offset: number, contracts: Iterable<CreatedEvent>): void {
    this.rows.transactions.push({ ix: 0, offset });
    for (const created of contracts) this.created(0, created);
  }

  transaction(ix: number, transaction: JsTransaction): void {
    const { offset, updateId, effectiveAt, workflowId = '', synchronizerId } = transaction;
    const { traceContext, externalTransactionHash, paidTrafficCost } = transaction;
    this.rows.transactions.push({
      ...{ ix, offset, transaction_id: updateId, effective_at: inMilliseconds(effectiveAt) },
      ...{ workflow_id: workflowId, domain_id: synchronizerId },
      trace_context: traceContext && {
        trace_parent: traceContext.traceparent ?? '',
        trace_state: traceContext.tracestate ?? '',
      },
      external_transaction_hash: externalTransactionHash && `\\x${externalTransactionHash}`,
      paid_traffic_cost: paidTrafficCost,
    });
    for (const event of transaction.events) this.event(ix, event);
  }

  /** An assignment brings contracts that the participant did not have. */
  reassignment(ix: number, reassignment: JsReassignment, isKnown: (id: string) => boolean): void {
    const { offset, updateId, workflowId = '', synchronizerId, recordTime } = reassignment;
    const effective_at = inMilliseconds(recordTime);
    const transaction = { ix, offset, transaction_id: updateId, effective_at };
    this.rows.transactions.push({
      ...transaction,
      ...{ workflow_id: workflowId, domain_id: synchronizerId },
    });
    for (const event of reassignment.events ?? [])
      if ('JsAssignmentEvent' in event) {
        const { createdEvent } = event.JsAssignmentEvent;
        const { contractId } = createdEvent;
        if (isKnown(contractId) || this.assigned.has(contractId)) continue;
        this.assigned.set(contractId, ix);
        this.created(ix, createdEvent);
      }
  }

  private event(ix: number, event: Event): void {
    if ('CreatedEvent' in event) this.created(ix, event.CreatedEvent);
    else if ('ArchivedEvent' in event) {
      const { offset, nodeId, contractId, templateId } = event.ArchivedEvent;
      const pk = this.addEvent(ix, offset, nodeId, 'archive');
      this.archived(pk, ix, contractId, templateId);
    } else this.exercised(ix, event.ExercisedEvent);
  }

  private addEvent(tx_ix: number, offset: number, node_id: number, type: string): number {
    this.eventPk += 1;
    this.rows.events.push({ pk: this.eventPk, tx_ix, offset, node_id, type });
    return this.eventPk;
  }

  private created(ix: number, event: CreatedEvent): void {
    const { contractId, contractKeyHash } = event;
    const pk = this.addEvent(ix, event.offset, event.nodeId, 'create');
    const hash = hexOf(contractKeyHash);
    const template = this.names.nameOf(event.templateId);
    const views = (event.interfaceViews ?? [])
      .filter(({ viewStatus }) => viewStatus.code === 0)
      .map(({ interfaceId, viewValue }) => [this.names.nameOf(interfaceId), viewValue] as const);
    // Of two versions of an interface, which cannot both be upgrades, the first counts.
    const payloads = new Map([[template, event.createArgument] as const]);
    for (const [name, view] of views) if (!payloads.has(name)) payloads.set(name, view);
    const isStored = [...payloads.keys()].filter(this.includes);
    const blob = isStored.some(this.includesBlob) ? hexOf(event.createdEventBlob) : undefined;
    for (const name of isStored) {
      const isTemplate = name === template;
      const hasHash = isTemplate || this.version.interfacesHaveKeyHash;
      this.rows.contracts.push({
        tpe_pk: this.partition('__contracts', this.names.type(name)),
        ...{ create_event_pk: pk, created_at_ix: ix, contract_id: contractId },
        payload: payloads.get(name),
        contract_key:
          isTemplate && hash !== undefined ? sqlJson(event.contractKey ?? null) : undefined,
        contract_key_hash: hasHash ? hash : undefined,
        metadata: blob,
        package_pk: this.names.package(event.representativePackageId),
        signatories: event.signatories,
        observers: event.observers ?? [],
        witnesses: event.witnessParties,
        divulged_only: !event.acsDelta,
      });
    }
  }

  private archived(eventPk: number, ix: number, contractId: string, templateId: string): void {
    for (const type of this.names.typesOfContract(this.names.nameOf(templateId)))
      if (this.partitions.has(`__contracts ${type}`))
        this.rows.archives.push([contractId, eventPk, ix, type]);
  }

  private exercised(ix: number, event: ExercisedEvent): void {
    const { contractId, templateId, interfaceId, choice } = event;
    const pk = this.addEvent(ix, event.offset, event.nodeId, 'exercise');
    if (event.consuming) this.archived(pk, ix, contractId, templateId);
    const name = this.names.nameOf(interfaceId ?? templateId);
    if (!this.includes(name)) return;
    this.rows.exercises.push({
      tpe_pk: this.partition('__exercises', this.names.choice(name, choice)),
      contract_tpe_pk: this.names.type(name),
      ...{ exercise_event_pk: pk, exercised_at_ix: ix, contract_id: contractId },
      argument: sqlJson(event.choiceArgument ?? null),
      result: sqlJson(event.exerciseResult ?? null),
      package_pk: this.names.package(packageIdOf(templateId)),
      controllers: event.actingParties ?? [],
      last_descendant_node_id: event.lastDescendantNodeId,
      witnesses: event.witnessParties ?? [],
    });
  }

  private partition(table: '__contracts' | '__exercises', type: number): number {
    const key = `${table} ${type}`;
    if (!this.partitions.has(key)) {
      this.partitions.set(key, [table, type]);
      this.rows.partitions.push([table, type]);
    }
    return type;
  }
}

/** Drops microseconds (Q-ROW-003). */
const inMilliseconds = (instant: string): string => instant.replace(/(\.\d{3})\d+/, '$1');

/** Bytes in the notation of PostgreSQL; undefined if there are none. */
const hexOf = (base64: string | undefined): string | undefined =>
  base64 ? `\\x${Buffer.from(base64, 'base64').toString('hex')}` : undefined;
