/** `canticle verify`: it reports no differences without changes, for any ids and times, and finds planted changes at their place. */
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startCanticle, type Canticle } from '../../../src/index.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';
import { recordSession, SCENARIO } from './recorded-session.js';

const folder = useTemporaryFolder();
let file: string;

beforeAll(async () => {
  file = join(folder(), 'session.har');
  await recordSession(file, { seed: 3, time: '2026-02-03T04:05:06.789Z' });
});

async function verified(path: string, ...flags: string[]) {
  const { status, stdout, stderr } = await runHere(
    'verify',
    path,
    '--scenario',
    SCENARIO,
    '--json',
    ...flags,
  );
  expect(stderr).toBe('');
  const [report] = JSON.parse(stdout);
  return { status, report };
}

it('finds no differences on another network with the same scenario', async () => {
  const { status, report } = await verified(file, '--seed', '8');
  const allExchanges = report.operations.flatMap(({ exchanges }: any) => exchanges);
  expect(allExchanges.filter(({ differences }: any) => differences)).toEqual([]);
  expect(status).toBe(0);
  expect(allExchanges.map(({ why }: any) => why)).toEqual([
    'it is a preflight request of a browser',
    'Canticle does not serve this API',
  ]);
  expect(report.equal).toBe(report.exchanges - 2);
  expect(report.operations.flatMap(({ unfitting }: any) => unfitting)).toEqual([]);
  expect(report.operations.map(({ operation }: any) => operation)).toEqual(
    expect.arrayContaining(['ledger postV2Updates (WebSocket)', 'scan getDsoPartyId']),
  );
});

it('sends requests to a saved world', async () => {
  const world = join(folder(), 'world.canticle');
  const saved = await startCanticle({ scenario: SCENARIO, seed: 5 });
  saved.save(world);
  await saved.close();
  const { status, stdout } = await runHere('verify', file, '--load', world);
  expect([status, stdout]).toEqual([0, expect.stringContaining(', 2 not comparable')]);
  const none = await runHere('verify', file, '--load', join(folder(), 'none'));
  expect([none.status, none.stderr]).toEqual([
    1,
    expect.stringContaining('failed to build the world'),
  ]);
});

type Json = any;
interface Planted {
  /** Part of the path, and of the request's body if several requests have that path. */
  readonly of: string;
  readonly with?: string;
  /** Changes the answer, and returns it if it is not an object. */
  readonly change: (body: Json, entry: Json) => unknown;
  /** The places of the difference; empty if the change is not a difference. */
  readonly at: readonly string[];
}

const event = (body: Json) => body.transaction.events[0].CreatedEvent;
const submit = 'submit-and-wait-for-transaction';
const PLANTED: Readonly<Record<string, Planted>> = {
  'another status': {
    of: '/v2/users',
    change: (_, { response }) => void (response.status = 201),
    at: ['status'],
  },
  'another type of content': {
    of: '/v2/users',
    change: (_, { response }) =>
      void (response.headers = [{ name: 'Content-Type', value: 'text/plain' }]),
    at: ['content-type'],
  },
  'another value': {
    of: submit,
    with: '"c-1"',
    change: (body) => void (event(body).createArgument.amount = '7.1000000000'),
    at: ['/transaction/events/0/CreatedEvent/createArgument/amount'],
  },
  'a recorded member that the answer lacks': {
    of: submit,
    with: '"c-1"',
    change: (body) => void (event(body).more = null),
    at: ['/transaction/events/0/CreatedEvent/more'],
  },
  'a member that the recording lacks': {
    of: submit,
    with: '"c-1"',
    change: (body) => void delete event(body).packageName,
    at: ['/transaction/events/0/CreatedEvent/packageName'],
  },
  'null in place of a value': {
    of: '/v2/state/connected-synchronizers',
    change: (body) => void (body.connectedSynchronizers[0].synchronizerAlias = null),
    at: ['/connectedSynchronizers/0/synchronizerAlias'],
  },
  'a missing element': {
    of: '/v2/state/active-contracts',
    change: (body) => void body.pop(),
    at: ['/3'],
  },
  'elements in another order': {
    of: '/v2/state/active-contracts',
    change: (body) => void body.reverse(),
    at: expect.arrayContaining([expect.stringMatching(/^\/0\//)]) as never,
  },
  'another error code': {
    of: submit,
    with: '"c-4"',
    change: (body) => void (body.code = 'CONTRACT_NOT_ACTIVE'),
    at: ['/code'],
  },
  'one id for two contracts': {
    of: '/v2/state/active-contracts',
    change: (body) => {
      const [one, two] = body.map((each: Json) => each.contractEntry.JsActiveContract.createdEvent);
      one.contractId = two.contractId;
    },
    at: expect.arrayContaining([
      expect.stringMatching(/^\/[01]\/.*createdEvent\/contractId$/),
    ]) as never,
  },
  'another offset': {
    of: submit,
    with: '"c-3"',
    change: (body) => void (body.transaction.offset -= 1),
    at: expect.arrayContaining(['/transaction/offset']) as never,
  },
  'an invalid time': {
    of: submit,
    with: '"c-3"',
    change: (body) => void (body.transaction.effectiveAt = 'today'),
    at: ['/transaction/effectiveAt'],
  },
  'another party': {
    of: submit,
    with: '"c-1"',
    change: (body) =>
      void (event(body).signatories[0] = event(body).signatories[0].replace('alice', 'carol')),
    at: ['/transaction/events/0/CreatedEvent/signatories/0'],
  },
  'an answer that is not JSON': {
    of: '/v0/dso-party-id',
    change: () => '{"dso_party_id":',
    at: [''],
  },
  'a missing WebSocket message': {
    of: '/v2/updates',
    change: (_, entry) => void entry._webSocketMessages.splice(2, 1),
    at: expect.arrayContaining([expect.stringMatching(/^\/1\/?/)]) as never,
  },
  'another WebSocket message': {
    of: '/v2/updates',
    change: (_, { _webSocketMessages: messages }) =>
      void (messages[1].data = messages[1].data.replace('7.0000000000', '8.0000000000')),
    at: ['/0/update/Transaction/value/events/0/CreatedEvent/createArgument/amount'],
  },
  'nothing if only the order of a set differs': {
    of: submit,
    with: '"c-1"',
    change: (body) => void event(body).signatories.reverse(),
    at: [],
  },
};

/** The recording with this difference planted. */
function planted({ of, with: words = '', change }: Planted): string {
  const har = JSON.parse(readFileSync(file, 'utf8'));
  const entry = har.log.entries.find(
    ({ request }: Json) =>
      request.url.endsWith(of) &&
      request.method !== 'OPTIONS' &&
      (request.postData?.text ?? '').includes(words),
  );
  const { content } = entry.response;
  const body = content.text ? JSON.parse(content.text) : undefined;
  const given = change(body, entry);
  content.text = typeof given === 'string' ? given : JSON.stringify(body);
  const path = join(folder(), 'planted.har');
  writeFileSync(path, JSON.stringify(har));
  return path;
}

it.each(Object.entries(PLANTED))('%s', async (_name, each) => {
  const { status, report } = await verified(planted(each), '--quiet', '1000');
  const different = report.operations.flatMap(({ exchanges }: Json) =>
    exchanges.filter(({ differences }: Json) => differences),
  );
  const places = different.flatMap(({ differences }: Json) =>
    differences.map(({ at }: Json) => at),
  );
  expect(places).toEqual(each.at);
  expect(status).toBe(places.length === 0 ? 0 : 1);
});

it('reports by operation, as lines and as JUnit', async () => {
  const path = planted(PLANTED['another error code']!);
  const junit = join(folder(), 'verified.xml');
  const { status, stdout } = await runHere(
    'verify',
    path,
    '--scenario',
    SCENARIO,
    '--junit',
    junit,
  );
  expect(status).toBe(1);
  expect(stdout).toContain(
    `  ✗ ledger postV2CommandsSubmit-and-wait-for-transaction: 4 equal, 1 different\n      exchange `,
  );
  expect(stdout).toMatch(/\/code: recorded "CONTRACT_NOT_ACTIVE", now "CONTRACT_NOT_FOUND"\n/);
  expect(stdout).toMatch(/\d+ exchanges: \d+ equal, 1 different, 2 not comparable\n$/);
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<testsuites errors="0" failures="1"[^]*failure message="4 equal, 1 different"/,
  );
});

it('sends requests to a live participant as well, with a token', async () => {
  const services = [{ type: 'unsafe-jwt-hmac-256', secret: 'x' }] as const;
  const open = await startCanticle({ scenario: SCENARIO, seed: 5 });
  const guarded = await startCanticle({ scenario: SCENARIO, seed: 6, auth: { services } });
  const token = join(folder(), 'token');
  writeFileSync(token, await guarded.accessToken({ sub: 'participant_admin' }));
  const against = ({ urls }: Canticle, ...flags: string[]) =>
    runHere('verify', file, '--against', new URL(urls.ledgerApi).origin, '--json', ...flags);
  const equal = async (...[canticle, ...flags]: Parameters<typeof against>) => {
    const [report] = JSON.parse((await against(canticle, ...flags)).stdout);
    return report.operations.filter((each: Json) => each.equal > 0).length;
  };
  const [all, admins, nobodys] = [
    await equal(open),
    await equal(guarded, '--access-token-file', token),
    await equal(guarded),
  ];
  expect(all).toBe(17);
  expect(admins).toBeLessThan(all);
  expect(nobodys).toBeLessThan(admins);
  await Promise.all([open.close(), guarded.close()]);
  const { ledgerApi } = { ledgerApi: 'http://127.0.0.1:1' };
  expect(await runHere('verify', file, '--against', ledgerApi)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('failed to reach the participant'),
  });
});

it.each([
  ['torn', (text: string) => text.slice(0, -300), /it is truncated: it ends after exchange \d+\./],
  ['empty', () => '', /it is not a HAR file: it has no log with entries\./],
  ['JSON without exchanges', () => '{"log":{"lines":[]}}', /it is not a HAR file/],
  ['a list', () => '[{"log":{"entries":[]}}]', /it is not a HAR file/],
  ['not JSON', () => 'HTTP/1.1 200 OK', /it is not a HAR file/],
  [
    'without URLs',
    () => '{"log":{"entries":[{"request":{}}]}}',
    /exchange 1 is not a valid HAR entry: .*method is not a string/,
  ],
  ['broken', () => '{"log":{"entries":[{"a" 1}]}}', /exchange 1 is not JSON/],
])('reports the fault of a file that is %s', async (_name, text, why) => {
  const path = join(folder(), 'wrong.har');
  writeFileSync(path, text(readFileSync(file, 'utf8')));
  const { status, stderr } = await runHere('verify', path, '--scenario', SCENARIO);
  expect(status).toBe(2);
  expect(stderr).toMatch(why);
});

it('reads recordings with the omissions and additions of browsers', async () => {
  const { origin } = new URL('http://anywhere:1/');
  const entries = [
    {
      request: { method: 'GET', url: `${origin}/below/v2/state/ledger-end` },
      response: { status: 200 },
    },
    {
      request: { method: 'GET', url: `${origin}/v2/packages` },
      response: { status: 200, content: { size: 9 } },
    },
    { request: { method: 'GET', url: `${origin}/v2/parties` }, response: { status: 401 } },
    { request: { method: 'GET', url: `${origin}/v2/parties` }, response: { status: 304 } },
    ...[407, 502, 504].map((status) => ({
      request: { method: 'GET', url: `${origin}/v2/parties` },
      response: { status },
    })),
    {
      request: { method: 'GET', url: `${origin}/v2/parties` },
      response: { status: 0, _error: 'net' },
    },
    {
      request: { method: 'GET', url: `${origin}/v2/nothing` },
      response: { status: 404, content: { size: 9 } },
    },
  ];
  const path = join(folder(), 'browser.har');
  const log = { pages: [{ id: 'log' }], browser: { name: 'entries' }, entries, version: '1.2' };
  writeFileSync(path, `\ufeff${JSON.stringify({ log }, undefined, 2)}\n`);
  const { report } = await verified(path);
  const reasons = report.operations.flatMap(({ operation, exchanges }: Json) =>
    exchanges.map(({ why, differences }: Json) => [operation, why ?? differences[0].at]),
  );
  expect(reasons).toEqual([
    ['ledger getV2StateLedger-end', 'content-type'],
    ['ledger getV2Packages', 'the recording does not contain the body of its answer'],
    ['ledger getV2Parties', '401: this world has no authorization, so callers need no token'],
    ['ledger getV2Parties', '304: the client had the answer in its cache'],
    ['ledger getV2Parties', '407 is the answer of a proxy'],
    ['ledger getV2Parties', '502 is the answer of a proxy'],
    ['ledger getV2Parties', '504 is the answer of a proxy'],
    ['ledger getV2Parties', 'the recording has no answer'],
    ['GET /v2/nothing', 'the recording does not contain the body of its answer'],
  ]);
});

it('sends each request before it reads the next exchange, so that it holds one exchange in memory', async () => {
  const pipe = join(folder(), 'pipe.har');
  execFileSync('mkfifo', [pipe]);
  const paths: string[] = [];
  const heard = new EventEmitter();
  const server = createServer((request, response) => {
    paths.push(request.url!);
    response.setHeader('content-type', 'application/json').end('{"offset":1}');
    heard.emit('request');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const against = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ran = runHere('verify', pipe, '--against', against, '--json');
  const file = await open(pipe, 'w');
  const content = { mimeType: 'application/json', text: '{"offset":1}' };
  for (let i = 0; i < 4; i++) {
    const url = `http://anywhere/v2/state/ledger-end?number=${i}`;
    const entry = { request: { method: 'GET', url }, response: { status: 200, content } };
    const lastRequest = new Promise<void>((resolve) => {
      const look = () => (paths.includes(`/v2/state/ledger-end?number=${i}`) ? resolve() : wait());
      const wait = () => heard.once('request', look);
      look();
    });
    await file.write(`${i === 0 ? '{"log":{"entries":[' : ','}${JSON.stringify(entry)}`);
    // The array has no further entry yet, but the request is already sent.
    await lastRequest;
  }
  await file.write(']}}');
  await file.close();
  const [report] = JSON.parse((await ran).stdout);
  expect(report).toMatchObject({ exchanges: 4, equal: 4 });
  server.closeAllConnections();
  server.close();
});
