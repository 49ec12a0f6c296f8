/**
 * `PingService`: creates a contract that the party of another participant archives, through the ledger. NOTE: a ping to
 * a party without a participant fails at once, without the timeout. Pings of several parties, or through validators,
 * are not served.
 */
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { ParticipantView } from '../../wallet/participant-view.js';
import type { AdminContext } from './admin-context.js';
import { NotServed } from './not-served.js';
import { partyId, required, uniqueIdentifier } from './parsing/fields.js';
import { parsed } from './parsing/parsed.js';

export interface PingRequest {
  readonly targetParties: readonly string[];
  readonly validators: readonly string[];
  readonly timeout?: object;
  readonly levels: number;
  readonly synchronizerId: string;
  readonly workflowId: string;
  readonly id: string;
}

const PING = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping';
const USER = 'PingService';
const NO_RESPONSE =
  'Timeout: We were able to create the ping contract, but responder did not respond in time';

const failure = (reason: string) => ({ failure: { reason } });

function readPing(request: PingRequest): PingRequest {
  for (const party of request.targetParties) partyId('target_parties', party);
  for (const party of request.validators) partyId('validators', party);
  required('timeout', request.timeout);
  if (request.synchronizerId !== '') uniqueIdentifier('synchronizer_id', request.synchronizerId);
  return request;
}

/** @throws NotServed */
function sendPing({ network, participant }: AdminContext, request: PingRequest): object {
  const { targetParties, validators, levels, synchronizerId: synchronizer, workflowId } = request;
  const [responder] = targetParties;
  if (responder === undefined) return failure('No target parties specified for ping');
  if (targetParties.length > 1 || validators.length > 0 || levels > 0)
    throw new NotServed('pings of several participants, or of several levels');
  const id = request.id || network.random.uuid('ping');
  const started = network.clock.now();
  const options = { userId: USER, workflowId, ...(synchronizer !== '' && { synchronizer }) };
  const initiator = participant.id;
  try {
    const contractId = new ParticipantView(participant).create(
      PING,
      { id, initiator, responder },
      { ...options, actAs: [initiator], commandId: `${id}-ping` },
    );
    const other = network.participants.find((each) => each.id === responder);
    if (other === undefined) return failure(NO_RESPONSE);
    const view = new ParticipantView(other);
    const answer = { userId: USER, workflowId, actAs: [responder], commandId: `${id}-respond` };
    view.exercise(PING, contractId, 'Respond', {}, answer);
  } catch (error) {
    if (error instanceof LedgerError) return failure(error.details.cause);
    throw error;
  }
  const pingTime = Number((network.clock.now() - started) / 1000n);
  return { success: { pingTime, responder } };
}

export const ping = { ping: parsed(readPing, sendPing) };
