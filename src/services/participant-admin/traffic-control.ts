/** `TrafficControlService`: the remaining traffic of a participant at a synchronizer. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { uniqueIdentifier } from './parsing/fields.js';
import { parsed } from './parsing/parsed.js';
import { connected, type AdminContext } from './admin-context.js';

/**
 * NOTE: if traffic is not metered, the account is empty and has no timestamp.
 * @throws LedgerError NOT_CONNECTED_TO_SYNCHRONIZER
 */
function stateOf(context: AdminContext, synchronizerId: string): object {
  if (!connected(context).some((each) => each.id === synchronizerId))
    throw ledgerError('NOT_CONNECTED_TO_SYNCHRONIZER', {
      cause: `This participant is not connected to synchronizer ${synchronizerId}.`,
      context: { synchronizer: synchronizerId },
    });
  const { network, participant } = context;
  const state = network.traffic.state(synchronizerId, participant.id);
  if (state === undefined) return { trafficState: {} };
  return {
    trafficState: {
      extraTrafficPurchased: state.purchased,
      extraTrafficConsumed: state.consumed,
      baseTrafficRemainder: state.baseRemainder,
      lastConsumedCost: state.lastCost,
      timestamp: state.at,
      ...(state.serial > 0 && { serial: state.serial }),
    },
  };
}

export const trafficControl = {
  trafficControlState: parsed(
    ({ synchronizerId = '' }: { readonly synchronizerId?: string }) =>
      uniqueIdentifier('synchronizer_id', synchronizerId),
    stateOf,
  ),
};
