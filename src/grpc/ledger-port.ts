/**
 * The Ledger API over gRPC: finds the method, looks at the token, reads the message, calls the operation, writes the answer. The
 * operations are the same that JSON calls.
 */
import { clearInterval, setInterval } from 'node:timers';
import { callToken } from '../services/authorization/bearer.js';
import { loggedIn } from '../daml/errors/logging-context.js';
import {
  admit,
  ANYONE,
  ongoingCheck,
  requireAllowed,
  type Admission,
} from '../services/authorization/gate.js';
import { openUnder } from '../services/faults/faulty-stream.js';
import { LogHub } from '../services/streams/log-hub.js';
import { StreamPump } from '../services/streams/pump.js';
import { WrittenOnce } from '../services/streams/written-once.js';
import type { DecodedInput } from '../spec/decode.js';
import { Answering, type Asked } from './answering.js';
import { CallContext, type GrpcWorld } from './context.js';
import { methodsOf, type MethodDefinition } from './messages/definitions.js';
import { decodeMessage } from './messages/reader.js';
import { encodeMessage } from './messages/writer.js';
import { LEDGER_SERVICES } from './methods/ledger.js';
import { MANAGEMENT_SERVICES } from './methods/management.js';
import type { Method } from './methods/method.js';
import { USER_SERVICES } from './methods/users.js';
import { standardServices, type StandardMethod } from './standard/standard.js';
import { redactedFault, shortName, unknownMethod } from './status.js';
import { OK, type Call } from './wire/call.js';
import { OneRequest } from './wire/one-request.js';
import type { Answer } from './wire/server.js';
import { isPromise } from '../daml/errors/realms.js';

/** Canton's interval. */
const STREAM_CHECK_MS = 5_000;
const LEDGER_API = 'com.daml.ledger.api.v2';
const SERVICES = { ...LEDGER_SERVICES, ...MANAGEMENT_SERVICES, ...USER_SERVICES };

interface Row {
  readonly method: Method;
  readonly definition: MethodDefinition;
}

/** Of clocks that clients may move (B-GRPC-024). */
const OF_VIRTUAL_TIME = 'testing.TimeService';

/** The methods that are served, by path. */
function rowsOf(hasVirtualTime: boolean): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, service] of Object.entries(SERVICES)) {
    if (name === OF_VIRTUAL_TIME && !hasVirtualTime) continue;
    const definitions = methodsOf(`${LEDGER_API}.${name}`);
    for (const [methodName, method] of Object.entries(service)) {
      const definition = definitions.find(({ path }) => path.endsWith(`/${methodName}`));
      if (definition === undefined) throw new TypeError(`${name} has no method ${methodName}.`);
      rows.set(definition.path, { method, definition });
    }
  }
  return rows;
}

export class LedgerPort {
  private readonly rows: ReadonlyMap<string, Row>;
  private readonly standard: ReadonlyMap<string, StandardMethod>;
  private readonly hub: LogHub;
  private readonly answering: Answering;

  constructor(private readonly world: GrpcWorld) {
    this.rows = rowsOf(world.network.clock.mode === 'virtual');
    this.answering = new Answering(world, 'ledger');
    this.hub = new LogHub(world.participant, world.checkpoints, world.updateOrder);
    world.network.faults.onRestart((name) => {
      if (name === world.participant.name) for (const call of this.openCalls) call.drop();
    });
    this.standard = standardServices([...this.rows.keys()], true);
  }

  readonly answer: Answer = (path, call) => {
    const standard = this.standard.get(path);
    if (standard !== undefined) {
      const asked = { path, name: shortName(path) };
      return this.whenAdmitted(asked, call, () => standard(call));
    }
    const row = this.rows.get(path);
    if (row === undefined) return call.end(unknownMethod(path));
    call.listen(new OneRequest((bytes) => this.admitted(row, call, bytes), redactedFault));
  };

  private admitted(row: Row, call: Call, bytes: Uint8Array): void {
    this.whenAdmitted(askedOf(row), call, (admission) => this.handle(row, call, admission, bytes));
  }

  /** Of every method, those that need no token too: one that is there is looked at (B-AUTH-034). */
  private whenAdmitted(asked: Asked, call: Call, go: (admission: Admission) => void): void {
    const { auth, participant } = this.world;
    if (auth === undefined) return go(ANYONE);
    admit(auth, participant, callToken(call.header)).then(go, (error: unknown) => {
      const context = new CallContext(this.world, call, ANYONE);
      this.answering.refuse(asked, call, error, context);
    });
  }

  private handle(row: Row, call: Call, admission: Admission, bytes: Uint8Array): void {
    const { definition } = row;
    let { method } = row;
    const context = new CallContext(this.world, call, admission);
    const { answering } = this;
    const fail = (error: unknown): void =>
      answering.refuse(askedOf({ ...row, method }), call, error, context);
    const written = (result: unknown): Uint8Array =>
      encodeMessage(definition.output, method.output(result as never));
    const answer = (result: unknown): void => {
      call.end(OK, written(result));
      answering.answered(askedOf({ definition, method }), call);
    };
    try {
      const message = decodeMessage(definition.input, bytes) as never;
      method = method.of?.(message) ?? method;
      const input = method.input(message);
      if (method.open !== undefined) return this.stream(row, call, admission, context, input);
      this.allow(method, admission, context, input);
      this.check(method, context, message, input);
      const handle = () => method.handle(context, input as never);
      if (this.world.network.faults.isArmed) {
        const sent = (result: unknown) => {
          const bytes = written(result);
          return () => call.end(OK, bytes);
        };
        const asked = askedOf({ definition, method });
        if (answering.underFaults(asked, call, context, input, { handle, sent })) return;
      }
      const result = handle();
      if (isPromise(result)) answering.whileUp(result).then(answer).catch(fail);
      else answer(result);
    } catch (error) {
      fail(error);
    }
  }

  private check(
    { check, logging }: Method,
    context: CallContext,
    message: never,
    input: DecodedInput,
  ): void {
    if (check === undefined) return;
    if (logging === undefined) check(message);
    else
      loggedIn(
        () => logging(context, input),
        () => check(message),
      );
  }

  private allow(
    { asked }: Method,
    admission: Admission,
    context: CallContext,
    input: DecodedInput,
  ): void {
    const { auth, participant } = this.world;
    requireAllowed(auth, admission, asked, participant, input, () => context.userId);
  }

  private stream(
    row: Row,
    call: Call,
    admission: Admission,
    context: CallContext,
    input: DecodedInput,
  ): void {
    const { auth, participant } = this.world;
    const { method, definition } = row;
    const check = ongoingCheck(auth, admission, participant);
    let waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    const pump = new StreamPump(
      this.hub,
      {
        send: (element) => {
          const message = this.printed(definition.output, element);
          waiting.push(message);
          waitingBytes += message.length;
        },
        get isFull() {
          return call.isFull(waitingBytes);
        },
        flush: () => {
          if (waiting.length > 0) call.send(waiting);
          waiting = [];
          waitingBytes = 0;
        },
        end: (error) => {
          if (error !== undefined)
            return this.answering.refuse(askedOf(row), call, error.thrown, context);
          call.end(OK);
          this.answering.answered(askedOf(row), call);
        },
      },
      check,
    );
    call.onDrain = pump.wake;
    call.signal.addEventListener('abort', () => pump.stop(), { once: true });
    pump.start(() => {
      this.allow(method, admission, context, input);
      this.openUnderFaults(row, call, input, pump);
      const stream = method.open!(context, input.body as never);
      call.respond();
      return stream;
    });
    if (check?.ofUser === undefined) return;
    const interval = auth?.options.streamCheckInterval ?? STREAM_CHECK_MS;
    const timer = setInterval(() => pump.recheck(), interval).unref();
    call.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Streams, which a restart cuts off. */
  private readonly openCalls = new Set<Call>();

  private readonly texts = new WrittenOnce<Uint8Array>();

  /** An element that several streams send is written once. */
  private printed(type: string, element: object): Uint8Array {
    return this.texts.of(element, () => encodeMessage(type, element));
  }

  /** @throws LedgerError for what is refused on purpose */
  private openUnderFaults(row: Row, call: Call, input: DecodedInput, pump: StreamPump): void {
    const { network, participant } = this.world;
    this.openCalls.add(call);
    call.signal.addEventListener('abort', () => this.openCalls.delete(call), { once: true });
    const asked = askedOf(row);
    const applied = this.answering.met(asked, call, input, true);
    if (applied.length === 0) return;
    openUnder(applied, {
      network,
      participant,
      operation: asked.name,
      input,
      pump,
      reset: () => this.answering.broken(asked, call),
    });
  }
}

/** As JSON calls the operation, or its service and method where JSON has none. */
function askedOf({ method: { operationId: operation }, definition: { path } }: Row): Asked {
  return { path, operation, name: operation ?? shortName(path) };
}
