/** Conformance: updates by id and by offset, and changes of the topology. */
import { createHash } from 'node:crypto';
import {
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  type LedgerApi,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParticipant } from '../../support/shared-ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';
import { transactionsFor } from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';

const alpha = useLedgerApi({
  grpc: true,
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const beta = useParticipant(alpha, 'beta');
const [alice, carol] = ['alice', 'carol'].map((hint) =>
  alpha.canticle.participants[0]!.allocateParty(hint),
) as [string, string];
const bob = alpha.canticle.participants[1]!.allocateParty('bob');

/** An id that no update has. */
const UNKNOWN_UPDATE = `1220${createHash('sha256').update('unknown').digest('hex')}`;

const BY = { id: 'updateId', offset: 'offset' } as const;
type By = keyof typeof BY;
const lookUp = (api: LedgerApi, by: By, value: string | number, updateFormat: unknown) =>
  api.post(`/v2/updates/update-by-${by}`, { [BY[by]]: value, updateFormat });

/** The transaction that is found. */
async function found(by: By, transaction: JsonAnswer, format: unknown): Promise<JsonAnswer> {
  const { status, body } = await lookUp(alpha, by, transaction[BY[by]], format);
  expect(status).toBe(200);
  return body.update.Transaction.value;
}

const expectNotFound = (answering: ReturnType<typeof lookUp>) =>
  expectRefused(answering, 'UPDATE_NOT_FOUND', { cause: 'Update not found, or not visible.' });

const created = (operator = alice) =>
  alpha.create(model('Dummy'), { operator }, { actAs: operator });
/** The transaction of one command of Alice's. */
const submitted = (shape: Shape, command: unknown) =>
  alpha.transact(command, { actAs: alice }, transactionFormat(shape, eventFormat([alice])));
/** A transaction that only consumes a contract. */
const consumed = async (shape: Shape) =>
  submitted(shape, exercise(model('Dummy'), await created(), 'Consume'));

const byOf = (caseId: string): By => (caseId.includes('ByOffset') ? 'offset' : 'id');
const shapeOf = (caseId: string): Shape =>
  caseId.includes('AcsDelta') ? 'ACS_DELTA' : 'LEDGER_EFFECTS';

const allocated = async (hint: string): Promise<string> => (await alpha.parties(hint))[0];
const topologyFor = (...parties: string[]) => ({
  includeTopologyEvents: { includeParticipantAuthorizationEvents: { parties } },
});
/** The change of the topology that a new party makes. */
async function topologyOf(party: string): Promise<JsonAnswer> {
  const [update, ...more] = await alpha.updates(topologyFor(party));
  expect(more).toEqual([]);
  return update.TopologyTransaction.value;
}

conformanceSuite('UpdateServiceQueryIT', {}, (reproduce) => {
  reproduce(
    [
      'TXTransactionByIdLedgerEffectsBasic',
      'TXAcsDeltaUpdateByIdBasic',
      'TXLedgerEffectsUpdateByOffsetBasic',
      'TXAcsDeltaUpdateByOffsetBasic',
    ],
    'returns the submitted transaction',
    async (caseId) => {
      const shape = shapeOf(caseId);
      const transaction = await consumed(shape);
      expect(await found(byOf(caseId), transaction, transactionsFor(shape, [alice]))).toEqual(
        transaction,
      );
      const kind = shape === 'ACS_DELTA' ? 'ArchivedEvent' : 'ExercisedEvent';
      const acsDelta = shape === 'ACS_DELTA' ? {} : { acsDelta: true };
      expect(transaction.events).toMatchObject([
        { [kind]: { witnessParties: [alice], ...acsDelta } },
      ]);
    },
  );

  reproduce(
    [
      'TXAcsDeltaUpdateByIdCreateArgumentsNonEmpty',
      'TXAcsDeltaUpdateByOffsetCreateArgumentsNonEmpty',
    ],
    'the created event has its argument',
    async (caseId) => {
      const transaction = await submitted('ACS_DELTA', create(model('Dummy'), { operator: alice }));
      const format = transactionsFor('ACS_DELTA', [alice]);
      const { events } = await found(byOf(caseId), transaction, format);
      expect(events.map(({ CreatedEvent }: JsonAnswer) => CreatedEvent.createArgument)).toEqual([
        { operator: alice },
      ]);
    },
  );

  reproduce(
    [
      'TXLedgerEffectsInvisibleUpdateByIdOtherParty',
      'TXAcsDeltaInvisibleUpdateByIdOtherParty',
      'TXLegerEffectsInvisibleUpdateByOffsetOtherParty',
      'TXAcsDeltaInvisibleUpdateByOffsetOtherParty',
    ],
    'returns no update for a party that is not a stakeholder, on either participant',
    async (caseId) => {
      const [by, shape] = [byOf(caseId), shapeOf(caseId)];
      const transaction = await consumed(shape);
      expect(await found(by, transaction, transactionsFor(shape, [alice]))).toEqual(transaction);
      for (const [api, party] of [
        [alpha, carol],
        [beta, bob],
      ] as const)
        await expectNotFound(lookUp(api, by, transaction[BY[by]], transactionsFor(shape, [party])));
    },
  );

  reproduce(
    [
      'TXLedgerEffectsInvisibleUpdateByIdOtherTemplate',
      'TXAcsDeltaInvisibleUpdateByIdOtherTemplate',
      'TXLegerEffectsInvisibleUpdateByOffsetOtherTemplate',
      'TXAcsDeltaInvisibleUpdateByOffsetOtherTemplate',
    ],
    'returns no update for a filter of another template',
    async (caseId) => {
      const [by, shape] = [byOf(caseId), shapeOf(caseId)];
      const transaction = await consumed(shape);
      const itsOwn = transactionsFor(shape, [alice], byTemplate(model('Dummy')));
      expect(await found(by, transaction, itsOwn)).toEqual(transaction);
      const format = transactionsFor(shape, [alice], byTemplate(model('WithParam')));
      await expectNotFound(lookUp(alpha, by, transaction[BY[by]], format));
    },
  );

  reproduce(
    [
      'TXLedgerEffectsUpdateByIdNotFound',
      'TXAcsDeltaUpdateByIdNotFound',
      'TXLegerEffectsUpdateByOffsetNotFound',
      'TXAcsDeltaUpdateByOffsetNotFound',
    ],
    'returns no update for an unknown id or offset',
    async (caseId) => {
      const by = byOf(caseId);
      const format = transactionsFor(shapeOf(caseId), [alice]);
      await expectNotFound(lookUp(alpha, by, by === 'id' ? UNKNOWN_UPDATE : 1260, format));
    },
  );

  reproduce(
    ['TXUpdateByIdTransientContract', 'TXUpdateByOffsetTransientContract'],
    'a transient contract has ledger effects, but no ACS delta',
    async (caseId) => {
      const by = byOf(caseId);
      const transient = createAndExercise(model('Dummy'), { operator: alice }, 'Archive');
      const transaction = await submitted('LEDGER_EFFECTS', transient);
      const delta = transactionsFor('ACS_DELTA', [alice]);
      await expectNotFound(lookUp(alpha, by, transaction[BY[by]], delta));
      const effects = await found(by, transaction, transactionsFor('LEDGER_EFFECTS', [alice]));
      expect(effects).toEqual(transaction);
      expect(effects.events.map((event: JsonAnswer) => Object.keys(event))).toEqual([
        ['CreatedEvent'],
        ['ExercisedEvent'],
      ]);
    },
  );

  reproduce(
    ['TXUpdateByIdNonConsumingChoice', 'TXUpdateByOffsetNonConsumingChoice'],
    'a non-consuming choice has no ACS delta',
    async (caseId) => {
      const by = byOf(caseId);
      const look = exercise(model('Dummy'), await created(), 'Look');
      const transaction = await submitted('ACS_DELTA', look);
      expect(transaction.events).toEqual([]);
      const delta = transactionsFor('ACS_DELTA', [alice]);
      await expectNotFound(lookUp(alpha, by, transaction[BY[by]], delta));
    },
  );

  reproduce(
    ['TopologyTXByOffsetBasic', 'TopologyTXPartyWildcard'],
    'returns the same update by id and by offset, and for all parties',
    async (caseId) => {
      const party = await allocated('new');
      const transaction = await topologyOf(party);
      const format = topologyFor(...(caseId === 'TopologyTXPartyWildcard' ? [] : [party]));
      const byId = await lookUp(alpha, 'id', transaction.updateId, format);
      const byOffset = await lookUp(alpha, 'offset', transaction.offset, format);
      expect(byId.body.update.TopologyTransaction.value).toEqual(transaction);
      expect(byOffset).toMatchObject({ status: 200, body: byId.body });
    },
  );

  reproduce(
    ['TopologyTXInvisibleByIdOtherParty', 'TopologyTXInvisibleByOffsetOtherParty'],
    'returns no update for another party',
    async (caseId) => {
      const by = byOf(caseId);
      const transaction = await topologyOf(await allocated('new'));
      await expectNotFound(lookUp(alpha, by, transaction[BY[by]], topologyFor(alice)));
    },
  );

  reproduce(
    ['TopologyTXInvisibleById', 'TopologyTXInvisibleByOffset'],
    'returns no update for an unknown id, or an offset after the ledger end',
    async (caseId) => {
      const by = byOf(caseId);
      const value = by === 'id' ? UNKNOWN_UPDATE : 252_000;
      await expectNotFound(lookUp(alpha, by, value, topologyFor()));
    },
  );
});

conformanceSuite('UpdateServiceTopologyEventsIT', {}, (reproduce) => {
  function expectAdded(transaction: JsonAnswer, partyId: string): void {
    expect(transaction.offset).toBeGreaterThan(0);
    for (const member of ['updateId', 'recordTime', 'synchronizerId'])
      expect(transaction[member]).toEqual(expect.stringMatching(/.+/));
    expect(
      transaction.events.map(
        ({ event }: JsonAnswer) => event.ParticipantAuthorizationAdded.value.partyId,
      ),
    ).toEqual([partyId]);
  }

  reproduce('USPartyEventsInUpdatesTailing', 'an open stream receives the event', async () => {
    const stream = await new StreamClient(`${alpha.canticle.url}/v2/updates`).send({
      beginExclusive: await alpha.ledgerEnd(),
      updateFormat: topologyFor(),
    });
    const party = await allocated('new');
    const [{ update }] = await stream.take(1);
    await stream.close();
    expectAdded(update.TopologyTransaction.value, party);
  });

  reproduce(
    'USPartyEventsInUpdatesNotTailing',
    'a stream with an end offset returns the event',
    async () => {
      const beginExclusive = await alpha.ledgerEnd();
      const party = await allocated('new');
      const [update, ...more] = await alpha.updates(topologyFor(), { beginExclusive });
      expect(more).toEqual([]);
      expectAdded(update.TopologyTransaction.value, party);
    },
  );
});
