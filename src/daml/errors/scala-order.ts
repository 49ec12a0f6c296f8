/**
 * The order of Scala's immutable sets and maps (2.13). Up to four keys, it is the order of insertion. From five keys on, they are hash
 * tries, even after removals. Canton prints and iterates many of them.
 */

export type HashOf<Key> = (key: Key) => number;

/** With more keys than this, they are tries. */
const SMALL = 4;

/** `String.hashCode` of Java. */
export function textHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash;
}

const SEQUENCE = textHash('Seq');
const PRODUCT = 0xcafebabe | 0;

/** The hash of a case class, a tuple (`Tuple2`) or `Some`, from the hashes of its members. Without members, it is the hash of its name. */
export function caseClassHash(className: string, members: readonly number[]): number {
  if (members.length === 0) return textHash(className);
  const hash = members.reduce(mixed, mixed(PRODUCT, textHash(className)));
  return finished(hash ^ members.length);
}

/**
 * The hash of a `Seq` (list, vector, array), from the hashes of its elements. Two or more evenly spaced elements have the hash of a range.
 */
export function sequenceHash(elements: readonly number[]): number {
  const [first = 0, second = first] = elements;
  const step = (second - first) | 0;
  const isEven = elements.every(
    (hash, index) => index === 0 || ((hash - (elements[index - 1] as number)) | 0) === step,
  );
  if (elements.length === 2 || (isEven && step !== 0)) {
    const last = elements[elements.length - 1] as number;
    return finished([first, step, last].reduce(mixed, SEQUENCE));
  }
  return finished(elements.reduce(mixed, SEQUENCE) ^ elements.length);
}

/** The hash of a module, template or type name of Daml-LF: that of the sequence of its segments. */
export function dottedNameHash(name: string): number {
  return sequenceHash(name.split('.').map(textHash));
}

/**
 * The keys of an immutable set or map, in its order.
 * @param keys distinct, in the order of insertion
 * @param largest the largest number of keys that it has had, because it stays a trie after removals
 */
export function scalaOrder<Key>(
  keys: readonly Key[],
  hashOf: HashOf<Key>,
  largest = keys.length,
): readonly Key[] {
  return isTrie(largest) ? trieOrder(keys, hashOf) : keys;
}

/** Whether a set or map with this largest number of keys is a `HashSet` or `HashMap`. */
export function isTrie(largest: number): boolean {
  return largest > SMALL;
}

/**
 * Keys in the order of a `HashMap` or `HashSet` of any size: one with five keys or more, or a result of `groupBy` or of mapping such a map.
 */
export function trieOrder<Key>(keys: readonly Key[], hashOf: HashOf<Key>): Key[] {
  const entries = keys.map((key): Entry<Key> => ({ key, hash: spread(hashOf(key)) }));
  return walked(entries, 0).map(({ key }) => key);
}

interface Entry<Key> {
  readonly key: Key;
  readonly hash: number;
}

const BITS_OF_LEVEL = 5;
const BITS_OF_HASH = 32;

/** At each level, first the keys that are alone in their slot, then the slots with several keys, each with its own levels. */
function walked<Key>(entries: readonly Entry<Key>[], shift: number): readonly Entry<Key>[] {
  // Equal hashes: in the order of insertion.
  if (shift >= BITS_OF_HASH) return entries;
  const slots: Entry<Key>[][] = [];
  for (const entry of entries) {
    const slot = (entry.hash >>> shift) & (2 ** BITS_OF_LEVEL - 1);
    (slots[slot] ??= []).push(entry);
  }
  // The non-empty slots in order.
  const filled = Object.values(slots);
  const alone = filled.filter((slot) => slot.length === 1);
  const shared = filled.filter((slot) => slot.length > 1);
  return [...alone.flat(), ...shared.flatMap((slot) => walked(slot, shift + BITS_OF_LEVEL))];
}

/** The transformation of a hash in `HashMap` and `HashSet`, before it is cut into levels. */
function spread(code: number): number {
  let hash = (code + ~(code << 9)) | 0;
  hash ^= hash >>> 14;
  hash = (hash + (hash << 4)) | 0;
  return hash ^ (hash >>> 10);
}

/** The order of texts as keys of Java's `ConcurrentHashMap`, inserted one by one: bucket by bucket. */
export function concurrentMapOrder(keys: readonly string[]): string[] {
  let buckets = 16;
  while (keys.length >= 0.75 * buckets) buckets *= 2;
  const bucketOf = (key: string): number => {
    const hash = textHash(key);
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return keys
    .map((key) => ({ key, bucket: bucketOf(key) }))
    .sort((a, b) => a.bucket - b.bucket)
    .map(({ key }) => key);
}

/** MurmurHash3, 32 bits. */
function mixed(hash: number, data: number): number {
  const block = Math.imul(rotated(Math.imul(data, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotated(hash ^ block, 13), 5) + 0xe6546b64) | 0;
}

function finished(hash: number): number {
  let rest = hash;
  rest = Math.imul(rest ^ (rest >>> 16), 0x85ebca6b);
  rest = Math.imul(rest ^ (rest >>> 13), 0xc2b2ae35);
  return rest ^ (rest >>> 16);
}

function rotated(bits: number, by: number): number {
  return (bits << by) | (bits >>> (BITS_OF_HASH - by));
}
