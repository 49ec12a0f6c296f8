/** Transactions read in every way that the API has: as a list, as a stream, backwards and page by page. All must tell the same. */
import type { LedgerApi, JsonAnswer } from '../../support/ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import { transactionsOf } from './events.js';

const UPDATES = '/v2/updates';
const PAGE = '/v2/updates/get-updates-page';

interface Range {
  readonly beginExclusive?: number;
  readonly endInclusive?: number;
}

/** From the first page to the last. */
async function pages(api: LedgerApi, request: object): Promise<JsonAnswer[]> {
  const elements: JsonAnswer[] = [];
  let pageToken: string | null | undefined;
  do {
    const page: JsonAnswer = await api.ok(PAGE, { ...request, pageToken });
    elements.push(...page.updates);
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
  return transactionsOf(elements);
}

/** The transactions of a range, which ends at the ledger end by default. */
export async function transactionsWithVariants(
  api: LedgerApi,
  updateFormat: unknown,
  { beginExclusive = 0, endInclusive }: Range = {},
): Promise<JsonAnswer[]> {
  const end = endInclusive ?? (await api.ledgerEnd());
  const request = { beginExclusive, endInclusive: end, updateFormat };
  const listed = transactionsOf(await api.ok(UPDATES, request));
  const stream = await new StreamClient(`${api.canticle.url}${UPDATES}`).send(request);
  expect(transactionsOf(await stream.all())).toEqual(listed);
  for (const descendingOrder of [false, true]) {
    const inOrder = (updates: JsonAnswer[]) => (descendingOrder ? [...updates].reverse() : updates);
    const again = await api.ok(UPDATES, { ...request, descendingOrder });
    expect(inOrder(transactionsOf(again))).toEqual(listed);
    for (const maxPageSize of [1, 3]) {
      const paged = {
        beginOffsetExclusive: beginExclusive,
        endOffsetInclusive: end,
        maxPageSize,
        updateFormat,
        descendingOrder,
      };
      expect(inOrder(await pages(api, paged))).toEqual(listed);
    }
  }
  return listed;
}
