/** Calls that a stream answers. It opens under its faults, is checked while it is open, and ends with a restart. */
import { clearInterval, setInterval } from 'node:timers';
import type { DecodedInput } from '../../spec/decode.js';
import type { Operation } from '../../spec/operations.js';
import { releaseOf } from '../../spec/versions.js';
import { ongoingCheck, requireAllowed, type Admission, type Row } from '../authorization/gate.js';
import { openUnder } from '../faults/faulty-stream.js';
import type { ElementStream } from '../streams/element-stream.js';
import { LogHub } from '../streams/log-hub.js';
import { StreamPump, type Sink } from '../streams/pump.js';
import { WrittenOnce } from '../streams/written-once.js';
import type { Answer, CallContext, Called, IncomingCall } from './call.js';
import { faultName, noteFaults } from './call-faults.js';
import type { Calls } from './calls.js';

/** Canton's interval. */
const STREAM_CHECK_MS = 5_000;

/** The connection of a stream. */
export interface StreamLine {
  readonly sink: Sink;
  /** Breaks the connection after all sent data has left. */
  reset(): void;
  /** Calls the listener when the client has disconnected or has received everything. */
  onClosed(listener: () => void): void;
}

/** A request for a stream that was read. */
export interface StreamRequest<Context> {
  readonly called: Called;
  readonly input: DecodedInput;
  /** The rights that its caller needs. */
  readonly requires: Operation | Row;
  /** Runs before the rights of the caller are checked. @throws LedgerError */
  enter?(context: Context): void;
  open(context: Context): ElementStream;
  /** A fault applied, which the journal records at once. */
  met?(): void;
}

export class CallStreams<C extends IncomingCall, Context extends CallContext, A extends Answer> {
  private readonly hub: LogHub;
  private readonly written = new WrittenOnce<Uint8Array>();
  private readonly lines = new Set<StreamLine>();

  constructor(private readonly calls: Calls<C, Context, A>) {
    const { network, participant, checkpoints, updateOrder } = calls.world;
    this.hub = new LogHub(participant, checkpoints, updateOrder);
    network.faults.onRestart((name) => {
      if (name === participant.name) for (const line of [...this.lines]) line.reset();
    });
  }

  /** An element of several streams is encoded once. */
  bytesOf(element: object, write: () => Uint8Array): Uint8Array {
    return this.written.of(element, write);
  }

  /** Prepares a stream that is not open yet, and checks it periodically as long as its connection lasts. */
  begin(admission: Admission, line: StreamLine): StreamPump {
    const { auth, participant, apiVersion } = this.calls.world;
    const check = ongoingCheck(auth, admission, participant, releaseOf(apiVersion));
    const pump = new StreamPump(this.hub, line.sink, check);
    const interval = auth?.options.streamCheckInterval ?? STREAM_CHECK_MS;
    const timer = check?.ofUser && setInterval(() => pump.recheck(), interval).unref();
    this.lines.add(line);
    line.onClosed(() => {
      pump.stop();
      clearInterval(timer);
      this.lines.delete(line);
    });
    return pump;
  }

  /** Opens the stream. An error ends it. */
  start(
    pump: StreamPump,
    call: C,
    { reset }: Pick<StreamLine, 'reset'>,
    admission: Admission,
    context: Context,
    read: () => StreamRequest<Context>,
  ): void {
    pump.start(() => {
      const request = read();
      const { input, requires } = request;
      const { auth, participant } = this.calls.world;
      request.enter?.(context);
      requireAllowed(auth, admission, requires, participant, input, context);
      this.meetFaults(pump, call, reset, request);
      return request.open(context);
    });
  }

  /** @throws LedgerError for an intended error */
  private meetFaults(
    pump: StreamPump,
    call: C,
    reset: () => void,
    { called, input, met }: StreamRequest<Context>,
  ): void {
    const { world, transport } = this.calls;
    const { network, participant } = world;
    if (!network.faults.isArmed) return;
    const operation = faultName(called);
    const applied = network.faults.meet({
      operation,
      participant: participant.name,
      host: call.header(transport.hostHeader),
      input,
      isStream: true,
      isMessage: transport.isMessage,
    });
    if (applied.length === 0) return;
    noteFaults(call, applied);
    met?.();
    openUnder(applied, { network, participant, operation, input, pump, reset });
  }
}
