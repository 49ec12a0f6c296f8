/** A whole workflow over gRPC, by a client that uses reflection only. JSON gives the same answers. */
import { startCanticle, type Canticle } from 'canticle';
import { zipOf } from '../support/daml/dar-builder.js';
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';
import { expectSame } from '../support/grpc/json.js';
import { onboard, sign } from '../network/external/external-party.js';
import { create, eventFormat, updateFormat, wildcard } from '../support/ledger-api.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
let grpc: GrpcClient;
beforeAll(async () => (grpc = await GrpcClient.connect(api.canticle.urls.grpc!)));
afterAll(() => grpc.close());

const test = (entityName: string) => ({
  packageId: '#model-tests',
  moduleName: 'Test',
  entityName,
});
const dummy = (operator: string) => ({
  create: {
    templateId: test('Dummy'),
    createArguments: { fields: [{ label: 'operator', value: { party: operator } }] },
  },
});
const commands = (actAs: string, command: object, commandId = 'c') => ({
  commands: { userId: 'app', commandId, actAs: [actAs], commands: [command] },
});
const formatFor = (party: string) => ({
  filtersByParty: {
    [party]: { cumulative: [{ wildcardFilter: { includeCreatedEventBlob: true } }] },
  },
  verbose: true,
});
const refusal = (attempt: Promise<unknown>): Promise<GrpcFault> =>
  attempt.then(
    () => Promise.reject(new Error('It was not refused.')),
    (fault: GrpcFault) => fault,
  );

it('allocates a party, submits and reads, and JSON returns the same data', async () => {
  const { partyDetails } = await grpc.call('admin.PartyManagementService/AllocateParty', {
    partyIdHint: 'alice',
  });
  const alice = partyDetails.party as string;
  const format = formatFor(alice);
  const jsonFormat = eventFormat([alice], wildcard(true));
  const { transaction } = await grpc.call(
    'CommandService/SubmitAndWaitForTransaction',
    commands(alice, dummy(alice)),
  );
  const { offset } = await grpc.call('StateService/GetLedgerEnd');
  expect(transaction).toMatchObject({ commandId: 'c', offset });
  const contractId = transaction.events[0].created.contractId;
  const consume = {
    exercise: {
      templateId: test('Dummy'),
      contractId,
      choice: 'Clone',
      choiceArgument: { record: {} },
    },
  };
  await grpc.call('CommandService/SubmitAndWait', commands(alice, consume, 'd'));

  const updates = await grpc.stream('UpdateService/GetUpdates', {
    endInclusive: String(await api.ledgerEnd()),
    updateFormat: {
      includeTransactions: {
        eventFormat: format,
        transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
      },
    },
  });
  expect(updates).toHaveLength(2);
  expectSame(
    updates,
    (await api.updates(updateFormat('LEDGER_EFFECTS', jsonFormat))).map((update: object) => ({
      update,
    })),
  );
  const acs = await grpc.stream('StateService/GetActiveContracts', {
    activeAtOffset: String(await api.ledgerEnd()),
    eventFormat: format,
  });
  expect(acs).toHaveLength(2);
  const withoutToken = (each: object) => ({ ...each, streamContinuationToken: '' });
  expectSame(acs.map(withoutToken), (await api.acs(jsonFormat)).map(withoutToken));
  expectSame(
    await grpc.call('EventQueryService/GetEventsByContractId', { contractId, eventFormat: format }),
    await api.ok('/v2/events/events-by-contract-id', { contractId, eventFormat: jsonFormat }),
  );
  const completions = { userId: 'app', parties: [alice], beginExclusive: 0 };
  expectSame(
    await grpc.stream('CommandCompletionService/CompletionStream', completions, { take: 2 }),
    (await api.ok('/v2/commands/completions?limit=2', completions)).map(
      ({ completionResponse }: any) => ({ completion: completionResponse.Completion.value }),
    ),
  );
});

it('streams later updates to several clients, and ends when they cancel', async () => {
  const [bob] = await api.parties('bob');
  const request = {
    beginExclusive: String(await api.ledgerEnd()),
    updateFormat: {
      includeTransactions: {
        eventFormat: formatFor(bob),
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  };
  const readers = [1, 2, 3].map(() =>
    grpc.stream('UpdateService/GetUpdates', request, { take: 2 }),
  );
  for (const commandId of ['1', '2'])
    await api.submit(create('#model-tests:Test:Dummy', { operator: bob }), {
      actAs: bob,
      commandId,
    });
  for (const each of await Promise.all(readers))
    expect(each.map(({ transaction }) => transaction.commandId)).toEqual(['1', '2']);
});

it('includes field names if the format requests them, or is missing', async () => {
  const [carol] = await api.parties('carol');
  const named = await grpc.call(
    'CommandService/SubmitAndWaitForTransaction',
    commands(carol, dummy(carol), 'named'),
  );
  expect(named.transaction.events[0].created.createArguments).toMatchObject({
    fields: [{ label: 'operator', value: { party: carol } }],
  });
  const [event] = await grpc
    .call('CommandService/SubmitAndWaitForTransaction', {
      ...commands(carol, dummy(carol)),
      transactionFormat: {
        eventFormat: { ...formatFor(carol), verbose: false },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    })
    .then(({ transaction }) => transaction.events);
  expect(event.created.createArguments).toEqual({
    fields: [{ label: '', value: { party: carol } }],
  });
});

it('returns the completions of commands', async () => {
  const [erin] = await api.parties('erin');
  const path = 'admin.CommandInspectionService/GetCommandStatus';
  const statusOf = (request: object) =>
    grpc.call(path, { commandIdPrefix: 'status-', limit: 10, ...request });
  await grpc.call('CommandService/SubmitAndWait', commands(erin, dummy(erin), 'status-1'));
  await grpc
    .call('CommandService/SubmitAndWait', commands(erin, dummy(erin), 'status-1'))
    .catch(() => undefined);
  const state = 'COMMAND_STATE_SUCCEEDED';
  const { commandStatus } = await statusOf({ state });
  expect(commandStatus).toMatchObject([
    {
      state,
      // The status omits the acting parties and the synchronizer of a command.
      completion: { commandId: 'status-1', actAs: [], userId: 'app' },
      updates: { created: [{ templateId: { entityName: 'Dummy' } }], exercised: 0 },
      synchronizerId: '',
    },
  ]);
  expect(await statusOf({ state, limit: 0 })).toEqual({ commandStatus: [] });
  // Reflection does not describe the messages of error details.
  const all = await grpc.raw(
    path,
    grpc.written(grpc.method(path), { commandIdPrefix: 'status-', limit: 10 }),
  );
  expect(all.toString('latin1')).toContain('DUPLICATE_COMMAND');
  expect(await statusOf({ state: 'COMMAND_STATE_PENDING' })).toEqual({ commandStatus: [] });
  expect(await refusal(statusOf({ commandIdPrefix: '!' }))).toMatchObject({ code: 3 });
});

describe('errors', () => {
  it('have the status and details of a participant', async () => {
    const [dora] = await api.parties('dora');
    await grpc.call('CommandService/SubmitAndWait', commands(dora, dummy(dora)));
    const fault = await refusal(
      grpc.call('CommandService/SubmitAndWait', commands(dora, dummy(dora))),
    );
    expect(fault).toMatchObject({
      code: 6,
      message: expect.stringMatching(/^DUPLICATE_COMMAND\(10,\w{1,8}\): /),
      details: {
        ErrorInfo: {
          reason: 'DUPLICATE_COMMAND',
          metadata: { category: '10', definite_answer: 'true', participant: 'sandbox' },
        },
        RequestInfo: expect.any(String),
      },
    });
    const gone = await refusal(
      grpc.call('EventQueryService/GetEventsByContractId', {
        contractId: `00${'ab'.repeat(32)}`,
        eventFormat: formatFor(dora),
      }),
    );
    expect(gone.details['ResourceInfo']).toEqual(['CONTRACT_ID', `00${'ab'.repeat(32)}`]);
    expect(gone.code).toBe(5);
  });

  it.each([
    ['CommandService/SubmitAndWait', {}, 3, 'INVALID_TOKEN'],
    ['UpdateService/GetUpdates', { beginExclusive: '-1' }, 3, 'NEGATIVE_OFFSET'],
    ['UpdateService/GetUpdates', {}, 3, 'MISSING_FIELD'],
    ['StateService/GetActiveContracts', { eventFormat: {} }, 3, 'INVALID_ARGUMENT'],
    ['EventQueryService/GetEventsByContractId', {}, 3, 'MISSING_FIELD'],
  ])('%s %j is rejected', async (path, request, code, reason) => {
    const attempt =
      path.includes('Get') && !path.startsWith('Event')
        ? grpc.stream(path, request)
        : grpc.call(path, request);
    const fault = await refusal(attempt);
    expect([fault.code, fault.details['ErrorInfo']?.reason]).toEqual([code, reason]);
  });

  it('include INVALID_DAR', async () => {
    const darFile = Buffer.from(zipOf({ 'a.txt': 'a' })).toString('base64');
    const fault = await refusal(
      grpc.call('admin.PackageManagementService/UploadDarFile', { darFile }),
    );
    expect(fault.details['ErrorInfo'].reason).toBe('INVALID_DAR');
  });
});

it('returns the signed hash as 32 bytes, which JSON returns as hexadecimal text (B-GRPC-006)', async () => {
  const signer = await onboard(api, 'signer');
  const { updateId, externalTransactionHash } = (
    await sign(api, create('#model-tests:Test:Dummy', { operator: signer.party }), signer)
  ).transaction;
  expect(externalTransactionHash).toMatch(/^[0-9a-f]{64}$/);
  const { transaction } = await grpc.call('UpdateService/GetUpdateById', {
    updateId,
    updateFormat: {
      includeTransactions: {
        eventFormat: formatFor(signer.party),
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  });
  const bytes = Buffer.from(transaction.externalTransactionHash, 'base64');
  expect(bytes.toString('hex')).toBe(externalTransactionHash);
});

it('returns the health of its components (B-GRPC-023)', async () => {
  const check = (service: string) => grpc.call('grpc.health.v1.Health/Check', { service });
  for (const component of ['', 'write', 'indexer', 'index'])
    expect(await check(component)).toEqual({ status: 'SERVING' });
  const unknown = { code: 5, message: 'Component nobody does not exist.' };
  expect(await refusal(check('nobody'))).toMatchObject(unknown);
  expect(
    await refusal(grpc.stream('grpc.health.v1.Health/Watch', { service: 'nobody' })),
  ).toMatchObject(unknown);
});

describe('server reflection', () => {
  const reflect = async (port: GrpcClient, request: object): Promise<string> => {
    const path = 'grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const [answer] = (await port.stream(path, request)) as any[];
    return answer.errorResponse?.errorMessage ?? 'known';
  };
  let admin: GrpcClient;
  let ledger: GrpcClient;
  let canticle: Canticle;
  beforeAll(async () => {
    canticle = await startCanticle({ grpc: { adminApiPort: 0 } });
    admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
    ledger = await GrpcClient.connect(canticle.urls.grpc!);
  });
  afterAll(async () => {
    for (const each of [admin, ledger]) each.close();
    await canticle.close();
  });

  const API = 'com.daml.ledger.api.v2.';
  it.each([
    [`${API}StateService`, 'known'],
    [`${API}StateService.GetLedgerEnd`, 'known'],
    [`${API}GetLedgerEndResponse`, 'known'],
    ['google.protobuf.Timestamp', 'known'],
    [`${API}StateService.Nothing`, 'Symbol not found.'],
    [`${API}GetLedgerEndResponse.offset`, 'Symbol not found.'],
    [`${API}TransactionShape`, 'Symbol not found.'],
    ['com.digitalasset.canton.topology.admin.v30.BaseQuery', 'Symbol not found.'],
  ])('finds the symbol %s (B-GRPC-023)', async (fileContainingSymbol, answer) => {
    expect(await reflect(ledger, { fileContainingSymbol })).toBe(answer);
  });

  it('finds only files of the services on the port (B-GRPC-023)', async () => {
    const fileByFilename = 'com/daml/ledger/api/v2/state_service.proto';
    expect(await reflect(ledger, { fileByFilename })).toBe('known');
    expect(await reflect(admin, { fileByFilename })).toBe('File not found.');
  });
});
