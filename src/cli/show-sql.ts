/** `canticle sql`: runs a statement over the ledger of a running Canticle, and prints its rows. */
import { fromControls, usingAnswer } from './running-program.js';
import { CommandFailed, type Terminal } from './terminal.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE = 60_000;
/** The widest column of a table, in characters. */
const MAX_WIDTH = 60;

export interface SqlFlags {
  readonly url: string;
  readonly database?: string;
  readonly json?: true;
}

interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly rowCount: number;
}

/** @returns the exit status @throws CommandFailed with the error of PostgreSQL */
export async function showSql(
  sql: string,
  { url, database, json }: SqlFlags,
  { stdout }: Terminal,
): Promise<number> {
  const { status, bytes } = await fromControls(url, 'sql', { patience: PATIENCE }, (side, target) =>
    side.request({
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sql, ...(database !== undefined && { database }) }),
    }),
  );
  const answer = usingAnswer(
    url,
    () => JSON.parse(bytes.toString()) as Answer & { error?: string },
  );
  if (status !== 200) throw new CommandFailed(`failed to query: ${answer.error ?? status}`);
  const lines = usingAnswer(url, () => (json === true ? asJson(answer) : asTable(answer)));
  stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

/** One object per line. */
const asJson = ({ columns, rows }: Answer): readonly string[] =>
  rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, row[at]]))));

function asTable({ columns, rows, rowCount }: Answer): readonly string[] {
  const count = `(${rowCount} ${rowCount === 1 ? 'row' : 'rows'})`;
  if (columns.length === 0) return [count];
  const cells = [columns, ...rows.map((row) => row.map(shown))].map((row) => row.map(shortened));
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line), count];
}

const shown = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** Without control characters, which a terminal would obey. */
function shortened(text: string): string {
  const printable = text.replace(/[\p{Cc}\p{Cf}]/gu, (each) => JSON.stringify(each).slice(1, -1));
  return printable.length > MAX_WIDTH ? `${printable.slice(0, MAX_WIDTH - 1)}…` : printable;
}
