/** The methods of the dApp, their errors, and the answers of the server around them. */
import { createCanticle, type Canticle } from 'canticle';
import { connected, rpc } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
beforeEach(() => {
  canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice'], mode: 'ask' } });
});

const provider = {
  id: 'canticle',
  version: '1.1.0',
  providerType: 'remote',
  url: 'http://localhost/api/v0/dapp',
  userUrl: 'http://localhost/login/',
};

describe('Without a session', () => {
  const offline = {
    isConnected: false,
    isNetworkConnected: false,
    networkReason: 'Unauthenticated',
  };

  it.each(['connect', 'isConnected'])('%s names the page of the login', async (method) => {
    const { status, result } = await rpc(canticle, 'dapp', method);
    expect(status).toBe(200);
    expect(result).toEqual({ ...offline, userUrl: 'http://localhost/login/' });
  });

  it('status has the provider alone', async () => {
    const { result } = await rpc(canticle, 'dapp', 'status');
    expect(result).toEqual({ provider, connection: { ...offline, reason: 'Unauthenticated' } });
  });

  it('disconnect has no effect', async () => {
    expect((await rpc(canticle, 'dapp', 'disconnect')).result).toBeNull();
  });

  it.each([
    ['getActiveNetwork', undefined],
    ['prepareExecute', { commands: [] }],
    ['signMessage', { message: 'hello' }],
    ['ledgerApi', { requestMethod: 'get', resource: '/v2/version' }],
    ['getPrimaryAccount', undefined],
    ['listAccounts', undefined],
  ])('%s answers 401, with the code of EIP-1193 and no message', async (method, params) => {
    const { status, body } = await rpc(canticle, 'dapp', method, params);
    expect([status, body]).toEqual([401, { jsonrpc: '2.0', id: 1, error: { code: 4100 } }]);
  });

  it('a token without a session gets an error that names the session', async () => {
    const { token } = await canticle.walletGateway.connect();
    canticle.walletGateway.dropSession();
    const { status, body } = await rpc(canticle, 'dapp', 'listAccounts', undefined, { token });
    expect(status).toBe(500);
    expect(body.error).toEqual({ code: -32603, message: 'No session found', data: {} });
  });

  it.each([
    ['no token', ''],
    ['another issuer', tokenOf({ iss: 'other', scope: 's', sub: 'u' })],
    ['no scope', tokenOf({ iss: 'unsafe-auth', sub: 'u' })],
    ['no subject', tokenOf({ iss: 'unsafe-auth', scope: 's' })],
    ['no issuer', tokenOf({ scope: 's', sub: 'u' })],
    ['no text of a token', 'x.y'],
  ])('a token is not one of a user: %s', async (_, token) => {
    expect((await rpc(canticle, 'dapp', 'listAccounts', undefined, { token })).status).toBe(401);
  });
});

function tokenOf(claims: object): string {
  return `${base64({ alg: 'HS256' })}.${base64(claims)}.`;
}
function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('With a session', () => {
  it('connect emits the status, and then connected', async () => {
    const { dapp, events, token } = await connected(canticle);
    const { seen, until, close } = await events();
    // This one emits nothing.
    await dapp('isConnected');
    const { result } = await dapp('connect');
    expect(result).toEqual({
      isConnected: true,
      reason: 'OK',
      isNetworkConnected: true,
      networkReason: 'OK',
      userUrl: 'http://localhost/login/',
    });
    await until(({ name }) => name === 'connected');
    expect(seen.map(({ name }) => name)).toEqual(['statusChanged', 'connected']);
    expect(seen[0]!.args).toEqual([
      {
        provider,
        connection: result,
        network: {
          networkId: 'canton:localnet',
          ledgerApi: 'http://localhost',
          accessToken: token,
        },
        session: { accessToken: token, userId: 'ledger-api-user' },
      },
    ]);
    expect(seen[1]!.args).toEqual(seen[0]!.args);
    expect((await dapp('isConnected')).result).toEqual(result);
    await close();
  });

  it('status has the network and the session', async () => {
    const { dapp, token } = await connected(canticle);
    const { id } = canticle.walletGateway.session!;
    expect((await dapp('status')).result).toEqual({
      provider,
      connection: {
        isConnected: true,
        reason: 'OK',
        isNetworkConnected: true,
        networkReason: 'OK',
      },
      network: {
        networkId: 'canton:localnet',
        ledgerApi: 'http://localhost',
        accessToken: token,
      },
      session: { id, accessToken: token, userId: 'ledger-api-user' },
      userUrl: 'http://localhost/login/',
    });
  });

  it('getActiveNetwork has the address of the Ledger API, and the token for it', async () => {
    const { dapp, token } = await connected(canticle);
    expect((await dapp('getActiveNetwork')).result).toEqual({
      networkId: 'canton:localnet',
      ledgerApi: 'http://localhost',
      accessToken: token,
    });
  });

  it('disconnect ends the session, and emits it', async () => {
    const { dapp, events } = await connected(canticle);
    const stream = await events();
    expect((await dapp('disconnect')).result).toBeNull();
    await stream.until(({ name }) => name === 'statusChanged');
    expect(stream.seen[0]!.args[0].connection).toEqual({
      isConnected: false,
      reason: 'disconnect',
      isNetworkConnected: false,
      networkReason: 'disconnect',
    });
    expect((await dapp('isConnected')).result.isConnected).toBe(false);
    await stream.close();
  });

  it('lists the accounts, with the key and the rights of each', async () => {
    const { dapp, party } = await connected(canticle);
    const { result } = await dapp('listAccounts');
    const [hint, namespace] = party.split('::');
    expect(result).toEqual([
      {
        primary: true,
        partyId: party,
        status: 'allocated',
        hint,
        publicKey: expect.stringMatching(/^[A-Za-z\d+/]{43}=$/),
        namespace,
        networkId: 'canton:localnet',
        signingProviderId: 'wallet-kernel',
        disabled: false,
        rights: ['CanActAs'],
      },
    ]);
    expect((await dapp('getPrimaryAccount')).result).toEqual(result[0]);
  });

  it('prepareExecute stores the request, and emits that it is pending', async () => {
    const { user, events, prepare } = await connected(canticle);
    const stream = await events();
    const query = await prepare('command/1 #2');
    expect(query.get('commandId')).toBe('command/1 #2');
    await stream.untilStatus('pending');
    expect(stream.changes()).toEqual([{ status: 'pending', commandId: 'command/1 #2' }]);
    const found = await user('getTransaction', { transactionId: query.get('transactionId') });
    const transaction = found.result;
    expect(transaction).toMatchObject({
      status: 'pending',
      commandId: 'command/1 #2',
      origin: 'https://app.example',
      createdAt: expect.stringMatching(/^2026-01-01T00:00:00\.\d{3}Z$/),
    });
    expect(JSON.parse(transaction.payload)).toMatchObject({ commandId: 'command/1 #2' });
    await stream.close();
  });

  it('prepareExecute emits that a request is pending before the participant rejects it', async () => {
    const { dapp, events } = await connected(canticle);
    const stream = await events();
    expect((await dapp('prepareExecute', { commandId: 'c', commands: [] })).status).toBe(500);
    await stream.untilStatus('pending');
    expect(canticle.walletGateway.pending).toEqual([]);
    await stream.close();
  });

  it('an error of the participant has its cause and its whole answer', async () => {
    const { dapp } = await connected(canticle);
    const { status, body } = await dapp('prepareExecute', { commands: [] });
    expect(status).toBe(500);
    expect(body.error.code).toBe(-32603);
    expect(body.error.message).toBe(body.error.data.cause);
    expect(body.error.data).toMatchObject({ errorCategory: 8, code: expect.any(String) });
  });

  it('needs a primary wallet', async () => {
    const bare = createCanticle({ seed: 1, walletGateway: true });
    const { dapp } = await connected(bare);
    for (const [method, params] of [
      ['prepareExecute', { commands: [] }],
      ['getPrimaryAccount', undefined],
      ['signMessage', { message: '' }],
    ] as const)
      expect((await dapp(method, params)).body.error.message).toBe('No primary wallet found');
  });

  it('ledgerApi sends get and post, with path and query', async () => {
    const { dapp, party } = await connected(canticle);
    const { result } = await dapp('ledgerApi', {
      requestMethod: 'get',
      resource: '/v2/parties/{party}',
      path: { party },
    });
    expect(result.partyDetails[0].party).toBe(party);
    const page = await dapp('ledgerApi', {
      requestMethod: 'get',
      resource: '/v2/parties',
      query: { pageSize: 1 },
    });
    expect(page.result.partyDetails).toHaveLength(1);
    const updates = await dapp('ledgerApi', {
      requestMethod: 'post',
      resource: '/v2/state/active-contracts',
      body: {
        activeAtOffset: 0,
        eventFormat: { filtersByParty: { [party]: {} }, verbose: false },
      },
    });
    expect(updates.result).toEqual([]);
  });

  it.each(['put', 'patch', 'delete'])('ledgerApi does not send %s', async (requestMethod) => {
    const { dapp } = await connected(canticle);
    const { status, body } = await dapp('ledgerApi', { requestMethod, resource: '/v2/version' });
    expect([status, body.error.message]).toEqual([
      500,
      `Unsupported request method: ${requestMethod}`,
    ]);
  });

  it('ledgerApi answers an error that is a text with that text', async () => {
    const { dapp } = await connected(canticle);
    const { body } = await dapp('ledgerApi', {
      requestMethod: 'post',
      resource: '/v2/parties',
      body: { partyIdHint: 7 },
    });
    expect(body.error).toMatchObject({ code: -32603, message: expect.stringMatching(/^Invalid/) });
    expect(body.error.data).toBe(body.error.message);
  });

  it.each(['connected', 'onStatusChanged', 'accountsChanged', 'txChanged'])(
    '%s is only an event',
    async (method) => {
      const { dapp } = await connected(canticle);
      const { status, body } = await dapp(method);
      expect([status, body.error.message]).toEqual([500, 'Only for events.']);
    },
  );
});

describe('The server', () => {
  const post = (body: unknown, contentType = 'application/json') =>
    canticle.handle({
      path: '/api/v0/dapp',
      headers: { 'content-type': contentType },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('answers an unknown method with 404, without an id', async () => {
    const { status, body } = await rpc(canticle, 'dapp', 'toString');
    expect([status, body]).toEqual([404, { jsonrpc: '2.0', id: null, error: { code: -32601 } }]);
  });

  it.each([
    ['a list', [{ jsonrpc: '2.0', method: 'status' }]],
    ['another version', { jsonrpc: '1.0', method: 'status' }],
    ['no method', { jsonrpc: '2.0' }],
    ['an id that is an object', { jsonrpc: '2.0', method: 'status', id: {} }],
    ['parameters that are a text', { jsonrpc: '2.0', method: 'status', params: 'x' }],
    ['parameters that are null', { jsonrpc: '2.0', method: 'status', params: null }],
  ])('rejects %s', async (_, body) => {
    const answer = await post(body);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ]);
  });

  it.each(['text', 7, null, undefined])('returns the id %p', async (id) => {
    const body = { jsonrpc: '2.0', method: 'disconnect', ...(id !== undefined && { id }) };
    expect((await post(body)).json()).toEqual({ jsonrpc: '2.0', id: id ?? null, result: null });
  });

  it('rejects text that is not JSON, and JSON of another type', async () => {
    expect((await post('{')).status).toBe(400);
    const answer = await post({ jsonrpc: '2.0', method: 'status' }, 'text/plain');
    expect(answer.json()).toMatchObject({ error: { code: -32600 } });
  });

  it('takes a body of 1 MiB, and no larger one', async () => {
    const head = '{"jsonrpc":"2.0","method":"disconnect","params":{"x":"';
    const bodyOf = (length: number) => `${head}${'x'.repeat(length - head.length - 3)}"}}`;
    expect((await post(bodyOf(1024 * 1024))).status).toBe(200);
    expect((await post(bodyOf(1024 * 1024 + 1))).status).toBe(413);
  });

  it.each([
    ['prepareExecute', {}, 'params.commands is missing'],
    ['prepareExecute', { commands: 7 }, 'params.commands must be an object'],
    ['prepareExecute', { commands: [], actAs: 'alice' }, 'params.actAs must be a list'],
    ['prepareExecute', { commands: [], actAs: [7] }, 'params.actAs[0] must be a string'],
    ['ledgerApi', { requestMethod: 'head', resource: '/' }, 'params.requestMethod must be one of'],
    ['signMessage', [], 'params must be an object'],
  ])('%s rejects the parameters %j', async (method, params, why) => {
    const { status, body } = await rpc(canticle, 'dapp', method, params);
    expect([status, body.error.code]).toEqual([400, -32602]);
    const { gateway } = canticle.walletGateway as any;
    await expect(
      gateway.call('dapp', method, params, { root: 'http://localhost' }),
    ).rejects.toThrow(why);
  });

  it('ignores unknown members, as the gateway does', async () => {
    const { status } = await rpc(canticle, 'dapp', 'signMessage', { message: '', other: 1 });
    expect(status).toBe(401);
  });

  it('lets pages of any origin read answers, and ask before', async () => {
    const { headers } = await rpc(canticle, 'dapp', 'status');
    expect(headers['access-control-allow-origin']).toBe('*');
    const preflight = await canticle.handle({
      method: 'OPTIONS',
      path: '/api/v0/dapp',
      headers: { 'access-control-request-headers': 'authorization,content-type' },
    });
    expect([preflight.status, preflight.headers]).toEqual([
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        vary: 'Access-Control-Request-Headers',
        'content-length': '0',
      },
    ]);
  });

  it('answers GET with an invalid request', async () => {
    const answer = await canticle.handle({ path: '/api/v0/dapp' });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ]);
  });

  it.each([
    ['/.well-known/wallet-gateway-config', { userPath: 'http://localhost/api/v0/user' }],
    ['/.well-known/wallet-gateway-version', { version: '1.1.0' }],
  ])('serves %s', async (path, content) => {
    expect((await canticle.handle({ path })).json()).toEqual(content);
  });

  it('serves its documents, and no others', async () => {
    const found = await canticle.handle({ path: '/openrpc/openrpc-user-api.json' });
    expect(found.status).toBe(200);
    expect((found.json() as any).methods).toHaveLength(22);
    expect((await canticle.handle({ path: '/openrpc/toString' })).status).toBe(404);
  });
});

describe('The stream of events', () => {
  const open = (query = '', headers = {}) =>
    canticle.handle({ path: `/api/v0/dapp/events${query}`, headers });

  it('needs a token and a session', async () => {
    const without = await open();
    expect([without.status, without.json()]).toEqual([401, { error: 'Unauthenticated' }]);
    const { token } = await canticle.walletGateway.connect();
    canticle.walletGateway.dropSession();
    const dropped = await open('', { authorization: `Bearer ${token}` });
    expect([dropped.status, dropped.json()]).toEqual([401, { error: 'No session' }]);
    expect(dropped.headers['access-control-allow-origin']).toBe('*');
  });

  it('has the headers of an event stream', async () => {
    const { events } = await connected(canticle);
    const { response, close } = await events();
    expect(Object.fromEntries(response.headers)).toEqual({
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    await close();
  });

  it('is found only by GET', async () => {
    const answer = await canticle.handle({ method: 'POST', path: '/api/v0/dapp/events' });
    expect(answer.status).toBe(404);
  });
});
