/** What a live side may make of a list that comes page by page: what repeats, or never ends, is not read forever. */
import { ForkFailed } from './fork-failed.js';
import type { LiveSide } from './live-side.js';

/** Pages of one list. */
export const MAX_PAGES = 20_000;
/** Bytes of one list that is held in memory until it is whole. */
export const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** Characters of the token of a page. */
export const MAX_PAGE_TOKEN = 64 * 1024;

/** The tokens of one list. */
export class PageTokens {
  private readonly seen = new Set<string>();

  /** @param path of the list, for what is told @param count of the pages that were read before */
  constructor(
    private readonly path: string,
    private count = 0,
  ) {}

  /**
   * @param token of the next page, as the last one names it; empty or absent where there is none
   * @returns undefined where the list has ended
   * @throws ForkFailed for a list that goes on in a circle, or for too long
   */
  next(token: string | undefined): string | undefined {
    if (token === undefined || token === '') return undefined;
    this.count += 1;
    if (this.count >= MAX_PAGES)
      throw new ForkFailed(`${this.path} has more than ${MAX_PAGES} pages.`);
    if (token.length > MAX_PAGE_TOKEN)
      throw new ForkFailed(
        `${this.path} names a next page in more than ${MAX_PAGE_TOKEN} characters.`,
      );
    if (this.seen.has(token))
      throw new ForkFailed(`${this.path} names a page twice as the next one: it has no end.`);
    this.seen.add(token);
    return token;
  }
}

/** Items of all pages. @param ask gets the token of a page, which is absent for the first one */
export async function allPages<T>(
  live: LiveSide,
  path: string,
  ask: (
    token: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  const tokens = new PageTokens(path);
  const before = live.received;
  let token: string | undefined;
  do {
    const { items, next } = await ask(token);
    for (const item of items) all.push(item);
    if (live.received - before > MAX_LIST_BYTES)
      throw new ForkFailed(`${path} has more than ${MAX_LIST_BYTES} bytes.`);
    token = tokens.next(next);
  } while (token !== undefined);
  return all;
}
