/** Scan's look-ups of amulet contracts by party (S-PRE-*, S-FEAT-*, S-DSO-008, S-DSO-009). */
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Party, Some } from '../../../daml/model/values.js';
import type {
  ListUnclaimedDevelopmentFundCouponsResponse,
  LookupFeaturedAppRightResponse,
  LookupTransferCommandCounterByPartyResponse,
  LookupTransferPreapprovalByPartyResponse,
  ValidatorReceivedFaucets,
} from '../../../spec/generated/scan.js';
import {
  activationsOf,
  contractById,
  contractsOf,
  featuredAppRight,
  transferPreapproval,
} from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { contractJson, contractWithState } from '../formats/contracts.js';
import { checkPageSize, MAX_ITEMS, readParty } from '../formats/requests.js';

export const amuletLookupHandlers = {
  listFeaturedAppRights: ({ splice }) => ({ featured_apps: featuredApps(splice) }),
  listFeaturedAppRightsByProvider: ({ splice }, { path }) => ({
    featured_apps: featuredApps(splice, readParty(path.provider_party_id)),
  }),
  lookupFeaturedAppRight: ({ splice }, { path }) =>
    lookupFeaturedAppRight(splice, path.provider_party_id),
  lookupFeaturedAppRightByContractId: ({ splice }, { path }) => {
    const right = contractById(splice, 'featuredAppRight', path.contract_id);
    return { featured_app_right: right && contractJson(splice, right) };
  },
  lookupTransferPreapprovalByParty: ({ splice }, { path }) =>
    lookupTransferPreapproval(splice, path.party),
  lookupTransferCommandCounterByParty: ({ splice }, { path }) =>
    lookupTransferCommandCounter(splice, path.party),
  listUnclaimedDevelopmentFundCoupons: ({ splice }) => developmentFundCoupons(splice),
  listValidatorLicenses: ({ splice }, { query }) => validatorLicenses(splice, query),
  getValidatorFaucetsByValidator: ({ splice }, { query }) => {
    const validators = query.validator_ids.map(readParty);
    return {
      validatorsReceivedFaucets: [...contractsOf(splice, 'validatorLicense')]
        .filter(({ payload }) => validators.includes(payload.validator as Party))
        .map(receivedFaucets),
    };
  },
} satisfies SomeHandlers<'scan'>;

export function lookupFeaturedAppRight(
  splice: Splice,
  provider: string,
): LookupFeaturedAppRightResponse {
  const right = featuredAppRight(splice, readParty(provider));
  return { featured_app_right: right && contractJson(splice, right) };
}

/** Wallets detect the absence from the beginning of the text (S-PRE-003). */
export function lookupTransferPreapproval(
  splice: Splice,
  party: string,
): LookupTransferPreapprovalByPartyResponse {
  const preapproval = transferPreapproval(splice, readParty(party));
  if (preapproval === undefined)
    throw new HttpRefusal(404, `No TransferPreapproval found for party: ${party}`);
  return { transfer_preapproval: contractWithState(splice, preapproval) };
}

/** Without a counter, the next nonce is 0 (S-PRE-005). */
export function lookupTransferCommandCounter(
  splice: Splice,
  party: string,
): LookupTransferCommandCounterByPartyResponse {
  const sender = readParty(party);
  const counter = [...contractsOf(splice, 'transferCommandCounter')].find(
    ({ payload }) => payload.sender === sender,
  );
  if (counter === undefined)
    throw new HttpRefusal(
      404,
      `No TransferCommandCounter found for party: ${party}, use 0 for the nonce`,
    );
  return { transfer_command_counter: contractWithState(splice, counter) };
}

export function developmentFundCoupons(
  splice: Splice,
): ListUnclaimedDevelopmentFundCouponsResponse {
  const coupons = [...contractsOf(splice, 'developmentFundCoupon')];
  return {
    'unclaimed-development-fund-coupons': coupons.map((each) => contractWithState(splice, each)),
  };
}

function featuredApps(splice: Splice, provider?: Party) {
  return [...contractsOf(splice, 'featuredAppRight')]
    .filter(({ payload }) => provider === undefined || payload.provider === provider)
    .map((right) => contractJson(splice, right));
}

/**
 * Newest first. `after` is the token of the previous page, with its last position. As in Splice's store, each page that
 * is not empty has a token, also the last one (S-DSO-008).
 */
function validatorLicenses(
  splice: Splice,
  { after, limit = MAX_ITEMS }: { after?: number; limit?: number },
) {
  checkPageSize(limit);
  // Positions are in order of activation.
  const page = [...activationsOf(splice, 'validatorLicense')]
    .map(({ contract, sequence }) => ({ license: contract, place: sequence }))
    .filter(({ place }) => after === undefined || place < after)
    .reverse()
    .slice(0, limit);
  return {
    validator_licenses: page.map(({ license }) => contractJson(splice, license)),
    next_page_token: page.at(-1)?.place,
  };
}

/** The values of a validator without coupons are zero (S-DSO-009). */
function receivedFaucets({ payload }: ContractInstance): ValidatorReceivedFaucets {
  const state = (payload.faucetState as Some<FaucetState> | null)?.value;
  const first = Number(state?.firstReceivedFor.number ?? 0n);
  const last = Number(state?.lastReceivedFor.number ?? 0n);
  const missed = Number(state?.numCouponsMissed ?? 0n);
  return {
    validator: payload.validator as Party,
    numRoundsCollected: state === undefined ? 0 : last - first + 1 - missed,
    numRoundsMissed: missed,
    firstCollectedInRound: first,
    lastCollectedInRound: last,
  };
}

type FaucetState = {
  readonly firstReceivedFor: { readonly number: bigint };
  readonly lastReceivedFor: { readonly number: bigint };
  readonly numCouponsMissed: bigint;
};
