/**
 * The parties that may assign a contract in flight: first only the unassigning party, later any stakeholder
 * (B-RSG-018). The confirming participants enforce this. For the assignment after that time see {@link
 * AutomaticAssignments}.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { sortedStakeholders } from '../../daml/model/transaction.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Member } from '../ledger/member.js';
import type { AssignedEvent, ReassignmentUpdate, UnassignedEvent } from '../model/updates.js';

/** The common data of all events of an unassignment. */
export function unassignedEvent({ events }: ReassignmentUpdate): UnassignedEvent {
  return events[0] as UnassignedEvent;
}

/**
 * Participants that see both halves, because they host one of these parties on both synchronizers; in the order of the
 * network.
 */
export function reassigningParticipants(
  { topology, members }: Ledger,
  stakeholders: readonly Party[],
  source: SynchronizerId,
  target: SynchronizerId,
): readonly ParticipantId[] {
  const hosts = (party: Party, id: ParticipantId): boolean =>
    topology.hosts(party, source).has(id) && topology.hosts(party, target).has(id);
  return members.map(({ id }) => id).filter((id) => stakeholders.some((party) => hosts(party, id)));
}

/**
 * The error of an assignment that is too early.
 * @param recordTime of the assignment
 */
export function exclusivityVerdict(
  { contracts }: Ledger,
  { reassignmentId, submitter }: AssignedEvent,
  recordTime: Timestamp,
): LedgerError | undefined {
  const unassigned = unassignedEvent(contracts.reassignment(reassignmentId)!.unassigned);
  const { assignmentExclusivity, submitter: initiator } = unassigned;
  if (submitter === initiator || recordTime >= assignmentExclusivity) return undefined;
  const limit = `Target(${formatInstant(assignmentExclusivity)})`;
  return ledgerError(
    'REASSIGNMENT_VALIDATION_FAILED',
    `Validation check failed. Cannot assign \`ReassignmentId(${reassignmentId})\`: only ${initiator} can initiate before exclusivity timeout ${limit}. Current timestamp is ${formatInstant(recordTime)}.`,
  );
}

export interface Assigner {
  readonly participant: Member;
  readonly submitter: Party;
}

/**
 * The participant for an automatic assignment: a reassigning participant that may submit for a stakeholder on the
 * target, if there is one.
 */
export function automaticAssigner(
  { topology, members }: Ledger,
  { contract, target, reassigningParticipants: reassigning }: UnassignedEvent,
): Assigner | undefined {
  const stakeholders = sortedStakeholders(contract);
  for (const participant of members) {
    if (!reassigning.includes(participant.id)) continue;
    const submitter = stakeholders.find(
      (party) => topology.permission(party, participant.id, target) === 'submission',
    );
    if (submitter !== undefined) return { participant, submitter };
  }
  return undefined;
}

/** A description of the parties that may assign now and later, and of the automatic assignment. */
export function whoMayAssign(ledger: Ledger, event: UnassignedEvent): string {
  const { assignmentExclusivity, submitter } = event;
  if (ledger.clock.now() + 1n >= assignmentExclusivity) return 'Any stakeholder may assign it.';
  const limit = formatInstant(assignmentExclusivity);
  const assigner = automaticAssigner(ledger, event);
  const move = ledger.clock.mode === 'virtual' ? ': advance the clock to then' : '';
  const afterwards =
    assigner === undefined
      ? 'but no participant does by itself, as none may submit for one of them'
      : `and participant ${assigner.participant.name} does by itself, for ${assigner.submitter}${move}`;
  return `Until ${limit} only ${submitter}, who unassigned it, may assign it. From then on any stakeholder may, ${afterwards}.`;
}
