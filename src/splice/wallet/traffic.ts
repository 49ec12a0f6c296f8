/** Requests to buy synchronizer traffic for a party's participant (WA-TRF-002, WA-TRF-003). */
import type { ContractId, Party } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import { onceFromNow } from './offers.js';
import { WalletRefusal } from './refusals.js';
import { exerciseInstall } from './treasury.js';
import type { Wallet } from './wallet.js';

export interface TrafficOrder {
  /** The party whose participant gets the traffic. */
  readonly receiver: Party;
  readonly synchronizerId: SynchronizerId;
  /** Bytes. */
  readonly amount: number;
  readonly trackingId: string;
}

/**
 * @param expiresAt reads the last field of the request
 * @throws WalletRefusal, LedgerError
 */
export function requestTraffic(
  wallet: Wallet,
  order: TrafficOrder,
  expiresAt: () => string,
): ContractId {
  const { receiver, synchronizerId, amount, trackingId } = order;
  if (amount <= 0) throw new WalletRefusal('INVALID_ARGUMENT', 'trafficAmount must be positive');
  const { splice, party } = wallet;
  const { network } = splice;
  const hosts = network.participants.filter(({ id }) =>
    network.topology.permission(receiver, id, synchronizerId),
  );
  const [host, ...others] = hosts;
  if (host === undefined)
    throw new WalletRefusal(
      'INVALID_ARGUMENT',
      `Could not find participant hosting ${receiver} on domain ${synchronizerId}`,
    );
  if (others.length > 0)
    throw new WalletRefusal(
      'INTERNAL',
      `Receiving validator party ${receiver} is hosted on multiple participants, which is not currently supported`,
    );
  if (splice.walletLogs.of(party).trafficRequest(trackingId) !== undefined)
    throw new WalletRefusal('ALREADY_EXISTS', 'CreateBuyTrafficRequest duplicate command');
  const argument = {
    memberId: `PAR::${host.id}`,
    synchronizerId,
    migrationId: String(network.migrations.current),
    trafficAmount: String(amount),
    expiresAt: expiresAt(),
    trackingId,
  };
  const method = 'org.lfdecentralizedtrust.splice.wallet.createBuyTrafficRequest';
  const deduplicated = onceFromNow(wallet, method, [receiver, party], trackingId);
  const made = exerciseInstall(wallet, 'CreateBuyTrafficRequest', argument, { deduplicated });
  return (made as { readonly buyTrafficRequest: ContractId }).buyTrafficRequest;
}
