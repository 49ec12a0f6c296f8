/** Fault rules for calls of the Wallet Gateway. Their names are `DappApi/prepareExecute`, `UserApi/sign` and so on. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import type { Network } from '../../network/network.js';
import { answerGatewayCall } from '../../services/calls/gateway-faults.js';
import { failureOf, LedgerRefused } from '../../services/wallet-gateway/rpc-error.js';
import type { WireAnswer } from '../answers.js';
import { ledgerErrorAnswer } from '../errors.js';
import {
  alteredAnswer,
  deliveredAnswer,
  givenAnswer,
  lostAnswer,
  turnedAwayAnswer,
} from '../faults/fault-answers.js';

export interface GatewayCall {
  /** The name in fault rules. */
  readonly operation: string;
  readonly params: unknown;
  readonly header: (name: string) => string | undefined;
  /** The id of the request. */
  readonly id: string | number | null;
}

/** @param handle answers without a fault */
export function underGatewayFaults(
  network: Network,
  { operation, params, header, id }: GatewayCall,
  handle: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const call = { operation, host: header('host'), input: { body: params } };
  return answerGatewayCall<WireAnswer>(
    network,
    call,
    {
      refused: (error) => refused(error, id, network.participants[0]!.name),
      lost: lostAnswer,
      turnedAway: (status, retryAfter) => turnedAwayAnswer(status, retryAfter, 'ledger'),
      given: givenAnswer,
      delivered: deliveredAnswer,
      altered: alteredAnswer,
    },
    handle,
  );
}

/** As if the participant had rejected the request of the gateway. */
function refused(refusal: LedgerError, id: GatewayCall['id'], participant: string): WireAnswer {
  const { status, body } = ledgerErrorAnswer(refusal, { participant });
  const { status: shown, error } = failureOf(new LedgerRefused(status, body));
  return {
    status: shown,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  };
}
