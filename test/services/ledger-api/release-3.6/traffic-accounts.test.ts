/** The traffic accounts of parties: credit, debits, rejections, and what is stored of them (B-TRF-009 to B-TRF-013). */
import { createCanticle } from 'canticle';
import type { CanticleOptions } from 'canticle';
import { newKey, onboard, preparation, PREPARE } from '../../../network/external/external-party.js';
import { GrpcClient, type GrpcFault } from '../../../support/grpc/client.js';
import { startClient } from '../../../support/client.js';
import { create, LedgerApi, startLedgerApi } from '../../../support/ledger-api.js';
import { model, modelPackage } from '../../../support/daml/model-package.js';

const open: LedgerApi[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ client }) => client.close())));

async function start(options: CanticleOptions & { grpc?: object } = {}): Promise<LedgerApi> {
  const ledger = await startLedgerApi({
    ...{ canton: '3.6', bare: true, trafficControl: true, trafficAccounts: 'count' },
    ...options,
  });
  open.push(ledger);
  return ledger;
}

const balanceOf = (ledger: LedgerApi, account: string): Promise<number> =>
  ledger.client
    .ledger('GET', `/v2/traffic/accounts/${encodeURIComponent(account)}`)
    .then(({ body }) => body.balance);

const update = (ledger: LedgerApi, accountId: string, balanceDelta: unknown, id: string) =>
  ledger.post('/v2/traffic/accounts', { accountId, balanceDelta, deduplicationId: id });

const prune = (ledger: LedgerApi, beforeOrAt: string) =>
  ledger.ok('/v2/traffic/events/prune', { beforeOrAt });

const dummy = (operator: string) => create(model('Dummy'), { operator });

const submission = (ledger: LedgerApi, ...actAs: readonly string[]) =>
  ledger.post('/v2/commands/submit-and-wait', ledger.commands(dummy(actAs[0]!), { actAs }));

const INT64 = 2n ** 63n - 1n;

describe('operations of traffic accounts', () => {
  it('exist only on a participant with traffic accounts (R-36-046)', async () => {
    const ledger = await start({ trafficAccounts: undefined });
    for (const [method, path] of [
      ['GET', '/v2/traffic/accounts/alice'],
      ['POST', '/v2/traffic/accounts'],
      ['POST', '/v2/traffic/events/prune'],
    ] as const) {
      const { status, body } = await ledger.client.ledger(method, path, {});
      expect([status, body.code]).toEqual([404, undefined]);
    }
  });

  it('need a release that has them', () => {
    for (const canton of ['3.4', '3.5', '3.7'] as const)
      expect(() => createCanticle({ canton, trafficAccounts: 'count' })).toThrow(
        `Failed to create a Canticle: participant sandbox of release ${canton} with trafficAccounts. Set canton: '3.6'.`,
      );
  });

  it('can be those of one participant of a network', async () => {
    const ledger = await start({
      trafficAccounts: undefined,
      participants: [{ name: 'one', trafficAccounts: 'count' }, { name: 'other' }],
    });
    expect(await balanceOf(ledger, 'alice')).toBe(0);
    const other = await ledger.client.ledger(
      'GET',
      '/participants/other/v2/traffic/accounts/alice',
    );
    expect(other.status).toBe(404);
  });

  it('add credit to an account, and remove it (R-36-046)', async () => {
    const ledger = await start();
    expect(await balanceOf(ledger, 'alice')).toBe(0);
    const { body } = await update(ledger, 'alice', 1_000_000, 'first');
    expect(body).toEqual({ response: { accountId: 'alice', balance: 1_000_000 } });
    await update(ledger, 'alice', -100_000, 'second');
    expect(await balanceOf(ledger, 'alice')).toBe(900_000);
    expect(await balanceOf(ledger, 'bob')).toBe(0);
  });

  it('have no effect without a delta, or with an id that was used before, for any account', async () => {
    const ledger = await start();
    expect((await update(ledger, 'alice', undefined, 'first')).body).toEqual({ response: null });
    await update(ledger, 'alice', 5, 'first');
    expect((await update(ledger, 'alice', 5, 'first')).body.response.balance).toBe(5);
    expect((await update(ledger, 'bob', 5, 'first')).body).toEqual({ response: null });
    expect(await balanceOf(ledger, 'bob')).toBe(0);
  });

  it('reject credit below 0 or above the largest integer (R-36-046)', async () => {
    const ledger = await start();
    const outOfBound = (delta: bigint | number) => ({
      code: 'TRAFFIC_UPDATE_OUT_OF_BOUND',
      cause: `The traffic delta TrafficDelta(value = ${delta}, eventType = credit_delta) cannot be applied to the current balance of alice without the credit balance exceeding its maximum value.`,
      grpcCodeValue: 9,
      context: { account_id: 'alice', traffic_delta: String(delta), delta_type: 'credit_delta' },
    });
    expect((await update(ledger, 'alice', -1, 'a')).body).toMatchObject(outOfBound(-1));
    await update(ledger, 'alice', String(INT64), 'b');
    expect((await update(ledger, 'alice', 1, 'c')).body).toMatchObject(outOfBound(1));
    await update(ledger, 'alice', -1, 'd');
    expect((await update(ledger, 'alice', 1, 'e')).status).toBe(200);
    // The rejected id was not used.
    await update(ledger, 'alice', String(-INT64), 'f');
    expect((await update(ledger, 'alice', 7, 'c')).body.response.balance).toBe(7);
  });

  it('answer a balance beyond the numbers of JavaScript with one in range', async () => {
    const ledger = await start();
    const { body } = await update(ledger, 'alice', String(INT64), 'all');
    expect(BigInt(body.response.balance)).toBeLessThanOrEqual(INT64);
    expect(body.response.balance).toBeGreaterThan(2 ** 62);
  });

  it.each([
    ['AccountId', { accountId: 'a'.repeat(256) }],
    ['EventId', { deduplicationId: 'a'.repeat(256) }],
  ])('take an %s of 255 characters, and none longer', async (name, long) => {
    const ledger = await start();
    const body = { accountId: 'alice', deduplicationId: 'id', balanceDelta: 1, ...long };
    const { status, body: error } = await ledger.post('/v2/traffic/accounts', body);
    expect([status, error.code]).toEqual([400, 'PROTO_DESERIALIZATION_FAILURE']);
    expect(error.context.reason).toBe(
      `InvariantViolation(Some(${name}),The given ${name} has a maximum length of 255 but a ${name} of length 256 ('${'a'.repeat(256)}.') was given)`,
    );
    const fitting = Object.fromEntries(
      Object.entries(long).map(([key, text]) => [key, text.slice(1)]),
    );
    expect((await ledger.post('/v2/traffic/accounts', { ...body, ...fitting })).status).toBe(200);
    // Without a delta, nothing is checked.
    const unset = { ...body, balanceDelta: undefined };
    expect((await ledger.post('/v2/traffic/accounts', unset)).status).toBe(200);
  });

  it('check the length of an id that is asked for', async () => {
    const ledger = await start();
    const path = `/v2/traffic/accounts/${'a'.repeat(256)}`;
    expect((await ledger.client.ledger('GET', path)).body.code).toBe(
      'PROTO_DESERIALIZATION_FAILURE',
    );
  });

  it('prune events up to a time, so that their ids can be used again (R-36-046)', async () => {
    const ledger = await start({ time: '2026-01-01T00:00:00Z' });
    await update(ledger, 'alice', 5, 'first');
    ledger.canticle.advanceTime('PT1H');
    await update(ledger, 'alice', 5, 'second');
    const time = ledger.canticle.time;
    expect(await prune(ledger, '2026-01-01T00:30:00Z')).toEqual({ prunedEventCount: 1 });
    expect(await balanceOf(ledger, 'alice')).toBe(10);
    await update(ledger, 'alice', 5, 'first');
    await update(ledger, 'alice', 5, 'second');
    expect(await balanceOf(ledger, 'alice')).toBe(15);
    // The time is included.
    expect(await prune(ledger, time)).toEqual({ prunedEventCount: 2 });
    expect(await prune(ledger, time)).toEqual({ prunedEventCount: 0 });
  });
});

describe('debits', () => {
  it('are the paid costs of the submissions of one party, accepted or not (R-36-046)', async () => {
    const ledger = await start();
    const [alice, bob] = await ledger.parties('alice', 'bob');
    const { paidTrafficCost: first } = await ledger.transact(dummy(alice), { actAs: alice });
    expect(first).toBeGreaterThan(0);
    expect(await balanceOf(ledger, alice)).toBe(-first);
    expect((await submission(ledger, alice, bob)).status).toBe(200);
    expect(await balanceOf(ledger, alice)).toBe(-first);
    expect(await balanceOf(ledger, bob)).toBe(0);

    // A rejection after sequencing costs as much.
    ledger.canticle.faults.add({
      on: 'postV2CommandsSubmit-and-wait',
      do: { reject: 'MEDIATOR_SAYS_TX_TIMED_OUT' },
    });
    expect((await submission(ledger, alice)).status).toBe(409);
    const left = await balanceOf(ledger, alice);
    expect(left).toBeLessThan(-first);
    ledger.canticle.faults.reset();
    // A rejection before sequencing costs nothing.
    ledger.canticle.faults.add({
      on: 'postV2CommandsSubmit-and-wait',
      do: { reject: 'NOT_SEQUENCED_TIMEOUT' },
    });
    expect((await submission(ledger, alice)).status).toBe(409);
    expect(await balanceOf(ledger, alice)).toBe(left);
  });

  it('are 0 without traffic control', async () => {
    const ledger = await start({ trafficControl: false, trafficAccounts: 'enforce' });
    const [alice] = await ledger.parties('alice');
    expect((await submission(ledger, alice)).status).toBe(200);
    expect(await balanceOf(ledger, alice)).toBe(0);
    // The completion is an event, too.
    expect(await prune(ledger, '9999-01-01T00:00:00Z')).toEqual({ prunedEventCount: 1 });
  });

  it('are undone with their submission, and saved with the world', async () => {
    const ledger = await start();
    const { canticle } = ledger;
    const [alice] = await ledger.parties('alice');
    await update(ledger, alice, 1_000_000, 'first');
    const before = canticle.snapshot();
    await submission(ledger, alice);
    const left = await balanceOf(ledger, alice);
    expect(left).toBeLessThan(1_000_000);
    const loaded = new LedgerApi(
      await startClient({ load: canticle.dump(), packages: [modelPackage] }),
    );
    open.push(loaded);
    expect(await balanceOf(loaded, alice)).toBe(left);
    expect((await update(loaded, alice, 5, 'first')).body.response.balance).toBe(left);
    canticle.revert(before);
    expect(await balanceOf(ledger, alice)).toBe(1_000_000);
  });
});

describe('enforced traffic accounts', () => {
  it('reject a submission whose cost is above the balance of its party (R-36-046)', async () => {
    const ledger = await start({ trafficAccounts: 'enforce' });
    const [alice] = await ledger.parties('alice');
    await update(ledger, alice, 1, 'first');
    const { status, body } = await submission(ledger, alice);
    expect(status).toBe(400);
    const cost = Number(body.context.traffic_cost);
    expect(cost).toBeGreaterThan(0);
    expect(body).toMatchObject({
      code: 'TRAFFIC_ACCOUNT_VALIDATION_FAILED',
      cause: `Insufficient balance (1) for actual traffic cost (${cost}) for account ${alice}`,
      context: { account_id: alice, balance: '1', traffic_cost: String(cost) },
      grpcCodeValue: 9,
    });
    // Nothing was sent, so nothing was paid.
    expect(await balanceOf(ledger, alice)).toBe(1);
    await update(ledger, alice, cost - 2, 'second');
    expect((await submission(ledger, alice)).status).toBe(400);
    await update(ledger, alice, 1 + 10, 'third');
    expect((await submission(ledger, alice)).status).toBe(200);
  });

  it('take a submission whose cost is the whole balance', async () => {
    const ledger = await start({ trafficAccounts: 'enforce' });
    const [alice] = await ledger.parties('alice');
    const commands = ledger.commands(dummy(alice), { actAs: alice, commandId: 'all' });
    const ask = () => ledger.post('/v2/commands/submit-and-wait', commands);
    const cost = Number((await ask()).body.context.traffic_cost);
    // The times and ids in a request change its size by some bytes.
    for (let balance = cost - 20; balance <= cost + 20; balance += 1) {
      await update(ledger, alice, balance - (await balanceOf(ledger, alice)), `to-${balance}`);
      const { status, body } = await ask();
      if (status === 200) {
        expect(await balanceOf(ledger, alice)).toBeGreaterThanOrEqual(0);
        return;
      }
      expect(Number(body.context.traffic_cost)).toBeGreaterThan(balance);
    }
    throw new Error('no submission was accepted');
  });

  it('let the own party of the participant submit without credit, and debit it (R-36-046)', async () => {
    const ledger = await start({ trafficAccounts: 'enforce' });
    const { id } = ledger.canticle.network.participants[0]!;
    expect((await submission(ledger, id)).status).toBe(200);
    expect(await balanceOf(ledger, id)).toBeLessThan(0);
  });

  it('need no credit of the parties that found the network', async () => {
    const ledger = await start({ trafficAccounts: 'enforce', bare: false });
    const { dsoParty } = ledger.canticle.splice;
    expect(await balanceOf(ledger, dsoParty)).toBeLessThan(0);
    expect((await submission(ledger, dsoParty)).status).toBe(200);
  });

  it('reject submissions of several parties only if they should', async () => {
    for (const [trafficAccounts, status] of [
      ['enforce', 200],
      ['enforce-single-party', 400],
    ] as const) {
      const ledger = await start({ trafficAccounts });
      const [alice, bob] = await ledger.parties('alice', 'bob');
      const answer = await submission(ledger, alice, bob);
      expect(answer.status).toBe(status);
      if (status === 200) continue;
      const short = (party: string) => `${party.slice(0, party.indexOf('::') + 14)}...`;
      expect(answer.body).toMatchObject({
        code: 'TRAFFIC_MULTI_PARTY_SUBMISSION_REJECTED',
        cause: `Traffic enforcement rejected submission with non-singleton actAs parties: Seq(${short(alice)}, ${short(bob)})`,
      });
    }
  });

  it('reject the preparation of a transaction that the party cannot pay for (R-36-046)', async () => {
    const ledger = await start({ trafficAccounts: 'enforce' });
    const { party } = await onboard(ledger, 'external', newKey());
    const request = preparation(dummy(party), party);
    const { status, body } = await ledger.post(PREPARE, request);
    expect([status, body.code]).toEqual([400, 'TRAFFIC_ACCOUNT_VALIDATION_FAILED']);
    await update(ledger, party, 1_000_000, 'first');
    expect((await ledger.post(PREPARE, request)).status).toBe(200);
  });
});

describe('the service of traffic accounts over gRPC', () => {
  const SERVICE = 'com.digitalasset.canton.tea.v1.TrafficService';

  it('does the same as the operations (R-36-046)', async () => {
    const ledger = await start({ grpc: {} });
    const grpc = await GrpcClient.connect(ledger.canticle.urls.grpc!);
    try {
      const credit = { accountId: 'alice', balanceDelta: '9007199254740000', deduplicationId: 'a' };
      const { response } = await grpc.call(`${SERVICE}/UpdateAccount`, credit);
      expect(response.accountId).toBe('alice');
      const half = { accountId: 'alice', balanceDelta: '-9007199254739007', deduplicationId: 'b' };
      await grpc.call(`${SERVICE}/UpdateAccount`, half);
      expect(await grpc.call(`${SERVICE}/GetAccount`, { accountId: 'alice' })).toMatchObject({
        accountId: 'alice',
        balance: '993',
      });
      expect(await grpc.call(`${SERVICE}/UpdateAccount`, { accountId: 'bob' })).toEqual({});
      const upTo = { beforeOrAt: '2100-01-01T00:00:00Z' };
      expect(await grpc.call(`${SERVICE}/PruneEvents`, upTo)).toMatchObject({
        prunedEventCount: 2,
      });
      const error = await grpc
        .call(`${SERVICE}/PruneEvents`, {})
        .catch(({ details }: GrpcFault) => details?.['ErrorInfo']);
      expect(error).toMatchObject({
        reason: 'PROTO_DESERIALIZATION_FAILURE',
        metadata: { reason: 'FieldNotSet(before_or_at)' },
      });
    } finally {
      grpc.close();
    }
  });

  it('is unknown on a participant without traffic accounts (R-36-046)', async () => {
    const without = await start({ grpc: {}, trafficAccounts: undefined });
    const grpc = await GrpcClient.connect(without.canticle.urls.grpc!);
    const other = await GrpcClient.connect((await start({ grpc: {} })).canticle.urls.grpc!);
    try {
      const speaking = grpc.speaking(other);
      const ask = speaking.call(`${SERVICE}/GetAccount`, { accountId: 'alice' });
      await expect(ask).rejects.toMatchObject({ code: 12 });
      expect(grpc.services).not.toContain(SERVICE);
    } finally {
      grpc.close();
      other.close();
    }
  });
});
