/** Texts from outside, where something outlives the request that brought them. */

/**
 * The text. If it is longer than the limit, its beginning, followed by its length.
 * NOTE: a part of a text, and one that was joined, hold on to the whole in V8: this is a copy, which holds on to nothing.
 * @param limit in UTF-16 code units
 */
export function shortCopy(text: string, limit: number): string {
  const copy = Buffer.from(text.slice(0, limit), 'utf16le').toString('utf16le');
  return text.length <= limit ? copy : `${copy}… (${text.length} characters)`;
}
