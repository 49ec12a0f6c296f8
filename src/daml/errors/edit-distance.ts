/** How far apart two texts are, for messages that name what was probably meant. */

/** Letters to change, add or drop to get from one text to the other. */
export function editDistance(a: string, b: string): number {
  if (a === b) return 0;
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
  const wanted = given.slice(0, 64).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  if (best === undefined) return undefined;
  const limit = Math.max(1, Math.round(Math.max(wanted.length, best.name.length) * 0.4));
  return best.distance <= limit ? best.name : undefined;
}
