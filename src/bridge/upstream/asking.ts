/** What a client of a participant does, a request at a time: whoever drives it sends each and hands the answer back, waiting or not. */
import type { JsonAnswer } from '../../script/remote/json-api.js';

/** A request of the JSON Ledger API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** JSON, unless it is bytes. */
  readonly body?: object | Uint8Array;
  /** Whether it goes without the token. */
  readonly isAnonymous?: true;
}

export type Asking<T> = Generator<ApiRequest, T, JsonAnswer>;
