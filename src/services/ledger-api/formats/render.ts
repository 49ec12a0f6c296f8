/**
 * Updates, events and contracts in answers of the Ledger API (B-EVT-*, B-GEN-035 to B-GEN-037). Values have the form of
 * the transport.
 */
import { createdEventBlob } from '../../../daml/contract/created-event-blob.js';
import { interfaceView, viewRefusal } from '../../../daml/interpreter/interface-view.js';
import { interfaceDefinition, template as templateOf } from '../../../daml/model/package.js';
import { formatInstant } from '../../../daml/model/time.js';
import type { ContractInstance, ExerciseNode } from '../../../daml/model/transaction.js';
import { packageIdOf, type TypeId } from '../../../daml/model/types.js';
import { forView } from '../../../daml/upgrade/version.js';
import {
  partiesOf,
  type EventFormat,
  type Match,
  type UpdateFormat,
} from '../../../network/reading/event-format.js';
import { ViewVersions } from '../../../network/routing/interface-views.js';
import type { Participant } from '../../../network/participant.js';
import type {
  EventView,
  ExercisedView,
  ReassignmentEventView,
  UpdateView,
} from '../../../network/reading/projection.js';
import { paidTrafficCost } from '../../../network/traffic/update-cost.js';
import type {
  SubmissionInfo,
  TopologyEvent,
  UnassignedEvent,
  Update,
} from '../../../network/model/updates.js';
import type {
  CreatedEvent,
  Event,
  ExercisedEvent,
  JsInterfaceView,
  JsReassignment,
  JsReassignmentEvent,
  JsTransaction,
  TopologyEvent as JsTopologyEvent,
  TraceContext,
  UnassignedEvent as JsUnassignedEvent,
  Update as JsUpdate,
} from '../../../spec/generated/ledger.js';
import { rpcStatus } from './rpc-status.js';
import type { ValueForm } from '../../value-form.js';
import type { Writing } from './writing.js';

/** The position of an event, for readers of a certain participant. */
interface Position {
  readonly offset: number;
  readonly nodeId: number;
  readonly acsDelta: boolean;
}

export function renderCreated(
  writing: Writing,
  contract: ContractInstance,
  match: Match,
  { offset, nodeId, acsDelta }: Position,
  versions = new ViewVersions(writing.participant),
): CreatedEvent {
  const { participant, writer } = writing;
  const template = templateOf(participant.packages, contract.templateId)!;
  const { key } = contract;
  return {
    offset,
    nodeId,
    contractId: contract.contractId,
    templateId: contract.templateId,
    contractKey: key && writer.value(participant.packages, template.key!.type, key.value),
    contractKeyHash: key ? Buffer.from(key.hash, 'hex').toString('base64') : '',
    createArgument: writer.record(participant.packages, template.payloadType, contract.payload),
    createdEventBlob: match.blob ? createdEventBlob(participant.packages, contract) : '',
    interfaceViews: match.views.map((interfaceId) =>
      renderView(writing, interfaceId, contract, versions),
    ),
    witnessParties: [...match.witnesses],
    signatories: [...contract.signatories],
    observers: [...contract.observers],
    createdAt: formatInstant(contract.createdAt),
    packageName: contract.packageName,
    representativePackageId: packageIdOf(contract.templateId),
    acsDelta,
  };
}

/** A view that fails is reported in its status; the event is unaffected (B-FLT-018, B-FLT-020). */
function renderView(
  { participant, writer, call }: Writing,
  interfaceId: TypeId,
  contract: ContractInstance,
  versions: ViewVersions,
): JsInterfaceView {
  const { packages } = participant;
  let implementationPackageId: string | undefined;
  try {
    const templateId = versions.templateFor(interfaceId, contract);
    implementationPackageId = packageIdOf(templateId);
    const viewed = forView(packages, contract, templateId, interfaceId);
    const view = interfaceView(packages, interfaceId, viewed);
    const { viewType } = interfaceDefinition(packages, interfaceId)!;
    return {
      interfaceId,
      viewStatus: { code: 0, message: '' },
      viewValue: writer.record(packages, viewType, view),
      implementationPackageId,
    };
  } catch (error) {
    versions.noteFailure();
    const viewStatus = rpcStatus(viewRefusal(packages, error), call.origin, call.apiVersion);
    return { interfaceId, viewStatus, implementationPackageId };
  }
}

function renderExercised({ participant, writer }: Writing, view: ExercisedView): ExercisedEvent {
  const { node } = view;
  const choice = choiceOf(participant, node);
  return {
    offset: view.offset,
    nodeId: view.nodeId,
    contractId: node.contract.contractId,
    templateId: node.templateId,
    interfaceId: node.interfaceId,
    choice: node.choice,
    choiceArgument: writer.value(participant.packages, choice.argumentType, node.argument),
    actingParties: [...node.actingParties],
    consuming: node.consuming,
    witnessParties: [...view.witnesses],
    lastDescendantNodeId: view.lastDescendant,
    exerciseResult: writer.value(participant.packages, choice.returnType, node.result),
    packageName: node.contract.packageName,
    implementedInterfaces: [...view.implementedInterfaces],
    acsDelta: view.acsDelta,
  };
}

function choiceOf(participant: Participant, node: ExerciseNode) {
  const definition =
    node.interfaceId === undefined
      ? templateOf(participant.packages, node.templateId)
      : interfaceDefinition(participant.packages, node.interfaceId);
  return definition!.choices.get(node.choice)!;
}

export function renderEvent(writing: Writing, view: EventView, versions?: ViewVersions): Event {
  switch (view.kind) {
    case 'created':
      return { CreatedEvent: renderCreated(writing, view.contract, view, view, versions) };
    case 'archived': {
      const { contractId, packageName } = view.contract;
      const { offset, nodeId, templateId } = view;
      const witnessParties = [...view.witnesses];
      const implementedInterfaces = [...view.implementedInterfaces];
      return {
        ArchivedEvent: {
          offset,
          nodeId,
          contractId,
          templateId,
          witnessParties,
          packageName,
          implementedInterfaces,
        },
      };
    }
    case 'exercised':
      return { ExercisedEvent: renderExercised(writing, view) };
  }
}

export function renderUnassigned(
  { id }: Participant,
  event: UnassignedEvent,
  witnesses: readonly string[],
  offset: number,
): JsUnassignedEvent {
  return {
    reassignmentId: event.reassignmentId,
    contractId: event.contract.contractId,
    templateId: event.contract.templateId,
    source: event.source,
    target: event.target,
    submitter: event.submitter,
    reassignmentCounter: event.reassignmentCounter,
    assignmentExclusivity: event.reassigningParticipants.includes(id)
      ? formatInstant(event.assignmentExclusivity)
      : undefined,
    witnessParties: [...witnesses],
    packageName: event.contract.packageName,
    offset,
    nodeId: event.nodeId,
  };
}

function renderReassignmentEvent(reader: Reader, view: ReassignmentEventView): JsReassignmentEvent {
  const { event, match, offset } = view;
  const { participant, versions } = reader;
  if (event.kind === 'unassigned')
    return {
      JsUnassignedEvent: { value: renderUnassigned(participant, event, match.witnesses, offset) },
    };
  const { source, target, reassignmentId, submitter, reassignmentCounter, nodeId, contract } =
    event;
  const position = { offset, nodeId, acsDelta: true };
  const createdEvent = renderCreated(reader, contract, match, position, versions);
  return {
    JsAssignmentEvent: {
      source,
      target,
      reassignmentId,
      submitter,
      reassignmentCounter,
      createdEvent,
    },
  };
}

export interface Reader extends Writing {
  /** Parties that the request reads for; undefined for any. */
  readonly parties: readonly string[] | undefined;
  /** The package versions that compute views, for a request that shows several events. */
  readonly versions?: ViewVersions;
}

export function renderTransaction(
  reader: Reader,
  view: Extract<UpdateView, { kind: 'transaction' }>,
): JsTransaction {
  const { update, offset, events } = view;
  // Each read generates a new id.
  const { updateId, traceContext } = update;
  const submission = ownSubmission(reader, update);
  return {
    updateId,
    commandId: submission?.commandId ?? '',
    workflowId: update.workflowId,
    effectiveAt: formatInstant(update.effectiveAt),
    events: events.map((event) => renderEvent(reader, event, reader.versions)),
    offset,
    synchronizerId: update.synchronizerId,
    traceContext: traceContextOf({ traceContext, updateId }),
    recordTime: formatInstant(update.recordTime),
    externalTransactionHash: update.externalTransactionHash,
    transactionHash: update.externalTransactionHash,
    paidTrafficCost: submission && paidTrafficCost(reader.participant, update),
  };
}

export function renderReassignment(
  reader: Reader,
  view: Extract<UpdateView, { kind: 'reassignment' }>,
): JsReassignment {
  const { update, offset, events } = view;
  const submission = ownSubmission(reader, update);
  return {
    updateId: update.updateId,
    commandId: submission?.commandId ?? '',
    workflowId: update.workflowId,
    offset,
    events: events.map((event) => renderReassignmentEvent(reader, event)),
    traceContext: traceContextOf(update),
    recordTime: formatInstant(update.recordTime),
    synchronizerId: update.synchronizerId,
    paidTrafficCost: submission && paidTrafficCost(reader.participant, update),
  };
}

/** A reader of each kind of update, because each may write its values in another form. */
export interface UpdateReader {
  readonly transactions: Reader;
  readonly reassignments: Reader;
}

/**
 * The submitter of an update is visible to parties for which the format of its kind reads (B-EVT-035).
 * @param format that shows the updates
 */
export function updateReader(
  reader: Omit<Reader, 'writer' | 'parties'>,
  values: ValueForm,
  { transactions, reassignments }: UpdateFormat,
): UpdateReader {
  const writing = (format: EventFormat | undefined): Reader => ({
    ...reader,
    parties: format && partiesOf(format),
    writer: values.writer(format?.verbose ?? false),
  });
  return {
    transactions: writing(transactions?.eventFormat),
    reassignments: writing(reassignments),
  };
}

export function renderUpdate(
  { transactions, reassignments }: UpdateReader,
  view: UpdateView,
): JsUpdate {
  switch (view.kind) {
    case 'transaction':
      return { Transaction: { value: renderTransaction(transactions, view) } };
    case 'reassignment':
      return { Reassignment: { value: renderReassignment(reassignments, view) } };
    case 'topology': {
      const { update, offset, events } = view;
      const { updateId, synchronizerId } = update;
      const recordTime = formatInstant(update.recordTime);
      const traceContext = traceContextOf(update);
      return {
        TopologyTransaction: {
          value: {
            updateId,
            offset,
            synchronizerId,
            recordTime,
            events: events.map(renderTopologyEvent),
            traceContext,
          },
        },
      };
    }
  }
}

const PERMISSIONS = {
  submission: 'PARTICIPANT_PERMISSION_SUBMISSION',
  confirmation: 'PARTICIPANT_PERMISSION_CONFIRMATION',
  observation: 'PARTICIPANT_PERMISSION_OBSERVATION',
} as const;

export function renderPermission(permission: keyof typeof PERMISSIONS | undefined) {
  return permission === undefined ? 'PARTICIPANT_PERMISSION_UNSPECIFIED' : PERMISSIONS[permission];
}

function renderTopologyEvent({
  kind,
  party,
  participantId,
  permission,
}: TopologyEvent): JsTopologyEvent {
  const participantPermission = renderPermission(permission);
  switch (kind) {
    case 'added':
      return {
        event: {
          ParticipantAuthorizationAdded: {
            value: { partyId: party, participantId, participantPermission },
          },
        },
      };
    case 'changed':
      return {
        event: {
          ParticipantAuthorizationChanged: {
            value: { partyId: party, participantId, participantPermission },
          },
        },
      };
    case 'revoked':
      return {
        event: { ParticipantAuthorizationRevoked: { value: { partyId: party, participantId } } },
      };
  }
}

/**
 * Only submitters see the command id and the cost, and only on the participant of the submission (B-UPD-022,
 * B-CMD-046).
 */
function ownSubmission(
  { participant, parties }: Reader,
  { submission }: Update,
): SubmissionInfo | undefined {
  if (submission?.participantId !== participant.id) return undefined;
  const isOurs = parties === undefined || submission.actAs.some((party) => parties.includes(party));
  return isOurs ? submission : undefined;
}

/** The submitter's trace, otherwise one derived from the update id: on a participant every update has one. */
export function traceContextOf({
  traceContext,
  updateId,
}: Pick<Update, 'traceContext' | 'updateId'>): TraceContext {
  return (
    traceContext ?? { traceparent: `00-${updateId.slice(4, 36)}-${updateId.slice(36, 52)}-03` }
  );
}
