/**
 * The Ledger API over gRPC. Compares submit-and-wait with a method of the same library that answers a constant,
 * with bytes that the server does not decode, with JSON, and with the ledger alone. Runs with one connection for
 * each parallel call, as JSON needs over HTTP/1, and with one connection in total, as gRPC clients use. Also
 * measures the active contracts of a large ledger, and updates to 1 and to 1,000 subscribers. The server is a
 * separate process. The client uses bare HTTP/2, so that the server is the limit on a machine with few cores. The
 * compared servers take turns.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startCanticle } from 'canticle';
import { VERBOSE } from '../src/network/values/writer.js';
import { USUAL } from '../src/grpc/messages/codec.js';
import { OK } from '../src/grpc/wire/call.js';
import { LEDGER_API_KEEP_ALIVE } from '../src/grpc/wire/keep-alive.js';
import { OneRequest } from '../src/grpc/wire/one-request.js';
import { openPort } from '../src/grpc/wire/server.js';
import { BareGrpc, headersOf } from './measure/bare-grpc.js';
import { IOU, iou, SUBMIT_AND_WAIT } from './measure/iou.js';
import { run } from './measure/load.js';
import { figure, machine, middle, milliseconds, ratio } from './measure/report.js';

const ROUNDS = 9;
/** Warm-up rounds. */
const WARM_UP = 4;
const REQUESTS = 1000;
const CONCURRENCY = 8;
const CONTRACTS = 100_000;
const LOADS = [
  { subscribers: 1, updates: 20_000 },
  { subscribers: 1_000, updates: 100 },
];
const V2 = 'com.daml.ledger.api.v2';

interface Ready {
  readonly grpc: string;
  readonly constant: string;
  readonly untouched: string;
  readonly json: number;
  readonly bank: string;
  /** The bytes of an Iou's payload. */
  readonly payload: string;
}

async function serve(): Promise<void> {
  const canticle = await startCanticle({
    seed: 1,
    grpc: true,
    checkpoints: { first: 1e9, interval: 1e9, idle: 1e9 },
  });
  const { participant } = canticle;
  const bank = participant.allocateParty('bank');
  const answer = { updateId: `1220${'0'.repeat(64)}`, completionOffset: 1 };
  const answered = (): Uint8Array => USUAL.encode(`${V2}.SubmitAndWaitResponse`, answer);
  const constantOf = (read: (bytes: Uint8Array) => Uint8Array) =>
    openPort((_path, call) => call.listen(new OneRequest((bytes) => call.end(OK, read(bytes)))), {
      host: '127.0.0.1',
      port: 0,
      maxMessageBytes: 1e7,
      keepAlive: LEDGER_API_KEEP_ALIVE,
    });
  const constant = await constantOf((bytes) => {
    USUAL.decode(`${V2}.SubmitAndWaitRequest`, bytes);
    return answered();
  });
  const bytes = answered();
  const untouched = await constantOf(() => bytes);
  const template = participant.create(IOU, iou(bank, bank), { actAs: [bank] });
  const stored = canticle.network.contracts.get(template)!.instance;
  const { packages } = canticle.network.participants[0]!;
  const type = packages
    .package(stored.templateId.split(':')[0]!)!
    .templates.get(stored.templateId.split(':').slice(1).join(':'))!.payloadType;
  const payload = Buffer.from(VERBOSE.record(packages, type, stored.payload) as Uint8Array);
  process.on('message', (creates: number) => {
    const { user, system } = process.cpuUsage();
    for (let n = 0; n < creates; n++) participant.create(IOU, iou(bank, bank), { actAs: [bank] });
    const after = process.cpuUsage();
    process.send!((after.user - user + after.system - system) / creates);
  });
  process.send!({
    grpc: canticle.urls.grpc!,
    constant: `127.0.0.1:${constant.port}`,
    untouched: `127.0.0.1:${untouched.port}`,
    json: canticle.port,
    bank,
    payload: payload.toString('base64'),
  } satisfies Ready);
}

interface Calls {
  readonly address: string;
  readonly connections: number;
  readonly message: () => Uint8Array;
}

/** @returns the calls per second, with this number of parallel calls */
async function calls({ address, connections, message }: Calls): Promise<number> {
  const method = 'CommandService/SubmitAndWait';
  const sessions = Array.from({ length: connections }, () => new BareGrpc(address));
  await Promise.all(sessions.map(({ opened }) => opened));
  const headers = headersOf(`${V2}.${method}`);
  let next = 0;
  const worker = async (session: BareGrpc): Promise<void> => {
    while (next++ < REQUESTS) await session.unary(headers, message());
  };
  const workers = () =>
    Array.from({ length: CONCURRENCY }, (_, n) => worker(sessions[n % connections]!));
  const time = await milliseconds(() => Promise.all(workers()));
  for (const session of sessions) session.close();
  return (REQUESTS * 1000) / time;
}

let numbers = 0;
function submission({ bank, payload }: Ready): Uint8Array {
  const createArguments = Buffer.from(payload, 'base64');
  const command = { CreateCommand: { templateId: IOU, createArguments } };
  const commands = [command];
  const commandId = `c${(numbers += 1)}`;
  return USUAL.encode(`${V2}.SubmitAndWaitRequest`, {
    commands: { userId: 'bench', commandId, actAs: [bank], commands },
  });
}

/** @returns the processor time of each call, in microseconds */
type Create = (updates: number) => Promise<number>;

/** The measurements, which take turns. */
const MEASURED = {
  grpc: 'SubmitAndWait of a create',
  constant: 'a constant, read and written by the same library',
  untouched: 'bytes that nobody reads',
  shared: 'SubmitAndWait of a create, over one connection',
  sharedConstant: 'the constant over one connection',
  alone: 'the same command, without a transport',
  json: 'the same command over JSON',
} as const;
type Measured = keyof typeof MEASURED;

async function commands(ready: Ready, create: Create): Promise<void> {
  const { bank } = ready;
  const body = () =>
    JSON.stringify({
      userId: 'bench',
      commandId: `j${(numbers += 1)}`,
      actAs: [bank],
      commands: [{ CreateCommand: { templateId: IOU, createArguments: iou(bank, bank) } }],
    });
  const load = { requests: REQUESTS, concurrency: CONCURRENCY, path: SUBMIT_AND_WAIT, body };
  const message = () => submission(ready);
  const to = (address: string, connections: number) => () =>
    calls({ address, connections, message });
  const ways: Record<Measured, () => Promise<number>> = {
    grpc: to(ready.grpc, CONCURRENCY),
    constant: to(ready.constant, CONCURRENCY),
    untouched: to(ready.untouched, CONCURRENCY),
    shared: to(ready.grpc, 1),
    sharedConstant: to(ready.constant, 1),
    alone: async () => 1_000_000 / (await create(REQUESTS)),
    json: () => run({ ...load, port: ready.json }),
  };
  const names = Object.keys(ways) as Measured[];
  const rounds = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS + WARM_UP; round++)
    for (const name of names) {
      const rate = await ways[name]();
      if (round >= WARM_UP) rounds[name]!.push(rate);
    }
  for (const name of names) {
    const unit = name === 'json' ? 'requests/s' : name === 'alone' ? 'commands/s' : 'calls/s';
    figure(MEASURED[name], middle(rounds[name]!), unit);
  }
  const against = (one: Measured, other: Measured) =>
    middle(rounds[one]!.map((each, index) => each / rounds[other]![index]!));
  ratio('SubmitAndWait to the constant', against('grpc', 'constant'));
  ratio('SubmitAndWait to bytes that nobody reads', against('grpc', 'untouched'));
  ratio('SubmitAndWait to JSON', against('grpc', 'json'));
  ratio('SubmitAndWait to the constant, over one connection', against('shared', 'sharedConstant'));
  ratio('SubmitAndWait over one connection to JSON', against('shared', 'json'));
}

async function streams(ready: Ready, create: Create): Promise<void> {
  const session = new BareGrpc(ready.grpc);
  const eventFormat = { filtersByParty: { [ready.bank]: {} }, verbose: false };
  const updateFormat = {
    includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
  };
  const end = async () => {
    const found = await fetch(`http://127.0.0.1:${ready.json}/v2/state/ledger-end`);
    return ((await found.json()) as { offset: number }).offset;
  };
  for (const { subscribers, updates } of LOADS) {
    const request = USUAL.encode(`${V2}.GetUpdatesRequest`, {
      beginExclusive: await end(),
      updateFormat,
    });
    const headers = headersOf(`${V2}.UpdateService/GetUpdates`);
    const sessions = Array.from(
      { length: Math.ceil(subscribers / 100) },
      () => new BareGrpc(ready.grpc),
    );
    const readers = Array.from({ length: subscribers }, (_, index) =>
      sessions[index % sessions.length]!.count(headers, request, updates),
    );
    const time = await milliseconds(async () => {
      await create(updates);
      await Promise.all(readers);
    });
    const name = `${subscribers} subscriber${subscribers === 1 ? '' : 's'}, ${updates} updates each`;
    figure(name, (subscribers * updates * 1000) / time, 'updates/s');
    for (const each of sessions) each.close();
  }
  await create(CONTRACTS);
  const activeAtOffset = await end();
  const request = USUAL.encode(`${V2}.GetActiveContractsRequest`, { activeAtOffset, eventFormat });
  const acs: number[] = [];
  for (let round = 0; round < 5; round++) {
    const time = await milliseconds(() =>
      session.count(headersOf(`${V2}.StateService/GetActiveContracts`), request, CONTRACTS),
    );
    acs.push((CONTRACTS * 1000) / time);
  }
  figure(`GetActiveContracts of ${CONTRACTS} contracts`, middle(acs), 'contracts/s');
  session.close();
}

if (process.argv[2] === 'serve') await serve();
else {
  machine();
  const server = fork(fileURLToPath(import.meta.url), ['serve']);
  const [ready] = (await once(server, 'message')) as [Ready];
  const create: Create = async (updates) => {
    server.send(updates);
    const [took] = (await once(server, 'message')) as [number];
    return took;
  };
  await commands(ready, create);
  await streams(ready, create);
  server.kill();
}
