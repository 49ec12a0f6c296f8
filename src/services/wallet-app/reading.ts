/** Parsers of the wallet's handlers, with the real wallet's error texts. */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { Numeric } from '../../daml/model/numeric.js';
import { formatTimestamp } from '../../daml/model/time.js';
import type { Party } from '../../daml/model/values.js';
import { HttpRefusal } from '../handler.js';

const DECIMAL = String.raw`-?\d{1,28}(\.\d{1,10})?`;
const WHOLE_DECIMAL = new RegExp(`^${DECIMAL}$`);

/** @throws HttpRefusal 400 */
export function readDecimal(text: string): Numeric {
  if (!WHOLE_DECIMAL.test(text) || text.endsWith('\n'))
    throw undecodable(`Invalid Decimal string "${text}", as it does not match "${DECIMAL}"`);
  return Numeric.of(text);
}

/** @throws HttpRefusal 400 */
export function readParty(text: string): Party {
  const error = uniqueIdentifierError(text);
  if (error !== undefined) throw undecodable(error);
  return text;
}

/**
 * @param micros microseconds since 1970, in the range of exact numbers
 * @returns as Ledger API JSON
 */
export function readTime(micros: number): string {
  return formatTimestamp(BigInt(micros));
}

function undecodable(reason: string): HttpRefusal {
  return new HttpRefusal(400, `Failed to decode: ${reason}`);
}
