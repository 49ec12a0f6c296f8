/** What a validator's own store has: contracts of its participant in which its party has the part that the store looks for. */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { Validator } from '../../splice/validators/validator.js';

const RULES = 'splice-amulet:Splice.AmuletRules';

/** Setup proposals that the validator made, in order. */
export function setupProposals(validator: Validator): readonly ContractInstance[] {
  return [...ownContracts(validator, 'ExternalPartySetupProposal', 'validator')];
}

/** Preapprovals that the validator provides, in order; expired ones too (V-PRE-001). */
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

function* ownContracts(
  { participant, party }: Validator,
  entity: string,
  role: string,
): Generator<ContractInstance, void, undefined> {
  const key = { party, templates: [`${RULES}:${entity}`] };
  for (const { contract } of participant.activeContracts.now([key]))
    if (contract.payload[role] === party) yield contract;
}
