/** What the wallet's handlers read by hand of a request, down to the words of their refusals. */
import { Numeric } from '../../daml/model/numeric.js';
import { HttpRefusal } from '../handler.js';

const DECIMAL = String.raw`-?\d{1,28}(\.\d{1,10})?`;
const WHOLE_DECIMAL = new RegExp(`^${DECIMAL}$`);

/** @throws HttpRefusal 400 */
export function readDecimal(text: string): Numeric {
  if (!WHOLE_DECIMAL.test(text) || text.endsWith('\n'))
    throw undecodable(`Invalid Decimal string "${text}", as it does not match "${DECIMAL}"`);
  return Numeric.of(text);
}

function undecodable(reason: string): HttpRefusal {
  return new HttpRefusal(400, `Failed to decode: ${reason}`);
}
