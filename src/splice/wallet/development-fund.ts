/** Operations of the development fund, for the party that the DSO made the fund manager (WA-COU-005). */
import { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Party, Some } from '../../daml/model/values.js';
import { template } from '../../daml/model/package.js';
import { contractsOf } from '../dso/amulet-contracts.js';
import { fitting } from '../fitting.js';
import type { Splice } from '../splice.js';
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
  /** As Ledger API JSON: the time from which the coupon may be minted. Newer versions of Amulet have it. */
  readonly mintAfter?: string | undefined;
  readonly reason: string;
  /** Identifies the allocation for deduplication: the text of the request. */
  readonly key: string;
}

export interface Allocated {
  readonly developmentFundCouponCid: ContractId;
  readonly optUnclaimedDevelopmentFundCouponCid: Some<ContractId> | null;
}

const ALLOCATE = 'AmuletRules_AllocateDevelopmentFundCoupon';

const refused = (text: string): WalletRefusal => new WalletRefusal('FAILED_PRECONDITION', text);

/**
 * @param read reads the request, once the rules are found
 * @throws WalletRefusal, LedgerError
 */
export function allocateFund(wallet: Wallet, read: () => Allocation): Allocated {
  const { splice, validator, validatorParty, party } = wallet;
  const rules = amuletRules(splice);
  const { beneficiary, amount, expiresAt, mintAfter, reason, key } = read();
  const fundManager = managerIn(rules);
  if (fundManager === undefined) throw refused('Development fund manager has not been configured.');
  if (fundManager !== party)
    throw refused(
      `Invalid fund manager: expected '${fundManager}', but the submitter was '${party}'.`,
    );
  if (mintAfter !== undefined && !takesMintAfter(splice, rules))
    throw refused('The installed version of splice-amulet has no mintAfter.');
  const coupons = couponsFor(wallet, amount);
  const actAs = [...new Set([validatorParty, party])];
  const method = 'org.lfdecentralizedtrust.splice.wallet.allocateDevelopmentFundCoupon';
  return exercise(
    validator,
    '#splice-amulet:Splice.AmuletRules:AmuletRules',
    rules.contractId,
    ALLOCATE,
    {
      unclaimedDevelopmentFundCouponCids: coupons.map(({ contractId }) => contractId),
      ...{ beneficiary, amount: amount.toString(), expiresAt, reason, fundManager },
      ...(mintAfter !== undefined && { mintAfter }),
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

/** Whether the choice of the installed package has the field. NOTE: the error is Canticle's. */
function takesMintAfter({ packages }: Splice, { templateId }: ContractInstance): boolean {
  const type = template(packages, templateId)?.choices.get(ALLOCATE)?.argumentType;
  return (
    type !== undefined && Object.hasOwn(fitting(packages, type, { mintAfter: null }), 'mintAfter')
  );
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
