/** The events of an unassignment or an assignment: checks that a participant makes of them before it submits them (B-RSG-*). */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import { packageIdOf } from '../../daml/model/types.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import { reassigningParticipants, unassignedEvent } from './assignment-exclusivity.js';
import { reassignmentId, type SynchronizerId } from '../ids.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../request-errors.js';
import type { ReassignmentCommand, ReassignmentSubmission } from '../submission/submission.js';
import type { Synchronizer } from '../synchronizer.js';
import type { ReassignmentEvent } from '../updates.js';

type Unassign = Extract<ReassignmentCommand, { kind: 'unassign' }>;
type Assign = Extract<ReassignmentCommand, { kind: 'assign' }>;

/**
 * @returns the events that the commands come to
 * @throws LedgerError for a synchronous refusal (B-RSG-010 to B-RSG-017)
 */
export function eventsOf(
  participant: Participant,
  submission: ReassignmentSubmission,
): readonly ReassignmentEvent[] {
  const { commands, submitter } = submission;
  const [first, ...more] = commands;
  if (first === undefined) throw invalidBatch('no commands');
  if (first.kind === 'assign') {
    if (more.length > 0) throw invalidBatch(MIXED);
    return assignEvents(participant, submitter, first);
  }
  const unassigns = [first];
  for (const command of more) {
    if (command.kind === 'assign') throw invalidBatch(MIXED);
    if (command.source !== first.source || command.target !== first.target)
      throw invalidBatch('differing synchronizers');
    unassigns.push(command);
  }
  // NOTE: in words of ours. A participant does not look at it here.
  if (new Set(unassigns.map(({ contractId }) => contractId)).size < unassigns.length)
    throw invalidBatch('it unassigns a contract twice');
  return unassignEvents(participant, submitter, unassigns);
}

const MIXED = 'mixed assign with other commands';

function invalidBatch(fault: string): LedgerError {
  return invalidArgument(`The batch of reassignment commands was invalid: ${fault}`);
}

/** @throws LedgerError INVALID_ARGUMENT */
export function unassignEvents(
  participant: Participant,
  submitter: Party,
  commands: readonly Unassign[],
): readonly ReassignmentEvent[] {
  const { ledger } = participant;
  const ids = commands.map(({ contractId }) => contractId);
  const [{ source: sourceName, target: targetName }] = commands as [Unassign];
  const { id: source } = connected(participant, sourceName, 'source');
  const { id: target, assignmentExclusivityTimeout } = connected(participant, targetName, 'target');
  if (source === target)
    throw invalidArgument(
      `Cannot unassign contract \`${ids.join(', ')}\`: source and target synchronizer are the same, ${source}`,
    );
  const moved = commands.map((command) =>
    unassigned(participant, submitter, source, target, command),
  );
  requireSameStakeholders(moved.map(({ contract }) => contract));
  const stakeholders = stakeholdersOf(moved[0]!.contract);
  // NOTE: the exclusive time starts at the record time here. For a real participant it starts at the last time that it has
  // observed of the target, which is a little earlier.
  const at = ledger.clock.now() + 1n;
  const shared = {
    kind: 'unassigned',
    source,
    target,
    reassignmentId: reassignmentId(source, target, at, ids),
    submitter,
    assignmentExclusivity: at + assignmentExclusivityTimeout,
    reassigningParticipants: reassigningParticipants(ledger, stakeholders, source, target),
  } as const;
  return moved.map((each, nodeId) => ({ ...shared, ...each, nodeId }));
}

/** What of an unassignment is the contract's own. */
function unassigned(
  participant: Participant,
  submitter: Party,
  source: SynchronizerId,
  target: SynchronizerId,
  { contractId, expectedCounter }: Unassign,
): Pick<ReassignmentEvent, 'contract' | 'reassignmentCounter'> {
  const { contracts } = participant.ledger;
  const contract = movable(participant, submitter, contractId);
  const state = contracts.state(contractId)!;
  if (state.kind === 'inFlight')
    throw refused(contractId, `it is in flight from ${state.source} to ${state.target}`);
  if (state.kind === 'archived') throw refused(contractId, 'it has been archived');
  if (state.synchronizerId !== source)
    throw refused(contractId, `it is on ${state.synchronizerId}, not on ${source}`);
  const reassignmentCounter = state.reassignmentCounter + 1;
  checkCounter(contractId, expectedCounter, reassignmentCounter);
  checkTarget(participant, contract, source, target);
  return { contract, reassignmentCounter };
}

function requireSameStakeholders(contracts: readonly ContractInstance[]): void {
  const sets = contracts.map(({ signatories, observers }) =>
    JSON.stringify([signatories, observers]),
  );
  if (new Set(sets).size > 1)
    throw invalidArgument(
      'DifferingStakeholders: the contracts of a batch have the same stakeholders',
    );
}

/** @throws LedgerError INVALID_ARGUMENT */
export function assignEvents(
  participant: Participant,
  submitter: Party,
  command: Assign,
): readonly ReassignmentEvent[] {
  const { ledger } = participant;
  const { id: source } = knownSynchronizer(participant, command.source, 'source');
  const { id: target } = connected(participant, command.target, 'target');
  const reassignment = ledger.contracts.reassignment(command.reassignmentId);
  const first = reassignment && unassignedEvent(reassignment.unassigned);
  if (!first?.reassigningParticipants.includes(participant.id))
    throw noData(command, 'unknown reassignment id');
  if (first.source !== source || first.target !== target)
    throw invalidArgument(
      `Cannot assign ${command.reassignmentId}: it goes from ${first.source} to ${first.target}, not from ${source} to ${target}`,
    );
  if (reassignment!.assigned !== undefined) throw noData(command, 'reassignment already completed');
  return reassignment!.unassigned.events.map((event) => {
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

function noData({ reassignmentId: id }: Assign, reason: string): LedgerError {
  const named = `ReassignmentId(${id})`;
  return invalidArgument(`Cannot find reassignment data for reassignment \`${named}\`: ${reason}`);
}

/** The contract, if this submitter may move it: known here, and the submitter a stakeholder (B-RSG-013, B-RSG-017). */
function movable(
  participant: Participant,
  submitter: Party,
  contractId: ContractId,
): ContractInstance {
  const stored = participant.ledger.contracts.get(contractId);
  const stakeholders = stored === undefined ? [] : stakeholdersOf(stored.instance);
  if (stored === undefined || !stakeholders.some((party) => participant.hosts(party)))
    throw refused(contractId, 'it is unknown to this participant');
  if (!stakeholders.includes(submitter))
    throw refused(contractId, `submitter \`${submitter}\` is not a stakeholder`);
  if (!participant.hosts(submitter))
    throw refused(contractId, `submitter \`${submitter}\` is not hosted on ${participant.id}`);
  return stored.instance;
}

/** Every stakeholder takes part over there as well, and all who do have vetted the package (B-RSG-015, B-RSG-016). */
function checkTarget(
  { ledger }: Participant,
  contract: ContractInstance,
  source: SynchronizerId,
  target: SynchronizerId,
): void {
  const { topology, clock } = ledger;
  const { contractId } = contract;
  const stakeholders = stakeholdersOf(contract);
  const absent = stakeholders.filter((party) => topology.hosts(party, target).size === 0);
  if (absent.length > 0)
    throw refused(
      contractId,
      `The following stakeholders are not active on the target synchronizer: Set(${absent.join(', ')})`,
    );
  const apart = stakeholders.filter(
    (party) => reassigningParticipants(ledger, [party], source, target).length === 0,
  );
  if (apart.length > 0)
    throw refused(
      contractId,
      `The following stakeholders are not hosted on any reassigning participants: Set(${apart.join(', ')})`,
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

function knownSynchronizer({ ledger }: Participant, name: string, role: string): Synchronizer {
  const synchronizer = ledger.synchronizer(name);
  if (synchronizer === undefined) throw invalidArgument(`Unknown ${role} synchronizer ${name}`);
  return synchronizer;
}

function connected(participant: Participant, name: string, role: string): Synchronizer {
  const synchronizer = knownSynchronizer(participant, name, role);
  if (!participant.isConnectedTo(synchronizer.id))
    throw invalidArgument(`Not connected to the ${role} synchronizer ${name}`);
  return synchronizer;
}

function refused(contractId: ContractId, reason: string): LedgerError {
  return invalidArgument(`Cannot reassign contract \`${contractId}\`: ${reason}`);
}
