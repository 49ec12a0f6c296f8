/** Lists that a script reads from a Ledger API page by page. */
import { JsonApi, pagesAt } from '../../src/script/remote/json-api.js';

const MAX_PAGES = 20_000;
const PATH = '/v2/parties';

/** Pages of an API whose pages name these as the next ones. */
async function read(next: (page: number) => unknown): Promise<readonly string[]> {
  const asked: string[] = [];
  const api = new JsonApi((method, path) => {
    asked.push(`${method} ${path}`);
    return Promise.resolve({ status: 200, body: { nextPageToken: next(asked.length) } });
  });
  const pages: unknown[] = [];
  try {
    for await (const page of pagesAt(api, PATH)) pages.push(page);
  } catch (error) {
    return [String(pages.length), (error as Error).message];
  }
  expect(pages).toHaveLength(asked.length);
  return asked;
}

const upTo = (most: number) => (page: number) => (page < most ? `page ${page + 1}` : '');
const NO_END = `${PATH} has no end: it repeats a page, or has too many`;

it.each([undefined, null, ''])('a list ends with a page that names %j as the next', async (end) => {
  expect(await read(() => end)).toEqual([`GET ${PATH}?pageToken=`]);
});

it('each page is asked for by the token of the one before', async () => {
  expect(await read(upTo(3))).toEqual([
    `GET ${PATH}?pageToken=`,
    `GET ${PATH}?pageToken=page%202`,
    `GET ${PATH}?pageToken=page%203`,
  ]);
});

it('a list of 20,000 pages is read, and one of more is refused after as many', async () => {
  expect(await read(upTo(MAX_PAGES))).toHaveLength(MAX_PAGES);
  expect(await read(upTo(MAX_PAGES + 1))).toEqual([String(MAX_PAGES), NO_END]);
});

it('a page that comes twice ends the list', async () => {
  expect(await read(() => 'again')).toEqual(['2', NO_END]);
  expect(await read((page) => ['b', 'c', 'b'][page - 1])).toEqual(['3', NO_END]);
});
