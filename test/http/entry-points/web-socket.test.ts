/** A WebSocket without a port: the same stream as over a port, for code between a client and the instance. */
import { createCanticle, type Canticle } from 'canticle';

let canticle: Canticle;
let alice: string;
beforeEach(() => {
  canticle = createCanticle({ seed: 7 });
  alice = canticle.participant.allocateParty('alice');
});
afterEach(() => canticle.close());

const requestFrom = (beginExclusive: number): string =>
  JSON.stringify({
    beginExclusive,
    verbose: false,
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty: { [alice]: { cumulative: [] } }, verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  });

/** The messages in order, and the end of the stream. */
function opened(path: string, protocols: string[] = []) {
  const messages: unknown[] = [];
  let wake = (): void => undefined;
  let resolveEnd!: (end: { code: number; reason: string }) => void;
  const end = new Promise<{ code: number; reason: string }>((resolve) => (resolveEnd = resolve));
  const socket = canticle.webSocket(
    { path, protocols },
    {
      message: (data) => {
        messages.push(JSON.parse(String(data)));
        wake();
      },
      close: (code, reason) => resolveEnd({ code, reason }),
    },
  );
  const until = async (count: number): Promise<unknown[]> => {
    while (messages.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return messages;
  };
  return { socket, until, end };
}

it('receives the data of a stream, and queues messages until it is open', async () => {
  const begin = canticle.participant.ledgerEnd;
  const { socket, until, end } = opened('/v2/updates', ['daml.ws.auth']);
  socket.send(requestFrom(begin));
  canticle.token.mint(alice, '1.0');
  canticle.token.mint(alice, '2.0');
  expect((await until(2)).slice(0, 2)).toMatchObject(
    [1, 2].map((n) => ({ update: { Transaction: { value: { offset: begin + n } } } })),
  );
  expect(canticle.streams).toMatchObject([{ path: '/v2/updates' }]);
  socket.close(1000);
  expect((await end).code).toBe(1000);
  expect(canticle.streams).toEqual([]);
});

it('passes the middleware of canticle.app', async () => {
  canticle.app.use((request, response, next) => {
    if (request.path === '/v2/updates/flats') response.status(403).end();
    else next();
  });
  expect((await opened('/v2/updates/flats').end).code).toBe(1006);
  const { socket, until } = opened('/v2/updates');
  const begin = canticle.participant.ledgerEnd;
  socket.send(new TextEncoder().encode(requestFrom(begin)));
  socket.send(requestFrom(begin));
  canticle.token.mint(alice, '1.0');
  expect(await until(1)).toHaveLength(1);
});

it.each(['/v2/version', '/v2/verzion'])(
  'closes at once if the path has no stream: %s',
  async (path) => {
    expect(await opened(path).end).toEqual({ code: 1006, reason: '' });
  },
);

it('ends with the instance', async () => {
  canticle.token.mint(alice, '1.0');
  const { socket, until, end } = opened('/v2/updates');
  socket.send(requestFrom(0));
  await until(1);
  await canticle.close();
  expect((await end).code).toBe(1001);
});
