/** The distance between two texts, for messages that suggest the intended name. */

/** Letters to change, add or drop to get from one text to the other. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(change, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}

/** The name that was probably meant, if one is near enough. The first of several that are equally near. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const best = closest(given, names);
  if (best === undefined) return undefined;
  const { name, distance, length } = best;
  const limit = Math.max(1, Math.round(Math.max(length, name.length) * 0.4));
  return distance <= limit ? name : undefined;
}

/** Maximum number of names that a suggestion lists. */
const MAX_LISTED = 12;
/** Maximum number of names that a suggestion lists because the given text is a part of them. */
const MAX_CONTAINING = 5;
/** Minimum number of letters in such a text. */
const MIN_PART = 3;

/**
 * ` Did you mean 'x'?`. If no name is near enough, the names that contain the text, all names of a short list, or the nearest name of a
 * long one. Empty without names.
 */
export function suggestion(given: string, names: readonly string[]): string {
  const part = lettersOf(given);
  const containing =
    part.length < MIN_PART ? [] : names.filter((each) => lettersOf(each).includes(part));
  if (containing.length > 1) return listed(containing.slice(0, MAX_CONTAINING));
  const meant = containing[0] ?? nearest(given, names);
  if (meant !== undefined) return ` Did you mean '${meant}'?`;
  if (names.length === 0) return '';
  return names.length <= MAX_LISTED
    ? listed(names)
    : ` The nearest of ${names.length} names is '${closest(given, names)!.name}'.`;
}

const listed = (names: readonly string[]): string => ` There are: ${names.join(', ')}.`;

/** So that `POST /v2/updates` is a part of `postV2Updates`. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

interface Closest {
  readonly name: string;
  readonly distance: number;
  /** The length of the compared part of the text. */
  readonly length: number;
}

/** The first of several that are equally near. Undefined without names. */
function closest(given: string, names: readonly string[]): Closest | undefined {
  const wanted = given.slice(0, 64).toLowerCase();
  let best: Closest | undefined;
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (best === undefined || distance < best.distance)
      best = { name, distance, length: wanted.length };
  }
  return best;
}
