/** The streams that a rehearsal watches: each has its first elements. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_WATCHED_ELEMENTS } from '../../../src/services/limits.js';
import { messageText, type WatchedCall } from '../../../src/services/calls/watched-calls.js';
import { model } from '../../support/daml/model-package.js';
import { GrpcClient } from '../../support/grpc/client.js';
import {
  create,
  startLedgerApi,
  updateFormat,
  wildcard,
  eventFormat,
} from '../../support/ledger-api.js';
import type { LedgerApi } from '../../support/ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let api: LedgerApi;
let grpc: GrpcClient;
let end: number;
const { CANTICLE_REHEARSAL: before } = process.env;

beforeAll(async () => {
  folder = mkdtempSync(join(home(), 'run-'));
  process.env.CANTICLE_REHEARSAL = folder;
  api = await startLedgerApi({ grpc: true });
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  const [alice] = await api.parties('alice');
  for (let n = 0; n <= MAX_WATCHED_ELEMENTS; n += 1)
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice! });
  end = await api.ledgerEnd();
});
afterAll(async () => {
  if (before === undefined) delete process.env.CANTICLE_REHEARSAL;
  else process.env.CANTICLE_REHEARSAL = before;
  grpc.close();
  await api.client.close();
});
// The folder stays until the instance is closed.
const home = useTemporaryFolder();

/** The watched calls of a method that have ended, in order. */
const ended = (method: string): readonly WatchedCall[] =>
  readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as WatchedCall)
    .filter((call) => call.method === method);

/** The elements of the streams of a method. The server sees their end after the client. */
async function watched(method: string, streams: number): Promise<readonly (readonly unknown[])[]> {
  while (ended(method).length < streams) await new Promise((resolve) => setImmediate(resolve));
  return ended(method).map(({ elements }) => elements!.map((each) => JSON.parse(each) as unknown));
}

const format = updateFormat('ACS_DELTA', eventFormat([], wildcard()));

it('has at most 100 elements of a WebSocket', async () => {
  expect(MAX_WATCHED_ELEMENTS).toBe(100);
  const read = async (count: number) => {
    const request = { beginExclusive: end - count, endInclusive: end, updateFormat: format };
    const client = await new StreamClient(`${api.canticle.url}/v2/updates`).send(request);
    await client.closed;
    return client.frames;
  };
  const frames = { at: await read(100), beyond: await read(101) };
  expect([frames.at.length, frames.beyond.length]).toEqual([100, 101]);
  expect(await watched('WS', 2)).toEqual([frames.at, frames.beyond.slice(0, 100)]);
});

it('has at most 100 elements of a stream of gRPC', async () => {
  const filtersForAnyParty = { cumulative: [{ wildcardFilter: {} }] };
  const includeTransactions = {
    eventFormat: { filtersForAnyParty },
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  };
  const read = (count: number) =>
    grpc.stream('UpdateService/GetUpdates', {
      ...{ beginExclusive: String(end - count), endInclusive: String(end) },
      updateFormat: { includeTransactions },
    });
  expect([(await read(100)).length, (await read(101)).length]).toEqual([100, 101]);
  const elements = await watched('GRPC', 2);
  expect(elements.map(({ length }) => length)).toEqual([100, 100]);
});

it('has a message of gRPC as JSON, with texts for large numbers and bytes', () => {
  const message = { offset: 5n, bytes: Uint8Array.of(1), name: 'a' };
  expect(messageText(message)).toBe('{"offset":"5","bytes":"AQ==","name":"a"}');
});
