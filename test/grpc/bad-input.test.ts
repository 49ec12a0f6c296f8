/** Invalid and incomplete calls: bytes over bare HTTP/2, and clients that leave or never read. */
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { GrpcClient, type GrpcFault } from '../support/grpc/client.js';
import { create } from '../support/ledger-api.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
let grpc: GrpcClient;
let session: ClientHttp2Session;
beforeAll(async () => {
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  session = connect(`http://${api.canticle.urls.grpc!}`);
});
afterAll(() => {
  grpc.close();
  session.destroy();
});

const V2 = '/com.daml.ledger.api.v2.';
const LEDGER_END = `${V2}StateService/GetLedgerEnd`;

interface Ending {
  readonly http?: number;
  readonly status?: string;
  readonly message?: string;
  readonly rst?: number;
}

/** Sends bytes as they are, and tells how the call ends. */
function ending(
  path: string,
  bytes: Uint8Array,
  headers: IncomingHttpHeaders = {},
): Promise<Ending> {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  let received: IncomingHttpHeaders = {};
  stream.on('response', (given) => (received = { ...received, ...given }));
  stream.on('trailers', (given) => (received = { ...received, ...given }));
  stream.on('error', () => undefined);
  stream.resume();
  stream.end(bytes);
  return new Promise((resolve) =>
    stream.on('close', () => {
      const message = received['grpc-message'];
      resolve({
        http: Number(received[':status']),
        ...(received['grpc-status'] !== undefined && { status: String(received['grpc-status']) }),
        ...(message !== undefined && { message: decodeURIComponent(String(message)) }),
        ...(stream.rstCode !== constants.NGHTTP2_NO_ERROR && { rst: stream.rstCode }),
      });
    }),
  );
}

const frame = (message: Uint8Array, flag = 0, length = message.length): Buffer => {
  const head = Buffer.from([flag, 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
};
const bytes = (...values: number[]): Buffer => Buffer.from(values);
const REDACTED = {
  status: '13',
  message:
    'An error occurred. Please contact the operator and inquire about the request <no-correlation-id> with tid <no-tid>',
};
const UNREADABLE = { status: '2', message: 'Application error processing RPC' };

it.each<[string, Buffer, IncomingHttpHeaders, Ending]>([
  ['an empty message', frame(bytes()), {}, { status: '0' }],
  ['unknown fields', frame(bytes(0xf8, 0x3f, 1)), {}, { status: '0' }],
  [
    'a truncated frame header',
    bytes(0, 0, 0),
    {},
    { status: '13', message: 'Encountered end-of-stream mid-frame' },
  ],
  [
    'a truncated message',
    frame(bytes(1), 0, 9),
    {},
    { status: '13', message: 'Encountered end-of-stream mid-frame' },
  ],
  ['nothing at all (B-GRPC-021)', bytes(), {}, REDACTED],
  ['two messages (B-GRPC-021)', Buffer.concat([frame(bytes()), frame(bytes())]), {}, REDACTED],
  [
    'a message of 4 GiB',
    frame(bytes(), 0, 0xffffffff),
    {},
    { status: '8', message: 'gRPC message exceeds maximum size 10485760: 4294967295' },
  ],
  [
    'compressed without a declared encoding',
    frame(bytes(), 1),
    {},
    { status: '13', message: "Can't decode compressed gRPC message as compression not configured" },
  ],
  ['invalid gzip', frame(bytes(1, 2), 1), { 'grpc-encoding': 'gzip' }, { status: '2' }],
  [
    'a frame with an unknown flag',
    frame(bytes(1), 2),
    {},
    { status: '13', message: 'gRPC frame header malformed: reserved bits not zero' },
  ],
  [
    'in an unknown encoding',
    frame(bytes()),
    { 'grpc-encoding': 'snappy' },
    { status: '12', message: "Can't find decompressor for snappy" },
  ],
  ['a group end without a start', frame(bytes(0x0c)), {}, { status: '0' }],
  ['a field with the number 0', frame(bytes(0)), {}, UNREADABLE],
  ['a truncated field', frame(bytes(0x0a, 9)), {}, UNREADABLE],
])('answers a request that is %s', async (_, sent, headers, expected) => {
  expect(await ending(LEDGER_END, sent, headers)).toMatchObject({ http: 200, ...expected });
});

it('rejects invalid UTF-8, in a text and in a Daml value', async () => {
  const update = `${V2}UpdateService/GetUpdateById`;
  expect(await ending(update, frame(bytes(0x0a, 1, 0xff)))).toMatchObject(UNREADABLE);
  const [alice] = await api.parties('alice');
  const method = grpc.method('CommandService/SubmitAndWait');
  const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
  const createArguments = { fields: [{ label: 'XXXX', value: { party: alice! } }] };
  const commands = [{ create: { templateId, createArguments } }];
  const sent = grpc.written(method, {
    commands: { userId: 'u', commandId: 'c', actAs: [alice!], commands },
  });
  sent[sent.indexOf('XXXX')] = 0xff;
  await expect(grpc.raw('CommandService/SubmitAndWait', sent)).rejects.toMatchObject({ code: 2 });
});

it('names an unknown method, and rejects browser requests', async () => {
  expect(await ending('/a.B/C', frame(bytes()))).toMatchObject({
    status: '12',
    message: 'Method not found: a.B/C',
  });
});

it('answers requests other than gRPC with a plain text (B-GRPC-022)', async () => {
  const plain = { 'content-type': 'application/json' };
  expect(await ending(LEDGER_END, frame(bytes()), plain)).toEqual({
    http: 415,
    status: '13',
    message: "Content-Type 'application/json' is not supported",
  });
  expect(await ending(LEDGER_END, bytes(), { ':method': 'PUT' })).toEqual({
    http: 405,
    status: '13',
    message: "Method 'PUT' is not supported",
  });
});

it('rejects more than 8 KiB of metadata, and resets the call above 16 KiB (B-GRPC-022)', async () => {
  const sized = (length: number) =>
    ending(LEDGER_END, frame(bytes()), { authorization: `Bearer ${'x'.repeat(length)}` });
  expect(await sized(7000)).toEqual({ http: 200, status: '0' });
  for (const length of [8100, 12_000]) expect(await sized(length)).toEqual({ http: 431 });
  for (const length of [16_300, 60_000])
    expect(await sized(length)).toMatchObject({ rst: constants.NGHTTP2_PROTOCOL_ERROR });
});

describe('the timeout of a call (B-GRPC-020)', () => {
  const after = (timeout: string) =>
    ending(LEDGER_END, frame(bytes()), { 'grpc-timeout': timeout });

  it.each(['1n', '999u', '0S', '-1S'])(
    '%s expires at once: the stream is reset',
    async (timeout) => {
      const { rst, status } = await after(timeout);
      expect([rst, status]).toEqual([constants.NGHTTP2_CANCEL, undefined]);
    },
  );

  it.each(['x', '1', '123456789S', '1.5S'])(
    '%s is invalid: the stream is reset with an error',
    async (timeout) => {
      const { rst, status } = await after(timeout);
      expect([rst, status]).toEqual([constants.NGHTTP2_INTERNAL_ERROR, undefined]);
    },
  );

  it.each(['5S', '+5S', '99999999H'])('%s is long enough for an answer', async (timeout) => {
    expect(await after(timeout)).toEqual({ http: 200, status: '0' });
  });

  it('commits nothing if it expires before the submission starts', async () => {
    const [alice] = await api.parties('alice');
    const { log } = api.canticle.network.participants[0]!;
    const before = log.end;
    const createArguments = { fields: [{ label: 'operator', value: { party: alice! } }] };
    const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
    const commands = [{ create: { templateId, createArguments } }];
    const submission = { userId: 'u', commandId: 'c', actAs: [alice!], commands };
    const method = grpc.method('CommandService/SubmitAndWait');
    const message = frame(grpc.written(method, { commands: submission }));
    const path = `${V2}CommandService/SubmitAndWait`;
    expect((await ending(path, message, { 'grpc-timeout': '1n' })).rst).toBe(8);
    expect(log.end).toBe(before);
    expect((await ending(path, message, { 'grpc-timeout': '5S' })).status).toBe('0');
  });
});

it('an answer has its encoding, and no date', async () => {
  const answered = session.request({
    ':method': 'POST',
    ':path': LEDGER_END,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  answered.end(frame(bytes()));
  const head = await new Promise<IncomingHttpHeaders>((resolve) =>
    answered.on('response', resolve),
  );
  answered.resume();
  expect(head).toMatchObject({ 'grpc-encoding': 'identity', 'grpc-accept-encoding': 'gzip' });
  expect(head).not.toHaveProperty('date');
});

it('rejects unknown enum numbers', async () => {
  const [alice] = await api.parties('alice');
  const format = { eventFormat: { filtersByParty: { [alice!]: {} } }, transactionShape: 7 };
  const fault: GrpcFault = await grpc
    .stream('UpdateService/GetUpdates', { updateFormat: { includeTransactions: format } })
    .then(
      () => Promise.reject(new Error('It was not refused.')),
      (refusal) => refusal,
    );
  expect(fault.message).toContain('transaction_shape is defined with invalid value');
});

it.each(['UploadDarFile', 'ValidateDarFile'])(
  '%s ignores an invalid submission id (B-GRPC-027)',
  async (method) => {
    const path = `admin.PackageManagementService/${method}`;
    const refusalOf = (submissionId: string) =>
      grpc.call(path, { submissionId, synchronizerId: '!' }).then(
        () => Promise.reject(new Error('It was not refused.')),
        (refusal: GrpcFault) => refusal,
      );
    expect(await refusalOf('\u00e4')).toMatchObject({
      code: 13,
      message: REDACTED.message,
      details: {},
    });
    for (const id of ['', 'sub-1']) expect(await refusalOf(id)).toMatchObject({ code: 3 });
  },
);

it('rejects a blob with an unknown field, and an invalid onboarding, with the same errors as JSON', async () => {
  const [alice] = await api.parties('alice');
  // `Versioned`, with field 9 behind its version; a transaction of the topology with an empty `PartyHostingLimits`.
  const createdEventBlob = Buffer.from([0x0a, 3, 0x32, 0x2e, 0x31, 0x4a, 0]).toString('base64');
  const transaction = Buffer.from([0x0a, 8, 8, 1, 0x10, 1, 0x1a, 2, 0x3a, 0, 0x10, 30]);
  const disclosing = { disclosedContracts: [{ createdEventBlob }] };
  const submission = { userId: 'u', commandId: 'c', actAs: [alice!], ...disclosing };
  const dummy = create('#model-tests:Test:Dummy', { operator: alice });
  const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
  const createArguments = { fields: [{ label: 'operator', value: { party: alice! } }] };
  const commands = [{ create: { templateId, createArguments } }];
  const allocation = {
    synchronizer: api.canticle.network.synchronizers[0]!.id,
    onboardingTransactions: [{ transaction: transaction.toString('base64') }],
  };
  const refusals: readonly (readonly [string, object, string, object, string])[] = [
    [
      '/v2/commands/submit-and-wait',
      { ...submission, commands: [dummy] },
      'CommandService/SubmitAndWait',
      { commands: { ...submission, commands } },
      'Unable to decode disclosed contract event payload: DecodeError(Message of type com.digitalasset.daml.lf.transaction.Versioned contains unknown field numbered 9)',
    ],
    [
      '/v2/parties/external/allocate',
      allocation,
      'admin.PartyManagementService/AllocateExternalParty',
      allocation,
      'Unsupported transactions found: PartyHostingLimits. Supported transactions are: NamespaceDelegation, DecentralizedNamespaceDefinition, PartyToParticipant, PartyToKeyMapping',
    ],
  ];
  for (const [path, body, method, message, reason] of refusals) {
    const cause = `The submitted request has invalid arguments: ${reason}`;
    const { status, body: refusal } = await api.post(path, body);
    expect([status, refusal.code, refusal.cause]).toEqual([400, 'INVALID_ARGUMENT', cause]);
    await expect(grpc.call(method, message)).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining(cause),
    });
  }
});

it('drops a stream that is cancelled or past its deadline, and continues the other streams', async () => {
  const [alice] = await api.parties('alice');
  const request = {
    beginExclusive: String(await api.ledgerEnd()),
    updateFormat: {
      includeTransactions: {
        eventFormat: { filtersByParty: { [alice!]: {} } },
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  };
  const dummy = () =>
    api.submit(create('#model-tests:Test:Dummy', { operator: alice }), { actAs: alice! });
  const staying = grpc.stream('UpdateService/GetUpdates', request, { take: 3 });
  const leaving = grpc.stream('UpdateService/GetUpdates', request, { take: 1 });
  const late = grpc.stream('UpdateService/GetUpdates', request, { deadline: Date.now() + 50 });
  await expect(late).rejects.toMatchObject({ code: 4 });
  await dummy();
  expect(await leaving).toHaveLength(1);
  await dummy();
  await dummy();
  expect(await staying).toHaveLength(3);
});

it('reads only as far as the client does, and fails if the remaining data is pruned', async () => {
  const [alice] = await api.parties('alice');
  const label = 'x'.repeat(16_384);
  const submit = () =>
    api.submit(create('#model-tests:Test:Coin', { owner: alice, label }), { actAs: alice! });
  for (let n = 0; n < 100; n++) await submit();
  const activeAtOffset = await api.ledgerEnd();
  const slow = connect(`http://${api.canticle.urls.grpc!}`);
  const stream = slow.request({
    ':method': 'POST',
    ':path': `${V2}StateService/GetActiveContracts`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const eventFormat = { filtersByParty: { [alice!]: {} } };
  const request = { activeAtOffset: String(activeAtOffset), eventFormat };
  stream.end(frame(grpc.written(grpc.method('StateService/GetActiveContracts'), request)));
  // The client does not read data: the window fills, and the server waits.
  await new Promise((resolve) => stream.once('response', resolve));
  for (let n = 0; n < 3; n++) await submit();
  await grpc.call('admin.ParticipantPruningService/Prune', {
    pruneUpTo: String(activeAtOffset + 1),
  });
  let size = 0;
  stream.on('data', (chunk: Buffer) => (size += chunk.length));
  const trailers = await new Promise<IncomingHttpHeaders>((resolve) =>
    stream.once('trailers', resolve),
  );
  expect(trailers['grpc-status']).toBe('9');
  expect(size).toBeLessThan(20 * label.length);
  slow.destroy();
});
