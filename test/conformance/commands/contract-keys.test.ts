/** Conformance: contract keys, which are not unique since protocol version 35. See also contract-key-values. */
import {
  byTemplate,
  create,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type LedgerApi,
  type Shape,
  type Submit,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { key, keysPackage } from '../../support/daml/keys-package.js';
import { expectRefused, type Expected } from '../../support/refusal.js';
import { useLedgerApi, useParticipant, useParties } from '../../support/shared-ledger-api.js';
import { createdEvents, transactionsFor, transactionsIn } from '../support/events.js';
import { conformanceSuite } from '../support/suite.js';

const alpha = useLedgerApi({
  grpc: true,
  packages: [keysPackage],
  participants: [{ name: 'alpha' }, { name: 'beta' }],
});
const beta = useParticipant(alpha, 'beta');
const [alice, bob, carol, dora] = useParties(alpha, 'alice', 'bob', 'carol', 'dora');
/** On the other participant. */
const ben = alpha.canticle.participants[1]!.allocateParty('ben');

const byId = (name: string) => `${keysPackage.id}:Keys:${name}`;
const exerciseByKey = (
  templateId: string,
  contractKey: unknown,
  choice: string,
  choiceArgument: unknown = {},
) => ({ ExerciseByKeyCommand: { templateId, contractKey, choice, choiceArgument } });

const account = (owner: string, number: string, readers: string[] = []) =>
  alpha.create(key('Account'), { owner, number, readers }, { actAs: owner });
const clerk = (owner: string, delegate: string, api = alpha) =>
  api.create(key('Clerk'), { owner, delegate }, { actAs: owner });
const at = (_1: string, _2: string) => ({ _1, _2 });

const exerciseClerk = (contractId: string, choice: string, argument: unknown) =>
  exercise(key('Clerk'), contractId, choice, argument);

/** The result of the first exercise. */
async function resultOf(command: unknown, options: Submit, api = alpha) {
  const format = transactionFormat('LEDGER_EFFECTS', eventFormat([options.actAs].flat()));
  const { events } = await api.transact(command, options, format);
  return events[0].ExercisedEvent.exerciseResult;
}

const answer = (command: unknown, options: Submit, api = alpha) =>
  api.post('/v2/commands/submit-and-wait', api.commands(command, options));

/** Refused, and with a definite answer in its context: all that upstream's cases ask of one. */
const refused = (
  command: unknown,
  options: Submit,
  code: string,
  expected: Expected = {},
  api = alpha,
) => expectRefused(answer(command, options, api), code, { definite: false, ...expected });

const notFound = (command: unknown, options: Submit, api = alpha) =>
  refused(
    command,
    options,
    'CONTRACT_KEY_NOT_FOUND',
    { cause: "dependency error: couldn't find key" },
    api,
  );

const transactionsOf = async (shape: Shape, parties: string[], api: LedgerApi = alpha) =>
  transactionsIn(await api.updates(transactionsFor(shape, parties, wildcard())));

/** The only contract of the template that was created, as its owner discloses it. */
async function disclosed(owner: string, entity: string) {
  const filter = byTemplate(key(entity), true);
  const updates = await alpha.updates(transactionsFor('ACS_DELTA', [owner], filter));
  const created = transactionsIn(updates).flatMap(createdEvents);
  expect(created).toHaveLength(1);
  const { templateId, contractId, createdEventBlob } = created[0];
  return [{ templateId, contractId, createdEventBlob, synchronizerId: '' }];
}

conformanceSuite('ContractKeysCommandDeduplicationIT', {}, (reproduce) => {
  reproduce(
    'StopOnCompletionFailure',
    'accepts a failed submission again, and rejects a successful one as a duplicate',
    async () => {
      const helper = await clerk(alice, alice);
      const renewal = () =>
        alpha.commands(exerciseClerk(helper, 'FetchAndRenew', { key: at(alice, 'one') }), {
          actAs: alice,
        });
      const submit = (commands: unknown) => alpha.post('/v2/commands/submit-and-wait', commands);
      const failed = renewal();
      await expectRefused(submit(failed), 'CONTRACT_KEY_NOT_FOUND', { definite: false });
      await account(alice, 'one');
      expect((await submit({ ...failed, submissionId: 'again' })).status).toBe(200);
      await expectRefused(submit(failed), 'DUPLICATE_COMMAND', { definite: true });
      // Two at once: each is accepted, at the second attempt at the latest.
      const competing = [renewal(), renewal()];
      const answers = await Promise.all(competing.map(submit));
      for (const [index, { status }] of answers.entries())
        if (status !== 200) expect((await submit(competing[index])).status).toBe(200);
    },
  );
});

conformanceSuite('ContractKeysDivulgenceIT', {}, (reproduce) => {
  reproduce('DivulgenceKeys', 'divulges a contract with a key to the other party', async () => {
    const offer = { from: alice, to: ben };
    const proposal = await alpha.create(key('Proposal'), offer, { actAs: alice });
    const asset = await beta.create(key('Asset'), { issuer: ben, owner: ben }, { actAs: ben });
    const accept = exercise(key('Proposal'), proposal, 'Accept', { asset });
    const given = await resultOf(accept, { actAs: ben }, beta);
    const active = await alpha.active(eventFormat([alice], wildcard()));
    expect(active).toMatchObject([{ contractId: given, contractKey: ben }]);
  });
});

conformanceSuite('ContractKeysExplicitDisclosureIT', {}, (reproduce) => {
  reproduce(
    'EDExerciseByKeyDisclosedContract',
    'exercises by key once the contract is disclosed',
    async () => {
      await alpha.create(key('Badge'), { owner: alice }, { actAs: alice });
      const disclosedContracts = await disclosed(alice, 'Badge');
      const touch = exerciseByKey(byId('Badge'), alice, 'Touch', { by: ben });
      await notFound(touch, { actAs: ben }, beta);
      await beta.submit(touch, { actAs: ben, disclosedContracts });
    },
  );
});

conformanceSuite('ContractKeysIT', {}, (reproduce, answerOtherwise) => {
  reproduce(
    'CKNoContractKey',
    'the created event has no key if the template has none',
    async () => {
      await clerk(ben, alice, beta);
      const created = (await transactionsOf('ACS_DELTA', [ben, alice], beta)).flatMap(
        createdEvents,
      );
      expect(created).toMatchObject([{ contractKey: null, contractKeyHash: '' }]);
    },
  );

  answerOtherwise(
    ['CKFetchOrLookup', 'CKNoFetchUndisclosed'],
    'a party without a stake cannot fetch by id or by key, and its look-up finds nothing',
    async (caseId) => {
      const [helper, id] = [await clerk(alice, ben), await account(alice, 'one')];
      if (caseId === 'CKFetchOrLookup')
        await alpha.submit(exerciseClerk(await clerk(alice, ben), 'Show', { id }), {
          actAs: alice,
        });
      const cause = 'Contract could not be found';
      const byBen = { actAs: ben };
      const fetch = exerciseClerk(helper, 'FetchById', { id });
      await refused(fetch, byBen, 'CONTRACT_NOT_FOUND', { cause }, beta);
      const named = { key: at(alice, 'one') };
      await notFound(exerciseClerk(helper, 'Fetch', named), byBen, beta);
      // Where keys are not unique, nothing holds what others see against an empty look-up.
      expect(await resultOf(exerciseClerk(helper, 'Lookup', named), byBen, beta)).toBeNull();
    },
  );

  answerOtherwise(
    'CKMaintainerScoped',
    'only maintainers look up a key, and two contracts may have the same key',
    async () => {
      const [one, two] = [await account(alice, 'one', [ben]), await account(alice, 'two', [ben])];
      const [hers, his] = [await clerk(alice, alice), await clerk(ben, ben, beta)];
      const lookup = (helper: string, number: string) =>
        exerciseClerk(helper, 'Lookup', { key: at(alice, number) });
      const found = (number: string) => resultOf(lookup(hers, number), byAlice);
      const byAlice = { actAs: alice };
      const cause = 'requires authorizers';
      for (const number of ['one', 'none'])
        await refused(
          lookup(his, number),
          { actAs: ben },
          'DAML_AUTHORIZATION_ERROR',
          { cause },
          beta,
        );
      expect([await found('one'), await found('none')]).toEqual([one, null]);
      const fetch = (number: string) => exerciseClerk(hers, 'Fetch', { key: at(alice, number) });
      expect(await resultOf(fetch('one'), byAlice)).toBe(one);
      await notFound(fetch('none'), byAlice);
      await alpha.submit(exercise(key('Account'), one, 'Close'), byAlice);
      expect(await found('one')).toBeNull();
      const closing = exerciseClerk(hers, 'CloseAndLookup', { id: two, key: at(alice, 'two') });
      expect(await resultOf(closing, byAlice)).toEqual([true, false]);
      const foreign = create(key('Foreign'), { owner: alice, other: ben });
      await refused(foreign, byAlice, 'DAML_AUTHORIZATION_ERROR', {
        cause: 'are not a subset of the signatories',
      });
      // Upstream's case has the second one refused, as it was where keys were unique.
      for (let count = 1; count <= 2; count++) {
        await account(alice, 'same');
        expect(await alpha.active(eventFormat([alice], byTemplate(key('Account'))))).toHaveLength(
          count,
        );
      }
    },
  );

  reproduce(
    'CKRecreate',
    'archives a contract and creates its successor with the same key in one transaction',
    async () => {
      const payload = { owner: alice, number: 'one', readers: [] };
      const first = await alpha.transact(create(key('Account'), payload), { actAs: alice });
      const [before] = createdEvents(first);
      const renew = exercise(key('Account'), before.contractId, 'Renew');
      const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
      const second = await alpha.transact(renew, { actAs: alice }, format);
      expect(second.events).toHaveLength(2);
      const [after] = createdEvents(second);
      expect(after.contractId).not.toBe(before.contractId);
      expect(before.contractKey).toEqual(at(alice, 'one'));
      expect(after.contractKey).toEqual(before.contractKey);
      expect(after.contractKeyHash).toBe(before.contractKeyHash);
    },
  );

  reproduce('CKTransients', 'a contract that its transaction archives leaves no key', async () => {
    const [helper, first] = [await clerk(alice, alice), await account(alice, 'one')];
    const fetch = exerciseClerk(helper, 'Fetch', { key: at(alice, 'two') });
    const flash = exercise(key('Account'), first, 'Flash', { number: 'two' });
    await notFound(fetch, { actAs: alice });
    await alpha.submit(flash, { actAs: alice });
    await alpha.submit(flash, { actAs: alice });
    await notFound(fetch, { actAs: alice });
  });

  reproduce('CKExposedByTemplate', 'the created event shows the key', async () => {
    await account(alice, 'one');
    const created = (await transactionsOf('ACS_DELTA', [alice])).flatMap(createdEvents);
    expect(created.map(({ contractKey }) => contractKey)).toEqual([at(alice, 'one')]);
  });

  reproduce('CKExerciseByKey', 'succeeds only while a contract with the key exists', async () => {
    const close = exerciseByKey(byId('Account'), at(alice, 'one'), 'Close');
    await notFound(close, { actAs: alice });
    await account(alice, 'one');
    await alpha.submit(close, { actAs: alice });
    await notFound(close, { actAs: alice });
  });

  reproduce(
    ['CKLocalLookupByKeyVisibility', 'CKLocalFetchByKeyVisibility'],
    'finds the contract that the same transaction created, for any submitter',
    async () => {
      const helper = await clerk(alice, ben);
      const find = exerciseClerk(helper, 'FindOwn', { number: 'local' });
      expect(await resultOf(find, { actAs: ben }, beta)).toEqual([true, true, true]);
    },
  );

  reproduce(
    'CKDisclosedContractKeyReusabilityAsSubmitter',
    'a new contract uses the key of an archived contract',
    async () => {
      const payload = { issuer: alice, maker: ben };
      const maker = await alpha.create(key('BadgeMaker'), payload, { actAs: alice });
      const make = exercise(key('BadgeMaker'), maker, 'Make');
      const badges = async () =>
        (await alpha.active(eventFormat([alice], byTemplate(key('Badge'))))).map(
          ({ contractId }: JsonAnswer) => contractId,
        );
      const first = await resultOf(make, { actAs: ben }, beta);
      expect(await badges()).toEqual([first]);
      await alpha.submit(exercise(key('Badge'), first, 'Archive'), { actAs: alice });
      const second = await resultOf(make, { actAs: ben }, beta);
      expect(await badges()).toEqual([second]);
      const touch = exerciseByKey(byId('Badge'), alice, 'Touch', { by: alice });
      const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
      const { events } = await alpha.transact(touch, { actAs: alice }, format);
      expect(events[0].ExercisedEvent.contractId).toBe(second);
    },
  );

  reproduce(
    'CKGlocalKeyVisibility',
    'a party that sees the contract finds it by key and by id',
    async () => {
      const badge = await alpha.create(key('Badge'), { owner: alice }, { actAs: alice });
      const touch = (by: string) => exerciseByKey(byId('Badge'), alice, 'Touch', { by });
      await alpha.submit(touch(alice), { actAs: alice });
      const disclosedContracts = await disclosed(alice, 'Badge');
      const touchById = exercise(key('Badge'), badge, 'Touch', { by: bob });
      await alpha.submit(touchById, { actAs: bob, disclosedContracts });
      await notFound(touch(bob), { actAs: bob });
      await alpha.submit(touch(bob), { actAs: bob, disclosedContracts });
      await alpha.submit(touch(bob), { actAs: bob, readAs: [alice] });
    },
  );
});

conformanceSuite('ContractKeysMultiPartySubmissionIT', {}, (reproduce) => {
  const joint = async (parties: string[], name: string) => {
    const payload = { parties, name };
    return { id: await alpha.create(key('Joint'), payload, { actAs: parties }), payload };
  };
  const actors = [carol, dora];
  const all = [alice, bob, carol, dora];
  /** Carol and Dora use the second contract to find the first, which is Alice's and Bob's. */
  const find = async (choice: string, holders: string[], readAs: string[]) => {
    const target = await joint([alice, bob], 'target');
    const via = await joint(holders, 'via');
    const expected = choice === 'LookupOther' ? { expected: target.id } : {};
    const argument = { key: target.payload, actors, ...expected };
    return [exercise(key('Joint'), via.id, choice, argument), { actAs: actors, readAs }] as const;
  };

  reproduce(
    'MPSFetchOtherByKeyOtherSuccess',
    'fetches a contract by key if a stakeholder acts and a reader sees it',
    async () => {
      await alpha.submit(...(await find('FetchOther', all, [alice])));
    },
  );
  reproduce(
    'MPSFetchOtherByKeyInsufficientAuthorization',
    'rejects a fetch unless a stakeholder acts',
    async () => {
      const fetch = await find('FetchOther', actors, [bob, alice]);
      await refused(...fetch, 'DAML_AUTHORIZATION_ERROR', {
        cause: 'of the fetched contract to be an authorizer, but authorizers were',
      });
    },
  );
  reproduce('MPSFetchOtherByKeyInvisible', 'CONTRACT_KEY_NOT_FOUND', async () => {
    await notFound(...(await find('FetchOther', all, [])));
  });
  reproduce(
    'MPSLookupOtherByKeyOtherSuccess',
    'looks up a contract by key if its maintainers act and a reader sees it',
    async () => {
      await alpha.submit(...(await find('LookupOther', all, [alice])));
    },
  );
  reproduce(
    'MPSLookupOtherByKeyInsufficientAuthorization',
    'rejects a look-up without the authority of the maintainers',
    async () => {
      const lookup = await find('LookupOther', actors, [bob, alice]);
      await refused(...lookup, 'DAML_AUTHORIZATION_ERROR', {
        cause: /requires authorizers .* for lookup by key, but it only has/,
      });
    },
  );
  reproduce(
    'MPSLookupOtherByKeyInvisible',
    'the look-up finds nothing, and the assertion fails with DAML_FAILURE',
    async () => {
      await refused(...(await find('LookupOther', all, [])), 'DAML_FAILURE', {
        cause: 'what was found is what was expected',
        context: {
          exercise_trace: expect.stringMatching(
            / {4}in choice [0-9a-f]{8}:Keys:Joint:LookupOther on contract [0-9a-f]{10} \(#0\)\n {4}in exercise command [0-9a-f]{8}:Keys:Joint:LookupOther on contract [0-9a-f]{10}\./,
          ),
        },
      });
    },
  );
});

conformanceSuite('ContractKeysWronglyTypedContractIdIT', {}, (reproduce) => {
  reproduce('WTFetchFails', 'WRONGLY_TYPED_CONTRACT', async () => {
    const plain = await alpha.create(key('Plain'), { owner: alice }, { actAs: alice });
    const fetch = exerciseClerk(await clerk(alice, alice), 'FetchById', { id: plain });
    const cause = 'wrongly typed contract id';
    await refused(fetch, { actAs: alice }, 'WRONGLY_TYPED_CONTRACT', { cause });
  });
});
