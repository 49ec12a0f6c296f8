/** Conformance: contracts disclosed to who has no stake in them, and choices of interfaces. */
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type Told,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParticipant, useParties } from '../support/shared-ledger-api.js';
import { conformance, conformancePackage } from './support/model.js';
import { conformanceSuite } from './support/suite.js';

const alpha = useLedgerApi({
  packages: [conformancePackage],
  synchronizers: [{ alias: 'global' }, { alias: 'app' }],
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const beta = useParticipant(alpha, 'beta');
const [owner] = useParties(alpha, 'owner');
const delegate = alpha.canticle.participants[1]!.allocateParty('delegate');
const [first, second] = alpha.canticle.network.synchronizers.map(({ id }) => id) as [
  string,
  string,
];

const WAIT = '/v2/commands/submit-and-wait';

interface Disclosed {
  readonly templateId: string;
  readonly contractId: string;
  readonly createdEventBlob: string;
  readonly synchronizerId: string;
}

/** As its owner hands it over. */
async function disclosed(entity: string, contractId: string): Promise<Disclosed> {
  const format = eventFormat([owner], byTemplate(model(entity), true));
  const events: Told[] = await alpha.active(format);
  const { templateId, createdEventBlob } = events.find((event) => event.contractId === contractId);
  return { templateId, contractId, createdEventBlob, synchronizerId: '' };
}

/** A contract of the owner's alone, and one by which the delegate may fetch it. */
async function delegation(synchronizerId = first) {
  const options = { actAs: owner, synchronizerId };
  const id = await alpha.create(model('Delegation'), { owner, delegate }, options);
  const delegated = await alpha.create(model('Delegated'), { owner }, options);
  const fetching = exercise(model('Delegation'), id, 'FetchDelegated', { delegated });
  const fetched = async (disclosedContracts: unknown[] = [], more: object = {}) => {
    const commands = beta.commands(fetching, { actAs: delegate, disclosedContracts, ...more });
    const { status, body } = await beta.post(WAIT, commands);
    return status === 200
      ? { status }
      : { status, code: body.code, cause: body.cause, definite: body.context.definite_answer };
  };
  return { delegated, fetching, fetched, contract: await disclosed('Delegated', delegated) };
}
const ACCEPTED = { status: 200 };

conformanceSuite('ExplicitDisclosureIT', {}, (reproduce) => {
  reproduce('EDCorrectCreatedEventBlobDisclosure', 'found by its blob alone', async () => {
    const { fetched, contract } = await delegation();
    expect(contract.createdEventBlob).not.toBe('');
    expect(await fetched()).toMatchObject({ code: 'CONTRACT_NOT_FOUND', definite: 'false' });
    expect(await fetched([contract])).toEqual(ACCEPTED);
  });

  reproduce('EDSuperfluousDisclosure', 'what is not used does no harm', async () => {
    const { fetched, contract } = await delegation();
    const dummy = await alpha.create(model('Dummy'), { operator: owner }, { actAs: owner });
    const superfluous = await disclosed('Dummy', dummy);
    expect(await fetched([contract, superfluous])).toEqual(ACCEPTED);
    await alpha.submit(exercise(model('Dummy'), dummy, 'Archive'), { actAs: owner });
    expect(await fetched([contract, superfluous])).toEqual(ACCEPTED);
  });

  reproduce('EDArchivedDisclosedContracts', 'what is archived is refused', async () => {
    const { fetched, contract, delegated } = await delegation();
    await alpha.submit(exercise(model('Delegated'), delegated, 'Archive'), { actAs: owner });
    expect((await fetched([contract])).status).toBeGreaterThanOrEqual(400);
  });

  reproduce('EDDisclosedContractsArchiveRaceTest', 'one of two consumes it', async () => {
    const race = async () => {
      const payload = { giver: owner, observers: [] };
      const id = await alpha.create(model('WithObservers'), payload, { actAs: owner });
      const disclosedContracts = [await disclosed('WithObservers', id)];
      const taken = exercise(model('WithObservers'), id, 'Take', { actor: delegate });
      const outcomes = await Promise.all([
        alpha.submitRefusal(exercise(model('WithObservers'), id, 'Archive'), { actAs: owner }),
        beta.submitRefusal(taken, { actAs: delegate, disclosedContracts }),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    };
    await Promise.all(Array.from({ length: 10 }, race));
  });

  reproduce('EDMalformedDisclosedContractCreatedEventBlob', 'INVALID_ARGUMENT', async () => {
    const { fetched, contract } = await delegation();
    const createdEventBlob = Buffer.from('foo').toString('base64');
    expect(await fetched([{ ...contract, createdEventBlob }])).toEqual({
      status: 400,
      code: 'INVALID_ARGUMENT',
      cause: expect.stringContaining(
        'The submitted request has invalid arguments: Unable to decode disclosed contract event payload: DecodeError',
      ),
      definite: 'false',
    });
  });

  reproduce('EDInconsistentDisclosedContract', "another contract's data are refused", async () => {
    const { fetched, contract } = await delegation();
    const { contract: other } = await delegation();
    /** A blob ends with the data that authenticate its contract id. */
    const blob = ({ createdEventBlob }: Disclosed) => Buffer.from(createdEventBlob, 'base64');
    const body = blob(contract).subarray(0, -38);
    const createdEventBlob = Buffer.concat([body, blob(other).subarray(-38)]).toString('base64');
    const answer = await fetched([{ ...contract, createdEventBlob }]);
    expect(answer.status).toBe(400);
    expect(answer.cause).toContain('authenticat');
  });

  reproduce('EDDuplicates', 'the same twice is the same', async () => {
    const { fetched, contract } = await delegation();
    expect(await fetched([contract])).toEqual(ACCEPTED);
    const twice = { actAs: delegate, disclosedContracts: [contract, contract] };
    await beta.submit(create(model('Dummy'), { operator: delegate }), twice);
  });

  reproduce('EDRejectOnCreatedEventBlobNotSet', 'MISSING_FIELD createdEventBlob', async () => {
    const { fetched, contract } = await delegation();
    expect(await fetched([{ ...contract, createdEventBlob: '' }])).toEqual({
      status: 400,
      code: 'MISSING_FIELD',
      cause:
        'The submitted command is missing a mandatory field: DisclosedContract.createdEventBlob',
      definite: 'false',
    });
  });

  reproduce('EDDiscloseeUsesWitnessedContract', 'what it saw created it may use', async () => {
    const options = { actAs: owner, synchronizerId: first };
    const id = await alpha.create(conformance('Discloser'), { owner }, options);
    const to = { disclosee: delegate };
    await alpha.submit(exercise(conformance('Discloser'), id, 'CreateBefore', to), options);
    const format = eventFormat([delegate], byTemplate(conformance('Public'), true));
    const updates = await beta.updates({
      includeTransactions: transactionFormat('LEDGER_EFFECTS', format),
    });
    const events = updates.flatMap(({ Transaction }: Told) => Transaction.value.events);
    expect(events).toMatchObject([{ CreatedEvent: { witnessParties: [delegate] } }]);
    const { templateId, contractId, createdEventBlob } = events[0].CreatedEvent;
    const used = exercise(conformance('Public'), contractId, 'Use', { anyone: delegate });
    await beta.submit(used, {
      actAs: delegate,
      synchronizerId: first,
      disclosedContracts: [{ templateId, contractId, createdEventBlob, synchronizerId: '' }],
    });
  });

  reproduce(
    'EDFailOnDisclosedContractIdMismatchWithPrescribedSynchronizerId',
    'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
    async () => {
      const { fetched, contract } = await delegation(first);
      const elsewhere = [{ ...contract, synchronizerId: second }];
      expect(await fetched(elsewhere, { synchronizerId: first })).toMatchObject({
        code: 'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
        definite: 'false',
      });
    },
  );

  reproduce('EDRouteByDisclosedContractSynchronizerId', 'it is used where it is', async () => {
    for (const synchronizerId of [first, second]) {
      const { fetching, contract } = await delegation(synchronizerId);
      const { synchronizerId: used } = await beta.transact(fetching, {
        actAs: delegate,
        disclosedContracts: [{ ...contract, synchronizerId }],
      });
      expect(used).toBe(synchronizerId);
    }
  });
});

conformanceSuite('InterfaceIT', {}, (reproduce, answerOtherwise) => {
  const shape = conformance('Shape');
  const exercised = async (on: string, choice: string) => {
    const id = await alpha.create(shape, { owner }, { actAs: owner });
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([owner], wildcard()));
    const { events } = await alpha.transact(exercise(on, id, choice), { actAs: owner }, format);
    expect(events).toHaveLength(1);
    return events[0].ExercisedEvent;
  };

  reproduce('ExerciseTemplateSuccess', "the template's own choice names no interface", async () => {
    const { interfaceId, exerciseResult } = await exercised(shape, 'Turn');
    expect([interfaceId, exerciseResult]).toEqual([null, 'Shape']);
  });

  reproduce('ExerciseInterfaceSuccess', "the interface's choice names it", async () => {
    const { interfaceId, exerciseResult } = await exercised(
      '#conformance:Turning:Turnable',
      'Turn',
    );
    expect(interfaceId).toMatch(/^[0-9a-f]{64}:Turning:Turnable$/);
    expect(exerciseResult).toBe('Turnable');
  });

  answerOtherwise(
    ['ExerciseInterfaceByTemplateFail', 'ExerciseInterfaceByRequiringFail'],
    'a choice is exercised by what defines it alone',
    async (caseId) => {
      const id = await alpha.create(shape, { owner }, { actAs: owner });
      const wrong = caseId.includes('Template') ? shape : '#conformance:Turning:Rotatable';
      const commands = alpha.commands(exercise(wrong, id, 'TurnOnly'), { actAs: owner });
      const { status, body } = await alpha.post(WAIT, commands);
      // JSON looks the choice up to read its argument, before a participant would.
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_ARGUMENT' });
      expect(body.cause).toContain('TurnOnly');
    },
  );
});
