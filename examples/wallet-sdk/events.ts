/** Updates and completions as they come, over WebSocket. A stream ends when the rights of its user change. */
import { connect, newParty, submit } from './wallet.ts';

const PING = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping';

/** A stream also sends checkpoints, which this code skips. */
async function first<Message extends object>(
  stream: AsyncIterable<Message>,
  isIt: (message: Message) => boolean,
): Promise<Message | undefined> {
  for await (const message of stream) if (isIt(message)) return message;
  return undefined;
}

export default async function events() {
  const sdk = await connect();
  const alice = await newParty(sdk, 'events-alice');
  const { partyId } = alice;
  const beginOffset = await sdk.ledger.ledgerEnd();
  const updates = sdk.events.updates({ beginOffset, partyId, templateIds: [PING] });
  const completions = sdk.events.completions({ beginOffset, parties: [partyId] });
  const seen = Promise.all([
    first(updates, (message) => 'update' in message && 'Transaction' in message.update!),
    first(
      completions,
      (message) => 'completionResponse' in message && 'Completion' in message.completionResponse!,
    ),
  ]);

  const ping = sdk.utils.ping.create([{ initiator: partyId, responder: partyId }]);
  const { updateId } = await submit(sdk, alice, ping);
  const [update, completion] = await seen;
  return { updateId, update, completion };
}
