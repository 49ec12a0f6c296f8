/** Votes of an SV: requests for votes, votes on them, and votes on the price of an amulet (A-DSO-003, B-026). */
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
  /** The time for voting: a `RelTime`, as Ledger API JSON. */
  readonly expiration: unknown;
  readonly effectiveAt?: Timestamp | undefined;
}

/**
 * Creates a vote request. NOTE: the real app looks for an earlier request of the SV for the same action. It compares its party with the
 * names of requesters, and so finds none.
 * @throws LedgerError for an invalid action, or if the ledger refuses it
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
  /** The id of the first contract of the request. */
  readonly request: ContractId;
  readonly isAccepted: boolean;
  readonly url: string;
  readonly description: string;
}

/** @throws AppRefusal 404 if there is no such request; LedgerError if the ledger refuses it */
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

/**
 * @throws AppRefusal 400 if the SV has no price vote; LedgerError if the ledger refuses it, for example a vote too soon after the last one
 */
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

/** Archives the contracts of dry runs of the reward accounting for these rounds, if there are any. */
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
