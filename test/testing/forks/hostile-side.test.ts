/** A live side that answers what it likes: a fork says what is wrong in one line, and reads nothing forever. */
import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  d,
  definePackage,
  defineTemplate,
  startCanticle,
  startLocalnet,
  type Canticle,
  type Localnet,
} from 'canticle';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

type Json = any;

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const JSON_TYPE = { 'content-type': 'application/json' };
const MOST_CHANGES = 24;
const folder = useTemporaryFolder();
let live: Canticle;
let url = '';
/** Where the answers are from. */
let target = '';
/** Replaces an answer; if it returns undefined, the live side answers. */
let instead: (path: string, answer: Json) => unknown = () => undefined;
/** Stops all answers. */
let isSilent = false;
/** Unanswered requests for packages, and the most at one time. */
let [openPackages, mostPackages] = [0, 0];
/** Answers with packages wait for this number of requests, up to five seconds. */
let expectedPackages = 0;

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (isSilent) return;
  const { method = 'GET', url = '' } = request;
  // The live side does not get the test's page tokens, and returns its first page again.
  const path = url.replace(/&(pageToken=again|after=5)/, '');
  const sent = Buffer.concat(chunks)
    .toString()
    .replace(/,"pageToken":"again"/, '');
  const body = sent === '' ? {} : { body: sent };
  const type = { ...JSON_TYPE, connection: 'close' };
  const isPackage = path.startsWith('/v2/packages/');
  if (isPackage) mostPackages = Math.max(mostPackages, (openPackages += 1));
  const upstream = await fetch(new Request(target + path, { method, headers: JSON_TYPE, ...body }));
  const bytes = Buffer.from(await upstream.arrayBuffer());
  if (isPackage) {
    // The first request waits for the next ones, and so does each of the others.
    for (let waited = 0; waited < 100 && mostPackages < expectedPackages; waited += 1)
      await setTimeout(50);
    await setTimeout(50);
    openPackages -= 1;
  }
  const isJson = /json/.test(String(upstream.headers.get('content-type')));
  const given = isJson ? instead(path, JSON.parse(bytes.toString())) : undefined;
  response.writeHead(upstream.status, type);
  response.end(given === undefined ? bytes : JSON.stringify(given));
}

beforeAll(async () => {
  live = await startCanticle({ seed: 3 });
  const { participant } = live;
  const bank = participant.allocateParty('bank');
  const iou = { issuer: bank, owner: bank, currency: 'EUR', amount: '4.0', observers: [] };
  participant.create(IOU, iou, { actAs: bank });
  participant.engine.users.create({ id: 'reader', primaryParty: bank }, [
    { kind: 'CanActAs', party: bank },
  ]);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await live.close();
});
beforeEach(() => {
  target = live.url;
});
afterEach(() => {
  instead = () => undefined;
  isSilent = false;
});

/** Packages are read once, all else each time. */
const forked = (options: object = {}) =>
  startCanticle({ fork: { url, cache: join(folder(), 'forks'), refresh: true, ...options } });

async function failureOf(options: object = {}): Promise<Error | undefined> {
  try {
    await (await forked(options)).close();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Ways to each part of a value; of a list, to its first item alone. */
function* waysIn(value: unknown, way: readonly string[] = []): Generator<readonly string[]> {
  if (way.length > 0) yield way;
  if (typeof value !== 'object' || value === null) return;
  const members = Array.isArray(value)
    ? value.slice(0, 1).map((each, place) => [String(place), each] as const)
    : Object.entries(value);
  for (const [name, each] of members) yield* waysIn(each, [...way, name]);
}

async function expectClear(failureOf: () => Promise<Error | undefined>): Promise<void> {
  const answers = new Map<string, Json>();
  instead = (path, json) => void answers.set(path.split('?')[0]!, json);
  expect(await failureOf()).toBeUndefined();
  expect(answers.size).toBeGreaterThan(8);
  const wrong = [null, 7.5, '\u001b[31mx', [], {}, [null], true];
  let number = 0;
  const faults: string[] = [];
  let refused = 0;
  const all = [...answers].flatMap(([path, json]) =>
    [...waysIn(json)].map((way) => ({ path, way })),
  );
  // As many as a test may take, from everywhere.
  const every = Math.ceil(all.length / MOST_CHANGES);
  for (const { path, way } of all.filter((_, place) => place % every === 0)) {
    const value = wrong[(number += 1) % wrong.length];
    instead = (requestPath, answered) => {
      if (requestPath.split('?')[0] !== path) return undefined;
      let at = answered;
      for (const name of way.slice(0, -1)) at = at?.[name];
      if (typeof at === 'object' && at !== null) at[way.at(-1)!] = value;
      return answered;
    };
    const failure = await failureOf();
    if (failure === undefined) continue;
    refused += 1;
    const { name, message } = failure;
    const isClear = name === 'ForkFailed' && !/[\0-\x1f]|undefined|not a function/.test(message);
    if (!isClear) faults.push(`${path} ${way.join('/')} ${JSON.stringify(value)}: ${message}`);
  }
  expect(faults).toEqual([]);
  expect(refused).toBeGreaterThan(3);
}

it('reports a wrong type at any place in one line', () => expectClear(() => failureOf()), 60_000);

it.each(['null', '7', '"x"', '[]', '{}', ''])('reports an invalid answer %s', async (text) => {
  const all = createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => all.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(all.address() as AddressInfo).port}`;
  for (const options of [{ url: at }, { url: undefined, scan: at }])
    expect(await failureOf({ cache: false, ...options })).toMatchObject({ name: 'ForkFailed' });
  all.closeAllConnections();
  all.close();
});

it('rejects a list whose page token repeats', async () => {
  for (const [list, member] of [
    ['/v2/parties', 'nextPageToken'],
    ['/v2/users', 'nextPageToken'],
    ['/v2/package-vetting/list', 'nextPageToken'],
    ['/v2/state/active-contracts-page', 'nextPageToken'],
  ] as const) {
    instead = (path, json) =>
      path.split('?')[0] === list ? { ...json, [member]: 'again' } : undefined;
    live.requests.clear();
    const failure = await failureOf();
    expect(failure).toMatchObject({
      name: 'ForkFailed',
      message: expect.stringContaining('names a page twice as the next one: it has no end.'),
    });
  }
});

describe('of a Scan', () => {
  let localnet: Localnet;
  beforeAll(async () => {
    localnet = await startLocalnet({ ports: 'auto', spliceDars: false });
  });
  afterAll(() => localnet.close());
  const scanned = () => failureOf({ url: undefined, scan: url });

  it('rejects licences whose page token repeats', async () => {
    instead = (path, json) =>
      path.includes('/licenses') ? { ...json, next_page_token: 5 } : undefined;
    target = localnet.urls.scan.replace(/\/api\/scan.*/, '');
    expect(await scanned()).toMatchObject({
      message: expect.stringContaining('names a page twice'),
    });
  });

  it('reports a wrong type in one line', async () => {
    target = localnet.urls.scan.replace(/\/api\/scan.*/, '');
    await expectClear(scanned);
  }, 60_000);
});

it('ends at its timeout, or with the abort signal', async () => {
  isSilent = true;
  expect(await failureOf({ timeout: 50 })).toMatchObject({
    message:
      'Failed to fork: it takes longer than 50 milliseconds (timeout). The data read so far is kept, and the next start continues there.',
  });
  const ending = new AbortController();
  const failure = failureOf({ signal: ending.signal });
  void setTimeout(50).then(() => ending.abort());
  expect(await failure).toMatchObject({ message: 'Failed to fork: it was aborted.' });
  // A finished fork removes its listener from the signal.
  expect(getEventListeners(ending.signal, 'abort')).toEqual([]);
  const controller = new AbortController();
  isSilent = false;
  expect(await failureOf({ signal: controller.signal })).toBeUndefined();
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  isSilent = true;
  expect(await failureOf({ signal: AbortSignal.abort() })).toMatchObject({
    message: 'Failed to fork: it was aborted.',
  });
});

it('is read as of any offset up to its ledger end', async () => {
  const end = live.participant.ledgerEnd;
  expect(await failureOf({ at: end })).toBeUndefined();
  expect(await failureOf({ at: end + 1 })).toMatchObject({
    message: expect.stringContaining(
      `offset ${end + 1} (at, --at) is after its ledger end ${end}.`,
    ),
  });
});

it('receives requests for at most eight packages at once', async () => {
  const packages = Array.from({ length: 10 }, (_, number) => {
    const Note = defineTemplate({
      name: 'Main:Note',
      fields: { owner: d.party },
      signatories: ({ owner }) => [owner],
    });
    return definePackage({ name: `notes-${number}`, version: '1.0.0', templates: [Note] });
  });
  const other = await startCanticle({ seed: 4, packages });
  target = other.url;
  [mostPackages, expectedPackages] = [0, 8];
  expect(await failureOf()).toBeUndefined();
  expectedPackages = 0;
  expect(mostPackages).toBe(8);
  await other.close();
});

it('escapes control characters in errors and progress', async () => {
  instead = (path) =>
    path === '/v2/version' ? { version: '9\u001b[2J\u009b31m\n\u202ex' } : undefined;
  expect(await failureOf()).toMatchObject({
    message: expect.stringContaining('its release is 9\\u001b[2J\\u009b31m\\u000a\\u202ex, but'),
  });
  const lines: string[] = [];
  instead = (path, { version } = {}) =>
    path === '/v2/version' ? { version: `${version}\u001b[2J` } : undefined;
  await (await forked({ onProgress: (line: string) => void lines.push(line) })).close();
  expect(lines.join()).toContain('\\u001b[2J');
  expect(lines.join()).not.toContain('\u001b');
});
