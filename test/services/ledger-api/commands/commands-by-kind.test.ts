/**
 * Each kind of command, its template by name and by id, its values as they may be written (upstream PreprocessorSpec; `translated` and
 * `translate-key` of EngineTest). The package comes as a DAR, in two versions.
 */
import { encodePackage, type Fields } from '../../../support/daml/lf-encoder.js';
import { GrpcClient, type GrpcFault } from '../../../support/grpc/client.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, u, type Code } from '../../../support/daml/lf-code.js';
import { t } from '../../../support/daml/lf-types.js';
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  transactionFormat,
  type JsonAnswer,
} from '../../../support/ledger-api.js';
import { useLedgerApi, useParties } from '../../../support/shared-ledger-api.js';

const [THING, KEY] = [t.con('Main:Thing'), t.con('Main:Key')];
const keyOf = e.field(THING, 'key', e.var('this'));
const maintainersOf = (key: Code) => e.field(KEY, 'maintainers', key);
const version = (number: number, name = 'kinds', more: Fields = {}) =>
  encodePackage({
    name,
    version: `${number}.0.0`,
    lf: '3',
    modules: {
      Main: {
        types: {
          Key: {
            record: {
              maintainers: t.list(t.party),
              amount: t.numeric(4),
              id: t.optional(t.contractId(THING)),
            },
          },
        },
        templates: {
          Thing: {
            fields: { key: KEY, data: t.int64, ...more },
            precondition: e.true,
            signatories: maintainersOf(keyOf),
            key: {
              type: KEY,
              body: keyOf,
              maintainers: e.lambda({ key: KEY }, maintainersOf(e.var('key'))),
            },
            choices: {
              Noop: {
                consuming: false,
                argument: t.unit,
                returns: t.int64,
                controllers: maintainersOf(keyOf),
                update: u.pure(t.int64, e.int(number)),
              },
            },
          },
        },
      },
    },
  });
const [first, second] = [version(1), version(2)];
const [older, newer] = [version(1, 'others'), version(2, 'others')];

const api = useLedgerApi({
  grpc: true,
  dars: [first, second, older, newer].map((each) => buildDar(each)),
});
const [alice, bob] = useParties(api, 'alice', 'bob');

const key = () => ({ maintainers: [alice], amount: '1.5' });
const payload = () => ({ key: key(), data: '42' });
const exerciseByKey = (templateId: string, contractKey: unknown) => ({
  ExerciseByKeyCommand: { templateId, contractKey, choice: 'Noop', choiceArgument: {} },
});
const make = async (templateId: string): Promise<string> => {
  const { events } = await api.transact(create(templateId, payload()), { actAs: alice });
  return events[0].CreatedEvent.contractId;
};
const KINDS: Readonly<Record<string, (templateId: string, id: string) => object>> = {
  create: (templateId) => create(templateId, payload()),
  exercise: (templateId, id) => exercise(templateId, id, 'Noop'),
  exerciseByKey: (templateId) => exerciseByKey(templateId, key()),
  createAndExercise: (templateId) => createAndExercise(templateId, payload(), 'Noop'),
};
const thing = (of: { id: string }) => `${of.id}:Main:Thing`;
/** The last event of what a command does. */
const done = async (command: object, preferred: readonly string[] = []): Promise<JsonAnswer> => {
  const options = { actAs: alice, packageIdSelectionPreference: preferred };
  const format = transactionFormat('LEDGER_EFFECTS', eventFormat([alice]));
  const { events } = await api.transact(command, options, format);
  return (Object.values(events.at(-1) as JsonAnswer) as [JsonAnswer])[0];
};

describe.each(Object.entries(KINDS))('%s', (_kind, command) => {
  /** The version that made or ran. */
  const ran = async (name: string, preferred: readonly string[] = []) => {
    const id = await make(thing(name.includes('others') ? older : first));
    const { templateId, exerciseResult } = await done(command(name, id), preferred);
    return exerciseResult ?? ([first, older].map(thing).includes(templateId) ? '1' : '2');
  };

  it('by package name uses the highest version, or the preferred one', async () => {
    expect(await ran('#kinds:Main:Thing')).toBe('2');
    expect(await ran('#kinds:Main:Thing', [first.id])).toBe('1');
    expect(await ran('#kinds:Main:Thing', [first.id, newer.id])).toBe('1');
    expect(await ran('#others:Main:Thing', [first.id, older.id])).toBe('1');
    expect(await ran(thing(second), [first.id])).toBe('2');
  });

  it('with an unknown package name is rejected', async () => {
    const id = await make(thing(first));
    expect(await api.submitRefusal(command('#unknown:Main:Thing', id), { actAs: alice })).toBe(
      'PACKAGE_NAMES_NOT_FOUND',
    );
  });

  it.each([
    ['unknown', () => ['0'.repeat(64)], 'JSON_API_PACKAGE_SELECTION_FAILED'],
    ['two packages with one name', () => [first.id, second.id], 'INVALID_ARGUMENT'],
  ])('with a preference that is %s is rejected', async (_what, preferred, code) => {
    const id = await make(thing(first));
    const options = { actAs: alice, packageIdSelectionPreference: preferred() };
    expect(await api.submitRefusal(command('#kinds:Main:Thing', id), options)).toBe(code);
  });
});

describe('a key in a command', () => {
  it.each<[string, () => unknown]>([
    ['fields in any order', () => ({ amount: '1.5000', maintainers: [alice] })],
    ['a number with fewer decimals', () => ({ maintainers: [alice], amount: '1.5' })],
    ['a JSON number', () => ({ maintainers: [alice], amount: 1.5 })],
    ['without the last optional field', () => key()],
    ['with null as the last optional field', () => ({ ...key(), id: null })],
  ])('may have the form: %s', async (_how, contractKey) => {
    const contractId = await make(thing(first));
    expect(await done(exerciseByKey(thing(first), contractKey()))).toMatchObject({ contractId });
  });

  it.each<[string, () => unknown, string]>([
    [
      'with another type',
      () => ({ maintainers: alice, amount: '1.5' }),
      'LEDGER_API_INTERNAL_ERROR',
    ],
    ['without a field', () => ({ maintainers: [alice] }), 'COMMAND_PREPROCESSING_FAILED'],
    [
      'with a number out of bounds',
      () => ({ maintainers: [alice], amount: '1.55555' }),
      'COMMAND_PREPROCESSING_FAILED',
    ],
    [
      'without maintainers',
      () => ({ maintainers: [], amount: '1.5' }),
      'FETCH_EMPTY_CONTRACT_KEY_MAINTAINERS',
    ],
    ['if no contract has it', () => ({ ...key(), amount: '2' }), 'CONTRACT_KEY_NOT_FOUND'],
    ['with a contract id', () => ({ ...key(), id: 'made' }), 'COMMAND_PREPROCESSING_FAILED'],
  ])('is rejected %s', async (_what, contractKey, code) => {
    const id = await make(thing(first));
    const keyValue = contractKey() as { id?: string };
    const given = keyValue.id === undefined ? keyValue : { ...keyValue, id };
    expect(await api.submitRefusal(exerciseByKey(thing(first), given), { actAs: alice })).toBe(
      code,
    );
  });
});

describe('a contract id in a key (B-CMD-073)', () => {
  const refusal = async (commands: unknown, more: object = {}) => {
    const request = { ...api.commands(commands, { actAs: alice }), ...more };
    const { body } = await api.post('/v2/commands/submit-and-wait', request);
    return [body.code, body.cause];
  };
  const errorFor = (id: string) => [
    'COMMAND_PREPROCESSING_FAILED',
    `Contract IDs are not supported in contract keys: ${id}`,
  ];

  it('is rejected before another command runs, and after a command with the wrong type', async () => {
    const id = await make(thing(first));
    const keyed = exerciseByKey(thing(first), { ...key(), id });
    const failing = exerciseByKey(thing(first), { ...key(), amount: '7' });
    expect(await refusal([failing, keyed])).toEqual(errorFor(id));
    const unfit = exerciseByKey(thing(first), { ...key(), amount: '1.55555' });
    const [code, cause] = await refusal([keyed, unfit]);
    expect([code, cause === errorFor(id)[1]]).toEqual(['COMMAND_PREPROCESSING_FAILED', false]);
  });

  it('is rejected in a prefetched key', async () => {
    const id = await make(thing(first));
    const prefetchContractKeys = [{ templateId: thing(first), contractKey: { ...key(), id } }];
    const noop = exercise(thing(first), id, 'Noop');
    expect(await refusal(noop, { prefetchContractKeys })).toEqual(errorFor(id));
  });

  it('is rejected over gRPC, in a command and in a prefetched key', async () => {
    const contractId = await make(thing(first));
    const templateId = { packageId: first.id, moduleName: 'Main', entityName: 'Thing' };
    const contractKey = {
      record: {
        fields: [
          { value: { list: { elements: [{ party: alice }] } } },
          { value: { numeric: '1.5' } },
          { value: { optional: { value: { contractId } } } },
        ],
      },
    };
    const noop = { choice: 'Noop', choiceArgument: { unit: {} } };
    const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
    const faultOf = async (command: object, more: object = {}) => {
      const commands = {
        userId: 'u',
        commandId: 'c',
        actAs: [alice],
        commands: [command],
        ...more,
      };
      return grpc.call('CommandService/SubmitAndWait', { commands }).then(
        () => 'accepted',
        ({ message }: GrpcFault) => message,
      );
    };
    const byKey = { exerciseByKey: { templateId, contractKey, ...noop } };
    const plain = { exercise: { templateId, contractId, ...noop } };
    const prefetchContractKeys = [{ templateId, contractKey }];
    for (const message of [await faultOf(byKey), await faultOf(plain, { prefetchContractKeys })])
      expect(message).toContain(errorFor(contractId)[1]);
    grpc.close();
  });
});

it('several signatories act together', async () => {
  const both = { key: { maintainers: [alice, bob], amount: '1' }, data: '1' };
  expect(await api.submitRefusal(create(thing(first), both), { actAs: alice })).toBe(
    'DAML_AUTHORIZATION_ERROR',
  );
  const { events } = await api.transact(create(thing(first), both), { actAs: [alice, bob] });
  expect(events[0].CreatedEvent.signatories).toEqual([alice, bob].sort());
});
