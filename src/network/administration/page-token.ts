/** Page tokens of the user and party lists: URL-safe base64 of a protobuf message that holds the last id of the page. */
import type { TextRule } from '../../daml/model/identifiers.js';
import { withoutTrailing } from '../../daml/model/scans.js';
import { message, plain, text } from '../protobuf/messages.js';
import { invalidArgument } from '../model/request-errors.js';

const LastId = message<{ readonly lastId: string }>({ lastId: plain(1, text) });

export interface Page<T> {
  readonly items: readonly T[];
  /** Empty after the last page. A full page has a token even if no page follows. */
  readonly nextPageToken: string;
}

function encodePageToken(lastId: string): string {
  return Buffer.from(LastId.encode({ lastId }))
    .toString('base64')
    .replace(/\+/g, '-')
    .replace(/\//g, '_');
}

/** @throws LedgerError INVALID_ARGUMENT for an invalid token (B-PTY-020, B-USR-011); undefined for an empty one. */
export function decodePageToken(token: string, idError: TextRule): string | undefined {
  if (token === '') return undefined;
  const lastId = readLastId(token);
  if (lastId === undefined || idError(lastId) !== undefined)
    throw invalidArgument('Invalid page token');
  return lastId;
}

function readLastId(token: string): string | undefined {
  const body = withoutTrailing(token, '=');
  const isPadded = body.length !== token.length;
  if (
    !/^[A-Za-z0-9_-]+$/.test(body) ||
    body.length % 4 === 1 ||
    (isPadded && token.length % 4 !== 0)
  )
    return undefined;
  try {
    return LastId.decode(Buffer.from(body, 'base64url')).lastId;
  } catch {
    return undefined;
  }
}

/**
 * The ids of one page.
 * @param sorted ascending
 */
export function pageOf(
  sorted: readonly string[],
  after: string | undefined,
  size: number,
): Page<string> {
  const start = after === undefined ? 0 : firstAbove(sorted, after);
  const items = sorted.slice(start, start + size);
  const last = items.at(-1);
  return {
    items,
    nextPageToken: last === undefined || items.length < size ? '' : encodePageToken(last),
  };
}

function firstAbove(sorted: readonly string[], id: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
