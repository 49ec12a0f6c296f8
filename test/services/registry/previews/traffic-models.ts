/** The templates of the package `traffic-purchase-models`, as far as the registry and these tests use them. */
import { d, definePackage, defineTemplate, type RecordOf } from 'canticle';
import { Account, InstrumentId } from '../../../../src/token/standard/holding-v2.js';

const MODULE = 'Tea.TrafficPurchase';

const rate = {
  paymaster: d.party,
  instrumentId: InstrumentId,
  conversionRate: d.numeric(10),
  expiresAt: d.optional(d.timestamp),
  maxTrafficPerPurchase: d.optional(d.numeric(10)),
};

export type Rate = RecordOf<typeof rate>;

export const ConversionRate = defineTemplate({
  name: `${MODULE}:ConversionRate`,
  fields: rate,
  signatories: ({ paymaster }) => [paymaster],
});

export const TrafficPurchaser = defineTemplate({
  name: `${MODULE}:TrafficPurchaser`,
  fields: { paymaster: d.party, paymasterAccount: Account },
  signatories: ({ paymaster }) => [paymaster],
  choices: (choice) => ({
    /** Without the payment, which is the token registry's part. The result is the price in bytes of one unit. */
    TrafficPurchaser_PurchaseCredits: choice({
      consuming: false,
      argument: { purchaser: d.party, conversionRateCid: d.contractId(ConversionRate) },
      result: d.numeric(10),
      controllers: (_payload, { purchaser }) => [purchaser],
      run: (update, _self, { conversionRateCid }) =>
        update.fetch(ConversionRate, conversionRateCid).payload.conversionRate,
    }),
  }),
});

export const trafficModels = definePackage({
  name: 'traffic-purchase-models',
  version: '1.0.0',
  templates: [ConversionRate, TrafficPurchaser],
});
