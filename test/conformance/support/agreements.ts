/** Templates with several controllers and signatories, with who signs decided by the payload, and of every type of value. */
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';

const Agreement = defineTemplate({
  name: 'Agreements:Agreement',
  fields: { receiver: d.party, giver: d.party },
  signatories: (it) => [it.receiver, it.giver],
  choices: (choice) => ({
    AcceptTriProposal: choice({
      argument: { proposal: d.contractId('Agreements:TriProposal') },
      result: d.contractId('Agreements:TriAgreement'),
      controllers: (it) => [it.giver],
      run: (update, { payload: { receiver, giver } }, { proposal }) => {
        const { payload } = update.fetch(TriProposal, proposal);
        update.assert(payload.receiver === receiver && payload.giver === giver, 'Assertion failed');
        return update.exercise(TriProposal, proposal, 'TriProposalAccept', {});
      },
    }),
  }),
});

const AgreementFactory = defineTemplate({
  name: 'Agreements:AgreementFactory',
  fields: { receiver: d.party, giver: d.party },
  signatories: (it) => [it.giver],
  observers: (it) => [it.receiver],
  choices: (choice) => ({
    CreateAgreement: choice({
      consuming: false,
      result: d.contractId(Agreement),
      controllers: (it) => [it.receiver],
      run: (update, { payload }) => update.create(Agreement, payload),
    }),
  }),
});

const three = { operator: d.party, receiver: d.party, giver: d.party };
const TriAgreement = defineTemplate({
  name: 'Agreements:TriAgreement',
  fields: three,
  signatories: (it) => [it.operator, it.receiver, it.giver],
});
const TriProposal = defineTemplate({
  name: 'Agreements:TriProposal',
  fields: three,
  signatories: (it) => [it.operator],
  observers: (it) => [it.receiver, it.giver],
  choices: (choice) => ({
    TriProposalAccept: choice({
      result: d.contractId(TriAgreement),
      controllers: (it) => [it.receiver, it.giver],
      run: (update, { payload }) => update.create(TriAgreement, payload),
    }),
  }),
});

const BranchingSignatories = defineTemplate({
  name: 'Agreements:BranchingSignatories',
  fields: { whichSign: d.bool, signTrue: d.party, signFalse: d.party },
  signatories: (it) => [it.whichSign ? it.signTrue : it.signFalse],
});

const BranchingControllers = defineTemplate({
  name: 'Agreements:BranchingControllers',
  fields: { giver: d.party, whichCtrl: d.bool, ctrlTrue: d.party, ctrlFalse: d.party },
  signatories: (it) => [it.giver],
  observers: (it) => [it.whichCtrl ? it.ctrlTrue : it.ctrlFalse],
});

/** The actor is not a stakeholder. */
const Witnesses = defineTemplate({
  name: 'Agreements:Witnesses',
  fields: { signatory: d.party, observer: d.party, actor: d.party },
  signatories: (it) => [it.signatory],
  observers: (it) => [it.observer],
  choices: (choice) => ({
    WitnessesChoice: choice({ result: d.unit, controllers: (it) => [it.actor], run: () => ({}) }),
    WitnessesNonConsumingChoice: choice({
      consuming: false,
      result: d.unit,
      controllers: (it) => [it.actor],
      run: () => ({}),
    }),
  }),
});

const MultiPartyContract = defineTemplate({
  name: 'Agreements:MultiPartyContract',
  fields: { parties: d.list(d.party), value: d.text },
  signatories: (it) => it.parties,
});

const Address = d.record('Agreements:Address', {
  street: d.text,
  city: d.text,
  state: d.text,
  zip: d.text,
});
const AddressWrapper = defineTemplate({
  name: 'Agreements:AddressWrapper',
  fields: { operator: d.party, address: Address },
  signatories: (it) => [it.operator],
  choices: (choice) => ({
    WrapWithAddress: choice({
      argument: { address: Address },
      result: d.contractId('Agreements:AddressWrapper'),
      controllers: (it) => [it.operator],
      run: (update, { template, payload }, { address }) =>
        update.create(template, { ...payload, address }),
    }),
  }),
});

const everyType = {
  integer: d.int64,
  decimal: d.numeric(10),
  text: d.text,
  bool: d.bool,
  time: d.timestamp,
  nestedOptionalInteger: d.record('Agreements:NestedOptionalInteger', {
    value: d.variant('Agreements:OptionalInteger', { SomeInteger: d.int64, NoInteger: d.unit }),
  }),
  integerList: d.list(d.int64),
  optionalText: d.optional(d.text),
};
const ParameterShowcase = defineTemplate({
  name: 'Agreements:ParameterShowcase',
  fields: { operator: d.party, ...everyType },
  signatories: (it) => [it.operator],
  choices: (choice) => ({
    Choice1: choice({
      argument: everyType,
      result: d.contractId('Agreements:ParameterShowcase'),
      controllers: (it) => [it.operator],
      run: (update, { template, payload }, all) => update.create(template, { ...payload, ...all }),
    }),
  }),
});

const CreateAndFetch = defineTemplate({
  name: 'Agreements:CreateAndFetch',
  fields: { party: d.party },
  signatories: (it) => [it.party],
  choices: (choice) => ({
    CreateAndFetch_Run: choice({
      result: d.unit,
      controllers: (it) => [it.party],
      run: (update, { template, payload }) => {
        update.fetch(template, update.create(template, payload));
        return {};
      },
    }),
    ConsumeIfTimeIsBetween: choice({
      argument: { begin: d.timestamp, end: d.timestamp },
      result: d.unit,
      controllers: (it) => [it.party],
      run: (update, _self, { begin, end }) => {
        const now = update.getTime();
        update.assert(begin <= now && now <= end, 'Assertion failed');
        return {};
      },
    }),
  }),
});

const someText = { nonOpt: d.text, opt: d.optional(d.text) };
const TrailingNonesIface = defineInterface({
  name: 'Agreements:TrailingNonesIface',
  view: d.record('Agreements:TrailingNonesView', someText),
  choices: () => ({}),
});
const TrailingNones = defineTemplate({
  name: 'Agreements:TrailingNones',
  fields: { owner: d.party, ...someText },
  signatories: (it) => [it.owner],
  implements: (implement) => [
    implement(TrailingNonesIface, { view: ({ nonOpt, opt }) => ({ nonOpt, opt }) }),
  ],
  choices: (choice) => ({
    ExerciseChoice: choice({
      argument: someText,
      result: d.record('Agreements:TrailingNonesResult', someText),
      controllers: (it) => [it.owner],
      run: (_update, _self, { nonOpt, opt }) => ({ nonOpt, opt }),
    }),
  }),
});

export const agreementsPackage = definePackage({
  name: 'agreements-tests',
  version: '1.0.0',
  templates: [
    Agreement,
    AgreementFactory,
    TriAgreement,
    TriProposal,
    BranchingSignatories,
    BranchingControllers,
    Witnesses,
    MultiPartyContract,
    AddressWrapper,
    ParameterShowcase,
    CreateAndFetch,
    TrailingNones,
  ],
  interfaces: [TrailingNonesIface],
});

/** `#agreements-tests:Agreements:<entity>`. */
export const agreements = (entity: string): string => `#agreements-tests:Agreements:${entity}`;
