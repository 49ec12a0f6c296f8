/**
 * Limits a google.rpc.Status to 4096 bytes, as a participant does. Mandatory parts come first. Context and
 * resources share the rest in proportion to their number. Long entries are cut, and entries that do not fit are
 * dropped.
 */

import { scalaOrder, textHash } from '../../../daml/errors/scala-order.js';

type Pair = readonly [name: string, value: string];

const MAX_STATUS_BYTES = 4096;
/** Tag and length of a text. */
const TAG_BYTES = 5;
const MAX_KEY = 63;
/** An empty detail packed as Any, with its type URL. */
const PACKED_ERROR_INFO_BYTES = 42;
const PACKED_RETRY_INFO_BYTES = 42;
const PACKED_REQUEST_INFO_BYTES = 44;
const PACKED_RESOURCE_INFO_BYTES = 45;
/** The number of the status. */
const CODE_BYTES = 1 + TAG_BYTES;
/** Longer ids are cut. */
const MAX_ID = 256;
/** A shorter part of an entry would not be useful. */
const MIN_ENTRY = 8;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A correlation id or a trace id, in its printed form. */
export function shortenId(id: string): string {
  return cut(id, MAX_ID);
}

/** The mandatory parts. */
interface Mandatory {
  readonly texts: readonly string[];
  readonly retrySeconds: number | undefined;
  readonly requestId: string | undefined;
}

/** Bytes for context entries and for resources, in addition to the mandatory parts. */
export function detailsBudget(
  { texts, retrySeconds, requestId }: Mandatory,
  contextEntries: number,
  resources: number,
) {
  const textBytes = texts.reduce((sum, each) => sum + bytesOf(each) + TAG_BYTES, CODE_BYTES);
  const retry =
    retrySeconds === undefined ? 0 : packed(PACKED_RETRY_INFO_BYTES, retrySeconds === 0 ? 2 : 4);
  const request =
    requestId === undefined ? 0 : packed(PACKED_REQUEST_INFO_BYTES, fieldBytes(bytesOf(requestId)));
  const entries = contextEntries + resources;
  const left =
    MAX_STATUS_BYTES -
    textBytes -
    retry -
    request -
    PACKED_ERROR_INFO_BYTES -
    2 * TAG_BYTES * entries;
  const forResources = entries === 0 ? 0 : Math.trunc((resources * left) / entries);
  return { context: left - forResources, resources: forResources };
}

/** A detail packed as Any. @param empty without its content */
function packed(empty: number, content: number): number {
  return empty + fieldBytes(content) + TAG_BYTES;
}

/** The bytes of a field with content of the given length: its tag, its length and the content. */
function fieldBytes(content: number): number {
  return 1 + (content < 128 ? 1 : 2) + content;
}

/** Most errors have the same few lists of names. */
const MAX_ORDERS = 256;
/** By the names of entries: their positions in the order of Scala's map. */
const orders = new Map<string, readonly number[]>();

/**
 * In the order of Scala's map of them (B-ERR-035).
 * @param entries whose names are valid metadata keys, which have no spaces
 */
export function inScalaOrder(entries: readonly Pair[]): readonly Pair[] {
  let names = '';
  for (const [name] of entries) names += `${name} `;
  let order = orders.get(names);
  if (order === undefined) {
    if (orders.size === MAX_ORDERS) orders.clear();
    orders.set(names, (order = orderOf(entries)));
  }
  return order.map((place) => entries[place]!);
}

/** If several entries have the same name, the last counts. */
function orderOf(entries: readonly Pair[]): readonly number[] {
  const places = new Map(entries.map(([name], place) => [name, place]));
  return scalaOrder([...places.keys()], textHash).map((name) => places.get(name)!);
}

/**
 * Keys become valid metadata keys. Entries without a key or a value are left out. The longest entries are cut
 * first; among equal lengths, the first in the map.
 */
export function shortenContext(entries: readonly Pair[], budget: number): Pair[] {
  let [bytes, characters] = [0, 0];
  for (const [key, value] of entries) {
    bytes += bytesOf(key) + bytesOf(value);
    characters += key.length + value.length;
  }
  const isCut = bytes > budget;
  // If no entry is cut, the order does not matter.
  const candidates = (isCut ? orderOf(entries).map((place) => entries[place]!) : entries)
    .map(([key, value]): Pair => [key.replace(/[^(a-zA-Z0-9\-_)]/g, '').slice(0, MAX_KEY), value])
    .filter(([key, value]) => key !== '' && value !== '')
    .sort((a, b) => a[0].length + a[1].length - b[0].length - b[1].length);
  // If all characters are single bytes, every share is large enough for its entry.
  if (!isCut && bytes === characters) return candidates;
  const chosen: Pair[] = [];
  let free = budget;
  for (const [index, entry] of candidates.entries()) {
    const share = Math.trunc(free / (candidates.length - index));
    const fitted = fit(entry, share);
    if (fitted === undefined || bytesOf(fitted[0]) + bytesOf(fitted[1]) > share) continue;
    chosen.push(fitted);
    free -= bytesOf(fitted[0]) + bytesOf(fitted[1]);
  }
  return chosen;
}

function fit([key, value]: Pair, size: number): Pair | undefined {
  if (key.length + value.length <= size) return [key, value];
  if (size < MIN_ENTRY) return undefined;
  const cutKey = cut(key, Math.trunc(size / 2));
  return [cutKey, cut(value, size - cutKey.length)];
}

function cut(text: string, size: number): string {
  return text.length > size ? `${text.slice(0, size - 3)}...` : text;
}

export function shortenResources(resources: readonly Pair[], budget: number): Pair[] {
  let free = budget;
  return resources.filter(([type, value]) => {
    const size = bytesOf(type) + bytesOf(value) + PACKED_RESOURCE_INFO_BYTES;
    if (size > free) return false;
    free -= size;
    return true;
  });
}
