/** The index of error codes in the guide lists each code of the catalogue once, with the HTTP status and the code that clients see. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CATALOGUE,
  type ErrorCode,
  HTTP_STATUS_OF_GRPC,
  ledgerError,
  REDACTED_CODE,
} from '../../src/daml/index.js';
import { root } from '../repository/built-package.js';

/** Rows such as `| `CODE` | 404 | meaning | fix |`; a code that is hidden from clients has `NA` after its status. */
const rows = readFileSync(join(root, 'docs/guides/error-codes.md'), 'utf8')
  .split('\n')
  .map((line) => line.split(/ *\| */))
  .filter(([, code]) => /^`[A-Z][A-Z0-9_]+`$/.test(code ?? ''))
  .map(([, code, status, meaning, fix]) => ({ code: code!.slice(1, -1), status, meaning, fix }));

function statusOf(code: ErrorCode): string {
  const { row, grpcCode, isRedacted } = ledgerError(code, 'why');
  const status = row.httpStatus ?? HTTP_STATUS_OF_GRPC[grpcCode];
  return isRedacted ? `${status}, \`${REDACTED_CODE}\`` : String(status);
}

it('lists each code that Canticle can return, once', () => {
  expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(CATALOGUE).sort());
});

it('has the HTTP status of each code, and whether clients see it', () => {
  const stated = Object.fromEntries(rows.map(({ code, status }) => [code, status]));
  const real = Object.fromEntries(rows.map(({ code }) => [code, statusOf(code as ErrorCode)]));
  expect(stated).toEqual(real);
});

it('has a meaning and a fix for each code', () => {
  const incomplete = rows.filter(
    ({ meaning, fix }) => !meaning?.endsWith('.') || !/[.)]$/.test(fix ?? ''),
  );
  expect(incomplete).toEqual([]);
});
