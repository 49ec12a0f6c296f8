/** Offset checkpoints in open streams (B-CHK-*). Delays are those of the machine, here very short ones. */
import type { StartOptions } from 'canticle';
import { offsetOf, StreamClient } from '../../support/stream-client.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';

const DUMMY = '#model-tests:Test:Dummy';
const NEVER = 1_000_000;
let api: LedgerApi;
let alice: string;
let bob: string;

async function start(
  checkpoints: { first?: number; interval?: number; idle?: number },
  options: StartOptions = {},
) {
  api = await startLedgerApi({
    ...options,
    checkpoints: { first: NEVER, interval: NEVER, idle: NEVER, ...checkpoints },
  });
  [alice, bob] = await api.parties('alice', 'bob');
}
afterEach(() => api.client.close());

const dummy = (operator: string) => api.submit(create(DUMMY, { operator }), { actAs: operator });

async function open(path: string, body: Record<string, unknown>, participant = '') {
  const updates = updateFormat('ACS_DELTA', eventFormat([alice], wildcard()));
  const own =
    path === '/v2/updates' ? { updateFormat: updates } : { userId: 'tester', parties: [alice] };
  return new StreamClient(`${api.canticle.url}${participant}${path}`).send({ ...own, ...body });
}

it.each(['/v2/updates', '/v2/commands/completions', '/v2/commands/command-completions'])(
  '%s, opened at the ledger end, sends a checkpoint with it (B-CHK-002, B-CHK-004)',
  async (path) => {
    await start({ first: 1, interval: 1, idle: 1 });
    await dummy(bob);
    const offset = await api.ledgerEnd();
    const client = await open(path, { beginExclusive: offset });
    await client.until(() => client.checkpoints.length > 0);
    const [synchronizer] = api.canticle.network.synchronizers;
    const { recordTime } = (
      await api.updates(updateFormat('ACS_DELTA', eventFormat([bob], wildcard())))
    ).at(-1).Transaction.value;
    expect(client.frames).toHaveLength(1);
    expect(client.checkpoints).toEqual([
      { offset, synchronizerTimes: [{ synchronizerId: synchronizer!.id, recordTime }] },
    ]);
  },
);

it('names only the connected synchronizers of the participant', async () => {
  await start(
    { first: 1, interval: 1, idle: 1 },
    {
      synchronizers: ['one', 'two'],
      participants: [{ name: 'first', synchronizers: ['two'] }, { name: 'second' }],
    },
  );
  const [one, two] = api.canticle.network.synchronizers.map(({ id }) => id);
  for (const [name, ids] of [
    ['first', [two]],
    ['second', [one, two]],
  ] as const) {
    const client = await open('/v2/updates', { beginExclusive: 0 }, `/participants/${name}`);
    await client.until(() => client.checkpoints.length > 0);
    const [{ synchronizerTimes }] = client.checkpoints as any;
    expect(synchronizerTimes.map(({ synchronizerId }: any) => synchronizerId)).toEqual(ids);
  }
});

it('a quiet stream sends one checkpoint after entries of other parties (B-CHK-005)', async () => {
  await start({ interval: 1, idle: 2 });
  const client = await open('/v2/updates', { beginExclusive: await api.ledgerEnd() });
  await dummy(bob);
  const end = await api.ledgerEnd();
  await client.until(() => client.checkpoints.some(({ offset }) => offset === end));
  await dummy(bob);
  await client.until(() => client.checkpoints.some(({ offset }) => offset === end + 1));
  const offsets = client.checkpoints.map(({ offset }) => offset as number);
  expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
});

it('a quiet stream sends a checkpoint that is newer than the last entry (B-CHK-005)', async () => {
  await start({ first: 1, interval: 100, idle: 150 });
  const begin = await api.ledgerEnd();
  const client = await open('/v2/updates', { beginExclusive: begin });
  await client.until(() => client.checkpoints.length > 0);
  await dummy(bob);
  await client.until(() => client.checkpoints.length > 1);
  expect(client.frames.map(offsetOf)).toEqual([begin, begin + 1]);
});

it('at least one more follows the last transaction (B-CHK-007)', async () => {
  await start({ interval: 1, idle: 2 });
  const client = await open('/v2/updates', { beginExclusive: await api.ledgerEnd() });
  for (let i = 0; i < 5; i++) await dummy(alice);
  const end = await api.ledgerEnd();
  await client.until(() => client.checkpoints.at(-1)?.offset === end);
  expect(client.elements).toHaveLength(5);
});

it('never has a lower offset than an earlier frame (B-CHK-003)', async () => {
  await start({ first: 1, interval: 1, idle: 1 });
  const begin = await api.ledgerEnd();
  const client = await open('/v2/updates', { beginExclusive: begin });
  for (let i = 0; i < 30; i++) await dummy(i % 3 === 0 ? bob : alice);
  await client.until(() => client.checkpoints.at(-1)?.offset === begin + 30);
  const offsets = client.frames.map(offsetOf);
  expect(offsets[0]).toBeGreaterThanOrEqual(begin);
  expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
  expect(client.elements).toHaveLength(20);
});

it('a stream at the end of a log with new entries sends no checkpoint (B-CHK-009)', async () => {
  await start({ first: 1 });
  await dummy(bob);
  const body = {
    beginExclusive: await api.ledgerEnd(),
    updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard())),
  };
  expect(await api.ok('/v2/updates?stream_idle_timeout_ms=50', body)).toEqual([]);
});

it('counts as an element of a list, and delays its end (B-CHK-008, B-WS-020)', async () => {
  await start({ first: 30, interval: 1 });
  const beginExclusive = await api.ledgerEnd();
  const body = {
    beginExclusive,
    updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard())),
  };
  const list = await api.ok('/v2/updates?limit=1&stream_idle_timeout_ms=20000', body);
  expect(list.map(({ update }: any) => update.OffsetCheckpoint.value.offset)).toEqual([
    beginExclusive,
  ]);
});

describe('an earlier checkpoint (B-CHK-010)', () => {
  const list = (path: string, query: string, body: object) =>
    api.post(`${path}?${query}`, body) as Promise<any>;
  const kinds = ({ body }: any) =>
    body.map((each: any) => Object.keys(each.update ?? each.completionResponse)[0]);

  it('appears between the first entries with the wall clock', async () => {
    await start({ interval: 50 }, { clock: 'wall' });
    const begin = await api.ledgerEnd();
    await dummy(bob);
    await new Promise((resolve) => setTimeout(resolve, 80));
    await dummy(bob);
    const completions = { beginExclusive: begin, userId: 'tester', parties: [alice] };
    const limited = await list('/v2/commands/completions', 'limit=1', completions);
    expect(kinds(limited)).toEqual(['OffsetCheckpoint']);
    const updates = {
      beginExclusive: begin,
      updateFormat: updateFormat('ACS_DELTA', eventFormat([alice], wildcard())),
    };
    const all = await list('/v2/updates', 'stream_idle_timeout_ms=100', updates);
    expect(kinds(all)).toEqual(['OffsetCheckpoint']);
    const client = await open('/v2/updates', { beginExclusive: begin });
    await client.until(() => client.checkpoints.length > 0);
    const endInclusive = await api.ledgerEnd();
    const finite = await list('/v2/updates', 'limit=1', { ...updates, endInclusive });
    expect(kinds(finite)).toEqual([]);
  });

  it('does not appear with virtual time', async () => {
    await start({ interval: 50 });
    const begin = await api.ledgerEnd();
    await dummy(bob);
    await new Promise((resolve) => setTimeout(resolve, 80));
    const completions = { beginExclusive: begin, userId: 'tester', parties: [alice] };
    expect((await list('/v2/commands/completions', 'limit=1', completions)).body).toEqual([]);
  });
});
