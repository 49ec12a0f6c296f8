/** Mining rounds: they advance, are summarized and issue, and close, each at its moment (A-RND-001 to A-RND-009). */
import { invalidArgument } from '../../network/model/request-errors.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { roundsOf, templateName } from '../dso/amulet-contracts.js';
import type { Automation } from './automation.js';
import {
  amuletRulesAction,
  confirm,
  executeConfirmedAction,
  isConfirmed,
} from './confirmations.js';
import { earliest, idsOf, type DsoNode } from './dso-node.js';
import {
  advanceRound,
  closeRound,
  convertMarkers,
  startIssuing,
  summaryOf,
} from './round-steps.js';
import type { Task } from './task.js';

/** For a DSO without governance: uses only AmuletRules. */
export function roundTasks(node: DsoNode): readonly Task[] {
  return [
    advancing(node, () => {
      convertMarkers(node);
      advanceRound(node);
    }),
    {
      name: 'SummarizingMiningRound',
      watches: [templateName('summarizingRound')],
      due: () => roundsOf(node.dso, 'summarizingRound')[0]?.createdAt,
      run() {
        for (const round of roundsOf(node.dso, 'summarizingRound')) startIssuing(node, round);
      },
    },
    closing(node, (round) => closeRound(node, round)),
  ];
}

/** For a DSO with governance: uses DsoRules. */
export function governedRoundTasks(node: DsoNode): readonly Task[] {
  return [
    advancing(node, () => advanceByVotes(node)),
    summarizing(node),
    executeConfirmedAction(node),
    closing(node, ({ contractId }) => {
      const { amuletRulesCid } = node;
      node.exerciseDsoRules('DsoRules_MiningRound_Close', {
        amuletRulesCid,
        issuingRoundCid: contractId,
      });
    }),
  ];
}

/** The SV confirms its count. The confirmed action then issues the round. */
function summarizing(node: DsoNode): Task {
  const tag = 'CRARC_MiningRound_StartIssuing';
  const unconfirmed = () =>
    roundsOf(node.dso, 'summarizingRound').filter(
      ({ contractId }) => !isConfirmed(node, tag, contractId),
    );
  return {
    name: 'SummarizingMiningRound',
    watches: [templateName('summarizingRound'), templateName('confirmation')],
    due: () => unconfirmed()[0]?.createdAt,
    run() {
      for (const round of unconfirmed()) {
        const summary = summaryOf(node, round);
        confirm(node, amuletRulesAction(tag, { miningRoundCid: round.contractId, summary }));
      }
    },
  };
}

function advancing(node: DsoNode, run: () => void): Task {
  return {
    name: 'AdvanceOpenMiningRound',
    watches: [templateName('openRound')],
    due: () => advanceDue(node),
    run,
  };
}

function closing(node: DsoNode, close: (round: ContractInstance) => void): Task {
  return {
    name: 'ExpireIssuingMiningRound',
    watches: [templateName('issuingRound')],
    due: () => closeDue(node),
    run: () => closeIssued(node, close),
  };
}

/** The price is the median of the SVs' votes (A-RND-002). */
function advanceByVotes(node: DsoNode): void {
  const [oldest, middle, newest] = roundsOf(node.dso, 'openRound').slice(-3);
  const voters = new Set(node.svs.map(([party]) => party));
  const votes = node
    .contracts('amuletPriceVote')
    .filter(({ payload }) => voters.has(payload.sv as string));
  node.exerciseDsoRules('DsoRules_AdvanceOpenMiningRounds', {
    amuletRulesCid: node.amuletRulesCid,
    roundToArchiveCid: oldest!.contractId,
    middleRoundCid: middle!.contractId,
    latestRoundCid: newest!.contractId,
    amuletPriceVoteCids: idsOf(votes),
  });
}

/**
 * Opens a new round at once: the time advances as far as necessary, and due tasks run.
 * @param price in USD, of the new round: of a DSO's, what its SV votes for from then on; that of the newest round where absent
 * @throws LedgerError INVALID_ARGUMENT if there are not three open rounds, and for an error of Daml code
 */
export function advanceNow(automation: Automation, node: DsoNode, price?: string): void {
  const due = advanceDue(node);
  if (due === undefined)
    throw invalidArgument(
      `Three open mining rounds are needed to advance, and there are ${roundsOf(node.dso, 'openRound').length}.`,
    );
  const { clock, journal } = node.dso.network;
  const isGoverned = node.dsoRules !== undefined;
  journal.atomically(() => {
    automation.exclusively(() => {
      if (isGoverned) vote(node, price);
      else convertMarkers(node);
      if (due > clock.now()) clock.set(due);
      if (isGoverned) advanceByVotes(node);
      else advanceRound(node, price);
    });
    const tasks = isGoverned ? governedRoundTasks(node) : roundTasks(node);
    automation.runDue(tasks.map(({ name }) => name));
  });
  automation.carryOut();
}

function vote(node: DsoNode, amuletPrice: string | undefined): void {
  if (amuletPrice === undefined) return;
  const own = node.contracts('amuletPriceVote').find(({ payload }) => payload.sv === node.sv);
  if (own === undefined) throw invalidArgument('The SV has no vote on the price.');
  node.exerciseDsoRules('DsoRules_UpdateAmuletPriceVote', { voteCid: own.contractId, amuletPrice });
}

/** The time when a new round may replace the oldest open one; undefined if there are not three. */
function advanceDue({ dso }: DsoNode): Timestamp | undefined {
  const [oldest, middle, newest] = roundsOf(dso, 'openRound').slice(-3);
  if (oldest === undefined || middle === undefined || newest === undefined) return undefined;
  return [
    timeOf(oldest, 'targetClosesAt'),
    timeOf(newest, 'opensAt'),
    timeOf(middle, 'opensAt') + tickOf(middle),
  ].reduce((a, b) => (a > b ? a : b));
}

/** When the first of the issuing rounds is over. */
function closeDue({ dso }: DsoNode): Timestamp | undefined {
  return earliest(roundsOf(dso, 'issuingRound').map((each) => timeOf(each, 'targetClosesAt')));
}

/** Ends the issuing rounds that are over. */
function closeIssued(node: DsoNode, close: (round: ContractInstance) => void): void {
  for (const round of roundsOf(node.dso, 'issuingRound'))
    if (timeOf(round, 'targetClosesAt') <= node.now) close(round);
}

function timeOf({ payload }: ContractInstance, field: 'opensAt' | 'targetClosesAt'): Timestamp {
  return payload[field] as Timestamp;
}

function tickOf({ payload }: ContractInstance): bigint {
  return (payload.tickDuration as { readonly microseconds: bigint }).microseconds;
}
