/** The pages of a list that a participant gives: how many, how large and for how long they are read. */
import {
  ClientError,
  driveNow,
  type ApiAnswer,
  type ApiRequest,
} from '../../src/client/requests.js';
import { OPERATIONS } from '../../src/client/operations.js';
import {
  allPages,
  eachPage,
  MAX_LIST_BYTES,
  MAX_LIST_MS,
  MAX_PAGE_TOKEN,
  MAX_PAGES,
  type Page,
  type Start,
} from '../../src/client/paging.js';

const { users, vettedPackages } = OPERATIONS;
const pageOf = (nextPageToken: string, ...ids: string[]): ApiAnswer => ({
  status: 200,
  body: { users: ids.map((id) => ({ id })), nextPageToken },
});

/** Reads pages of which each names the next one. @returns the tokens that were asked for */
function read(
  nextOf: (token: string) => string,
  start: Start = {},
  clock?: () => number,
): readonly string[] {
  const tokens: string[] = [];
  const send = ({ query }: ApiRequest): ApiAnswer => {
    const token = String(query?.['pageToken'] ?? '');
    tokens.push(token);
    return pageOf(nextOf(token));
  };
  driveNow(
    eachPage(users, {}, () => undefined, start, clock),
    send,
  );
  return tokens;
}

it('requests each page with the token of the previous page', () => {
  const next: Record<string, string> = { '': 'b', b: 'c', c: '' };
  expect(read((token) => next[token]!)).toEqual(['', 'b', 'c']);
  expect(read((token) => next[token]!, { token: 'c', pages: 2 })).toEqual(['c']);
  const bodies: unknown[] = [];
  const items = driveNow(allPages(vettedPackages, { body: { pageSize: 7 } }), ({ body }) => {
    bodies.push(body);
    const of = { participantId: 'p', synchronizerId: 's', packages: [] };
    return {
      status: 200,
      body: { vettedPackages: [of], nextPageToken: bodies.length < 2 ? 'b' : null },
    };
  });
  expect(items).toHaveLength(2);
  expect(bodies).toEqual([{ pageSize: 7 }, { pageSize: 7, pageToken: 'b' }]);
});

it('limits the pages, bytes, tokens and duration of a list', () => {
  expect([MAX_PAGES, MAX_LIST_BYTES, MAX_PAGE_TOKEN, MAX_LIST_MS]).toEqual([
    20_000, 536_870_912, 65_536, 3_600_000,
  ]);
});

it('rejects a list with more pages than the limit', () => {
  const last = MAX_PAGES - 1;
  const until = (end: number) => (token: string) =>
    Number(token) < end ? String(Number(token) + 1) : '';
  expect(read(until(last))).toHaveLength(MAX_PAGES);
  expect(() => read(until(last + 1))).toThrow(`GET /v2/users has more than ${MAX_PAGES} pages.`);
  // Those that an earlier start has read count, too.
  expect(read(until(1), { pages: MAX_PAGES - 2 })).toHaveLength(2);
  expect(() => read(until(1), { pages: MAX_PAGES - 1 })).toThrow('pages');
});

it('rejects a list whose next page is an earlier page', () => {
  const circle: Record<string, string> = { '': 'a', a: 'b', b: 'a' };
  expect(() => read((token) => circle[token]!)).toThrow(
    'GET /v2/users names a page twice as the next one: it has no end.',
  );
});

it('rejects a page token that is longer than the limit', () => {
  const longest = 'x'.repeat(MAX_PAGE_TOKEN);
  expect(read((token) => (token === '' ? longest : ''))).toEqual(['', longest]);
  expect(() => read((token) => (token === '' ? `${longest}x` : ''))).toThrow(
    `names a next page in more than ${MAX_PAGE_TOKEN} characters.`,
  );
});

it('rejects a list that takes longer than the limit', () => {
  const taking = (ms: number) => {
    let time = 5;
    return read(
      (token) => (token === '' ? 'b' : ''),
      {},
      () => {
        const now = time;
        time += ms;
        return now;
      },
    );
  };
  expect(taking(MAX_LIST_MS)).toEqual(['', 'b']);
  expect(() => taking(MAX_LIST_MS + 1)).toThrow(`takes longer than ${MAX_LIST_MS} milliseconds.`);
});

it('rejects a list with more bytes than the limit', () => {
  const listed = (size: number) => {
    let place = 0;
    return driveNow(allPages(users), () => {
      place += 1;
      const bytes = { length: place === 1 ? 1 : size - 1 } as Buffer;
      return { ...pageOf(place === 1 ? 'b' : '', `user-${place}`), bytes };
    });
  };
  expect(listed(MAX_LIST_BYTES)).toEqual([{ id: 'user-1' }, { id: 'user-2' }]);
  expect(() => listed(MAX_LIST_BYTES + 1)).toThrow(
    `GET /v2/users has more than ${MAX_LIST_BYTES} bytes.`,
  );
});

it('ends when it has more items than the caller wants, or when the reader stops it', () => {
  let page = 0;
  const send = () => pageOf(`${(page += 1)}`, 'a', 'b');
  expect(driveNow(allPages(users, {}, 4), send)).toHaveLength(6);
  const taken: Page[] = [];
  driveNow(
    eachPage(users, {}, (each) => taken.push(each) === 2),
    send,
  );
  expect(taken.map(({ next }) => next)).toEqual(['4', '5']);
});

it('reports invalid pages and refusals', () => {
  const answered = (answer: ApiAnswer) => () => driveNow(allPages(users), () => answer);
  expect(answered({ status: 200, body: { users: [{ id: 7 }] } })).toThrow(
    new ClientError(users, 'was answered with an unexpected body: /users/0/id is not a string.'),
  );
  expect(answered({ status: 503, body: undefined, bytes: Buffer.from('busy') })).toThrow(
    'GET /v2/users was answered with 503: busy.',
  );
  for (const [status, code] of [
    [400, 'INVALID_ARGUMENT'],
    [403, 'PERMISSION_DENIED'],
  ] as const)
    expect(answered({ status, body: { code, cause: 'no' } })).toThrow(
      expect.objectContaining({ code }),
    );
});
