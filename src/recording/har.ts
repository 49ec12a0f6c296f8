/**
 * The types of a recording in the format of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), with the
 * messages of WebSockets where Chrome writes them. The types have only the members that are used here: files of
 * other tools have more, and may lack optional members.
 */
import { TextDecoder } from 'node:util';

import { MAX_JSON_DEPTH } from './limits.js';

/** A header, or a parameter of a query or form. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

export interface HarRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly httpVersion: string;
  readonly cookies: readonly HarPair[];
  readonly headers: readonly HarPair[];
  readonly queryString: readonly HarPair[];
  readonly postData?: {
    readonly mimeType: string;
    readonly text?: string;
    readonly params?: readonly HarPair[];
    /** `base64` if the text encodes bytes. NOTE: HAR 1.2 has no such member for requests; answers have `encoding`. */
    readonly _encoding?: string;
  };
  readonly headersSize: number;
  readonly bodySize: number;
}

export interface HarResponse {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly cookies: readonly HarPair[];
  readonly headers: readonly HarPair[];
  readonly content: {
    readonly size: number;
    readonly mimeType: string;
    readonly text?: string;
    /** `base64` if the text encodes bytes. */
    readonly encoding?: string;
    readonly comment?: string;
  };
  readonly redirectURL: string;
  readonly headersSize: number;
  readonly bodySize: number;
}

export interface HarMessage {
  readonly type: 'send' | 'receive';
  /** Seconds since 1970. */
  readonly time: number;
  /** 1 for a text, 2 for bytes, whose data is base64. */
  readonly opcode: number;
  readonly data: string;
}

export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** Milliseconds. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: object;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  /** A note that the exchange is incomplete: cut, or broken off. */
  readonly comment?: string;
  readonly _resourceType?: string;
  readonly _webSocketMessages?: readonly HarMessage[];
}

/** The bytes of a body as a HAR text: unchanged if they are UTF-8, base64 otherwise. */
export function harText(bytes: Uint8Array): { text: string; encoding?: 'base64' } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param name in lower case */
export function headerOf(headers: readonly HarPair[], name: string): string | undefined {
  return headers.find((each) => each.name.toLowerCase() === name)?.value;
}
/** The request body; undefined if there was none. */
export function sentBody({ postData }: HarRequest): Buffer | undefined {
  if (postData === undefined) return undefined;
  const { text, params = [], _encoding } = postData;
  if (text === undefined && params.length === 0) return undefined;
  const form = () =>
    new URLSearchParams(
      params.map(({ name, value }): [string, string] => [name, value]),
    ).toString();
  return Buffer.from(text ?? form(), _encoding === 'base64' ? 'base64' : 'utf8');
}

/** The answer's body; undefined if the file does not contain it, for example because the browser dropped it. */
export function answeredBody({ content }: HarResponse): Buffer | undefined {
  const { text, encoding, size } = content;
  if (text === undefined) return size > 0 ? undefined : Buffer.alloc(0);
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

/** Whether the exchange is a WebSocket. */
export const isWebSocket = ({ request, _webSocketMessages, response }: HarEntry): boolean =>
  _webSocketMessages !== undefined || response.status === 101 || /^wss?:/.test(request.url);

/** The original text of a message. */
export const textOf = ({ data, opcode }: HarMessage): string =>
  opcode === 2 ? Buffer.from(data, 'base64').toString() : data;

/** The JSON value of a text; undefined if it is not JSON, or exceeds the nesting limit. */
export function jsonIn(text: string): { value: unknown } | undefined {
  if (depthOf(text) > MAX_JSON_DEPTH) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The nesting depth of lists and objects, without brackets in strings. */
function depthOf(text: string): number {
  if (text.length <= MAX_JSON_DEPTH) return 0;
  let [depth, deepest] = [0, 0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i += 1; i < text.length && text.charCodeAt(i) !== QUOTE; i += 1)
        if (text.charCodeAt(i) === BACKSLASH) i += 1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth -= 1;
  }
  return deepest;
}

const [QUOTE, BACKSLASH] = [34, 92];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93];
