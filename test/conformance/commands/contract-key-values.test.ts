/** Conformance: contract ids and depths of values where there are contract keys, and keys that are fetched ahead. */
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { key, keysPackage } from '../../support/daml/keys-package.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';

const api = useLedgerApi({
  grpc: true,
  packages: [keysPackage],
});
const [alice] = useParties(api, 'alice');
const byAlice = { actAs: alice };

const byId = (name: string) => `${keysPackage.id}:Keys:${name}`;
const at = (_1: string, _2: string) => ({ _1, _2 });
const answer = (command: unknown, more: object = {}) =>
  api.post('/v2/commands/submit-and-wait', api.commands(command, { ...byAlice, ...more }));
const plain = () => api.create(key('Plain'), { owner: alice }, byAlice);
const pointed = async () =>
  api.create(key('Pointer'), { owner: alice, to: await plain() }, byAlice);
const createAndChange = (payload: string, to: string) =>
  createAndExercise(key('Pointer'), { owner: alice, to: payload }, 'Change', { to });

/** Commands with the id, by its position. */
const POSITIONS: Readonly<Record<string, (contractId: string) => Promise<unknown>>> = {
  CreatePayload: async (to) => create(key('Pointer'), { owner: alice, to }),
  ExerciseTarget: async (target) =>
    exercise(key('Pointer'), target, 'Change', { to: await plain() }),
  ChoiceArgument: async (to) => exercise(key('Pointer'), await pointed(), 'Change', { to }),
  CreateAndExercisePayload: async (to) => createAndChange(to, await plain()),
  CreateAndExerciseChoiceArgument: async (to) => createAndChange(await plain(), to),
  ExerciseByKey: async (to) => {
    await pointed();
    const named = { templateId: byId('Pointer'), contractKey: alice };
    return { ExerciseByKeyCommand: { ...named, choice: 'Change', choiceArgument: { to } } };
  },
};

const UNSUFFIXED = Array.from({ length: 33 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);
const SUFFIXED = `00${'bb20b46'.padEnd(64, '0')}ca1220${'23967e65'.padEnd(62, '0')}aa`;

conformanceSuite('ContractKeysContractIdIT', {}, (reproduce, answerOtherwise) => {
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
      await expectRefused(answer(await position(UNSUFFIXED)), 'COMMAND_PREPROCESSING_FAILED', {
        cause: `Illegal Contract ID "${UNSUFFIXED}"`,
        definite: false,
      });
    },
  );

  reproduce(
    [
      'AcceptSuffixedV1CKCidCreatePayload',
      'AcceptSuffixedV1CKCidChoiceArgument',
      'AcceptSuffixedV1CKCidCreateAndExercisePayload',
      'AcceptSuffixedV1CKCidCreateAndExerciseChoiceArgument',
      'AcceptSuffixedV1CKCidExerciseByKey',
    ],
    'accepts a suffixed contract id in this position',
    async (caseId) => {
      const position = caseId.replace('AcceptSuffixedV1CKCid', '');
      expect((await answer(await POSITIONS[position]!(SUFFIXED))).status).toBe(200);
    },
  );

  answerOtherwise(
    'AcceptSuffixedV1CKCidExerciseTarget',
    'an exercise on a suffixed id fails with code NA and status 500',
    async () => {
      const { status, body } = await answer(await POSITIONS['ExerciseTarget']!(SUFFIXED));
      expect([status, body.code]).toEqual([500, 'NA']);
    },
  );
});

conformanceSuite('ContractKeysDeeplyNestedValueIT', {}, (reproduce) => {
  /** The key is a pair of a party and a number: the pair is one level, and so is the number's zero. */
  const dig = async (caseId: string, choice: string) => {
    const size = String(Number(/\d+$/.exec(caseId)![0]) - 2);
    const digger = await api.create(key('Digger'), { owner: alice }, byAlice);
    return exercise(key('Digger'), digger, choice, { size });
  };
  const refused = async (caseId: string, choice: string) => {
    const answered = await answer(await dig(caseId, choice));
    await expectRefused(answered, 'VALUE_NESTING', { definite: false });
  };
  const resultOf = async (caseId: string, choice: string) => {
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
    const { events } = await api.transact(await dig(caseId, choice), byAlice, format);
    return events[0].ExercisedEvent.exerciseResult;
  };

  reproduce(
    ['AcceptContractKey46', 'AcceptContractKey100'],
    'accepts a contract key at this depth',
    async (caseId) => {
      expect(await resultOf(caseId, 'MakeDeep')).toBe(true);
    },
  );
  reproduce(
    ['RejectContractKey101', 'RejectContractKey110', 'RejectContractKey200'],
    'VALUE_NESTING',
    (caseId) => refused(caseId, 'MakeDeep'),
  );
  reproduce(
    ['AcceptFetchByKey46', 'AcceptFetchByKey100'],
    'fetches the contract by its key',
    async (caseId) => {
      await resultOf(caseId, 'MakeDeep');
      expect(await resultOf(caseId, 'FetchDeep')).toBe(true);
    },
  );
  reproduce(
    ['AcceptFailingLookupByKey46', 'AcceptFailingLookupByKey100'],
    'finds no contract for the key',
    async (caseId) => {
      expect(await resultOf(caseId, 'LookupDeep')).toBe(false);
    },
  );
  reproduce(
    ['RejectFailingLookupByKey101', 'RejectFailingLookupByKey110', 'RejectFailingLookupByKey200'],
    'VALUE_NESTING',
    (caseId) => refused(caseId, 'LookupDeep'),
  );
  reproduce(
    ['AcceptSuccessfulLookupByKey46', 'AcceptSuccessfulLookupByKey100'],
    'looks up the contract by its key',
    async (caseId) => {
      await resultOf(caseId, 'MakeDeep');
      expect(await resultOf(caseId, 'LookupDeep')).toBe(true);
    },
  );
});

conformanceSuite('PrefetchContractKeysIT', {}, (reproduce, answerOtherwise, overJson) => {
  const make = create(key('Badge'), { owner: alice });
  const preparation = (prefetched: object) => ({
    ...api.commands(make, byAlice),
    synchronizerId: '',
    packageIdSelectionPreference: [],
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3',
    prefetchContractKeys: [prefetched],
  });
  const PREPARE = '/v2/interactive-submission/prepare';
  const badgeOfAlice = { templateId: byId('Badge'), contractKey: alice };

  reproduce('CSprefetchContractKeysBasic', 'accepts the submission', async () => {
    await api.submit(make, { ...byAlice, prefetchContractKeys: [badgeOfAlice] });
    const active = await api.active(eventFormat([alice], wildcard()));
    expect(active.map(({ templateId }: JsonAnswer) => templateId)).toEqual([byId('Badge')]);
  });

  reproduce(
    'CSprefetchContractKeysPrepareEndpointBasic',
    'accepts the request to prepare',
    async () => {
      const { preparedTransaction } = await api.ok(PREPARE, preparation(badgeOfAlice));
      expect(preparedTransaction).toMatch(/./);
    },
  );

  overJson(
    ['CSprefetchContractKeysWronglyTyped', 'CSprefetchContractKeysPrepareWronglyTyped'],
    'JSON rejects a key of the wrong type before the participant reads it',
    async (caseId) => {
      const wrong = { templateId: byId('Account'), contractKey: alice };
      const answered = caseId.includes('Prepare')
        ? api.post(PREPARE, preparation(wrong))
        : answer(make, { prefetchContractKeys: [wrong] });
      await expectRefused(answered, 'LEDGER_API_INTERNAL_ERROR', { cause: 'Expected ujson.Obj' });
    },
  );

  reproduce(
    'CSprefetchContractKeysMany',
    'accepts a thousand prefetched keys, of which one exists',
    async () => {
      const helper = await api.create(key('Clerk'), { owner: alice, delegate: alice }, byAlice);
      const payload = { owner: alice, number: '10', readers: [] };
      const id = await api.create(key('Account'), payload, byAlice);
      const keys = Array.from({ length: 1000 }, (_, number) => at(alice, String(number)));
      const lookups = keys.map((each) => exercise(key('Clerk'), helper, 'Lookup', { key: each }));
      const prefetchContractKeys = keys.map((contractKey) => ({
        templateId: byId('Account'),
        contractKey,
        limit: 1,
      }));
      const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
      const options = { ...byAlice, prefetchContractKeys };
      const { events } = await api.transact(lookups, options, format);
      const results = events.map(({ ExercisedEvent }: JsonAnswer) => ExercisedEvent.exerciseResult);
      expect(results).toEqual(keys.map(({ _2 }) => (_2 === '10' ? id : null)));
    },
  );

  answerOtherwise(
    'CSprefetchContractPrepareKeysMany',
    'rejects a request to prepare two commands',
    async () => {
      const several = { ...preparation(badgeOfAlice), commands: [make, make] };
      await expectRefused(api.post(PREPARE, several), 'FAILED_TO_PREPARE_TRANSACTION', {
        cause: 'Preparing multiple commands is currently not supported',
      });
    },
  );
});
