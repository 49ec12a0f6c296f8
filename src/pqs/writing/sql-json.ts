/** JSON that PostgreSQL accepts: it has no character 0 and no half of a surrogate pair, which texts of Daml can have. */

/** Replaces a character that PostgreSQL cannot store. */
const REPLACEMENT = '\uFFFD';
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

export function sqlJson(value: unknown): string {
  const json = JSON.stringify(value);
  // Hardly any text has such a character, and JSON has an escape for each.
  return /\\u0000|\\ud[89a-f]/.test(json) ? JSON.stringify(storable(value)) : json;
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(UNSTORABLE, REPLACEMENT);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storable(key), storable(member)]),
  );
}
