/** The answers of a participant on one of two synchronizers about both, and about another participant. */
import { startCanticle, type Canticle } from 'canticle';
import { modelPackage } from '../../support/daml/model-package.js';
import { create } from '../../support/ledger-api.js';
import { GrpcClient } from '../../support/grpc/client.js';

const READ = 'com.digitalasset.canton.topology.admin.v30.TopologyManagerReadService/';
const PRUNING = 'com.digitalasset.canton.admin.participant.v30.PruningService/';
const STATUS = 'admin.CommandInspectionService/GetCommandStatus';

let canticle: Canticle;
const open: GrpcClient[] = [];
let one: GrpcClient;
let two: GrpcClient;
let first: string;
let second: string;

async function connect(url: string): Promise<GrpcClient> {
  const client = await GrpcClient.connect(url);
  open.push(client);
  return client;
}

beforeAll(async () => {
  canticle = await startCanticle({
    packages: [modelPackage],
    synchronizers: [{ alias: 'first' }, { alias: 'second' }],
    participants: [{ name: 'one', synchronizers: ['first'] }, { name: 'two' }],
    grpc: { adminApiPort: 0 },
  });
  [one, two] = [
    await connect(canticle.grpcAdminApis['one']!),
    await connect(canticle.grpcAdminApis['two']!),
  ];
  [first, second] = canticle.network.synchronizers.map(({ id }) => id) as [string, string];
});
afterAll(async () => {
  for (const client of open) client.close();
  await canticle.close();
});

it('has no topology store of a synchronizer without a connection', async () => {
  const stores = async (client: GrpcClient) => {
    const { storeIds } = await client.call(`${READ}ListAvailableStores`);
    return storeIds.flatMap(({ synchronizer }: any) => synchronizer ?? []);
  };
  expect(await stores(two)).toHaveLength(2);
  expect(await stores(one)).toHaveLength(1);
  const list = (id: string) =>
    one.call(`${READ}ListNamespaceDelegation`, {
      baseQuery: { store: { synchronizer: { id } }, headState: {} },
    });
  expect((await list(first)).results).not.toEqual([]);
  await expect(list(second)).rejects.toMatchObject({
    details: { ErrorInfo: { reason: 'TOPOLOGY_STORE_NOT_FOUND' } },
  });
});

it('waits for commitments of other participants on its synchronizers, unless configured not to', async () => {
  const [own, other] = canticle.network.participants.map(({ id }) => `PAR::${id}`) as [
    string,
    string,
  ];
  const participantsOf = async (client: GrpcClient, request: object = {}) => {
    const answer = await client.call(`${PRUNING}GetNoWaitCommitmentsFrom`, request);
    return [answer.ignoredParticipants, answer.notIgnoredParticipants];
  };
  const onFirst = (counterParticipantUid: string) => [
    { counterParticipantUid, synchronizers: { synchronizerIds: [first] } },
  ];
  expect(await participantsOf(one)).toEqual([[], onFirst(other)]);
  expect(await participantsOf(two)).toEqual([[], onFirst(own)]);
  expect(await participantsOf(one, { synchronizerIds: [second] })).toEqual([[], []]);
  expect(await participantsOf(one, { participantUids: [own] })).toEqual([[], []]);
  await one.call(`${PRUNING}SetNoWaitCommitmentsFrom`, {
    counterParticipantIds: [other],
    synchronizerIds: [first],
  });
  expect(await participantsOf(one)).toEqual([onFirst(other), []]);
  expect(await participantsOf(two)).toEqual([[], onFirst(own)]);
});

it('counts only its own commands in flight', async () => {
  const pending = async (name: string) => {
    const ledger = await connect(canticle.grpcApis[name]!);
    const { commandStatus } = await ledger.call(STATUS, { commandIdPrefix: 'of-', limit: 10 });
    return commandStatus.map(({ state, completion }: any) => [state, completion.commandId]);
  };
  const operators = canticle.participants.map((view) => view.allocateParty('operator'));
  canticle.pauseSynchronizer('first');
  for (const [index, name] of ['one', 'two'].entries()) {
    const operator = operators[index]!;
    await canticle.handle({
      path: `/participants/${name}/v2/commands/async/submit`,
      body: {
        ...{ commandId: `of-${name}`, userId: 'tester', actAs: [operator], synchronizerId: first },
        commands: [create('#model-tests:Test:Dummy', { operator })],
      },
    });
  }
  for (const name of ['one', 'two'])
    expect(await pending(name)).toEqual([['COMMAND_STATE_PENDING', `of-${name}`]]);
  canticle.resumeSynchronizer('first');
  for (const name of ['one', 'two'])
    expect(await pending(name)).toEqual([['COMMAND_STATE_SUCCEEDED', `of-${name}`]]);
});
