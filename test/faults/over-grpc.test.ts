/** Faults over gRPC: by the same ids of operations, with gRPC statuses. */
import type { OperationId } from 'canticle';
import { model } from '../support/daml/model-package.js';
import { GrpcClient } from '../support/grpc/client.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ seed: 4, grpc: { adminApiPort: 0 } });
const { canticle } = api;
const [alice] = useParties(api, 'alice');
const DUMMY = model('Dummy');
const UNAVAILABLE = 14;
const ABORTED = 10;

let grpc: GrpcClient;
beforeAll(async () => {
  grpc = await GrpcClient.connect(canticle.urls.grpc!);
});
afterAll(() => grpc.close());

const create = (commandId: string) => ({
  commands: {
    userId: 'tester',
    commandId,
    actAs: [alice],
    commands: [
      {
        create: {
          templateId: { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' },
          createArguments: { fields: [{ label: 'operator', value: { party: alice } }] },
        },
      },
    ],
  },
});
const submit = (commandId: string) => grpc.call('CommandService/SubmitAndWait', create(commandId));
const refusal = (pending: Promise<unknown>): Promise<{ code: number; details: any }> =>
  pending.then(
    () => ({ code: 0, details: {} }),
    (fault: { code: number; details: any }) => fault,
  );
const active = () => canticle.participant.activeContracts({ template: DUMMY }).length;
const OPERATION = 'postV2CommandsSubmit-and-wait';

it('loses a request before its execution, and an answer after it', async () => {
  const when = { template: 'Test:Dummy', party: 'alice', times: 1 };
  const request = canticle.faults.add({ on: OPERATION, when, do: { lose: 'request', as: 502 } });
  expect([(await refusal(submit('one'))).code, active()]).toEqual([UNAVAILABLE, 0]);
  expect(canticle.requests.list().at(-1)).toMatchObject({
    method: 'GRPC',
    outcome: 'refused',
    faults: [{ id: request.id, fault: 'lose: request, as: 502' }],
  });
  canticle.faults.add({ on: OPERATION, when: { commandId: 'two' }, do: { lose: 'answer' } });
  expect([(await refusal(submit('two'))).code, active()]).toEqual([UNAVAILABLE, 1]);
  await submit('three');
});

it('a participant refuses a request, at once or after sequencing, with the error details', async () => {
  canticle.faults.add({
    on: OPERATION,
    when: { times: 1 },
    do: { refuse: 'PARTICIPANT_BACKPRESSURE' },
  });
  const { code, details } = await refusal(submit('one'));
  expect([code, details.ErrorInfo?.reason]).toEqual([ABORTED, 'PARTICIPANT_BACKPRESSURE']);
  expect(Object.keys(details)).toContain('RetryInfo');
  canticle.faults.add({
    on: OPERATION,
    when: { times: 1 },
    do: { reject: 'NOT_SEQUENCED_TIMEOUT' },
  });
  expect((await refusal(submit('one'))).code).toBe(ABORTED);
  await submit('one');
});

it('ends a stream after the given number of elements', async () => {
  for (const id of ['one', 'two', 'three']) await submit(id);
  const rule = canticle.faults.add({ on: 'postV2Updates', do: { cut: 2 } });
  const request = {
    beginExclusive: '0',
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty: { [alice]: { cumulative: [{ wildcardFilter: {} }] } } },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  };
  expect((await refusal(grpc.stream('UpdateService/GetUpdates', request, { take: 3 }))).code).toBe(
    UNAVAILABLE,
  );
  expect(rule.hits).toBe(1);
  rule.remove();
  expect(await grpc.stream('UpdateService/GetUpdates', request, { take: 3 })).toHaveLength(3);
});

it.each([
  ['CommandInspectionService/GetCommandStatus', 'admin.CommandInspectionService/GetCommandStatus'],
  [
    'PackageManagementService/ListKnownPackages',
    'admin.PackageManagementService/ListKnownPackages',
  ],
  ['ParticipantPruningService/Prune', 'admin.ParticipantPruningService/Prune'],
  [
    'PartyManagementService/UpdatePartyIdentityProviderId',
    'admin.PartyManagementService/UpdatePartyIdentityProviderId',
  ],
  ['TimeService/GetTime', 'testing.TimeService/GetTime'],
  ['TimeService/SetTime', 'testing.TimeService/SetTime'],
])('%s, which JSON lacks, matches rules with its gRPC name', async (on, method) => {
  const rule = canticle.faults.add({ on: on as OperationId, do: { lose: 'request' } });
  expect([(await refusal(grpc.call(method))).code, rule.hits]).toEqual([UNAVAILABLE, 1]);
});

it('a restart disconnects a client that waits for an answer, and its request is executed', async () => {
  canticle.pauseSynchronizer();
  const pending = refusal(submit('one'));
  while (canticle.network.inFlight.size < 1) await new Promise(setImmediate);
  canticle.faults.restart('sandbox');
  expect((await pending).code).toBe(UNAVAILABLE);
  canticle.resumeSynchronizer();
  expect(active()).toBe(1);
});

describe('the admin API', () => {
  const LIST = 'com.digitalasset.canton.admin.participant.v30.PackageService/ListPackages';
  const PING = 'com.digitalasset.canton.admin.participant.v30.PingService/Ping';
  let admin: GrpcClient;
  beforeAll(async () => {
    admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
  });
  afterAll(() => admin.close());
  const entry = () => canticle.requests.list({ api: 'admin' }).at(-1);

  it("refuses, delays or loses an answer by a rule with the method's name", async () => {
    const on = 'PackageService/ListPackages';
    const list = () => admin.call(LIST, { limit: 10 });
    expect((await list()).packageDescriptions.length).toBeGreaterThan(0);
    expect(entry()).toMatchObject({
      operation: on,
      outcome: 'answered',
      status: 0,
      path: `/${LIST}`,
    });
    canticle.faults.add({ on, when: { times: 1 }, do: { refuse: 'PARTICIPANT_BACKPRESSURE' } });
    const { code, details } = await refusal(list());
    expect([code, details.ErrorInfo?.reason]).toEqual([ABORTED, 'PARTICIPANT_BACKPRESSURE']);
    const { id } = canticle.faults.add({ on, when: { times: 1 }, do: { lose: 'answer', as: 504 } });
    expect((await refusal(list())).code).toBe(UNAVAILABLE);
    expect(entry()!.faults).toEqual([{ id, fault: 'lose: answer, as: 504' }]);
    canticle.faults.add({ on, when: { times: 1 }, do: { delay: 1 } });
    expect((await list()).packageDescriptions.length).toBeGreaterThan(0);
  });

  it('its own errors appear in the journal', async () => {
    expect((await refusal(admin.call(PING, {}))).code).not.toBe(0);
    expect(entry()).toMatchObject({ outcome: 'refused', error: 'PROTO_DESERIALIZATION_FAILURE' });
  });

  it('an error about an unknown name suggests the nearest one', () => {
    const rule = { on: 'PackageService/ListDarss', do: { lose: 'request' } } as const;
    // @ts-expect-error there is no such operation
    expect(() => canticle.faults.add(rule)).toThrow(/PackageService\/ListDars/);
  });
});
