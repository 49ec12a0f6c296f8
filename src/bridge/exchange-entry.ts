/** Converts a request and answer that passed a proxy to a HAR exchange. */
import type { HarEntry, HarPair, HarRequest } from '../recording/har.js';
import { headerOf } from '../recording/har.js';
import type { RecordedBody } from './recorded-body.js';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  /** The URL for the other side. */
  readonly url: URL;
  readonly httpVersion: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
  readonly started: Date;
}

/** The answer, or the reason why there is none. */
export interface Answered {
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: readonly string[];
  readonly comment?: string;
}

function pairsOf(rawHeaders: readonly string[]): HarPair[] {
  const pairs: HarPair[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    pairs.push({ name: rawHeaders[i]!, value: rawHeaders[i + 1]! });
  return pairs;
}

export function entryOf(
  request: ReceivedRequest,
  sent: RecordedBody,
  answered: Answered,
  received: RecordedBody,
): HarEntry {
  const headers = pairsOf(answered.rawHeaders);
  const time = Date.now() - request.started.getTime();
  const { cut, size, ...text } = received.read(headerOf(headers, 'content-encoding'));
  const { comment } = answered;
  return {
    startedDateTime: request.started.toISOString(),
    time,
    request: requestOf(request, sent),
    response: {
      status: answered.status,
      statusText: answered.statusText,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers,
      content: {
        size,
        mimeType: headerOf(headers, 'content-type') ?? '',
        ...(cut === undefined || text.text !== undefined ? text : {}),
        ...(cut !== undefined && { comment: cut }),
      },
      redirectURL: headerOf(headers, 'location') ?? '',
      headersSize: -1,
      bodySize: received.length,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(comment !== undefined && { comment }),
  };
}

function requestOf(
  { method, url, httpVersion, rawHeaders }: ReceivedRequest,
  sent: RecordedBody,
): HarRequest {
  const headers = pairsOf(rawHeaders);
  const { text, encoding } = sent.read(headerOf(headers, 'content-encoding'));
  return {
    method,
    url: url.href,
    httpVersion: `HTTP/${httpVersion}`,
    cookies: [],
    headers,
    queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
    ...(sent.length > 0 && {
      postData: {
        mimeType: headerOf(headers, 'content-type') ?? '',
        ...(text !== undefined && { text }),
        ...(encoding !== undefined && { _encoding: encoding }),
      },
    }),
    headersSize: -1,
    bodySize: sent.length,
  };
}
