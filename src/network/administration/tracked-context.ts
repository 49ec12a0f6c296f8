/** What is logged while a participant waits for a party to appear: its tracker knows the party by an id (B-ERR-033). */
import {
  callContext,
  type LoggedValue,
  type LoggingContext,
} from '../../daml/errors/logging-context.js';
import type { Ledger } from '../ledger/ledger.js';

export function trackedContext(
  { random, requestNumbers }: Pick<Ledger, 'random' | 'requestNumbers'>,
  values: Readonly<Record<string, LoggedValue>>,
): LoggingContext {
  const submissionId = `1220${random.hexAt('tracked party', requestNumbers.ofRefusal())}`;
  return callContext(
    () => ({ ...values, submissionId }),
    () => submissionId,
  );
}
