/** The result of a transaction that no connected participant can confirm for some parties. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import type { Party } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Ledger } from '../ledger/ledger.js';

/**
 * The mediator's timeout if a participant is disconnected: too few connected participants host some of the confirming
 * parties.
 * NOTE: here it rejects at once. A real mediator waits for the confirmation response timeout of 30 seconds.
 */
export function unconfirmed(
  { members, topology, externalParties }: Ledger,
  synchronizerId: SynchronizerId,
  confirmers: readonly Party[],
): LedgerError | undefined {
  const isThere = (id: string): boolean =>
    members.some((each) => each.id === id && !each.isCutOffFrom(synchronizerId));
  const unresponsive = confirmers.filter((party) => {
    const hosts = [...topology.hosts(party, synchronizerId)];
    const able = hosts.filter(([id, permission]) => permission !== 'observation' && isThere(id));
    return able.length < externalParties.confirmationThreshold(party, synchronizerId);
  });
  return unresponsive.length === 0 ? undefined : timedOut(unresponsive);
}

/** @param unresponsive sorted */
export function timedOut(unresponsive: readonly Party[]): LedgerError {
  return ledgerError('MEDIATOR_SAYS_TX_TIMED_OUT', {
    cause:
      'Rejected transaction as the mediator did not receive sufficient confirmations within the expected timeframe.',
    context: { unresponsiveParties: unresponsive.join(',') },
  });
}
