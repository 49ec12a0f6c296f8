/** A client that reads updates over Bun's own WebSocket. */
import { expect, test } from 'bun:test';
import { useCanticle } from 'canticle/bun-test';

const canticle = useCanticle({ seed: 7 });
const alice = canticle.participant.allocateParty('alice');

test('a stream tells what was minted', async () => {
  const url = canticle.urls.ledgerApi.replace('http', 'ws');
  const socket = new WebSocket(`${url}/v2/updates`, 'daml.ws.auth');
  const firstMessage = new Promise<string>((resolve, reject) => {
    socket.onmessage = ({ data }) => resolve(data as string);
    socket.onerror = () => reject(new Error('The stream was not opened.'));
  });
  await new Promise((resolve) => (socket.onopen = resolve));
  socket.send(
    JSON.stringify({
      beginExclusive: canticle.participant.ledgerEnd,
      verbose: false,
      updateFormat: {
        includeTransactions: {
          eventFormat: { filtersByParty: { [alice]: { cumulative: [] } }, verbose: false },
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        },
      },
    }),
  );
  canticle.token.mint(alice, '5.0');
  expect(JSON.parse(await firstMessage)).toHaveProperty('update.Transaction');
  socket.close();
});
