/** The precedence of errors as a table: a request has all faults, and each row fixes one of them. */
import type { LedgerApi, JsonAnswer } from './ledger-api.js';

export type Row = readonly [code: string, fault: string, mend: (request: JsonAnswer) => unknown];

/** The last row of a table. */
export const ACCEPTED: Row = ['accepted', 'no fault', () => undefined];

/** A text that each field rejects. */
export const SNOWMAN = '☃';
export const NOWHERE = `nowhere::1220${'0'.repeat(64)}`;
export const UNKNOWN_CONTRACT = `00${'0'.repeat(64)}ca121220${'0'.repeat(64)}`;

export const days = (count: number) => ({
  DeduplicationDuration: { value: { seconds: count * 86_400, nanos: 0 } },
});

/** Runs the table; the last row is the answer to the request without faults. */
export async function expectOrder(
  api: LedgerApi,
  path: string,
  request: JsonAnswer,
  rows: readonly Row[],
): Promise<void> {
  const answered: string[] = [];
  const causes: string[] = [];
  for (const [, fault, mend] of rows) {
    const { status, body } = await api.post(path, request);
    const code = status === 200 ? 'accepted' : typeof body === 'string' ? 'plain text' : body.code;
    answered.push(`${code} for ${fault}`);
    causes.push(JSON.stringify(typeof body === 'string' ? body : (body.cause ?? body)));
    mend(request);
  }
  expect(answered).toEqual(rows.map(([code, fault]) => `${code} for ${fault}`));
  // Two rows with the same code are two faults.
  expect(new Set(causes).size).toBe(causes.length);
}
