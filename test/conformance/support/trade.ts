/** IOUs that parties of several participants offer, accept and trade. Tests check the events that each party sees. */
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';

const AmountAndCurrency = d.record('Trade:AmountAndCurrency', {
  icurrency: d.text,
  iamount: d.numeric(10),
});
const Money = defineInterface({
  name: 'Trade:Money',
  view: AmountAndCurrency,
  choices: () => ({}),
});

const terms = {
  issuer: d.party,
  owner: d.party,
  currency: d.text,
  amount: d.numeric(10),
  observers: d.list(d.party),
};
const Terms = d.record('Trade:Terms', terms);

const Iou = defineTemplate({
  name: 'Trade:Iou',
  fields: terms,
  signatories: (iou) => [iou.issuer, iou.owner],
  observers: (iou) => iou.observers,
  implements: (implement) => [
    implement(Money, {
      view: ({ currency, amount }) => ({ icurrency: currency, iamount: amount }),
    }),
  ],
  choices: (choice) => ({
    Iou_Transfer: choice({
      argument: { newOwner: d.party },
      result: d.contractId('Trade:IouTransfer'),
      controllers: (iou) => [iou.owner],
      // Each template names the other: their types end where a result is stated.
      run: (update, { payload }, { newOwner }): string =>
        update.create(IouTransfer, { iou: payload, newOwner }),
    }),
    Iou_AddObserver: choice({
      argument: { newObserver: d.party },
      result: d.contractId('Trade:Iou'),
      controllers: (iou) => [iou.owner],
      run: (update, { template, payload }, { newObserver }) =>
        update.create(template, { ...payload, observers: [newObserver, ...payload.observers] }),
    }),
  }),
});

const IouTransfer = defineTemplate({
  name: 'Trade:IouTransfer',
  fields: { iou: Terms, newOwner: d.party },
  signatories: ({ iou }) => [iou.issuer, iou.owner],
  observers: ({ newOwner }) => [newOwner],
  choices: (choice) => ({
    IouTransfer_Accept: choice({
      result: d.contractId('Trade:Iou'),
      controllers: ({ newOwner }) => [newOwner],
      run: (update, { payload: { iou, newOwner } }): string =>
        update.create(Iou, { ...iou, owner: newOwner, observers: [] }),
    }),
  }),
});

/** The buyer offers one IOU for another. */
const IouTrade = defineTemplate({
  name: 'Trade:IouTrade',
  fields: { buyer: d.party, seller: d.party, base: d.contractId(Iou) },
  signatories: ({ buyer }) => [buyer],
  observers: ({ seller }) => [seller],
  choices: (choice) => ({
    IouTrade_Accept: choice({
      argument: { quote: d.contractId(Iou) },
      result: d.unit,
      controllers: ({ seller }) => [seller],
      run: (update, { payload: { base, buyer, seller } }, { quote }) => {
        update.fetch(Iou, base);
        update.fetch(Iou, quote);
        const toBuyer = update.exercise(Iou, quote, 'Iou_Transfer', { newOwner: buyer });
        update.exercise(IouTransfer, toBuyer, 'IouTransfer_Accept', {});
        const toSeller = update.exercise(Iou, base, 'Iou_Transfer', { newOwner: seller });
        update.exercise(IouTransfer, toSeller, 'IouTransfer_Accept', {});
        return {};
      },
    }),
  }),
});

export const tradePackage = definePackage({
  name: 'trade-tests',
  version: '1.0.0',
  templates: [Iou, IouTransfer, IouTrade],
  interfaces: [Money],
});

/** `#trade-tests:Trade:<entity>`. */
export const trade = (entity: string): string => `#trade-tests:Trade:${entity}`;

export const iou = (issuer: string, owner: string, currency = 'GBP', observers: string[] = []) => ({
  issuer,
  owner,
  currency,
  amount: '100.0',
  observers,
});
