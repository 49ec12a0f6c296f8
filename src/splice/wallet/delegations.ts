/** Delegations of minting: this wallet's party mints for others, which their wallets proposed to it (WA-COU-006). */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Party } from '../../daml/model/values.js';
import { exercise } from './submit.js';
import { concerns, templateName } from './templates.js';
import type { Wallet } from './wallet.js';

type DelegationTemplate = 'mintingDelegation' | 'mintingDelegationProposal';

export interface DelegationPage {
  readonly contracts: readonly ContractInstance[];
  /** The last one on the page: the next page begins after it. */
  readonly token: number | undefined;
}

/** In order of activation. */
export function delegationPage(
  wallet: Wallet,
  template: DelegationTemplate,
  limit: number,
  after = 0,
): DelegationPage {
  const { activeContracts } = wallet.validator.participant;
  const key = { party: wallet.party, templates: [templateName(template)] };
  const contracts: ContractInstance[] = [];
  let token: number | undefined;
  for (const { contract, sequence } of activeContracts.now([key], after)) {
    if (contracts.length === limit) break;
    if (!concerns(contract, template, wallet)) continue;
    contracts.push(contract);
    token = sequence;
  }
  return { contracts, token };
}

export function beneficiaryOf({ payload }: ContractInstance): Party {
  const delegation = (payload.delegation ?? payload) as DamlRecord;
  return delegation.beneficiary as Party;
}

/** In place of the delegation that the beneficiary has given already. @throws WalletRefusal, LedgerError */
export function acceptDelegation(wallet: Wallet, proposal: ContractId): ContractId {
  const beneficiary = beneficiaryOf(wallet.get('mintingDelegationProposal', proposal));
  const existing = [...wallet.contracts('mintingDelegation')].find(
    (each) => beneficiaryOf(each) === beneficiary,
  );
  const argument = { existingDelegationCid: existing?.contractId ?? null };
  const result = end(wallet, 'mintingDelegationProposal', proposal, 'Accept', argument);
  return (result as { readonly mintingDelegationCid: ContractId }).mintingDelegationCid;
}

/** @throws WalletRefusal, LedgerError */
export function rejectDelegation(
  wallet: Wallet,
  template: DelegationTemplate,
  contractId: ContractId,
): void {
  wallet.get(template, contractId);
  end(wallet, template, contractId, 'Reject', {});
}

function end(
  { validator, party }: Wallet,
  template: DelegationTemplate,
  contractId: ContractId,
  verb: string,
  argument: object,
) {
  const name = templateName(template);
  const choice = `${name.split(':')[2]}_${verb}`;
  return exercise(validator, `#${name}`, contractId, choice, argument, { actAs: [party] });
}
