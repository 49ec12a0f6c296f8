/**
 * The DSO's automation of rewards: it turns activity into coupons, receives the SV's coupons, expires unclaimed coupons and merges
 * leftovers.
 */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party, Timestamp } from '../../daml/model/values.js';
import { roundNumber, roundsOf, templateName, usableOpenRound } from '../dso/amulet-contracts.js';
import { amuletRulesAction, confirm, isConfirmed } from './confirmations.js';
import { batches, earliest, idsOf, type DsoNode } from './dso-node.js';
import { COUPON_FIELDS, COUPONS, couponsOf, KINDS } from './round-steps.js';
import type { Task } from './task.js';

/** The number of coupons of a kind that expire in one transaction (A-RND-009). */
const EXPIRED_AT_ONCE = 20;
/** The number of markers that one transaction converts, and the age in microseconds from which fewer are converted (A-REW-009). */
const MARKERS_AT_ONCE = 100;
const OLDEST_MARKER = 30_000_000n;
/** The number of development fund coupons that are merged into one, once there are twice as many. */
const DEVELOPMENT_COUPONS = 10;

const COUPON_NAMES = Object.values(COUPONS).map(templateName);

export function rewardTasks(node: DsoNode): readonly Task[] {
  return [
    expireRewardCoupons(node),
    archiveClosedMiningRounds(node),
    featuredAppActivityMarker(node),
    receiveSvRewardCoupon(node),
    mergeUnclaimedRewards(node),
    mergeDevelopmentCoupons(node),
    mergeMemberTraffic(node),
  ];
}

function expireRewardCoupons(node: DsoNode): Task {
  const expired = () =>
    roundsOf(node.dso, 'closedRound').filter((round) => couponsOf(node, round).count > 0);
  return {
    name: 'ExpireRewardCoupons',
    watches: [templateName('closedRound')],
    due: () => earliest(expired().map(({ createdAt }) => createdAt)),
    run() {
      for (const round of expired()) {
        const coupons = couponsOf(node, round);
        for (const kind of KINDS)
          for (const cids of batches(idsOf(coupons[kind]), EXPIRED_AT_ONCE))
            node.exerciseDsoRules('DsoRules_ClaimExpiredRewards', {
              amuletRulesCid: node.amuletRulesCid,
              choiceArg: {
                closedRoundCid: round.contractId,
                validatorRewardCouponCids: [],
                appCouponCids: [],
                svRewardCouponCids: [],
                [COUPON_FIELDS[kind]]: cids,
              },
            });
      }
    },
  };
}

function archiveClosedMiningRounds(node: DsoNode): Task {
  const tag = 'CRARC_MiningRound_Archive';
  const over = () =>
    roundsOf(node.dso, 'closedRound').filter(
      (round) => couponsOf(node, round).count === 0 && !isConfirmed(node, tag, round.contractId),
    );
  return {
    name: 'ArchiveClosedMiningRounds',
    watches: [templateName('closedRound'), templateName('confirmation'), ...COUPON_NAMES],
    due: () => earliest(over().map(({ createdAt }) => createdAt)),
    run() {
      for (const { contractId } of over())
        confirm(node, amuletRulesAction(tag, { closedRoundCid: contractId }));
    },
  };
}

function featuredAppActivityMarker(node: DsoNode): Task {
  return {
    name: 'FeaturedAppActivityMarker',
    watches: [templateName('activityMarker')],
    due() {
      const markers = node.contracts('activityMarker');
      const [oldest] = markers;
      const full = markers[MARKERS_AT_ONCE - 1];
      return full?.createdAt ?? (oldest && oldest.createdAt + OLDEST_MARKER);
    },
    run() {
      const open = usableOpenRound(node.dso);
      if (open === undefined) return;
      for (const markers of batches(node.contracts('activityMarker'), MARKERS_AT_ONCE)) {
        const isOld = markers[0]!.createdAt + OLDEST_MARKER <= node.now;
        if (markers.length < MARKERS_AT_ONCE && !isOld) continue;
        const parties = markers.flatMap(({ payload }) => [payload.provider, payload.beneficiary]);
        const observers = [...new Set([...(parties as Party[]), node.dso.dsoParty])].sort();
        node.exerciseDsoRules('DsoRules_AmuletRules_ConvertFeaturedAppActivityMarkers', {
          amuletRulesCid: node.amuletRulesCid,
          argument: { markerCids: idsOf(markers), openMiningRoundCid: open.contractId, observers },
        });
      }
    },
  };
}

/** Receives the SV's coupon of the first open round for which it has none yet (A-REW-005). */
function receiveSvRewardCoupon(node: DsoNode): Task {
  const next = () => {
    const [, info] = node.svs[0] ?? [];
    const state = node
      .contracts('svRewardState')
      .find((each) => each.payload.svName === info?.name);
    if (info === undefined || state === undefined) return undefined;
    const { lastRoundCollected } = state.payload.state as {
      readonly lastRoundCollected: { readonly number: bigint };
    };
    const round = firstOpen(node, (number) => number > lastRoundCollected.number);
    return round && { info, state, round };
  };
  return {
    name: 'ReceiveSvRewardCoupon',
    watches: [templateName('svRewardState'), templateName('openRound'), templateName('dsoRules')],
    due: () => next()?.round.payload.opensAt as Timestamp | undefined,
    run() {
      const { info, state, round } = next()!;
      node.exerciseDsoRules('DsoRules_ReceiveSvRewardCoupon', {
        openRoundCid: round.contractId,
        rewardStateCid: state.contractId,
        beneficiaries: [{ _1: node.sv, _2: String(info.svRewardWeight as bigint) }],
      });
    },
  };
}

/** Of the open rounds with a wanted number, the one that opens first. */
export function firstOpen(
  { dso }: DsoNode,
  isWanted: (round: bigint) => boolean,
): ContractInstance | undefined {
  const opensAt = ({ payload }: ContractInstance) => payload.opensAt as Timestamp;
  return roundsOf(dso, 'openRound')
    .filter((round) => isWanted(roundNumber(round)))
    .reduce<ContractInstance | undefined>(
      (first, each) => (first === undefined || opensAt(each) < opensAt(first) ? each : first),
      undefined,
    );
}

function mergeUnclaimedRewards(node: DsoNode): Task {
  return {
    name: 'MergeUnclaimedRewards',
    watches: [templateName('unclaimedReward')],
    due: () => node.contracts('unclaimedReward')[threshold(node, 'Rewards')]?.createdAt,
    run() {
      const most = 2 * threshold(node, 'Rewards');
      node.exerciseDsoRules('DsoRules_MergeUnclaimedRewards', {
        amuletRulesCid: node.amuletRulesCid,
        unclaimedRewardCids: idsOf(node.contracts('unclaimedReward').slice(0, most)),
      });
    },
  };
}

/** Merges the smallest coupons, once there are twice as many as one merge takes. */
function mergeDevelopmentCoupons(node: DsoNode): Task {
  const most = 2 * DEVELOPMENT_COUPONS;
  return {
    name: 'MergeUnclaimedDevelopmentFundCoupons',
    watches: [templateName('developmentFundCoupon')],
    due: () => node.contracts('developmentFundCoupon')[most - 1]?.createdAt,
    run() {
      const smallest = node
        .contracts('developmentFundCoupon')
        .slice(0, most)
        .sort((a, b) => amountOf(a).compare(amountOf(b)))
        .slice(0, DEVELOPMENT_COUPONS);
      node.exerciseDsoRules('DsoRules_MergeUnclaimedDevelopmentFundCoupons', {
        amuletRulesCid: node.amuletRulesCid,
        choiceArg: { unclaimedDevelopmentFundCouponCids: idsOf(smallest) },
      });
    },
  };
}

const amountOf = ({ payload }: ContractInstance) => payload.amount as Numeric;

function mergeMemberTraffic(node: DsoNode): Task {
  const mergeable = () => {
    const byMember = new Map<string, ContractInstance[]>();
    for (const each of node.contracts('memberTraffic')) {
      const { memberId, synchronizerId, migrationId } = each.payload;
      const key = [memberId, synchronizerId, migrationId].join(' ');
      byMember.set(key, [...(byMember.get(key) ?? []), each]);
    }
    const few = threshold(node, 'MemberTrafficContracts');
    return [...byMember.values()].filter(({ length }) => length > few);
  };
  return {
    name: 'MergeMemberTrafficContracts',
    watches: [templateName('memberTraffic')],
    due: () => earliest(mergeable().map((contracts) => contracts.at(-1)!.createdAt)),
    run() {
      const most = 2 * threshold(node, 'MemberTrafficContracts');
      for (const contracts of mergeable())
        node.exerciseDsoRules('DsoRules_MergeMemberTrafficContracts', {
          amuletRulesCid: node.amuletRulesCid,
          trafficCids: idsOf(contracts.slice(0, most)),
        });
    },
  };
}

/** The number of contracts from which DsoRules merge them (A-REW-012). */
function threshold({ dsoRules }: DsoNode, of: 'Rewards' | 'MemberTrafficContracts'): number {
  const { numUnclaimedRewardsThreshold, numMemberTrafficContractsThreshold } = dsoRules!.payload
    .config as DamlRecord;
  return Number(
    of === 'Rewards' ? numUnclaimedRewardsThreshold : numMemberTrafficContractsThreshold,
  );
}
