/**
 * What a file of `fixtures/messages` holds: of one operation a request and its answer for each status that its document names and
 * that a running world gave. `fixtures/worlds` makes them; the served documents, `canticle/fixtures` and the arbitraries read them.
 */
import type { Api } from './api.js';
import type { Method } from './schema.js';

/** A body is JSON, or the text that stands there; `bytes` is what is neither, in base64. */
export interface RecordedBody {
  readonly contentType?: string;
  readonly body?: unknown;
  readonly bytes?: string;
}

export interface RecordedRequest extends RecordedBody {
  readonly method: string;
  /** With its query, from the root of the one port: `/api/scan/v0/dso`. */
  readonly path: string;
}

/** What a client asked, and what it was told. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly response: RecordedBody & { readonly status: number };
}

/** What a client of a WebSocket sent, and the elements that came. */
export interface RecordedStream {
  /** Of the WebSocket. */
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
  /** By the status as the document has it: `200`, `404`, `default`. */
  readonly exchanges: Readonly<Record<string, Exchange>>;
  /** Where the operation is a channel too: elements, and how a request is refused there. */
  readonly streams?: { readonly accepted: RecordedStream; readonly refused: RecordedStream };
}

/** Finds one; undefined where there is none, or where the files are not there. */
export type ReadFixture = (api: Api, operationId: string) => MessageFixture | undefined;
