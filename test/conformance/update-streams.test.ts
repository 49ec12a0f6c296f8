/** Conformance: updates as they come, as far as they are asked for, and page by page. */
import { buildDar } from '../support/dar-builder.js';
import { e } from '../support/lf-code.js';
import { encodePackage } from '../support/lf-encoder.js';
import {
  byInterface,
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  updateFormat,
  type Shape,
  type Told,
} from '../support/ledger-api.js';
import { t } from '../support/lf-types.js';
import { model, modelPackage } from '../support/model-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { StreamClient } from '../support/stream-client.js';
import { createdEvents, eventsOf, transactionsFor, transactionsIn } from './support/events.js';
import { conformanceSuite } from './support/suite.js';
import { iou, trade, tradePackage } from './support/trade.js';

const api = useLedgerApi({ packages: [tradePackage] });
const [alice] = useParties(api, 'alice');
const { participant } = api.canticle;

const dummy = (operator = alice) => api.create(model('Dummy'), { operator }, { actAs: operator });
/** One after the other, without HTTP. @returns their ids */
const dummies = (count: number): string[] =>
  Array.from({ length: count }, () =>
    participant.create(model('Dummy'), { operator: alice }, { actAs: [alice] }),
  );
const someIou = () => api.create(trade('Iou'), iou(alice, alice), { actAs: alice });

const shapeOf = (caseId: string): Shape =>
  caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
const transactions = async (shape: Shape, range?: Record<string, unknown>) =>
  transactionsIn(await api.updates(transactionsFor(shape, [alice]), range));
const open = (request: unknown) => new StreamClient(`${api.canticle.url}/v2/updates`).send(request);
const idsIn = (list: Told[]): string[] =>
  list.flatMap(createdEvents).map(({ contractId }) => contractId);

function expectAcsDelta(list: Told[], acsDelta: boolean): void {
  expect(list.flatMap(eventsOf).map((event) => event.acsDelta)).toEqual(
    list.flatMap(eventsOf).map(() => acsDelta),
  );
}

conformanceSuite('UpdateServiceStreamsIT', {}, (reproduce) => {
  reproduce(
    ['TXLedgerEffectsEndToEnd', 'TXEndToEnd'],
    'nothing from the end on',
    async (caseId) => {
      await dummy();
      const end = await api.ledgerEnd();
      const range = { beginExclusive: end, endInclusive: end };
      expect(await transactions(shapeOf(caseId), range)).toEqual([]);
    },
  );

  reproduce('TXAfterEnd', 'OFFSET_AFTER_LEDGER_END', async () => {
    await dummy();
    const beginExclusive = (await api.ledgerEnd()) + 1000;
    const request = { beginExclusive, updateFormat: transactionsFor('ACS_DELTA', [alice]) };
    const { status, body } = await api.post('/v2/updates', request);
    expect([status, body.code]).toEqual([400, 'OFFSET_AFTER_LEDGER_END']);
    expect(body.cause).toContain('is after ledger end');
    const [refusal] = await (await open(request)).all();
    expect(refusal.code).toBe('OFFSET_AFTER_LEDGER_END');
  });

  reproduce('TXServeUntilCancellation', 'a reader may stop before the end', async () => {
    dummies(14);
    const updateFormat = transactionsFor('ACS_DELTA', [alice]);
    const stream = await open({ beginExclusive: 0, updateFormat });
    expect((await stream.take(10)).length).toBeGreaterThanOrEqual(10);
    expect(await stream.close()).toBe(1005);
    expect(await api.ok('/v2/updates?limit=10', { beginExclusive: 0, updateFormat })).toHaveLength(
      10,
    );
  });

  reproduce('TXServeTailingStreamSingleParty', 'what is added later comes too', async () => {
    dummies(14);
    const updateFormat = transactionsFor('ACS_DELTA', [alice]);
    const stream = await open({ beginExclusive: 0, updateFormat });
    await stream.take(14);
    await dummy();
    expect(await stream.take(15)).toHaveLength(15);
    await stream.close();
  });

  reproduce(
    ['TXServeTailingStreamAcsDeltaPartyWildcard', 'TXServeTailingStreamLedgerEffectsPartyWildcard'],
    'for any party means parties to come, too',
    async (caseId) => {
      const beginExclusive = await api.ledgerEnd();
      dummies(14);
      const updateFormat = transactionsFor(shapeOf(caseId), []);
      const stream = await open({ beginExclusive, updateFormat });
      await stream.take(14);
      const [later] = await api.parties('later');
      await dummy(later);
      const seen = (await stream.take(15)).map(({ update }) => update.Transaction.value);
      await stream.close();
      expect(seen).toHaveLength(15);
      expectAcsDelta(seen, true);
    },
  );

  reproduce(
    'TXServeTailingStreamsTemplateWildcard',
    'any template means those to come, too',
    async () => {
      const beginExclusive = await api.ledgerEnd();
      const packages = async () =>
        (await api.client.ledger('GET', '/v2/packages')).body.packageIds.length;
      const before = await packages();
      await dummy();
      const streams = await Promise.all(
        (['ACS_DELTA', 'LEDGER_EFFECTS'] as const).map((shape) =>
          open({ beginExclusive, updateFormat: transactionsFor(shape, []) }),
        ),
      );
      for (const stream of streams) await stream.take(1);
      const thing = t.con('Main:Thing');
      const main = encodePackage({
        name: 'late',
        modules: {
          Main: {
            templates: {
              Thing: {
                fields: { owner: t.party },
                signatories: e.list(t.party, [e.field(thing, 'owner', e.var('this'))]),
                precondition: e.true,
              },
            },
          },
        },
      });
      await api.ok('/v2/dars', buildDar(main));
      expect(await packages()).toBe(before + 1);
      await api.submit(create('#late:Main:Thing', { owner: alice }), { actAs: alice });
      for (const stream of streams) {
        const seen = (await stream.take(2)).map(({ update }) => update.Transaction.value);
        await stream.close();
        expect(seen).toHaveLength(2);
        expectAcsDelta(seen, true);
      }
    },
  );

  reproduce(
    ['TXCompleteAcsDeltaOnLedgerEnd', 'TXCompleteLedgerEffectsOnLedgerEnd'],
    'a stream with an end is closed there',
    async (caseId) => {
      dummies(14);
      const endInclusive = await api.ledgerEnd();
      const updateFormat = transactionsFor(shapeOf(caseId), [alice]);
      const stream = await open({ beginExclusive: 0, endInclusive, updateFormat });
      await dummy();
      expect(await stream.all()).toHaveLength(14);
      expect(await stream.closed).toBe(1000);
    },
  );

  reproduce('TXFilterByTemplate', 'of the template alone, for a party or any', async () => {
    const start = { beginExclusive: await api.ledgerEnd() };
    const both = [
      create(model('Dummy'), { operator: alice }),
      create(model('WithParam'), { operator: alice, number: '1' }),
    ];
    await api.submit(both, { actAs: alice });
    const [forAlice, forAny] = await Promise.all(
      [[alice], []].map((parties) =>
        api.updates(transactionsFor('ACS_DELTA', parties, byTemplate(model('Dummy'))), start),
      ),
    );
    expect(
      transactionsIn(forAlice!)
        .flatMap(eventsOf)
        .map(({ templateId }) => templateId),
    ).toEqual([`${modelPackage.id}:Test:Dummy`]);
    expect(forAny).toEqual(forAlice);
  });

  reproduce('TXFilterByInterface', 'of the interface, with its view', async () => {
    await someIou();
    await dummy();
    const filter = byInterface(trade('Money'), { view: true });
    const seen = transactionsIn(await api.updates(transactionsFor('ACS_DELTA', [alice], filter)));
    expect(seen.flatMap(createdEvents)).toMatchObject([
      {
        templateId: `${tradePackage.id}:Trade:Iou`,
        interfaceViews: [
          {
            interfaceId: `${tradePackage.id}:Trade:Money`,
            viewValue: { icurrency: 'GBP', iamount: '100.0000000000' },
          },
        ],
      },
    ]);
  });

  reproduce('TXTransactionFormat', 'only what is asked for', async () => {
    await dummy();
    const { includeTransactions, includeReassignments } = updateFormat(
      'LEDGER_EFFECTS',
      eventFormat([alice]),
    );
    const counts = await Promise.all(
      [
        { includeTransactions },
        { includeReassignments },
        { includeTransactions, includeReassignments },
      ].map(async (format) => (await api.updates(format)).length),
    );
    expect(counts).toEqual([1, 0, 1]);
  });

  reproduce(
    ['TXLedgerEffectsTransientContract', 'TXAcsDeltaTransientContract'],
    'effects that change nothing, and no change',
    async (caseId) => {
      const transient = createAndExercise(model('Dummy'), { operator: alice }, 'Archive');
      await api.submit(transient, { actAs: alice });
      const seen = await transactions(shapeOf(caseId));
      if (shapeOf(caseId) === 'ACS_DELTA') expect(seen).toEqual([]);
      else {
        expect(seen.map(({ events }) => events.length)).toEqual([2]);
        expectAcsDelta(seen, false);
      }
    },
  );

  reproduce('TXNonConsumingChoiceAcsDeltaFlag', 'it changes nothing', async () => {
    const contractId = await dummy();
    const beginExclusive = await api.ledgerEnd();
    await api.submit(exercise(model('Dummy'), contractId, 'Look'), { actAs: alice });
    const seen = await transactions('LEDGER_EFFECTS', { beginExclusive });
    expect(seen.map(({ events }) => events.length)).toEqual([1]);
    expectAcsDelta(seen, false);
  });

  reproduce('TXServeStreamLedgerEffectsFromMiddlePoint', 'exactly the range', async () => {
    const beginExclusive = await api.ledgerEnd();
    const ids = dummies(15);
    const endInclusive = await api.ledgerEnd();
    dummies(15);
    const seen = await transactions('LEDGER_EFFECTS', { beginExclusive, endInclusive });
    expect(idsIn(seen)).toEqual(ids);
    expectAcsDelta(seen, true);
  });

  reproduce('TXStreamDummyFilterDummyIouDummy', 'nothing of another template', async () => {
    await dummy();
    const beginExclusive = await api.ledgerEnd();
    await someIou();
    const endInclusive = await api.ledgerEnd();
    await dummy();
    const format = transactionsFor('LEDGER_EFFECTS', [alice], byTemplate(model('Dummy')));
    const range = { beginExclusive, endInclusive, descendingOrder: true };
    expect(await api.updates(format, range)).toEqual([]);
  });

  reproduce('TXServeStreamInDescendingOrder', 'the newest first', async () => {
    const ids = dummies(10);
    const seen = await transactions('LEDGER_EFFECTS', { descendingOrder: true });
    expect(idsIn(seen)).toEqual(ids.reverse());
  });

  const PAGE = '/v2/updates/get-updates-page';
  const twoDummies = () => ({
    updateFormat: transactionsFor('LEDGER_EFFECTS', [alice], byTemplate(model('Dummy'))),
    maxPageSize: 2,
  });
  const idsOn = ({ updates }: Told) =>
    idsIn(updates.map(({ update }: Told) => update.Transaction.value));

  reproduce('TXFetchFirstPageAsc', 'so many as asked for, the oldest first', async () => {
    const ids = dummies(10);
    const page = await api.ok(PAGE, { ...twoDummies(), maxPageSize: 5 });
    expect(idsOn(page)).toEqual(ids.slice(0, 5));
  });

  reproduce('TXPagedFetchDynamicEnd', 'an open end always has a next page', async () => {
    const beginOffsetExclusive = (await api.ledgerEnd()) - 1;
    const ids = dummies(2);
    await someIou();
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
    const { status, body } = await api.post(PAGE, {
      ...twoDummies(),
      beginOffsetExclusive: end - 1,
      endOffsetInclusive: end + 2,
      descendingOrder: true,
    });
    expect([status, body.code]).toEqual([400, 'OFFSET_AFTER_LEDGER_END']);
    expect(body.cause).toContain('is after ledger end');
  });

  reproduce('TXPagedDynamicStartEndAscending', 'five pages of two, with a token', async () => {
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
  });

  reproduce('TXPagedDynamicStartEndDescending', 'all pages, the newest first', async () => {
    const ids = dummies(10);
    const seen: string[] = [];
    let pageToken: string | null | undefined;
    do {
      const page: Told = await api.ok(PAGE, { ...twoDummies(), descendingOrder: true, pageToken });
      seen.push(...idsOn(page));
      pageToken = page.nextPageToken;
    } while (pageToken !== null);
    expect(seen).toEqual(ids.reverse());
  });

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

  reproduce('TXPagedDynamicPruningStartEndDescending', 'a page ends at the bound', async () => {
    const { first, second, ids } = await prunedDownwards(2);
    expect([idsOn(first), second.updates]).toEqual([ids, []]);
  });
  reproduce(
    'TXPagedDynamicPruningInJustAfterThePageDescending',
    'a page is shortened at the bound, and the last',
    async () => {
      const { second, ids } = await prunedDownwards(3);
      expect([idsOn(second), second.nextPageToken]).toEqual([ids.slice(2), null]);
    },
  );
  reproduce(
    'TXPagedDynamicPruningStartEndInPageBoundaryDescending',
    'a full page at the bound is the last',
    async () => {
      const { first, second, ids } = await prunedDownwards(4);
      expect([idsOn(first), idsOn(second)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
      expect(second.nextPageToken).toBeNull();
    },
  );

  reproduce('TXPagedDynamicStartAscendingPruning', 'it begins at the bound', async () => {
    dummies(1);
    const bound = await api.ledgerEnd();
    const ids = dummies(2);
    const endOffsetInclusive = await api.ledgerEnd();
    prune(bound);
    const page = await api.ok(PAGE, { ...twoDummies(), endOffsetInclusive });
    expect(idsOn(page)).toEqual(ids);
    expect(page).toMatchObject({ nextPageToken: null, lowestPageOffsetExclusive: bound });
  });

  async function expectPruned(request: unknown): Promise<void> {
    const { status, body } = await api.post(PAGE, request);
    expect([status, body.code]).toEqual([400, 'PARTICIPANT_PRUNED_DATA_ACCESSED']);
    expect(body.cause).toContain('precedes pruned offset');
  }
  reproduce('TXPagedAscendingPruningCatchesUp', 'what was lost is refused', async () => {
    const ids = dummies(3);
    const bound = await api.ledgerEnd();
    dummies(1);
    const page = await api.ok(PAGE, twoDummies());
    expect(idsOn(page)).toEqual(ids.slice(0, 2));
    prune(bound);
    await expectPruned({ ...twoDummies(), pageToken: page.nextPageToken });
  });
  reproduce('TXPagedAscendingPruningBehindEnd', 'what was lost is refused', async () => {
    const beginOffsetExclusive = await api.ledgerEnd();
    dummies(2);
    const endOffsetInclusive = await api.ledgerEnd();
    dummies(2);
    prune(await api.ledgerEnd());
    dummies(1);
    await expectPruned({ ...twoDummies(), beginOffsetExclusive, endOffsetInclusive });
  });
});
