/** What an SV decides with the others: requests for votes, votes on them, and on the price of an amulet (A-DSO-003, B-026). */
import type { ContractId, Some, Timestamp } from '../../daml/model/values.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { Numeric } from '../../daml/model/numeric.js';
import { AppRefusal } from '../app-refusal.js';
import { idsOf } from '../automation/dso-node.js';
import { voteRequests } from '../scan/votes.js';
import type { SvNode } from './sv-node.js';

export interface NewVoteRequest {
  readonly requester: string;
  /** An `ActionRequiringConfirmation`, as Ledger API JSON. */
  readonly action: unknown;
  readonly url: string;
  readonly description: string;
  /** A `RelTime`, as Ledger API JSON: how long it may be voted on. */
  readonly expiration: unknown;
  readonly effectiveAt?: Timestamp | undefined;
}

/**
 * NOTE: the real app looks for a request of its own for the same action, by its party among the names of those who asked: it finds none.
 * @throws LedgerError for what is no action, and for what the ledger refuses
 */
export function requestVote({ node, sv }: SvNode, request: NewVoteRequest): void {
  const { requester, action, url, description, expiration, effectiveAt } = request;
  node.submitter.exercise(
    '#splice-dso-governance:Splice.DsoRules:DsoRules',
    node.dsoRules!.contractId,
    'DsoRules_RequestVote',
    {
      requester,
      action,
      reason: { url, body: description },
      voteRequestTimeout: expiration,
      targetEffectiveAt: effectiveAt === undefined ? null : formatTimestampMicros(effectiveAt),
    },
    { actAs: [sv], readAs: [node.dso.dsoParty] },
  );
}

export interface NewVote {
  /** Of the first request, or of what it has become since. */
  readonly request: ContractId;
  readonly isAccepted: boolean;
  readonly url: string;
  readonly description: string;
}

/** @throws AppRefusal 404 where there is no such request, LedgerError for what the ledger refuses */
export function castVote(
  { node, sv }: SvNode,
  { request, isAccepted, url, description }: NewVote,
): void {
  const [found] = voteRequests(node.dso, [request]);
  if (found === undefined)
    throw new AppRefusal(404, `Vote request not found for tracking-id ContractId(${request})`);
  node.exerciseDsoRules('DsoRules_CastVote', {
    requestCid: found.contractId,
    vote: { sv, accept: isAccepted, reason: { url, body: description }, optCastAt: null },
  });
}

/** @throws AppRefusal 400 where it has no vote, LedgerError for what the ledger refuses, as a vote too soon after the last */
export function votePrice({ node, sv }: SvNode, price: Numeric): void {
  const vote = node.contracts('amuletPriceVote').find(({ payload }) => payload.sv === sv);
  if (vote === undefined)
    throw new AppRefusal(
      400,
      'No cc price vote contract found for this SV. It is not expected as it should be created when the SV was added to DSO,',
    );
  const current = (vote.payload.amuletPrice as Some<Numeric> | null)?.value;
  if (current !== undefined && current.toString() === price.toString()) return;
  node.exerciseDsoRules('DsoRules_UpdateAmuletPriceVote', {
    voteCid: vote.contractId,
    amuletPrice: price.toString(),
  });
}

/** Archives what dry runs of the accounting of those rounds left; nothing where they left nothing. */
export function archiveDryRuns({ node }: SvNode, rounds: readonly bigint[]): void {
  const of = (kind: 'calculateRewards' | 'processRewards') =>
    node
      .contracts(kind)
      .filter(
        ({ payload }) =>
          payload.dryRun === true &&
          rounds.includes((payload.round as { readonly number: bigint }).number),
      );
  const [calculateRewards, processRewards] = [of('calculateRewards'), of('processRewards')];
  if (calculateRewards.length + processRewards.length === 0) return;
  node.exerciseDsoRules('DsoRules_ArchiveDryRunRewardAccountingV2', {
    amuletRulesCid: node.amuletRulesCid,
    choiceArg: {
      calculateRewardsCids: idsOf(calculateRewards),
      processRewardsCids: idsOf(processRewards),
    },
  });
}
