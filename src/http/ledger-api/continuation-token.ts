/** Tokens that resume a list of active contracts behind an entry: opaque to clients, bound to their request (B-ACS-013, B-ACS-014). */
import { sha256Hex } from '../../daml/hash.js';
import { ledgerError } from '../../daml/ledger-error.js';
import { invalidField } from '../../network/request-errors.js';

export interface AcsPosition {
  readonly part: 'active' | 'incomplete';
  /** Activation sequence, or offset of the last half of which all was seen. */
  readonly after: number;
  /** Entries seen of the half behind it: one update may have several. */
  readonly taken: number;
}

export const ACS_START: AcsPosition = { part: 'active', after: 0, taken: 0 };
const TOKEN = /^([ai])(\d{1,16})\+(\d{1,16})\.([0-9a-f]{16})$/;

export function writeContinuationToken(
  { part, after, taken }: AcsPosition,
  request: string,
): string {
  return Buffer.from(`${part[0]}${after}+${taken}.${checksum(request)}`).toString('base64');
}

/** @throws LedgerError INVALID_FIELD for a broken token, INVALID_CONTINUATION_TOKEN for one of another request */
export function readContinuationToken(token: string | undefined, request: string): AcsPosition {
  if (!token) return ACS_START;
  const match = TOKEN.exec(Buffer.from(token, 'base64').toString());
  if (match === null)
    throw invalidField('stream_continuation_token', 'the token cannot be decoded');
  if (match[4] !== checksum(request))
    throw ledgerError(
      'INVALID_CONTINUATION_TOKEN',
      'The submitted command contains an invalid continuation token. Tokens used in ACS requests must be taken from a valid GetActiveContractsResponse and used with the same EventFormat settings, with the same Canton participant running the same Canton version.',
    );
  return {
    part: match[1] === 'a' ? 'active' : 'incomplete',
    after: Number(match[2]),
    taken: Number(match[3]),
  };
}

function checksum(request: string): string {
  return sha256Hex(request).slice(0, 16);
}
