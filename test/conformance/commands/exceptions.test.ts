/**
 * Conformance: exceptions, their effects, and the ranges of descendants in transactions that have them. From protocol version 35
 * on, ledger changes cannot roll back, and older cases end with that refusal. Upstream skips these cases, and plans to expect the
 * same refusal.
 */
import {
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { expectRefused, type Expected } from '../../support/refusal.js';
import { useLedgerApi, useParticipant } from '../../support/shared-ledger-api.js';
import { agreements, agreementsPackage } from '../support/agreements.js';
import { createdEvents, eventsOf, exercisedEvents } from '../support/events.js';
import { exceptions, exceptionsDar } from '../support/exceptions.js';
import { expectBefore, raced } from '../support/races.js';
import { conformanceSuite } from '../support/suite.js';

const alpha = useLedgerApi({
  grpc: true,
  participants: [{ name: 'alpha' }, { name: 'beta' }, { name: 'gamma' }],
  packages: [agreementsPackage],
  dars: [exceptionsDar],
  alphaVersionSupport: true,
});
const [beta, gamma] = [useParticipant(alpha, 'beta'), useParticipant(alpha, 'gamma')];
const [alice, bob, carol] = alpha.canticle.participants.map((each, index) =>
  each.allocateParty(['alice', 'bob', 'carol'][index]!),
) as [string, string, string];

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
const refused = (command: unknown, code: string, expected: Expected = {}) =>
  expectRefused(
    alpha.post('/v2/commands/submit-and-wait', alpha.commands(command, { actAs: alice })),
    code,
    { definite: false, ...expected },
  );

/** Refused for what it takes back, and nothing changes on any participant. */
async function cannotBeTakenBack(command: unknown, nodes = '') {
  const all = [alpha, beta, gamma];
  const everything = async () => [
    await Promise.all(all.map((each) => each.ledgerEnd())),
    await alpha.active(eventFormat([alice], wildcard())),
  ];
  const before = await everything();
  const cause = new RegExp(`Tried to rollback side-effectful node\\(s\\).*${nodes}`);
  await refused(command, 'DAML_EFFECTFUL_ROLLBACK_ERROR', { cause });
  expect(await everything()).toEqual(before);
}

conformanceSuite('ExceptionsIT', {}, (reproduce, answerOtherwise) => {
  reproduce('ExUncaught', 'fails with DAML_FAILURE, which names the exception', async () => {
    const thrown = exercise(TESTER, await tester(), 'ThrowUncaught');
    const { cause, errorCategory } = await refused(thrown, 'DAML_FAILURE', {
      cause: 'UNHANDLED_EXCEPTION',
      context: { error_id: 'UNHANDLED_EXCEPTION/Main:E' },
    });
    expect(cause).toContain('exception message');
    expect(errorCategory).toBe(9);
  });

  reproduce(
    ['ExCaughtBasic', 'ExCaughtNested'],
    'a caught exception leaves one exercise event',
    async (caseId) => {
      const choice = caseId === 'ExCaughtBasic' ? 'ThrowCaught' : 'NestedCatch';
      const transaction = await effectsOf(exercise(TESTER, await tester(), choice));
      const [exercised, ...more] = exercisedEvents(transaction);
      expect([exercised.choice, more]).toEqual([choice, []]);
      if (choice === 'ThrowCaught') expect(exercised.exerciseResult).toBe('exception message');
    },
  );

  reproduce(
    ['ExRollbackActiveFetch', 'ExRollbackActiveExerciseNonConsuming'],
    'a fetch inside a rollback requires an active contract',
    async (caseId) => {
      const choice = caseId.endsWith('Fetch') ? 'RollbackFetch' : 'RollbackNonConsuming';
      const [own, other] = [await tester(), await tester()];
      const look = exercise(TESTER, own, choice, { cid: other });
      expect((await effectsOf(look)).events).toHaveLength(1);
      await archive('ExceptionTester', other);
      await refused(look, 'CONTRACT_NOT_FOUND', { cause: 'Contract could not be found' });
    },
  );

  /** By case, the choice, and what its contract id is of. */
  const EFFECTS: Readonly<Record<string, readonly [choice: string, of?: () => Promise<string>]>> = {
    ExRollbackActiveExerciseConsuming: ['RollbackConsuming', tester],
    ExRolledbackArchiveConsuming: ['RolledbackArchiveConsuming', withKey],
    ExRolledbackArchiveNonConsuming: ['RolledbackArchiveNonConsuming', withKey],
    ExRolledbackKeyCreation: ['RolledbackDuplicateKey'],
    ExRollbackDuplicateKeyCreated: ['DuplicateKey'],
    ExRollbackDuplicateKeyArchived: ['DuplicateKey'],
    ExRollbackHidden: ['RollbackCreate'],
    ExRollbackCreate: ['RollbackCreateBecomesInactive'],
    ExRollbackExerciseCreateLookup: ['RollbackExerciseCreateLookup', withKey],
  };
  answerOtherwise(
    [
      'ExRollbackActiveExerciseConsuming',
      'ExRolledbackArchiveConsuming',
      'ExRolledbackArchiveNonConsuming',
      'ExRolledbackKeyCreation',
      'ExRollbackDuplicateKeyCreated',
      'ExRollbackDuplicateKeyArchived',
      'ExRollbackHidden',
      'ExRollbackCreate',
      'ExRollbackExerciseCreateLookup',
    ],
    'rejects the rollback with DAML_EFFECTFUL_ROLLBACK_ERROR, and changes nothing',
    async (caseId) => {
      const [choice, of] = EFFECTS[caseId]!;
      const argument = of === undefined ? {} : { cid: await of() };
      await cannotBeTakenBack(exercise(TESTER, await tester(), choice, argument));
    },
  );

  const fetchKey = async () => exercise(TESTER, await tester(), 'FetchKey');
  const keyNotFound = async () =>
    refused(await fetchKey(), 'CONTRACT_KEY_NOT_FOUND', { cause: "couldn't find key" });
  reproduce(
    'ExRollbackKeyFetchCreated',
    'fetches by key until the contract is archived',
    async () => {
      const keyed = await withKey();
      expect((await effectsOf(await fetchKey())).events).toHaveLength(1);
      await archive('WithSimpleKey', keyed);
      await keyNotFound();
    },
  );
  reproduce(
    'ExRollbackKeyFetchArchived',
    'fetches by key once the contract is created',
    async () => {
      await keyNotFound();
      await withKey();
      expect((await effectsOf(await fetchKey())).events).toHaveLength(1);
    },
  );

  const keyDelegate = () =>
    beta.create(exceptions('WithKeyDelegate'), { a: alice, b: bob }, { actAs: bob });

  answerOtherwise(
    'ExRollbackProjectionNormalization',
    'rejects nested rollbacks with informees on other participants',
    async () => {
      const informer = (...obs: string[]) =>
        alpha.create(exceptions('Informer'), { a: alice, obs }, { actAs: alice });
      const argument = {
        b: bob,
        pbInformer: await informer(bob),
        pcInformer: await informer(carol),
        pbcInformer: await informer(bob, carol),
        keyDelegate: await keyDelegate(),
      };
      const project = exercise(TESTER, await tester(), 'ProjectionNormalization', argument);
      await cannotBeTakenBack(project, 'Consuming exercise by key of Consume');
    },
  );

  answerOtherwise(
    'ExRollbackProjectionNesting',
    'rejects rollbacks inside exercises inside rollbacks',
    async () => {
      const helped = { a: alice, b: bob, c: carol };
      const helper = exceptions('RollbackNestingHelper');
      const cid = await gamma.create(helper, helped, { actAs: carol });
      const argument = { b: bob, keyDelegate: await keyDelegate(), cid };
      const project = exercise(TESTER, await tester(), 'ProjectionNesting', argument);
      await cannotBeTakenBack(project, 'Consuming exercise by key of Consume');
    },
  );

  reproduce(
    'ExCKRollbackGlobalArchivedLookup',
    'the look-up does not find the archived contract',
    async () => {
      const cid = await withKey();
      const lookup = exercise(TESTER, await tester(), 'RollbackGlobalArchivedLookup', { cid });
      const [exercised] = exercisedEvents(await effectsOf(lookup));
      expect(exercised.exerciseResult).toBe(false);
    },
  );
  reproduce(
    'ExCKRollbackGlobalArchivedCreate',
    'creates a contract with the key again',
    async () => {
      const cid = await withKey();
      const again = exercise(TESTER, await tester(), 'RollbackGlobalArchivedCreate', { cid });
      expect(createdEvents(await effectsOf(again))).toHaveLength(1);
    },
  );
});

/** The only exercise of a transaction, in whose range all of it lies. */
function expectOneRoot(transaction: JsonAnswer): JsonAnswer {
  const [root, ...others] = exercisedEvents(transaction);
  expect(others).toEqual([]);
  expectAllWithin(transaction, root);
  return root;
}

/** Whether the event lies in the range of the exercise. */
const isWithin = ({ nodeId }: JsonAnswer, exercised: JsonAnswer): boolean =>
  nodeId >= exercised.nodeId && nodeId <= exercised.lastDescendantNodeId;
function expectAllWithin(transaction: JsonAnswer, exercised: JsonAnswer): void {
  for (const event of eventsOf(transaction)) expect(isWithin(event, exercised)).toBe(true);
}

conformanceSuite('EventsDescendantsIT', {}, (reproduce, answerOtherwise) => {
  const dummy = () => alpha.create(model('Dummy'), { operator: alice }, { actAs: alice });

  reproduce(
    'SingleConsumingExercisedDescendants',
    'lastDescendantNodeId is its own node id',
    async () => {
      const transaction = await effectsOf(exercise(model('Dummy'), await dummy(), 'Consume'));
      expect(exercisedEvents(transaction)).toMatchObject([{ nodeId: 0, lastDescendantNodeId: 0 }]);
    },
  );

  reproduce(
    'SingleCreatedInExercisedDescendants',
    'the created event is a descendant',
    async () => {
      const template = agreements('CreateAndFetch');
      const contractId = await alpha.create(template, { party: alice }, { actAs: alice });
      const transaction = await effectsOf(exercise(template, contractId, 'CreateAndFetch_Run'));
      expect(createdEvents(transaction)).toHaveLength(1);
      expectOneRoot(transaction);
    },
  );

  reproduce(
    'MultipleCreatedInExercisedDescendants',
    'both created events are descendants',
    async () => {
      const transaction = await effectsOf(exercise(model('Dummy'), await dummy(), 'Clone'));
      expect(createdEvents(transaction)).toHaveLength(2);
      expectOneRoot(transaction);
    },
  );

  reproduce(
    'DeeplyNestedDescendants',
    'nested exercises are descendants of the outer exercises',
    async () => {
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
    },
  );

  reproduce('DescendantsWithFetch', 'a fetch uses a node id', async () => {
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

  reproduce(
    'NonDescendantsRollbackFetch',
    'neither exercise is a descendant of the other',
    async () => {
      const [own, other] = [await tester(), await tester()];
      const transaction = await effectsOf([
        exercise(TESTER, own, 'RollbackFetch', { cid: other }),
        exercise(TESTER, other, 'Noop'),
      ]);
      const [first, second, ...more] = exercisedEvents(transaction);
      expect(more).toEqual([]);
      expect([isWithin(first, second), isWithin(second, first)]).toEqual([false, false]);
    },
  );

  reproduce(
    'DescendantsRollbackFetch',
    'an exercise after the rollback is a descendant',
    async () => {
      const [own, other] = [await tester(), await tester()];
      const transaction = await effectsOf(
        exercise(TESTER, own, 'RollbackFetchWithExercise', { cid: other }),
      );
      const exercised = exercisedEvents(transaction);
      expect(exercised.map(({ nodeId }) => nodeId)).toEqual([0, 3]);
      expectAllWithin(transaction, exercised[0]);
    },
  );

  answerOtherwise(
    'DescendantsRollbackExercise',
    'rejects the rollback of an archival',
    async () => {
      const [own, cid] = [await tester(), await tester()];
      await cannotBeTakenBack(exercise(TESTER, own, 'RollbackConsumingWithCreate', { cid }));
    },
  );

  answerOtherwise('DescendantsRollbackCreate', 'rejects the rollback of a create', async () => {
    await cannotBeTakenBack(exercise(TESTER, await tester(), 'RollbackCreateWithExercise'));
  });
});

conformanceSuite('ExceptionRaceConditionIT', {}, (reproduce, answerOtherwise) => {
  const archival = (entity: string, cid: string) => exercise(exceptions(entity), cid, 'Archive');

  reproduce(
    ['RWArchiveVsRollbackNonConsumingChoice', 'RWArchiveVsRollbackFetch'],
    'a fetch or exercise in a rollback fails after the archival',
    async (caseId) => {
      const [own, cid] = [await tester(), await tester()];
      const choice = caseId.endsWith('Fetch') ? 'RollbackFetch' : 'RollbackNonConsuming';
      const look = exercise(TESTER, own, choice, { cid });
      const race = await raced(alpha, alice, 10, archival('ExceptionTester', cid), look);
      await expectBefore(race, 'CONTRACT_NOT_FOUND');
    },
  );

  reproduce(
    'RWArchiveVsRollbackConsumingChoice',
    'rejects each rollback of an archival',
    async () => {
      const [own, cid] = [await tester(), await tester()];
      const rollback = exercise(TESTER, own, 'RollbackConsuming', { cid });
      const once = archival('ExceptionTester', cid);
      const { accepted, refused: rest } = await raced(alpha, alice, 10, once, rollback);
      // An archive in the scope cannot roll back, whether the contract is still active or not.
      expect(accepted).toEqual([]);
      const codes = rest.map(({ body }) => body.code);
      expect(codes).toHaveLength(9);
      expect(new Set(codes)).toEqual(
        new Set(['DAML_EFFECTFUL_ROLLBACK_ERROR', 'CONTRACT_NOT_FOUND']),
      );
    },
  );

  const lookUp = async () => exercise(TESTER, await tester(), 'RollbackLookup');
  const found = (transaction: JsonAnswer) => createdEvents(transaction)[0].createArgument.found;

  reproduce(
    'RWArchiveVsRollbackLookupByKey',
    'the look-up finds the contract before its archival only',
    async () => {
      const once = archival('WithSimpleKey', await withKey());
      const { one, accepted } = await raced(alpha, alice, 20, once, await lookUp());
      expect(accepted).toHaveLength(19);
      for (const each of accepted) expect(found(each)).toBe(each.offset < one.offset);
    },
  );

  const keyed = create(exceptions('WithSimpleKey'), { p: alice });

  reproduce(
    'RWArchiveVsRollbackFailedLookupByKey',
    'the look-up finds the contract after its creation only',
    async () => {
      const { one, accepted } = await raced(alpha, alice, 5, keyed, await lookUp());
      expect(accepted).toHaveLength(4);
      for (const each of accepted) expect(found(each)).toBe(each.offset > one.offset);
    },
  );

  answerOtherwise(
    'RWRollbackCreateVsNonTransientCreate',
    'rejects each rollback of a create',
    async () => {
      const rollback = exercise(TESTER, await tester(), 'DuplicateKey');
      const { accepted, refused: rest } = await raced(alpha, alice, 20, keyed, rollback);
      expect(accepted).toEqual([]);
      for (const answer of rest)
        await expectRefused(answer, 'DAML_EFFECTFUL_ROLLBACK_ERROR', { definite: false });
    },
  );
});
