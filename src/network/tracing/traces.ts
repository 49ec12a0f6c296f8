/**
 * Traces of committed and rejected submissions, created on demand: from the stored update, or from the explanation in
 * an error. Nothing is stored for them.
 */
import { callsIn, replaying } from '../extensions/replay.js';
import type { SubmissionExplanation } from '../../daml/explanation/explanation.js';
import { traceOf } from '../../daml/tracing/stored-actions.js';
import { formatTimestampMicros } from '../../daml/model/time.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { RunTraced, Sampling } from '../../daml/tracing/run-traced.js';
import { rerun } from '../../daml/tracing/rerun.js';
import { traceNodes } from '../../daml/tracing/trace-nodes.js';
import {
  TRACE_VERSION,
  type TraceNode,
  type TraceSubmission,
  type TraceUpdate,
  type TransactionTrace,
} from '../../daml/tracing/trace-types.js';
import type { Network } from '../network.js';
import type { SubmissionInfo, TransactionUpdate, Update } from '../model/updates.js';
import { withChoicePlaces } from './choice-places.js';
import { reassignmentNodes } from './reassignment-nodes.js';

export function traceOfUpdate(network: Network, update: Update): TransactionTrace {
  const header = {
    update: updateOf(network, update),
    ...(update.submission && { submission: submissionOf(network, update.submission) }),
  };
  if (update.kind !== 'transaction') {
    const nodes = update.kind === 'topology' ? [] : reassignmentNodes(network.packages, update);
    return finished(network, { ...header, outcome: 'committed', retraced: false, nodes });
  }
  return finished(network, {
    ...header,
    outcome: 'committed',
    ...interpreted(network, ranOf(network, update)),
  });
}

export function ranOf(network: Network, update: TransactionUpdate): Ran {
  const { transaction, effectiveAt } = update;
  const { actAs, readAs } = update.submission ?? { actAs: actorsOf(update), readAs: [] };
  const { rollsBackEffects } = network.protocolOf(update.synchronizerId);
  const packages = packagesOf(network, update);
  return { transaction, effectiveAt, actAs, readAs, packages, rollsBackEffects };
}

/** The trace of a rejected submission, from the data of its error. */
export function traceOfRefusal(
  network: Network,
  explanation: SubmissionExplanation,
): TransactionTrace {
  const { facts, reasons, trace } = explanation;
  const { code, details } = facts.error;
  const { submission } = facts;
  const common = {
    outcome: 'refused',
    submission,
    error: { code, cause: details.cause },
    reasons: [...(facts.commands ?? []), ...reasons],
  } as const;
  const { actAs, readAs } = submission;
  const ran = ranOfRefusal(explanation);
  if (ran !== undefined) return finished(network, { ...common, ...interpreted(network, ran) });
  const { actions = [], stack = [] } = trace ?? {};
  const readers = [...actAs, ...readAs];
  const nodes = traceNodes(actions, { packages: facts.packages, transaction: [], readers });
  const steps = stepsOf(nodes);
  return finished(network, { ...common, retraced: steps !== undefined, stack, steps, nodes });
}

/** For commands that were rejected only after they ran. */
export function ranOfRefusal({ facts }: SubmissionExplanation): Ran | undefined {
  const { interpreted: commands, packages, submission } = facts;
  const { actAs, readAs } = submission;
  return commands && { ...commands, actAs, readAs, packages };
}

/** The data that is needed to run commands again. */
export interface Ran {
  readonly transaction: Transaction;
  readonly effectiveAt: Timestamp;
  readonly actAs: readonly Party[];
  readonly readAs: readonly Party[];
  readonly packages: PackageLookup;
  readonly rollsBackEffects: boolean;
}

/** Runs it again, or uses the stored result. */
function interpreted(
  network: Network,
  ran: Ran,
): Pick<TransactionTrace, 'retraced' | 'steps' | 'nodes'> {
  const { transaction, packages, actAs, readAs } = ran;
  const readers = [...actAs, ...readAs];
  const again = rerunOf(network, ran);
  const trace = again?.trace ?? traceOf(packages, transaction, actAs);
  const facts = { packages, transaction: again?.nodes ?? transaction.nodes, readers };
  const nodes = traceNodes(trace.actions, facts);
  return { retraced: again !== undefined, steps: again && Math.round(again.steps), nodes };
}

/** @param sampling observes the run, if present */
export function rerunOf(network: Network, ran: Ran, sampling?: Sampling): RunTraced | undefined {
  const { transaction, effectiveAt, actAs, packages, rollsBackEffects } = ran;
  return rerun({
    transaction,
    packages,
    actAs,
    ledgerTime: effectiveAt,
    rollsBackEffects,
    externalCall: replaying(callsIn(transaction)),
    contract: (id) => network.contracts.get(id)?.instance,
    ...(sampling && { sampling }),
  });
}

/** The packages of the participant that submitted; without a submitter, of one that saw the update. */
function packagesOf(network: Network, update: TransactionUpdate): PackageLookup {
  const { submission, offsets } = update;
  const holder = network.participants.find(({ id }) =>
    submission === undefined ? offsets.get(id) !== undefined : id === submission.participantId,
  );
  return holder?.packages ?? network.packages;
}

/** The parties whose authority the roots needed, and therefore had. */
function actorsOf({ transaction: { nodes, roots } }: TransactionUpdate): readonly Party[] {
  const parties = roots.flatMap((root) => {
    const node = nodes[root]!;
    if (node.kind === 'create') return node.contract.signatories;
    return node.kind === 'exercise' ? node.actingParties : [];
  });
  return [...new Set(parties)].sort();
}

function updateOf(network: Network, update: Update): TraceUpdate {
  const { updateId, kind, synchronizerId, recordTime, workflowId } = update;
  const offsets = network.participants.flatMap(({ id, name }) => {
    const offset = update.offsets.get(id);
    return offset === undefined ? [] : [[name, offset] as const];
  });
  return {
    updateId,
    kind,
    synchronizerId,
    synchronizer: network.synchronizer(synchronizerId)!.alias,
    recordTime: formatTimestampMicros(recordTime),
    ...(update.kind === 'transaction' && {
      effectiveAt: formatTimestampMicros(update.effectiveAt),
    }),
    workflowId,
    offsets: Object.fromEntries(offsets),
  };
}

function submissionOf(network: Network, info: SubmissionInfo): TraceSubmission {
  const { userId, commandId, submissionId, actAs, readAs } = info;
  const participant = network.participant(info.participantId).name;
  return { participant, userId, commandId, submissionId, actAs, readAs };
}

function stepsOf(nodes: readonly TraceNode[]): number | undefined {
  const roots = nodes.filter(({ parent, steps }) => parent === undefined && steps !== undefined);
  if (roots.length === 0) return undefined;
  return roots.reduce((sum, { steps }) => sum + steps!, 0);
}

/** Adds the version, and the hosts of the parties. */
export function finished(
  network: Network,
  trace: Omit<TransactionTrace, 'version' | 'hosts' | 'steps'> & {
    readonly steps?: number | undefined;
  },
): TransactionTrace {
  const { steps, ...rest } = trace;
  const { submission } = trace;
  const nodes = trace.retraced ? withChoicePlaces(network, trace.nodes) : trace.nodes;
  const parties = new Set([...(submission?.actAs ?? []), ...(submission?.readAs ?? [])]);
  for (const { witnesses, authority } of nodes) {
    for (const { party } of witnesses) parties.add(party);
    for (const party of authority?.needed ?? []) parties.add(party);
  }
  const hosts = [...parties].sort().map((party) => {
    const hosting = network.participants.filter((each) => each.hosts(party));
    return [party, hosting.map(({ name }) => name)] as const;
  });
  return {
    version: TRACE_VERSION,
    ...rest,
    nodes,
    ...(steps !== undefined && { steps }),
    hosts: Object.fromEntries(hosts),
  };
}
