/**
 * The checks of a participant for changes of a hosting that may leave contracts or incomplete reassignments without it.
 * A force flag turns each of them off.
 */
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import { stakeholdersOf } from '../../../daml/model/transaction.js';
import { abbreviatedId, type Party } from '../../../network/model/ids.js';
import type { Activation } from '../../../network/model/updates.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { TopologyTransaction } from '../../../network/topology/party-hosting.js';
import type { AdminContext } from '../admin-context.js';

const MAY_DISABLE = 'FORCE_FLAG_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS';
const MAY_OBSERVE_ALONE =
  'FORCE_FLAG_ALLOW_INSUFFICIENT_PARTICIPANT_PERMISSION_FOR_SIGNATORY_PARTY';

const MAY_STRAND = 'FORCE_FLAG_ALLOW_INSUFFICIENT_SIGNATORY_ASSIGNING_PARTICIPANTS_FOR_PARTY';

/** @throws LedgerError of one of the checks */
export function requireSafeHosting(
  context: AdminContext,
  synchronizer: Synchronizer,
  transaction: TopologyTransaction,
  force: readonly string[],
): void {
  requireSafeContracts(context, synchronizer, transaction, force);
  if (!force.includes(MAY_STRAND)) requireAssigning(context, synchronizer, transaction);
}

/**
 * @throws LedgerError TOPOLOGY_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS if this participant stops hosting the stakeholder of an active
 * contract, TOPOLOGY_INSUFFICIENT_PERMISSION_FOR_SIGNATORY_PARTY if no host of a signatory may confirm any more
 */
function requireSafeContracts(
  { network, participant }: AdminContext,
  synchronizer: Synchronizer,
  { mapping, replaces }: TopologyTransaction,
  force: readonly string[],
): void {
  if (mapping.kind !== 'PartyToParticipant') return;
  const { party, hosts } = mapping;
  const before = network.topology.hosts(party, synchronizer.id);
  if (!before.has(participant.id)) return;
  const contracts = (): Iterable<Activation> => {
    const { activeContracts, log } = participant;
    return activeContracts.at(log.end, [], [{ party, templates: undefined }]);
  };
  const has = (isMeant: (each: Activation) => boolean): boolean => {
    for (const each of contracts())
      if (each.synchronizerId === synchronizer.id && isMeant(each)) return true;
    return false;
  };
  const remains = replaces && hosts.some(({ participantId }) => participantId === participant.id);
  if (!remains && !force.includes(MAY_DISABLE) && has(() => true))
    throw refused(
      'TOPOLOGY_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS',
      `Disable party ${abbreviatedId(party)} failed because there are active contracts on synchronizer ${abbreviatedId(synchronizer.id)}, on which the party is a stakeholder. It may also have other contracts on other synchronizers. Set the ForceFlag.DisablePartyWithActiveContracts if you really know what you are doing.`,
      party,
      synchronizer,
    );
  const isObserver = (permission: string): boolean => permission === 'observation';
  const becomesObserver =
    ![...before.values()].every(isObserver) &&
    hosts.every(({ permission }) => isObserver(permission));
  if (
    becomesObserver &&
    !force.includes(MAY_OBSERVE_ALONE) &&
    has(({ contract }) => contract.signatories.includes(party))
  )
    throw refused(
      'TOPOLOGY_INSUFFICIENT_PERMISSION_FOR_SIGNATORY_PARTY',
      `Changing participant permission of ${abbreviatedId(party)} to observer failed because it is still a signatory on active contracts on synchronizer ${abbreviatedId(synchronizer.id)}. It may also be a signatory on contracts across other synchronizers. Set the ForceFlag.AllowInsufficientParticipantPermissionForSignatoryParty if you really know what you are doing.`,
      party,
      synchronizer,
    );
}

/**
 * Reassignments to the synchronizer that the participant knows from their source must remain possible to assign.
 * @throws LedgerError TOPOLOGY_INSUFFICIENT_SIGNATORY_ASSIGNING_PARTICIPANTS
 */
function requireAssigning(
  { network, participant }: AdminContext,
  { id }: Synchronizer,
  { mapping, replaces }: TopologyTransaction,
): void {
  if (mapping.kind !== 'PartyToParticipant') return;
  const { party, hosts, threshold: next } = mapping;
  if (network.topology.mappedHosts(party, id).size === 0) return;
  const current = network.externalParties.confirmationThreshold(party, id);
  const confirming = new Set(
    hosts
      .filter(({ permission }) => permission !== 'observation')
      .map((each) => each.participantId),
  );
  for (const { update } of participant.incompleteReassignments.at(participant.log.end, [])) {
    const [first] = update.events;
    if (first?.kind !== 'unassigned' || first.target !== id) continue;
    const { reassigningParticipants, reassignmentId } = first;
    if (!reassigningParticipants.includes(participant.id)) continue;
    if (!update.events.some(({ contract }) => stakeholdersOf(contract).includes(party))) continue;
    const left = reassigningParticipants.filter((each) => confirming.has(each));
    if (replaces && left.length >= next) continue;
    const assigning = `Set(${left.map((each) => `PAR::${abbreviatedId(each)}`).join(', ')})`;
    const named = {
      party: abbreviatedId(party),
      on: abbreviatedId(id),
      id: `ReassignmentId(${reassignmentId})`,
    };
    throw stranding(named, replaces ? { current, next, assigning } : undefined);
  }
}

/** @param left undefined if the party loses all hosts */
function stranding(
  { party, on, id }: { readonly party: string; readonly on: string; readonly id: string },
  left: { readonly current: number; readonly next: number; readonly assigning: string } | undefined,
): LedgerError {
  const members = { partyId: party, synchronizerId: on, reassignmentId: id };
  const flag = 'Set the ForceFlag.AllowInsufficientSignatoryAssigningParticipantsForParty if you';
  if (left === undefined)
    return stuck(
      `Disable party ${party} failed because there are incomplete reassignments, such as ${id}, on synchronizer ${on} involving the party. ${flag} really know what you are doing.`,
      members,
    );
  const { current, next, assigning: signatoryAssigningParticipants } = left;
  if (next > current)
    return stuck(
      `Increasing the threshold to ${next} for the party ${party} would result in insufficient signatory-assigning participants for reassignment ${id} on synchronizer ${on}. The signatory assigning participants for this reassignment are: ${signatoryAssigningParticipants}. ${flag} really know what you are doing.`,
      { ...members, nextThreshold: String(next), signatoryAssigningParticipants },
    );
  return stuck(
    `Changing the party to participant mapping for party ${party} would result in insufficient signatory-assigning participants for reassignment ${id} on synchronizer ${on}. Completing the assignment requires ${current} signatory-assigning participants, but only ${signatoryAssigningParticipants} would be available. ${flag} are certain about proceeding with this change.`,
    { ...members, threshold: String(current), signatoryAssigningParticipants },
  );
}

const stuck = (cause: string, context: Readonly<Record<string, string>>): LedgerError =>
  ledgerError('TOPOLOGY_INSUFFICIENT_SIGNATORY_ASSIGNING_PARTICIPANTS', { cause, context });

const refused = (
  code: LedgerError['code'],
  cause: string,
  party: Party,
  { id }: Synchronizer,
): LedgerError =>
  ledgerError(code, {
    cause,
    context: { partyId: abbreviatedId(party), synchronizerId: abbreviatedId(id) },
  });
