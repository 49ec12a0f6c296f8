/** Conformance: values that are deep, large, or contract ids. */
import { preparation, PREPARE } from '../../network/external/external-party.js';
import type { Answer } from '../../support/client.js';
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
} from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { conformanceSuite } from '../support/suite.js';
import { values, valuesPackage } from '../support/values.js';

const api = useLedgerApi({
  grpc: true,
  packages: [valuesPackage],
});
const [alice] = useParties(api, 'alice');
const byAlice = { actAs: alice };

const submit = (submitted: unknown): Promise<Answer> =>
  api.post('/v2/commands/submit-and-wait', api.commands(submitted, byAlice));
async function expectAccepted(answering: Promise<Answer>): Promise<void> {
  const { status, body } = await answering;
  expect({ status, body }).toEqual({
    status: 200,
    body: { updateId: expect.stringMatching(/^1220/), completionOffset: expect.any(Number) },
  });
}
const effects = transactionFormat('LEDGER_EFFECTS', eventFormat([alice], wildcard()));
const effectsOf = (submitted: unknown) => api.transact(submitted, byAlice, effects);

conformanceSuite('DamlValuesIT', {}, (reproduce) => {
  reproduce('DVTextMap', 'returns a text map, and the map that a choice extends', async () => {
    const payload = { owner: alice, texts: { foo: 'bar' }, parties: [], list: [] };
    const id = await api.create(values('Container'), payload, byAlice);
    const texts = { marco: 'polo' };
    const { events } = await effectsOf(exercise(values('Container'), id, 'AddTexts', { texts }));
    const all = { foo: 'bar', marco: 'polo' };
    expect(events).toMatchObject([
      { ExercisedEvent: { choiceArgument: { texts }, exerciseResult: all } },
      { CreatedEvent: { createArgument: { texts: all } } },
    ]);
  });
});

/** Nests as deep as its depth, and once more. */
function nat(depth: number): unknown {
  let json: unknown = { tag: 'Z', value: {} };
  for (let i = 0; i < depth; i++) json = { tag: 'S', value: json };
  return json;
}

const NESTING = /nesting/;

conformanceSuite('DeeplyNestedValueIT', {}, (reproduce) => {
  const handler = () => api.create(values('Handler'), { party: alice }, byAlice);
  const exerciseHandler = async (choice: string, argument: unknown) =>
    submit(exercise(values('Handler'), await handler(), choice, argument));
  const deep = (depth: number) => ({ party: alice, number: String(depth), nat: nat(depth) });

  /** By what is nested; the depth of the number that makes it nest so deep. */
  const submissions: Record<string, (nesting: number) => Promise<Answer>> = {
    CreateCommand: (nesting) => submit(create(values('Deep'), deep(nesting - 2))),
    ExerciseCommand: (nesting) => exerciseHandler('Destruct', { nat: nat(nesting - 2) }),
    CreateArgumentInCreateAndExerciseCommand: (nesting) =>
      submit(createAndExercise(values('Deep'), deep(nesting - 2), 'Archive')),
    ChoiceArgumentInCreateAndExerciseCommand: (nesting) =>
      submit(
        createAndExercise(values('Handler'), { party: alice }, 'Destruct', {
          nat: nat(nesting - 2),
        }),
      ),
    ExerciseArgument: (nesting) =>
      exerciseHandler('ConstructThenDestruct', { number: String(nesting - 2) }),
    ExerciseOutput: (nesting) => exerciseHandler('Construct', { number: String(nesting - 1) }),
    CreateArgument: (nesting) => exerciseHandler('Create', { number: String(nesting - 2) }),
  };
  async function submitted(caseId: string): Promise<Answer> {
    const [, what, nesting] = /^(?:Accept|Reject)(\w+?)(\d+)$/.exec(caseId)!;
    return submissions[what!]!(Number(nesting));
  }

  reproduce(
    [
      'AcceptCreateCommand46',
      'AcceptCreateCommand100',
      'AcceptExerciseCommand46',
      'AcceptExerciseCommand100',
      'AcceptCreateArgumentInCreateAndExerciseCommand46',
      'AcceptCreateArgumentInCreateAndExerciseCommand100',
      'AcceptChoiceArgumentInCreateAndExerciseCommand46',
      'AcceptChoiceArgumentInCreateAndExerciseCommand100',
      'AcceptExerciseArgument46',
      'AcceptExerciseArgument100',
      'AcceptExerciseOutput46',
      'AcceptExerciseOutput100',
      'AcceptCreateArgument46',
      'AcceptCreateArgument100',
    ],
    'accepts values with up to 100 levels',
    (caseId) => expectAccepted(submitted(caseId)),
  );

  reproduce(
    [
      'RejectCreateCommand101',
      'RejectCreateCommand110',
      'RejectCreateCommand200',
      'RejectExerciseCommand101',
      'RejectExerciseCommand110',
      'RejectExerciseCommand200',
      'RejectCreateArgumentInCreateAndExerciseCommand101',
      'RejectCreateArgumentInCreateAndExerciseCommand110',
      'RejectCreateArgumentInCreateAndExerciseCommand200',
      'RejectChoiceArgumentInCreateAndExerciseCommand101',
      'RejectChoiceArgumentInCreateAndExerciseCommand110',
      'RejectChoiceArgumentInCreateAndExerciseCommand200',
    ],
    'rejects commands with deeper values with COMMAND_PREPROCESSING_FAILED',
    async (caseId) => {
      const refusal = { cause: NESTING, definite: false };
      await expectRefused(submitted(caseId), 'COMMAND_PREPROCESSING_FAILED', refusal);
    },
  );

  reproduce(
    [
      'RejectExerciseArgument101',
      'RejectExerciseArgument110',
      'RejectExerciseArgument200',
      'RejectExerciseOutput101',
      'RejectExerciseOutput110',
      'RejectExerciseOutput200',
      'RejectCreateArgument101',
      'RejectCreateArgument110',
      'RejectCreateArgument200',
    ],
    'rejects deeper values that Daml code creates with VALUE_NESTING',
    async (caseId) => {
      await expectRefused(submitted(caseId), 'VALUE_NESTING', { cause: NESTING, definite: false });
    },
  );
});

/** Bytes that count up from 0, as contract ids of this many. */
const countingId = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => at)).toString('hex');

conformanceSuite('ContractIdIT', {}, (reproduce, answerOtherwise) => {
  const ref = values('ContractRef');
  const contract = () => api.create(values('Contract'), { party: alice }, byAlice);
  const refTo = (id: string) => ({ party: alice, ref: id });

  /** Commands with the id, by its position. */
  const commands: Record<string, (id: string) => Promise<unknown>> = {
    CreatePayload: async (id) => create(ref, refTo(id)),
    ExerciseTarget: async (id) => exercise(ref, id, 'Change', { newId: await contract() }),
    ChoiceArgument: async (id) => {
      const target = await api.create(ref, refTo(await contract()), byAlice);
      return exercise(ref, target, 'Change', { newId: id });
    },
    CreateAndExercisePayload: async (id) =>
      createAndExercise(ref, refTo(id), 'Change', { newId: await contract() }),
    CreateAndExerciseChoiceArgument: async (id) =>
      createAndExercise(ref, refTo(await contract()), 'Change', { newId: id }),
  };
  const command = (caseId: string, id: string) => commands[/Cid(\w+)$/.exec(caseId)![1]!]!(id);

  reproduce(
    [
      'RejectNonSuffixedV1CidCreatePayload',
      'RejectNonSuffixedV1CidExerciseTarget',
      'RejectNonSuffixedV1CidChoiceArgument',
      'RejectNonSuffixedV1CidCreateAndExercisePayload',
      'RejectNonSuffixedV1CidCreateAndExerciseChoiceArgument',
    ],
    'rejects a contract id without a suffix with COMMAND_PREPROCESSING_FAILED',
    async (caseId) => {
      const id = countingId(33);
      const answering = submit(await command(caseId, id));
      await expectRefused(answering, 'COMMAND_PREPROCESSING_FAILED', {
        cause: `Illegal Contract ID "${id}"`,
        definite: false,
      });
    },
  );

  reproduce(
    [
      'AcceptSuffixedV1CidCreatePayload',
      'AcceptSuffixedV1CidChoiceArgument',
      'AcceptSuffixedV1CidCreateAndExercisePayload',
      'AcceptSuffixedV1CidCreateAndExerciseChoiceArgument',
    ],
    'accepts a contract id with a suffix, even if no such contract exists',
    async (caseId) => expectAccepted(submit(await command(caseId, countingId(49)))),
  );

  answerOtherwise(
    'AcceptSuffixedV1CidExerciseTarget',
    'an exercise on a suffixed id fails with code NA and status 500',
    async () => {
      const { status, body } = await submit(await commands['ExerciseTarget']!(countingId(49)));
      expect([status, body.code]).toEqual([500, 'NA']);
    },
  );
});

conformanceSuite('LimitsIT', {}, (reproduce) => {
  const SIZE = 10_000;
  const element = (at: number) => `element_${String(at + 1).padStart(8, '0')}`;
  const list = Array.from({ length: SIZE }, (_, at) => element(at));
  const parties = list.map((key) => [key, alice]);
  const empty = { owner: alice, texts: {}, parties: [], list: [] };
  /** Creates a container with the payload and exercises its choice; both come back as they were sent. */
  async function use(payload: object, choice: string, argument: object): Promise<void> {
    const whole = { ...empty, ...payload };
    const id = await api.create(values('Container'), whole, byAlice);
    const [active] = await api.active(eventFormat([alice], wildcard()));
    expect(active).toMatchObject({ contractId: id, createArgument: whole });
    const { events } = await effectsOf(exercise(values('Container'), id, choice, argument));
    expect(events[0]).toMatchObject({ ExercisedEvent: { choice, choiceArgument: argument } });
    if (choice !== 'Look')
      expect(events[1].CreatedEvent.createArgument).toEqual({ ...whole, ...argument });
  }

  reproduce('LLargeMapInContract', 'accepts ten thousand entries', () =>
    use({ parties }, 'Look', {}),
  );
  reproduce('LLargeMapInChoice', 'accepts ten thousand entries', () =>
    use({}, 'AddParties', { parties }),
  );
  reproduce('LLargeListInContract', 'accepts ten thousand elements', () =>
    use({ list }, 'Look', {}),
  );
  reproduce('LLargeListInChoice', 'accepts ten thousand elements', () =>
    use({}, 'AddToList', { list }),
  );

  const build = async (depth: number, branching: number) => {
    const id = await api.create(values('Tree'), { owner: alice }, byAlice);
    const argument = { depth: String(depth), branching: String(branching) };
    return exercise(values('Tree'), id, 'Build', argument);
  };
  /** @returns the count from the outermost exercise, and the number of exercises in the transaction */
  const built = async (depth: number, branching: number) => {
    const { events } = await effectsOf(await build(depth, branching));
    return [Number(events[0].ExercisedEvent.exerciseResult), events.length];
  };

  reproduce('LDeepTransaction', 'accepts 101 nested exercises', async () =>
    expect(await built(100, 1)).toEqual([101, 101]),
  );
  reproduce('LWideTransaction', 'accepts 12,500 sibling exercises', async () =>
    expect(await built(1, 12_500)).toEqual([12_501, 12_501]),
  );
  reproduce(
    'LWithLargeTransaction',
    'accepts a tree of exercises with 12 levels of two children',
    async () => expect(await built(12, 2)).toEqual([2 ** 13 - 1, 2 ** 13 - 1]),
  );

  const expectPrepared = async (depth: number, branching: number) => {
    const prepared = await api.ok(PREPARE, preparation(await build(depth, branching), alice));
    expect(Buffer.from(prepared.preparedTransactionHash, 'base64')).toHaveLength(32);
  };

  reproduce('ExternalWithDeepTransaction', 'prepares the transaction and returns its hash', () =>
    expectPrepared(100, 1),
  );
  reproduce('ExternalWithWideTransaction', 'prepares the transaction and returns its hash', () =>
    expectPrepared(1, 12_000),
  );
  reproduce('ExternalWithLargeTransaction', 'prepares the transaction and returns its hash', () =>
    expectPrepared(8, 2),
  );
});
