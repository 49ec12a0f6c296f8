/** Conformance: streams agree with each other and with lookups, and match their filters. */
import {
  byInterface,
  byTemplate,
  create,
  eventFormat,
  exercise,
  wildcard,
  type LedgerApi,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { useLedgerApi, useParticipant } from '../../support/shared-ledger-api.js';
import { agreements, agreementsPackage } from '../support/agreements.js';
import {
  archivedEvents,
  createdEvents,
  eventsOf,
  exercisedEvents,
  transactionsFor,
  transactionsIn,
} from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';
import { transactionsWithVariants } from '../support/variants.js';

const alpha = useLedgerApi({
  grpc: true,
  trafficControl: true,
  participants: [{ name: 'alpha' }, { name: 'beta' }],
  packages: [agreementsPackage],
});
const beta = useParticipant(alpha, 'beta');
const [hosting, hostingBob] = alpha.canticle.participants;
const [alice, carol] = [hosting!.allocateParty('alice'), hosting!.allocateParty('carol')];
const bob = hostingBob!.allocateParty('bob');

const transactions = async (
  api: LedgerApi,
  shape: Shape,
  parties: readonly string[],
  range: Record<string, unknown> = {},
) => transactionsIn(await api.updates(transactionsFor(shape, parties), range));

const SHAPES: readonly Shape[] = ['ACS_DELTA', 'LEDGER_EFFECTS'];
const dummy = (operator: string) => alpha.create(model('Dummy'), { operator }, { actAs: operator });
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
/** `count` contracts of these parties in turn, each created and consumed, all at once. */
const createdAndConsumed = (count: number, ...operators: string[]) =>
  times(count, async (index) => {
    const operator = operators[index % operators.length]!;
    const contractId = await dummy(operator);
    await alpha.submit(exercise(model('Dummy'), contractId, 'Consume'), { actAs: operator });
  });
const agreementFactory = (api: LedgerApi, giver: string, receiver: string) =>
  api.submit(create(agreements('AgreementFactory'), { giver, receiver }), { actAs: giver });

/** A time with all its digits, so that it sorts as text. */
function digits(time: string): string {
  const [seconds, fraction = ''] = time.slice(0, -1).split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
}

/** The transaction without the fields that depend on the participant. */
function comparable(transaction: JsonAnswer) {
  const { commandId: _c, offset: _o, paidTrafficCost: _p, events, ...same } = transaction;
  return {
    ...same,
    events: events.map((event: JsonAnswer) =>
      Object.entries<JsonAnswer>(event).map(([kind, { offset: _offset, ...value }]) => [
        kind,
        { ...value, witnessParties: [...value.witnessParties].sort() },
      ]),
    ),
  };
}

conformanceSuite('TransactionServiceCorrectnessIT', {}, (reproduce) => {
  reproduce(
    'TXExposesPaidTrafficCost',
    'only the submitter sees the traffic cost, on its participant (B-CMD-046)',
    async () => {
      await agreementFactory(alpha, alice, bob);
      const costs = async (api: LedgerApi, party: string) =>
        (await transactions(api, 'ACS_DELTA', [party])).map(
          ({ paidTrafficCost }) => paidTrafficCost,
        );
      const [paid, ...more] = await costs(alpha, alice);
      expect(paid).toBeGreaterThan(0);
      expect(more).toEqual([]);
      expect(await costs(alpha, bob)).toEqual([null]);
      expect(await costs(beta, bob)).toEqual([null]);
    },
  );

  reproduce(
    'TXProcessInTwoChunks',
    'two consecutive ranges return the same as the whole range',
    async () => {
      const format = transactionsFor('ACS_DELTA', [alice]);
      await times(5, () => dummy(alice));
      const middle = await alpha.ledgerEnd();
      const first = await transactionsWithVariants(alpha, format, { endInclusive: middle });
      await times(5, () => dummy(alice));
      const second = await transactionsWithVariants(alpha, format, { beginExclusive: middle });
      expect([first.length, second.length]).toEqual([5, 5]);
      expect(await transactionsWithVariants(alpha, format)).toEqual([...first, ...second]);
    },
  );

  reproduce('TXParallel', 'ten concurrent readers get the same transactions', async () => {
    await times(5, () => dummy(alice));
    const [first, ...others] = await times(10, () => transactions(alpha, 'ACS_DELTA', [alice]));
    expect(first).toHaveLength(5);
    for (const other of others) expect(other).toEqual(first);
  });

  reproduce(
    ['TXSingleMultiSameBasic', 'TXSingleMultiSameLedgerEffectsBasic'],
    'a request for two parties, or for any, returns the transactions of both',
    async (caseId) => {
      const shape = caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
      const start = { beginExclusive: await alpha.ledgerEnd() };
      await dummy(alice);
      await dummy(carol);
      const seenBy = (...parties: string[]) =>
        transactionsWithVariants(alpha, transactionsFor(shape, parties), start);
      const both = await seenBy(alice, carol);
      expect(both).toHaveLength(2);
      expect([...(await seenBy(alice)), ...(await seenBy(carol))]).toEqual(both);
      expect(await seenBy()).toEqual(both);
    },
  );

  reproduce(
    ['TXSingleMultiSameStakeholders', 'TXSingleMultiSameLedgerEffectsStakeholders'],
    'two participants return the same transactions',
    async (caseId) => {
      const shape = caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
      await agreementFactory(alpha, alice, bob);
      await agreementFactory(beta, bob, alice);
      const [here, there] = [
        await transactions(alpha, shape, [alice, bob]),
        await transactions(beta, shape, [alice, bob]),
      ];
      expect(here).toHaveLength(2);
      expect(here.map(comparable)).toEqual(there.map(comparable));
    },
  );

  reproduce(
    [
      'TXTransactionByIdLedgerEffectsSameAsTransactionStream',
      'TXTransactionByIdAcsDeltaSameAsTransactionStream',
    ],
    'a look-up returns the same transaction as the stream',
    async (caseId) => {
      const shape = caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
      await agreementFactory(alpha, alice, bob);
      const [listed, ...more] = await transactions(alpha, shape, [alice, bob]);
      expect([listed.events.length, more]).toEqual([1, []]);
      const updateFormat = transactionsFor(shape, [alice, bob]);
      const { update } = await beta.ok('/v2/updates/update-by-id', {
        updateId: listed.updateId,
        updateFormat,
      });
      expect(comparable(update.Transaction.value)).toEqual(comparable(listed));
    },
  );

  reproduce(
    ['TXAcsDeltaTransactionEvents', 'TXTransactionLedgerEffectsEvents'],
    'events have the offset of their transaction',
    async (caseId) => {
      const shape = caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
      const kind = caseId.includes('LedgerEffects') ? 'ExercisedEvent' : 'ArchivedEvent';
      await createdAndConsumed(1, alice);
      const [made, consumed, ...more] = await transactions(alpha, shape, [alice]);
      expect(more).toEqual([]);
      expect(made.events).toMatchObject([{ CreatedEvent: { offset: made.offset, nodeId: 0 } }]);
      expect(consumed.events).toMatchObject([{ [kind]: { offset: consumed.offset, nodeId: 0 } }]);
    },
  );

  reproduce(
    ['TXAcsDeltaSubsetOfLedgerEffects', 'TXAcsDeltaWitnessesSubsetOfLedgerEffects'],
    'each ACS change is among the ledger effects, with a subset of its witnesses',
    async () => {
      await createdAndConsumed(50, alice);
      const placed = async (shape: Shape) =>
        new Map<string, string[]>(
          (await transactions(alpha, shape, [alice]))
            .flatMap(eventsOf)
            .map(({ offset, nodeId, witnessParties }) => [`${offset}.${nodeId}`, witnessParties]),
        );
      const [changes, effects] = [await placed('ACS_DELTA'), await placed('LEDGER_EFFECTS')];
      expect([changes.size, effects.size]).toEqual([100, 100]);
      for (const [place, witnesses] of changes)
        expect(effects.get(place)).toEqual(expect.arrayContaining(witnesses));
    },
  );

  reproduce(
    ['TXSingleSubscriptionInOrder', 'TXMultiSubscriptionInOrder'],
    'a creation precedes its archival, and record times increase',
    async (caseId) => {
      const parties = caseId.includes('Multi') ? [alice, carol] : [alice];
      await createdAndConsumed(50, ...parties);
      const seen = await transactions(alpha, 'ACS_DELTA', parties);
      const known = new Set<string>();
      const alive = new Set<string>();
      for (const transaction of seen) {
        for (const { contractId } of createdEvents(transaction)) {
          expect(known.has(contractId)).toBe(false);
          known.add(contractId);
          alive.add(contractId);
        }
        for (const { contractId } of archivedEvents(transaction))
          expect(alive.delete(contractId)).toBe(true);
      }
      expect(seen.flatMap(eventsOf)).toHaveLength(100);
      expect([known.size, alive.size]).toEqual([50, 0]);
      const recorded = seen.map(({ recordTime }) => digits(recordTime));
      expect(recorded).toEqual([...new Set(recorded)].sort());
    },
  );
});

conformanceSuite('TransactionServiceFiltersIT', {}, (reproduce) => {
  const entity = (name: string) => `${modelPackage.id}:Test:${name}`;
  /**
   * The contracts that the filters match: a coin by template and interface, a ticket by the interface, WithParam by the
   * template, and a Dummy by none.
   */
  const FOUR: readonly [string, Record<string, string>][] = [
    ['Coin', { owner: alice, label: 'one' }],
    ['Ticket', { issuer: alice, owner: alice, seat: '2' }],
    ['WithParam', { operator: alice, number: '3' }],
    ['Dummy', { operator: alice }],
  ];
  async function four(): Promise<string[]> {
    const ids: string[] = [];
    for (const [name, payload] of FOUR)
      ids.push(await alpha.create(model(name), payload, { actAs: alice }));
    return ids;
  }
  /** The expected events of the four with these indices. */
  const expectedRows = (ids: readonly string[], ...shownOnes: number[]) =>
    shownOnes.map((at) => [ids[at], entity(FOUR[at]![0]), FOUR[at]![1]]);
  const rowsOf = (events: JsonAnswer[]) =>
    events.map(({ contractId, templateId, createArgument }) => [
      contractId,
      templateId,
      createArgument,
    ]);
  /** Of the four, from both streams and the ACS. */
  async function shown(format: Record<string, unknown>, begin: number): Promise<JsonAnswer[][]> {
    const streamed = SHAPES.map(async (shape) =>
      transactionsIn(
        await alpha.updates(
          {
            includeTransactions: {
              eventFormat: format,
              transactionShape: `TRANSACTION_SHAPE_${shape}`,
            },
          },
          { beginExclusive: begin },
        ),
      ).flatMap(createdEvents),
    );
    return [...(await Promise.all(streamed)), await alpha.active(format)];
  }

  reproduce(
    [
      'TSFInterfaceTemplatePlainFilters',
      'TSFInterfaceTemplateFiltersWithEventBlobs',
      'TSFInterfaceWithEventBlobsTemplatePlainFilters',
      'TSFInterfaceWithEventBlobsTemplateFiltersWithEventBlobs',
    ],
    'a created event has a blob if a matching filter requests it',
    async (caseId) => {
      const blobs = {
        interface: caseId.includes('InterfaceWithEventBlobs'),
        template: caseId.includes('TemplateFiltersWithEventBlobs'),
      };
      const templates = {
        cumulative: ['Coin', 'WithParam'].map((name) => byTemplate(model(name), blobs.template)),
      };
      const interfaces = {
        cumulative: [byInterface(model('Asset'), { view: true, blob: blobs.interface })],
      };
      const both = { cumulative: [...templates.cumulative, ...interfaces.cumulative] };
      const begin = await alpha.ledgerEnd();
      const ids = await four();
      for (const format of [
        { filtersByParty: { [alice]: both } },
        { filtersByParty: {}, filtersForAnyParty: both },
        { filtersByParty: { [alice]: templates }, filtersForAnyParty: interfaces },
        { filtersByParty: { [alice]: interfaces }, filtersForAnyParty: templates },
      ])
        for (const events of await shown({ ...format, verbose: true }, begin)) {
          expect(rowsOf(events)).toEqual(expectedRows(ids, 0, 1, 2));
          expect(
            events.map(({ interfaceViews, createdEventBlob }) => [
              interfaceViews.length,
              createdEventBlob !== '',
            ]),
          ).toEqual([
            [1, blobs.interface || blobs.template],
            [1, blobs.interface],
            [0, blobs.template],
          ]);
        }
    },
  );

  reproduce(
    'TSFTemplateWildcardFiltersWithEventBlobs',
    'each created event has a blob',
    async () => {
      const begin = await alpha.ledgerEnd();
      const ids = await four();
      for (const events of await shown(eventFormat([alice], wildcard(true)), begin)) {
        expect(rowsOf(events)).toEqual(expectedRows(ids, 0, 1, 2, 3));
        for (const { createdEventBlob } of events)
          expect(createdEventBlob).toEqual(expect.stringMatching(/.+/));
      }
    },
  );

  reproduce(
    'TSFExercisedTemplateFilters',
    'returns exercises of the requested template only',
    async () => {
      const begin = await alpha.ledgerEnd();
      for (const party of [alice, carol]) {
        const contractId = await dummy(party);
        for (const choice of ['Look', 'Archive'])
          await alpha.submit(exercise(model('Dummy'), contractId, choice), { actAs: party });
      }
      const payload = { operator: alice, number: '1' };
      const other = await alpha.create(model('WithParam'), payload, { actAs: alice });
      await alpha.submit(exercise(model('WithParam'), other, 'Set', { number: '2' }), {
        actAs: alice,
      });
      for (const [parties, count] of [
        [[alice], 2],
        [[], 4],
      ] as const) {
        const format = transactionsFor('LEDGER_EFFECTS', parties, byTemplate(model('Dummy')));
        const updates = await alpha.updates(format, { beginExclusive: begin });
        const seen = transactionsIn(updates).flatMap(exercisedEvents);
        expect(seen.map(({ templateId }) => templateId)).toEqual(
          Array.from({ length: count }, () => entity('Dummy')),
        );
      }
    },
  );

  reproduce(
    ['TransactionAcsDeltaWildcardFilters', 'TransactionLedgerEffectsWildcardFilters'],
    'created events have arguments, for one party and for any party',
    async (caseId) => {
      const shape = caseId.includes('LedgerEffects') ? 'LEDGER_EFFECTS' : 'ACS_DELTA';
      const contractIds = await four();
      for (const parties of [[alice], []]) {
        const created = (await transactions(alpha, shape, parties)).flatMap(createdEvents);
        const ours = created.filter(({ contractId }) => contractIds.includes(contractId));
        expect(rowsOf(ours)).toEqual(expectedRows(contractIds, 0, 1, 2, 3));
        for (const { createArgument } of created)
          expect(Object.keys(createArgument)).not.toHaveLength(0);
      }
    },
  );
});
