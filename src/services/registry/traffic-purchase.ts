/** The registry's traffic-purchase API, a preview (R-TP-*): the contracts by which a paymaster sells traffic. */
import { formatTimestamp } from '../../daml/model/time.js';
import { conversionRate, trafficPurchaser } from '../../token/previews/traffic-purchase.js';
import type { SomeHandlers } from '../handler.js';
import { answered, disclosure } from './choice-contexts.js';

export const trafficPurchaseHandlers = {
  getTrafficPurchaser: ({ splice: { network, packages } }) => {
    const { token, paymaster, receiver } = answered(trafficPurchaser(network));
    return {
      trafficPurchaserId: token.contract.contractId,
      paymaster,
      paymasterReceiver: receiver,
      disclosedContracts: [disclosure(packages, token)],
    };
  },
  getConversionRate: ({ splice: { network, packages } }, { path, query }) => {
    const instrument = { admin: query.admin, id: path.instrumentId };
    const { token, payload } = answered(conversionRate(network, instrument));
    const { expiresAt, maxTrafficPerPurchase } = payload;
    return {
      conversionRateId: token.contract.contractId,
      instrumentId: instrument,
      conversionRate: payload.conversionRate.toString(),
      expiresAt: expiresAt === null ? undefined : formatTimestamp(expiresAt.value),
      maxTrafficPerPurchase: maxTrafficPerPurchase?.value.toString(),
      disclosedContracts: [disclosure(packages, token)],
    };
  },
} satisfies SomeHandlers<'registry'>;
