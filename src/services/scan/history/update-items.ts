/**
 * Items of the update history in each version of Scan's API (S-UPD-012 to S-UPD-033, S-UPD-037 to S-UPD-039, S-ENC-006 to S-ENC-008,
 * S-ENC-011).
 */
import { encodeProtobufJson } from '../../../daml/codec/json/scan.js';
import {
  interfaceDefinition,
  template as templateOf,
  type PackageLookup,
} from '../../../daml/model/package.js';
import { formatInstant, formatTimestamp, formatTimestampMicros } from '../../../daml/model/time.js';
import {
  stakeholdersOf,
  type ContractInstance,
  type ExerciseNode,
} from '../../../daml/model/transaction.js';
import type { DamlType } from '../../../daml/model/types.js';
import type { DamlValue, Timestamp } from '../../../daml/model/values.js';
import type {
  ActiveContract,
  BaseUpdateHistoryTransaction,
  CreatedEvent,
  DamlValueEncoding,
  ExercisedEvent,
  TreeEvent,
  UpdateHistoryItem,
  UpdateHistoryItemV2,
  UpdateHistoryReassignment,
} from '../../../spec/generated/scan.js';
import type { SnapshotContract } from '../../../splice/scan/acs-snapshots.js';
import type {
  ScanItem,
  ScanNode,
  ScanReassignment,
  ScanTransaction,
} from '../../../splice/scan/scan-history.js';
import { companionError } from '../../../splice/scan/scan-json.js';
import type { ScanJson } from '../../../daml/codec/json/scan.js';
import type { ScanViewpoint } from '../../../splice/scan/scan-view.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal } from '../../handler.js';
import { UNEXPECTED } from '../formats/contracts.js';

type UpdatesVersion = 0 | 1 | 2;

export interface ItemFormat {
  readonly version: UpdatesVersion;
  readonly encoding: DamlValueEncoding;
  /** The record time from which versions 1 and 2 have the external hash (S-UPD-038). */
  readonly externalHashesSince: Timestamp;
  readonly packages: PackageLookup;
  readonly viewpoint: ScanViewpoint;
  readonly scanJson: ScanJson;
}

export function formatOf(
  { externalHashesSince, packages, viewpoint, scanJson }: Splice,
  version: ItemFormat['version'],
  encoding: DamlValueEncoding = 'compact_json',
): ItemFormat {
  return { version, encoding, externalHashesSince, packages, viewpoint, scanJson };
}

export function updateItem(item: ScanItem, format: ItemFormat): UpdateHistoryItem {
  if (item.kind === 'reassignment') return reassignment(item, format);
  return {
    ...transaction(item, format),
    offset: offsetText(item.offset, format),
    ...externalHash(item, format),
  };
}

/** The item without an offset; reassignments still have one. */
export function updateItemV2(item: ScanItem, format: ItemFormat): UpdateHistoryItemV2 {
  if (item.kind === 'reassignment') return reassignment(item, format);
  return { ...transaction(item, format), ...externalHash(item, format) };
}

/** For a lookup by hash, which returns the hash for any record time. */
export function updateItemWithHash(
  item: ScanTransaction,
  format: ItemFormat,
): BaseUpdateHistoryTransaction & { external_transaction_hash: string } {
  return { ...transaction(item, format), external_transaction_hash: item.externalTransactionHash! };
}

function transaction(item: ScanTransaction, format: ItemFormat): BaseUpdateHistoryTransaction {
  const idAt = (place: number): string =>
    eventId(item.updateId, nodeNumber(item.nodes[place]!, format), format);
  const events = item.nodes.map((each): [string, TreeEvent] => {
    const id = idAt(each.place);
    const { node } = each;
    if (node.kind === 'create')
      return [id, { ...created(id, node.contract, format), event_type: 'created_event' }];
    return [
      id,
      { ...exercised(id, node, each.children.map(idAt), format), event_type: 'exercised_event' },
    ];
  });
  // Sorted by key in code units: `:10` comes before `:2` (S-UPD-018).
  events.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    update_id: item.updateId,
    migration_id: item.migrationId,
    workflow_id: item.workflowId,
    record_time: formatTimestampMicros(item.recordTime),
    synchronizer_id: item.synchronizerId,
    effective_at: formatInstant(item.effectiveAt),
    root_event_ids: item.roots.map(idAt),
    events_by_id: Object.fromEntries(events),
  };
}

function reassignment(
  { update, event, offset }: ScanReassignment,
  format: ItemFormat,
): UpdateHistoryReassignment {
  const shared = {
    submitter: event.submitter,
    source_synchronizer: event.source,
    target_synchronizer: event.target,
    migration_id: update.migrationId,
    unassign_id: event.reassignmentId,
    reassignment_counter: event.reassignmentCounter,
  };
  const id = eventId(update.updateId, event.nodeId, format);
  return {
    update_id: update.updateId,
    offset: offsetText(offset, format),
    record_time: formatTimestampMicros(update.recordTime),
    event:
      event.kind === 'assigned'
        ? { ...shared, created_event: created(id, event.contract, format) }
        : { ...shared, contract_id: event.contract.contractId },
  };
}

/** A contract of a snapshot as its created event (S-ACS-013). */
export function createdEventOf(
  { contract, updateId, nodeId }: SnapshotContract,
  format: ItemFormat,
): CreatedEvent {
  return created(eventId(updateId, nodeId, format), contract, format);
}

/** A contract of a snapshot without its event. An imported contract has no update id. */
export function activeContract(
  { contract, updateId, isImported }: SnapshotContract,
  format: ItemFormat,
): ActiveContract {
  const stated = contractFacts(contract, format);
  return isImported ? stated : { ...stated, created_in_update_id: updateId };
}

function created(id: string, contract: ContractInstance, format: ItemFormat): CreatedEvent {
  return { event_type: 'created_event', event_id: id, ...contractFacts(contract, format) };
}

/** The real Scan fails for a contract with a key (S-ENC-013). For contracts that only a sandbox's Scan sees, it omits the key. */
function contractFacts(contract: ContractInstance, format: ItemFormat) {
  const { packages, viewpoint } = format;
  if (contract.key !== undefined && viewpoint.isDsos(stakeholdersOf(contract)))
    throw new HttpRefusal(500, UNEXPECTED);
  const { payloadType } = templateOf(packages, contract.templateId)!;
  return {
    contract_id: contract.contractId,
    template_id: contract.templateId,
    package_name: contract.packageName,
    create_arguments: encode(format, contract, payloadType, contract.payload),
    created_at: formatTimestamp(contract.createdAt),
    signatories: [...contract.signatories].sort(),
    observers: [...contract.observers].sort(),
  };
}

function exercised(
  id: string,
  node: ExerciseNode,
  children: string[],
  format: ItemFormat,
): ExercisedEvent {
  const { contract } = node;
  const { argumentType, returnType } = choiceOf(format.packages, node);
  return {
    event_type: 'exercised_event',
    event_id: id,
    contract_id: contract.contractId,
    template_id: node.templateId,
    package_name: contract.packageName,
    choice: node.choice,
    choice_argument: encode(format, contract, argumentType, node.argument),
    child_event_ids: children,
    exercise_result: encode(format, contract, returnType, node.result),
    consuming: node.consuming,
    acting_parties: [...node.actingParties],
    interface_id: node.interfaceId,
  };
}

function choiceOf(
  packages: PackageLookup,
  node: ExerciseNode,
): { argumentType: DamlType; returnType: DamlType } {
  const { interfaceId, templateId, choice } = node;
  const owner =
    interfaceId === undefined
      ? templateOf(packages, templateId)
      : interfaceDefinition(packages, interfaceId);
  return owner!.choices.get(choice)!;
}

/**
 * The schema requires an object, but a value without fields may be a string (S-ENC-008). If the DSO sees a contract
 * without its code, the result has the error and the value, as on the real Scan (S-ENC-010). Contracts that only a
 * sandbox's Scan sees have only the value.
 */
function encode(
  { packages, encoding, viewpoint, scanJson }: ItemFormat,
  contract: ContractInstance,
  type: DamlType,
  value: DamlValue,
): Record<string, unknown> {
  if (encoding === 'protobuf_json')
    return encodeProtobufJson(packages, type, value) as Record<string, unknown>;
  const error = companionError(contract.templateId);
  if (error === undefined || !viewpoint.isDsos(stakeholdersOf(contract)))
    return scanJson.event(packages, type, value) as Record<string, unknown>;
  return { error, value: scanJson.unknown(packages, type, value) };
}

/** Version 0 has the participant's node ids; later versions have consecutive ids that are the same on all nodes (S-UPD-014). */
function nodeNumber({ nodeId, place }: ScanNode, { version }: ItemFormat): number {
  return version === 0 ? nodeId : place;
}

function eventId(updateId: string, node: number, { version }: ItemFormat): string {
  return `${version === 0 ? '#' : ''}${updateId}:${node}`;
}

/**
 * 18 hexadecimal digits; empty for 0. From version 1 on, all updates have the same offset, because offsets differ by participant (S-UPD-019
 * to S-UPD-021).
 */
function offsetText(offset: number, { version }: ItemFormat): string {
  if (version !== 0) return offsetText(1, { version: 0 } as ItemFormat);
  return offset === 0 ? '' : `00${offset.toString(16).padStart(16, '0')}`;
}

function externalHash(
  item: ScanTransaction,
  { version, externalHashesSince }: ItemFormat,
): { external_transaction_hash?: string } {
  const hash = item.externalTransactionHash;
  if (hash === undefined || (version !== 0 && item.recordTime < externalHashesSince)) return {};
  return { external_transaction_hash: hash };
}
