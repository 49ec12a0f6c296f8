/** Operations of the development fund, for the party that the DSO made the fund manager (WA-COU-005). */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Party, Some } from '../../daml/model/values.js';
import { contractsOf } from '../dso/amulet-contracts.js';
import { WalletRefusal } from './refusals.js';
import { amuletRules, disclosed } from './rounds.js';
import { commandIdFor, exercise } from './submit.js';
import { DEDUPLICATED_FOR } from './tap.js';
import { templateName } from './templates.js';
import type { Wallet } from './wallet.js';

export interface Allocation {
  readonly beneficiary: Party;
  readonly amount: Numeric;
  /** As Ledger API JSON. */
  readonly expiresAt: string;
  readonly reason: string;
  /** Identifies the allocation for deduplication: the text of the request. */
  readonly key: string;
}

export interface Allocated {
  readonly developmentFundCouponCid: ContractId;
  readonly optUnclaimedDevelopmentFundCouponCid: Some<ContractId> | null;
}

const refused = (text: string): WalletRefusal => new WalletRefusal('FAILED_PRECONDITION', text);

/**
 * @param read reads the request, once the rules are found
 * @throws WalletRefusal, LedgerError
 */
export function allocateFund(wallet: Wallet, read: () => Allocation): Allocated {
  const { splice, validator, validatorParty, party } = wallet;
  const rules = amuletRules(splice);
  const { beneficiary, amount, expiresAt, reason, key } = read();
  const fundManager = managerIn(rules);
  if (fundManager === undefined) throw refused('Development fund manager has not been configured.');
  if (fundManager !== party)
    throw refused(
      `Invalid fund manager: expected '${fundManager}', but the submitter was '${party}'.`,
    );
  const coupons = couponsFor(wallet, amount);
  const actAs = [...new Set([validatorParty, party])];
  const method = 'org.lfdecentralizedtrust.splice.wallet.allocateDevelopmentFundCoupon';
  return exercise(
    validator,
    '#splice-amulet:Splice.AmuletRules:AmuletRules',
    rules.contractId,
    'AmuletRules_AllocateDevelopmentFundCoupon',
    {
      unclaimedDevelopmentFundCouponCids: coupons.map(({ contractId }) => contractId),
      ...{ beneficiary, amount: amount.toString(), expiresAt, reason, fundManager },
    },
    {
      actAs,
      disclosedContracts: disclosed(splice, [rules, ...coupons]),
      deduplicated: {
        commandId: commandIdFor(method, [validatorParty, party], key),
        period: { kind: 'duration', microseconds: DEDUPLICATED_FOR },
        recovers: true,
      },
    },
  ) as unknown as Allocated;
}

function managerIn({ payload }: ContractInstance): Party | undefined {
  const { initialValue } = payload.configSchedule as unknown as {
    readonly initialValue: DamlRecord;
  };
  return ((initialValue.optDevelopmentFundManager ?? null) as Some<Party> | null)?.value;
}

/** The fewest coupons that suffice, taken from the largest on; returned smallest first. */
function couponsFor({ splice }: Wallet, amount: Numeric): readonly ContractInstance[] {
  const amountOf = ({ payload }: ContractInstance) => payload.amount as Numeric;
  const sorted = [...contractsOf(splice, 'developmentFundCoupon')].sort((a, b) =>
    amountOf(b).compare(amountOf(a)),
  );
  const taken: ContractInstance[] = [];
  let sum = Numeric.of('0');
  for (const coupon of sorted) {
    if (sum.compare(amount) >= 0) break;
    taken.unshift(coupon);
    sum = sum.add(amountOf(coupon));
  }
  if (sum.compare(amount) < 0)
    throw refused(
      'The total amount of unclaimed development coupons is insufficient to cover the amount requested',
    );
  return taken;
}

/**
 * @returns the id of the resulting unclaimed coupon
 * @throws WalletRefusal, LedgerError
 */
export function withdrawFund(wallet: Wallet, contractId: ContractId, reason: string): ContractId {
  const { fundManager } = wallet.get('developmentFundCoupon', contractId).payload;
  if (fundManager !== wallet.party)
    throw refused(
      `Invalid controller: expected fund manager '${fundManager as Party}', but the submitter was '${wallet.party}'.`,
    );
  const result = exercise(
    wallet.validator,
    `#${templateName('developmentFundCoupon')}`,
    contractId,
    'DevelopmentFundCoupon_Withdraw',
    { reason },
    { actAs: [wallet.party] },
  );
  return (result as { readonly unclaimedDevelopmentFundCouponCid: ContractId })
    .unclaimedDevelopmentFundCouponCid;
}
