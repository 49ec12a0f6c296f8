/** Requests for names by a wallet's user, and the names that the user pays for (V-ANS-001 to V-ANS-006). */
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

/** The contracts that a request creates. The DSO validates the request only after its payment. */
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
  // A real Scan fails here, and a validator passes its error on.
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

/** Entries whose subscription is active, in the order of their creation. */
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
