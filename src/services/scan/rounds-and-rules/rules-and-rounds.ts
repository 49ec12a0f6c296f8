/** Scan's endpoints for Amulet's rules, its mining rounds and the DSO (S-RND-*, S-RUL-*, S-DSO-001 to S-DSO-003). */
import type { ContractInstance } from '../../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../../daml/model/values.js';
import type {
  ContractWithState,
  GetDsoInfoResponse,
  MaybeCachedContractWithState,
} from '../../../spec/generated/scan.js';
import {
  contractsOf,
  latestOf,
  roundsOf,
  type RoundKind,
} from '../../../splice/dso/amulet-contracts.js';
import type { Splice } from '../../../splice/splice.js';
import { svNodeStates } from '../../../splice/dso/sv-nodes.js';
import { HttpRefusal, type SomeHandlers } from '../../handler.js';
import {
  contractJson,
  contractWithState,
  required,
  UNEXPECTED,
  unlessCached,
} from '../formats/contracts.js';
import { checkCount } from '../formats/requests.js';

export const rulesAndRoundsHandlers = {
  getDsoInfo: ({ splice }) => dsoInfo(splice),
  /** NOTE: without rules, the real Scan fails with this error, too (S-RUL-001). */
  getAmuletRules: ({ splice }, { body }) => {
    const rules = latestOf(splice, 'rules');
    if (rules === undefined) throw new HttpRefusal(500, UNEXPECTED);
    const cached = [body.cached_amulet_rules_contract_id];
    return { amulet_rules_update: unlessCached(splice, rules, cached) };
  },
  getExternalPartyAmuletRules: ({ splice }, { body }) => {
    const rules = required(splice, 'externalPartyRules', 'ExternalPartyAmuletRules');
    const cached = [body.cached_external_party_amulet_rules_contract_id];
    return { external_party_amulet_rules_update: unlessCached(splice, rules, cached) };
  },
  getOpenAndIssuingMiningRounds: (context, { body }) => {
    const open = body.cached_open_mining_round_contract_ids;
    const issuing = body.cached_issuing_round_contract_ids;
    checkCount(context, 'cached_open_mining_round_contract_ids', open);
    checkCount(context, 'cached_issuing_round_contract_ids', issuing);
    const { splice } = context;
    return {
      time_to_live_in_microseconds: timeToLive(splice),
      open_mining_rounds: byId(splice, 'openRound', open),
      issuing_mining_rounds: byId(splice, 'issuingRound', issuing),
    };
  },
  getClosedRounds: ({ splice }) => ({
    rounds: roundsOf(splice, 'closedRound').map((round) => contractJson(splice, round)),
  }),
  listAmuletPriceVotes: ({ splice }) => ({
    amulet_price_votes: [...contractsOf(splice, 'amuletPriceVote')].map((vote) =>
      contractJson(splice, vote),
    ),
  }),
  getAmuletConfigForRound: ({ splice }, { query }) => {
    const fees = splice.roundConfigs.feesOf(BigInt(query.round));
    if (fees === undefined) throw new HttpRefusal(404, `Round ${query.round} not found`);
    return {
      amulet_create_fee: fees.amuletCreate.toString(),
      holding_fee: fees.holding.toString(),
      lock_holder_fee: fees.lockHolder.toString(),
      transfer_fee: {
        initial: fees.initialRate.toString(),
        steps: fees.steps.map(({ from, rate }) => ({
          amount: from.toString(),
          rate: rate.toString(),
        })),
      },
    };
  },
} satisfies SomeHandlers<'scan'>;

/** In ascending order, because wallets take the last usable round (W-QRK-002). */
export function roundsWithState(splice: Splice, kind: RoundKind): ContractWithState[] {
  return roundsOf(splice, kind).map((round) => contractWithState(splice, round));
}

/** The newest round counts even before it opens (S-DSO-002). */
export function dsoInfo(splice: Splice): GetDsoInfoResponse {
  const rounds = roundsOf(splice, 'openRound');
  if (rounds.length === 0) throw new HttpRefusal(404, 'No active OpenMiningRound contract');
  const amuletRules = required(splice, 'rules', 'AmuletRules');
  const dsoRules = required(splice, 'dsoRules', 'DsoRules');
  const svs = (dsoRules.payload.svs as readonly (readonly [Party, unknown])[]).map(([sv]) => sv);
  const states = svNodeStates(splice, dsoRules);
  const { party, user } = splice.validator;
  return {
    sv_user: user,
    sv_party_id: svs.includes(party) ? party : (svs[0] ?? ''),
    dso_party_id: splice.dsoParty,
    voting_threshold: requiredVotes(svs.length),
    latest_mining_round: contractWithState(splice, rounds.at(-1)!),
    amulet_rules: contractWithState(splice, amuletRules),
    dso_rules: contractWithState(splice, dsoRules),
    sv_node_states: states.map((state) => contractWithState(splice, state)),
    initial_round: splice.roundConfigs.initial,
  };
}

/**
 * The number of SVs that must agree: a majority that also holds if up to (svs - 1) / 3 of them are faulty (`Thresholds`
 * of Splice).
 */
function requiredVotes(svs: number): number {
  return Math.ceil((svs + Math.floor((svs - 1) / 3) + 1) / 2);
}

/** Microseconds for which a client may cache the rounds: less than the time until a new one opens (S-RND-004). */
function timeToLive(splice: Splice): number {
  const ticks = [...roundsOf(splice, 'openRound'), ...roundsOf(splice, 'summarizingRound')].map(
    ({ payload }) => (payload.tickDuration as { readonly microseconds: bigint }).microseconds,
  );
  const windows = roundsOf(splice, 'issuingRound').map(
    ({ payload }) => ((payload.targetClosesAt as Timestamp) - (payload.opensAt as Timestamp)) / 2n,
  );
  const spans = [...ticks, ...windows];
  // NOTE: the real Scan fails here, with the minimum of an empty list (S-RND-005).
  if (spans.length === 0) throw new HttpRefusal(500, UNEXPECTED);
  return Number(spans.reduce((a, b) => (a < b ? a : b)));
}

function byId(
  splice: Splice,
  kind: RoundKind,
  cached: readonly string[],
): Record<string, MaybeCachedContractWithState> {
  const entryOf = (round: ContractInstance) =>
    [round.contractId, unlessCached(splice, round, cached)] as const;
  return Object.fromEntries(roundsOf(splice, kind).map(entryOf));
}
