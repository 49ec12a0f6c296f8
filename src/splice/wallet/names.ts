/** Names that a wallet's user asks the DSO for, and those that it pays for (V-ANS-001 to V-ANS-006). */
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord } from '../../daml/model/values.js';
import { latestOf, synchronizerOf } from '../dso/amulet-contracts.js';
import { WalletRefusal } from './refusals.js';
import { disclosed } from './rounds.js';
import { exercise } from './submit.js';
import { subscriptions } from './subscriptions.js';
import type { Wallet } from './wallet.js';

const RULES = '#splice-amulet-name-service:Splice.Ans:AnsRules';
const SERVICE = 'splice-amulet-name-service:Splice.Ans';

export interface NameRequest {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}

/** What comes of a request: nothing of it is looked at before its payment. */
export interface RequestedName {
  readonly entryCid: ContractId;
  readonly requestCid: ContractId;
}

/** @throws WalletRefusal without rules, or while they are between synchronizers; LedgerError */
export function requestName(
  { splice, validator, party }: Wallet,
  { name, url, description }: NameRequest,
): RequestedName {
  const rules = latestOf(splice, 'ansRules');
  // Scan stumbles over that, and a validator passes on what it says.
  if (rules === undefined) throw new WalletRefusal('UNEXPECTED', 'There are no AnsRules.');
  if (synchronizerOf(splice, rules.contractId) === undefined)
    throw new WalletRefusal(
      'FAILED_PRECONDITION',
      'AnsRules contract is not assigned to a domain.',
    );
  const argument = { name, url, description, user: party };
  const choice = 'AnsRules_RequestEntry';
  const result = exercise(validator, RULES, rules.contractId, choice, argument, {
    actAs: [party],
    readAs: [party],
    disclosedContracts: disclosed(splice, [rules]),
  });
  return result as unknown as RequestedName;
}

export interface PaidName {
  readonly entry: ContractInstance;
  /** A SubscriptionPayData. */
  readonly payData: DamlRecord;
}

/** Entries with a subscription that is paid for or in time, in the order in which they came. */
export function paidNames(wallet: Wallet): readonly PaidName[] {
  const live = new Map(
    subscriptions(wallet).map(({ subscription, state }) => [
      subscription.payload.reference as ContractId,
      state.payload.payData as DamlRecord,
    ]),
  );
  const byName = new Map(
    [...own(wallet, 'AnsEntryContext')].flatMap(({ payload }) => {
      const payData = live.get(payload.reference as ContractId);
      return payData === undefined ? [] : [[payload.name, payData] as const];
    }),
  );
  return [...own(wallet, 'AnsEntry')].flatMap((entry) => {
    const payData = byName.get(entry.payload.name);
    return payData === undefined ? [] : [{ entry, payData }];
  });
}

function* own({ validator, party }: Wallet, entity: string): Generator<ContractInstance> {
  const key = { party, templates: [`${SERVICE}:${entity}`] };
  for (const { contract } of validator.participant.activeContracts.now([key]))
    if (contract.payload.user === party) yield contract;
}
