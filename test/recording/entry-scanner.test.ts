/** Exchanges of a file that is read in pieces of any size. An invalid recording gets an error in one sentence. */
import { EntryScanner, RecordingError } from '../../src/recording/entry-scanner.js';

const exchange = (path: string, more: object = {}) => ({
  request: { method: 'GET', url: `http://x.test/${path}` },
  response: { status: 200 },
  ...more,
});
const har = (...entries: readonly unknown[]) =>
  JSON.stringify({ log: { version: '1.2', entries } });

function scanned(text: string, size = text.length) {
  const scanner = new EntryScanner();
  const found: [url: string, text: string][] = [];
  for (let at = 0; at < text.length; at += size)
    for (const { request } of scanner.push(text.slice(at, at + size))) {
      const { start, length } = scanner.last;
      found.push([request.url.slice('http://x.test/'.length), text.slice(start, start + length)]);
    }
  scanner.end();
  return found;
}
const fault = (text: string, size?: number) => {
  try {
    scanned(text, size);
    return undefined;
  } catch (error) {
    if (error instanceof RecordingError) return error.message;
    throw error;
  }
};
const NO_HAR = 'it is not a HAR file: it has no log with entries.';

it('finds exchanges at their positions', () => {
  const [a, b] = [exchange('a"}]\\'), exchange('b', { _x: [{ y: [1] }] })];
  const text = har(a, b);
  const all = [
    ['a"}]\\', JSON.stringify(a)],
    ['b', JSON.stringify(b)],
  ];
  for (const size of [undefined, 1, 7]) expect(scanned(text, size)).toEqual(all);
  expect(scanned(`\ufeff \t\r\n${text}\n`)).toHaveLength(2);
  expect(scanned(har())).toEqual([]);
});

it('rejects an exchange that is longer than the limit, in a file with chunks of any size', () => {
  const [a, b] = [exchange('a'), exchange('a-long-one')];
  const text = har(a, b);
  const read = (limit: number, size: number) => {
    const scanner = new EntryScanner(undefined, limit);
    const found: string[] = [];
    try {
      for (let at = 0; at < text.length; at += size)
        for (const { request } of scanner.push(text.slice(at, at + size))) found.push(request.url);
      return found;
    } catch (error) {
      return [...found, (error as RecordingError).message];
    }
  };
  const { length } = JSON.stringify(b);
  for (const size of [text.length, 50, 1]) {
    expect(read(length, size)).toEqual([a.request.url, b.request.url]);
    expect(read(length - 1, size)).toEqual([
      a.request.url,
      `exchange 2 is longer than ${length - 1} characters.`,
    ]);
  }
});

it('skips other lists of the file, even with the name `entries`', () => {
  const pages = [{ id: 'p', entries: [exchange('no')] }];
  const log = { entries: [exchange('yes')], pages, browser: { entries: [exchange('no')] } };
  const other = { entries: [exchange('no')], logs: { entries: [exchange('no')] } };
  for (const text of [
    JSON.stringify({ other, entries: [exchange('no')], log }),
    JSON.stringify({ log, entries: [exchange('no')], other }),
  ])
    expect(scanned(text).map(([path]) => path)).toEqual(['yes']);
  // A value that reads as the name is none.
  expect(fault(JSON.stringify({ a: 'log', b: { entries: [exchange('no')] } }))).toBe(NO_HAR);
  const long = 'x'.repeat(64);
  expect(scanned(JSON.stringify({ [`${long}y`]: 1, log }))).toHaveLength(1);
});

it.each([
  '',
  ' ',
  '[]',
  '{}',
  '"log"',
  'null',
  '{"log":{}}',
  '{"log":{"entries":{}}}',
  '\0{"log":{"entries":[]}}',
  'x{"log":{"entries":[]}}',
  '{"log":{"entries":[]}}{}',
  '{"log":{"entries":[]}}]',
  '}',
])('%j is not a recording', (text) => {
  for (const size of [undefined, 1]) expect(fault(text, size)).toBe(NO_HAR);
});

it('rejects an entry that is a list', () => {
  expect(fault(har([]))).toMatch(/^exchange 1 is not a valid HAR entry: /);
});

it('names the last exchange before the end of a truncated file', () => {
  const text = har(exchange('a'), exchange('b'));
  const torn = (length: number) => fault(text.slice(0, length));
  expect(torn(text.length)).toBeUndefined();
  expect(torn(text.length - 1)).toBe('it is truncated: it ends after exchange 2.');
  expect(torn(text.length - 4)).toBe('it is truncated: it ends after exchange 1.');
  expect(torn(20)).toBe('it is truncated: it ends after exchange 0.');
});

it.each([
  ['"text"', undefined],
  ['{"request":', 'it is truncated: it ends after exchange 0.'],
])('ignores entries that are not objects', (entry, message) => {
  expect(fault(`{"log":{"entries":[${entry}`.concat(message ? '' : ']}}'))).toBe(message);
});

it('names the place in an incomplete exchange', () => {
  const none = (text: string) => `exchange 2 is not a valid HAR entry: ${text}.`;
  const second = (more: object) => fault(har(exchange('a'), exchange('b', more)));
  const request = { method: 'GET', url: 'http://x.test/' };
  expect(second({ request: 5 })).toBe(none('/request is not an object'));
  expect(second({ request: { ...request, url: '/a' } })).toBe(
    none('/request/url is not an absolute URL'),
  );
  expect(second({ request: { ...request, method: null } })).toBe(
    none('/request/method is not a string'),
  );
  expect(second({ _webSocketMessages: [{ type: 'send', data: 'x' }, { type: 'send' }] })).toBe(
    none('/_webSocketMessages/1/data is not a string'),
  );
  expect(fault('{"log":{"entries":[{x}]}}')).toBe('exchange 1 is not JSON.');
  const statuses = [-1, 0, 1, 99, 100, 999, 1000, 200.5, '200'];
  const results = statuses.map((status) => second({ response: { status } }) === undefined);
  expect(results).toEqual([false, true, false, false, true, true, false, false, false]);
});

it('adds fields that tools omit, and drops invalid headers', () => {
  const request = {
    ...{ method: 'POST', url: 'http://x.test/' },
    headers: [{ name: 'a', value: 'b' }, { name: 'a', value: 1 }, { name: 1, value: 'b' }, null],
    postData: { params: [{ name: 'p', value: 'v' }, 5] },
  };
  const [entry] = new EntryScanner().push(har(exchange('a', { request, time: null })));
  expect(entry).toEqual({
    startedDateTime: '',
    time: 0,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    request: {
      ...{ method: 'POST', url: 'http://x.test/', httpVersion: '' },
      ...{ headersSize: -1, bodySize: -1, cookies: [], queryString: [] },
      headers: [{ name: 'a', value: 'b' }],
      postData: { mimeType: '', params: [{ name: 'p', value: 'v' }] },
    },
    response: {
      ...{ status: 200, statusText: '', httpVersion: '', redirectURL: '' },
      ...{ headersSize: -1, bodySize: -1, headers: [], cookies: [] },
      content: { size: 0, mimeType: '' },
    },
  });
  const [plain] = new EntryScanner().push(har(exchange('a')));
  expect(plain!.request.postData).toBeUndefined();
});
