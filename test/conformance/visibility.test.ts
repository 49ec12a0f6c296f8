/** Conformance: what is divulged stays private, and who finds the events of a contract. */
import {
  byTemplate,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type Shape,
  type Told,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi();
const [alice, bob] = useParties(api, 'alice', 'bob');

const transactionsOf = async (shape: Shape, ...parties: string[]): Promise<Told[]> => {
  const format = transactionFormat(shape, eventFormat(parties, wildcard()));
  const updates = await api.updates({ includeTransactions: format });
  return updates.map(({ Transaction }: Told) => Transaction.value);
};
const ofKind = ({ events }: Told, kind: string): Told[] =>
  events.flatMap((event: Told) => event[kind] ?? []);

const delegated = () => api.create(model('Delegated'), { owner: alice }, { actAs: alice });
/** Bob's, which lets Alice act. */
const delegation = () =>
  api.create(model('Delegation'), { owner: bob, delegate: alice }, { actAs: bob });
const act = (id: string, choice: string, argument: object = {}) =>
  api.submit(exercise(model('Delegation'), id, choice, argument), { actAs: alice });

conformanceSuite('DivulgenceIT', {}, (reproduce) => {
  reproduce('DivulgenceTx', 'a witness is shown no contract of others', async () => {
    const hers = await delegated();
    const his = await delegation();
    await act(his, 'ArchiveDelegated', { delegated: hers });

    const [only, ...others] = await transactionsOf('ACS_DELTA', bob);
    expect(others).toEqual([]);
    expect(only.events).toMatchObject([{ CreatedEvent: { contractId: his } }]);

    const [creation, exercised, ...more] = await transactionsOf('LEDGER_EFFECTS', bob);
    expect(more).toEqual([]);
    expect(creation.events).toMatchObject([{ CreatedEvent: { contractId: his } }]);
    const [outer, inner] = ofKind(exercised, 'ExercisedEvent');
    expect([outer.contractId, inner.contractId]).toEqual([his, hers]);
    expect(outer.lastDescendantNodeId).toBe(outer.nodeId + 1);
    expect([inner.nodeId, inner.lastDescendantNodeId]).toEqual([outer.nodeId + 1, inner.nodeId]);

    const both = await transactionsOf('ACS_DELTA', alice, bob);
    expect(both.map(({ events }) => events)).toMatchObject([
      [{ CreatedEvent: { contractId: hers, witnessParties: [alice] } }],
      [{ CreatedEvent: { contractId: his } }],
      [{ ArchivedEvent: { contractId: hers } }],
    ]);
  });

  reproduce('ImmediateDivulgenceTx', 'nor what is created before its eyes', async () => {
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
    expect(exercised.events).toHaveLength(2);
    const [[outer], [inner]] = [
      ofKind(exercised, 'ExercisedEvent'),
      ofKind(exercised, 'CreatedEvent'),
    ];
    expect([outer.acsDelta, inner.acsDelta]).toEqual([false, false]);
    expect(outer.contractId).toBe(id);
    expect(outer.lastDescendantNodeId).toBe(outer.nodeId + 1);
  });

  reproduce('DivulgenceAcs', 'a divulged contract is active for its stakeholders', async () => {
    const hers = await delegated();
    const his = await delegation();
    await act(his, 'FetchDelegated', { delegated: hers });
    const seen = async (...parties: string[]) =>
      (await api.active(eventFormat(parties, wildcard()))).map(
        ({ contractId, witnessParties }: Told) => [contractId, [...witnessParties].sort()],
      );
    expect(await seen(bob)).toEqual([[his, [bob]]]);
    expect(await seen(alice, bob)).toEqual([
      [hers, [alice]],
      [his, [alice, bob].sort()],
    ]);
  });
});

conformanceSuite('EventQueryServiceIT', {}, (reproduce) => {
  const PATH = '/v2/events/events-by-contract-id';
  const dummy = () => api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const found = (contractId: string, format: object) =>
    api.ok(PATH, { contractId, eventFormat: format });
  const missing = async (contractId: string, format: object) => {
    const { status, body } = await api.post(PATH, { contractId, eventFormat: format });
    return { status, code: body.code, cause: body.cause, answer: body.context.definite_answer };
  };
  const notFound = {
    status: 404,
    code: 'CONTRACT_EVENTS_NOT_FOUND',
    cause: 'Contract events not found, or not visible.',
    answer: 'false',
  };
  const hers = eventFormat([alice], wildcard());

  reproduce('TXEventsByContractIdBasic', 'its creation, as the active contract', async () => {
    const id = await dummy();
    const [active] = await api.active(hers);
    const { created, archived } = await found(id, hers);
    expect(created.createdEvent).toEqual(active);
    expect(archived).toBeNull();
  });

  reproduce('TXEventsByContractIdConsumed', 'its creation and its end', async () => {
    const id = await dummy();
    const { events } = await api.transact(exercise(model('Dummy'), id, 'Consume'), {
      actAs: alice,
    });
    const { created, archived } = await found(id, hers);
    expect(created.createdEvent.contractId).toBe(id);
    expect(archived.archivedEvent).toEqual(events[0].ArchivedEvent);
  });

  reproduce('TXEventsByContractIdNotExistent', 'CONTRACT_EVENTS_NOT_FOUND', async () => {
    expect(await missing(`${'00'.repeat(33)}01`.slice(0, 68), hers)).toEqual(notFound);
  });

  reproduce('TXEventsByContractIdNotVisible', 'CONTRACT_EVENTS_NOT_FOUND', async () => {
    expect(await missing(await dummy(), eventFormat([bob], wildcard()))).toEqual(notFound);
  });

  reproduce('TXEventsByContractIdFilterCombinations', 'for whom the filter fits', async () => {
    const id = await dummy();
    const [active] = await api.active(hers);
    for (const format of [
      eventFormat([], wildcard()),
      eventFormat([alice], byTemplate(model('Dummy'))),
    ]) {
      const { created, archived } = await found(id, format);
      expect([created.createdEvent, archived]).toEqual([active, null]);
    }
    for (const format of [
      eventFormat([bob], byTemplate(model('Dummy'))),
      eventFormat([alice], byTemplate(model('TriAgreement'))),
    ])
      expect(await missing(id, format)).toEqual(notFound);
  });

  reproduce('TXEventsByContractIdTransient', 'both ends of what lives in between', async () => {
    const { events } = await api.transact(
      createAndExercise(model('Dummy'), { operator: alice }, 'Archive'),
      { actAs: alice },
      transactionFormat('LEDGER_EFFECTS', hers),
    );
    const [{ contractId }] = ofKind({ events }, 'CreatedEvent');
    for (const format of [hers, eventFormat([], wildcard())]) {
      const { created, archived } = await found(contractId, format);
      expect(created.createdEvent.contractId).toBe(contractId);
      expect(archived.archivedEvent.contractId).toBe(contractId);
    }
  });
});
