/** Mining rounds: they advance, are summarized and issue, and close, each at its moment (A-RND-001 to A-RND-009). */
import { invalidArgument } from '../../network/request-errors.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { roundsOf, templateName } from '../dso/amulet-contracts.js';
import type { Automation } from './automation.js';
import type { DsoNode } from './dso-node.js';
import { advanceRound, closeRound, convertMarkers, startIssuing } from './round-steps.js';
import type { Task } from './task.js';

export function roundTasks(node: DsoNode): readonly Task[] {
  return [
    {
      name: 'AdvanceOpenMiningRound',
      watches: [templateName('openRound')],
      due: () => advanceDue(node),
      run() {
        convertMarkers(node);
        advanceRound(node);
      },
    },
    {
      name: 'SummarizingMiningRound',
      watches: [templateName('summarizingRound')],
      due: () => roundsOf(node.dso, 'summarizingRound')[0]?.createdAt,
      run() {
        for (const round of roundsOf(node.dso, 'summarizingRound')) startIssuing(node, round);
      },
    },
    {
      name: 'ExpireIssuingMiningRound',
      watches: [templateName('issuingRound')],
      due: () => closeDue(node),
      run: () => closeIssued(node),
    },
  ];
}

/**
 * A new round at once: time moves as far as it needs.
 * @param price in USD, of the new round; that of the newest one where absent
 * @throws LedgerError INVALID_ARGUMENT where there are no three open rounds, and for what Daml code refuses
 */
export function advanceNow(automation: Automation, node: DsoNode, price?: string): void {
  const due = advanceDue(node);
  if (due === undefined)
    throw invalidArgument(
      `Three open mining rounds are needed to advance, and there are ${roundsOf(node.dso, 'openRound').length}.`,
    );
  const { clock, journal } = node.dso.network;
  automation.exclusively(() =>
    journal.atomically(() => {
      convertMarkers(node);
      if (due > clock.now()) clock.set(due);
      advanceRound(node, price);
      for (const round of roundsOf(node.dso, 'summarizingRound')) startIssuing(node, round);
      closeIssued(node);
    }),
  );
}

/** When the oldest open round may make room for a new one; undefined where there are no three. */
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
  const times = roundsOf(dso, 'issuingRound').map((each) => timeOf(each, 'targetClosesAt'));
  return times.length === 0 ? undefined : times.reduce((a, b) => (a < b ? a : b));
}

/** Ends the issuing rounds that are over. */
function closeIssued(node: DsoNode): void {
  for (const round of roundsOf(node.dso, 'issuingRound'))
    if (timeOf(round, 'targetClosesAt') <= node.now) closeRound(node, round);
}

function timeOf({ payload }: ContractInstance, field: 'opensAt' | 'targetClosesAt'): Timestamp {
  return payload[field] as Timestamp;
}

function tickOf({ payload }: ContractInstance): bigint {
  return (payload.tickDuration as { readonly microseconds: bigint }).microseconds;
}
