/** The wallet in a page, as code of a dApp sees it: in process, and over HTTP. */
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import type { Provider as PublishedProvider } from '@canton-network/core-splice-provider';
import type { RpcTypes } from '@canton-network/core-wallet-dapp-rpc-client';
import {
  installWallet,
  RpcError,
  type TxChangedEvent,
  type Wallet,
} from '../../src/provider/index.js';
import { quickstartCommand } from '../support/wallet-gateway/gateway-client.js';

const OPTIONS = { seed: 1, walletGateway: { wallets: ['alice'] } } as const;

/** Both ways to a gateway. */
const WAYS: readonly (readonly [string, () => Promise<readonly [Canticle, Wallet]>])[] = [
  [
    'in process',
    async () => {
      const canticle = createCanticle(OPTIONS);
      return [canticle, installWallet({ canticle, discovery: [] })];
    },
  ],
  [
    'over HTTP',
    async () => {
      const canticle = await startCanticle({ ...OPTIONS, port: 0 });
      const url = `${canticle.urls.walletGateway}/`;
      const logIn = () => canticle.walletGateway.connect();
      return [canticle, installWallet({ url, logIn, discovery: [] })];
    },
  ],
];

describe.each(WAYS)('A wallet %s', (_, make) => {
  let canticle: Canticle;
  let wallet: Wallet;
  beforeEach(async () => {
    [canticle, wallet] = await make();
  });
  afterEach(async () => {
    wallet.remove();
    await canticle.close();
  });

  const connect = async () => {
    await wallet.provider.request({ method: 'connect' });
    return (await wallet.provider.request({ method: 'getPrimaryAccount' })).partyId;
  };
  const pay = (party: string, commandId?: string) =>
    wallet.provider.request({
      method: 'prepareExecuteAndWait',
      params: { commands: quickstartCommand(party), ...(commandId !== undefined && { commandId }) },
    });

  it('connects, submits a transaction and tells its status in order', async () => {
    const { provider } = wallet;
    const before = await provider.request({ method: 'status' });
    expect(before).toMatchObject({
      provider: { id: 'canticle', providerType: 'browser' },
      connection: { isConnected: false },
    });
    const statuses: string[] = [];
    const connected: unknown[] = [];
    provider.on('connected', (status) => connected.push(status));
    provider.on<TxChangedEvent>('txChanged', ({ status }) => statuses.push(status));
    expect(await provider.request({ method: 'connect' })).toMatchObject({
      isConnected: true,
      isNetworkConnected: true,
    });
    const [account] = await provider.request({ method: 'listAccounts' });
    expect(account).toMatchObject({ hint: 'alice', primary: true, status: 'allocated' });
    const { tx } = await pay(account!.partyId);
    expect(tx).toMatchObject({
      status: 'executed',
      payload: { updateId: expect.stringMatching(/^1220/), completionOffset: expect.any(Number) },
    });
    expect(statuses).toEqual(['pending', 'signed', 'executed']);
    expect(connected.length).toBeGreaterThan(0);
    expect(await provider.request({ method: 'getActiveNetwork' })).toMatchObject({
      networkId: 'canton:localnet',
      accessToken: expect.any(String),
    });
    expect(
      await provider.request({
        method: 'ledgerApi',
        params: { requestMethod: 'get', resource: '/v2/version' },
      }),
    ).toMatchObject({ version: expect.stringMatching(/^3\.5/) });
    const { signature } = await provider.request({
      method: 'signMessage',
      params: { message: 'hello' },
    });
    expect(Buffer.from(signature, 'base64')).toHaveLength(64);
  });

  it('returns null for prepareExecute, and tells the rest by events', async () => {
    const party = await connect();
    const executed = new Promise<string>((resolve) =>
      wallet.provider.on<TxChangedEvent>('txChanged', ({ status, commandId }) => {
        if (status === 'executed') resolve(commandId);
      }),
    );
    const params = { commandId: 'c1', commands: quickstartCommand(party) };
    expect(await wallet.provider.request({ method: 'prepareExecute', params })).toBeNull();
    expect(await executed).toBe('c1');
  });

  it('rejects with 4001 if the user rejects', async () => {
    const party = await connect();
    canticle.walletGateway.mode = 'ask';
    const paying = expect(pay(party)).rejects.toMatchObject({
      name: 'RpcError',
      code: 4001,
      message: 'The user rejected the request.',
    });
    await canticle.walletGateway.reject();
    await paying;
  });

  it('rejects with the answer of the participant', async () => {
    const party = await connect();
    canticle.walletGateway.mode = 'ask';
    const paying = expect(pay(party, 'c2')).rejects.toMatchObject({
      code: -32603,
      data: { code: expect.stringMatching(/^[A-Z_]+$/) },
    });
    await canticle.walletGateway.request();
    await expect(canticle.walletGateway.approve({ after: { days: 2 } })).rejects.toThrow();
    await paying;
  });

  it('rejects with the error of the signing provider', async () => {
    const party = await connect();
    canticle.walletGateway.fail = 'no device';
    await expect(pay(party)).rejects.toMatchObject({
      message: expect.stringContaining('no device'),
    });
  });

  it('rejects if the gateway tells the failure without a reason first', async () => {
    const party = await connect();
    canticle.walletGateway.mode = 'ask';
    canticle.walletGateway.failedEvents = true;
    const failed: unknown[] = [];
    wallet.provider.on('txChanged', (event) => failed.push(event));
    const paying = expect(pay(party, 'c3')).rejects.toMatchObject({ code: 4001 });
    await canticle.walletGateway.reject();
    await paying;
    await new Promise((resolve) => setTimeout(resolve));
    expect(failed.at(-1)).toEqual({ status: 'failed', commandId: 'c3' });
  });

  it('rejects with 4900 if the wallet drops the session', async () => {
    const party = await connect();
    canticle.walletGateway.mode = 'ask';
    const paying = expect(pay(party)).rejects.toMatchObject({ code: 4900 });
    await canticle.walletGateway.request();
    canticle.walletGateway.dropSession();
    await paying;
    // The next connect opens another session.
    expect(await connect()).toBe(party);
  });

  it('forgets the session when the page disconnects', async () => {
    await connect();
    expect(await wallet.provider.request({ method: 'disconnect' })).toBeNull();
    expect(await wallet.provider.request({ method: 'isConnected' })).toMatchObject({
      isConnected: false,
    });
    await expect(wallet.provider.request({ method: 'listAccounts' })).rejects.toMatchObject({
      code: 4100,
    });
  });

  it('gets the answers of two requests apart', async () => {
    const party = await connect();
    canticle.walletGateway.mode = 'ask';
    const first = pay(party, 'first');
    const second = expect(pay(party, 'second')).rejects.toMatchObject({ code: 4001 });
    while (canticle.walletGateway.pending.length < 2) await new Promise(setImmediate);
    const ids = Object.fromEntries(
      canticle.walletGateway.pending.map(({ commandId, id }) => [commandId, id]),
    );
    await canticle.walletGateway.reject({ id: ids['second']! });
    await canticle.walletGateway.approve({ id: ids['first']! });
    await second;
    expect((await first).tx.commandId).toBe('first');
  });

  it('ends calls and events when it is removed', async () => {
    const party = await connect();
    canticle.walletGateway.mode = 'ask';
    const paying = expect(pay(party)).rejects.toMatchObject({ code: 4900 });
    await canticle.walletGateway.request();
    wallet.remove();
    await paying;
    const accounts: unknown[] = [];
    wallet.provider.on('accountsChanged', (event) => accounts.push(event));
    await canticle.walletGateway.as('bob');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(accounts).toEqual([]);
  });

  it('has no other methods', async () => {
    const unknown = { method: 'toString' } as never;
    await expect(wallet.provider.request(unknown)).rejects.toEqual(
      new RpcError({ code: -32601, message: 'Method toString not found' }),
    );
  });
});

it('calls each listener, and removes only the given one', async () => {
  const { provider } = installWallet({ canticle: createCanticle(OPTIONS), discovery: [] });
  const seen: unknown[] = [];
  const first = (event: unknown) => seen.push(['first', event]);
  const second = (event: unknown) => seen.push(['second', event]);
  expect(provider.emit('accountsChanged', 1)).toBe(false);
  expect(provider.on('accountsChanged', first).on('accountsChanged', second)).toBe(provider);
  expect(provider.emit('accountsChanged', 2)).toBe(true);
  expect(provider.removeListener('accountsChanged', first)).toBe(provider);
  provider.emit('accountsChanged', 3);
  expect(seen).toEqual([
    ['first', 2],
    ['second', 2],
    ['second', 3],
  ]);
  expect(provider.removeListener('none', first).emit('none')).toBe(false);
});

it('is a provider of the published types', () => {
  const { provider } = installWallet({ canticle: createCanticle(OPTIONS), discovery: [] });
  const published: Pick<PublishedProvider<Pick<RpcTypes, 'status'>>, 'request'> = provider;
  expect(published).toBe(provider);
});

it.each([
  {},
  { url: 'http://localhost:3030' },
  { url: 'http://localhost:3030', canticle: createCanticle(OPTIONS) },
])('refuses a wallet without exactly one gateway: %#', (options) => {
  expect(() => installWallet(options)).toThrow(
    'installWallet takes either canticle, an instance, or url and logIn, of a gateway.',
  );
});

describe('An outcome that comes before the answer of its call', () => {
  const answer = { result: { userUrl: 'http://localhost/approve/?commandId=c0' } };

  /** A gateway that sends the outcomes of the commands c0, c1 and so on before it answers. */
  const early = (count: number, status = 'executed') => {
    let emit: (name: string, args: readonly unknown[]) => void = () => undefined;
    const canticle = {
      async handle({ body }: { readonly body: string }) {
        if (body.includes('prepareExecute'))
          for (let n = 0; n < count; n += 1)
            emit('txChanged', [{ status, commandId: `c${n}`, payload: { n } }]);
        return { status: 200, body: Buffer.from(JSON.stringify(answer)) };
      },
      walletGateway: {
        connect: () => Promise.resolve({ token: 'token' }),
        listen(listener: typeof emit) {
          emit = listener;
          return () => undefined;
        },
      },
    };
    return installWallet({ canticle, discovery: [] }).provider;
  };

  it('counts while few others come after it', async () => {
    const provider = early(1000);
    await provider.request({ method: 'connect' });
    const params = { commands: [] };
    expect(await provider.request({ method: 'prepareExecuteAndWait', params })).toEqual({
      tx: { status: 'executed', commandId: 'c0', payload: { n: 0 } },
    });
  });

  it('has the code of a failed transaction if the gateway gives no reason', async () => {
    const provider = early(1, 'failed');
    await provider.request({ method: 'connect' });
    const params = { commands: [] };
    await expect(provider.request({ method: 'prepareExecuteAndWait', params })).rejects.toEqual(
      new RpcError({ code: -32003, message: 'The transaction failed.' }),
    );
  });

  it('is forgotten after many others', async () => {
    const provider = early(1001);
    await provider.request({ method: 'connect' });
    const waiting = provider.request({
      method: 'prepareExecuteAndWait',
      params: { commandId: 'c0', commands: [] },
    });
    const outcome = await Promise.race([
      waiting,
      new Promise((done) => setTimeout(done, 20, 'waits')),
    ]);
    expect(outcome).toBe('waits');
  });
});

it('numbers its calls', async () => {
  const bodies: unknown[] = [];
  const canticle = {
    async handle({ body }: { readonly body: string }) {
      bodies.push(JSON.parse(body));
      return { status: 200, body: Buffer.from('{"result":[]}') };
    },
    walletGateway: createCanticle(OPTIONS).walletGateway,
  };
  const { provider } = installWallet({ canticle, discovery: [] });
  await provider.request({ method: 'listAccounts' });
  await provider.request({ method: 'signMessage', params: { message: 'm' } });
  expect(bodies).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'listAccounts' },
    { jsonrpc: '2.0', id: 2, method: 'signMessage', params: { message: 'm' } },
  ]);
});

it('leaves the page when it is removed', () => {
  const page = globalThis as { canton?: unknown };
  const wallet = installWallet({ canticle: createCanticle(OPTIONS), discovery: ['window'] });
  expect(page.canton).toEqual({ canticle: wallet.provider });
  wallet.remove();
  expect(page.canton).toBeUndefined();
});

it('calls the other listeners if one throws, and reports its error', async () => {
  const { provider } = installWallet({ canticle: createCanticle(OPTIONS), discovery: [] });
  const reported: (() => void)[] = [];
  jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => void reported.push(task));
  try {
    provider.on('connected', () => {
      throw new Error('mine');
    });
    const seen: unknown[] = [];
    provider.on('connected', (event) => seen.push(event));
    expect(provider.emit('connected', 1)).toBe(true);
    expect(seen).toEqual([1]);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toThrow('mine');
  } finally {
    jest.restoreAllMocks();
  }
});

it('shows an answer that is not JSON-RPC with its status', async () => {
  for (const text of ['not JSON', 'null', '{}', '{"error":{"message":"no code"}}']) {
    const handle = () => Promise.resolve({ status: 502, body: Buffer.from(text) });
    const canticle = { handle, walletGateway: createCanticle(OPTIONS).walletGateway };
    const { provider } = installWallet({ canticle, discovery: [] });
    await expect(provider.request({ method: 'listAccounts' })).rejects.toMatchObject({
      code: 502,
      message: text,
    });
  }
});
