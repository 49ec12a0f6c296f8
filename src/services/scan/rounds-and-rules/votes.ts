/** Scan's data about the DSO's votes (S-DSO-010, S-DSO-011). */
import { template as templateOf } from '../../../daml/model/package.js';
import type { Splice } from '../../../splice/splice.js';
import { voteRequests, type VoteResult } from '../../../splice/scan/votes.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import { contractJson } from '../formats/contracts.js';
import { checkCount, checkPageSize, readParty } from '../formats/requests.js';

export const voteHandlers = {
  listDsoRulesVoteRequests: ({ splice }) => ({
    dso_rules_vote_requests: voteRequests(splice).map((each) => contractJson(splice, each)),
  }),
  lookupDsoRulesVoteRequest: ({ splice }, { path: { vote_request_contract_id: id } }) => {
    const [request] = voteRequests(splice, [id]);
    if (request === undefined) throw new HttpRefusal(404, `No VoteRequest found contract: ${id}`);
    return { dso_rules_vote_request: contractJson(splice, request) };
  },
  listVoteRequestsByTrackingCid: (context, { body }) => {
    checkCount(context, 'vote_request_contract_ids', body.vote_request_contract_ids);
    const { splice } = context;
    const requests = voteRequests(splice, body.vote_request_contract_ids);
    return { vote_requests: requests.map((each) => contractJson(splice, each)) };
  },
  listVoteRequestResults: ({ splice }, { body: { limit, pageToken, ...filter } }) => {
    checkPageSize(limit);
    const page = behind(splice.votes.matching({}), splice.votes.matching(filter), pageToken).slice(
      0,
      limit,
    );
    return {
      dso_rules_vote_results: page.map((result) => resultJson(splice, result)),
      next_page_token: page.at(-1)?.number,
    };
  },
  countVoteRequestResults: ({ splice }, { body }) => ({
    count: splice.votes.matching(body).length,
  }),
  getPreviousSvRewardWeight: ({ splice }, { body }) => ({
    rewardWeight: splice.votes
      .latestWeight(readParty(body.svParty), body.effectiveBefore)
      ?.toString(),
  }),
} satisfies SomeHandlers<'scan'>;

/** The matching results after the one that the token names, which need not match itself. */
function behind(
  all: readonly VoteResult[],
  matching: readonly VoteResult[],
  token: number | undefined,
): readonly VoteResult[] {
  if (token === undefined) return matching;
  const place = all.findIndex(({ number }) => number === token);
  if (place < 0) return [];
  const later = new Set(all.slice(place + 1).map(({ number }) => number));
  return matching.filter(({ number }) => later.has(number));
}

function resultJson({ packages, scanJson }: Splice, { node }: VoteResult): Record<string, unknown> {
  const { returnType } = templateOf(packages, node.templateId)!.choices.get(node.choice)!;
  return scanJson.payload(packages, returnType, node.result) as Record<string, unknown>;
}
