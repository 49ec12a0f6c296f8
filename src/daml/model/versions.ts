/** Versions of packages and of Daml-LF: numbers separated by dots. */

const MAX_LENGTH = 255;
const MAX_INT = 0x7fffffff;

/** The ledger's error for an invalid package version; undefined for a valid one. */
export function packageVersionError(text: string): string | undefined {
  if (text.length > MAX_LENGTH)
    return `Package version string length (${text.length}) exceeds the maximum supported length (${MAX_LENGTH})`;
  if (!/^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))*$/.test(text))
    return `Invalid package version string: \`${text}\`. Package versions are non-empty strings consisting of segments of digits (without leading zeros) separated by dots.`;
  const tooLarge = text.split('.').find((segment) => Number(segment) > MAX_INT);
  return tooLarge === undefined ? undefined : `Failed parsing ${tooLarge} as an integer`;
}

/** Negative if the first is older, 0 if both are equal. `1` is older than `1.0`, because versions are ordered as sequences of numbers. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]! - right[i]!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
