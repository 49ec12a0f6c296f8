/**
 * The answers of the upcoming traffic-purchase API, from the contracts of the package `traffic-purchase-models`, which users install. A
 * paymaster sells traffic with one `TrafficPurchaser`, and one `ConversionRate` for each instrument that it accepts.
 */
import type { Numeric } from '../../daml/model/numeric.js';
import type { Party, Some, Timestamp } from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import { contractsNamed } from '../registry/network-ledger.js';
import { refuse, type DisclosedToken, type RegistryAnswer } from '../registry/registry.js';
import type { Account, InstrumentId } from '../standard/holding-v2.js';

const TEMPLATES = 'traffic-purchase-models:Tea.TrafficPurchase';

interface PurchaserPayload {
  readonly paymaster: Party;
  readonly paymasterAccount: Account;
}

interface RatePayload {
  readonly paymaster: Party;
  readonly instrumentId: InstrumentId;
  readonly conversionRate: Numeric;
  readonly expiresAt: Some<Timestamp> | null;
  readonly maxTrafficPerPurchase: Some<Numeric> | null;
}

interface Sold<Payload> {
  readonly token: DisclosedToken;
  readonly payload: Payload;
}

/** The purchaser contract, and the party to which payments are transferred. */
export interface TrafficPurchaser {
  readonly token: DisclosedToken;
  readonly paymaster: Party;
  readonly receiver: Party;
}

export function trafficPurchaser(network: Network): RegistryAnswer<TrafficPurchaser> {
  const found = theOnly(purchasersOf(network), 'TrafficPurchaser');
  if (!found.ok) return found;
  const { token, payload } = found.value;
  const { paymaster, paymasterAccount } = payload;
  const receiver = paymasterAccount.owner?.value;
  if (receiver === undefined)
    return refuse(
      'unclear',
      `The account of TrafficPurchaser '${token.contract.contractId}' has no owner, to which payments are transferred.`,
    );
  return { ok: true, value: { token, paymaster, receiver } };
}

/** Expired rates count, too: the ledger rejects them. */
export function conversionRate(
  network: Network,
  instrument: InstrumentId,
): RegistryAnswer<Sold<RatePayload>> {
  const sellers = purchasersOf(network).map(({ payload }) => payload.paymaster);
  const rates = soldBy<RatePayload>(network, 'ConversionRate').filter(
    ({ payload: { paymaster, instrumentId } }) =>
      instrumentId.id === instrument.id &&
      instrumentId.admin === instrument.admin &&
      (sellers.length === 0 || sellers.includes(paymaster)),
  );
  return theOnly(rates, `ConversionRate for ${instrument.id} of ${instrument.admin}`);
}

const purchasersOf = (network: Network) => soldBy<PurchaserPayload>(network, 'TrafficPurchaser');

/** Active contracts. One that is being reassigned is not, as in the ledger's list of active contracts. */
function soldBy<Payload>(network: Network, template: string): readonly Sold<Payload>[] {
  const names = [`${TEMPLATES}:${template}`];
  return contractsNamed(network, network.participants, names).flatMap(
    ({ contract, synchronizerId }) =>
      synchronizerId === undefined
        ? []
        : [{ token: { contract, synchronizerId }, payload: contract.payload as Payload }],
  );
}

/** If there are several, no choice is right for all buyers. */
function theOnly<T>(found: readonly T[], what: string): RegistryAnswer<T> {
  const [first, ...others] = found;
  if (first === undefined) return refuse('not-found', `No ${what} found.`);
  if (others.length > 0)
    return refuse('unclear', `Found ${found.length} contracts, but expected one ${what}.`);
  return { ok: true, value: first };
}
