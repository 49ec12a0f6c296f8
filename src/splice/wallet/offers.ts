/** Transfer offers: the transfer happens only after the receiver accepts it (WA-OFF-001 to WA-OFF-003). */
import type { ContractId, Party } from '../../daml/model/values.js';
import { WalletRefusal } from './refusals.js';
import { commandIdFor, type Deduplicated } from './submit.js';
import { exerciseInstall } from './treasury.js';
import type { Wallet } from './wallet.js';

export interface NewOffer {
  readonly receiver: Party;
  /** Decimal, of amulets. */
  readonly amount: string;
  readonly description: string;
  /** As Ledger API JSON. */
  readonly expiresAt: string;
}

/**
 * A tracking id can be used only once, for any outcome of its offer.
 * @param read reads the request, once it is known that the id is new
 * @throws WalletRefusal ALREADY_EXISTS, LedgerError
 */
export function createOffer(wallet: Wallet, trackingId: string, read: () => NewOffer): ContractId {
  const { splice, party } = wallet;
  if (splice.walletLogs.of(party).offer(trackingId) !== undefined)
    throw new WalletRefusal('ALREADY_EXISTS', 'CreateTransferOffer duplicate command');
  const { receiver, amount, description, expiresAt } = read();
  const argument = {
    receiver,
    amount: { amount, unit: 'AmuletUnit' },
    description,
    expiresAt,
    trackingId,
  };
  const method = 'org.lfdecentralizedtrust.splice.wallet.createTransferOffer';
  const deduplicated = onceFromNow(wallet, method, [party, receiver], trackingId);
  const made = exerciseInstall(wallet, 'CreateTransferOffer', argument, { deduplicated });
  return (made as { readonly transferOffer: ContractId }).transferOffer;
}

/** A request that its tracking id has not been used for up to now. */
export function onceFromNow(
  { validator }: Wallet,
  method: string,
  parties: readonly Party[],
  ...discriminator: readonly string[]
): Deduplicated {
  return {
    commandId: commandIdFor(method, parties, ...discriminator),
    period: { kind: 'offset', offset: validator.participant.log.end },
    recovers: true,
  };
}
