/** The validator's Scan proxy. It has Scan's answers, except for the texts of not-found errors. */
import { HttpRefusal, type SomeHandlers } from '../handler.js';
import {
  developmentFundCoupons,
  lookupFeaturedAppRight,
  lookupTransferCommandCounter,
  lookupTransferPreapproval,
} from '../scan/rounds-and-rules/amulet-lookups.js';
import { contractWithState, required } from '../scan/formats/contracts.js';
import { holdingsSummary, holdingsSummaryV1 } from '../scan/contracts/holdings.js';
import { ansRules, entryByName, entryByParty, listEntries } from '../scan/names/names.js';
import { dsoInfo, roundsWithState } from '../scan/rounds-and-rules/rules-and-rounds.js';
import { transferCommandStatus } from '../scan/rounds-and-rules/transfer-commands.js';

const NO_SUMMARY = 'Summary not found for given parameters';

export const proxyHandlers = {
  getDsoPartyId: ({ splice }) => ({ dso_party_id: splice.dsoParty }),
  getDsoInfo: ({ splice }) => dsoInfo(splice),
  /** Always the full contract, because the proxy has no cache parameter (P-PROXY-002). */
  getAmuletRules: ({ splice }) => ({
    amulet_rules: contractWithState(splice, required(splice, 'rules', 'AmuletRules')),
  }),
  getOpenAndIssuingMiningRounds: ({ splice }) => ({
    open_mining_rounds: roundsWithState(splice, 'openRound'),
    issuing_mining_rounds: roundsWithState(splice, 'issuingRound'),
  }),
  lookupTransferCommandCounterByParty: ({ splice }, { path }) =>
    lookupTransferCommandCounter(splice, path.party),
  listUnclaimedDevelopmentFundCoupons: ({ splice }) => developmentFundCoupons(splice),
  lookupFeaturedAppRight: ({ splice }, { path }) =>
    lookupFeaturedAppRight(splice, path.provider_party_id),
  getHoldingsSummaryAt: (context, { body }) =>
    orNotFound(NO_SUMMARY, () => holdingsSummary(context, body)),
  getHoldingsSummaryAtV1: (context, { body }) =>
    orNotFound(NO_SUMMARY, () => holdingsSummaryV1(context, body)),
  listAnsEntries: ({ splice }, { query }) => listEntries(splice, query),
  lookupAnsEntryByParty: ({ splice }, { path: { party } }) =>
    orNotFound(`Party ${party} does not have any ANSEntry.`, () => entryByParty(splice, party)),
  lookupAnsEntryByName: ({ splice }, { path: { name } }) =>
    orNotFound(`Did not find a AnsEntry with name ${name}`, () => entryByName(splice, name)),
  /** Always the full contract (P-PROXY-004). */
  getAnsRules: ({ splice }) => ansRules(splice, undefined),
  lookupTransferCommandStatus: ({ splice }, { query }) => transferCommandStatus(splice, query),
  lookupTransferPreapprovalByParty: ({ splice }, { path }) =>
    lookupTransferPreapproval(splice, path.party),
} satisfies SomeHandlers<'validator'>;

/** Replaces the text of Scan's not-found error with the proxy's (P-PROXY-006, P-PROXY-007). */
function orNotFound<Found>(text: string, find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    if (error instanceof HttpRefusal && error.status === 404) throw new HttpRefusal(404, text);
    throw error;
  }
}
