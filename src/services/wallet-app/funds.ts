/** The development fund and minting delegations (WA-COU-005, WA-COU-006). */
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { ArchivedDevelopmentFundCoupon } from '../../spec/generated/wallet.js';
import type { EndedCoupon } from '../../splice/wallet-log/wallet-logs.js';
import {
  acceptDelegation,
  beneficiaryOf,
  delegationPage,
  rejectDelegation,
} from '../../splice/wallet/delegations.js';
import { allocateFund, withdrawFund } from '../../splice/wallet/development-fund.js';
import { hasExternalWallet } from '../../splice/validators/wallets.js';
import type { Wallet } from '../../splice/wallet/wallet.js';
import { contractJson } from '../scan/formats/contracts.js';
import { checkPageSize, MAX_ITEMS } from '../scan/formats/requests.js';
import { readDecimal, readParty, readTime } from './reading.js';
import { forWalletUsers } from './wallet-handler.js';

interface Paging {
  readonly after?: number;
  readonly limit?: number;
}

export const fundHandlers = forWalletUsers({
  allocateDevelopmentFundCoupon: (wallet, { body }) => {
    const { beneficiary, amount, expiresAt, mintAfter, reason } = body;
    const made = allocateFund(wallet, () => ({
      beneficiary: readParty(beneficiary),
      amount: readDecimal(amount),
      expiresAt: readTime(expiresAt),
      mintAfter: mintAfter === undefined ? undefined : readTime(mintAfter),
      reason,
      key: [beneficiary, amount, expiresAt, reason, ...(mintAfter ? [mintAfter] : [])].join(':'),
    }));
    return {
      development_fund_coupon_contract_id: made.developmentFundCouponCid,
      unclaimed_development_fund_coupon_contract_id:
        made.optUnclaimedDevelopmentFundCouponCid?.value,
    };
  },
  /** Sorted by expiry. */
  listActiveDevelopmentFundCoupons: (wallet) => ({
    active_development_fund_coupons: [...wallet.list('developmentFundCoupon')]
      .sort((a, b) => Number(expiryOf(a.payload.expiresAt) - expiryOf(b.payload.expiresAt)))
      .map((each) => contractJson(wallet.splice, each)),
  }),
  listDevelopmentFundCouponHistory: ({ splice, party }, { query: { after, limit } }) => {
    checkPageSize(limit);
    const ended = splice.walletLogs.of(party).endedCoupons(limit, after);
    return {
      development_fund_coupon_history: ended.map(endedJson),
      next_page_token: ended.at(-1)?.number,
    };
  },
  withdrawDevelopmentFundCoupon: (wallet, { path, body }) => ({
    unclaimed_development_fund_coupon_contract_id: withdrawFund(
      wallet,
      path.contract_id,
      body.reason,
    ),
  }),
  listMintingDelegationProposals: (wallet, { query }) => {
    const { items, token } = delegations(wallet, 'mintingDelegationProposal', query);
    return { proposals: items, next_page_token: token };
  },
  acceptMintingDelegationProposal: (wallet, { path }) => ({
    contract_id: acceptDelegation(wallet, path.contract_id),
  }),
  rejectMintingDelegationProposal: (wallet, { path }) => {
    rejectDelegation(wallet, 'mintingDelegationProposal', path.contract_id);
  },
  listMintingDelegations: (wallet, { query }) => {
    const { items, token } = delegations(wallet, 'mintingDelegation', query);
    return { delegations: items, next_page_token: token };
  },
  rejectMintingDelegation: (wallet, { path }) => {
    rejectDelegation(wallet, 'mintingDelegation', path.contract_id);
  },
});

const expiryOf = (value: unknown): Timestamp => value as Timestamp;

function delegations(
  wallet: Wallet,
  template: 'mintingDelegation' | 'mintingDelegationProposal',
  { after, limit = MAX_ITEMS }: Paging,
) {
  checkPageSize(limit);
  const { contracts, token } = delegationPage(wallet, template, limit, after);
  const items = contracts.map((each) => ({
    contract: contractJson(wallet.splice, each),
    beneficiary_hosted: hasExternalWallet(wallet.validator, beneficiaryOf(each)),
  }));
  return { items, token };
}

function endedJson({ created, archived }: EndedCoupon): ArchivedDevelopmentFundCoupon {
  return {
    createdAt: formatInstant(created.createdAt),
    archivedAt: formatInstant(archived.archivedAt),
    beneficiary: created.beneficiary,
    fund_manager: created.fundManager,
    amount: created.amount.toString(),
    expiresAt: formatInstant(created.expiresAt),
    reason: created.reason,
    status: archived.status,
    rejection_or_withdrawal_reason: archived.reason,
  };
}
