/** Caches pure functions of texts that repeat, such as ids, up to a maximum number of texts and characters. */

const MAX_TEXTS = 10_000;
const MAX_CHARACTERS = 2 ** 22;

export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let characters = 0;
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = compute(text);
      // Texts in requests can all be different, so the cache must be bounded.
      characters += text.length;
      if (known.size >= MAX_TEXTS || characters > MAX_CHARACTERS) {
        known.clear();
        characters = text.length;
      }
      if (characters <= MAX_CHARACTERS) known.set(text, found);
    }
    return found;
  };
}
