/** A model in which parties learn of contracts for each reason. */
import { d, definePackage, defineTemplate } from 'canticle';

const assetId = d.contractId('Trade:Asset');

export const Asset = defineTemplate({
  name: 'Trade:Asset',
  fields: { issuer: d.party, owner: d.party, amount: d.int64 },
  signatories: (it) => [it.issuer],
  observers: (it) => [it.owner],
  choices: (choice) => ({
    Hand: choice({
      argument: { newOwner: d.party },
      result: assetId,
      controllers: (it) => [it.owner],
      observers: (_it, { newOwner }) => [newOwner],
      run: (update, { payload, template }, { newOwner }) =>
        update.create(template, { ...payload, owner: newOwner }),
    }),
    Show: choice({
      argument: { viewer: d.party },
      consuming: false,
      result: d.int64,
      controllers: (_it, { viewer }) => [viewer],
      run: (_update, { payload }) => payload.amount,
    }),
  }),
});

export const Deal = defineTemplate({
  name: 'Trade:Deal',
  fields: { broker: d.party, buyer: d.party, seller: d.party, asset: assetId },
  signatories: (it) => [it.seller],
  observers: (it) => [it.broker, it.buyer],
  choices: (choice) => ({
    Settle: choice({
      result: assetId,
      controllers: (it) => [it.buyer],
      run: (update, { payload }) =>
        update.exercise(Asset, payload.asset, 'Hand', { newOwner: payload.buyer }),
    }),
  }),
});

/** Its viewer sees an asset that the same transaction creates. */
export const Offer = defineTemplate({
  name: 'Trade:Offer',
  fields: { issuer: d.party, viewer: d.party },
  signatories: (it) => [it.issuer],
  observers: (it) => [it.viewer],
  choices: (choice) => ({
    Peek: choice({
      consuming: false,
      result: d.int64,
      controllers: (it) => [it.viewer],
      run: (update, { payload: { issuer, viewer } }) => {
        const asset = update.create(Asset, { issuer, owner: issuer, amount: 1n });
        return update.exercise(Asset, asset, 'Show', { viewer });
      },
    }),
  }),
});

export const trades = definePackage({
  name: 'trades',
  version: '1.0.0',
  templates: [Asset, Deal, Offer],
});
