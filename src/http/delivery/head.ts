/** The head of an answer, as Pekko writes it (B-GEN-059). */

export const SERVER = 'pekko-http/1.1.0';

/**
 * Names and values by turns.
 * @param length of the body; undefined for a chunked body @param connection the data of its head
 */
export function headOf(
  headers: Readonly<Record<string, string>>,
  length: number | undefined,
  connection = headers.connection,
): string[] {
  const head = ['Server', SERVER];
  if (connection !== undefined) head.push('Connection', connection);
  for (const name in headers)
    if (name !== 'connection') head.push(shownName(name), headers[name] as string);
  if (length !== undefined) head.push('Content-Length', String(length));
  return head;
}

/** Answers have few different ones. */
const MOST_NAMES = 100;
const names = new Map<string, string>();

/** The names of tracing headers are written unchanged. */
function shownName(name: string): string {
  let shown = names.get(name);
  if (shown === undefined) {
    shown = name.startsWith('trace')
      ? name
      : name.replace(/^www(?=-)|(?<=^|-)[a-z]/g, (part) => part.toUpperCase());
    if (names.size < MOST_NAMES) names.set(name, shown);
  }
  return shown;
}
