/** The votes of an SV's app (A-DSO-003, B-026). */
import { parseTimestamp } from '../../daml/model/time.js';
import { contractsOf, roundsOf } from '../../splice/dso/amulet-contracts.js';
import { archiveDryRuns, castVote, requestVote, votePrice } from '../../splice/sv/votes.js';
import { Reply, type SomeHandlers } from '../handler.js';
import { contractJson } from '../scan/formats/contracts.js';
import { voteHandlers } from '../scan/rounds-and-rules/votes.js';
import { readDecimal } from '../wallet-app/reading.js';
import { svNode } from './sv-context.js';

/** The answer lists the open rounds only if there are exactly this number; otherwise it lists none. */
const OPEN_ROUNDS = 3;

export const governanceHandlers = {
  listDsoRulesVoteRequests: voteHandlers.listDsoRulesVoteRequests,
  lookupDsoRulesVoteRequest: (context, input) =>
    voteHandlers.lookupDsoRulesVoteRequest(context, { ...input }),
  listVoteRequestsByTrackingCid: (context, input) =>
    voteHandlers.listVoteRequestsByTrackingCid(context, { ...input }),
  listVoteRequestResults: (context, input) =>
    voteHandlers.listVoteRequestResults(context, { ...input }),
  countVoteRequestResults: (context, input) =>
    voteHandlers.countVoteRequestResults(context, { ...input }),
  getPreviousSvRewardWeight: (context, input) =>
    voteHandlers.getPreviousSvRewardWeight(context, { ...input }),
  createVoteRequest: (context, { body }) => {
    const { requester, action, url, description, expiration, effectiveTime } = body;
    const effectiveAt = effectiveTime === undefined ? undefined : parseTimestamp(effectiveTime);
    requestVote(svNode(context), { requester, action, url, description, expiration, effectiveAt });
  },
  castVote: (context, { body }) => {
    castVote(svNode(context), {
      request: body.vote_request_contract_id,
      isAccepted: body.is_accepted,
      url: body.reason_url,
      description: body.reason_description,
    });
    return new Reply(undefined, { status: 201 });
  },
  ListAmuletPriceVotes: ({ splice }) => ({
    amulet_price_votes: [...contractsOf(splice, 'amuletPriceVote')].map((vote) =>
      contractJson(splice, vote),
    ),
  }),
  ListOpenMiningRounds: ({ splice }) => {
    const rounds = roundsOf(splice, 'openRound');
    const shown = rounds.length === OPEN_ROUNDS ? rounds : [];
    return { open_mining_rounds: shown.map((round) => contractJson(splice, round)) };
  },
  UpdateAmuletPriceVote: (context, { body: { amulet_price: price } }) => {
    const decimal = readDecimal(price);
    votePrice(svNode(context), decimal);
  },
  archiveDryRunRewardAccountingContracts: (context, { body: { rounds } }) => {
    archiveDryRuns(svNode(context), rounds.map(BigInt));
  },
} satisfies SomeHandlers<'sv'>;
