/** A house is painted for an IOU: the workflows of the ledger model's cases, and contracts that fetch what they name. */
import { d, definePackage, defineTemplate } from 'canticle';

const Iou = defineTemplate({
  name: 'Paint:Iou',
  fields: { payer: d.party, owner: d.party, amount: d.numeric(10) },
  signatories: (it) => [it.payer],
  observers: (it) => [it.owner],
  choices: (choice) => ({
    Transfer: choice({
      argument: { newOwner: d.party },
      result: d.contractId('Paint:Iou'),
      controllers: (it) => [it.owner],
      run: (update, { template, payload }, { newOwner }) =>
        update.create(template, { ...payload, owner: newOwner }),
    }),
  }),
});

const Shared = defineTemplate({
  name: 'Paint:Shared',
  fields: { payer: d.party, owner1: d.party, owner2: d.party },
  signatories: (it) => [it.payer],
  observers: (it) => [it.owner1, it.owner2],
  choices: (choice) => ({
    Consume1: choice({ result: d.unit, controllers: (it) => [it.owner1], run: () => ({}) }),
    Consume2: choice({ result: d.unit, controllers: (it) => [it.owner2], run: () => ({}) }),
  }),
});

const Agreement = defineTemplate({
  name: 'Paint:Agreement',
  fields: { painter: d.party, houseOwner: d.party },
  signatories: (it) => [it.painter, it.houseOwner],
});

const offer = { painter: d.party, houseOwner: d.party, obligor: d.party, amount: d.numeric(10) };

const CounterOffer = defineTemplate({
  name: 'Paint:CounterOffer',
  fields: { ...offer, iou: d.contractId(Iou) },
  signatories: (it) => [it.houseOwner],
  observers: (it) => [it.painter],
  choices: (choice) => ({
    AcceptCounter: choice({
      result: d.contractId(Agreement),
      controllers: (it) => [it.painter],
      run: (update, { payload: { iou, ...rest } }) =>
        update.exercise(Offer, update.create(Offer, rest), 'Accept', { iou }),
    }),
  }),
});

const Offer = defineTemplate({
  name: 'Paint:Offer',
  fields: offer,
  signatories: (it) => [it.painter],
  observers: (it) => [it.houseOwner],
  choices: (choice) => ({
    Accept: choice({
      argument: { iou: d.contractId(Iou) },
      result: d.contractId(Agreement),
      controllers: (it) => [it.houseOwner],
      run: (update, { payload: { painter, houseOwner } }, { iou }) => {
        update.exercise(Iou, iou, 'Transfer', { newOwner: painter });
        return update.create(Agreement, { painter, houseOwner });
      },
    }),
    Counter: choice({
      argument: { iou: d.contractId(Iou) },
      result: d.contractId('Paint:CounterOffer'),
      controllers: (it) => [it.houseOwner],
      run: ({ untyped }, { payload }, { iou }): string => {
        const { amount } = untyped.fetch(Iou.id, iou).payload;
        return untyped.create(CounterOffer.id, { ...payload, iou, amount: amount! });
      },
    }),
  }),
});

/** Fetches contracts of the three templates above for one who need not be a stakeholder. */
const Fetcher = defineTemplate({
  name: 'Paint:Fetcher',
  fields: { fetcher: d.party },
  signatories: (it) => [it.fetcher],
  choices: (choice) => {
    const fetching = (of: typeof Iou | typeof Offer | typeof Agreement) =>
      choice({
        argument: { contract: d.contractId(of) },
        consuming: false,
        result: d.unit,
        controllers: (it) => [it.fetcher],
        run: ({ untyped }, _self, { contract }) => {
          untyped.fetch(of.id, contract);
          return {};
        },
      });
    return {
      FetchIou: fetching(Iou),
      FetchOffer: fetching(Offer),
      FetchAgreement: fetching(Agreement),
    };
  },
});

const Token = defineTemplate({
  name: 'Paint:Token',
  fields: { issuer: d.party, owner: d.party },
  signatories: (it) => [it.issuer],
  observers: (it) => [it.owner],
  choices: (choice) => ({
    Consume: choice({ result: d.unit, controllers: (it) => [it.owner], run: () => ({}) }),
  }),
});

const Delegation = defineTemplate({
  name: 'Paint:Delegation',
  fields: { owner: d.party, delegate: d.party },
  signatories: (it) => [it.owner],
  observers: (it) => [it.delegate],
  choices: (choice) => {
    const divulging = (consuming: boolean) =>
      choice({
        argument: { token: d.contractId(Token) },
        consuming,
        result: d.unit,
        controllers: (it) => [it.owner],
        run: (update, _self, { token }) => {
          update.fetch(Token, token);
          return {};
        },
      });
    return {
      ConsumeToken: choice({
        argument: { token: d.contractId(Token) },
        consuming: false,
        result: d.unit,
        controllers: (it) => [it.delegate],
        run: (update, _self, { token }) => update.exercise(Token, token, 'Consume', {}),
      }),
      Show: divulging(false),
      ShowAndEnd: divulging(true),
    };
  },
});

const MultiParty = defineTemplate({
  name: 'Paint:MultiParty',
  fields: { parties: d.list(d.party) },
  signatories: (it) => it.parties,
  choices: (choice) => ({
    AddSignatories: choice({
      argument: { newParties: d.list(d.party) },
      result: d.contractId('Paint:MultiParty'),
      controllers: ({ parties }, { newParties }) => [...parties, ...newParties],
      run: (update, { template, payload }, { newParties }) =>
        update.create(template, { parties: [...new Set([...payload.parties, ...newParties])] }),
    }),
    FetchOther: choice({
      argument: { other: d.contractId('Paint:MultiParty'), actors: d.list(d.party) },
      consuming: false,
      result: d.unit,
      controllers: (_it, { actors }) => actors,
      run: (update, { template }, { other }) => {
        update.fetch(template, other);
        return {};
      },
    }),
  }),
});

export const paintPackage = definePackage({
  name: 'conformance-paint',
  version: '1.0.0',
  templates: [Iou, Shared, Agreement, CounterOffer, Offer, Fetcher, Token, Delegation, MultiParty],
});

/** `#conformance-paint:Paint:<entity>`, as clients name it. */
export const paint = (entity: string): string => `#conformance-paint:Paint:${entity}`;
