/** Conformance: contracts disclosed to who has no stake in them, and choices of interfaces. */
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParticipant, useParties } from '../../support/shared-ledger-api.js';
import { createdEvents, transactionsFor, transactionsIn } from '../support/events.js';
import { conformance, conformancePackage } from '../support/model.js';
import { conformanceSuite } from '../support/suite.js';

const alpha = useLedgerApi({
  grpc: true,
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

/** The disclosed contract from the reader's created event. */
async function disclosed(templateId: string, contractId: string, reader = owner, api = alpha) {
  const filter = byTemplate(templateId, true);
  const updates = await api.updates(transactionsFor('LEDGER_EFFECTS', [reader], filter));
  const created = transactionsIn(updates).flatMap(createdEvents);
  const [event, ...others] = created.filter((each) => each.contractId === contractId);
  expect(others).toEqual([]);
  expect(event.createdEventBlob).not.toBe('');
  return {
    templateId: event.templateId,
    contractId,
    createdEventBlob: event.createdEventBlob,
    synchronizerId: '',
  } satisfies Disclosed;
}

/**
 * A contract of the owner's alone, and one by which the delegate may fetch it. Each is where it is sent, or where the participant
 * sends it.
 */
async function delegation(delegatedAt = first, delegationAt: string | undefined = first) {
  const options = { actAs: owner };
  const id = await alpha.create(
    model('Delegation'),
    { owner, delegate },
    { ...options, synchronizerId: delegationAt },
  );
  const delegated = await alpha.create(
    model('Delegated'),
    { owner },
    { ...options, synchronizerId: delegatedAt },
  );
  const fetching = exercise(model('Delegation'), id, 'FetchDelegated', { delegated });
  const fetched = (disclosedContracts: unknown[] = [], more: object = {}) =>
    beta.post(WAIT, beta.commands(fetching, { actAs: delegate, disclosedContracts, ...more }));
  const accepted = async (...contracts: Disclosed[]) =>
    expect((await fetched(contracts)).status).toBe(200);
  const contract = await disclosed(model('Delegated'), delegated);
  return { delegated, fetching, fetched, accepted, contract };
}

conformanceSuite('ExplicitDisclosureIT', {}, (reproduce) => {
  reproduce(
    'EDCorrectCreatedEventBlobDisclosure',
    'finds the contract by its created-event blob',
    async () => {
      const { fetched, accepted, contract } = await delegation();
      await expectRefused(fetched(), 'CONTRACT_NOT_FOUND', { definite: false });
      await accepted(contract);
    },
  );

  reproduce(
    'EDSuperfluousDisclosure',
    'accepts disclosed contracts that the command does not use',
    async () => {
      const { accepted, contract } = await delegation();
      const dummy = await alpha.create(model('Dummy'), { operator: owner }, { actAs: owner });
      const superfluous = await disclosed(model('Dummy'), dummy);
      await accepted(contract);
      await accepted(contract, superfluous);
      await alpha.submit(exercise(model('Dummy'), dummy, 'Archive'), { actAs: owner });
      await accepted(contract, superfluous);
    },
  );

  reproduce(
    'EDArchivedDisclosedContracts',
    'rejects a disclosed contract that is archived',
    async () => {
      const { fetched, contract, delegated } = await delegation();
      await alpha.submit(exercise(model('Delegated'), delegated, 'Archive'), { actAs: owner });
      await expectRefused(fetched([contract]), 'LOCAL_VERDICT_INACTIVE_CONTRACTS', {
        context: { CONTRACT_ID: `List(${delegated})` },
      });
    },
  );

  reproduce(
    'EDDisclosedContractsArchiveRaceTest',
    'one of two concurrent archivals succeeds',
    async () => {
      const race = async () => {
        const payload = { giver: owner, observers: [] };
        const id = await alpha.create(model('WithObservers'), payload, { actAs: owner });
        const disclosedContracts = [await disclosed(model('WithObservers'), id)];
        const taken = exercise(model('WithObservers'), id, 'Take', { actor: delegate });
        const outcomes = await Promise.all([
          alpha.submitRefusal(exercise(model('WithObservers'), id, 'Archive'), { actAs: owner }),
          beta.submitRefusal(taken, { actAs: delegate, disclosedContracts }),
        ]);
        const [refusal, ...others] = outcomes.filter((outcome) => outcome !== 'accepted');
        expect(others).toEqual([]);
        expect(['CONTRACT_NOT_FOUND', 'LOCAL_VERDICT_INACTIVE_CONTRACTS']).toContain(refusal);
      };
      await Promise.all(Array.from({ length: 10 }, race));
    },
  );

  reproduce('EDMalformedDisclosedContractCreatedEventBlob', 'INVALID_ARGUMENT', async () => {
    const { fetched, contract } = await delegation();
    const createdEventBlob = Buffer.from('foo').toString('base64');
    await expectRefused(fetched([{ ...contract, createdEventBlob }]), 'INVALID_ARGUMENT', {
      cause:
        'The submitted request has invalid arguments: Unable to decode disclosed contract event payload: DecodeError',
      definite: false,
    });
  });

  reproduce(
    'EDInconsistentDisclosedContract',
    'rejects a blob with the authentication data of another contract',
    async () => {
      const { fetched, contract } = await delegation();
      const own = await beta.create(model('Delegated'), { owner: delegate }, { actAs: delegate });
      const other = await disclosed(model('Delegated'), own, delegate, beta);
      /** A blob ends with the data that authenticate its contract id. */
      const blob = ({ createdEventBlob }: Disclosed) => Buffer.from(createdEventBlob, 'base64');
      const body = blob(contract).subarray(0, -38);
      const createdEventBlob = Buffer.concat([body, blob(other).subarray(-38)]).toString('base64');
      const answer = fetched([{ ...contract, createdEventBlob }]);
      await expectRefused(answer, 'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED', {
        cause: 'failed to authenticate contract',
      });
    },
  );

  reproduce('EDDuplicates', 'accepts the same disclosed contract twice', async () => {
    const { accepted, contract } = await delegation();
    await accepted(contract);
    const twice = { actAs: delegate, disclosedContracts: [contract, contract] };
    await beta.submit(create(model('Dummy'), { operator: delegate }), twice);
  });

  reproduce('EDRejectOnCreatedEventBlobNotSet', 'MISSING_FIELD createdEventBlob', async () => {
    const { fetched, contract } = await delegation();
    await expectRefused(fetched([{ ...contract, createdEventBlob: '' }]), 'MISSING_FIELD', {
      cause:
        'The submitted command is missing a mandatory field: DisclosedContract.createdEventBlob',
      definite: false,
    });
  });

  reproduce(
    'EDDiscloseeUsesWitnessedContract',
    'the disclosee may use a contract whose creation it witnessed',
    async () => {
      const options = { actAs: owner, synchronizerId: first };
      const id = await alpha.create(conformance('Discloser'), { owner }, options);
      const to = { disclosee: delegate };
      await alpha.submit(exercise(conformance('Discloser'), id, 'CreateBefore', to), options);
      const format = transactionsFor(
        'LEDGER_EFFECTS',
        [delegate],
        byTemplate(conformance('Public'), true),
      );
      const [transaction, ...others] = transactionsIn(await beta.updates(format));
      expect(others).toEqual([]);
      expect(createdEvents(transaction)).toMatchObject([{ witnessParties: [delegate] }]);
      const [{ contractId }] = createdEvents(transaction);
      const witnessed = await disclosed(conformance('Public'), contractId, delegate, beta);
      const used = exercise(conformance('Public'), contractId, 'Use', { anyone: delegate });
      await beta.submit(used, {
        actAs: delegate,
        synchronizerId: first,
        disclosedContracts: [witnessed],
      });
    },
  );

  reproduce(
    'EDFailOnDisclosedContractIdMismatchWithPrescribedSynchronizerId',
    'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
    async () => {
      const { fetched, contract } = await delegation(first);
      const elsewhere = [{ ...contract, synchronizerId: second }];
      const answer = fetched(elsewhere, { synchronizerId: first });
      await expectRefused(answer, 'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH', { definite: false });
    },
  );

  reproduce(
    'EDRouteByDisclosedContractSynchronizerId',
    'routes the command to the synchronizer of the disclosed contract',
    async () => {
      for (const synchronizerId of [first, second]) {
        const { fetching, contract } = await delegation(synchronizerId, '');
        const { synchronizerId: used } = await beta.transact(fetching, {
          actAs: delegate,
          disclosedContracts: [{ ...contract, synchronizerId }],
        });
        expect(used).toBe(synchronizerId);
      }
    },
  );
});

conformanceSuite('InterfaceIT', {}, (reproduce, _, overJson) => {
  const shape = conformance('Shape');
  const exercised = async (on: string, choice: string) => {
    const id = await alpha.create(shape, { owner }, { actAs: owner });
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([owner], wildcard()));
    const { events } = await alpha.transact(exercise(on, id, choice), { actAs: owner }, format);
    expect(events).toHaveLength(1);
    return events[0].ExercisedEvent;
  };

  reproduce(
    'ExerciseTemplateSuccess',
    "an exercise of the template's choice has no interface id",
    async () => {
      const { interfaceId, exerciseResult } = await exercised(shape, 'Turn');
      expect([interfaceId, exerciseResult]).toEqual([null, 'Shape']);
    },
  );

  reproduce(
    'ExerciseInterfaceSuccess',
    "an exercise of the interface's choice has its interface id",
    async () => {
      const { interfaceId, exerciseResult } = await exercised(
        '#conformance:Turning:Turnable',
        'Turn',
      );
      expect(interfaceId).toBe(`${conformancePackage.id}:Turning:Turnable`);
      expect(exerciseResult).toBe('Turnable');
    },
  );

  overJson(
    ['ExerciseInterfaceByTemplateFail', 'ExerciseInterfaceByRequiringFail'],
    'rejects a choice of another interface or template',
    async (caseId) => {
      const id = await alpha.create(shape, { owner }, { actAs: owner });
      const wrong = caseId.includes('Template') ? shape : '#conformance:Turning:Rotatable';
      const commands = alpha.commands(exercise(wrong, id, 'TurnOnly'), { actAs: owner });
      // JSON looks the choice up to read its argument, before a participant would.
      const expected = { cause: 'TurnOnly', definite: false };
      await expectRefused(alpha.post(WAIT, commands), 'INVALID_ARGUMENT', expected);
    },
  );
});
