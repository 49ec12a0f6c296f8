/**
 * The content of a file of `fixtures/messages`: for one operation, a request and its answer for each status that
 * its document lists and a running world gave. `fixtures/worlds` makes them. The served documents,
 * `canticle/fixtures` and the arbitraries read them.
 */
import type { Api } from './api.js';
import type { Method } from './schema.js';

/** A body is JSON or text; `bytes` is any other body, in base64. */
export interface RecordedBody {
  readonly contentType?: string;
  readonly body?: unknown;
  readonly bytes?: string;
}

export interface RecordedRequest extends RecordedBody {
  readonly method: string;
  /** From the root of the shared port, with the query: `/api/scan/v0/dso`. */
  readonly path: string;
}

/** A client's request, and its answer. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly response: RecordedBody & { readonly status: number };
}

/** The message that a WebSocket's client sent, and the elements that it received. */
export interface RecordedStream {
  /** The request of the WebSocket. */
  readonly path: string;
  /** The first frame, as JSON. */
  readonly sent: unknown;
  /** Frames in order, as JSON. */
  readonly received: readonly unknown[];
}

export interface MessageFixture {
  readonly api: Api;
  readonly operationId: string;
  readonly method: Method;
  /** As in the API's document: `/v2/parties/{party}`. */
  readonly path: string;
  /** By the status in the document: `200`, `404`, `default`. */
  readonly exchanges: Readonly<Record<string, Exchange>>;
  /** If the operation is a channel too: elements, and the errors of requests there. */
  readonly streams?: { readonly accepted: RecordedStream; readonly refused: RecordedStream };
}

/** Finds a fixture; undefined if it or the files are missing. */
export type ReadFixture = (api: Api, operationId: string) => MessageFixture | undefined;
