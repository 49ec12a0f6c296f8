/** Conformance: what is divulged stays private, and who finds the events of a contract. */
import {
  byTemplate,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type Shape,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({ grpc: true });
const [alice, bob] = useParties(api, 'alice', 'bob');

const transactionsOf = async (shape: Shape, ...parties: string[]): Promise<JsonAnswer[]> => {
  const format = transactionFormat(shape, eventFormat(parties, wildcard()));
  const updates = await api.updates({ includeTransactions: format });
  return updates.map(({ Transaction }: JsonAnswer) => Transaction.value);
};
const delegated = () => api.create(model('Delegated'), { owner: alice }, { actAs: alice });
/** Bob's, which lets Alice act. */
const delegation = () =>
  api.create(model('Delegation'), { owner: bob, delegate: alice }, { actAs: bob });
const act = (id: string, choice: string, argument: object = {}) =>
  api.submit(exercise(model('Delegation'), id, choice, argument), { actAs: alice });

conformanceSuite('DivulgenceIT', {}, (reproduce) => {
  reproduce(
    'DivulgenceTx',
    'a witness of an archival sees ledger effects, and no ACS change',
    async () => {
      const hers = await delegated();
      const his = await delegation();
      await act(his, 'ArchiveDelegated', { delegated: hers });

      const [only, ...others] = await transactionsOf('ACS_DELTA', bob);
      expect(others).toEqual([]);
      expect(only.events).toMatchObject([{ CreatedEvent: { contractId: his } }]);

      const [creation, exercised, ...more] = await transactionsOf('LEDGER_EFFECTS', bob);
      expect(more).toEqual([]);
      expect(creation.events).toMatchObject([{ CreatedEvent: { contractId: his } }]);
      const shown = { witnessParties: [bob], acsDelta: false };
      expect(exercised.events).toMatchObject([
        { ExercisedEvent: { contractId: his, nodeId: 0, lastDescendantNodeId: 1, ...shown } },
        { ExercisedEvent: { contractId: hers, nodeId: 1, lastDescendantNodeId: 1, ...shown } },
      ]);

      const both = await transactionsOf('ACS_DELTA', alice, bob);
      expect(both.map(({ events }) => events)).toMatchObject([
        [{ CreatedEvent: { contractId: hers, witnessParties: [alice] } }],
        [{ CreatedEvent: { contractId: his } }],
        [{ ArchivedEvent: { contractId: hers, witnessParties: [alice] } }],
      ]);
    },
  );

  reproduce(
    'ImmediateDivulgenceTx',
    'a witness of a creation sees ledger effects, and no ACS change',
    async () => {
      // Alice creates her own contract through Bob's: she is its signatory, he its witness.
      const id = await api.create(
        model('Delegation'),
        { owner: bob, delegate: alice },
        { actAs: bob },
      );
      await act(id, 'CreateOwn');
      const [only, ...others] = await transactionsOf('ACS_DELTA', bob);
      expect(others).toEqual([]);
      expect(only.events).toMatchObject([{ CreatedEvent: { contractId: id } }]);

      const [creation, exercised, ...more] = await transactionsOf('LEDGER_EFFECTS', bob);
      expect(more).toEqual([]);
      expect(creation.events).toMatchObject([{ CreatedEvent: { contractId: id } }]);
      expect(exercised.events).toMatchObject([
        { ExercisedEvent: { contractId: id, nodeId: 0, lastDescendantNodeId: 1, acsDelta: false } },
        { CreatedEvent: { nodeId: 1, acsDelta: false, signatories: [alice] } },
      ]);
    },
  );

  reproduce(
    'DivulgenceAcs',
    'a divulged contract is active for its stakeholders only',
    async () => {
      const hers = await delegated();
      const his = await delegation();
      await act(his, 'FetchDelegated', { delegated: hers });
      const seen = async (...parties: string[]) =>
        (await api.active(eventFormat(parties, wildcard()))).map(
          ({ contractId, witnessParties }: JsonAnswer) => [contractId, [...witnessParties].sort()],
        );
      expect(await seen(bob)).toEqual([[his, [bob]]]);
      expect(await seen(alice, bob)).toEqual([
        [hers, [alice]],
        [his, [alice, bob].sort()],
      ]);
    },
  );
});

conformanceSuite('EventQueryServiceIT', {}, (reproduce) => {
  const PATH = '/v2/events/events-by-contract-id';
  const dummy = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const found = (contractId: string, format: object) =>
    api.ok(PATH, { contractId, eventFormat: format });
  const expectMissing = (contractId: string, format: object) =>
    expectRefused(
      api.post(PATH, { contractId, eventFormat: format }),
      'CONTRACT_EVENTS_NOT_FOUND',
      { cause: 'Contract events not found, or not visible.', definite: false },
    );
  const hers = eventFormat([alice], wildcard());

  reproduce(
    'TXEventsByContractIdBasic',
    'returns the created event of the active contract',
    async () => {
      const id = await dummy();
      const active = await api.active(hers);
      const { created, archived } = await found(id, hers);
      expect([created.createdEvent]).toEqual(active);
      expect(archived).toBeNull();
    },
  );

  reproduce(
    'TXEventsByContractIdConsumed',
    'returns the created and the archived event',
    async () => {
      const id = await dummy();
      const active = await api.active(hers);
      const { events } = await api.transact(exercise(model('Dummy'), id, 'Consume'), {
        actAs: alice,
      });
      const { created, archived } = await found(id, hers);
      expect([created.createdEvent]).toEqual(active);
      expect([{ ArchivedEvent: archived.archivedEvent }]).toEqual(events);
    },
  );

  reproduce('TXEventsByContractIdNotExistent', 'CONTRACT_EVENTS_NOT_FOUND', async () => {
    await expectMissing(`${'00'.repeat(33)}01`, hers);
  });

  reproduce('TXEventsByContractIdNotVisible', 'CONTRACT_EVENTS_NOT_FOUND', async () => {
    const id = await dummy();
    await expectMissing(id, eventFormat([bob], wildcard()));
    expect((await found(id, hers)).created.createdEvent.contractId).toBe(id);
  });

  reproduce(
    'TXEventsByContractIdFilterCombinations',
    'returns events only if party and template match',
    async () => {
      const id = await dummy();
      const active = await api.active(hers);
      for (const format of [
        eventFormat([], wildcard()),
        eventFormat([alice], byTemplate(model('Dummy'))),
      ]) {
        const { created, archived } = await found(id, format);
        expect([[created.createdEvent], archived]).toEqual([active, null]);
      }
      for (const format of [
        eventFormat([bob], byTemplate(model('Dummy'))),
        eventFormat([alice], byTemplate(model('TriAgreement'))),
      ])
        await expectMissing(id, format);
    },
  );

  reproduce(
    'TXEventsByContractIdTransient',
    'returns both events of a transient contract',
    async () => {
      const { events } = await api.transact(
        createAndExercise(model('Dummy'), { operator: alice }, 'Archive'),
        { actAs: alice },
        transactionFormat('LEDGER_EFFECTS', hers),
      );
      const [{ CreatedEvent: made }, { ExercisedEvent: consumed }, ...more] = events;
      expect(more).toEqual([]);
      const { contractId } = made;
      for (const format of [hers, eventFormat([], wildcard())]) {
        const { created, archived } = await found(contractId, format);
        expect(created.createdEvent).toEqual(made);
        const { nodeId, offset, templateId, packageName, witnessParties } = consumed;
        expect(archived.archivedEvent).toMatchObject({
          ...{ contractId, nodeId, offset, templateId, packageName, witnessParties },
        });
      }
    },
  );
});
