/** WebSockets in memory, which browsers have in place of those over a connection of Node: both sides behave as there. */
import { createCanticle, type Canticle, type InProcessWebSocketListener } from 'canticle';
import { openInMemory } from '../../../src/http/in-process/memory-web-socket.js';

type Open = (
  path: string,
  listener: InProcessWebSocketListener,
  protocols?: readonly string[],
) => ReturnType<Canticle['webSocket']>;

let canticle: Canticle;
let alice: string;

const inNode: Open = (path, listener, protocols) =>
  canticle.webSocket({ path, ...(protocols && { protocols }) }, listener);
const inMemory: Open = (path, listener, protocols) =>
  openInMemory(canticle.httpEntry, { path, ...(protocols && { protocols }) }, listener);

const filter = { identifierFilter: { WildcardFilter: { value: {} } } };
const request = (endInclusive?: number) => {
  const eventFormat = { filtersByParty: { [alice]: { cumulative: [filter] } }, verbose: false };
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' };
  return JSON.stringify({ beginExclusive: 0, endInclusive, updateFormat: { includeTransactions } });
};

interface Seen {
  readonly messages: string[];
  readonly socket: ReturnType<Canticle['webSocket']>;
  readonly closed: Promise<string>;
  readonly isOpen: () => boolean;
}

function opened(open: Open, path = '/v2/updates', protocols?: readonly string[]): Seen {
  const messages: string[] = [];
  let end: (text: string) => void;
  let isOpen = true;
  const closed = new Promise<string>((resolve) => (end = resolve));
  const socket = open(
    path,
    {
      message: (data) => messages.push(typeof data === 'string' ? data : `bytes ${data.length}`),
      close: (code, reason) => {
        isOpen = false;
        end(`${code} ${reason}`);
      },
    },
    protocols,
  );
  return { messages, socket, closed, isOpen: () => isOpen };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
  canticle = createCanticle({ seed: 2 });
  alice = canticle.participant.allocateParty('alice');
  canticle.token.mint(alice, '1.0');
});
afterEach(() => canticle.close());

describe.each([
  ['over a connection', inNode],
  ['in memory', inMemory],
] as const)('a WebSocket %s', (_how, open) => {
  it('sends the updates, then closes', async () => {
    const { socket, messages, closed } = opened(open);
    // Before it is open, and of two messages only the first counts.
    socket.send(request(canticle.participant.ledgerEnd));
    socket.send('more');
    expect(await closed).toBe('1000 ');
    expect(messages.filter((text) => text.includes('CreatedEvent'))).toHaveLength(1);
  });

  it('stays open for new updates, is listed, and closes with the code of its client', async () => {
    const { socket, messages, closed, isOpen } = opened(open);
    socket.send(Buffer.from(request()));
    await closed;
    expect(messages).toEqual([expect.stringContaining('INTERNAL')]);
    const other = opened(open);
    other.socket.send(request());
    await until(() => other.messages.length > 0);
    const earlier = other.messages.length;
    expect(canticle.streams).toMatchObject([
      { participant: 'sandbox', path: '/v2/updates', bufferedBytes: 0 },
    ]);
    canticle.token.mint(alice, '2.0');
    await until(() => other.messages.length > earlier);
    other.socket.close(3001, 'enough');
    expect(await other.closed).toMatch(/^3001/);
    canticle.token.mint(alice, '3.0');
    await until(() => canticle.streams.length === 0);
    other.socket.send('late');
    other.socket.close();
    expect([other.messages.length, other.isOpen(), isOpen()]).toEqual([earlier + 1, false, false]);
  });

  it('closes without a code', async () => {
    const { socket, messages, closed } = opened(open);
    socket.send(request());
    await until(() => messages.length > 0);
    socket.close();
    expect(await closed).toBe('1005 ');
  });

  it('closes with 1006 without a stream', async () => {
    expect(await opened(open, '/v2/version').closed).toBe('1006 ');
    expect(await opened(open, '/canticle/v1/time').closed).toBe('1006 ');
  });

  it('has the rights of its token', async () => {
    await canticle.close();
    canticle = createCanticle({ auth: { services: [{ type: 'built-in-issuer' }] } });
    alice = canticle.participant.allocateParty('alice');
    const admin = await canticle.accessToken({ sub: 'participant_admin' });
    const rights = [{ kind: { CanReadAs: { value: { party: alice } } } }];
    const metadata = { resourceVersion: '', annotations: {} };
    const user = { id: 'reader', primaryParty: '', isDeactivated: false, identityProviderId: '' };
    const body = { user: { ...user, metadata }, rights };
    const headers = { authorization: `Bearer ${admin}` };
    await canticle.handle({ method: 'POST', path: '/v2/users', headers, body });
    const answers = async (protocols?: readonly string[]) => {
      const { socket, messages, closed } = opened(open, '/v2/updates', protocols);
      socket.send(request(canticle.participant.ledgerEnd));
      await closed;
      return messages.map((text) => (text.includes('security-sensitive') ? 'refused' : 'answered'));
    };
    const token = await canticle.accessToken({ sub: 'reader' });
    expect(await answers()).toEqual(['refused']);
    expect(await answers([`jwt.token.${token}`, 'daml.ws.auth'])).not.toContain('refused');
    expect(await answers([`jwt.token.${token}`])).not.toContain('refused');
  });

  it('serves each participant below its own path', async () => {
    await canticle.close();
    canticle = createCanticle({ participants: ['one', 'two'] });
    alice = canticle.participants[1]!.allocateParty('alice');
    canticle.token.mint(alice, '1.0');
    const { socket, messages, closed } = opened(open, '/participants/two/v2/updates');
    socket.send(request(canticle.participants[1]!.ledgerEnd));
    await closed;
    expect(messages.join()).toContain('CreatedEvent');
  });

  it('ends if the instance closes', async () => {
    const { socket, messages, closed } = opened(open);
    socket.send(request());
    await until(() => messages.length > 0);
    await canticle.close();
    expect(await closed).toMatch(/^1001/);
  });
});
