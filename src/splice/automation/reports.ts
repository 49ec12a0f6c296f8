/** Periodic automation of the SV: it reports its status, replaces the configuration for external parties, and closes votes. */
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { DamlRecord, Party, Some, Timestamp } from '../../daml/model/values.js';
import { roundNumber, roundsOf, templateName } from '../dso/amulet-contracts.js';
import { requiredVotes } from './confirmations.js';
import { earliest, type DsoNode } from './dso-node.js';
import type { Task } from './task.js';

/** Microseconds (A-DSO-001). */
const REPORT_INTERVAL = 120_000_000n;
/** The height that an SV without CometBFT reports. */
const NO_HEIGHT = '-1';

export function reportTasks(node: DsoNode): readonly Task[] {
  return [submitSvStatusReport(node), updateConfigState(node), closeVoteRequest(node)];
}

function submitSvStatusReport(node: DsoNode): Task {
  const report = () =>
    node.contracts('svStatusReport').find(({ payload }) => payload.sv === node.sv);
  return {
    name: 'SubmitSvStatusReport',
    watches: [templateName('svStatusReport'), templateName('dsoRules')],
    due() {
      const last = report();
      const status = (last?.payload.status as Some<DamlRecord> | null | undefined)?.value;
      return status ? (status.createdAt as Timestamp) + REPORT_INTERVAL : last?.createdAt;
    },
    run() {
      const newest = roundsOf(node.dso, 'openRound').at(-1);
      const time = formatTimestampMicros(node.dso.network.synchronizers[0]!.recordTime ?? 0n);
      node.exerciseDsoRules('DsoRules_SubmitStatusReport', {
        previousReportCid: report()!.contractId,
        status: {
          createdAt: formatTimestampMicros(node.now),
          cometBftHeight: NO_HEIGHT,
          mediatorSynchronizerTime: time,
          participantSynchronizerTime: time,
          latestOpenRound: { number: String(newest ? roundNumber(newest) : 0n) },
        },
      });
    },
  };
}

function updateConfigState(node: DsoNode): Task {
  const pair = () =>
    [...node.contracts('externalPartyConfigState')].sort((a, b) => (ends(a) < ends(b) ? -1 : 1));
  return {
    name: 'UpdateExternalPartyConfigState',
    watches: [templateName('externalPartyConfigState')],
    due() {
      const [older, newer] = pair();
      return newer && ends(older!);
    },
    run() {
      const [older, newer] = pair();
      const rounds = roundsOf(node.dso, 'openRound').slice(-3);
      const [round0Cid, round1Cid, round2Cid] = rounds.map(({ contractId }) => contractId);
      node.exerciseDsoRules('DsoRules_UpdateExternalPartyConfigStates', {
        amuletRulesCid: node.amuletRulesCid,
        externalPartyConfigStateCid0: older!.contractId,
        externalPartyConfigStateCid1: newer!.contractId,
        openMiningRoundTriple: { round0Cid, round1Cid, round2Cid },
      });
    },
  };
}

const ends = ({ payload }: ContractInstance) => payload.targetArchiveAfter as Timestamp;

function closeVoteRequest(node: DsoNode): Task {
  return {
    name: 'CloseVoteRequest',
    watches: [templateName('voteRequest'), templateName('dsoRules')],
    due: () => earliest(node.contracts('voteRequest').map((each) => outcomeAt(node, each))),
    run() {
      const closable = node
        .contracts('voteRequest')
        .filter((each) => outcomeAt(node, each) <= node.now);
      node.forEach(closable, ({ contractId }) => {
        const { amuletRulesCid } = node;
        node.exerciseDsoRules('DsoRules_CloseVoteRequest', {
          requestCid: contractId,
          amuletRulesCid,
        });
      });
    },
  };
}

/** The moment from which the outcome of a vote is certain (A-DSO-003). */
export function outcomeAt(
  { svs }: Pick<DsoNode, 'svs'>,
  { payload, createdAt }: Pick<ContractInstance, 'payload' | 'createdAt'>,
): Timestamp {
  const names = new Set(svs.map(([, { name }]) => name));
  const votes = (payload.votes as readonly (readonly [string, { sv: Party; accept: boolean }])[])
    .filter(([name]) => names.has(name))
    .map(([, { accept }]) => accept);
  const yeas = votes.filter((accept) => accept).length;
  const required = requiredVotes(svs.length);
  if (votes.length - yeas >= required) return createdAt;
  const effectiveAt = (payload.targetEffectiveAt as Some<Timestamp> | null | undefined)?.value;
  const voteBefore = payload.voteBefore as Timestamp;
  if (effectiveAt === undefined) return yeas >= required ? createdAt : voteBefore;
  return votes.length < required ? voteBefore : effectiveAt;
}
