/**
 * Streams as lists: the POST form of a stream collects the elements before it answers (B-WS-010 to B-WS-022). It reads
 * a finite stream to its end, and an open one until it is idle for the idle time.
 */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { LONGEST_DELAY_MS } from '../../limits.js';
import { JsonLayerError, refusedByJsonLayer } from '../../../daml/codec/json/json-layer.js';
import type { Participant } from '../../../network/participant.js';
import { HttpRefusal } from '../../handler.js';
import type { Checkpoints } from '../../streams/checkpoints.js';
import { takenBack, type ElementStream } from '../../streams/element-stream.js';

/** Canton's `http-list-max-elements-limit`. */
const MAX_LIST_ELEMENTS = 200;
/** Canton's `http-list-wait-time`, in milliseconds. */
const LIST_WAIT_MS = 500;

export interface ListOptions {
  readonly limit?: number;
  readonly stream_idle_timeout_ms?: number;
}

/** In milliseconds: the limit of a Scala duration, which counts nanoseconds in 63 bits. */
export const LONGEST_IDLE_MS = 9_223_372_036_854;

/**
 * A timer refuses an idle time of zero or less (B-WS-023); it looks at the stream twice in that time. An invalid
 * duration fails outside all error handling (B-WS-024).
 * @throws JsonLayerError INVALID_ARGUMENT; HttpRefusal
 */
function requireIdleTime({ stream_idle_timeout_ms: idle = LIST_WAIT_MS }: ListOptions): number {
  if (Math.abs(idle) > LONGEST_IDLE_MS) throw new HttpRefusal(500, 'Internal server error');
  if (idle > 0) return Math.min(idle, LONGEST_DELAY_MS);
  const seconds = Math.trunc(idle / 2000);
  throw refusedByJsonLayer(
    `Task scheduled with [${seconds}] seconds delay, which means creating an infinite loop. The expected delay must be greater than 0.`,
  );
}

/** Reads a finite stream. */
export function finiteList<T>(elements: Iterable<T>, options: ListOptions): T[] {
  requireIdleTime(options);
  const list = new BoundedList<T>(options.limit);
  for (const element of elements) if (!list.add(element)) break;
  return list.result();
}

/** The context of a list that waits. */
interface ListContext {
  readonly participant: Participant;
  readonly checkpoints: Checkpoints;
  readonly signal: AbortSignal;
}

/**
 * Reads an open stream: the present elements, then new ones until none arrives within the idle time. A checkpoint
 * is an element as well (B-WS-020, B-CHK-008).
 */
export function openList<T>(
  { participant, checkpoints, signal }: ListContext,
  stream: ElementStream<T>,
  options: ListOptions,
): Promise<T[]> {
  const { log, ledger } = participant;
  const list = new BoundedList<T>(options.limit);
  const idle = requireIdleTime(options);
  return new Promise((resolve, reject) => {
    let isScheduled = false;
    const end = (finish: () => void): void => {
      for (const timer of [idleTimer, firstCheckpoint]) clearTimeout(timer);
      for (const stop of stops) stop();
      finish();
    };
    const done = (): void => end(() => resolve(list.result()));
    const take = (elements: Iterable<T>): void => {
      try {
        for (const element of elements) {
          idleTimer.refresh();
          if (!list.add(element)) return done();
        }
        if (list.isFull) done();
      } catch (error) {
        end(() => reject(error as Error));
      }
    };
    const idleTimer = setTimeout(done, idle);
    const cache = checkpoints.of(participant);
    const useCheckpoints = () => stream.open?.useCheckpoints(() => cache.latest());
    if (cache.sendsPast) useCheckpoints();
    const firstCheckpoint = setTimeout(() => {
      useCheckpoints();
      take(stream.open?.idle() ?? []);
    }, checkpoints.firstDelay(participant));
    // An appended update can be undone until the call that appended it ends.
    const later = (): void => {
      isScheduled = false;
      if (!isOver) take(stream.read());
    };
    let isOver = false;
    const stops = [
      () => (isOver = true),
      log.onAppend(() => {
        if (!isScheduled) setImmediate(later);
        isScheduled = true;
      }),
      ledger.onRevert(() => {
        if (!stream.survivesRevert()) end(() => reject(takenBack()));
      }),
      () => signal.removeEventListener('abort', done),
    ];
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
    else take(stream.read());
  });
}

class BoundedList<T> {
  private readonly elements: T[] = [];
  /** A limit above the maximum has no effect (B-WS-015). */
  private readonly limit: number | undefined;

  constructor(limit: number | undefined) {
    this.limit = limit !== undefined && limit <= MAX_LIST_ELEMENTS ? Math.max(limit, 0) : undefined;
  }

  get isFull(): boolean {
    return this.limit !== undefined && this.elements.length >= this.limit;
  }

  /** Returns false when the list is complete. */
  add(element: T): boolean {
    if (this.isFull) return false;
    this.elements.push(element);
    if (this.elements.length > MAX_LIST_ELEMENTS)
      throw new JsonLayerError('JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED', {
        cause: `The number of matching elements (${this.elements.length}) is greater than the node limit (${MAX_LIST_ELEMENTS}).`,
        explanation: 'Ask for less: set `limit` to 200 or below, or narrow the offsets.',
      });
    return !this.isFull;
  }

  result(): T[] {
    return this.elements;
  }
}
