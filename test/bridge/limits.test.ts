/** Limits of the search in recordings, and of the requests to compared systems. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HarIndex } from '../../src/bridge/har-index.js';
import { callOf } from '../../src/bridge/operation-of.js';
import { PartyNames } from '../../src/bridge/party-names.js';
import { HttpSide } from '../../src/client/http-side.js';
import { routerOf } from '../../src/http/index.js';
import { Identities } from '../../src/recording/index.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();
const MAX_PREFIX = 6;
const MAX_PAGES = 100;
const COMPARED = 128;

it('finds an API below a prefix of at most five path segments', () => {
  const requestWith = (names: number) =>
    callOf(routerOf(), 'GET', `http://a${'/x'.repeat(names)}/v2/version?b=c`);
  expect(requestWith(0)).toMatchObject({ api: 'ledger', target: '/v2/version?b=c' });
  expect(requestWith(MAX_PREFIX - 1)).toMatchObject({
    api: 'ledger',
    operation: { operationId: 'getV2Version' },
    target: '/v2/version?b=c',
  });
  expect(requestWith(MAX_PREFIX)).toBeUndefined();
  const unknown = (names: number) =>
    callOf(routerOf(), 'GET', `http://a${'/x'.repeat(names)}/v2/no-such`);
  expect(unknown(MAX_PREFIX - 1)).toMatchObject({ api: 'ledger', target: '/v2/no-such' });
  expect(unknown(MAX_PREFIX)).toBeUndefined();
});

it('compares the first 128 characters of a path to find the nearest exchange', async () => {
  const pathOf = (length: number, end: string) => `/${'p'.repeat(length - 1)}${end}`;
  const nearest = async (length: number) => {
    const file = join(folder(), `${length}.har`);
    const entries = ['a', 'b'].map((end) => ({
      request: { method: 'GET', url: `http://host${pathOf(length, end)}`, headers: [] },
      response: { status: 200, headers: [], content: {} },
    }));
    writeFileSync(file, JSON.stringify({ log: { entries } }));
    const index = await HarIndex.open(file, () => Promise.resolve());
    const found = index.nearest({ method: 'GET', target: pathOf(length, 'bz'), body: '' });
    index.close();
    return found?.number;
  };
  expect(await nearest(COMPARED - 1)).toBe(2);
  expect(await nearest(COMPARED)).toBe(1);
});

describe('names of parties', () => {
  let pages: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const [, page = ''] = /^\/v2\/parties(?:\?pageToken=(\d+))?$/.exec(url) ?? [];
    if (!/^\/v2\/parties(\?|$)/.test(url)) return void response.end('{}');
    const number = Number(page || '1');
    pages.push(page);
    response.end(
      JSON.stringify({
        partyDetails: [{ party: `party-${number}::1220${String(number).padStart(64, '0')}` }],
        nextPageToken: String(number + 1),
      }),
    );
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => void server.close());
  beforeEach(() => (pages = []));

  const namesKnown = async (number: number) => {
    const { port } = server.address() as AddressInfo;
    const identities = new Identities();
    const names = new PartyNames(identities, new HttpSide(`http://127.0.0.1:${port}`));
    const recorded = { kind: 'hash', text: `1220${'a'.repeat(64)}` } as const;
    // A name that is not found is not searched for again.
    for (let times = 0; times < 2; times++)
      await names.learn(`{"actAs":["party-${number}::${recorded.text}"]}`, undefined);
    return identities.knows(recorded);
  };

  it('come from at most 100 pages', async () => {
    expect(await namesKnown(MAX_PAGES)).toBe(true);
    expect(pages).toHaveLength(MAX_PAGES);
    expect(await namesKnown(MAX_PAGES + 1)).toBe(false);
    expect(pages).toHaveLength(2 * MAX_PAGES);
  });
});
