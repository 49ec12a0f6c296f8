/**
 * A recording as HAR 1.2 has it (http://www.softwareishard.com/blog/har-12-spec/), with the messages of WebSockets where Chrome
 * writes them. Only what is used here is named: files of other tools have more, and may lack what is optional.
 */
import { TextDecoder } from 'node:util';

import { MAX_JSON_DEPTH } from './limits.js';

/** A header, a parameter of a query or of a form. */
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
    /** NOTE: HAR 1.2 has no word for bytes that are sent; `base64` here, as `encoding` is of an answer's. */
    readonly _encoding?: string;
  };
  readonly headersSize: number;
  readonly bodySize: number;
}

export interface HarResponse {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly cookies: readonly HarPair[];
  readonly headers: readonly HarPair[];
  readonly content: {
    readonly size: number;
    readonly mimeType: string;
    readonly text?: string;
    /** `base64`, where the text stands for bytes. */
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
  /** 1 of a text, 2 of bytes, whose data is base64. */
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
  /** What is not as it was: cut, broken off. */
  readonly comment?: string;
  readonly _resourceType?: string;
  readonly _webSocketMessages?: readonly HarMessage[];
}

/** Bytes of a body as a text of HAR: as they stand where they are UTF-8, base64 otherwise. */
export function harText(bytes: Uint8Array): { text: string; encoding?: 'base64' } {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    return { text: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param name in small letters */
export function headerOf(headers: readonly HarPair[], name: string): string | undefined {
  return headers.find((each) => each.name.toLowerCase() === name)?.value;
}
/** What was sent; undefined where nothing was. */
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

/** What was answered; undefined where the file does not hold it, as of a body that a browser has forgotten. */
export function answeredBody({ content }: HarResponse): Buffer | undefined {
  const { text, encoding, size } = content;
  if (text === undefined) return size > 0 ? undefined : Buffer.alloc(0);
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

/** Whether the exchange is a WebSocket. */
export const isWebSocket = ({ request, _webSocketMessages, response }: HarEntry): boolean =>
  _webSocketMessages !== undefined || response.status === 101 || /^wss?:/.test(request.url);

/** Of a message, as it was. */
export const textOf = ({ data, opcode }: HarMessage): string =>
  opcode === 2 ? Buffer.from(data, 'base64').toString() : data;

/** What a text is as JSON; undefined where it is none, or is nested deeper than what reads it may follow. */
export function jsonIn(text: string): { value: unknown } | undefined {
  if (depthOf(text) > MAX_JSON_DEPTH) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Levels of lists and objects, whatever stands in texts. */
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
