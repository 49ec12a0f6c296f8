/**
 * The Ledger API over gRPC: finds the method, looks at the token, reads the message, calls the operation, writes the answer. The
 * operations are the same that JSON calls.
 */
import { formatInstant } from '../daml/model/time.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import { MalformedAuthorization, tokenOf } from '../services/authorization/bearer.js';
import {
  admit,
  ANYONE,
  ongoingCheck,
  requireAllowed,
  type Admission,
} from '../services/authorization/gate.js';
import type { LossForm } from '../network/faults/fault-rule.js';
import { ParticipantRestarted, type AppliedFault } from '../network/faults/faults.js';
import { openUnder } from '../services/faults/faulty-stream.js';
import { answerUnder } from '../services/faults/under-faults.js';
import { LogHub } from '../services/streams/log-hub.js';
import { StreamPump } from '../services/streams/pump.js';
import type { DecodedInput } from '../spec/decode.js';
import { CallContext, type GrpcWorld } from './context.js';
import { methodsOf, type MethodDefinition } from './messages/definitions.js';
import { decodeMessage } from './messages/reader.js';
import { encodeMessage } from './messages/writer.js';
import { LEDGER_SERVICES } from './methods/ledger.js';
import { MANAGEMENT_SERVICES } from './methods/management.js';
import type { Method } from './methods/method.js';
import { USER_SERVICES } from './methods/users.js';
import { standardServices, type StandardMethod } from './standard/standard.js';
import { statusOf, unknownMethod } from './status.js';
import { OK, type Call, type Status } from './wire/call.js';
import { OneRequest } from './wire/one-request.js';
import type { Answer } from './wire/server.js';

/** Canton's interval. */
const STREAM_CHECK_MS = 5_000;
const LEDGER_API = 'com.daml.ledger.api.v2';
const SERVICES = { ...LEDGER_SERVICES, ...MANAGEMENT_SERVICES, ...USER_SERVICES };

interface Row {
  readonly method: Method;
  readonly definition: MethodDefinition;
}

/** The methods that are served, by path. */
function rowsOf(): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const [name, service] of Object.entries(SERVICES)) {
    const definitions = methodsOf(`${LEDGER_API}.${name}`);
    for (const [methodName, method] of Object.entries(service)) {
      const definition = definitions.find(({ path }) => path.endsWith(`/${methodName}`));
      if (definition === undefined) throw new TypeError(`${name} has no method ${methodName}.`);
      rows.set(definition.path, { method, definition });
    }
  }
  return rows;
}

/** What the journal is told of a call. */
type Told = { outcome: 'answered' | 'refused' | 'failed'; status: number } & Partial<
  Record<'error' | 'explanation', string | undefined>
>;

/** An answer that is still to be given. */
interface Reply {
  readonly told: Told;
  readonly end: () => void;
}

/** What a client makes of a connection that breaks, and of a proxy's answer. */
const UNAVAILABLE = 14;

export class LedgerPort {
  private readonly rows = rowsOf();
  private readonly standard: ReadonlyMap<string, StandardMethod>;
  private readonly hub: LogHub;

  constructor(private readonly world: GrpcWorld) {
    this.hub = new LogHub(world.participant, world.checkpoints);
    world.network.faults.onRestart((name) => {
      if (name === world.participant.name) for (const call of this.openCalls) call.drop();
    });
    this.standard = standardServices([...this.rows.keys()]);
  }

  readonly answer: Answer = (path, call) => {
    const standard = this.standard.get(path);
    if (standard !== undefined) return standard(call);
    const row = this.rows.get(path);
    if (row === undefined) return call.end(unknownMethod(path));
    call.listen(new OneRequest((bytes) => this.admitted(row, call, bytes)));
  };

  private admitted(row: Row, call: Call, bytes: Uint8Array): void {
    const { auth, participant } = this.world;
    if (auth === undefined) return this.handle(row, call, ANYONE, bytes);
    admit(auth, row.method.asked, participant, bearerIn(call)).then(
      (admission) => this.handle(row, call, admission, bytes),
      (error: unknown) => this.refuse(row, call, ANYONE, error),
    );
  }

  private handle(row: Row, call: Call, admission: Admission, bytes: Uint8Array): void {
    const { definition } = row;
    let { method } = row;
    const context = new CallContext(this.world, call, admission);
    const fail = (error: unknown): void => this.refuse(row, call, admission, error, context);
    const answer = (result: unknown): void => {
      call.end(OK, encodeMessage(definition.output, method.output(result as never)));
      this.note(row, call, { outcome: 'answered', status: OK.code });
    };
    try {
      const message = decodeMessage(definition.input, bytes) as never;
      method = method.of?.(message) ?? method;
      const input = method.input(message);
      if (method.open !== undefined) return this.stream(row, call, admission, context, input);
      this.allow(method, admission, input);
      method.check?.(message);
      if (this.underFaults({ ...row, method }, call, context, input)) return;
      const result = method.handle(context, input as never);
      if (result instanceof Promise) this.whileUp(result).then(answer).catch(fail);
      else answer(result);
    } catch (error) {
      fail(error);
    }
  }

  private allow({ asked }: Method, admission: Admission, input: DecodedInput): void {
    const { auth, participant } = this.world;
    requireAllowed(auth, admission, asked, participant, input);
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
          if (error !== undefined) return this.refuse(row, call, admission, error.thrown, context);
          call.end(OK);
          this.note(row, call, { outcome: 'answered', status: OK.code });
        },
      },
      check,
    );
    call.onDrain = pump.wake;
    call.signal.addEventListener('abort', () => pump.stop(), { once: true });
    pump.start(() => {
      this.allow(method, admission, input);
      this.openUnderFaults(row, call, input, pump);
      const stream = method.open!(context, input.body as never);
      call.respond();
      return stream;
    });
    if (check === undefined) return;
    const interval = auth?.options.streamCheckInterval ?? STREAM_CHECK_MS;
    const timer = setInterval(() => pump.recheck(), interval).unref();
    call.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Streams, which a restart cuts off. */
  private readonly openCalls = new Set<Call>();

  private readonly texts = new WeakMap<object, Uint8Array>();

  /** An element that several streams send is written once. */
  private printed(type: string, element: object): Uint8Array {
    let bytes = this.texts.get(element);
    if (bytes === undefined) this.texts.set(element, (bytes = encodeMessage(type, element)));
    return bytes;
  }

  private refuse(
    row: Row,
    call: Call,
    admission: Admission,
    error: unknown,
    context = new CallContext(this.world, call, admission),
  ): void {
    const { told, end } = this.refusedReply(call, error, context);
    end();
    this.note(row, call, told);
  }

  private refusedReply(call: Call, error: unknown, context: CallContext): Reply {
    if (error instanceof ParticipantRestarted) {
      const { message: explanation } = error;
      const told = { outcome: 'refused' as const, status: UNAVAILABLE, explanation };
      return { told, end: () => call.drop() };
    }
    const { status, told } = this.refusalOf(error, context);
    return { told, end: () => call.end(status) };
  }

  /** Rejects once the participant restarts. */
  private whileUp<T>(result: Promise<T>): Promise<T> {
    const { network, participant } = this.world;
    return network.faults.whileUp(participant.name, result);
  }

  private refusalOf(error: unknown, { origin }: CallContext): { status: Status; told: Told } {
    const status = statusOf(error, origin);
    const isExpected = error instanceof LedgerError;
    const explanation = isExpected
      ? error.details.cause
      : error instanceof Error
        ? error.stack
        : String(error);
    const told = {
      outcome: isExpected ? ('refused' as const) : ('failed' as const),
      status: status.code,
      error: isExpected ? error.code : undefined,
      explanation,
    };
    return { status, told };
  }

  /** What goes wrong with a call on purpose. @returns whether anything does; then it is answered there */
  private underFaults(row: Row, call: Call, context: CallContext, input: DecodedInput): boolean {
    const { network, participant } = this.world;
    const { method, definition } = row;
    const applied = this.met(row, call, input, false);
    if (applied.length === 0) return false;
    const refused = (error: unknown): Reply => this.refusedReply(call, error, context);
    const turnedAway = (status: number): Reply => ({
      told: { outcome: 'refused', status: UNAVAILABLE },
      end: () => call.turnAway(status),
    });
    const lost = (as: LossForm): Reply =>
      as === 'reset' ? { ...turnedAway(0), end: () => call.drop() } : turnedAway(as);
    const answered = (result: unknown): Reply => {
      const bytes = encodeMessage(definition.output, method.output(result as never));
      return { told: { outcome: 'answered', status: OK.code }, end: () => call.end(OK, bytes) };
    };
    const handle = async (): Promise<Reply> => {
      try {
        const result = method.handle(context, input as never);
        return answered(await (result instanceof Promise ? this.whileUp(result) : result));
      } catch (error) {
        return refused(error);
      }
    };
    const answering = answerUnder<Reply>(applied, {
      operation: nameOf(row),
      network,
      participant,
      host: call.header(':authority'),
      input,
      isMessage: true,
      handle,
      met: (more) => tell(call, more),
      // No Scan is asked here.
      behind: handle,
      refused,
      lost,
      turnedAway,
      given: ({ status = 200, body }) => (status < 400 ? answered(body) : turnedAway(status)),
      // A message comes whole or not at all.
      delivered: (reply, delivery) =>
        delivery.kind === 'slow'
          ? reply
          : { ...reply, end: lost(delivery.kind === 'lost' ? delivery.as : 'reset').end },
      // Such faults are of JSON alone.
      altered: (reply) => reply,
    });
    void answering.catch(refused).then(({ told, end }) => {
      this.note(row, call, told);
      end();
    });
    return true;
  }

  /** @throws LedgerError for what is refused on purpose */
  private openUnderFaults(row: Row, call: Call, input: DecodedInput, pump: StreamPump): void {
    const { network, participant } = this.world;
    this.openCalls.add(call);
    call.signal.addEventListener('abort', () => this.openCalls.delete(call), { once: true });
    const applied = this.met(row, call, input, true);
    if (applied.length === 0) return;
    const operation = nameOf(row);
    openUnder(applied, {
      network,
      participant,
      operation,
      input,
      pump,
      reset: () => {
        call.drop();
        this.note(row, call, { outcome: 'refused', status: UNAVAILABLE });
      },
    });
  }

  private met(row: Row, call: Call, input: DecodedInput, isStream: boolean): AppliedFault[] {
    const { network, participant } = this.world;
    if (!network.faults.isArmed) return [];
    const operation = nameOf(row);
    const applied = network.faults.meet({
      operation,
      participant: participant.name,
      host: call.header(':authority'),
      input,
      isStream,
      isMessage: true,
    });
    tell(call, applied);
    return applied;
  }

  private note({ definition, method }: Row, { faults }: Call, told: Told): void {
    const { requests, network } = this.world;
    requests.add({
      at: formatInstant(network.clock.now()),
      api: 'ledger',
      operation: method.operationId,
      method: 'GRPC',
      path: definition.path,
      validation: { ok: true },
      ...told,
      ...(faults && { faults: [...faults] }),
    });
  }
}

/** As JSON calls the operation, or its service and method where JSON has none. */
function nameOf({ method, definition }: Row): string {
  return method.operationId ?? definition.path.replace(/^.*\./, '');
}

/** For the journal. */
function tell(call: Call, applied: readonly AppliedFault[]): void {
  if (applied.length === 0) return;
  const told = applied.map(({ id, text }) => ({ id, fault: text }));
  call.faults = [...(call.faults ?? []), ...told];
}

/** A token that cannot be read is none. */
function bearerIn({ header }: Call): (name: string) => string | undefined {
  try {
    tokenOf(header);
    return header;
  } catch (error) {
    if (!(error instanceof MalformedAuthorization)) throw error;
    return () => undefined;
  }
}
