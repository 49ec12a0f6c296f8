/**
 * Finished calls for a comparison of releases: each with its request, its answer, and the place in a test that made it. Nothing watches
 * calls unless a rehearsal runs.
 */
import { isBytes } from '../../daml/errors/realms.js';
import { shortCopy } from '../../daml/errors/short-copy.js';
import { MAX_JOURNAL_BODY, MAX_WATCHED_ELEMENTS } from '../limits.js';
import type { JournalEntry } from '../request-journal.js';
import type { IncomingCall } from './call.js';

/** The header in which a client under test names the place of a call. */
export const PLACE_HEADER = 'canticle-place';

/** The pseudo-method of a stream over a WebSocket. */
const WEB_SOCKET = 'WS';

export interface WatchedCall {
  /** Calls are numbered when they are first seen, streams when they open. */
  readonly order: number;
  /** The HTTP method, `GRPC`, or `WS`. */
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly api?: string | undefined;
  readonly operation?: string | undefined;
  readonly status: number;
  readonly error?: string | undefined;
  readonly explanation?: string | undefined;
  readonly deprecated?: JournalEntry['deprecated'];
  /** Such as `test/transfer.test.ts:12:5`. */
  readonly place?: string | undefined;
  readonly request?: string | undefined;
  readonly answer?: string | undefined;
  /** The first elements of a stream. */
  readonly elements?: readonly string[];
}

export interface CallWatch {
  /** The next number of a call. */
  next(): number;
  add(call: WatchedCall): void;
}

/** Watches a finished call of one answer. */
export function watchCall(watch: CallWatch, call: IncomingCall, entry: JournalEntry): void {
  const { method, path, api, operation, status, error, explanation, deprecated } = entry;
  const isUpgrade = call.header('sec-websocket-key') !== undefined;
  watch.add({
    order: watch.next(),
    method: isUpgrade ? WEB_SOCKET : method,
    ...{ path, api, operation, status, error, explanation, deprecated },
    place: placeOf(call),
    request: entry.request?.body,
    answer: entry.answer?.body ?? (call.message && messageText(call.message())),
  });
}

/** One stream, from its opening on. */
export class WatchedStream {
  private readonly order: number;
  private readonly elements: string[] = [];
  private request: string | undefined;
  private hasEnded = false;

  constructor(
    private readonly watch: CallWatch,
    private readonly call: IncomingCall,
    private readonly of: Pick<WatchedCall, 'api' | 'operation' | 'path' | 'method'>,
  ) {
    this.order = watch.next();
    call.isStream = true;
  }

  sent(text: string): void {
    this.request = shortCopy(text, MAX_JOURNAL_BODY);
  }

  element(text: () => string): void {
    if (this.elements.length < MAX_WATCHED_ELEMENTS)
      this.elements.push(shortCopy(text(), MAX_JOURNAL_BODY));
  }

  /** Only the first end counts. */
  end(status: number, error?: string, explanation?: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { order, of, request, elements, call } = this;
    const { deprecated } = call;
    const place = placeOf(call);
    this.watch.add({
      ...{ order, ...of, status, error, explanation, deprecated, place, request, elements },
    });
  }
}

/** The place that the header of a call names, which is percent-encoded. */
export function placeOf({ header }: Pick<IncomingCall, 'header'>): string | undefined {
  const place = header(PLACE_HEADER);
  try {
    return place && decodeURI(place);
  } catch {
    return place;
  }
}

/** A message of gRPC as JSON. */
export const messageText = (message: object): string =>
  shortCopy(JSON.stringify(message, jsonValue), MAX_JOURNAL_BODY);

function jsonValue(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return isBytes(value) ? Buffer.from(value).toString('base64') : value;
}
