/** Conformance: updates as they come, and as far as they are asked for. */
import { buildDar } from '../../support/daml/dar-builder.js';
import { e } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import {
  byInterface,
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  updateFormat,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { t } from '../../support/daml/lf-types.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import {
  eventsOf,
  idsIn,
  transactionsFor,
  transactionsIn,
  transactionsOf,
} from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';
import { transactionsWithVariants } from '../support/variants.js';
import { iou, trade, tradePackage } from '../support/trade.js';

const api = useLedgerApi({
  grpc: true,
  packages: [tradePackage],
});
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
const transactions = (shape: Shape, range?: { beginExclusive?: number; endInclusive?: number }) =>
  transactionsWithVariants(api, transactionsFor(shape, [alice]), range);
const open = (request: unknown) => new StreamClient(`${api.canticle.url}/v2/updates`).send(request);
const idsOf = (elements: JsonAnswer[]) => idsIn(transactionsOf(elements));

/** Each transaction has `count` events, all with this flag. */
function expectAcsDelta(list: JsonAnswer[], acsDelta: boolean, count = 1): void {
  expect(list.map((each) => eventsOf(each).map((event) => event.acsDelta))).toEqual(
    list.map(() => Array.from({ length: count }, () => acsDelta)),
  );
}

conformanceSuite('UpdateServiceStreamsIT', {}, (reproduce) => {
  reproduce(
    ['TXLedgerEffectsEndToEnd', 'TXEndToEnd'],
    'returns no updates from the ledger end on',
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
    const body = await expectRefused(api.post('/v2/updates', request), 'OFFSET_AFTER_LEDGER_END', {
      cause: 'is after ledger end',
    });
    const { correlationId: _c, traceId: _t, context, ...refusal } = body;
    // Each request has a separate trace.
    const { tid: _tid, ...expectedContext } = context;
    expect(await (await open(request)).all()).toMatchObject([
      { ...refusal, context: expectedContext },
    ]);
  });

  reproduce('TXServeUntilCancellation', 'a client may close the stream early', async () => {
    const ids = dummies(14);
    const updateFormat = transactionsFor('ACS_DELTA', [alice]);
    const stream = await open({ beginExclusive: 0, updateFormat });
    expect(idsOf(await stream.take(10)).slice(0, 10)).toEqual(ids.slice(0, 10));
    expect(await stream.close()).toBe(1005);
    const limited = await api.ok('/v2/updates?limit=10', { beginExclusive: 0, updateFormat });
    expect(idsOf(limited)).toEqual(ids.slice(0, 10));
  });

  reproduce('TXServeTailingStreamSingleParty', 'the stream receives later updates', async () => {
    const ids = dummies(14);
    const updateFormat = transactionsFor('ACS_DELTA', [alice]);
    const stream = await open({ beginExclusive: 0, updateFormat });
    await stream.take(14);
    ids.push(await dummy());
    expect(idsOf(await stream.take(15))).toEqual(ids);
    await stream.close();
  });

  reproduce(
    ['TXServeTailingStreamAcsDeltaPartyWildcard', 'TXServeTailingStreamLedgerEffectsPartyWildcard'],
    'a format for any party includes parties that are allocated later',
    async (caseId) => {
      const beginExclusive = await api.ledgerEnd();
      const ids = dummies(14);
      const updateFormat = transactionsFor(shapeOf(caseId), []);
      const stream = await open({ beginExclusive, updateFormat });
      await stream.take(14);
      const [later] = await api.parties('later');
      ids.push(await dummy(later));
      const seen = transactionsOf(await stream.take(15));
      await stream.close();
      expect(idsIn(seen)).toEqual(ids);
      expectAcsDelta(seen, true);
    },
  );

  reproduce(
    'TXServeTailingStreamsTemplateWildcard',
    'a format for any template includes templates that are uploaded later',
    async () => {
      const beginExclusive = await api.ledgerEnd();
      const packages = async () =>
        (await api.client.ledger('GET', '/v2/packages')).body.packageIds.length;
      const before = await packages();
      const ids = [await dummy()];
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
      ids.push(await api.create('#late:Main:Thing', { owner: alice }, { actAs: alice }));
      for (const stream of streams) {
        const seen = transactionsOf(await stream.take(2));
        await stream.close();
        expect(idsIn(seen)).toEqual(ids);
        expectAcsDelta(seen, true);
      }
    },
  );

  reproduce(
    ['TXCompleteAcsDeltaOnLedgerEnd', 'TXCompleteLedgerEffectsOnLedgerEnd'],
    'a stream with an end offset closes there',
    async (caseId) => {
      const ids = dummies(14);
      const endInclusive = await api.ledgerEnd();
      const updateFormat = transactionsFor(shapeOf(caseId), [alice]);
      const stream = await open({ beginExclusive: 0, endInclusive, updateFormat });
      await dummy();
      expect(idsOf(await stream.all())).toEqual(ids);
      expect(await stream.closed).toBe(1000);
    },
  );

  reproduce(
    'TXFilterByTemplate',
    'returns updates of the requested template, for one party or any',
    async () => {
      const start = { beginExclusive: await api.ledgerEnd() };
      const both = [
        create(model('Dummy'), { operator: alice }),
        create(model('WithParam'), { operator: alice, number: '1' }),
      ];
      await api.submit(both, { actAs: alice });
      const [forAlice, forAny] = await Promise.all(
        [[alice], []].map((parties) => {
          const format = transactionsFor('ACS_DELTA', parties, byTemplate(model('Dummy')));
          return transactionsWithVariants(api, format, start);
        }),
      );
      const templateId = `${modelPackage.id}:Test:Dummy`;
      expect(forAlice!.map(({ events }) => events)).toMatchObject([
        [{ CreatedEvent: { templateId } }],
      ]);
      expect(forAny).toEqual(forAlice);
    },
  );

  reproduce('TXFilterByInterface', 'returns the event with its interface view', async () => {
    await someIou();
    await dummy();
    const filter = byInterface(trade('Money'), { view: true });
    const format = transactionsFor('ACS_DELTA', [alice], filter);
    const seen = await transactionsWithVariants(api, format);
    expect(seen.flatMap(eventsOf)).toMatchObject([
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

  reproduce('TXTransactionFormat', 'returns only the requested kinds of updates', async () => {
    const id = await dummy();
    const { includeTransactions, includeReassignments } = updateFormat(
      'LEDGER_EFFECTS',
      eventFormat([alice]),
    );
    const seen = await Promise.all(
      [
        { includeTransactions },
        { includeReassignments },
        { includeTransactions, includeReassignments },
      ].map(async (format) => idsIn(transactionsIn(await api.updates(format)))),
    );
    expect(seen).toEqual([[id], [], [id]]);
  });

  reproduce(
    ['TXLedgerEffectsTransientContract', 'TXAcsDeltaTransientContract'],
    'a transient contract has ledger effects, and no ACS delta',
    async (caseId) => {
      const transient = createAndExercise(model('Dummy'), { operator: alice }, 'Archive');
      await api.submit(transient, { actAs: alice });
      const seen = await transactions(shapeOf(caseId));
      if (shapeOf(caseId) === 'ACS_DELTA') expect(seen).toEqual([]);
      else {
        expect(seen).toHaveLength(1);
        expectAcsDelta(seen, false, 2);
      }
    },
  );

  reproduce(
    'TXNonConsumingChoiceAcsDeltaFlag',
    'acsDelta is false for a non-consuming choice',
    async () => {
      const contractId = await dummy();
      const beginExclusive = await api.ledgerEnd();
      await api.submit(exercise(model('Dummy'), contractId, 'Look'), { actAs: alice });
      const seen = await transactions('LEDGER_EFFECTS', { beginExclusive });
      expect(seen).toHaveLength(1);
      expectAcsDelta(seen, false);
    },
  );

  reproduce(
    'TXServeStreamLedgerEffectsFromMiddlePoint',
    'returns exactly the updates of the range',
    async () => {
      const beginExclusive = await api.ledgerEnd();
      const ids = dummies(15);
      const endInclusive = await api.ledgerEnd();
      dummies(15);
      const seen = await transactions('LEDGER_EFFECTS', { beginExclusive, endInclusive });
      expect(idsIn(seen)).toEqual(ids);
      expectAcsDelta(seen, true);
    },
  );

  reproduce(
    'TXStreamDummyFilterDummyIouDummy',
    'returns no updates of another template',
    async () => {
      await dummy();
      const beginExclusive = await api.ledgerEnd();
      const between = await someIou();
      const endInclusive = await api.ledgerEnd();
      await dummy();
      const range = { beginExclusive, endInclusive, descendingOrder: true };
      const seen = async (name: string) => {
        const format = transactionsFor('LEDGER_EFFECTS', [alice], byTemplate(name));
        return idsIn(transactionsIn(await api.updates(format, range)));
      };
      expect(await seen(model('Dummy'))).toEqual([]);
      expect(await seen(trade('Iou'))).toEqual([between]);
    },
  );

  reproduce('TXServeStreamInDescendingOrder', 'returns the newest update first', async () => {
    const ids = dummies(10);
    const format = transactionsFor('LEDGER_EFFECTS', [alice]);
    const seen = transactionsIn(await api.updates(format, { descendingOrder: true }));
    expect(idsIn(seen)).toEqual(ids.reverse());
  });
});
