/** Conformance: submitting and waiting for what became of it. */
import {
  byTemplate,
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  updateFormat,
  wildcard,
  type Shape,
  type Submit,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model, modelId } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { conformance, conformancePackage } from '../support/model.js';
import { conformanceSuite } from '../support/suite.js';

const WAIT = '/v2/commands/submit-and-wait';
const FOR_TRANSACTION = '/v2/commands/submit-and-wait-for-transaction';
/** Where the second participant is found on the first one's port. */
const BETA = '/participants/beta';

const api = useLedgerApi({
  grpc: true,
  trafficControl: true,
  packages: [conformancePackage],
  synchronizers: [{ alias: 'global' }, { alias: 'app' }],
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const [alice, bob] = useParties(api, 'alice', 'bob');
const carol = api.canticle.participants[1]!.allocateParty('carol');
const synchronizerIds = api.canticle.network.synchronizers.map(({ id }) => id);
const [synchronizerId] = synchronizerIds;

const dummy = (operator = alice) => create(model('Dummy'), { operator });
const byAlice: Submit = { actAs: alice, synchronizerId };

/** The format of the transaction. */
const shaped = (shape: Shape, parties: readonly string[] = [alice], template?: string) =>
  transactionFormat(
    shape,
    eventFormat(parties, template === undefined ? wildcard() : byTemplate(model(template))),
  );

const transactionById = async (updateId: string, shape: Shape, party = alice) =>
  (
    await api.ok('/v2/updates/update-by-id', {
      updateId,
      updateFormat: updateFormat(shape, eventFormat([party], wildcard())),
    })
  ).update.Transaction.value;

async function transactionsOf(party: string, shape: Shape, root = ''): Promise<JsonAnswer[]> {
  const { body } = await api.client.ledger('GET', `${root}/v2/state/ledger-end`);
  const list = await api.ok(`${root}/v2/updates`, {
    beginExclusive: 0,
    endInclusive: body.offset,
    updateFormat: updateFormat(shape, eventFormat([party], wildcard())),
  });
  return list.map(({ update }: JsonAnswer) => update.Transaction.value);
}

const kinds = ({ events }: JsonAnswer): string[] =>
  events.map((event: JsonAnswer) => Object.keys(event)[0]);

/** The answer to a refused submission. */
const answered = (path: string, submitted: unknown, options: Submit = byAlice) => {
  const commands = api.commands(submitted, options);
  return api.post(path, path === WAIT ? commands : { commands });
};

/** The transaction in all that does not depend on what is shown of it. */
function expectEmptyButForDetails(transaction: JsonAnswer, whole: JsonAnswer): void {
  expect(kinds(whole)).toEqual(['ExercisedEvent']);
  expect(transaction).toEqual({ ...whole, events: [] });
}

conformanceSuite('CommandServiceIT', {}, (reproduce, _, overJson) => {
  reproduce('CSsubmitAndWaitBasic', 'the returned update id finds the transaction', async () => {
    const { updateId } = await api.submit(dummy(), byAlice);
    const [transaction, ...others] = await transactionsOf(alice, 'ACS_DELTA');
    expect(others).toEqual([]);
    expect(kinds(transaction)).toEqual(['CreatedEvent']);
    expect(transaction.externalTransactionHash).toBeNull();
    expect(transaction.paidTrafficCost).toBeGreaterThan(0);
    const found = await transactionById(updateId, 'ACS_DELTA');
    expect(found.updateId).toBe(updateId);
    expect(found.events).toEqual(transaction.events);
  });

  /** Created, named in full. */
  function expectOneDummy({ updateId, events }: JsonAnswer): void {
    expect(updateId).not.toBe('');
    expect(events).toMatchObject([{ CreatedEvent: { templateId: modelId('Dummy') } }]);
  }

  reproduce('CSsubmitAndWaitForTransactionBasic', 'returns one created event', async () =>
    expectOneDummy(await api.transact(dummy(), byAlice, shaped('ACS_DELTA'))),
  );

  const useAtOnce = createAndExercise(model('Dummy'), { operator: alice }, 'Consume');

  reproduce(
    'CSsubmitAndWaitForTransactionLedgerEffectsBasic',
    'returns the created and the exercised event',
    async () => {
      const transaction = await api.transact(useAtOnce, byAlice, shaped('LEDGER_EFFECTS'));
      expect(transaction.updateId).not.toBe('');
      expect(transaction.events).toMatchObject([
        { CreatedEvent: { templateId: modelId('Dummy') } },
        { ExercisedEvent: { templateId: modelId('Dummy') } },
      ]);
      expect(transaction.paidTrafficCost).toBeGreaterThan(0);
    },
  );

  reproduce('CSduplicateSubmitAndWaitBasic', 'DUPLICATE_COMMAND', async () => {
    const options = { ...byAlice, commandId: 'twice' };
    await api.submit(dummy(), options);
    await expectRefused(answered(WAIT, dummy(), options), 'DUPLICATE_COMMAND', { definite: true });
  });

  const twoTemplates = [dummy(), create(model('Nest'), { owner: alice })];

  reproduce(
    'CSSubmitAndWaitForTransactionFilterByParty',
    'returns the events that the party sees',
    async () => {
      const transaction = await api.transact(twoTemplates, byAlice, shaped('ACS_DELTA'));
      expect(kinds(transaction)).toEqual(['CreatedEvent', 'CreatedEvent']);
    },
  );

  reproduce(
    'CSSubmitAndWaitForTransactionFilterByWrongParty',
    'returns no events for a party that sees none',
    async () => {
      for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const) {
        const transaction = await api.transact(twoTemplates, byAlice, shaped(shape, [bob]));
        expect(transaction.events).toEqual([]);
        expect(transaction.updateId).not.toBe('');
      }
    },
  );

  reproduce(
    'CSSubmitAndWaitForTransactionFilterAnyParty',
    'returns the events for any party',
    async () => {
      const transaction = await api.transact(twoTemplates, byAlice, shaped('ACS_DELTA', []));
      expect(kinds(transaction)).toEqual(['CreatedEvent', 'CreatedEvent']);
      expect(transaction.paidTrafficCost).toBeGreaterThan(0);
    },
  );

  reproduce(
    'CSSubmitAndWaitForTransactionFilterTemplate',
    'returns the events of one template',
    async () => {
      const format = shaped('ACS_DELTA', [], 'Dummy');
      const transaction = await api.transact(twoTemplates.toReversed(), byAlice, format);
      expectOneDummy(transaction);
      expect(transaction.paidTrafficCost).toBeGreaterThan(0);
    },
  );

  reproduce('CSDuplicateSubmitAndWaitForTransactionData', 'DUPLICATE_COMMAND', async () => {
    const options = { ...byAlice, commandId: 'twice' };
    await api.transact(dummy(), options);
    const again = answered(FOR_TRANSACTION, dummy(), options);
    await expectRefused(again, 'DUPLICATE_COMMAND', { definite: true });
  });

  reproduce(
    'CSSubmitAndWaitForTransactionExplicitDisclosure',
    'returns no events to a party that is not a stakeholder',
    async () => {
      const payload = { giver: alice, observers: [] };
      const contractId = await api.create(model('WithObservers'), payload, byAlice);
      const format = eventFormat([alice], byTemplate(model('WithObservers'), true));
      const includeTransactions = transactionFormat('LEDGER_EFFECTS', format);
      const [{ Transaction }, ...others] = await api.updates({ includeTransactions });
      const [{ CreatedEvent }, ...more] = Transaction.value.events;
      expect([others, more]).toEqual([[], []]);
      const { templateId, createdEventBlob } = CreatedEvent;
      const disclosed = { templateId, contractId, createdEventBlob, synchronizerId: '' };
      const transaction = await api.transact(
        exercise(model('WithObservers'), contractId, 'Take', { actor: bob }),
        { actAs: bob, disclosedContracts: [disclosed] },
        shaped('ACS_DELTA', [bob]),
      );
      const { updateId } = transaction;
      expectEmptyButForDetails(transaction, await transactionById(updateId, 'LEDGER_EFFECTS', bob));
    },
  );

  const invalid = { ...byAlice, synchronizerId: 'invalidSynchronizerId' };
  reproduce(
    ['CSsubmitAndWaitInvalidSynchronizerId', 'CSsubmitAndWaitForTransactionInvalidSynchronizerId'],
    'INVALID_FIELD synchronizer_id',
    async (caseId) => {
      const path = caseId.includes('ForTransaction') ? FOR_TRANSACTION : WAIT;
      await expectRefused(answered(path, dummy(), invalid), 'INVALID_FIELD', {
        cause:
          'Invalid field synchronizer_id: Invalid unique identifier `invalidSynchronizerId` with missing namespace.',
        definite: false,
      });
    },
  );

  reproduce(
    'CSsubmitAndWaitPrescribedSynchronizerId',
    'the transaction is on the chosen synchronizer',
    async () => {
      for (const id of synchronizerIds) {
        const { updateId } = await api.submit(dummy(), { ...byAlice, synchronizerId: id });
        expect((await transactionById(updateId, 'ACS_DELTA')).synchronizerId).toBe(id);
      }
    },
  );

  reproduce(
    'CSsubmitAndWaitForTransactionPrescribedSynchronizerId',
    'the answer names the chosen synchronizer',
    async () => {
      for (const id of synchronizerIds) {
        const transaction = await api.transact(dummy(), { ...byAlice, synchronizerId: id });
        expect(transaction.synchronizerId).toBe(id);
      }
    },
  );

  reproduce(
    'CSRefuseBadParameter',
    'rejects an unknown field with COMMAND_PREPROCESSING_FAILED',
    async () => {
      const wrong = create(model('Dummy'), { INVALID_PARAM: alice });
      await expectRefused(answered(WAIT, wrong), 'COMMAND_PREPROCESSING_FAILED', {
        cause: 'Missing non-optional field',
        definite: false,
      });
    },
  );

  reproduce(
    'CSReturnStackTrace',
    'the context of DAML_FAILURE lists the choices that led to it',
    async () => {
      const failing = conformance('Failing');
      const contractId = await api.create(failing, { operator: alice }, byAlice);
      const answer = answered(WAIT, exercise(failing, contractId, 'CloneAndFail'));
      const expected = { cause: 'Assertion failed', definite: false };
      const { context } = await expectRefused(answer, 'DAML_FAILURE', expected);
      expect(context.exercise_trace).toMatch(
        / {4}in choice [0-9a-f]{8}:Test:Failing:Fail on contract 00[0-9a-f]{8} \(#3\)\n {4}in choice [0-9a-f]{8}:Test:Failing:CloneAndFail on contract 00[0-9a-f]{8} \(#0\)\n {4}in exercise command [0-9a-f]{8}:Test:Failing:CloneAndFail on contract 00[0-9a-f]{8}\.\n$/,
      );
    },
  );

  const watched = { giver: alice, observers: [bob, carol] };
  const eventsOf = (transactions: JsonAnswer[], kind: string): JsonAnswer[] =>
    transactions.flatMap(({ events }) => events.flatMap((event: JsonAnswer) => event[kind] ?? []));

  reproduce(
    'CSDiscloseCreateToObservers',
    'observers on two participants see the created event',
    async () => {
      await api.submit(create(model('WithObservers'), watched), byAlice);
      const here = eventsOf(await transactionsOf(bob, 'LEDGER_EFFECTS'), 'CreatedEvent');
      const there = eventsOf(await transactionsOf(carol, 'LEDGER_EFFECTS', BETA), 'CreatedEvent');
      expect([here.length, there.length]).toEqual([1, 1]);
      expect([here[0].createArgument, there[0].createArgument]).toEqual([watched, watched]);
    },
  );

  reproduce(
    'CSDiscloseExerciseToObservers',
    'observers on two participants see the exercised event',
    async () => {
      const id = await api.create(model('WithObservers'), watched, byAlice);
      await api.submit(exercise(model('WithObservers'), id, 'Take', { actor: alice }), byAlice);
      const here = eventsOf(await transactionsOf(bob, 'LEDGER_EFFECTS'), 'ExercisedEvent');
      const there = eventsOf(await transactionsOf(carol, 'LEDGER_EFFECTS', BETA), 'ExercisedEvent');
      expect([here, there]).toMatchObject([[{ contractId: id }], [{ contractId: id }]]);
    },
  );

  reproduce('CSHugeCommandSubmission', 'accepts 15 commands in one submission', async () => {
    await api.submit(
      Array.from({ length: 15 }, () => dummy()),
      byAlice,
    );
    expect(await api.active(eventFormat([alice], wildcard()))).toHaveLength(15);
  });

  reproduce(
    'CSCallablePayout',
    'a receiver on another participant transfers the contract',
    async () => {
      const payout = conformance('CallablePayout');
      const id = await api.create(payout, { giver: alice, receiver: carol }, byAlice);
      const commands = api.commands(exercise(payout, id, 'Transfer', { newReceiver: bob }), {
        actAs: carol,
      });
      const { transaction } = await api.ok(BETA + FOR_TRANSACTION, {
        commands,
        transactionFormat: shaped('LEDGER_EFFECTS', [carol]),
      });
      const created = eventsOf([transaction], 'CreatedEvent');
      expect(created.map(({ createArgument }) => createArgument)).toEqual([
        { giver: alice, receiver: bob },
      ]);
    },
  );

  reproduce('CSReadyForExercise', 'a choice on a new contract succeeds', async () => {
    const contractId = await api.create(model('Dummy'), { operator: alice }, byAlice);
    const transaction = await api.transact(
      exercise(model('Dummy'), contractId, 'Clone'),
      byAlice,
      shaped('LEDGER_EFFECTS'),
    );
    expect(eventsOf([transaction], 'ExercisedEvent')).toMatchObject([
      { contractId, consuming: true },
    ]);
    expect(eventsOf([transaction], 'CreatedEvent')).toHaveLength(2);
  });

  reproduce('CSBadNumericValues', 'rejects numbers that a Decimal cannot represent', async () => {
    const rounding = (number: string) =>
      create(conformance('DecimalRounding'), { party: alice, number });
    const bound = '10000000000000000000000000000.0000000000';
    for (const [number, cause] of [
      ['0.00000000005', 'Cannot represent'],
      [bound, 'Out-of-bounds (Numeric 10)'],
      [`-${bound}`, 'Out-of-bounds (Numeric 10)'],
    ] as const)
      await expectRefused(answered(WAIT, rounding(number)), 'COMMAND_PREPROCESSING_FAILED', {
        cause,
        definite: false,
      });
  });

  reproduce(
    'CSCreateAndExercise',
    'creates and archives the contract, and the ledger effects show both events',
    async () => {
      await api.submit(useAtOnce, byAlice);
      expect((await transactionsOf(alice, 'ACS_DELTA')).flatMap(({ events }) => events)).toEqual(
        [],
      );
      const whole = await transactionsOf(alice, 'LEDGER_EFFECTS');
      const [created, ...others] = eventsOf(whole, 'CreatedEvent');
      expect([created.templateId, others]).toEqual([modelId('Dummy'), []]);
      expect(eventsOf(whole, 'ExercisedEvent')).toMatchObject([
        { choice: 'Consume', contractId: created.contractId, consuming: true },
      ]);
    },
  );

  reproduce('CSBadCreateAndExercise', 'rejects a missing field', async () => {
    const wrong = createAndExercise(model('Dummy'), {}, 'Consume');
    await expectRefused(answered(WAIT, wrong), 'COMMAND_PREPROCESSING_FAILED', {
      cause: 'Missing non-optional field',
      definite: false,
    });
  });

  overJson('CSCreateAndBadExerciseArguments', 'rejects an argument of the wrong type', async () => {
    // JSON reads the argument by its type, before a participant would.
    const wrong = createAndExercise(model('Dummy'), { operator: alice }, 'Consume', false);
    await expectRefused(answered(WAIT, wrong), 'LEDGER_API_INTERNAL_ERROR', {
      cause: /^Expected ujson.Obj \(data: false\)$/,
    });
    expect(await api.active(eventFormat([alice], wildcard()))).toEqual([]);
  });

  overJson('CSCreateAndBadExerciseChoice', 'rejects an unknown choice', async () => {
    const wrong = createAndExercise(model('Dummy'), { operator: alice }, 'DoesNotExist');
    await expectRefused(answered(WAIT, wrong), 'INVALID_ARGUMENT', {
      cause: 'DoesNotExist',
      definite: false,
    });
  });

  reproduce(
    'CSsubmitAndWaitCompletionOffset',
    'returns the offset of the transaction',
    async () => {
      const { updateId, completionOffset } = await api.submit(dummy(), byAlice);
      expect(completionOffset).toBeGreaterThan(0);
      expect((await transactionById(updateId, 'LEDGER_EFFECTS')).offset).toBe(completionOffset);
      for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const)
        expect((await api.transact(dummy(), byAlice, shaped(shape))).offset).toBeGreaterThan(
          completionOffset,
        );
    },
  );

  reproduce(
    'CSSubmitAndWaitForTransactionNonConsumingChoice',
    'returns no ACS delta for a non-consuming choice',
    async () => {
      const contractId = await api.create(model('Dummy'), { operator: alice }, byAlice);
      const look = exercise(model('Dummy'), contractId, 'Look');
      const transaction = await api.transact(look, byAlice, shaped('ACS_DELTA'));
      const { update } = await api.ok('/v2/updates/update-by-offset', {
        offset: transaction.offset,
        updateFormat: { includeTransactions: shaped('LEDGER_EFFECTS') },
      });
      expectEmptyButForDetails(transaction, update.Transaction.value);
    },
  );
});
