/** Templates for the conformance cases that `test/support/daml/model-package.ts` has none for. */
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';

/** Its actor has no stake in it: what it does, it sees as a witness. */
const Witnesses = defineTemplate({
  name: 'Test:Witnesses',
  fields: { signatory: d.party, observer: d.party, actor: d.party },
  signatories: (it) => [it.signatory],
  observers: (it) => [it.observer],
  choices: (choice) => ({
    CreateAnother: choice({
      consuming: false,
      result: d.contractId('Test:Witnesses'),
      controllers: (it) => [it.actor],
      run: (update, { template, payload }) =>
        update.create(template, { ...payload, signatory: payload.actor }),
    }),
  }),
});

/** Its failure lies two choices deep, behind a create. */
const Failing = defineTemplate({
  name: 'Test:Failing',
  fields: { operator: d.party },
  signatories: (it) => [it.operator],
  choices: (choice) => ({
    Fail: choice({
      result: d.unit,
      controllers: (it) => [it.operator],
      run: (update) => {
        update.assert(false, 'Assertion failed');
        return {};
      },
    }),
    Clone: choice({
      consuming: false,
      result: d.contractId('Test:Failing'),
      controllers: (it) => [it.operator],
      run: (update, { template, payload }) => update.create(template, payload),
    }),
    CloneAndFail: choice({
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.operator],
      run: ({ untyped }, { template, contractId }) => {
        untyped.exercise(template.id, contractId, 'Clone', {});
        untyped.exercise(template.id, contractId, 'Fail', {});
        return {};
      },
    }),
  }),
});

const Payout = defineTemplate({
  name: 'Test:CallablePayout',
  fields: { giver: d.party, receiver: d.party },
  signatories: (it) => [it.giver],
  observers: (it) => [it.receiver],
  choices: (choice) => ({
    Transfer: choice({
      argument: { newReceiver: d.party },
      result: d.contractId('Test:CallablePayout'),
      controllers: (it) => [it.receiver],
      run: (update, { template, payload }, { newReceiver }) =>
        update.create(template, { ...payload, receiver: newReceiver }),
    }),
  }),
});

const Rounding = defineTemplate({
  name: 'Test:DecimalRounding',
  fields: { party: d.party, number: d.numeric(10) },
  signatories: (it) => [it.party],
});

/** Anyone may use it who knows it. */
const Public = defineTemplate({
  name: 'Test:Public',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    Use: choice({
      argument: { anyone: d.party },
      result: d.unit,
      controllers: (_it, { anyone }) => [anyone],
      run: () => ({}),
    }),
  }),
});

/** Looks at the ledger time. */
const Timed = defineTemplate({
  name: 'Test:Timed',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    ConsumeBetween: choice({
      argument: { begin: d.timestamp, end: d.timestamp },
      result: d.unit,
      controllers: (it) => [it.owner],
      run: (update, _self, { begin, end }) => {
        const now = update.getTime();
        update.assert(begin <= now && now <= end, 'Assertion failed');
        return {};
      },
    }),
  }),
});

/** Creates contracts of two templates. */
const Factory = defineTemplate({
  name: 'Test:Factory',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    CreateBoth: choice({
      result: d.unit,
      controllers: (it) => [it.owner],
      run: (update, { payload }) => {
        update.create(Public, payload);
        update.create(Timed, payload);
        return {};
      },
    }),
  }),
});

const Discloser = defineTemplate({
  name: 'Test:Discloser',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  choices: (choice) => ({
    CreateBefore: choice({
      argument: { disclosee: d.party },
      result: d.unit,
      controllers: (it) => [it.owner],
      observers: (_it, { disclosee }) => [disclosee],
      run: (update, { payload }) => {
        update.create(Public, payload);
        return {};
      },
    }),
  }),
});

const TurnView = d.record('Turning:TurnView', { owner: d.party });
const Turnable = defineInterface({
  name: 'Turning:Turnable',
  view: TurnView,
  choices: (choice) => ({
    Turn: choice({ result: d.text, controllers: ({ owner }) => [owner], run: () => 'Turnable' }),
    TurnOnly: choice({ result: d.unit, controllers: ({ owner }) => [owner], run: () => ({}) }),
  }),
});
const Rotatable = defineInterface({
  name: 'Turning:Rotatable',
  view: TurnView,
  requires: [Turnable],
});

/** Has a choice of the same name as its interface has. */
const Shape = defineTemplate({
  name: 'Test:Shape',
  fields: { owner: d.party },
  signatories: (it) => [it.owner],
  implements: (implement) => [
    implement(Turnable, { view: (it) => it }),
    implement(Rotatable, { view: (it) => it }),
  ],
  choices: (choice) => ({
    Turn: choice({ result: d.text, controllers: (it) => [it.owner], run: () => 'Shape' }),
  }),
});

export const conformancePackage = definePackage({
  name: 'conformance',
  version: '1.0.0',
  templates: [Witnesses, Failing, Payout, Rounding, Public, Discloser, Timed, Factory, Shape],
  interfaces: [Turnable, Rotatable],
});

/** `#conformance:Test:<entity>`, as clients name it. */
export const conformance = (entity: string): string => `#conformance:Test:${entity}`;
