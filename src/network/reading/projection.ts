/**
 * The part of an update that readers see on one participant: the ledger model's projection, in the requested shape.
 * The API layer renders values and blobs.
 */
import {
  isEvent,
  sortedStakeholders,
  stakeholdersOf,
  type ContractInstance,
  type ExerciseNode,
  type TransactionNode,
} from '../../daml/model/transaction.js';
import type { TypeId } from '../../daml/model/types.js';
import type { Party } from '../../daml/model/values.js';
import {
  matchContract,
  type EventFormat,
  type Match,
  type TransactionFormat,
  type UpdateFormat,
} from './event-format.js';
import type { Participant } from '../participant.js';
import type {
  ReassignmentEvent,
  ReassignmentUpdate,
  TopologyEvent,
  TopologyUpdate,
  TransactionUpdate,
  Update,
} from '../model/updates.js';

export interface CreatedView extends Match {
  readonly kind: 'created';
  readonly offset: number;
  readonly nodeId: number;
  readonly contract: ContractInstance;
  readonly acsDelta: boolean;
}

export interface ArchivedView {
  readonly kind: 'archived';
  readonly offset: number;
  readonly nodeId: number;
  readonly contract: ContractInstance;
  /** With the package version whose choice consumed it. */
  readonly templateId: TypeId;
  readonly witnesses: readonly Party[];
  /** Those of the requested interfaces (B-FLT-012). */
  readonly implementedInterfaces: readonly TypeId[];
}

export interface ExercisedView {
  readonly kind: 'exercised';
  readonly offset: number;
  readonly nodeId: number;
  readonly node: ExerciseNode;
  /** In the participant's numbering, like the node id. */
  readonly lastDescendant: number;
  readonly witnesses: readonly Party[];
  readonly implementedInterfaces: readonly TypeId[];
  readonly acsDelta: boolean;
}

export type EventView = CreatedView | ArchivedView | ExercisedView;

export interface ReassignmentEventView {
  readonly event: ReassignmentEvent;
  readonly offset: number;
  readonly match: Match;
}

export type UpdateView =
  | {
      readonly kind: 'transaction';
      readonly update: TransactionUpdate;
      readonly offset: number;
      readonly events: readonly EventView[];
    }
  | {
      readonly kind: 'reassignment';
      readonly update: ReassignmentUpdate;
      readonly offset: number;
      readonly events: readonly ReassignmentEventView[];
    }
  | {
      readonly kind: 'topology';
      readonly update: TopologyUpdate;
      readonly offset: number;
      readonly events: readonly TopologyEvent[];
    };

/** The visible part of the update; undefined if nothing is visible. */
export function projectUpdate(
  participant: Participant,
  update: Update,
  format: UpdateFormat,
): UpdateView | undefined {
  const offset = update.offsets.get(participant.id);
  if (offset === undefined) return undefined;
  let view: UpdateView | undefined;
  if (update.kind === 'transaction' && format.transactions)
    view = {
      kind: 'transaction',
      update,
      offset,
      events: projectTransaction(participant, update, format.transactions),
    };
  else if (update.kind === 'reassignment' && format.reassignments)
    view = {
      kind: 'reassignment',
      update,
      offset,
      events: projectReassignment(participant, update, format.reassignments),
    };
  else if (update.kind === 'topology' && format.topology) {
    const { parties } = format.topology;
    const events = update.events.filter(
      ({ party }) => parties.length === 0 || parties.includes(party),
    );
    view = { kind: 'topology', update, offset, events };
  }
  return view && view.events.length > 0 ? view : undefined;
}

/** The events of a transaction in node id order; empty if none is visible under the format. */
export function projectTransaction(
  participant: Participant,
  update: TransactionUpdate,
  { eventFormat, shape }: TransactionFormat,
): readonly EventView[] {
  const position = update.offsets.at(participant.id)!;
  const { offset } = position;
  const { nodes } = update.transaction;
  const transient = transientContracts(nodes);
  const events: EventView[] = [];
  for (const node of nodes) {
    if (!isEvent(node)) continue;
    const nodeId = position.nodeIdOf(node.nodeId);
    if (nodeId === undefined) continue;
    const { contract } = node;
    const changesAcs =
      (node.kind === 'create' || node.consuming) && !transient.has(contract.contractId);
    if (shape === 'ACS_DELTA') {
      if (!changesAcs) continue;
      const match = visibleMatch(participant, eventFormat, contract, sortedStakeholders(contract));
      if (match === undefined) continue;
      if (node.kind === 'create') events.push(created(offset, nodeId, contract, match, true));
      else {
        const { templateId } = node;
        events.push({ kind: 'archived', offset, nodeId, contract, templateId, ...archival(match) });
      }
      continue;
    }
    const match = visibleMatch(participant, eventFormat, contract, update.witnesses[node.nodeId]!);
    if (match === undefined) continue;
    const stakeholders = stakeholdersOf(contract);
    const acsDelta = changesAcs && match.witnesses.some((party) => stakeholders.includes(party));
    if (node.kind === 'create') events.push(created(offset, nodeId, contract, match, acsDelta));
    else {
      const { witnesses, implementedInterfaces } = archival(match);
      const interfaces = node.consuming ? implementedInterfaces : [];
      events.push({
        kind: 'exercised',
        offset,
        nodeId,
        node,
        lastDescendant: position.nodeIdOf(node.lastDescendant)!,
        witnesses,
        implementedInterfaces: interfaces,
        acsDelta,
      });
    }
  }
  return events;
}

function projectReassignment(
  participant: Participant,
  update: ReassignmentUpdate,
  format: EventFormat,
): readonly ReassignmentEventView[] {
  const offset = update.offsets.get(participant.id)!;
  const views: ReassignmentEventView[] = [];
  for (const event of update.events) {
    const stakeholders = sortedStakeholders(event.contract);
    const match = visibleMatch(participant, format, event.contract, stakeholders);
    if (match) views.push({ event, offset, match });
  }
  return views;
}

/**
 * A participant has an event only if it hosts a witness. Of these events, readers see those of their parties.
 * @param visibleTo sorted
 */
function visibleMatch(
  participant: Participant,
  format: EventFormat,
  contract: ContractInstance,
  visibleTo: readonly Party[],
): Match | undefined {
  if (!participant.hostsAny(visibleTo)) return undefined;
  return matchContract(participant.packages, format, contract, visibleTo);
}

function created(
  offset: number,
  nodeId: number,
  contract: ContractInstance,
  { witnesses, blob, views }: Match,
  acsDelta: boolean,
): CreatedView {
  return { kind: 'created', offset, nodeId, contract, acsDelta, witnesses, blob, views };
}

function archival(match: Match): {
  witnesses: readonly Party[];
  implementedInterfaces: readonly TypeId[];
} {
  return { witnesses: match.witnesses, implementedInterfaces: match.views };
}

const NONE: ReadonlySet<string> = new Set();

/** Contracts that this transaction creates and archives. */
function transientContracts(nodes: readonly TransactionNode[]): ReadonlySet<string> {
  if (nodes.length < 2) return NONE;
  const created = new Set<string>();
  const transient = new Set<string>();
  for (const node of nodes) {
    if (node.kind === 'create') created.add(node.contract.contractId);
    else if (node.kind === 'exercise' && node.consuming && created.has(node.contract.contractId))
      transient.add(node.contract.contractId);
  }
  return transient;
}
