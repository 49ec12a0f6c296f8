/** Our own controls over HTTP: snapshots, time, migrations, reward rounds, the request journal. */
import { startClient, type TestClient } from '../support/client.js';

let client: TestClient;
beforeEach(async () => {
  client = await startClient({ time: '2026-03-01T00:00:00Z' });
});
afterEach(() => client.close());

const allocate = (partyIdHint: string) => client.ledger('POST', '/v2/parties', { partyIdHint });
const ledgerEnd = async () =>
  (await client.ledger('GET', '/v2/state/ledger-end')).body.offset as number;
const time = async () => (await client.control('GET', '/v1/time')).body.time as string;

describe('snapshots', () => {
  it('restore a state, and the same calls then return the same bytes', async () => {
    const { snapshotId } = (await client.control('POST', '/v1/snapshots')).body;
    const [end, then] = [await ledgerEnd(), await time()];
    const first = await allocate('alice');
    const restored = await client.control('POST', `/v1/snapshots/${snapshotId}/revert`);
    expect(restored.body).toEqual({ snapshotId, time: then });
    expect([await ledgerEnd(), await time()]).toEqual([end, then]);
    expect((await allocate('alice')).body).toEqual(first.body);
  });

  it('remain valid after a revert, except later ones', async () => {
    const { snapshotId } = (await client.control('POST', '/v1/snapshots')).body;
    await allocate('alice');
    const later = (await client.control('POST', '/v1/snapshots')).body.snapshotId as string;
    const revert = (id: string) => client.control('POST', `/v1/snapshots/${id}/revert`);
    expect((await revert(snapshotId)).status).toBe(200);
    expect(await revert(later)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining(later) },
    });
    expect((await revert(snapshotId)).status).toBe(200);
  });

  it('a reset restores the start, and keeps the journal of requests', async () => {
    const [end, then] = [await ledgerEnd(), await time()];
    await allocate('alice');
    await client.control('POST', '/v1/time/advance', { duration: 'P1D' });
    const noted = client.canticle.requests.list().length;
    expect((await client.control('POST', '/v1/reset')).body).toEqual({
      snapshotId: null,
      time: then,
    });
    expect([await ledgerEnd(), await time()]).toEqual([end, then]);
    expect(client.canticle.requests.list().length).toBeGreaterThan(noted);
  });
});

describe('time', () => {
  it('changes only when it is set or advanced', async () => {
    const set = await client.control('PUT', '/v1/time', { time: '2026-04-01T12:00:00Z' });
    expect(set.body).toEqual({ time: '2026-04-01T12:00:00.000000Z', mode: 'virtual' });
    await client.control('POST', '/v1/time/advance', { duration: 'P1DT2H3M4.5S' });
    await client.control('POST', '/v1/time/advance', { micros: 7 });
    expect(await time()).toBe('2026-04-02T14:03:04.500007Z');
    expect(await time()).toBe('2026-04-02T14:03:04.500007Z');
  });

  it('is the record time of updates', async () => {
    await client.control('PUT', '/v1/time', { time: '2027-01-01T00:00:00Z' });
    await allocate('alice');
    expect(await time()).toBe('2027-01-01T00:00:00.000001Z');
  });

  it.each([
    ['PUT', '/v1/time', { time: '2025-01-01T00:00:00Z' }, /cannot go back/],
    ['PUT', '/v1/time', { time: '+10000-01-01T00:00:00Z' }, /9999/],
    ['PUT', '/v1/time', { time: 'tomorrow' }, /time/],
    ['PUT', '/v1/time', {}, /time/],
    ['POST', '/v1/time/advance', {}, /either/],
    ['POST', '/v1/time/advance', { duration: 'PT1S', micros: 1 }, /either/],
    ['POST', '/v1/time/advance', { duration: '1 hour' }, /not a duration/],
    ['POST', '/v1/time/advance', { duration: 'P' }, /not a duration/],
    ['POST', '/v1/time/advance', { micros: -1 }, /cannot go back/],
    ['POST', '/v1/time/advance', { duration: 'P999999999D' }, /9999/],
  ])('%s %s %j is rejected', async (method, path, body, reason) => {
    const before = await time();
    const answer = await client.control(method, path, body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(reason)]);
    expect(await time()).toBe(before);
  });
});

describe('migrations', () => {
  const schedule = (body: unknown) => client.control('PUT', '/v1/migration/schedule', body);

  it('are scheduled, appear in Scan, and are carried out at their time', async () => {
    const scheduled = { time: '2026-03-02T00:00:00.000000Z', migrationId: 4 };
    expect((await schedule(scheduled)).body).toEqual(scheduled);
    expect((await client.scan('GET', '/v0/migrations/schedule')).body).toMatchObject({
      migration_id: 4,
    });
    expect((await client.control('POST', '/v1/migration/carry-out')).body).toEqual({
      migrationId: 4,
    });
    expect(await time()).toBe(scheduled.time);
    expect((await client.scan('GET', '/v0/migrations/schedule')).status).toBe(404);
  });

  it('are cleared', async () => {
    await schedule({ time: '2026-03-02T00:00:00Z', migrationId: 4 });
    expect((await client.control('DELETE', '/v1/migration/schedule')).body).toEqual({
      migrationId: 0,
    });
    expect((await client.control('POST', '/v1/migration/carry-out')).status).toBe(400);
  });

  it.each([
    [{ time: '2026-01-02T00:00:00Z', migrationId: 4 }, /past/],
    [{ time: '2026-03-02T00:00:00Z', migrationId: 0 }, /above/],
    [{ time: '2026-03-02T00:00:00Z' }, /migrationId/],
  ])('%j is rejected', async (body, reason) => {
    const answer = await schedule(body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(reason)]);
  });

  it('belong to the state that a revert restores', async () => {
    const { snapshotId } = (await client.control('POST', '/v1/snapshots')).body;
    await schedule({ time: '2026-03-02T00:00:00Z', migrationId: 4 });
    await client.control('POST', `/v1/snapshots/${snapshotId}/revert`);
    expect((await client.scan('GET', '/v0/migrations/schedule')).status).toBe(404);
  });
});

describe('reward rounds', () => {
  const provider = `app::1220${'ab'.repeat(32)}`;

  it('have the values that a test sets, which Scan returns', async () => {
    const { body } = await client.control('PUT', '/v1/reward-rounds/7', {
      status: 'Ok',
      appActivityWeight: 12,
      mintingAllowances: [{ provider, amount: '1.5' }],
    });
    expect(body).toMatchObject({
      status: 'Ok',
      appActivityWeight: 12,
      mintingAllowances: [{ provider, amount: '1.5000000000' }],
    });
    expect(
      (await client.scan('GET', '/v0/internal/reward-accounting-process/rounds/earliest-available'))
        .status,
    ).toBe(200);
  });

  it.each(['Undetermined', 'CannotProvide'])('may be %s', async (status) => {
    expect((await client.control('PUT', '/v1/reward-rounds/8', { status })).body).toEqual({
      status,
    });
  });

  it.each([
    ['/v1/reward-rounds/x', { status: 'Undetermined' }],
    ['/v1/reward-rounds/1', { status: 'Maybe' }],
    ['/v1/reward-rounds/1', { status: 'Ok', mintingAllowances: [{ provider, amount: '-1' }] }],
  ])('%s %j is rejected', async (path, body) => {
    expect((await client.control('PUT', path, body)).status).toBe(400);
  });
});

describe('the journal of requests', () => {
  const list = async (query = '') =>
    (await client.control('GET', `/v1/requests${query}`)).body.requests;

  it('lists each request with its operation, outcome and effect on the ledger', async () => {
    const end = await ledgerEnd();
    await allocate('alice');
    await allocate('alice');
    const [, allocated, refused] = await list();
    expect(allocated).toMatchObject({
      method: 'POST',
      path: '/v2/parties',
      api: 'ledger',
      operation: 'postV2Parties',
      status: 200,
      outcome: 'answered',
      validation: { ok: true },
      offset: end + 1,
      updateId: expect.stringMatching(/^1220/),
    });
    expect(refused).toMatchObject({
      status: 400,
      outcome: 'refused',
      error: 'INVALID_ARGUMENT',
      offset: null,
    });
    expect(refused.explanation).toContain('already exists');
  });

  it('has the path of a fault in a request', async () => {
    await client.ledger('POST', '/v2/parties', { partyIdHint: 5 });
    const [entry] = await list('?outcome=refused');
    expect(entry.validation).toEqual({
      ok: false,
      path: 'partyIdHint',
      reason: expect.stringContaining('expecting string'),
    });
  });

  it('can be filtered and cleared, and its ids continue', async () => {
    await allocate('alice');
    await client.scan('GET', '/v0/dso-party-id');
    await client.ledger('GET', '/v2/nowhere');
    const ids = async (query: string) => (await list(query)).map(({ id }: { id: number }) => id);
    expect(await ids('?api=scan')).toEqual([2]);
    expect(await ids('?operation=postV2Parties')).toEqual([1]);
    expect(await ids('?outcome=unmatched')).toEqual([3]);
    expect(await ids('?since=3&api=ledger')).toEqual([3]);
    expect((await client.control('DELETE', '/v1/requests')).body).toEqual({ cleared: 7 });
    expect(await ids('')).toEqual([8]);
  });

  it.each(['?api=nope', '?outcome=nope', '?since=x'])('rejects the filter %s', async (query) => {
    expect((await client.control('GET', `/v1/requests${query}`)).status).toBe(400);
  });

  it('is the same for the same requests, with virtual time and without data of the machine', async () => {
    const run = async () => {
      const other = await startClient({ seed: 3 });
      await other.ledger('POST', '/v2/parties', { partyIdHint: 'alice' });
      await other.ledger('GET', '/v2/state/ledger-end');
      const entries = other.canticle.requests.list();
      await other.close();
      return entries;
    };
    expect(await run()).toEqual(await run());
  });
});

describe('pruning', () => {
  const prune = (participant: string, upTo?: number) =>
    client.control('POST', `/v1/participants/${participant}/prune`, { upTo });

  it('removes the history of a participant, until a revert', async () => {
    for (const hint of ['alice', 'bob', 'carol']) await allocate(hint);
    const end = await ledgerEnd();
    const { snapshotId } = (await client.control('POST', '/v1/snapshots')).body;
    const pruned = (prunedUpTo: number) => ({ participant: 'sandbox', prunedUpTo, ledgerEnd: end });
    expect((await prune('sandbox', end - 2)).body).toEqual(pruned(end - 2));
    expect((await prune('sandbox')).body).toEqual(pruned(end - 1));
    const format = {
      eventFormat: { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: false },
    };
    const page = {
      beginExclusive: 0,
      endInclusive: end,
      updateFormat: {
        includeTransactions: { ...format, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
      },
    };
    const read = () => client.ledger('POST', '/v2/updates', page);
    expect(await read()).toMatchObject({
      status: 400,
      body: { code: 'PARTICIPANT_PRUNED_DATA_ACCESSED' },
    });
    await client.control('POST', `/v1/snapshots/${snapshotId}/revert`);
    expect((await read()).body).not.toHaveProperty('code');
  });

  it('releases memory with forgetHistory, and then no revert is possible', async () => {
    const { snapshotId } = (await client.control('POST', '/v1/snapshots')).body;
    for (const hint of ['alice', 'bob']) await allocate(hint);
    const path = '/v1/participants/sandbox/prune';
    expect(await client.control('POST', path, { forgetHistory: true })).toMatchObject({
      body: { prunedUpTo: (await ledgerEnd()) - 1 },
    });
    expect(await client.control('POST', `/v1/snapshots/${snapshotId}/revert`)).toMatchObject({
      status: 404,
      body: { error: expect.stringContaining(`Snapshot ${snapshotId} is gone`) },
    });
    expect(await client.control('POST', '/v1/reset')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('There is no start to go back to') },
    });
  });

  it('is rejected without entries to prune, and for an unknown participant', async () => {
    const end = await ledgerEnd();
    expect(await prune('sandbox', end)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('prune_up_to needs to be before ledger end') },
    });
    expect(await prune('nobody')).toMatchObject({
      status: 404,
      body: { error: 'There is no participant nobody.' },
    });
  });
});

it('also works in-process and in a scenario', () => {
  const { participant, scenario } = client.canticle;
  participant.allocateParty('alice');
  participant.allocateParty('bob');
  expect(participant.prune()).toBe(participant.ledgerEnd - 1);
  participant.allocateParty('carol');
  expect(participant.prune(2)).toBe(participant.ledgerEnd - 2);
  expect(scenario.prune('sandbox')).toBe(participant.ledgerEnd - 1);
  expect(() => scenario.prune('sandbox', { upTo: -1 })).toThrow('NON_POSITIVE_OFFSET');
  expect(scenario.prune('sandbox', { forgetHistory: true })).toBe(participant.ledgerEnd - 1);
  expect(() => client.canticle.reset()).toThrow('There is no start to go back to');
});
