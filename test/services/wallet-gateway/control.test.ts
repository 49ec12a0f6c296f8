/** The test's control of the wallet, as a dApp sees it. */
import { createCanticle, type Canticle, type WalletControl } from 'canticle';
import { connected, quickstartCommand, rpc } from '../../support/wallet-gateway/gateway-client.js';

let canticle: Canticle;
let wallet: WalletControl;
beforeEach(() => {
  canticle = createCanticle({ seed: 1, walletGateway: { wallets: ['alice', 'bob'], mode: 'ask' } });
  wallet = canticle.walletGateway;
});

const lastStatus = async (user: Awaited<ReturnType<typeof connected>>['user'], id: string | null) =>
  (await user('getTransaction', { transactionId: id })).result?.status;
const isDisconnected = ({ name, args }: { name: string; args: any[] }): boolean =>
  name === 'statusChanged' && args[0].connection.isConnected === false;

it('is absent without the option', () => {
  expect(() => createCanticle().walletGateway).toThrow('Start it with the option walletGateway');
  expect(() => createCanticle({ walletGateway: false }).walletGateway).toThrow('no Wallet Gateway');
});

it('starts with the settings of the options', () => {
  const given = { mode: 'reject', delay: 'PT1S', failedEvents: true, replayEvents: true } as const;
  const { mode, delay, failedEvents, replayEvents } = createCanticle({
    walletGateway: given,
  }).walletGateway;
  expect({ mode, delay, failedEvents, replayEvents }).toEqual({ ...given, delay: 1_000_000n });
  const usual = createCanticle({ walletGateway: true }).walletGateway;
  expect([usual.mode, usual.delay, usual.failedEvents, usual.replayEvents]).toEqual([
    'approve',
    0n,
    false,
    false,
  ]);
});

it('has the network and the user of the options', async () => {
  canticle = createCanticle({
    walletGateway: { network: 'canton:test', user: 'participant_admin' },
  });
  expect(await canticle.walletGateway.connect()).toMatchObject({
    network: 'canton:test',
    user: 'participant_admin',
  });
});

describe('A request', () => {
  it('waits until the test approves it', async () => {
    const { prepare, party, user, events } = await connected(canticle);
    const stream = await events();
    const id = (await prepare('c1')).get('transactionId');
    const { pending } = wallet;
    expect(pending).toEqual([
      {
        id,
        kind: 'transaction',
        commandId: 'c1',
        party,
        user: 'ledger-api-user',
        origin: 'https://app.example',
        actions: ['Iou'],
        request: { commandId: 'c1', commands: quickstartCommand(party) },
      },
    ]);
    const decided = await wallet.approve();
    expect(decided).toEqual({
      ...pending[0],
      updateId: expect.stringMatching(/^1220/),
      completionOffset: expect.any(Number),
    });
    expect(wallet.pending).toEqual([]);
    expect(await stream.untilStatus('executed')).toEqual(['pending', 'signed', 'executed']);
    const [, signed, executed] = stream.changes() as any[];
    expect(signed).toEqual({
      id,
      commandId: 'c1',
      status: 'signed',
      preparedTransaction: expect.any(String),
      preparedTransactionHash: expect.any(String),
      origin: 'https://app.example',
      createdAt: expect.any(String),
      signedAt: expect.any(String),
    });
    const { updateId, completionOffset } = decided;
    expect(executed).toEqual({
      ...signed,
      status: 'executed',
      payload: { updateId, completionOffset },
    });
    expect(await lastStatus(user, id)).toBe('executed');
    await stream.close();
  });

  it('is rejected without an event, as by the gateway', async () => {
    const { prepare, events, user } = await connected(canticle);
    const stream = await events();
    const id = (await prepare()).get('transactionId');
    expect(await wallet.reject()).toMatchObject({ id });
    expect((await user('getTransaction', { transactionId: id })).body.error.message).toBe(
      `Transaction not found with id: ${id}`,
    );
    wallet.failedEvents = true;
    await prepare('c2');
    await wallet.reject();
    expect(await stream.untilStatus('failed')).toEqual(['pending', 'pending', 'failed']);
    expect(stream.changes().at(-1)).toEqual({ status: 'failed', commandId: 'c2' });
    await stream.close();
  });

  it('is the oldest one, or one by its id', async () => {
    const { prepare } = await connected(canticle);
    const ids = [];
    for (const command of ['c1', 'c2', 'c3'])
      ids.push((await prepare(command)).get('transactionId')!);
    expect((await wallet.approve()).commandId).toBe('c1');
    expect((await wallet.reject({ id: ids[2]! })).commandId).toBe('c3');
    expect(wallet.pending.map(({ commandId }) => commandId)).toEqual(['c2']);
    await expect(wallet.approve({ id: ids[2]! })).rejects.toThrow(
      `No request with the id ${ids[2]} waits for a decision.`,
    );
  });

  it('may come after the decision', async () => {
    const { prepare } = await connected(canticle);
    const approved = wallet.approve();
    const rejected = wallet.reject();
    await prepare('c1');
    await prepare('c2');
    expect((await approved).commandId).toBe('c1');
    expect((await rejected).commandId).toBe('c2');
  });

  it('does not reach a test that no longer waits', async () => {
    const { prepare } = await connected(canticle);
    const stop = new AbortController();
    const waiting = wallet.approve({ signal: stop.signal });
    stop.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    await expect(wallet.reject({ signal: stop.signal })).rejects.toThrow('over');
    await prepare();
    expect(wallet.pending).toHaveLength(1);
    await expect(wallet.approve({ id: 'x', signal: stop.signal })).rejects.toThrow('x waits');
  });

  it('names the choices and templates of its commands', async () => {
    const { prepare, party } = await connected(canticle);
    const created = canticle.participant.create(
      '#canticle-quickstart:Quickstart.Iou:Iou',
      { issuer: party, owner: party, currency: 'EUR', amount: '10.0', observers: [] },
      { actAs: [party] },
    );
    await prepare('c1', [
      {
        ExerciseCommand: {
          templateId: '#canticle-quickstart:Quickstart.Iou:Iou',
          contractId: created,
          choice: 'Iou_Split',
          choiceArgument: { splitAmount: '1.0' },
        },
      },
    ]);
    expect(wallet.pending[0]!.actions).toEqual(['Iou_Split']);
  });
});

describe('An automatic decision', () => {
  it('approves after the answer, so that a dApp can listen', async () => {
    const { prepare, user } = await connected(canticle);
    wallet.mode = 'approve';
    const id = (await prepare()).get('transactionId');
    expect(await lastStatus(user, id)).toBe('pending');
    const stream = await (await connected(canticle)).events();
    expect(await stream.untilStatus('executed')).toEqual(['signed', 'executed']);
    await stream.close();
  });

  it('rejects', async () => {
    const { prepare, events } = await connected(canticle);
    Object.assign(wallet, { mode: 'reject', failedEvents: true });
    const stream = await events();
    await prepare();
    expect(await stream.untilStatus('failed')).toEqual(['pending', 'failed']);
    await stream.close();
  });

  it('waits for the time of the network', async () => {
    const { prepare, events, user } = await connected(canticle);
    Object.assign(wallet, { mode: 'approve', delay: { seconds: 5 } });
    expect(wallet.delay).toBe(5_000_000n);
    const stream = await events();
    const id = (await prepare()).get('transactionId');
    canticle.advanceTime({ seconds: 4 });
    expect(await lastStatus(user, id)).toBe('pending');
    canticle.advanceTime({ seconds: 1 });
    expect(await stream.untilStatus('executed')).toEqual(['pending', 'signed', 'executed']);
    await stream.close();
  });

  it('does not happen while the test decides', async () => {
    const { prepare, events } = await connected(canticle);
    wallet.mode = 'approve';
    const stream = await events();
    const id = (await prepare()).get('transactionId')!;
    const decided = wallet.approve({ id });
    await (wallet as any).gateway.requests.opened(id);
    await decided;
    await wallet.as('bob');
    await stream.until(({ name }) => name === 'accountsChanged');
    expect(stream.changes().map(({ status }) => status)).toEqual(['pending', 'signed', 'executed']);
    await stream.close();
  });

  it('does not happen for a request that the test has decided', async () => {
    const { prepare } = await connected(canticle);
    Object.assign(wallet, { mode: 'approve', delay: { seconds: 5 } });
    await prepare();
    await wallet.reject();
    canticle.advanceTime({ seconds: 6 });
    expect(wallet.pending).toEqual([]);
    expect((wallet as any).gateway.core.store.due.size).toBe(0);
  });
});

describe('A failure', () => {
  it('of the signing provider leaves the request pending', async () => {
    const { prepare, user } = await connected(canticle);
    wallet.fail = 'no connection to the key';
    const id = (await prepare()).get('transactionId');
    await expect(wallet.approve()).rejects.toThrow(
      'Error from signing driver: no connection to the key',
    );
    expect(await lastStatus(user, id)).toBe('pending');
    // The wallet has decided: a later approval takes the next request.
    expect(wallet.pending).toEqual([]);
    wallet.fail = undefined;
    expect(await wallet.approve({ id: id! })).toMatchObject({ id });
  });

  it('of the execution leaves the request signed, and dApps without an event', async () => {
    const { prepare, user, events } = await connected(canticle);
    const stream = await events();
    const id = (await prepare('c1')).get('transactionId');
    canticle.faults.add({
      on: 'postV2Interactive-submissionExecuteandwait',
      do: { refuse: 'PARTICIPANT_BACKPRESSURE' },
    });
    await expect(wallet.approve()).rejects.toThrow();
    expect(await lastStatus(user, id)).toBe('signed');
    canticle.faults.reset();
    wallet.failedEvents = true;
    canticle.faults.add({
      on: 'postV2Interactive-submissionExecuteandwait',
      do: { refuse: 'PARTICIPANT_BACKPRESSURE' },
    });
    await expect(wallet.approve({ id: id! })).rejects.toThrow();
    expect(await stream.untilStatus('failed')).toEqual(['pending', 'signed', 'signed', 'failed']);
    await stream.close();
  });

  it('comes from the ledger if the user answers after the transaction has expired', async () => {
    const { prepare } = await connected(canticle);
    await prepare();
    const before = canticle.time;
    await expect(wallet.approve({ after: { days: 3 } })).rejects.toThrow();
    expect(Date.parse(canticle.time) - Date.parse(before)).toBeGreaterThanOrEqual(3 * 86_400_000);
  });

  it('can lose the answer after the commit', async () => {
    const { prepare, user, events, party } = await connected(canticle);
    const stream = await events();
    const id = (await prepare()).get('transactionId');
    const count = () => canticle.participant.activeContracts({ party }).length;
    expect(count()).toBe(0);
    await expect(wallet.approve({ loseAnswer: true })).rejects.toThrow('fetch failed');
    expect(count()).toBe(1);
    expect(await lastStatus(user, id)).toBe('signed');
    wallet.failedEvents = true;
    await wallet.as('bob');
    await stream.until(({ name }) => name === 'accountsChanged');
    expect(stream.changes().map(({ status }) => status)).toEqual(['pending', 'signed']);
    await stream.close();
  });
});

describe('A message', () => {
  it('is signed by the key of the primary wallet, deterministically', async () => {
    const { dapp } = await connected(canticle);
    const answer = dapp('signMessage', { message: 'héllo' });
    const { signature, kind, message, actions, origin } = await wallet.approve();
    expect([kind, message, actions, origin]).toEqual([
      'message',
      'héllo',
      [],
      'https://app.example',
    ]);
    expect((await answer).result).toEqual({ signature });
    expect(Buffer.from(signature!, 'base64')).toHaveLength(64);
    const again = dapp('signMessage', { message: 'héllo' });
    expect((await wallet.approve()).signature).toBe(signature);
    await again;
  });

  it('is rejected with the code of EIP-1193', async () => {
    const { dapp } = await connected(canticle);
    const answer = dapp('signMessage', { message: 'hello' });
    await wallet.reject();
    expect((await answer).body.error).toEqual({ code: 4001 });
  });

  it('fails with the signing provider, and at a revert', async () => {
    const { dapp } = await connected(canticle);
    wallet.fail = 'gone';
    const failed = dapp('signMessage', { message: 'hello' });
    await expect(wallet.approve()).rejects.toThrow('gone');
    expect((await failed).body.error.message).toBe('Error from signing driver: gone');
    wallet.fail = undefined;
    const snapshot = canticle.snapshot();
    const waiting = dapp('signMessage', { message: 'hello' });
    await until(() => wallet.pending.length === 1);
    canticle.revert(snapshot);
    expect((await waiting).body.error.message).toContain('reverted');
    expect(wallet.pending).toEqual([]);
  });

  it('is not signed by the participant', async () => {
    const { dapp, user } = await connected(canticle);
    await user('createWallet', {
      partyHint: 'carol',
      signingProviderId: 'participant',
      primary: true,
    });
    expect((await dapp('signMessage', { message: '' })).body.error.message).toMatch(
      /^The participant signs no messages for carol::/,
    );
  });
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

describe('The session', () => {
  it('begins and ends', async () => {
    expect(wallet.session).toBeUndefined();
    expect(wallet.wallets).toEqual([]);
    wallet.disconnect();
    const { events } = (wallet as any).gateway.core;
    expect(events.of('ledger-api-user')).toEqual([]);
    const session = await wallet.connect();
    expect(session).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-/),
      user: 'ledger-api-user',
      token: expect.any(String),
      network: 'canton:localnet',
    });
    expect(wallet.session).toEqual(session);
    const stream = await (await connected(canticle)).events();
    wallet.disconnect();
    expect(await stream.until(isDisconnected)).toBe(true);
    expect(stream.seen.at(-1)!.args[0].connection).toEqual({
      isConnected: false,
      reason: 'disconnect',
      isNetworkConnected: false,
      networkReason: 'removed session',
    });
    expect(wallet.session).toBeUndefined();
    await stream.close();
  });

  it('does not begin if the Ledger API takes only tokens of another issuer', async () => {
    canticle = createCanticle({
      walletGateway: true,
      auth: { services: [{ type: 'jwt-jwks', keys: { keys: [] } }] },
    });
    await expect(canticle.walletGateway.connect()).rejects.toThrow(
      'The wallet cannot sign a token of ledger-api-user',
    );
  });

  it('can drop, which no event says', async () => {
    const { events, dapp } = await connected(canticle);
    const stream = await events();
    wallet.dropSession();
    expect(await stream.until(() => false)).toBe(false);
    expect(stream.seen).toEqual([]);
    expect((await dapp('status')).result.connection.isConnected).toBe(false);
  });

  it('moves to another network, whose participant is not reachable', async () => {
    const { events, dapp } = await connected(canticle);
    const stream = await events();
    await wallet.network('canton:elsewhere');
    await stream.until(({ name }) => name === 'accountsChanged');
    expect(stream.seen.map(({ name }) => name)).toEqual(['statusChanged', 'accountsChanged']);
    const [{ args }, { args: accounts }] = stream.seen as [any, any];
    expect(args[0].network.networkId).toBe('canton:elsewhere');
    expect(args[0].connection).toMatchObject({
      isConnected: true,
      isNetworkConnected: false,
      networkReason: 'Ledger unreachable: fetch failed',
    });
    expect(accounts).toEqual([[]]);
    expect((await dapp('getActiveNetwork')).result.networkId).toBe('canton:elsewhere');
    const { body } = await dapp('ledgerApi', { requestMethod: 'get', resource: '/v2/version' });
    expect(body.error.message).toBe('fetch failed');
    await wallet.network('canton:localnet');
    expect((await dapp('listAccounts')).result).toHaveLength(2);
    await stream.close();
  });

  it('locks and unlocks', async () => {
    const { events, dapp, token } = await connected(canticle);
    const stream = await events();
    wallet.lock();
    wallet.lock();
    expect(wallet.isLocked).toBe(true);
    expect((await dapp('isConnected')).result.isConnected).toBe(false);
    expect((await dapp('listAccounts')).status).toBe(401);
    await wallet.unlock();
    await wallet.unlock();
    await stream.until(({ args }) => args[0].connection.isConnected === true);
    expect(stream.seen.map(({ args }) => args[0].connection.networkReason)).toEqual([
      'locked',
      'OK',
    ]);
    expect(wallet.session!.token).toBe(token);
    expect((await dapp('listAccounts')).result).toHaveLength(2);
    await stream.close();
  });

  it('changes the account, also to a new one', async () => {
    const { events } = await connected(canticle);
    const stream = await events();
    expect(await wallet.as('bob')).toMatchObject({ hint: 'bob', primary: true });
    const { partyId } = wallet.wallets.find(({ hint }) => hint === 'alice')!;
    expect(await wallet.as(partyId)).toMatchObject({ hint: 'alice', primary: true });
    expect(await wallet.as('carol')).toMatchObject({ hint: 'carol', primary: true });
    expect(wallet.wallets.map(({ hint, primary }) => [hint, primary])).toEqual([
      ['alice', false],
      ['bob', false],
      ['carol', true],
    ]);
    await stream.until(({ args }) => args[0].length === 3);
    const primaries = stream.seen
      .filter(({ name }) => name === 'accountsChanged')
      .map(({ args }) => args[0].find((each: any) => each.primary).hint);
    expect(primaries).toEqual(['bob', 'alice', 'carol']);
    await stream.close();
  });

  it('begins if the test chooses an account', async () => {
    expect(await wallet.as('dora')).toMatchObject({ hint: 'dora', primary: true });
    expect(wallet.session).toBeDefined();
  });
});

describe('A later subscriber', () => {
  it('gets no earlier events, unless the wallet repeats them', async () => {
    const { prepare, events } = await connected(canticle);
    await prepare('c1');
    const late = await events();
    wallet.replayEvents = true;
    const replayed = await events();
    await replayed.untilStatus('pending');
    expect(replayed.seen[0]!.name).toBe('statusChanged');
    await prepare('c2');
    await late.untilStatus('pending');
    expect(late.changes().map(({ commandId }) => commandId)).toEqual(['c2']);
    await late.close();
    await replayed.close();
    // A new session has no earlier events.
    const next = await (await connected(canticle)).events();
    await next.until(({ name }) => name === 'connected');
    expect(next.changes()).toEqual([]);
    await next.close();
  });

  it('is one of a user, and ends', async () => {
    const { events } = await connected(canticle);
    const { gateway } = wallet as any;
    const stream = await events();
    expect(gateway.core.events.size).toBe(1);
    gateway.core.events.emit('another', 'accountsChanged', []);
    await stream.close();
    expect(gateway.core.events.size).toBe(0);
    const closed = await events();
    await canticle.close();
    expect(await closed.until(() => false)).toBe(false);
  });
});

describe('A revert', () => {
  it('restores settings, wallets and requests, and the ids that follow', async () => {
    const { prepare } = await connected(canticle);
    const snapshot = canticle.snapshot();
    const run = async () => {
      wallet.mode = 'ask';
      const { partyId } = await wallet.as('carol');
      const id = (await prepare('c1', quickstartCommand(partyId))).get('transactionId');
      return { id, wallets: wallet.wallets, decided: await wallet.approve() };
    };
    const first = await run();
    wallet.failedEvents = true;
    canticle.revert(snapshot);
    expect(wallet.failedEvents).toBe(false);
    expect(wallet.pending).toEqual([]);
    expect(wallet.wallets.map(({ hint }) => hint)).toEqual(['alice', 'bob']);
    expect(await run()).toEqual(first);
  });

  it('keeps the network of the start', async () => {
    await connected(canticle);
    canticle.reset();
    expect(wallet.session).toBeUndefined();
    expect((await rpc(canticle, 'user', 'listNetworks')).result.networks).toHaveLength(1);
    await connected(canticle);
  });

  it('ends automatic decisions and waits of the test', async () => {
    const { prepare } = await connected(canticle);
    const snapshot = canticle.snapshot();
    void wallet.approve();
    canticle.revert(snapshot);
    await prepare();
    expect(wallet.pending).toHaveLength(1);
  });
});

it('a saved world contains the wallet', async () => {
  await connected(canticle);
  const saved = canticle.dump();
  const loaded = createCanticle({ load: saved, walletGateway: true });
  expect(loaded.walletGateway.wallets).toEqual(wallet.wallets);
  expect(loaded.walletGateway.mode).toBe('ask');
});

it('the same seed and calls give the same bytes', async () => {
  const run = async () => {
    const other = createCanticle({ seed: 7, walletGateway: { wallets: ['alice'], mode: 'ask' } });
    const { prepare, token, user } = await connected(other);
    await prepare();
    await other.walletGateway.approve();
    return JSON.stringify([token, (await user('listTransactions')).result]);
  };
  expect(await run()).toBe(await run());
});

describe('Over the controls', () => {
  const post = async (path: string, body?: object) => {
    const answer = await canticle.handle({ method: 'POST', path: `/canticle/v1${path}`, body });
    return { status: answer.status, body: answer.json() as any };
  };

  it('shows and changes the wallet', async () => {
    const { body: session } = await post('/wallet/connect');
    expect(session).toEqual(wallet.session);
    const { body } = await post('/wallet', {
      mode: 'reject',
      delay: 'PT5S',
      fail: 'no key',
      failedEvents: true,
      replayEvents: true,
      locked: true,
      party: 'bob',
    });
    expect(body).toEqual({
      mode: 'reject',
      delay: 'PT5S',
      fail: 'no key',
      failedEvents: true,
      replayEvents: true,
      locked: true,
      session,
      wallets: wallet.wallets,
      pending: [],
    });
    expect(wallet.wallets[1]).toMatchObject({ hint: 'bob', primary: true });
    const { body: next } = await post('/wallet', { fail: '', locked: false, network: 'canton:x' });
    expect(next).toMatchObject({ locked: false, session: { network: 'canton:x' } });
    expect(next.fail).toBeUndefined();
    expect((await canticle.handle({ path: '/canticle/v1/wallet' })).json()).toEqual(next);
  });

  it('approves and rejects', async () => {
    const { prepare } = await connected(canticle);
    await prepare('c1');
    const { body } = await post('/wallet/approve', {});
    expect(body).toMatchObject({ commandId: 'c1', updateId: expect.any(String) });
    const id = (await prepare('c2')).get('transactionId');
    expect((await post('/wallet/reject', { id })).body).toMatchObject({ id });
    const unknown = await post('/wallet/approve', { id: 'x' });
    expect([unknown.status, unknown.body.error]).toEqual([
      409,
      'No request with the id x waits for a decision.',
    ]);
    await prepare('c3');
    expect((await post('/wallet/approve', { after: 'tomorrow' })).status).toBe(400);
    const late = await post('/wallet/approve', { after: 'P3D' });
    expect(late.status).toBe(409);
  });

  it('answers a caller that waits when the state is reverted', async () => {
    const snapshot = canticle.snapshot();
    const waiting = post('/wallet/approve', {});
    await new Promise((resolve) => setImmediate(resolve));
    canticle.revert(snapshot);
    expect(await waiting).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('reverted') },
    });
  });

  it('disconnects, with an event or silently', async () => {
    await connected(canticle);
    expect((await post('/wallet/disconnect', { silently: true })).body.session).toBeUndefined();
    const stream = await (await connected(canticle)).events();
    await post('/wallet/disconnect', {});
    expect(await stream.until(isDisconnected)).toBe(true);
    await stream.close();
  });

  it('answers 404 without a gateway', async () => {
    canticle = createCanticle();
    const { status, body } = await post('/wallet/approve', {});
    expect([status, body.error]).toEqual([404, expect.stringContaining('--wallet-gateway')]);
  });
});
