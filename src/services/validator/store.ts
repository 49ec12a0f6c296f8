/** The validator's store: contracts of its participant in which its party has a given role. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import { templateNameOf } from '../../network/ledger/active-contracts.js';
import type { Validator } from '../../splice/validators/validator.js';

const RULES = 'splice-amulet:Splice.AmuletRules';

/** Setup proposals of the validator, in order. */
export function setupProposals(validator: Validator): readonly ContractInstance[] {
  return [...ownContracts(validator, 'ExternalPartySetupProposal', 'validator')];
}

/** Preapprovals that the validator provides, in order, including expired ones (V-PRE-001). */
export function preapprovals(validator: Validator): readonly ContractInstance[] {
  return [...ownContracts(validator, 'TransferPreapproval', 'provider')];
}

export function setupProposalFor(validator: Validator, user: Party): ContractInstance | undefined {
  return setupProposals(validator).find(({ payload }) => payload.user === user);
}

export function preapprovalFor(
  validator: Validator,
  receiver: Party,
): ContractInstance | undefined {
  return preapprovals(validator).find(({ payload }) => payload.receiver === receiver);
}

/** Active contracts, followed by contracts in flight. The store has both. */
function* ownContracts(
  { participant, party }: Validator,
  entity: string,
  role: string,
): Generator<ContractInstance, void, undefined> {
  const name = `${RULES}:${entity}`;
  const { activeContracts, incompleteReassignments, log } = participant;
  for (const { contract } of activeContracts.now([{ party, templates: [name] }]))
    if (contract.payload[role] === party) yield contract;
  for (const { update } of incompleteReassignments.at(log.end, []))
    for (const { kind, contract } of update.events)
      if (kind === 'unassigned' && templateNameOf(contract) === name)
        if (contract.payload[role] === party) yield contract;
}
