/** The pages of a list: with limits against lists that repeat or do not end. */
import {
  checked,
  ClientError,
  refusalOf,
  requestOf,
  type Requests,
  type Given,
  type Json,
} from './requests.js';
import type { Operation } from './operations.js';

/** Pages of one list. */
export const MAX_PAGES = 20_000;
/** Maximum bytes of a list in memory. */
export const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** Characters of the token of a page. */
export const MAX_PAGE_TOKEN = 64 * 1024;
/** Milliseconds that one list may take. */
export const MAX_LIST_MS = 60 * 60 * 1000;

export interface Page {
  readonly items: readonly unknown[];
  /** The token of the next page. */
  readonly next: string | undefined;
  /** Bytes of the answer. */
  readonly size: number;
}

/** The position to resume a list: the token of a page, and the number of pages before it. */
export interface Start {
  readonly token?: string | undefined;
  readonly pages?: number;
}

/**
 * @param take receives each page; returns true to stop
 * @throws ClientError for a list that repeats a page or is too long, and for an answer that is not a page
 */
export function* eachPage(
  operation: Operation,
  given: Given,
  take: (page: Page) => boolean | void,
  { token: first, pages = 0 }: Start = {},
  now: () => number = () => performance.now(),
): Requests<void> {
  const { items, next, token: called } = operation.pages!;
  const seen = new Set<string>();
  const begun = now();
  let token = first === '' ? undefined : first;
  for (let count = pages + 1; ; count += 1) {
    const own = token === undefined ? {} : { [called]: token };
    const request = requestOf(
      operation,
      operation.method === 'POST'
        ? { ...given, body: { ...given.body, ...own } }
        : { ...given, query: { ...given.query, ...own } },
    );
    const answer = yield request;
    if (answer.status >= 400) throw refusalOf(request, answer);
    const page = checked(request, answer);
    const fail = (why: string): never => {
      throw new ClientError({ method: operation.method, path: operation.path }, why);
    };
    const nextToken = (page[next] ?? '') as string | number;
    token = nextToken === '' ? undefined : String(nextToken);
    if (token !== undefined) {
      if (count >= MAX_PAGES) fail(`has more than ${MAX_PAGES} pages.`);
      if (token.length > MAX_PAGE_TOKEN)
        fail(`names a next page in more than ${MAX_PAGE_TOKEN} characters.`);
      if (seen.has(token)) fail('names a page twice as the next one: it has no end.');
      if (now() - begun > MAX_LIST_MS) fail(`takes longer than ${MAX_LIST_MS} milliseconds.`);
      seen.add(token);
    }
    const list = (page[items] ?? []) as readonly unknown[];
    const isOver = take({ items: list, next: token, size: answer.bytes?.length ?? 0 });
    if (token === undefined || isOver === true) return;
  }
}

/**
 * Items of all pages.
 * @param most stops reading pages after the list has more items than this
 * @throws ClientError, as {@link eachPage} does
 */
export function* allPages<T = Json>(
  operation: Operation,
  given: Given = {},
  most = Infinity,
): Requests<T[]> {
  const all: T[] = [];
  let bytes = 0;
  yield* eachPage(operation, given, ({ items, size }) => {
    for (const item of items) all.push(item as T);
    bytes += size;
    if (bytes > MAX_LIST_BYTES)
      throw new ClientError(operation, `has more than ${MAX_LIST_BYTES} bytes.`);
    return all.length > most;
  });
  return all;
}
