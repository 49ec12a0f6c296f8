/** Without a traceparent each request gets its own trace ids, which are the same for the same calls (B-GEN-012). */
import type { LedgerApi } from '../support/ledger-api.js';
import { create, startLedgerApi, type JsonAnswer } from '../support/ledger-api.js';
import { model } from '../support/daml/model-package.js';
import { StreamClient } from '../support/stream-client.js';

const W3C = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-03$/;
const SUBMIT = '/v2/commands/submit-and-wait';

const started: LedgerApi[] = [];
async function start(seed = 0): Promise<LedgerApi> {
  const api = await startLedgerApi({ seed });
  started.push(api);
  return api;
}
afterEach(async () => {
  for (const api of started.splice(0)) await api.client.close();
});

/** The party that each network begins with. */
const someone = (api: LedgerApi): string => api.canticle.participant.engine.id;
let changes = 0;
const dummy = (api: LedgerApi, more: object = {}) =>
  api.commands(create(model('Dummy'), { operator: someone(api) }), {
    actAs: someone(api),
    commandId: `change-${++changes}`,
    ...more,
  });

/** Of a request that is refused, what it is found by. */
type Ids = readonly [traceId: unknown, correlationId: unknown];
const idsOf = ({ traceId, correlationId }: JsonAnswer): Ids => [traceId, correlationId];
const idsOfRead = async (api: LedgerApi): Promise<Ids> =>
  idsOf((await api.post('/v2/updates/update-by-offset', { offset: -1, updateFormat: {} })).body);
const idsOfSubmission = async (api: LedgerApi): Promise<Ids> =>
  idsOf((await api.post(SUBMIT, dummy(api, { commands: [] }))).body);
async function idsOfStream(api: LedgerApi): Promise<Ids> {
  const client = new StreamClient(`${api.canticle.url}/v2/updates`);
  await client.send({ beginExclusive: -1, updateFormat: {} });
  await client.closed;
  return idsOf(client.frames[0]);
}

/** As in a completion. */
async function lastCompletion(api: LedgerApi): Promise<JsonAnswer> {
  const [{ completionResponse }] = await api.ok('/v2/commands/command-completions?limit=1', {
    beginExclusive: (await api.ledgerEnd()) - 1,
  });
  return completionResponse.Completion.value;
}
async function accepted(api: LedgerApi): Promise<string> {
  await api.ok(SUBMIT, dummy(api));
  const { traceContext, submissionId } = await lastCompletion(api);
  expect(traceContext.traceparent).toMatch(W3C);
  return `${traceContext.traceparent} ${submissionId}`;
}

it('two requests never share a trace id, even without a change of the ledger', async () => {
  const api = await start();
  const before = await api.ledgerEnd();
  const ids: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    const [trace, none] = await idsOfRead(api);
    expect(none).toBeNull();
    const refused = await idsOfSubmission(api);
    const { json } = await api.canticle.handle({
      path: SUBMIT,
      body: dummy(api, { commands: [] }),
    });
    const [streamed] = await idsOfStream(api);
    ids.push(trace, ...refused, ...idsOf(json()), streamed);
  }
  expect(await api.ledgerEnd()).toBe(before);
  expect(ids).not.toContain(null);
  expect(new Set(ids).size).toBe(ids.length);
  const [traceparent, submissionId] = (await accepted(api)).split(' ') as [string, string];
  expect(ids).not.toContain(traceparent.slice(3, 35));
  expect(ids).not.toContain(submissionId);
});

it('a submission during a pause of the synchronizer has separate ids', async () => {
  const api = await start();
  api.canticle.pauseSynchronizer();
  const before = await api.ledgerEnd();
  for (let i = 0; i < 3; i++) await api.ok('/v2/commands/async/submit', dummy(api));
  api.canticle.resumeSynchronizer();
  const request = { beginExclusive: before };
  const list = await api.ok('/v2/commands/command-completions?limit=3', request);
  const ids = list.flatMap(({ completionResponse }: JsonAnswer) => {
    const { traceContext, submissionId } = completionResponse.Completion.value;
    return [traceContext.traceparent, submissionId];
  });
  expect(new Set(ids).size).toBe(6);
});

it('rejected in-process submissions have separate traces', async () => {
  const api = await start();
  const { participant } = api.canticle;
  const party = someone(api);
  const traces: string[] = [];
  const make = () =>
    participant.create(model('Dummy'), { operator: party }, { actAs: [party], commandId: 'once' });
  make();
  for (let i = 0; i < 2; i++) {
    expect(make).toThrow('DUPLICATE_COMMAND');
    const { traceContext, status } = await lastCompletion(api);
    expect(traceContext.traceparent).toMatch(W3C);
    expect(status.details[0].valueDecoded.metadata.tid).toBe(traceContext.traceparent.slice(3, 35));
    traces.push(traceContext.traceparent);
  }
  expect(traces[1]).not.toBe(traces[0]);
});

/** Refused and accepted requests of every kind. */
async function traceIds(api: LedgerApi): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (const idOf of [idsOfRead, idsOfSubmission, accepted, idsOfStream, idsOfSubmission, accepted])
    ids.push(await idOf(api));
  return ids;
}

it('the same calls have the same ids for the same seed, and other ids for another seed', async () => {
  const [one, same, other] = [
    await traceIds(await start(1)),
    await traceIds(await start(1)),
    await traceIds(await start(2)),
  ];
  expect(same).toEqual(one);
  const flat = (ids: unknown[]) => ids.flat().filter((id) => id !== null);
  expect(flat(other).filter((id) => flat(one).includes(id))).toEqual([]);
});

it('updates after a revert or a reset have the ids of the first run, not of the reverted updates', async () => {
  const api = await start();
  const before = [await idsOfRead(api), await idsOfSubmission(api)];
  const snapshot = api.canticle.snapshot();
  api.canticle.network.startHere();
  const first = await traceIds(api);
  expect(first).not.toEqual(expect.arrayContaining([before[0]]));
  api.canticle.revert(snapshot);
  expect(await traceIds(api)).toEqual(first);
  api.canticle.reset();
  expect(await traceIds(api)).toEqual(first);
});

it('a snapshot includes the state of ids after refusals', async () => {
  const api = await start();
  const early = api.canticle.snapshot();
  const refused = await idsOfSubmission(api);
  const late = api.canticle.snapshot();
  const next = await idsOfSubmission(api);
  api.canticle.revert(late);
  expect(await idsOfSubmission(api)).toEqual(next);
  api.canticle.revert(early);
  expect(await idsOfSubmission(api)).toEqual(refused);
});

it('earlier reads of missing data do not change the ids of a submission', async () => {
  const api = await start();
  const snapshot = api.canticle.snapshot();
  const quiet = await accepted(api);
  api.canticle.revert(snapshot);
  for (let i = 0; i < 5; i++) await idsOfRead(api);
  expect(await accepted(api)).toBe(quiet);
});
