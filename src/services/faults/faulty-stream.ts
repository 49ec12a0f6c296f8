/**
 * A stream under its faults: opened late or not at all, ended after some of its elements, or stalled until its release.
 */
import { setTimeout } from 'node:timers';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { FaultAction } from '../../network/faults/fault-rule.js';
import type { AppliedFault } from '../../network/faults/faults.js';
import type { Network } from '../../network/network.js';
import type { Participant } from '../../network/participant.js';
import type { Sink, StreamPump } from '../streams/pump.js';
import { delayOf } from './delays.js';
import { happens } from './events.js';
import { imposedRefusal } from './refusals.js';

/** A stream that is about to be opened. */
export interface OpeningStream {
  readonly network: Network;
  readonly participant: Participant;
  readonly operation: string;
  readonly input: unknown;
  readonly pump: StreamPump;
  /** Breaks its connection after all sent data has left. */
  reset(): void;
}

type Cut = Extract<FaultAction, { cut: unknown }>;

/** @throws LedgerError of the fault that rejects it */
export function openUnder(applied: readonly AppliedFault[], stream: OpeningStream): void {
  const { network, participant, operation, input, pump } = stream;
  const { waiting } = network.faults;
  for (const fault of applied) {
    const { action, id } = fault;
    if ('refuse' in action) {
      if (typeof action.refuse !== 'number') throw imposedRefusal(action.refuse, network, input);
      stream.reset();
    } else if ('lose' in action) stream.reset();
    else if ('delay' in action)
      pump.through((sink) => {
        const gate = new Gate(sink);
        setTimeout(() => gate.open(pump), delayOf(action, fault));
        return gate;
      });
    else if ('hold' in action || 'stall' in action)
      pump.through((sink) => {
        const gate = new Gate(sink, 'stall' in action ? action.stall : 0);
        waiting.holdFor(id, operation, () => gate.open(pump));
        return gate;
      });
    else if ('cut' in action) pump.through((sink) => new CutSink(sink, action, stream));
    else happens(action, network, participant, input);
  }
}

/** Passes some elements on, and the others after it opens. */
class Gate implements Sink {
  private isOpen = false;

  constructor(
    private readonly sink: Sink,
    private left = 0,
  ) {}

  get isFull(): boolean {
    return (!this.isOpen && this.left === 0) || this.sink.isFull;
  }

  send(element: object): void {
    if (this.left > 0 && !isCheckpoint(element)) this.left -= 1;
    this.sink.send(element);
  }

  flush(): void {
    this.sink.flush?.();
  }

  end(error?: { readonly thrown: unknown }): void {
    this.sink.end(error);
  }

  open(pump: StreamPump): void {
    this.isOpen = true;
    pump.wake();
  }
}

/** Ends after the permitted elements. */
class CutSink implements Sink {
  private isOver = false;
  private sent = 0;

  constructor(
    private readonly sink: Sink,
    private readonly cut: Cut,
    private readonly stream: OpeningStream,
  ) {}

  get isFull(): boolean {
    return this.isOver || this.sink.isFull;
  }

  send(element: object): void {
    if (this.isOver) return;
    const { cut } = this.cut;
    if (cut !== 0) this.sink.send(element);
    if (isCheckpoint(element)) return;
    this.sent += 1;
    const isLast = cut === 'reassignment' ? isUnassigned(element) : this.sent >= cut;
    if (isLast) this.finish();
  }

  flush(): void {
    this.sink.flush?.();
  }

  end(error?: { readonly thrown: unknown }): void {
    this.sink.end(error);
  }

  private finish(): void {
    const { network, input, pump, reset } = this.stream;
    const { as = 'reset' } = this.cut;
    this.isOver = true;
    this.sink.flush?.();
    if (as === 'reset') reset();
    else pump.end(as === 'close' ? undefined : { thrown: imposedRefusal(as, network, input) });
  }
}

/** Whether the element is an unassignment, which the name of the event shows over JSON and gRPC. */
const isUnassigned = (element: object): boolean =>
  hasMember(element, /unassigned(?:event)?$/i, EVENT_DEPTH);

/** Checkpoints are not counted, because they depend on the machine's clock. */
const isCheckpoint = (element: object): boolean =>
  hasMember(element, /^offsetCheckpoint$/i, UPDATE_DEPTH);

/** The members that contain updates, reassignments and events. */
const EVENT_DEPTH = 8;
const UPDATE_DEPTH = 2;

/** Whether the element has a member with this name. */
function hasMember(element: unknown, kind: RegExp, depth: number): boolean {
  if (depth < 0) return false;
  if (Array.isArray(element)) return element.some((each) => hasMember(each, kind, depth - 1));
  if (!isJsonObject(element)) return false;
  return Object.entries(element).some(
    ([name, value]) => kind.test(name) || hasMember(value, kind, depth - 1),
  );
}
