/** Conformance: values that are deep, large, or contract ids. */
import { onboard, preparation, PREPARE } from '../external/external-party.js';
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  wildcard,
} from '../support/ledger-api.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { conformanceSuite } from './support/suite.js';
import { values, valuesPackage } from './support/values.js';

// The largest transactions take a second where nothing else runs.
jest.setTimeout(30_000);

const api = useLedgerApi({ packages: [valuesPackage] });
const [alice] = useParties(api, 'alice');
const byAlice = { actAs: alice };

async function outcome(submitted: unknown): Promise<string> {
  const { status, body } = await api.post(
    '/v2/commands/submit-and-wait',
    api.commands(submitted, byAlice),
  );
  return status === 200 ? 'accepted' : `${status} ${body.code} ${body.context.definite_answer}`;
}
const effects = transactionFormat('LEDGER_EFFECTS', eventFormat([alice], wildcard()));
const exercised = async (submitted: unknown) =>
  (await api.transact(submitted, byAlice, effects)).events[0].ExercisedEvent;

conformanceSuite('DamlValuesIT', {}, (reproduce) => {
  reproduce('DVTextMap', 'goes in, grows, and comes out', async () => {
    const payload = { owner: alice, texts: { foo: 'bar' }, parties: [], list: [] };
    const id = await api.create(values('Container'), payload, byAlice);
    const texts = { marco: 'polo' };
    const { exerciseResult } = await exercised(
      exercise(values('Container'), id, 'AddTexts', { texts }),
    );
    expect(exerciseResult).toEqual({ foo: 'bar', marco: 'polo' });
  });
});

/** Nests as deep as its depth, and once more. */
function nat(depth: number): unknown {
  let json: unknown = { tag: 'Z', value: {} };
  for (let i = 0; i < depth; i++) json = { tag: 'S', value: json };
  return json;
}

conformanceSuite('DeeplyNestedValueIT', {}, (reproduce) => {
  const handler = () => api.create(values('Handler'), { party: alice }, byAlice);
  const exerciseHandler = async (choice: string, argument: unknown) =>
    outcome(exercise(values('Handler'), await handler(), choice, argument));
  const deep = (depth: number) => ({ party: alice, number: String(depth), nat: nat(depth) });

  /** By what is nested; the depth of the number that makes it nest so deep. */
  const submissions: Record<string, (nesting: number) => Promise<string>> = {
    CreateCommand: (nesting) => outcome(create(values('Deep'), deep(nesting - 2))),
    ExerciseCommand: (nesting) => exerciseHandler('Destruct', { nat: nat(nesting - 2) }),
    CreateArgumentInCreateAndExerciseCommand: (nesting) =>
      outcome(createAndExercise(values('Deep'), deep(nesting - 2), 'Archive')),
    ChoiceArgumentInCreateAndExerciseCommand: (nesting) =>
      outcome(
        createAndExercise(values('Handler'), { party: alice }, 'Destruct', {
          nat: nat(nesting - 2),
        }),
      ),
    ExerciseArgument: (nesting) =>
      exerciseHandler('ConstructThenDestruct', { number: String(nesting - 2) }),
    ExerciseOutput: (nesting) => exerciseHandler('Construct', { number: String(nesting - 1) }),
    CreateArgument: (nesting) => exerciseHandler('Create', { number: String(nesting - 2) }),
  };
  async function submitted(caseId: string): Promise<string> {
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
    'accepted up to a nesting of 100',
    async (caseId) => expect(await submitted(caseId)).toBe('accepted'),
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
    'COMMAND_PREPROCESSING_FAILED above it, in a command',
    async (caseId) =>
      expect(await submitted(caseId)).toBe('400 COMMAND_PREPROCESSING_FAILED false'),
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
    'VALUE_NESTING above it, inside Daml',
    async (caseId) => expect(await submitted(caseId)).toBe('400 VALUE_NESTING false'),
  );
});

/** Bytes that count up from 0, as contract ids of this many. */
const countingId = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, at) => at)).toString('hex');

conformanceSuite('ContractIdIT', {}, (reproduce) => {
  const ref = values('ContractRef');
  const contract = () => api.create(values('Contract'), { party: alice }, byAlice);
  const refTo = (id: string) => ({ party: alice, ref: id });

  /** By the place that the id stands in. */
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
    'COMMAND_PREPROCESSING_FAILED without a suffix',
    async (caseId) => {
      const id = countingId(33);
      const commandsOf = api.commands(await command(caseId, id), byAlice);
      const { status, body } = await api.post('/v2/commands/submit-and-wait', commandsOf);
      expect({ status, code: body.code }).toEqual({
        status: 400,
        code: 'COMMAND_PREPROCESSING_FAILED',
      });
      expect(body.cause).toContain(`Illegal Contract ID "${id}"`);
      expect(body.context.definite_answer).toBe('false');
    },
  );

  reproduce(
    [
      'AcceptSuffixedV1CidCreatePayload',
      'AcceptSuffixedV1CidChoiceArgument',
      'AcceptSuffixedV1CidCreateAndExercisePayload',
      'AcceptSuffixedV1CidCreateAndExerciseChoiceArgument',
    ],
    'a suffix makes it a value, whether there is such a contract or not',
    async (caseId) => expect(await outcome(await command(caseId, countingId(49)))).toBe('accepted'),
  );

  reproduce('AcceptSuffixedV1CidExerciseTarget', 'and CONTRACT_NOT_FOUND as a target', async () =>
    expect(await outcome(await commands['ExerciseTarget']!(countingId(49)))).toBe(
      '404 CONTRACT_NOT_FOUND false',
    ),
  );
});

conformanceSuite('LimitsIT', {}, (reproduce) => {
  const SIZE = 10_000;
  const element = (at: number) => `element_${String(at + 1).padStart(8, '0')}`;
  const list = Array.from({ length: SIZE }, (_, at) => element(at));
  const parties = list.map((key) => [key, alice]);
  const empty = { owner: alice, texts: {}, parties: [], list: [] };
  const container = (payload: object) =>
    api.create(values('Container'), { ...empty, ...payload }, byAlice);
  const use = async (id: string, choice: string, argument: object) =>
    expect(await outcome(exercise(values('Container'), id, choice, argument))).toBe('accepted');

  reproduce('LLargeMapInContract', 'ten thousand entries', async () =>
    use(await container({ parties }), 'Look', {}),
  );
  reproduce('LLargeMapInChoice', 'ten thousand entries', async () =>
    use(await container({}), 'AddParties', { parties }),
  );
  reproduce('LLargeListInContract', 'ten thousand elements', async () =>
    use(await container({ list }), 'Look', {}),
  );
  reproduce('LLargeListInChoice', 'ten thousand elements', async () =>
    use(await container({}), 'AddToList', { list }),
  );

  const tree = async (depth: number, branching: number) => {
    const id = await api.create(values('Tree'), { owner: alice }, byAlice);
    const argument = { depth: String(depth), branching: String(branching) };
    return outcome(exercise(values('Tree'), id, 'Build', argument));
  };

  reproduce('LDeepTransaction', 'a hundred exercises inside each other', async () =>
    expect(await tree(100, 1)).toBe('accepted'),
  );
  reproduce('LWideTransaction', 'twelve thousand and more beside each other', async () =>
    expect(await tree(1, 12_500)).toBe('accepted'),
  );
  reproduce('LWithLargeTransaction', 'two in each, twelve deep', async () =>
    expect(await tree(12, 2)).toBe('accepted'),
  );

  const prepared = async (depth: number, branching: number) => {
    const { party } = await onboard(api, 'external');
    const argument = { depth: String(depth), branching: String(branching) };
    const answer = await api.ok(
      PREPARE,
      preparation(createAndExercise(values('Tree'), { owner: party }, 'Build', argument), party),
    );
    return Buffer.from(answer.preparedTransactionHash, 'base64').length;
  };

  reproduce('ExternalWithDeepTransaction', 'prepared with a hash', async () =>
    expect(await prepared(100, 1)).toBe(32),
  );
  reproduce('ExternalWithWideTransaction', 'prepared with a hash', async () =>
    expect(await prepared(1, 12_000)).toBe(32),
  );
  reproduce('ExternalWithLargeTransaction', 'prepared with a hash', async () =>
    expect(await prepared(8, 2)).toBe(32),
  );
});
