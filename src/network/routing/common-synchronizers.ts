/** The synchronizers that a submission may use by the topology, and the errors if there are none. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../daml/model/values.js';
import { scalaSet } from '../../daml/errors/scala-text.js';
import { abbreviatedId, type SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Participant } from '../participant.js';

/** @throws LedgerError INVALID_PRESCRIBED_SYNCHRONIZER_ID if the participant is not connected to it (B-CMD-019) */
export function prescribedSynchronizer(
  participant: Participant,
  id: SynchronizerId | undefined,
): SynchronizerId | undefined {
  if (id === undefined) return undefined;
  const synchronizer = participant.ledger.synchronizer(id);
  if (synchronizer === undefined || !participant.isConnectedTo(synchronizer.id))
    throw invalidPrescription(
      id,
      `cannot resolve to physical synchronizer; ensure the node is connected to ${abbreviatedId(id)}`,
    );
  return synchronizer.id;
}

export function invalidPrescription(synchronizerId: SynchronizerId, reason: string): LedgerError {
  return ledgerError('INVALID_PRESCRIBED_SYNCHRONIZER_ID', {
    cause: `Cannot submit transaction to prescribed synchronizer \`${abbreviatedId(synchronizerId)}\` because: ${reason}`,
    context: { synchronizerId: abbreviatedId(synchronizerId), reason },
  });
}

/** @throws LedgerError INVALID_PRESCRIBED_SYNCHRONIZER_ID if the synchronizer is not usable for all parties */
export function requireCommon(
  ledger: Ledger,
  synchronizerId: SynchronizerId,
  common: readonly SynchronizerId[],
): void {
  if (common.includes(synchronizerId)) return;
  const physicalSynchronizerId = ledger.synchronizer(synchronizerId)!.printedId;
  const synchronizersOfAllInformees = printedIds(ledger, common);
  throw ledgerError('INVALID_PRESCRIBED_SYNCHRONIZER_ID', {
    cause: `Not all informees are on the specified synchronizer: ${physicalSynchronizerId}, but on ${synchronizersOfAllInformees}`,
    context: { physicalSynchronizerId, synchronizersOfAllInformees },
  });
}

function printedIds(ledger: Ledger, ids: readonly SynchronizerId[]): string {
  return scalaSet(ids.map((id) => ledger.synchronizer(id)!.printedId));
}

/**
 * Synchronizers on which this participant may submit for all submitters and which host all informees, in the order in
 * which the participant connected to them.
 * @throws LedgerError in the order of Canton's checks
 */
export function commonSynchronizers(
  participant: Participant,
  submitters: readonly Party[],
  informees: readonly Party[],
  externallySigned = false,
): readonly SynchronizerId[] {
  const { connected } = participant;
  let fitting: SynchronizerId[] | undefined;
  for (let i = 0; i < connected.length; i++) {
    const isFitting = isCommon(participant, connected[i]!, submitters, informees, externallySigned);
    if (isFitting) fitting?.push(connected[i]!);
    else fitting ??= connected.slice(0, i);
  }
  // Usually all synchronizers are usable.
  if (fitting === undefined && connected.length > 0) return connected;
  return fitting !== undefined && fitting.length > 0
    ? fitting
    : noneInCommon(participant, submitters, informees, externallySigned);
}

/** Whether the synchronizer passes every check. */
function isCommon(
  { ledger: { topology }, id: participantId }: Participant,
  synchronizerId: SynchronizerId,
  submitters: readonly Party[],
  informees: readonly Party[],
  externallySigned: boolean,
): boolean {
  for (let i = 0; i < submitters.length; i++) {
    const hosts = topology.hosts(submitters[i]!, synchronizerId);
    if (externallySigned ? hosts.size === 0 : hosts.get(participantId) !== 'submission')
      return false;
  }
  for (let i = 0; i < informees.length; i++)
    if (topology.hosts(informees[i]!, synchronizerId).size === 0) return false;
  return true;
}

/** The first check that no synchronizer passes. @throws LedgerError */
function noneInCommon(
  participant: Participant,
  submitters: readonly Party[],
  informees: readonly Party[],
  externallySigned: boolean,
): never {
  const { topology } = participant.ledger;
  const { connected } = participant;
  if (connected.length === 0) throw notConnectedToAny();
  const isOn = (party: Party, id: SynchronizerId): boolean => topology.hosts(party, id).size > 0;
  const unknown = (parties: readonly Party[]): readonly Party[] =>
    parties.filter((party) => !connected.some((id) => isOn(party, id)));
  const unknownSubmitters = unknown(submitters);
  if (unknownSubmitters.length > 0)
    throw unknownParties(participant.ledger, 'Submitters', unknownSubmitters);
  const unknownInformees = unknown(informees);
  if (unknownInformees.length > 0)
    throw unknownParties(participant.ledger, 'Informees', unknownInformees);
  const concerned = [...submitters, ...informees];
  const synchronizers = printedIds(
    participant.ledger,
    connected.filter((id) => concerned.some((party) => isOn(party, id))),
  );
  const withSubmitters = connected.filter((id) => submitters.every((party) => isOn(party, id)));
  if (withSubmitters.length === 0)
    throw ledgerError('SUBMITTERS_NOT_ACTIVE', {
      cause: 'There is no common synchronizer where all submitters are active',
      context: { synchronizers, informees: scalaSet(submitters) },
    });
  const withInformees = connected.filter((id) => informees.every((party) => isOn(party, id)));
  if (withInformees.length === 0)
    throw ledgerError('INFORMEES_NOT_ACTIVE', {
      cause: 'There is no common synchronizer where all informees are active',
      context: { synchronizers, informees: scalaSet(informees) },
    });
  const usable = withSubmitters.filter(
    (id) =>
      externallySigned ||
      submitters.every((party) => topology.permission(party, participant.id, id) === 'submission'),
  );
  if (usable.length === 0) throw cannotSubmit(participant, submitters);
  throw ledgerError('NO_COMMON_SYNCHRONIZER', {
    cause:
      'There is no common synchronizer to which all submitters can submit and all informees are connected.',
    context: { submitters: scalaSet(submitters), informees: scalaSet(informees) },
  });
}

const notConnectedToAny = (): LedgerError =>
  ledgerError(
    'NOT_CONNECTED_TO_ANY_SYNCHRONIZER',
    'This participant is not connected to any synchronizer.',
  );

const FORGOTTEN =
  ' A revert, such as that after each test, forgets the parties that were allocated since its snapshot.';

function unknownParties(
  { topology, hasReverted }: Ledger,
  who: 'Submitters' | 'Informees',
  parties: readonly Party[],
): LedgerError {
  const isHint = topology.parties().some((known) => known.startsWith(`${parties[0]!}::`));
  return ledgerError(who === 'Submitters' ? 'UNKNOWN_SUBMITTERS' : 'UNKNOWN_INFORMEES', {
    cause: `The participant is not connected to any synchronizer where the given ${who.toLowerCase()} are known.`,
    context: { [`unknown${who}`]: scalaSet(parties) },
    explanation: isHint
      ? `${parties[0]!} is only the hint of a party. Use its whole id, as allocateParty returns it.`
      : `Nobody allocated ${parties.join(', ')}.${hasReverted ? FORGOTTEN : ''}`,
  });
}

function cannotSubmit(participant: Participant, submitters: readonly Party[]): LedgerError {
  const [only] = submitters;
  const foreign = submitters.filter((party) => !participant.hosts(party));
  const explanation =
    foreign.length > 0
      ? `${foreign.join(', ')} is hosted on another participant than ${participant.name}.`
      : undefined;
  return submitters.length === 1
    ? ledgerError('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', {
        cause:
          'This participant cannot submit as the given submitter on any connected synchronizer',
        context: { unknownSubmitter: only! },
        explanation,
      })
    : ledgerError('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', {
        cause:
          'Not connected to a synchronizer on which this participant can submit for all submitters',
        context: { unknownSubmitters: `List(${submitters.join(', ')})` },
        explanation,
      });
}

/**
 * The checks before commands run: the participant must be able to submit for the first submitter, on that synchronizer
 * and at this time.
 * @throws LedgerError
 */
export function checkSubmitter(
  participant: Participant,
  actAs: readonly Party[],
  prescribedId: SynchronizerId | undefined,
  externallySigned = false,
): void {
  if (participant.connected.length === 0) throw notConnectedToAny();
  const prescribed = prescribedSynchronizer(participant, prescribedId);
  const first = [actAs[0]!];
  const common = commonSynchronizers(participant, first, first, externallySigned);
  if (prescribed !== undefined) requireCommon(participant.ledger, prescribed, common);
}
