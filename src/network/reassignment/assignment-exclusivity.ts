/**
 * Who may assign what is in flight, and until when: at first only who unassigned it, then any stakeholder (B-RSG-018). The
 * participants that confirm an assignment hold to it; what assigns by itself afterwards is {@link AutomaticAssignments}.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { sortedStakeholders } from '../../daml/model/transaction.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Member } from '../ledger/member.js';
import type { AssignedEvent, ReassignmentUpdate, UnassignedEvent } from '../updates.js';

/** What all events of an unassignment share. */
export function unassignedEvent({ events }: ReassignmentUpdate): UnassignedEvent {
  return events[0] as UnassignedEvent;
}

/** Those that know of both halves, as they host one of these parties on both synchronizers; in the order of the network. */
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

/** The refusal of an assignment that comes too early. @param recordTime of the assignment */
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

/** Who assigns when nobody did: a reassigning participant that may submit for a stakeholder on the target, if there is one. */
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

/** Who may assign now, who may later, and what happens by itself, in words. */
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
