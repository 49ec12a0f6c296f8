/** The errors that fault rules may cause, with the texts of a participant. */
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import type { ContractId } from '../../daml/model/values.js';
import { factsOf } from '../../network/faults/call-facts.js';
import { alreadyInFlight, notSequenced, timedOut } from '../../network/ledger/in-flight.js';
import type { Judged } from '../../network/ledger/member.js';
import type { Network } from '../../network/network.js';
import { timedOut as unconfirmedBy } from '../../network/routing/confirmers.js';
import { expired } from '../authorization/authorize.js';

/** The error of a request that is rejected at once. @param input of the request */
export function imposedRefusal(code: ErrorCode, network: Network, input: unknown): LedgerError {
  switch (code) {
    case 'PARTICIPANT_BACKPRESSURE': {
      const reason = 'Maximum number of in-flight requests reached';
      return ledgerError(code, {
        cause: `The participant is overloaded: ${reason}`,
        context: { reason },
      });
    }
    case 'SUBMISSION_ALREADY_IN_FLIGHT':
      return alreadyInFlight(
        changeOf(input),
        // The id of a submission in flight.
        network.random.uuidAt(IN_FLIGHT, network.nextNumber),
        network.synchronizers[0]!,
      );
    case 'REQUEST_TIME_OUT': {
      const { submissionIds } = factsOf(input);
      const [submissionId = network.random.uuidAt(IN_FLIGHT, network.nextNumber)] = submissionIds;
      return timedOut({ ...changeOf(input), submissionId });
    }
    case 'ACCESS_TOKEN_EXPIRED': {
      const now = Number(network.clock.now() / 1000n);
      return ledgerError(code, expired(now, now));
    }
    case 'STALE_STREAM_AUTHORIZATION':
      return ledgerError(code, 'Stale stream authorization. Retry quickly.');
    default:
      throw new TypeError(`${code} is refused by nobody at once.`);
  }
}

/** The number of a draw is the number of earlier submissions. */
const IN_FLIGHT = 'imposed-submission';

/** The change id, which deduplication compares. */
function changeOf(input: unknown): { userId: string; commandId: string; actAs: string[] } {
  const { commandIds, userIds, actAs } = factsOf(input);
  const [commandId = ''] = commandIds;
  const [userId = ''] = userIds;
  return { userId, commandId, actAs: [...actAs] };
}

/** The error of a request that was sequenced, or would have been. */
export function imposedRejection(
  code: ErrorCode,
  { inputs, confirmers }: Judged,
  network: Network,
): LedgerError | undefined {
  switch (code) {
    case 'NOT_SEQUENCED_TIMEOUT':
      return notSequenced();
    case 'SEQUENCER_REQUEST_FAILED':
      return ledgerError(code, {
        cause: 'Failed to send command',
        context: { sendError: 'RequestFailed(No connection available)' },
        definiteAnswer: true,
      });
    case 'SEQUENCER_BACKPRESSURE':
      return ledgerError(code, {
        cause: 'The sequencer is overloaded.',
        context: { reason: overloaded(network) },
        definiteAnswer: true,
      });
    case 'LOCAL_VERDICT_LOCKED_CONTRACTS':
      return ofContracts(code, 'Rejected transaction is referring to locked contracts ', inputs);
    case 'LOCAL_VERDICT_INACTIVE_CONTRACTS':
      return ofContracts(code, 'Rejected transaction is referring to inactive contracts ', inputs);
    case 'LOCAL_VERDICT_TIMEOUT':
      return ledgerError(code, 'Rejected transaction due to a participant determined timeout ');
    case 'MEDIATOR_SAYS_TX_TIMED_OUT':
      return unconfirmedBy(confirmers);
    default:
      throw new TypeError(`${code} is no rejection.`);
  }
}

/**
 * The error of a sequencer that limits confirmation requests, in the format of the participant's sequencer client. The
 * alias of the sequencer is DefaultSequencer, as in a Canton sandbox.
 */
function overloaded({ random, nextNumber }: Network): string {
  const traceId = random.hexAt('imposed-trace', nextNumber).slice(0, 32);
  const cause = 'Submission rate exceeds rate limit of 1000000/s.';
  return [
    'SendAsyncErrorGrpc(',
    '  Request failed for server-DefaultSequencer-0.',
    `  GrpcRequestRefusedByServer: ABORTED/SEQUENCER_OVERLOADED(2,${traceId.slice(0, 8)}): ${cause}`,
    `  Request: send-async-versioned/${random.uuidAt('imposed-message', nextNumber)}`,
    '  DecodedCantonError(',
    "  code = 'SEQUENCER_OVERLOADED',",
    '  category = ContentionOnSharedResources,',
    `  cause = "${cause}",`,
    `  traceId = '${traceId}'`,
    ')',
    ')',
  ].join('\n');
}

/** A command without input contracts cannot conflict with another command. */
function ofContracts(
  code: ErrorCode,
  cause: string,
  inputs: readonly ContractId[],
): LedgerError | undefined {
  if (inputs.length === 0) return undefined;
  return ledgerError(code, {
    cause,
    context: { CONTRACT_ID: scalaList(inputs) },
    resources: inputs.map((id) => ['CONTRACT_ID', id] as const),
  });
}
