/** What a participant says when it refuses on purpose: the codes that rules may name, in its own words. */
import type { ErrorCode } from '../../daml/errors/error-catalogue.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { ContractId } from '../../daml/model/values.js';
import { factsOf } from '../../network/faults/call-facts.js';
import { notSequenced } from '../../network/ledger/in-flight.js';
import type { Network } from '../../network/network.js';
import { expired } from '../authorization/authorize.js';

/** Told at once. @param input of the request */
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
      return ledgerError(code, 'The submission is already in-flight');
    case 'REQUEST_TIME_OUT': {
      const [commandId = ''] = factsOf(input).commandIds;
      return ledgerError(
        code,
        `Timed out while awaiting for a completion corresponding to a command submission with command-id=${commandId} and submission-id=.`,
      );
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

/** Told of a request that was sequenced, or should have been. @param inputs the contracts that it uses */
export function imposedRejection(
  code: ErrorCode,
  inputs: readonly ContractId[],
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
        context: { reason: 'Sequencer is overloaded' },
        definiteAnswer: true,
      });
    case 'LOCAL_VERDICT_LOCKED_CONTRACTS':
      return ofContracts(code, 'Rejected transaction is referring to locked contracts ', inputs);
    case 'LOCAL_VERDICT_INACTIVE_CONTRACTS':
      return ofContracts(code, 'Rejected transaction is referring to inactive contracts ', inputs);
    case 'LOCAL_VERDICT_TIMEOUT':
      return ledgerError(code, 'Rejected transaction due to a participant determined timeout ');
    case 'MEDIATOR_SAYS_TX_TIMED_OUT':
      return ledgerError(code, {
        cause:
          'Rejected transaction as the mediator did not receive sufficient confirmations within the expected timeframe.',
        context: { unresponsiveParties: '' },
      });
    default:
      throw new TypeError(`${code} is no rejection.`);
  }
}

/** Who uses no contract loses none to others. */
function ofContracts(
  code: ErrorCode,
  cause: string,
  inputs: readonly ContractId[],
): LedgerError | undefined {
  if (inputs.length === 0) return undefined;
  return ledgerError(code, {
    cause,
    context: { CONTRACT_ID: `Seq(${inputs.join(', ')})` },
    resources: inputs.map((id) => ['CONTRACT_ID', id] as const),
  });
}
