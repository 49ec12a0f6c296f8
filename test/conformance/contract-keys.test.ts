/** Conformance: contract keys, which are not unique since protocol version 35. */
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type Submit,
  type Told,
} from '../support/ledger-api.js';
import { key, keysPackage } from '../support/keys-package.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi({ packages: [keysPackage] });
const [alice, bob, carol, dora] = useParties(api, 'alice', 'bob', 'carol', 'dora');

const byId = (name: string) => `${keysPackage.id}:Keys:${name}`;
const exerciseByKey = (
  templateId: string,
  contractKey: unknown,
  choice: string,
  choiceArgument: unknown = {},
) => ({ ExerciseByKeyCommand: { templateId, contractKey, choice, choiceArgument } });

const account = (owner: string, number: string, readers: string[] = []) =>
  api.create(key('Account'), { owner, number, readers }, { actAs: owner });
const clerk = (owner: string, delegate: string) =>
  api.create(key('Clerk'), { owner, delegate }, { actAs: owner });
const at = (_1: string, _2: string) => ({ _1, _2 });

const asks = (contractId: string, choice: string, argument: unknown) =>
  exercise(key('Clerk'), contractId, choice, argument);

/** The result of the first exercise. */
async function resultOf(command: unknown, options: Submit) {
  const parties = [options.actAs].flat();
  const format = transactionFormat('LEDGER_EFFECTS', eventFormat(parties));
  const { events } = await api.transact(command, options, format);
  return events[0].ExercisedEvent.exerciseResult;
}

async function refusalOf(command: unknown, options: Submit) {
  const { status, body } = await api.post(
    '/v2/commands/submit-and-wait',
    api.commands(command, options),
  );
  return { status, code: body.code, cause: body.cause };
}

const activeOf = (party: string) => api.active(eventFormat([party], wildcard(true)));

async function disclosed(party: string, contractId: string) {
  const events = await activeOf(party);
  const { createdEventBlob } = events.find((event: Told) => event.contractId === contractId);
  return [{ createdEventBlob }];
}

const NOT_FOUND = {
  status: 404,
  code: 'CONTRACT_KEY_NOT_FOUND',
  cause: expect.stringContaining("dependency error: couldn't find key"),
};

conformanceSuite('ContractKeysCommandDeduplicationIT', {}, (reproduce) => {
  reproduce('StopOnCompletionFailure', 'what failed may be submitted again', async () => {
    const helper = await clerk(alice, alice);
    const commands = api.commands(asks(helper, 'FetchAndRenew', { key: at(alice, 'one') }), {
      actAs: alice,
    });
    const submit = () => api.refusal('/v2/commands/submit-and-wait', commands);
    expect(await submit()).toBe('CONTRACT_KEY_NOT_FOUND');
    await account(alice, 'one');
    expect(await submit()).toBe('accepted');
    expect(await submit()).toBe('DUPLICATE_COMMAND');
  });
});

/** What the id is part of, and whether it may be missing from the ledger. */
const POSITIONS: Readonly<
  Record<string, (contractId: string) => Promise<{ code: string; cause: string }>>
> = {
  CreatePayload: (to) => refusalOf(create(key('Pointer'), { owner: alice, to }), { actAs: alice }),
  ExerciseTarget: async (target) => {
    const to = await api.create(key('Plain'), { owner: alice }, { actAs: alice });
    return refusalOf(exercise(key('Pointer'), target, 'Change', { to }), { actAs: alice });
  },
  ChoiceArgument: async (to) => {
    const pointer = await pointed();
    return refusalOf(exercise(key('Pointer'), pointer, 'Change', { to }), { actAs: alice });
  },
  CreateAndExercisePayload: async (to) => {
    const plain = await api.create(key('Plain'), { owner: alice }, { actAs: alice });
    const command = createAndExercise(key('Pointer'), { owner: alice, to }, 'Change', {
      to: plain,
    });
    return refusalOf(command, { actAs: alice });
  },
  CreateAndExerciseChoiceArgument: async (to) => {
    const plain = await api.create(key('Plain'), { owner: alice }, { actAs: alice });
    const command = createAndExercise(key('Pointer'), { owner: alice, to: plain }, 'Change', {
      to,
    });
    return refusalOf(command, { actAs: alice });
  },
  ExerciseByKey: async (to) => {
    await pointed();
    return refusalOf(exerciseByKey(byId('Pointer'), alice, 'Change', { to }), { actAs: alice });
  },
};

async function pointed(): Promise<string> {
  const to = await api.create(key('Plain'), { owner: alice }, { actAs: alice });
  return api.create(key('Pointer'), { owner: alice, to }, { actAs: alice });
}

const UNSUFFIXED = Array.from({ length: 33 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);
const SUFFIXED = `00${'bb20b46'.padEnd(64, '0')}ca1220${'23967e65'.padEnd(62, '0')}aa`;

conformanceSuite('ContractKeysContractIdIT', {}, (reproduce) => {
  reproduce(
    [
      'RejectNonSuffixedV1CKCidCreatePayload',
      'RejectNonSuffixedV1CKCidExerciseTarget',
      'RejectNonSuffixedV1CKCidChoiceArgument',
      'RejectNonSuffixedV1CKCidCreateAndExercisePayload',
      'RejectNonSuffixedV1CKCidCreateAndExerciseChoiceArgument',
      'RejectNonSuffixedV1CKCidExerciseByKey',
    ],
    'COMMAND_PREPROCESSING_FAILED',
    async (caseId) => {
      const position = POSITIONS[caseId.replace('RejectNonSuffixedV1CKCid', '')]!;
      expect(await position(UNSUFFIXED)).toMatchObject({
        code: 'COMMAND_PREPROCESSING_FAILED',
        cause: expect.stringContaining(`Illegal Contract ID "${UNSUFFIXED}"`),
      });
    },
  );

  reproduce(
    [
      'AcceptSuffixedV1CKCidCreatePayload',
      'AcceptSuffixedV1CKCidExerciseTarget',
      'AcceptSuffixedV1CKCidChoiceArgument',
      'AcceptSuffixedV1CKCidCreateAndExercisePayload',
      'AcceptSuffixedV1CKCidCreateAndExerciseChoiceArgument',
      'AcceptSuffixedV1CKCidExerciseByKey',
    ],
    'accepted; as a target, CONTRACT_NOT_FOUND',
    async (caseId) => {
      const position = caseId.replace('AcceptSuffixedV1CKCid', '');
      const { code } = await POSITIONS[position]!(SUFFIXED);
      expect(code).toBe(position === 'ExerciseTarget' ? 'CONTRACT_NOT_FOUND' : undefined);
    },
  );
});

/** The key is a pair of a party and a number: the pair is one level, and so is the number's zero. */
const dig = async (caseId: string, choice: string) => {
  const size = String(Number(/\d+$/.exec(caseId)![0]) - 2);
  const digger = await api.create(key('Digger'), { owner: alice }, { actAs: alice });
  const command = exercise(key('Digger'), digger, choice, { size });
  return { refusal: await refusalOf(command, { actAs: alice }), digger, size };
};

conformanceSuite('ContractKeysDeeplyNestedValueIT', {}, (reproduce) => {
  const refused = async (caseId: string, choice: string) =>
    expect((await dig(caseId, choice)).refusal.code).toBe('VALUE_NESTING');
  const works = async (caseId: string, choice: string) =>
    expect((await dig(caseId, choice)).refusal.status).toBe(200);

  reproduce(['AcceptContractKey46', 'AcceptContractKey100'], 'a key is made', (caseId) =>
    works(caseId, 'MakeDeep'),
  );
  reproduce(
    ['RejectContractKey101', 'RejectContractKey110', 'RejectContractKey200'],
    'VALUE_NESTING',
    (caseId) => refused(caseId, 'MakeDeep'),
  );
  reproduce(['AcceptFetchByKey46', 'AcceptFetchByKey100'], 'found by its key', async (caseId) => {
    await works(caseId, 'MakeDeep');
    await works(caseId, 'FetchDeep');
  });
  reproduce(
    ['AcceptFailingLookupByKey46', 'AcceptFailingLookupByKey100'],
    'nothing is found',
    (caseId) => works(caseId, 'LookupDeep'),
  );
  reproduce(
    ['RejectFailingLookupByKey101', 'RejectFailingLookupByKey110', 'RejectFailingLookupByKey200'],
    'VALUE_NESTING',
    (caseId) => refused(caseId, 'LookupDeep'),
  );
  reproduce(
    ['AcceptSuccessfulLookupByKey46', 'AcceptSuccessfulLookupByKey100'],
    'looked up by its key',
    async (caseId) => {
      await works(caseId, 'MakeDeep');
      const { digger, size } = await dig(caseId, 'LookupDeep');
      const command = exercise(key('Digger'), digger, 'LookupDeep', { size });
      expect(await resultOf(command, { actAs: alice })).toBe(true);
    },
  );
});

conformanceSuite('ContractKeysDivulgenceIT', {}, (reproduce) => {
  reproduce('DivulgenceKeys', 'a workflow that divulges contracts with keys', async () => {
    const proposal = await api.create(key('Proposal'), { from: alice, to: bob }, { actAs: alice });
    const asset = await api.create(key('Asset'), { issuer: bob, owner: bob }, { actAs: bob });
    const accept = exercise(key('Proposal'), proposal, 'Accept', { asset });
    const given = await resultOf(accept, { actAs: bob });
    expect(await activeOf(alice)).toMatchObject([{ contractId: given, contractKey: bob }]);
  });
});

conformanceSuite('ContractKeysExplicitDisclosureIT', {}, (reproduce) => {
  reproduce('EDExerciseByKeyDisclosedContract', 'found by its key once disclosed', async () => {
    const badge = await api.create(key('Badge'), { owner: alice }, { actAs: alice });
    const touch = exerciseByKey(byId('Badge'), alice, 'Touch', { by: bob });
    expect(await refusalOf(touch, { actAs: bob })).toEqual(NOT_FOUND);
    const disclosedContracts = await disclosed(alice, badge);
    await api.submit(touch, { actAs: bob, disclosedContracts });
  });
});

const FOR_UNIQUE_KEYS = 'written for unique keys; excluded upstream, where keys are not unique';

conformanceSuite(
  'ContractKeysIT',
  {
    notApplicable: {
      CKFetchOrLookup: FOR_UNIQUE_KEYS,
      CKNoFetchUndisclosed: FOR_UNIQUE_KEYS,
      CKMaintainerScoped: FOR_UNIQUE_KEYS,
    },
  },
  (reproduce) => {
    reproduce('CKNoContractKey', 'no key where the template has none', async () => {
      await clerk(alice, bob);
      const [event] = await activeOf(alice);
      expect(event).toMatchObject({ contractKeyHash: '' });
      expect(event.contractKey ?? null).toBeNull();
    });

    reproduce('CKRecreate', 'archived and created again in one transaction', async () => {
      const first = await account(alice, 'one');
      const [before] = await activeOf(alice);
      const renew = exercise(key('Account'), first, 'Renew');
      const { events } = await api.transact(renew, { actAs: alice });
      expect(events).toHaveLength(2);
      const [after] = await activeOf(alice);
      expect(after.contractId).not.toBe(before.contractId);
      expect(after.contractKey).toEqual(before.contractKey);
      expect(after.contractKeyHash).toBe(before.contractKeyHash);
    });

    reproduce('CKTransients', 'what is created and archived leaves no key', async () => {
      const [helper, first] = [await clerk(alice, alice), await account(alice, 'one')];
      const fetch = asks(helper, 'Fetch', { key: at(alice, 'two') });
      const flash = exercise(key('Account'), first, 'Flash', { number: 'two' });
      expect(await refusalOf(fetch, { actAs: alice })).toEqual(NOT_FOUND);
      await api.submit(flash, { actAs: alice });
      await api.submit(flash, { actAs: alice });
      expect(await refusalOf(fetch, { actAs: alice })).toEqual(NOT_FOUND);
    });

    reproduce('CKExposedByTemplate', 'a created event shows the key', async () => {
      await account(alice, 'one');
      expect(await activeOf(alice)).toMatchObject([{ contractKey: at(alice, 'one') }]);
    });

    reproduce('CKExerciseByKey', 'only while there is a contract', async () => {
      const close = exerciseByKey(byId('Account'), at(alice, 'one'), 'Close');
      expect(await refusalOf(close, { actAs: alice })).toEqual(NOT_FOUND);
      await account(alice, 'one');
      await api.submit(close, { actAs: alice });
      expect(await refusalOf(close, { actAs: alice })).toEqual(NOT_FOUND);
    });

    reproduce(
      ['CKLocalLookupByKeyVisibility', 'CKLocalFetchByKeyVisibility'],
      'what a transaction creates it finds, whoever submits it',
      async () => {
        const helper = await clerk(alice, bob);
        const find = asks(helper, 'FindOwn', { number: 'local' });
        expect(await resultOf(find, { actAs: bob })).toEqual([true, true, true]);
      },
    );

    reproduce(
      'CKDisclosedContractKeyReusabilityAsSubmitter',
      'a key is used again after its contract was archived',
      async () => {
        const payload = { issuer: alice, maker: bob };
        const maker = await api.create(key('BadgeMaker'), payload, { actAs: alice });
        const make = exercise(key('BadgeMaker'), maker, 'Make');
        const first = await resultOf(make, { actAs: bob });
        await api.submit(exercise(key('Badge'), first, 'Archive'), { actAs: alice });
        const second = await resultOf(make, { actAs: bob });
        const touch = exerciseByKey(byId('Badge'), alice, 'Touch', { by: alice });
        const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
        const { events } = await api.transact(touch, { actAs: alice }, format);
        expect(events[0].ExercisedEvent.contractId).toBe(second);
      },
    );

    reproduce(
      'CKGlocalKeyVisibility',
      'by key as by id, who sees a contract finds it',
      async () => {
        const badge = await api.create(key('Badge'), { owner: alice }, { actAs: alice });
        const touch = (by: string) => exerciseByKey(byId('Badge'), alice, 'Touch', { by });
        await api.submit(touch(alice), { actAs: alice });
        const disclosedContracts = await disclosed(alice, badge);
        const touchById = exercise(key('Badge'), badge, 'Touch', { by: bob });
        await api.submit(touchById, { actAs: bob, disclosedContracts });
        expect(await refusalOf(touch(bob), { actAs: bob })).toEqual(NOT_FOUND);
        await api.submit(touch(bob), { actAs: bob, disclosedContracts });
        await api.submit(touch(bob), { actAs: bob, readAs: [alice] });
      },
    );
  },
);

conformanceSuite('ContractKeysMultiPartySubmissionIT', {}, (reproduce) => {
  const joint = async (parties: string[], name: string) => {
    const payload = { parties, name };
    return { id: await api.create(key('Joint'), payload, { actAs: parties }), payload };
  };
  const actors = [carol, dora];
  /** Carol and Dora use the second contract to find the first, which is Alice's and Bob's. */
  const found = async (choice: string, holders: string[], readAs: string[]) => {
    const target = await joint([alice, bob], 'target');
    const via = await joint(holders, 'via');
    const expected = choice === 'LookupOther' ? { expected: target.id } : {};
    const argument = { key: target.payload, actors, ...expected };
    return refusalOf(exercise(key('Joint'), via.id, choice, argument), { actAs: actors, readAs });
  };
  const all = [alice, bob, carol, dora];

  reproduce('MPSFetchOtherByKeyOtherSuccess', 'ok', async () => {
    expect((await found('FetchOther', all, [alice])).status).toBe(200);
  });
  reproduce('MPSFetchOtherByKeyInsufficientAuthorization', 'no stakeholder acts', async () => {
    expect(await found('FetchOther', actors, [bob, alice])).toMatchObject({
      code: 'DAML_AUTHORIZATION_ERROR',
      cause: expect.stringContaining(
        'of the fetched contract to be an authorizer, but authorizers were',
      ),
    });
  });
  reproduce('MPSFetchOtherByKeyInvisible', 'CONTRACT_KEY_NOT_FOUND', async () => {
    expect(await found('FetchOther', all, [])).toEqual(NOT_FOUND);
  });
  reproduce('MPSLookupOtherByKeyOtherSuccess', 'ok', async () => {
    expect((await found('LookupOther', all, [alice])).status).toBe(200);
  });
  reproduce('MPSLookupOtherByKeyInsufficientAuthorization', 'maintainers are missing', async () => {
    expect(await found('LookupOther', actors, [bob, alice])).toMatchObject({
      code: 'DAML_AUTHORIZATION_ERROR',
      cause: expect.stringMatching(/requires authorizers .* for lookup by key, but it only has/),
    });
  });
  reproduce('MPSLookupOtherByKeyInvisible', 'nothing is found, and DAML_FAILURE', async () => {
    expect(await found('LookupOther', all, [])).toMatchObject({
      code: 'DAML_FAILURE',
      cause: expect.stringContaining('what was found is what was expected'),
    });
  });
});

conformanceSuite('ContractKeysWronglyTypedContractIdIT', {}, (reproduce) => {
  reproduce('WTFetchFails', 'WRONGLY_TYPED_CONTRACT', async () => {
    const plain = await api.create(key('Plain'), { owner: alice }, { actAs: alice });
    const helper = await clerk(alice, alice);
    const fetch = asks(helper, 'FetchById', { id: plain });
    expect(await refusalOf(fetch, { actAs: alice })).toMatchObject({
      code: 'WRONGLY_TYPED_CONTRACT',
      cause: expect.stringContaining('wrongly typed contract id'),
    });
  });
});

const BY_ITS_TYPE = 'JSON is read by the type of the key: another error comes first (B-CMD-047)';

conformanceSuite(
  'PrefetchContractKeysIT',
  {
    notApplicable: {
      CSprefetchContractKeysWronglyTyped: BY_ITS_TYPE,
      CSprefetchContractKeysPrepareWronglyTyped: BY_ITS_TYPE,
      CSprefetchContractPrepareKeysMany:
        'only one command is prepared at a time; excluded upstream',
    },
  },
  (reproduce) => {
    const badgeOfAlice = { templateId: byId('Badge'), contractKey: alice };

    reproduce('CSprefetchContractKeysBasic', 'accepted', async () => {
      const prefetchContractKeys = [badgeOfAlice];
      const make = create(key('Badge'), { owner: alice });
      await api.submit(make, { actAs: alice, prefetchContractKeys });
      expect(await activeOf(alice)).toMatchObject([{ templateId: byId('Badge') }]);
    });

    reproduce('CSprefetchContractKeysPrepareEndpointBasic', 'accepted by prepare', async () => {
      const { preparedTransaction } = await api.ok('/v2/interactive-submission/prepare', {
        ...api.commands(create(key('Badge'), { owner: alice }), { actAs: alice }),
        synchronizerId: '',
        packageIdSelectionPreference: [],
        hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3',
        prefetchContractKeys: [badgeOfAlice],
      });
      expect(preparedTransaction).not.toBe('');
    });

    reproduce('CSprefetchContractKeysMany', 'a thousand keys, one of them there', async () => {
      const helper = await clerk(alice, alice);
      const id = await account(alice, '10');
      const numbers = Array.from({ length: 1000 }, (_, number) => String(number));
      const lookups = numbers.map((number) => asks(helper, 'Lookup', { key: at(alice, number) }));
      const prefetchContractKeys = numbers.map((number) => ({
        templateId: byId('Account'),
        contractKey: at(alice, number),
        limit: 1,
      }));
      const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
      const options = { actAs: alice, prefetchContractKeys };
      const { events } = await api.transact(lookups, options, format);
      const results = events.map(({ ExercisedEvent }: Told) => ExercisedEvent.exerciseResult);
      expect(results.filter((each: unknown) => each !== null)).toEqual([id]);
      expect(results[10]).toBe(id);
    });
  },
);
