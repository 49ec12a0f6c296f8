/**
 * Conformance: exceptions, what they leave behind, and the ranges of descendants in transactions that have them. What changed the
 * ledger cannot be taken back from protocol version 35 on: cases that were written before end with that refusal, as they do upstream.
 */
import {
  eventFormat,
  exercise,
  transactionFormat,
  type LedgerApi,
  type Told,
} from '../support/ledger-api.js';
import { model } from '../support/model-package.js';
import { useLedgerApi, useParticipant } from '../support/shared-ledger-api.js';
import { agreements, agreementsPackage } from './support/agreements.js';
import { createdEvents, eventsOf, exercisedEvents } from './support/events.js';
import { exceptions, exceptionsDar } from './support/exceptions.js';
import { conformanceSuite } from './support/suite.js';

const alpha = useLedgerApi({
  participants: [{ name: 'alpha' }, { name: 'beta' }],
  packages: [agreementsPackage],
  dars: [exceptionsDar],
});
const beta = useParticipant(alpha, 'beta');
const [alice, bob] = alpha.canticle.participants.map((each, index) =>
  each.allocateParty(['alice', 'bob'][index]!),
) as [string, string];

const TESTER = exceptions('ExceptionTester');
const tester = () => alpha.create(TESTER, { p: alice }, { actAs: alice });
const withKey = () => alpha.create(exceptions('WithSimpleKey'), { p: alice }, { actAs: alice });
const archive = (entity: string, contractId: string) =>
  alpha.submit(exercise(exceptions(entity), contractId, 'Archive'), { actAs: alice });

/** The whole transaction, as Alice sees it. */
const effectsOf = (command: unknown, api: LedgerApi = alpha) =>
  api.transact(
    command,
    { actAs: alice },
    transactionFormat('LEDGER_EFFECTS', eventFormat([alice])),
  );
async function refused(command: unknown) {
  const commands = alpha.commands(command, { actAs: alice });
  const { status, body } = await alpha.post('/v2/commands/submit-and-wait', commands);
  return { status, code: body.code, cause: body.cause, context: body.context, body };
}
const EFFECTFUL = {
  status: 400,
  code: 'DAML_EFFECTFUL_ROLLBACK_ERROR',
  cause: expect.stringContaining('Tried to rollback side-effectful node(s)') as string,
};

conformanceSuite(
  'ExceptionsIT',
  {
    notApplicable: {
      ExRollbackDuplicateKeyCreated: 'written for unique keys; left out upstream, too',
      ExRollbackDuplicateKeyArchived: 'written for unique keys; left out upstream, too',
      ExRollbackExerciseCreateLookup: 'takes effects back; left out upstream, too',
    },
  },
  (reproduce) => {
    reproduce('ExUncaught', 'DAML_FAILURE, which names the exception', async () => {
      const answer = await refused(exercise(TESTER, await tester(), 'ThrowUncaught'));
      expect(answer).toMatchObject({
        status: 400,
        code: 'DAML_FAILURE',
        body: { errorCategory: 9 },
        context: { error_id: 'UNHANDLED_EXCEPTION/Main:E' },
      });
      expect(answer.cause).toContain('exception message');
    });

    reproduce(['ExCaughtBasic', 'ExCaughtNested'], 'one exercise is left', async (caseId) => {
      const choice = caseId === 'ExCaughtBasic' ? 'ThrowCaught' : 'NestedCatch';
      const transaction = await effectsOf(exercise(TESTER, await tester(), choice));
      const [exercised, ...more] = exercisedEvents(transaction);
      expect([exercised.choice, more]).toEqual([choice, []]);
      if (choice === 'ThrowCaught') expect(exercised.exerciseResult).toBe('exception message');
    });

    reproduce(
      ['ExRollbackActiveFetch', 'ExRollbackActiveExerciseNonConsuming'],
      'what is looked at must be active, taken back or not',
      async (caseId) => {
        const choice = caseId.endsWith('Fetch') ? 'RollbackFetch' : 'RollbackNonConsuming';
        const [own, other] = [await tester(), await tester()];
        const look = exercise(TESTER, own, choice, { cid: other });
        expect((await effectsOf(look)).events).toHaveLength(1);
        await archive('ExceptionTester', other);
        expect(await refused(look)).toMatchObject({
          status: 404,
          code: 'CONTRACT_NOT_FOUND',
          cause: expect.stringContaining('Contract could not be found'),
        });
      },
    );

    const EFFECTS: Record<string, string> = {
      ExRollbackActiveExerciseConsuming: 'RollbackConsuming',
      ExRolledbackArchiveConsuming: 'RolledbackArchiveConsuming',
      ExRolledbackArchiveNonConsuming: 'RolledbackArchiveNonConsuming',
      ExRolledbackKeyCreation: 'RolledbackDuplicateKey',
      ExRollbackHidden: 'RollbackCreate',
      ExRollbackCreate: 'RollbackCreateBecomesInactive',
    };
    reproduce(
      [
        'ExRollbackActiveExerciseConsuming',
        'ExRolledbackArchiveConsuming',
        'ExRolledbackArchiveNonConsuming',
        'ExRolledbackKeyCreation',
        'ExRollbackHidden',
        'ExRollbackCreate',
      ],
      'DAML_EFFECTFUL_ROLLBACK_ERROR, and nothing changes',
      async (caseId) => {
        const choice = EFFECTS[caseId]!;
        const own = await tester();
        const argument: Told = choice.startsWith('RolledbackArchive')
          ? { cid: await withKey() }
          : choice === 'RollbackConsuming'
            ? { cid: await tester() }
            : {};
        const before = await alpha.active(eventFormat([alice]));
        expect(await refused(exercise(TESTER, own, choice, argument))).toMatchObject(EFFECTFUL);
        expect(await alpha.active(eventFormat([alice]))).toEqual(before);
      },
    );

    const fetchKey = async () => exercise(TESTER, await tester(), 'FetchKey');
    const KEY_NOT_FOUND = {
      status: 404,
      code: 'CONTRACT_KEY_NOT_FOUND',
      cause: expect.stringContaining("couldn't find key") as string,
    };
    reproduce('ExRollbackKeyFetchCreated', 'refused once it is archived', async () => {
      const keyed = await withKey();
      expect((await effectsOf(await fetchKey())).events).toHaveLength(1);
      await archive('WithSimpleKey', keyed);
      expect(await refused(await fetchKey())).toMatchObject(KEY_NOT_FOUND);
    });
    reproduce('ExRollbackKeyFetchArchived', 'works once it is created', async () => {
      expect(await refused(await fetchKey())).toMatchObject(KEY_NOT_FOUND);
      await withKey();
      expect((await effectsOf(await fetchKey())).events).toHaveLength(1);
    });

    reproduce(
      ['ExRollbackProjectionNormalization', 'ExRollbackProjectionNesting'],
      'scopes in scopes, with informees elsewhere, are refused as a whole',
      async () => {
        const informer = await alpha.create(
          exceptions('Informer'),
          { a: alice, obs: [bob] },
          { actAs: alice },
        );
        await withKey();
        const end = await beta.ledgerEnd();
        const project = exercise(TESTER, await tester(), 'Project', { informer });
        expect(await refused(project)).toMatchObject({
          ...EFFECTFUL,
          cause: expect.stringContaining('Consuming exercise by key of Consume'),
        });
        expect(await beta.ledgerEnd()).toBe(end);
      },
    );

    reproduce('ExCKRollbackGlobalArchivedLookup', 'it is not found again', async () => {
      const cid = await withKey();
      const lookup = exercise(TESTER, await tester(), 'RollbackGlobalArchivedLookup', { cid });
      const [exercised] = exercisedEvents(await effectsOf(lookup));
      expect(exercised.exerciseResult).toBe(false);
    });
    reproduce('ExCKRollbackGlobalArchivedCreate', 'it can be made again', async () => {
      const cid = await withKey();
      const again = exercise(TESTER, await tester(), 'RollbackGlobalArchivedCreate', { cid });
      expect(createdEvents(await effectsOf(again))).toHaveLength(1);
    });
  },
);

/** Whether the event lies in the range of the exercise. */
const isWithin = ({ nodeId }: Told, exercised: Told): boolean =>
  nodeId >= exercised.nodeId && nodeId <= exercised.lastDescendantNodeId;
function expectAllWithin(transaction: Told, exercised: Told): void {
  for (const event of eventsOf(transaction)) expect(isWithin(event, exercised)).toBe(true);
}

conformanceSuite('EventsDescendantsIT', {}, (reproduce) => {
  const dummy = () => alpha.create(model('Dummy'), { operator: alice }, { actAs: alice });

  reproduce('SingleConsumingExercisedDescendants', 'it is its own last one', async () => {
    const transaction = await effectsOf(exercise(model('Dummy'), await dummy(), 'Consume'));
    expect(exercisedEvents(transaction)).toMatchObject([{ nodeId: 0, lastDescendantNodeId: 0 }]);
  });

  reproduce('SingleCreatedInExercisedDescendants', 'one is inside', async () => {
    const template = agreements('CreateAndFetch');
    const contractId = await alpha.create(template, { party: alice }, { actAs: alice });
    const transaction = await effectsOf(exercise(template, contractId, 'CreateAndFetch_Run'));
    expect(createdEvents(transaction)).toHaveLength(1);
    expectAllWithin(transaction, exercisedEvents(transaction)[0]);
  });

  reproduce('MultipleCreatedInExercisedDescendants', 'two are inside', async () => {
    const transaction = await effectsOf(exercise(model('Dummy'), await dummy(), 'Clone'));
    expect(createdEvents(transaction)).toHaveLength(2);
    expectAllWithin(transaction, exercisedEvents(transaction)[0]);
  });

  reproduce('DeeplyNestedDescendants', 'exercises in exercises', async () => {
    const nest = await alpha.create(model('Nest'), { owner: alice }, { actAs: alice });
    const transaction = await effectsOf(exercise(model('Nest'), nest, 'Deepen', { levels: '3' }));
    const exercised = exercisedEvents(transaction);
    expect(exercised).toHaveLength(4);
    expectAllWithin(transaction, exercised[0]);
    for (const [index, inner] of exercised.slice(1).entries()) {
      expect(isWithin(inner, exercised[index])).toBe(true);
      expect(isWithin(exercised[index], inner)).toBe(false);
    }
    const [innermost, ...others] = createdEvents(transaction);
    expect(isWithin(innermost, exercised.at(-1))).toBe(true);
    for (const other of others) expect(isWithin(other, exercised.at(-1))).toBe(false);
  });

  reproduce('DescendantsWithFetch', 'fetches leave gaps', async () => {
    const parties = { receiver: alice, giver: alice };
    const agreement = await alpha.create(agreements('Agreement'), parties, { actAs: alice });
    const proposal = await alpha.create(
      agreements('TriProposal'),
      { operator: alice, ...parties },
      { actAs: alice },
    );
    const transaction = await effectsOf(
      exercise(agreements('Agreement'), agreement, 'AcceptTriProposal', { proposal }),
    );
    const [outer, inner] = exercisedEvents(transaction);
    const [created, ...more] = createdEvents(transaction);
    expect([outer.nodeId, inner.nodeId, created.nodeId, more]).toEqual([0, 2, 3, []]);
    expectAllWithin(transaction, outer);
    expect([isWithin(created, inner), isWithin(outer, inner)]).toEqual([true, false]);
  });

  reproduce('NonDescendantsRollbackFetch', 'neither is within the other', async () => {
    const [own, other] = [await tester(), await tester()];
    const transaction = await effectsOf([
      exercise(TESTER, own, 'RollbackFetch', { cid: other }),
      exercise(TESTER, other, 'Noop'),
    ]);
    const [first, second, ...more] = exercisedEvents(transaction);
    expect(more).toEqual([]);
    expect([isWithin(first, second), isWithin(second, first)]).toEqual([false, false]);
  });

  reproduce('DescendantsRollbackFetch', 'what follows the scope is inside', async () => {
    const [own, other] = [await tester(), await tester()];
    const transaction = await effectsOf(
      exercise(TESTER, own, 'RollbackFetchWithExercise', { cid: other }),
    );
    const exercised = exercisedEvents(transaction);
    expect(exercised.map(({ nodeId }) => nodeId)).toEqual([0, 3]);
    expectAllWithin(transaction, exercised[0]);
  });

  reproduce('DescendantsRollbackExercise', 'an archival cannot be taken back', async () => {
    const cid = await tester();
    const rollback = exercise(TESTER, await tester(), 'RollbackConsumingWithCreate', { cid });
    expect(await refused(rollback)).toMatchObject(EFFECTFUL);
  });

  reproduce('DescendantsRollbackCreate', 'a create cannot be taken back', async () => {
    const rollback = exercise(TESTER, await tester(), 'RollbackCreateWithExercise');
    expect(await refused(rollback)).toMatchObject(EFFECTFUL);
  });
});

const UNIQUE = 'written for unique keys; left out upstream, too';

conformanceSuite(
  'ExceptionRaceConditionIT',
  {
    notApplicable: {
      RWRollbackCreateVsNonTransientCreate: UNIQUE,
      RWArchiveVsRollbackFailedLookupByKey: UNIQUE,
    },
  },
  (reproduce) => {
    reproduce(
      [
        'RWArchiveVsRollbackNonConsumingChoice',
        'RWArchiveVsRollbackConsumingChoice',
        'RWArchiveVsRollbackFetch',
        'RWArchiveVsRollbackLookupByKey',
      ],
      'what was archived is not looked at later',
      async (caseId) => {
        const own = await tester();
        const isLookup = caseId.endsWith('LookupByKey');
        const entity = isLookup ? 'WithSimpleKey' : 'ExceptionTester';
        const cid = isLookup ? await withKey() : await tester();
        const choice = `Rollback${caseId.replace(/^RWArchiveVsRollback|Choice$|ByKey$/g, '')}`;
        const look = exercise(TESTER, own, choice, isLookup ? {} : { cid });
        const submit = (command: unknown) =>
          alpha.post('/v2/commands/submit-and-wait-for-transaction', {
            commands: alpha.commands(command, { actAs: alice }),
          });
        const requests = Array.from({ length: 10 }, (_, index) =>
          submit(index === 5 ? exercise(exceptions(entity), cid, 'Archive') : look),
        );
        const answers = await Promise.all(requests);
        const archival = answers[5]!.body.transaction.offset;
        const looks = answers.filter(({ status }, index) => status === 200 && index !== 5);
        // A look-up may follow, but then it finds nothing.
        const found = looks.filter(
          ({ body }) => !isLookup || createdEvents(body.transaction)[0].createArgument.found,
        );
        for (const { body } of found) expect(body.transaction.offset).toBeLessThan(archival);
        expect(isLookup ? found.length : 1).toBeGreaterThan(0);
        if (isLookup) return expect(looks).toHaveLength(9);
        const codes = new Set(
          answers.filter(({ status }) => status !== 200).map(({ body }) => body.code),
        );
        // What is archived in the scope cannot be taken back, whether it is there still or not.
        const isEffect = choice === 'RollbackConsuming';
        expect(looks.length > 0).toBe(!isEffect);
        expect(codes.has('DAML_EFFECTFUL_ROLLBACK_ERROR')).toBe(isEffect);
        expect(codes).toContain('CONTRACT_NOT_FOUND');
      },
    );
  },
);
