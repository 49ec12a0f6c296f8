/**
 * How a participant keeps a google.rpc.Status below 4096 bytes: what must be told comes first, context and resources share
 * what is left by their number, long entries are cut, and what does not fit is dropped.
 */

type Pair = readonly [name: string, value: string];

const MAX_STATUS_BYTES = 4096;
/** Tag and length of a text. */
const TAG_BYTES = 5;
const MAX_KEY = 63;
/** An empty detail packed as Any, with its type URL. */
const PACKED_ERROR_INFO_BYTES = 42;
const PACKED_RESOURCE_INFO_BYTES = 45;
/** Bytes of the code, the retry delay and the request id, tags included. */
const OTHER_MANDATORY_BYTES = 160;
/** Below this an entry that was cut would say nothing. */
const MIN_ENTRY = 8;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Bytes for context entries and for resources, beside the texts that must be told. */
export function detailsBudget(
  mandatory: readonly string[],
  contextEntries: number,
  resources: number,
) {
  const told = mandatory.reduce((sum, each) => sum + bytesOf(each) + TAG_BYTES, 0);
  const entries = contextEntries + resources;
  const left =
    MAX_STATUS_BYTES -
    told -
    OTHER_MANDATORY_BYTES -
    PACKED_ERROR_INFO_BYTES -
    2 * TAG_BYTES * entries;
  const forResources = entries === 0 ? 0 : Math.trunc((resources * left) / entries);
  return { context: left - forResources, resources: forResources };
}

/** Keys become valid metadata keys; entries without a key or a value are left out; the longest are cut first. */
export function shortenContext(entries: readonly Pair[], budget: number): Pair[] {
  const candidates = entries
    .map(([key, value]): Pair => [key.replace(/[^(a-zA-Z0-9\-_)]/g, '').slice(0, MAX_KEY), value])
    .filter(([key, value]) => key !== '' && value !== '')
    .sort((a, b) => a[0].length + a[1].length - b[0].length - b[1].length);
  const kept: Pair[] = [];
  let free = budget;
  for (const [index, entry] of candidates.entries()) {
    const share = Math.trunc(free / (candidates.length - index));
    const fitted = fit(entry, share);
    if (fitted === undefined || bytesOf(fitted[0]) + bytesOf(fitted[1]) > share) continue;
    kept.push(fitted);
    free -= bytesOf(fitted[0]) + bytesOf(fitted[1]);
  }
  return kept;
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
