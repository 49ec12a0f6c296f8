/** Unassign and assign: contracts move between synchronizers in two updates that share a reassignment id (B-RSG-*). */
import { ledgerError, type LedgerError } from '../daml/ledger-error.js';
import { stakeholdersOf, type ContractInstance } from '../daml/transaction.js';
import { packageIdOf } from '../daml/types.js';
import type { ContractId, Party } from '../daml/values.js';
import { reassignmentId, type SynchronizerId } from './ids.js';
import { explainReassignment } from './explain.js';
import type { Participant } from './participant.js';
import type { Settled } from './in-flight.js';
import type { Move } from './routing.js';
import { invalidArgument } from './request-errors.js';
import { StoredSubmissionInfo } from './submission-info.js';
import {
  validateReassignment,
  type ReassignmentCommand,
  type ReassignmentSubmission,
  type Submission,
  type SubmissionResult,
} from './submission.js';
import type { ReassignmentEvent, ReassignmentUpdate, SubmissionInfo } from './updates.js';

type Unassign = Extract<ReassignmentCommand, { kind: 'unassign' }>;
type Assign = Extract<ReassignmentCommand, { kind: 'assign' }>;

/** @throws LedgerError for a synchronous refusal */
export function submitReassignment(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  return explainReassignment(participant, submission, () => {
    validateReassignment(submission);
    return participant.network.journal.atomically(() => process(participant, submission));
  });
}

function process(
  participant: Participant,
  submission: ReassignmentSubmission,
): SubmissionResult<ReassignmentUpdate> {
  const { network, deduplication } = participant;
  const events = eventsOf(participant, submission);
  const first = events[0]!;
  const synchronizerId = first.kind === 'unassigned' ? first.source : first.target;
  const info = infoOf(participant, submission);
  const start = deduplication.periodStart(submission.deduplicationPeriod, network.clock.now());
  const rejected = (error: LedgerError, period = start): Settled<ReassignmentUpdate> => ({
    kind: 'rejected',
    error,
    completionOffset: participant.reject(
      error,
      { info, synchronizerId, traceContext: submission.traceContext },
      period,
    ),
  });
  const duplicate = deduplication.duplicate(info, start);
  if (duplicate) return rejected(duplicate.error, duplicate.existing.offset - 1);
  const isPaused = network.isPaused(synchronizerId);
  const commit = (): Settled<ReassignmentUpdate> => {
    const update = network.commit(
      {
        kind: 'reassignment',
        synchronizerId,
        // What it is about may have changed while it was in flight.
        events: isPaused ? eventsOf(participant, submission) : events,
        submission: info,
        workflowId: submission.workflowId ?? '',
        traceContext: submission.traceContext,
      },
      { participantId: participant.id, deduplicationOffset: start },
    ) as ReassignmentUpdate;
    return { kind: 'accepted', update, completionOffset: update.offsets.get(participant.id)! };
  };
  if (!isPaused) return commit();
  return network.inFlight.add({
    participant,
    info,
    synchronizerId,
    sequence: () => explainReassignment(participant, submission, commit),
    reject: rejected,
  });
}

/**
 * Moves the inputs of a transaction to its synchronizer, in one batch for each submitter, source and set of stakeholders
 * (B-RSG-020).
 */
export function reassignForTransaction(
  participant: Participant,
  { commandId, userId, submissionId }: Submission,
  target: SynchronizerId,
  moves: readonly Move[],
): void {
  if (moves.length === 0) return;
  const { contracts } = participant.network;
  const batches = new Map<string, Move[]>();
  for (const move of moves) {
    const { signatories, observers } = contracts.get(move.contractId)!.instance;
    const key = JSON.stringify([move.submitter, move.source, signatories, observers]);
    batches.set(key, [...(batches.get(key) ?? []), move]);
  }
  for (const batch of batches.values()) {
    const { submitter, source } = batch[0]!;
    const common = { commandId, userId, submissionId, submitter };
    const commands = batch.map(
      ({ contractId }) => ({ kind: 'unassign', contractId, source, target }) as const,
    );
    const unassign = unassignEvents(participant, submitter, commands);
    commitInternally(participant, common, source, unassign);
    const [{ reassignmentId }] = unassign as [ReassignmentEvent];
    const assign = { kind: 'assign', reassignmentId, source, target } as const;
    commitInternally(participant, common, target, assignEvents(participant, submitter, assign));
  }
}

type Submitted = Pick<ReassignmentSubmission, 'userId' | 'submitter' | 'submissionId'> &
  Pick<Submission, 'commandId'>;

function commitInternally(
  participant: Participant,
  submission: Submitted,
  synchronizerId: SynchronizerId,
  events: readonly ReassignmentEvent[],
): void {
  const { network } = participant;
  const { random, clock } = network;
  network.commit({
    kind: 'reassignment',
    synchronizerId,
    events,
    submission: infoOf(participant, {
      ...submission,
      submissionId: submission.submissionId || random.uuidAt('automatic reassignment', clock.ticks),
    }),
    workflowId: '',
  });
}

function infoOf(
  { network, id }: Participant,
  { userId, commandId, submissionId, submitter }: Submitted,
): SubmissionInfo {
  const { random, nextNumber } = network;
  const known = submissionId || nextNumber;
  return new StoredSubmissionInfo(random, known, id, userId, commandId, [submitter]);
}

function eventsOf(
  participant: Participant,
  submission: ReassignmentSubmission,
): readonly ReassignmentEvent[] {
  const { commands, submitter } = submission;
  const unassigns = commands.filter((command) => command.kind === 'unassign');
  const assigns = commands.filter((command) => command.kind === 'assign');
  const batch = 'The batch of reassignment commands was invalid';
  if (commands.length === 0) throw invalidArgument(`${batch}: it is empty`);
  if (unassigns.length > 0 && assigns.length > 0)
    throw invalidArgument(`${batch}: it mixes unassignments and assignments`);
  if (assigns.length > 1) throw invalidArgument(`${batch}: it has more than one assignment`);
  if (assigns.length === 1) return assignEvents(participant, submitter, assigns[0]!);
  const [first] = unassigns;
  if (unassigns.some(({ source, target }) => source !== first!.source || target !== first!.target))
    throw invalidArgument(`${batch}: the unassignments differ in source or target`);
  if (new Set(unassigns.map(({ contractId }) => contractId)).size < unassigns.length)
    throw invalidArgument(`${batch}: it unassigns a contract twice`);
  return unassignEvents(participant, submitter, unassigns);
}

function unassignEvents(
  participant: Participant,
  submitter: Party,
  commands: readonly Unassign[],
): readonly ReassignmentEvent[] {
  const { network } = participant;
  const ids = commands.map(({ contractId }) => contractId);
  const [{ source: sourceName, target: targetName }] = commands as [Unassign];
  const source = connected(participant, sourceName, 'source');
  const target = connected(participant, targetName, 'target');
  if (source === target)
    throw invalidArgument(
      `Cannot unassign contract \`${ids.join(', ')}\`: source and target synchronizer are the same, ${source}`,
    );
  const at = network.clock.now() + 1n;
  const id = reassignmentId(source, target, at, ids);
  return commands.map((command, nodeId) => {
    const { contractId, expectedCounter } = command;
    const contract = movable(participant, submitter, contractId);
    const state = network.contracts.state(contractId)!;
    if (state.kind === 'inFlight')
      throw refused(
        contractId,
        `it is in flight from ${state.source} to ${state.target}`,
        'Assign it first.',
      );
    if (state.kind === 'archived') throw refused(contractId, 'it has been archived');
    if (state.synchronizerId !== source)
      throw refused(contractId, `it is on ${state.synchronizerId}, not on ${source}`);
    const reassignmentCounter = state.reassignmentCounter + 1;
    checkCounter(contractId, expectedCounter, reassignmentCounter);
    checkTarget(participant, contract, target);
    return {
      kind: 'unassigned',
      nodeId,
      contract,
      source,
      target,
      reassignmentId: id,
      submitter,
      reassignmentCounter,
      // NOTE: as on a synchronizer whose assignment exclusivity timeout is zero: any stakeholder may assign, and nothing is
      // assigned by itself. Canton's default is a minute, after which it assigns what nobody did (B-RSG-018).
      assignmentExclusivity: at,
    };
  });
}

function assignEvents(
  participant: Participant,
  submitter: Party,
  command: Assign,
): readonly ReassignmentEvent[] {
  const { network } = participant;
  const source = knownSynchronizer(participant, command.source, 'source');
  const target = connected(participant, command.target, 'target');
  const reassignment = network.contracts.reassignment(command.reassignmentId);
  if (reassignment === undefined)
    throw invalidArgument(`Cannot assign: unknown reassignment id ${command.reassignmentId}`);
  const [first] = reassignment.unassigned.events;
  if (first!.source !== source || first!.target !== target)
    throw invalidArgument(
      `Cannot assign ${command.reassignmentId}: it goes from ${first!.source} to ${first!.target}, not from ${source} to ${target}`,
    );
  if (reassignment.assigned !== undefined)
    throw invalidArgument(
      `Cannot assign ${command.reassignmentId}: the reassignment has already been completed`,
    );
  return reassignment.unassigned.events.map((event) => {
    const { contract, nodeId, reassignmentCounter } = event;
    movable(participant, submitter, contract.contractId);
    checkCounter(contract.contractId, command.expectedCounter, reassignmentCounter);
    const { reassignmentId: id } = event;
    return {
      kind: 'assigned',
      nodeId,
      contract,
      source,
      target,
      reassignmentId: id,
      submitter,
      reassignmentCounter,
    };
  });
}

/** The contract, if this submitter may move it: known here, and the submitter a stakeholder (B-RSG-013, B-RSG-017). */
function movable(
  participant: Participant,
  submitter: Party,
  contractId: ContractId,
): ContractInstance {
  const stored = participant.network.contracts.get(contractId);
  const stakeholders = stored === undefined ? [] : stakeholdersOf(stored.instance);
  if (stored === undefined || !stakeholders.some((party) => participant.hosts(party)))
    throw refused(contractId, 'it is unknown to this participant');
  if (!stakeholders.includes(submitter))
    throw refused(contractId, `submitter \`${submitter}\` is not a stakeholder`);
  if (!participant.hosts(submitter))
    throw refused(contractId, `submitter \`${submitter}\` is not hosted on ${participant.id}`);
  return stored.instance;
}

function checkTarget(
  participant: Participant,
  contract: ContractInstance,
  target: SynchronizerId,
): void {
  const { topology, clock } = participant.network;
  const { contractId } = contract;
  const stakeholders = stakeholdersOf(contract);
  const absent = stakeholders.filter((party) => topology.hosts(party, target).size === 0);
  if (absent.length > 0)
    throw refused(
      contractId,
      `The following stakeholders are not active on the target synchronizer: Set(${absent.join(', ')})`,
    );
  const packageId = packageIdOf(contract.templateId);
  for (const party of stakeholders)
    for (const host of topology.hosts(party, target).keys())
      if (!topology.isVetted(host, target, packageId, clock.now()))
        throw refused(
          contractId,
          `package ${packageId} is not vetted by ${host} on the target synchronizer ${target}`,
        );
}

function checkCounter(contractId: ContractId, expected: number | undefined, actual: number): void {
  if (expected !== undefined && expected !== actual)
    throw refused(contractId, `its reassignment counter would be ${actual}, not ${expected}`);
}

function knownSynchronizer(participant: Participant, name: string, role: string): SynchronizerId {
  const synchronizer = participant.network.synchronizer(name);
  if (synchronizer === undefined) throw invalidArgument(`Unknown ${role} synchronizer ${name}`);
  return synchronizer.id;
}

function connected(participant: Participant, name: string, role: string): SynchronizerId {
  const id = knownSynchronizer(participant, name, role);
  if (!participant.isConnectedTo(id))
    throw invalidArgument(`Not connected to the ${role} synchronizer ${name}`);
  return id;
}

function refused(contractId: ContractId, reason: string, nextStep?: string): LedgerError {
  return ledgerError('INVALID_ARGUMENT', {
    cause: `The submitted request has invalid arguments: Cannot reassign contract \`${contractId}\`: ${reason}`,
    explanation: nextStep,
  });
}
