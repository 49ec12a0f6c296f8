/**
 * The Ledger API over gRPC: finds the method, reads its message, and writes its answer. It uses the operations of the
 * JSON Ledger API.
 */
import { isPromise } from '../daml/errors/realms.js';
import { logIn } from '../daml/errors/logging-context.js';
import type { Admission } from '../services/authorization/gate.js';
import type { Called, ReadCall, Reading } from '../services/calls/call.js';
import { CallStreams } from '../services/calls/call-streams.js';
import { messageText, placeOf, WatchedStream } from '../services/calls/watched-calls.js';
import type { LedgerError } from '../daml/errors/ledger-error.js';
import type { Entry } from '../services/calls/calls.js';
import { requireEnabled } from '../services/ledger-api/disabled-apis.js';
import type { DecodedInput } from '../spec/decode.js';
import { CallContext, type GrpcWorld } from './context.js';
import type { MethodDefinition } from '../network/protobuf/definitions/definitions.js';
import { releaseOf } from '../spec/versions.js';
import { codecOf, type Codec } from './messages/codec.js';
import { LEDGER_SERVICES, TRAFFIC_SERVICE } from './methods/ledger.js';
import { MANAGEMENT_SERVICES } from './methods/management.js';
import type { Method } from './methods/method.js';
import { USER_SERVICES } from './methods/users.js';
import { standardServices, type StandardMethod } from './standard/standard.js';
import { redactedError, shortName, unknownMethod } from './status.js';
import { lineOf } from './stream-line.js';
import { grpcCalls, MessageReply, send, type GrpcCalls, type Reply } from './transport.js';
import { OK, type Call } from './wire/call.js';
import { OneRequest } from './wire/one-request.js';
import type { Answer } from './wire/server.js';

const LEDGER_API = 'com.daml.ledger.api.v2';
const SERVICES = { ...LEDGER_SERVICES, ...MANAGEMENT_SERVICES, ...USER_SERVICES };

interface Row {
  readonly method: Method;
  readonly definition: MethodDefinition;
  readonly codec: Codec;
  readonly called: Called;
}

/** Only for clocks that clients may move (B-GRPC-024). */
const OF_VIRTUAL_TIME = 'testing.TimeService';

/** The served methods of the release, by path. */
function rowsOf(codec: Codec, { network, participant }: GrpcWorld): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, service] of Object.entries(SERVICES)) {
    if (name === OF_VIRTUAL_TIME && network.clock.mode !== 'virtual') continue;
    const isOfAccounts = name === TRAFFIC_SERVICE;
    if (isOfAccounts && participant.trafficAccounts === undefined) continue;
    const definitions = codec.definitions.methodsOf(isOfAccounts ? name : `${LEDGER_API}.${name}`);
    for (const [methodName, method] of Object.entries(service)) {
      const definition = definitions.find(({ path }) => path.endsWith(`/${methodName}`));
      if (definition === undefined) continue;
      const called = calledBy(method, definition);
      rows.set(definition.path, { method, definition, codec, called });
    }
  }
  return rows;
}

/** The operation of the JSON Ledger API, or the service and the method if JSON has none. */
const calledBy = ({ operationId, disabled }: Method, { path }: MethodDefinition): Called => ({
  api: 'ledger',
  operationId,
  shortName: shortName(path),
  disabled,
});

export class LedgerPort {
  private readonly rows: ReadonlyMap<string, Row>;
  private readonly standard: ReadonlyMap<string, StandardMethod>;
  private readonly calls: GrpcCalls;
  private readonly streams: CallStreams<Call, CallContext, Reply>;

  constructor(private readonly world: GrpcWorld) {
    const codec = codecOf(releaseOf(world.apiVersion).definitions);
    this.rows = rowsOf(codec, world);
    this.calls = grpcCalls(world, 'ledger');
    this.streams = new CallStreams(this.calls);
    this.standard = standardServices([...this.rows.keys()], codec.definitions, true);
  }

  readonly answer: Answer = (path, call) => {
    const standard = this.standard.get(path);
    if (standard !== undefined) {
      const called: Called = { api: 'ledger', shortName: shortName(path) };
      return this.whenAdmitted(called, call, () => standard(call));
    }
    const row = this.rows.get(path);
    if (row === undefined) {
      const { watch } = this.world;
      const unknown = unknownMethod(path);
      const place = placeOf(call);
      watch?.add({ order: watch.next(), method: call.method, path, status: unknown.code, place });
      return call.end(unknown);
    }
    const handle = (bytes: Uint8Array): void => this.handle(row, call, bytes);
    call.listen(new OneRequest(handle, redactedError));
  };

  private handle(row: Row, call: Call, bytes: Uint8Array): void {
    const { calls } = this;
    const { called, method } = row;
    if (method.open === undefined)
      return send(
        calls,
        call,
        called,
        calls.perform(
          call,
          called,
          new MessageReading(row, call, bytes, this.world.watch !== undefined),
        ),
      );
    this.whenAdmitted(called, call, (admission) => this.stream(row, call, admission, bytes));
  }

  /** Runs for every method: a token is checked even if the method needs none (B-AUTH-034). */
  private whenAdmitted(called: Called, call: Call, go: (admission: Admission) => void): void {
    const { calls } = this;
    const enter = (entry: Entry<Reply>): void =>
      'refusal' in entry ? calls.refuse(call, called, entry).end() : go(entry.admission);
    const entry = calls.admit(call, called);
    if (!isPromise(entry)) return enter(entry);
    entry.then(enter).catch((error: unknown) => calls.failed(call, called, error).end());
  }

  private stream(row: Row, call: Call, admission: Admission, bytes: Uint8Array): void {
    const { calls, streams } = this;
    const { called, method, definition, codec } = row;
    const context = new CallContext(this.world, call, admission);
    const { watch } = this.world;
    const of = { api: 'ledger', operation: called.operationId, method: 'GRPC', path: call.target };
    const watched = watch && new WatchedStream(watch, call, of);
    const line = lineOf(call, {
      print: (element) => {
        const encoded = streams.bytesOf(element, () => codec.encode(definition.output, element));
        watched?.element(() => messageText(codec.decode(definition.output, encoded)));
        return encoded;
      },
      ended: (error) => {
        if (error !== undefined) {
          const failed = calls.failed(call, called, error.thrown, context);
          const { code, message } = error.thrown as LedgerError;
          watched?.end(failed.status, code, message);
          return failed.end();
        }
        watched?.end(OK.code);
        const done: Reply = { status: OK.code, end: () => call.end(OK) };
        calls.note(call, called, done, { outcome: 'answered' }).end();
      },
      broken: () =>
        calls.note(call, called, calls.transport.lost(call, 'reset'), { outcome: 'refused' }).end(),
    });
    if (watched !== undefined) line.onClosed(() => watched.end(OK.code));
    const pump = streams.begin(admission, line);
    call.onDrain = pump.wake;
    streams.start(pump, call, line, admission, context, () => {
      const input = method.input(codec.decode(definition.input, bytes) as never);
      const open = () => {
        const stream = method.open!(context, input.body as never);
        call.respond();
        return stream;
      };
      return { called, requires: method.access, input, open };
    });
  }
}

class MessageReading implements Reading<CallContext, Reply> {
  constructor(
    private readonly row: Row,
    private readonly call: Call,
    private readonly bytes: Uint8Array,
    private readonly isWatched: boolean,
  ) {}

  body(): ReadMessage {
    const { row, call, bytes, isWatched } = this;
    const message = row.codec.decode(row.definition.input, bytes) as never;
    const method = row.method.of?.(message);
    const exact =
      method === undefined ? row : { ...row, method, called: calledBy(method, row.definition) };
    return new ReadMessage(exact, call, message, bytes.length, isWatched);
  }
}

class ReadMessage implements ReadCall<CallContext, Reply> {
  readonly called: Called;
  readonly input: DecodedInput;

  constructor(
    private readonly row: Row,
    private readonly call: Call,
    private readonly message: never,
    readonly size: number,
    private readonly isWatched: boolean,
  ) {
    this.called = row.called;
    this.input = row.method.input(message);
  }

  get requires(): Method['access'] {
    return this.row.method.access;
  }

  begin(context: CallContext): void {
    const { message } = this;
    const { check, logging, disabled } = this.row.method;
    if (disabled !== undefined)
      requireEnabled(context, disabled.group, shortName(this.row.definition.path));
    if (check === undefined) return;
    if (logging === undefined) check(message);
    else this.check(context, check, logging);
  }

  private check(
    context: CallContext,
    check: NonNullable<Method['check']>,
    logging: NonNullable<Method['logging']>,
  ): void {
    try {
      check(this.message);
    } catch (error) {
      logIn(error, () => logging(context, this.input));
      throw error;
    }
  }

  handle(context: CallContext): unknown {
    return this.row.method.handle(context, this.input as never);
  }

  answer(result: unknown): Reply {
    const { call } = this;
    const { definition, method, codec } = this.row;
    const bytes = codec.encode(definition.output, method.output(result as never));
    // As the client reads it: the message may have fields that the release lacks.
    // NOTE: only for a rehearsal, because a closure that a call stores outlives it until the next full garbage collection.
    if (this.isWatched) call.message = () => codec.decode(definition.output, bytes);
    return new MessageReply(call, bytes);
  }
}
