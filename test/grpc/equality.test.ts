/**
 * Commands drawn at random, each sent over one transport or the other, and a sample of what the conformance suites do: whatever is read
 * afterwards, both tell the same, field by field.
 */
import * as fc from 'fast-check';
import { GrpcClient } from '../support/grpc-client.js';
import { expectSame } from '../support/grpc-json.js';
import {
  create,
  createAndExercise,
  eventFormat,
  exercise,
  updateFormat,
  wildcard,
  type Shape,
} from '../support/ledger-api.js';
import { agreements, agreementsPackage } from '../conformance/support/agreements.js';
import { conformance, conformancePackage } from '../conformance/support/model.js';
import { paint, paintPackage } from '../conformance/support/paint.js';
import { views, viewsPackage } from '../conformance/support/views.js';
import { key, keysPackage } from '../support/daml/keys-package.js';
import { check } from '../support/property.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({
  grpc: true,
  packages: [agreementsPackage, conformancePackage, keysPackage, paintPackage, viewsPackage],
});
let grpc: GrpcClient;
beforeAll(async () => (grpc = await GrpcClient.connect(api.canticle.urls.grpc!)));
afterAll(() => grpc.close());

type Fields = readonly (readonly [name: string, grpc: object, json: unknown])[];
interface Drawn {
  readonly entity: string;
  readonly fields: Fields;
  /** Exercised at once on what is created. */
  readonly choice?: { readonly name: string; readonly fields: Fields };
  readonly overGrpc: boolean;
  readonly actAs: number;
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((each) => !each.includes('\0'));
const int64 = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);

/** @param parties those that act, and others */
const command = (parties: readonly string[]): fc.Arbitrary<Drawn> =>
  fc
    .record({
      actAs: fc.nat(parties.length - 1),
      overGrpc: fc.boolean(),
      label: text,
      int64,
      note: fc.option(text),
    })
    .chain(({ actAs, overGrpc, label, int64: number, note }) => {
      const own = parties[actAs]!;
      const party = (name: string, id: string) => [name, { party: id }, id] as const;
      const common = { actAs, overGrpc };
      const noted = [
        'note',
        { optional: note === null ? {} : { value: { text: note } } },
        note,
      ] as const;
      return fc.constantFrom<Drawn>(
        { ...common, entity: 'Dummy', fields: [party('operator', own)] },
        {
          ...common,
          entity: 'Dummy',
          fields: [party('operator', own)],
          choice: { name: 'Clone', fields: [] },
        },
        {
          ...common,
          entity: 'WithParam',
          fields: [party('operator', own), ['number', { int64: number }, number], noted],
        },
        {
          ...common,
          entity: 'WithObservers',
          fields: [
            party('giver', own),
            [
              'observers',
              { list: { elements: parties.map((each) => ({ party: each })) } },
              parties,
            ],
          ],
        },
        {
          ...common,
          entity: 'Coin',
          fields: [party('owner', own), ['label', { text: label }, label]],
        },
      );
    });

const recordOf = (fields: Fields) => ({
  fields: fields.map(([label, value]) => ({ label, value })),
});
const jsonOf = (fields: Fields) => Object.fromEntries(fields.map(([name, , json]) => [name, json]));

function submit(drawn: Drawn, actAs: string, commandId: string): Promise<unknown> {
  const { entity, fields, choice } = drawn;
  const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: entity };
  const createArguments = recordOf(fields);
  if (drawn.overGrpc) {
    const one =
      choice === undefined
        ? { create: { templateId, createArguments } }
        : {
            createAndExercise: {
              templateId,
              createArguments,
              choice: choice.name,
              choiceArgument: { record: recordOf(choice.fields) },
            },
          };
    return grpc.call('CommandService/SubmitAndWait', {
      commands: { userId: 'app', commandId, actAs: [actAs], commands: [one] },
    });
  }
  const id = `#model-tests:Test:${entity}`;
  const one =
    choice === undefined
      ? create(id, jsonOf(fields))
      : createAndExercise(id, jsonOf(fields), choice.name, jsonOf(choice.fields));
  return api.submit(one, { actAs, commandId, userId: 'app' });
}

const wildcards = (parties: readonly string[]) => ({
  filtersByParty: Object.fromEntries(
    parties.map((party) => [
      party,
      { cumulative: [{ wildcardFilter: { includeCreatedEventBlob: true } }] },
    ]),
  ),
  verbose: true,
});

const get = async (path: string) => (await api.client.ledger('GET', path)).body;

let run = 0;
it('reads the same over both transports, whatever was submitted over which', () =>
  check(
    fc.asyncProperty(fc.nat(), async (seed) => {
      run += 1;
      const parties = await api.parties(`a${run}`, `b${run}`);
      const drawn = fc.sample(command(parties), { numRuns: 4, seed });
      const begin = await api.ledgerEnd();
      for (const [index, each] of drawn.entries())
        await submit(each, parties[each.actAs]!, `run ${run} command ${index}`);
      await everyReadIsTheSame(parties, begin);
    }),
    { numRuns: 4 },
  ));

async function everyReadIsTheSame(
  parties: readonly string[],
  begin: number,
  wanted = 4,
): Promise<void> {
  const end = await api.ledgerEnd();
  expectSame(await grpc.call('StateService/GetLedgerEnd'), { offset: end });
  const [format, jsonFormat] = [wildcards(parties), eventFormat(parties, wildcard(true))];
  const range = { beginExclusive: String(begin), endInclusive: String(end) };
  for (const shape of ['ACS_DELTA', 'LEDGER_EFFECTS'] satisfies Shape[]) {
    const includeTransactions = {
      eventFormat: format,
      transactionShape: `TRANSACTION_SHAPE_${shape}`,
    };
    const updates = await grpc.stream('UpdateService/GetUpdates', {
      ...range,
      updateFormat: { includeTransactions },
    });
    const asJson = updateFormat(shape, jsonFormat);
    const overJson = (await api.updates(asJson, { beginExclusive: begin })).map(
      (update: object) => ({ update }),
    );
    expectSame(updates, overJson);
    const [first] = updates;
    const byOffset = { offset: first.transaction.offset, updateFormat: { includeTransactions } };
    expectSame(await grpc.call('UpdateService/GetUpdateByOffset', byOffset), {
      update: overJson[0]!.update,
    });
  }
  const acs = await grpc.stream('StateService/GetActiveContracts', {
    activeAtOffset: String(end),
    eventFormat: format,
  });
  const untold = (each: object) => ({ ...each, streamContinuationToken: '' });
  expectSame(acs.map(untold), (await api.acs(jsonFormat)).map(untold));
  const { contractId } = acs[0].activeContract.createdEvent;
  expectSame(
    await grpc.call('EventQueryService/GetEventsByContractId', { contractId, eventFormat: format }),
    await api.ok('/v2/events/events-by-contract-id', { contractId, eventFormat: jsonFormat }),
  );
  const completions = { userId: 'app', parties: [...parties], beginExclusive: begin };
  expectSame(
    await grpc.stream('CommandCompletionService/CompletionStream', completions, { take: wanted }),
    (await api.ok(`/v2/commands/completions?limit=${wanted}`, completions)).map(
      ({ completionResponse }: any) => ({ completion: completionResponse.Completion.value }),
    ),
  );
  const party = parties[0]!;
  expectSame(
    await grpc.call('admin.PartyManagementService/GetParties', { parties: [party] }),
    await get(`/v2/parties/${encodeURIComponent(party)}`),
  );
}

/** Of the conformance suites, what they do with their packages: the parties are new, and the first acts. */
const SAMPLES: readonly [suites: string, commands: (own: string, other: string) => object[]][] = [
  [
    'interfaces and their subscriptions',
    (own) => [1, 2, 3, 4].map((at) => create(views(`T${at}`), { p: own, a: String(at) })),
  ],
  [
    'contract keys',
    (own, other) => [
      create(key('Account'), { owner: own, number: '1', readers: [other] }),
      create(key('Badge'), { owner: own }),
    ],
  ],
  [
    'outputs and arguments',
    (own) => [
      create(agreements('TrailingNones'), { owner: own, nonOpt: 'some', opt: null }),
      createAndExercise(
        agreements('TrailingNones'),
        { owner: own, nonOpt: 'some', opt: 'more' },
        'ExerciseChoice',
        { nonOpt: 'n', opt: 'o' },
      ),
      createAndExercise(agreements('CreateAndFetch'), { party: own }, 'CreateAndFetch_Run'),
    ],
  ],
  [
    'semantics and divulgence',
    (own, other) => [
      create(paint('Iou'), { payer: own, owner: other, amount: '1.0' }),
      create(paint('Shared'), { payer: own, owner1: own, owner2: other }),
    ],
  ],
  [
    'interfaces exercised',
    (own) => [
      create(conformance('Shape'), { owner: own }),
      createAndExercise(conformance('Shape'), { owner: own }, 'Turn'),
    ],
  ],
];

it.each(SAMPLES)('reads the same over both of %s', async (suites, commands) => {
  const [own, other] = await api.parties('own', 'other');
  const begin = await api.ledgerEnd();
  const all = commands(own!, other!);
  for (const [index, each] of all.entries())
    await api.submit(each, { actAs: own!, commandId: `${suites} ${index}`, userId: 'app' });
  const [first] = await api.active(eventFormat([own!], wildcard()));
  if (suites.startsWith('interfaces and'))
    await api.submit(exercise(views('T1'), first.contractId, 'Archive'), {
      actAs: own!,
      commandId: 'archive',
      userId: 'app',
    });
  await everyReadIsTheSame([own!, other!], begin, all.length);
});

it('tells the same of packages and users', async () => {
  expectSame(await grpc.call('PackageService/ListPackages'), await get('/v2/packages'));
  expectSame(
    await grpc.call('PackageService/ListVettedPackages'),
    await api.ok('/v2/package-vetting/list', {}),
  );
  const rights = [{ canReadAsAnyParty: {} }];
  await grpc.call('admin.UserManagementService/CreateUser', { user: { id: 'ann' }, rights });
  expectSame(
    await grpc.call('admin.UserManagementService/GetUser', { userId: 'ann' }),
    await get('/v2/users/ann'),
  );
  expectSame(
    await grpc.call('admin.UserManagementService/ListUsers', { pageSize: 10 }),
    await get('/v2/users?pageSize=10'),
  );
});
