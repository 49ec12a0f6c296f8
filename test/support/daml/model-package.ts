/**
 * A package for ledger tests, with one small template per behaviour: visibility of nodes, divulgence, nesting,
 * failures. It uses the public DSL, as users do.
 */
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';

const self = (name: string) => d.contractId(`Test:${name}`);

/** One signatory, and simple choices. */
export const Dummy = defineTemplate({
  name: 'Test:Dummy',
  fields: { operator: d.party },
  signatories: (dummy) => [dummy.operator],
  choices: (choice) => ({
    Consume: choice({ result: d.unit, controllers: (dummy) => [dummy.operator], run: () => ({}) }),
    Look: choice({
      consuming: false,
      result: d.unit,
      controllers: (dummy) => [dummy.operator],
      run: () => ({}),
    }),
    Clone: choice({
      result: d.record('Test:Clones', { first: self('Dummy'), second: self('Dummy') }),
      controllers: (dummy) => [dummy.operator],
      run: (update, { template, payload }) => ({
        first: update.create(template, payload),
        second: update.create(template, payload),
      }),
    }),
    /** Creates and archives a contract in one transaction. */
    Flash: choice({
      consuming: false,
      result: d.unit,
      controllers: (dummy) => [dummy.operator],
      run: (update, { template, payload }) => {
        update.archive(template, update.create(template, payload));
        return {};
      },
    }),
    Fail: choice({
      argument: { message: d.text },
      consuming: false,
      result: d.unit,
      controllers: (dummy) => [dummy.operator],
      run: (update, _self, { message }) =>
        update.fail(message, { errorId: 'test/failed', category: 11, meta: { hint: 'none' } }),
    }),
    Assert: choice({
      consuming: false,
      result: d.unit,
      controllers: (dummy) => [dummy.operator],
      run: (update) => {
        update.assert(false, 'Assertion failed');
        return {};
      },
    }),
    ConsumeTwice: choice({
      consuming: false,
      result: d.unit,
      controllers: (dummy) => [dummy.operator],
      run: (update, { template, contractId }) => {
        update.archive(template, contractId);
        update.archive(template, contractId);
        return {};
      },
    }),
  }),
});

export const WithParam = defineTemplate({
  name: 'Test:WithParam',
  fields: { operator: d.party, number: d.int64, note: d.optional(d.text) },
  signatories: (it) => [it.operator],
  ensure: (it) => it.number >= 0n,
  choices: (choice) => ({
    Set: choice({
      argument: { number: d.int64 },
      result: self('WithParam'),
      controllers: (it) => [it.operator],
      run: (update, { template, payload }, { number }) =>
        update.create(template, { ...payload, number }),
    }),
  }),
});

/** One signatory, several observers. */
const WithObservers = defineTemplate({
  name: 'Test:WithObservers',
  fields: { giver: d.party, observers: d.list(d.party) },
  signatories: (it) => [it.giver],
  observers: (it) => it.observers,
  choices: (choice) => ({
    Ping: choice({
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.giver],
      run: () => ({}),
    }),
    /** The choice observers see it, although they are not stakeholders. */
    Announce: choice({
      argument: { audience: d.list(d.party) },
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.giver],
      observers: (_it, { audience }) => audience,
      run: () => ({}),
    }),
    /** The argument names the controller. */
    Take: choice({
      argument: { actor: d.party },
      result: d.unit,
      controllers: (_it, { actor }) => [actor],
      run: () => ({}),
    }),
  }),
});

/** A contract that a party without a stake fetches. */
export const Delegated = defineTemplate({
  name: 'Test:Delegated',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
});

const Delegation = defineTemplate({
  name: 'Test:Delegation',
  fields: { owner: d.party, delegate: d.party },
  signatories: (it) => [it.owner],
  observers: (it) => [it.delegate],
  choices: (choice) => ({
    FetchDelegated: choice({
      argument: { delegated: d.contractId(Delegated) },
      consuming: false,
      result: d.party,
      controllers: (it) => [it.delegate],
      run: (update, _self, { delegated }) => update.fetch(Delegated, delegated).payload.owner,
    }),
    ArchiveDelegated: choice({
      argument: { delegated: d.contractId(Delegated) },
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.delegate],
      run: (update, _self, { delegated }) => {
        update.archive(Delegated, delegated);
        return {};
      },
    }),
    /** The delegate is signatory, the owner observer. */
    CreateOwn: choice({
      consuming: false,
      result: d.contractId(Delegated),
      controllers: (it) => [it.delegate],
      run: (update, { payload }) => update.create(Delegated, { owner: payload.delegate }),
    }),
    CreateDelegated: choice({
      consuming: false,
      result: d.contractId(Delegated),
      controllers: (it) => [it.delegate],
      run: (update, { payload }) => update.create(Delegated, { owner: payload.owner }),
    }),
  }),
});

const TriAgreement = defineTemplate({
  name: 'Test:TriAgreement',
  fields: { operator: d.party, receiver: d.party, giver: d.party },
  signatories: (it) => [it.operator, it.receiver, it.giver],
});

const TriProposal = defineTemplate({
  name: 'Test:TriProposal',
  fields: { operator: d.party, receiver: d.party, giver: d.party },
  signatories: (it) => [it.operator],
  observers: (it) => [it.receiver, it.giver],
  choices: (choice) => ({
    Accept: choice({
      result: d.contractId(TriAgreement),
      controllers: (it) => [it.receiver, it.giver],
      run: (update, { payload }) => update.create(TriAgreement, payload),
    }),
  }),
});

/** Nested exercises, with fetches between them. */
const Nest = defineTemplate({
  name: 'Test:Nest',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    Deepen: choice({
      argument: { levels: d.int64 },
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.owner],
      run: (update, { contractId, template, payload }, { levels }) => {
        update.fetch(template, contractId);
        if (levels > 0n)
          update.untyped.exercise(template.id, contractId, 'Deepen', { levels: levels - 1n });
        update.create(template, payload);
        return {};
      },
    }),
  }),
});

const AssetView = d.record('Test:AssetView', { owner: d.party, label: d.text });

const Asset = defineInterface({
  name: 'Test:Asset',
  view: AssetView,
  choices: (choice) => ({
    Touch: choice({
      consuming: false,
      result: d.text,
      controllers: ({ owner }) => [owner],
      run: (_update, { view }) => view.label,
    }),
    Burn: choice({ result: d.unit, controllers: ({ owner }) => [owner], run: () => ({}) }),
  }),
});

/** Its view fails for the label `broken`. */
const Coin = defineTemplate({
  name: 'Test:Coin',
  fields: { owner: d.party, label: d.text },
  signatories: (it) => [it.owner],
  implements: (implement) => [
    implement(Asset, {
      view: ({ owner, label }) => {
        if (label === 'broken') throw new Error('This view is broken');
        return { owner, label };
      },
    }),
  ],
});

const Ticket = defineTemplate({
  name: 'Test:Ticket',
  fields: { issuer: d.party, owner: d.party, seat: d.int64 },
  signatories: (it) => [it.issuer],
  observers: (it) => [it.owner],
  implements: (implement) => [
    implement(Asset, { view: ({ owner, seat }) => ({ owner, label: `seat ${seat}` }) }),
  ],
});

/** No template implements it. */
const Unused = defineInterface({ name: 'Test:Unused', view: AssetView });

export const modelPackage = definePackage({
  name: 'model-tests',
  version: '1.0.0',
  templates: [
    Dummy,
    WithParam,
    WithObservers,
    Delegated,
    Delegation,
    TriAgreement,
    TriProposal,
    Nest,
    Coin,
    Ticket,
  ],
  interfaces: [Asset, Unused],
});

/** `#model-tests:Test:<entity>`, as clients name it. */
export const model = (entity: string): string => `#model-tests:Test:${entity}`;
/** The template's id in answers. */
export const modelId = (entity: string): string => `${modelPackage.id}:Test:${entity}`;
