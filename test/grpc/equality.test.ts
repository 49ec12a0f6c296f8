/**
 * Commands drawn at random, each sent over one transport or the other: whatever is read afterwards, both tell the same, field by field.
 * A sample of each conformance suite is held to the same where the suite is.
 */
import * as fc from 'fast-check';
import { GrpcClient } from '../support/grpc/client.js';
import { expectReadsTheSame } from '../support/both-transports.js';
import { expectSame } from '../support/grpc/json.js';
import { create, createAndExercise } from '../support/ledger-api.js';
import { check } from '../support/property.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
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

const get = async (path: string) => (await api.client.ledger('GET', path)).body;

let run = 0;
it('returns the same results over both transports, for a submission over either', () =>
  check(
    fc.asyncProperty(fc.nat(), async (seed) => {
      run += 1;
      const parties = await api.parties(`a${run}`, `b${run}`);
      const drawn = fc.sample(command(parties), { numRuns: 4, seed });
      const begin = await api.ledgerEnd();
      for (const [index, each] of drawn.entries())
        await submit(each, parties[each.actAs]!, `run ${run} command ${index}`);
      await expectReadsTheSame(api, grpc, parties, begin);
    }),
    { numRuns: 4 },
  ));

it('returns the same packages and users over both transports', async () => {
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
