/** The official WebSocket client, as the wallet SDK uses it, with authorization on. */
import { WebSocketClient } from '@canton-network/core-asyncapi-client';
import { WebSocket } from 'ws';
import { create, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';

const DUMMY = '#model-tests:Test:Dummy';
let api: LedgerApi;
let alice: string;
let client: WebSocketClient;

beforeEach(async () => {
  // The client takes the browser's class, which Node.js has from version 22.
  (globalThis as { WebSocket?: unknown }).WebSocket ??= WebSocket;
  api = await startLedgerApi({
    auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] },
  });
  const { canticle } = api;
  alice = canticle.participant.allocateParty('alice');
  canticle.network.participants[0]!.users.create({ id: 'alice' }, [
    { kind: 'CanActAs', party: alice },
  ]);
  client = new WebSocketClient({
    baseUrl: canticle.url.replace('http', 'ws'),
    accessTokenProvider: { getAccessToken: () => canticle.accessToken({ sub: 'alice' }) } as never,
  });
  (client as unknown as { logger: { level: string } }).logger.level = 'silent';
});
afterEach(() => api.client.close());

async function dummy(): Promise<{ updateId: string; completionOffset: number }> {
  const headers = { authorization: `Bearer ${await api.canticle.accessToken({ sub: 'alice' })}` };
  const { userId: _own, ...commands } = api.commands(create(DUMMY, { operator: alice }), {
    actAs: alice,
  });
  return (await api.client.ledger('POST', '/v2/commands/submit-and-wait', commands, { headers }))
    .body;
}

async function take(stream: AsyncIterable<unknown>, count: number): Promise<any[]> {
  const taken: unknown[] = [];
  for await (const element of stream) {
    taken.push(element);
    if (taken.length === count) break;
  }
  return taken;
}

it('streams updates of a template, with and without an end offset', async () => {
  const [first, second] = [await dummy(), await dummy()];
  const options = {
    partyId: alice,
    beginExclusive: first.completionOffset - 1,
    verbose: true,
    templateIds: [DUMMY],
  };
  const open = await take(client.streamUpdates(options as never), 2);
  expect(open.map(({ update }) => update.Transaction.value.updateId)).toEqual([
    first.updateId,
    second.updateId,
  ]);
  const finite = await take(
    client.streamUpdates({ ...options, endInclusive: first.completionOffset } as never),
    Infinity,
  );
  expect(finite).toEqual(open.slice(0, 1));
});

it('streams completions of its user', async () => {
  const { updateId, completionOffset } = await dummy();
  const options = { userId: 'alice', parties: [alice], beginExclusive: completionOffset - 1 };
  const [element] = await take(client.streamCompletions(options as never), 1);
  expect(element.completionResponse.Completion.value).toMatchObject({ updateId, userId: 'alice' });
});
