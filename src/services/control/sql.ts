/** SQL over the ledger. */
import { isBytes } from '../../daml/errors/realms.js';
import type { SqlAnswer } from '../../spec/generated/control.js';
import { HttpRefusal, type SomeHandlers } from '../handler.js';

export const sql = {
  querySql: async ({ sql: access }, { body }) => {
    const { sql: text, params = [], database } = body;
    const databases = access?.();
    if (databases === undefined)
      throw new HttpRefusal(404, 'This Canticle has no SQL. Start it with --pqs.');
    if (database !== undefined && !databases.databases.includes(database))
      throw new HttpRefusal(
        404,
        `This Canticle has no database '${database}', only ${databases.databases.join(', ')}.`,
      );
    try {
      const { rows, fields, rowCount } = await databases.query(text, params, { database });
      const columns = fields.map(({ name }) => name);
      return {
        columns,
        rows: rows.map((row) => columns.map((name) => jsonOf(row[name]))),
        rowCount,
      } as SqlAnswer;
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      // An error of the statement has a SQLSTATE.
      if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) throw error;
      throw new HttpRefusal(400, `${code}: ${message}`);
    }
  },
} satisfies SomeHandlers<'control'>;

/** A value of SQL as JSON: bytes as PostgreSQL writes them, and large numbers as texts. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (isBytes(value)) return `\\x${Buffer.from(value).toString('hex')}`;
  return value ?? null;
}
