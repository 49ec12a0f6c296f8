/**
 * The check of external calls by confirming participants: results of one call must agree, and each participant of a
 * confirming party calls its own service again (R-36-081, R-36-082).
 */
import { isHex } from '../../daml/lf/builtins/builtins-crypto.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { ExternalCallResult, Transaction } from '../../daml/model/transaction.js';
import type { SynchronizerId } from '../model/ids.js';
import { actionOf } from '../model/serialization-version.js';
import type { Topology } from '../topology/topology.js';
import { callKey } from './replay.js';
import type { ExternalCalls } from './external-calls.js';
import type { ServiceCaller, ServiceFailure } from './services.js';

/** A participant that can confirm. */
export interface Confirmer extends ServiceCaller {
  readonly id: string;
}

/** The ledger that confirms. */
interface Confirming {
  readonly members: readonly Confirmer[];
  readonly topology: Topology;
  readonly externalCalls: ExternalCalls;
}

interface Recorded {
  readonly result: ExternalCallResult;
  readonly callIndex: number;
  readonly nodeId: number;
  /** The signatories and actors of the exercise. */
  readonly checkedBy: ReadonlySet<string>;
}

const NOTHING: readonly Recorded[] = [];

export function externalCallVerdict(
  { members, topology, externalCalls }: Confirming,
  transaction: Transaction,
  at: SynchronizerId,
): LedgerError | undefined {
  const recorded = recordedIn(transaction);
  if (recorded.length === 0) return undefined;
  const calls = [...grouped(recorded)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, all]) => all);
  for (const all of calls)
    if (new Set(all.map(({ result }) => result.output)).size > 1)
      return disagreement(
        all,
        all.map(({ result }) => result.output),
      );
  let abstained: string | undefined;
  for (const all of calls) {
    const { output: expected, ...call } = all[0]!.result;
    for (const member of members) {
      if (!all.some(({ checkedBy }) => confirmsForAny(topology, checkedBy, member.id, at)))
        continue;
      if (member.shared.extensions === undefined) {
        abstained ??= 'extension service is not configured';
        continue;
      }
      const answer = externalCalls.ask(member, call, 'validation');
      if ('failure' in answer) abstained ??= failed(answer.failure);
      else if (!isHex(answer.output))
        abstained ??= 'external-call validation returned non-canonical output';
      else if (answer.output !== expected) return disagreement(all, [answer.output, expected]);
    }
  }
  return abstained === undefined ? undefined : unvalidated(abstained);
}

function recordedIn({ nodes }: Transaction): readonly Recorded[] {
  const hasCalls = nodes.some((node) => {
    const action = actionOf(node);
    return action?.kind === 'exercise' && action.externalCalls !== undefined;
  });
  if (!hasCalls) return NOTHING;
  return nodes.flatMap((node): readonly Recorded[] => {
    const action = actionOf(node);
    if (action?.kind !== 'exercise' || action.externalCalls === undefined) return [];
    const checkedBy = new Set([...action.contract.signatories, ...action.actingParties]);
    const { nodeId } = action;
    return action.externalCalls.map((result, callIndex) => ({
      result,
      callIndex,
      nodeId,
      checkedBy,
    }));
  });
}

function grouped(recorded: readonly Recorded[]): ReadonlyMap<string, readonly Recorded[]> {
  const groups = new Map<string, Recorded[]>();
  for (const each of recorded) {
    const key = callKey(each.result);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}

function confirmsForAny(
  topology: Topology,
  parties: ReadonlySet<string>,
  participantId: string,
  at: SynchronizerId,
): boolean {
  for (const party of parties) {
    const permission = topology.permission(party, participantId, at);
    if (permission !== undefined && permission !== 'observation') return true;
  }
  return false;
}

/** NOTE: a participant also names the positions of the calls in the views of the transaction. */
function disagreement(all: readonly Recorded[], outputs: readonly string[]): LedgerError {
  const { extensionId, functionId, config, input } = all[0]!.result;
  const sizes = [...new Set(outputs)].map(bytes).sort((one, other) => one - other);
  const description = `Inconsistency(extensionId = ${extensionId}, functionId = ${functionId}, config = ${bytes(config)} bytes, input = ${bytes(input)} bytes, outputByteSizes = Seq(${sizes.join(', ')}))`;
  return ledgerError('LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT', {
    cause: `Rejected transaction due to inconsistent external call results: ${description}`,
    explanation: `The call of function ${functionId} of extension ${extensionId} has different outputs: ${[...new Set(outputs)].join(' and ')}.`,
  });
}

const bytes = (hex: string): number => hex.length / 2;

const failed = ({ status, requestId }: ServiceFailure): string =>
  `external-call validation failed with status ${status}${requestId === undefined ? '' : `, externalCallId=${requestId}`}`;

/** The participant abstains, so that its parties do not confirm. */
function unvalidated(reason: string): LedgerError {
  return ledgerError('CANNOT_PERFORM_ALL_VALIDATIONS', {
    cause: `Cannot perform all validations: ${reason}`,
    explanation:
      'A confirming participant could not repeat an external call. Set its externalCalls too.',
  });
}
