/** Pure functions of texts that come again and again, such as ids: what they answered is kept, up to a number of texts. */

const MAX_TEXTS = 10_000;

export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = compute(text);
      // Texts from outside may be all different: nothing is kept for ever.
      if (known.size >= MAX_TEXTS) known.clear();
      known.set(text, found);
    }
    return found;
  };
}
