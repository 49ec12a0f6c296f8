/** Conformance: what a submission may hold and who must authorize it, what its transaction says, and how reads are checked. */
import {
  byInterface,
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import type { Answer } from '../../support/client.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused } from '../../support/refusal.js';
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

const alpha = useLedgerApi({
  grpc: true,
  participants: [{ name: 'alpha' }, { name: 'beta' }],
  packages: [agreementsPackage],
});
const beta = useParticipant(alpha, 'beta');
const { canticle } = alpha;
const [alice, operator, receiver] = ['alice', 'operator', 'receiver'].map((hint) =>
  canticle.participants[0]!.allocateParty(hint),
) as [string, string, string];
const [bob, giver] = ['bob', 'giver'].map((hint) =>
  canticle.participants[1]!.allocateParty(hint),
) as [string, string];

/** The one transaction of a submission, with all its effects. */
const effectsOf = (api: LedgerApi, submitted: unknown, actAs: string) =>
  api.transact(submitted, { actAs }, transactionFormat('LEDGER_EFFECTS', eventFormat([actAs])));

const submit = (api: LedgerApi, command: unknown, actAs: string) =>
  api.post('/v2/commands/submit-and-wait', api.commands(command, { actAs }));

async function expectFailedAssertion(answering: Promise<Answer>): Promise<void> {
  const { errorCategory } = await expectRefused(answering, 'DAML_FAILURE', {
    cause: 'Assertion failed',
    definite: false,
  });
  expect(errorCategory).toBe(9);
}

const everyType = {
  integer: '42',
  decimal: '47.0000000000',
  text: 'some text',
  bool: true,
  time: '0001-01-01T00:00:00Z',
  nestedOptionalInteger: { value: { tag: 'SomeInteger', value: '-1' } },
  integerList: ['0', '1', '2', '3'],
  optionalText: 'some optional text',
};

conformanceSuite('TransactionServiceArgumentsIT', {}, (reproduce) => {
  const showcase = agreements('ParameterShowcase');
  const created = async (payload: object) => {
    const transaction = await alpha.transact(create(showcase, payload), { actAs: alice });
    const events = createdEvents(transaction);
    expect(events).toHaveLength(1);
    return events[0];
  };

  reproduce('TXCreateWithAnyType', 'returns the payload as submitted', async () => {
    const payload = { operator: alice, ...everyType };
    expect((await created(payload)).createArgument).toEqual(payload);
  });

  reproduce('TXExerciseWithAnyType', 'returns the choice argument as submitted', async () => {
    const payload = { operator: alice, ...everyType };
    const contractId = await alpha.create(showcase, payload, { actAs: alice });
    const argument = { ...everyType, decimal: '37.0000000000' };
    const choice = exercise(showcase, contractId, 'Choice1', argument);
    const transaction = await effectsOf(alpha, choice, alice);
    expect(exercisedEvents(transaction).map(({ choiceArgument }) => choiceArgument)).toEqual([
      argument,
    ]);
    expect(createdEvents(transaction).map(({ createArgument }) => createArgument)).toEqual([
      { ...payload, ...argument },
    ]);
  });

  reproduce('TXVeryLongList', 'accepts a list of ten thousand elements', async () => {
    const integerList = Array.from({ length: 10_000 }, (_, index) => String(index));
    const payload = { operator: alice, ...everyType, integerList };
    expect((await created(payload)).createArgument).toEqual(payload);
  });

  reproduce('TXNoReorder', 'keeps the order of fields', async () => {
    const template = agreements('AddressWrapper');
    const address = { street: 'street', city: 'city', state: 'state', zip: 'zip' };
    const payload = { operator: alice, address };
    const contractId = await alpha.create(template, payload, { actAs: alice });
    const choice = exercise(template, contractId, 'WrapWithAddress', { address });
    const [wrapped, ...more] = createdEvents(await effectsOf(alpha, choice, alice));
    expect(more).toEqual([]);
    expect(Object.keys(wrapped.createArgument)).toEqual(Object.keys(payload));
    expect(Object.entries(wrapped.createArgument.address)).toEqual(Object.entries(address));
  });
});

conformanceSuite('TransactionServiceAuthorizationIT', {}, (reproduce) => {
  const agree = async (between: { receiver: string; giver: string }) => {
    const factory = await beta.create(agreements('AgreementFactory'), between, {
      actAs: between.giver,
    });
    const api = between.receiver === giver ? beta : alpha;
    const accept = exercise(agreements('AgreementFactory'), factory, 'CreateAgreement');
    const [agreement, ...more] = createdEvents(await effectsOf(api, accept, between.receiver));
    expect(more).toEqual([]);
    return agreement.contractId as string;
  };
  const propose = (payload: { operator: string; receiver: string; giver: string }) =>
    alpha.create(agreements('TriProposal'), payload, { actAs: operator });
  const acceptance = (agreement: string, proposal: string) =>
    exercise(agreements('Agreement'), agreement, 'AcceptTriProposal', { proposal });

  reproduce(
    'TXRequireAuthorization',
    'requires only the signatory that the payload selects',
    async () => {
      const payload = { whichSign: true, signTrue: alice, signFalse: bob };
      await alpha.submit(create(agreements('BranchingSignatories'), payload), { actAs: alice });
      const seen = transactionsIn(await alpha.updates(transactionsFor('ACS_DELTA', [alice])));
      expect(seen.map(({ events }) => events)).toMatchObject([
        [{ CreatedEvent: { createArgument: payload, signatories: [alice] } }],
      ]);
    },
  );

  reproduce('TXMultiActorChoiceOkBasic', 'accepts a choice if both controllers act', async () => {
    const agreement = await agree({ receiver, giver });
    const payload = { operator, receiver, giver };
    const proposal = await propose(payload);
    const made = createdEvents(await effectsOf(beta, acceptance(agreement, proposal), giver));
    expect(made.map(({ createArgument }) => createArgument)).toEqual([payload]);
  });

  reproduce(
    'TXMultiActorChoiceOkCoincidingControllers',
    'accepts a choice if one party is both controllers',
    async () => {
      const agreement = await agree({ receiver: giver, giver });
      const payload = { operator, receiver: giver, giver };
      const proposal = await propose(payload);
      const made = createdEvents(await effectsOf(beta, acceptance(agreement, proposal), giver));
      expect(made.map(({ createArgument }) => createArgument)).toEqual([payload]);
    },
  );

  reproduce('TXRejectMultiActorMissingAuth', 'DAML_AUTHORIZATION_ERROR', async () => {
    const proposal = await propose({ operator, receiver, giver });
    const accept = exercise(agreements('TriProposal'), proposal, 'TriProposalAccept');
    await expectRefused(submit(beta, accept, giver), 'DAML_AUTHORIZATION_ERROR', {
      cause: 'requires authorizers',
      definite: false,
    });
  });

  reproduce(
    'TXRejectMultiActorExcessiveAuth',
    'fails with DAML_FAILURE of category 9',
    async () => {
      const agreement = await agree({ receiver, giver });
      const proposal = await propose({ operator, receiver: giver, giver });
      await expectFailedAssertion(submit(beta, acceptance(agreement, proposal), giver));
    },
  );
});

conformanceSuite('TransactionServiceExerciseIT', {}, (reproduce) => {
  const self = agreements('CreateAndFetch');

  reproduce(
    'TXUseCreateToExercise',
    'exercises a choice on the id from a created event',
    async () => {
      const contractId = await alpha.create(model('Dummy'), { operator: alice }, { actAs: alice });
      const transaction = await effectsOf(
        alpha,
        exercise(model('Dummy'), contractId, 'Clone'),
        alice,
      );
      expect(exercisedEvents(transaction)).toMatchObject([
        { contractId, nodeId: 0, lastDescendantNodeId: 2 },
      ]);
    },
  );

  reproduce(
    'TXContractIdFromExerciseWhenFilter',
    'one filter returns the created contract, another the archived contract',
    async () => {
      const contractId = await alpha.create(
        agreements('AgreementFactory'),
        { receiver: alice, giver: alice },
        { actAs: alice },
      );
      await alpha.submit(
        [
          exercise(agreements('AgreementFactory'), contractId, 'CreateAgreement'),
          exercise(agreements('AgreementFactory'), contractId, 'Archive'),
        ],
        { actAs: alice },
      );
      const filtered = async (entity: string) =>
        transactionsIn(
          await alpha.updates(
            transactionsFor('ACS_DELTA', [alice], byTemplate(agreements(entity))),
          ),
        );
      const made = (await filtered('Agreement')).flatMap(createdEvents);
      expect(made.map(({ templateId }) => templateId)).toEqual([
        `${agreementsPackage.id}:Agreements:Agreement`,
      ]);
      const consumed = (await filtered('AgreementFactory')).flatMap(archivedEvents);
      expect(consumed).toMatchObject([
        { templateId: `${agreementsPackage.id}:Agreements:AgreementFactory`, contractId },
      ]);
    },
  );

  reproduce(
    'TXNotArchiveNonConsuming',
    'a non-consuming choice does not archive the contract',
    async () => {
      const factory = await beta.create(
        agreements('AgreementFactory'),
        { receiver, giver },
        { actAs: giver },
      );
      await alpha.submit(exercise(agreements('AgreementFactory'), factory, 'CreateAgreement'), {
        actAs: receiver,
      });
      const updates = await alpha.updates(transactionsFor('ACS_DELTA', [receiver, giver]));
      expect(transactionsIn(updates).flatMap(createdEvents)).toHaveLength(2);
      expect(transactionsIn(updates).flatMap(archivedEvents)).toEqual([]);
    },
  );

  reproduce(
    'TXFetchContractCreatedInTransaction',
    'fetches a contract that the same transaction created',
    async () => {
      const contractId = await alpha.create(self, { party: alice }, { actAs: alice });
      const transaction = await alpha.transact(exercise(self, contractId, 'CreateAndFetch_Run'), {
        actAs: alice,
      });
      expect(transaction.events).toMatchObject([
        { ArchivedEvent: { contractId } },
        { CreatedEvent: { createArgument: { party: alice } } },
      ]);
    },
  );

  reproduce('TXRejectOnFailingAssertion', 'fails with DAML_FAILURE of category 9', async () => {
    const latest = '9999-12-31T23:59:59.999999Z';
    const contractId = await alpha.create(self, { party: alice }, { actAs: alice });
    const never = { begin: latest, end: latest };
    await expectFailedAssertion(
      submit(alpha, exercise(self, contractId, 'ConsumeIfTimeIsBetween', never), alice),
    );
  });
});

conformanceSuite('TransactionServiceOutputsIT', {}, (reproduce, _, overJson) => {
  const template = agreements('TrailingNones');
  const payload = { owner: alice, nonOpt: 'some' };

  reproduce('TXUnitAsArgumentToNothing', 'omits a trailing None', async () => {
    const nothing = create(template, { ...payload, opt: null });
    const created = createdEvents(await alpha.transact(nothing, { actAs: alice }));
    expect(created.map(({ createArgument }) => createArgument)).toEqual([payload]);
  });

  overJson('TXVerbosity', 'arguments have field names, verbose or not', async () => {
    await alpha.submit(create(template, payload), { actAs: alice });
    for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] as const) {
      const [verbose, other] = await Promise.all(
        [true, false].map((flag) => {
          const format = { ...eventFormat([alice], wildcard()), verbose: flag };
          return alpha.updates({ includeTransactions: transactionFormat(shape, format) });
        }),
      );
      expect(transactionsIn(verbose!).map(({ events }) => events)).toMatchObject([
        [{ CreatedEvent: { createArgument: payload } }],
      ]);
      expect(other).toEqual(verbose);
    }
  });

  /** Arguments, views and results of a contract, its trailing field None, and of an exercise that passes None on. */
  async function expectNoTrailingNones(verbose: boolean): Promise<void> {
    const contractId = await alpha.create(template, payload, { actAs: alice });
    const view = byInterface(agreements('TrailingNonesIface'), { view: true });
    const format = { ...eventFormat([alice], byTemplate(template), view), verbose };
    const [created, ...others] = await alpha.active(format);
    expect(others).toEqual([]);
    expect(created.createArgument).toEqual(payload);
    expect(created.interfaceViews.map((shown: JsonAnswer) => shown.viewValue)).toEqual([
      { nonOpt: 'some' },
    ]);
    const argument = { nonOpt: 'populated field' };
    const transaction = await alpha.transact(
      exercise(template, contractId, 'ExerciseChoice', { ...argument, opt: null }),
      { actAs: alice },
      transactionFormat('LEDGER_EFFECTS', { ...eventFormat([alice]), verbose }),
    );
    expect(
      eventsOf(transaction).map(({ choiceArgument, exerciseResult }) => [
        choiceArgument,
        exerciseResult,
      ]),
    ).toEqual([[argument, argument]]);
  }
  reproduce(
    'TXVerboseNoTrailingNones',
    'omits trailing Nones in arguments, views and results',
    () => expectNoTrailingNones(true),
  );
  overJson('TXNonVerboseNoTrailingNones', 'omits trailing Nones as in the verbose format', () =>
    expectNoTrailingNones(false),
  );
});
