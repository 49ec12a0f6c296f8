/**
 * Finds the recorded exchange for a request. Also records the unused exchanges, and the requests that are not in
 * the recording.
 */
import { spelledOut } from '../daml/errors/printable.js';
import { routerOf } from '../http/routing/router.js';
import { isWebSocket, type HarEntry } from '../recording/har.js';
import type { Identities } from '../recording/identities.js';
import {
  differenceText,
  drawnIn,
  keysOf,
  requestOf,
  type PlainRequest,
} from '../recording/requests.js';
import { HarIndex, type IndexedExchange } from './har-index.js';
import { callOf } from './operation-of.js';
import { schemaError } from './schema-error.js';

/** `request`: any exchange with that request, unused exchanges first. `order`: only the next exchange of the file. */
export type ReplayOrder = 'request' | 'order';

export interface Found {
  readonly entry: HarEntry;
  /** The ids and times that differ in the current request. */
  readonly identities: Identities;
}

export class Replay {
  private readonly notFound: string[] = [];

  private constructor(
    private readonly index: HarIndex,
    private readonly order: ReplayOrder,
    /** The recorded answers that do not match their schema, as sentences. */
    readonly unfitting: readonly string[],
  ) {}

  /** @throws RecordingError if the file is not a HAR or is truncated; the system's error if it is unreadable */
  static async open(path: string, order: ReplayOrder): Promise<Replay> {
    const router = routerOf();
    const unfitting: string[] = [];
    const index = await HarIndex.open(path, async (entry, number) => {
      const { method, url } = entry.request;
      const routed = callOf(router, method, url, isWebSocket(entry));
      const error = routed && (await schemaError(routed, entry, router));
      if (error !== undefined)
        unfitting.push(spelledOut(`exchange ${number}, ${method} ${url}: ${error}`));
    });
    return new Replay(index, order, unfitting);
  }

  /** Finds the exchange that answers a request, and marks it as used; undefined if there is none. */
  find(request: PlainRequest): Found | undefined {
    const exchange = this.choose(request);
    if (exchange === undefined) return undefined;
    exchange.used = true;
    const entry = this.index.read(exchange);
    return { entry, identities: drawnIn(requestOf(entry), request) };
  }

  /** Whether the recording has a WebSocket at that path. */
  hasStream(target: string): boolean {
    const path = target.split('?', 1)[0];
    return this.index.exchanges.some(
      (each) => each.method === 'WS' && each.target.split('?', 1)[0] === path,
    );
  }

  /** Records that a request has no exchange. @returns a sentence with the nearest exchange */
  miss(request: PlainRequest): string {
    const sentence = `nothing is recorded for ${request.method} ${request.target}.`;
    const text = spelledOut(`${sentence} ${this.nearestText(request)}`);
    this.notFound.push(text);
    return text;
  }

  /** The requests without an exchange, a sentence each. */
  get missed(): readonly string[] {
    return [...this.notFound];
  }

  forgetMissed(): void {
    this.notFound.splice(0);
  }

  /** The unused exchanges, such as `exchange 3, GET /v2/version`. */
  get unused(): readonly string[] {
    return this.index.exchanges
      .filter(({ used, method }) => !used && method !== 'OPTIONS')
      .map(({ number, method, target }) => spelledOut(`exchange ${number}, ${method} ${target}`));
  }

  /** Marks every exchange as unused, and clears the missed requests. */
  rewind(): void {
    for (const each of this.index.exchanges) each.used = false;
    this.notFound.splice(0);
  }

  close(): void {
    this.index.close();
  }

  private choose(request: PlainRequest): IndexedExchange | undefined {
    const { exact, loose } = keysOf(request);
    const { exchanges } = this.index;
    if (this.order === 'order') {
      const next = exchanges.find(({ used, method }) => !used && method !== 'OPTIONS');
      return next?.loose === loose ? next : undefined;
    }
    return (
      exchanges.find((each) => !each.used && each.exact === exact) ??
      exchanges.find((each) => !each.used && each.loose === loose) ??
      exchanges.findLast((each) => each.exact === exact) ??
      exchanges.findLast((each) => each.loose === loose)
    );
  }

  private nearestText(request: PlainRequest): string {
    const next = this.index.exchanges.find(({ used, method }) => !used && method !== 'OPTIONS');
    const nearest = this.order === 'order' ? next : this.index.nearest(request);
    if (nearest === undefined) return 'The recording has no more.';
    const { number, method, target } = nearest;
    const difference = differenceText(requestOf(this.index.read(nearest)), request);
    const which = this.order === 'order' ? 'Next' : 'Nearest';
    return `${which} is exchange ${number}, ${method} ${target}: ${difference}.`;
  }
}
