/** Conformance: updates page by page, upwards and downwards, while the ledger grows and is pruned. */
import { byTemplate, create, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { idsIn, transactionsFor, transactionsOf } from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';
import { iou, trade, tradePackage } from '../support/trade.js';

const api = useLedgerApi({
  grpc: true,
  packages: [tradePackage],
});
const [alice] = useParties(api, 'alice');
const { participant } = api.canticle;

/** One after the other, without HTTP. @returns their ids */
const dummies = (count: number): string[] =>
  Array.from({ length: count }, () =>
    participant.create(model('Dummy'), { operator: alice }, { actAs: [alice] }),
  );

conformanceSuite('UpdateServiceStreamsIT', {}, (reproduce) => {
  const PAGE = '/v2/updates/get-updates-page';
  const twoDummies = () => ({
    updateFormat: transactionsFor('LEDGER_EFFECTS', [alice], byTemplate(model('Dummy'))),
    maxPageSize: 2,
  });
  const idsOn = ({ updates }: JsonAnswer) => idsIn(transactionsOf(updates));

  reproduce(
    'TXFetchFirstPageAsc',
    'returns the requested number of updates, the oldest first',
    async () => {
      const ids = dummies(10);
      const page = await api.ok(PAGE, { ...twoDummies(), maxPageSize: 5 });
      expect(idsOn(page)).toEqual(ids.slice(0, 5));
    },
  );

  reproduce('TXPagedFetchDynamicEnd', 'without an end offset, each page has a token', async () => {
    const beginOffsetExclusive = (await api.ledgerEnd()) - 1;
    const ids = dummies(2);
    await api.submit(create(trade('Iou'), iou(alice, alice)), { actAs: alice });
    const end = await api.ledgerEnd();
    const request = { ...twoDummies(), beginOffsetExclusive };
    const page = await api.ok(PAGE, request);
    expect(idsOn(page)).toEqual(ids);
    expect(page.highestPageOffsetInclusive).toBeGreaterThanOrEqual(end);
    const empty = await api.ok(PAGE, { ...request, pageToken: page.nextPageToken });
    expect(empty.updates).toEqual([]);
    const [third] = dummies(1);
    const next = await api.ok(PAGE, { ...request, pageToken: empty.nextPageToken });
    expect(idsOn(next)).toEqual([third]);
    expect(next.lowestPageOffsetExclusive).toBe(page.highestPageOffsetInclusive);
    expect(next.nextPageToken).toEqual(expect.stringMatching(/.+/));
  });

  reproduce('TXPagedFetchDescendingOrderBeyondEnd', 'OFFSET_AFTER_LEDGER_END', async () => {
    const end = await api.ledgerEnd();
    const answering = api.post(PAGE, {
      ...twoDummies(),
      beginOffsetExclusive: end - 1,
      endOffsetInclusive: end + 2,
      descendingOrder: true,
    });
    await expectRefused(answering, 'OFFSET_AFTER_LEDGER_END', { cause: 'is after ledger end' });
  });

  reproduce(
    'TXPagedDynamicStartEndAscending',
    'returns five pages of two updates, each with a token',
    async () => {
      const ids = dummies(10);
      let pageToken: string | undefined;
      const seen: string[] = [];
      for (let count = 0; count < 5; count++) {
        const page = await api.ok(PAGE, { ...twoDummies(), pageToken });
        seen.push(...idsOn(page));
        pageToken = page.nextPageToken;
        expect(pageToken).toEqual(expect.stringMatching(/.+/));
      }
      expect(seen).toEqual(ids);
    },
  );

  reproduce(
    'TXPagedDynamicStartEndDescending',
    'returns all pages, the newest update first',
    async () => {
      const ids = dummies(10);
      const seen: string[] = [];
      let pageToken: string | null | undefined;
      do {
        const page: JsonAnswer = await api.ok(PAGE, {
          ...twoDummies(),
          descendingOrder: true,
          pageToken,
        });
        seen.push(...idsOn(page));
        pageToken = page.nextPageToken;
      } while (pageToken !== null);
      expect(seen).toEqual(ids.reverse());
    },
  );

  const prune = (offset: number) => participant.engine.prune(offset);
  /** Dummies before and behind an offset that is pruned once the first page was read, the newest first. */
  async function prunedDownwards(count: number) {
    dummies(1);
    const bound = await api.ledgerEnd();
    const ids = dummies(count);
    const request = { ...twoDummies(), descendingOrder: true };
    const first = await api.ok(PAGE, request);
    prune(bound);
    const second = await api.ok(PAGE, { ...request, pageToken: first.nextPageToken });
    expect(second.lowestPageOffsetExclusive).toBe(bound);
    return { first, second, ids: ids.reverse() };
  }

  reproduce(
    'TXPagedDynamicPruningStartEndDescending',
    'a page ends at the pruning offset',
    async () => {
      const { first, second, ids } = await prunedDownwards(2);
      expect([idsOn(first), second.updates]).toEqual([ids, []]);
    },
  );
  reproduce(
    'TXPagedDynamicPruningInJustAfterThePageDescending',
    'the last page is shorter because it ends at the pruning offset',
    async () => {
      const { first, second, ids } = await prunedDownwards(3);
      expect([idsOn(first), idsOn(second)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
      expect(second.nextPageToken).toBeNull();
    },
  );
  reproduce(
    'TXPagedDynamicPruningStartEndInPageBoundaryDescending',
    'a full page that ends at the pruning offset has no token',
    async () => {
      const { first, second, ids } = await prunedDownwards(4);
      expect([idsOn(first), idsOn(second)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
      expect(second.nextPageToken).toBeNull();
    },
  );

  reproduce(
    'TXPagedDynamicStartAscendingPruning',
    'the first page begins at the pruning offset',
    async () => {
      dummies(1);
      const bound = await api.ledgerEnd();
      const ids = dummies(2);
      const endOffsetInclusive = await api.ledgerEnd();
      prune(bound);
      const page = await api.ok(PAGE, { ...twoDummies(), endOffsetInclusive });
      expect(idsOn(page)).toEqual(ids);
      expect(page).toMatchObject({ nextPageToken: null, lowestPageOffsetExclusive: bound });
    },
  );

  const expectPruned = (request: unknown) =>
    expectRefused(api.post(PAGE, request), 'PARTICIPANT_PRUNED_DATA_ACCESSED', {
      cause: 'precedes pruned offset',
    });
  reproduce(
    'TXPagedAscendingPruningCatchesUp',
    'rejects a page that begins before the pruning offset',
    async () => {
      const ids = dummies(3);
      const bound = await api.ledgerEnd();
      dummies(1);
      const page = await api.ok(PAGE, twoDummies());
      expect(idsOn(page)).toEqual(ids.slice(0, 2));
      prune(bound);
      await expectPruned({ ...twoDummies(), pageToken: page.nextPageToken });
    },
  );
  reproduce(
    'TXPagedAscendingPruningBehindEnd',
    'rejects a page that begins before the pruning offset',
    async () => {
      const beginOffsetExclusive = await api.ledgerEnd();
      dummies(2);
      const endOffsetInclusive = await api.ledgerEnd();
      dummies(2);
      const bound = await api.ledgerEnd();
      dummies(1);
      prune(bound);
      await expectPruned({ ...twoDummies(), beginOffsetExclusive, endOffsetInclusive });
    },
  );
});
