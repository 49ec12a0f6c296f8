/** `TrafficControlService`: what a participant may still send at a synchronizer. */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { optionalSynchronizer } from '../ledger-api/formats/requests.js';
import { connected, type AdminContext } from './topology-reads.js';

/**
 * NOTE: where traffic is not metered the account is empty.
 * @throws LedgerError NOT_CONNECTED_TO_SYNCHRONIZER
 */
function trafficControlState(
  context: AdminContext,
  { synchronizerId = '' }: { readonly synchronizerId?: string },
) {
  const id = optionalSynchronizer(synchronizerId);
  if (!connected(context).some((each) => each.id === id))
    throw ledgerError(
      'NOT_CONNECTED_TO_SYNCHRONIZER',
      `This participant is not connected to synchronizer ${synchronizerId}.`,
    );
  const { network, participant } = context;
  const state = network.traffic.state(synchronizerId, participant.id);
  return {
    trafficState: {
      extraTrafficPurchased: state?.purchased ?? 0,
      extraTrafficConsumed: state?.consumed ?? 0,
      baseTrafficRemainder: state?.baseRemainder ?? 0,
      lastConsumedCost: state?.lastCost ?? 0,
      timestamp: state?.at ?? network.clock.now(),
      ...(state && state.serial > 0 && { serial: state.serial }),
    },
  };
}

export const trafficControl = { trafficControlState };
