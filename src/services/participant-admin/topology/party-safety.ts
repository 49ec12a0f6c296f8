/**
 * The checks of a participant for changes of a hosting that may leave contracts without it. A force flag turns each of them off.
 * NOTE: incomplete reassignments are not checked.
 */
import { ledgerError, type LedgerError } from '../../../daml/errors/ledger-error.js';
import { abbreviatedId, type Party } from '../../../network/model/ids.js';
import type { Activation } from '../../../network/model/updates.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { TopologyTransaction } from '../../../network/topology/party-hosting.js';
import type { AdminContext } from '../admin-context.js';

const MAY_DISABLE = 'FORCE_FLAG_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS';
const MAY_OBSERVE_ALONE =
  'FORCE_FLAG_ALLOW_INSUFFICIENT_PARTICIPANT_PERMISSION_FOR_SIGNATORY_PARTY';

/**
 * @throws LedgerError TOPOLOGY_DISABLE_PARTY_WITH_ACTIVE_CONTRACTS if this participant stops hosting the stakeholder of an active
 * contract, TOPOLOGY_INSUFFICIENT_PERMISSION_FOR_SIGNATORY_PARTY if no host of a signatory may confirm any more
 */
export function requireSafeHosting(
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
