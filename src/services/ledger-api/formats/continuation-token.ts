/**
 * Tokens that resume a list of active contracts after an entry. They are opaque to clients, and valid for one request
 * only (B-ACS-013, B-ACS-014).
 */
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { readPageToken, writePageToken, type TokenBinding } from './page-tokens.js';

export interface AcsPosition {
  readonly part: 'active' | 'incomplete';
  /** The activation sequence, or the offset of the last reassignment that was read completely. */
  readonly after: number;
  /** The number of entries read from the reassignment after it, because one update may have several. */
  readonly taken: number;
}

export const ACS_START: AcsPosition = { part: 'active', after: 0, taken: 0 };

/** A position as the three numbers of a token. */
export function numbersOf({ part, after, taken }: AcsPosition): [number, number, number] {
  return [part === 'active' ? 0 : 1, after, taken];
}

export function positionOf([part, after, taken]: readonly number[]): AcsPosition {
  return { part: part === 0 ? 'active' : 'incomplete', after: after!, taken: taken! };
}

export function writeContinuationToken(position: AcsPosition, bound: TokenBinding): string {
  return writePageToken(numbersOf(position), bound);
}

/** @throws LedgerError INVALID_FIELD for a broken token, INVALID_CONTINUATION_TOKEN for one of another request */
export function readContinuationToken(token: string | undefined, bound: TokenBinding): AcsPosition {
  const numbers = readPageToken(token, 3, bound, {
    field: 'stream_continuation_token',
    broken: 'Invalid continuation token for GetActiveContractsRequest',
    refuse: invalidToken,
    checks: [{ of: 'version' }, { of: 'participant' }, { of: 'request' }],
  });
  return numbers === undefined ? ACS_START : positionOf(numbers);
}

function invalidToken() {
  return ledgerError(
    'INVALID_CONTINUATION_TOKEN',
    'The submitted command contains an invalid continuation token. Tokens used in ACS requests must be taken from a valid GetActiveContractsResponse and used with the same EventFormat settings, with the same Canton participant running the same Canton version.',
  );
}
