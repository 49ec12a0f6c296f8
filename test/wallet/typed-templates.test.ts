/**
 * Templates and choices named by objects that carry their types: of `defineTemplate` and of `dpm codegen-js`. Code that must not
 * compile follows a directive that is itself an error if the code compiles. (Those of `canticle codegen` are tested in test/codegen.)
 */
import { HOLDING_INTERFACE_ID, HoldingV1 } from '@canton-network/core-token-standard';
import { emptyMap, type ContractId } from '@daml/types';
import {
  createCanticle,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  setOf,
  tuple2,
  type Canticle,
  type Daml,
} from 'canticle';
import { Lot as JsLot } from './codegen-js-template.js';

const Seen = defineInterface({
  name: 'Lots:Seen',
  view: d.record('Lots:SeenView', { amount: d.numeric(10), note: d.optional(d.text) }),
  choices: (choice) => ({
    Look: choice({
      consuming: false,
      argument: { viewer: d.party },
      result: d.text,
      controllers: (_view, { viewer }) => [viewer],
      run: (_update, { view }) => `${view.amount.toString()}`,
    }),
  }),
});

const Lot = defineTemplate({
  name: 'Lots:Lot',
  fields: {
    owner: d.party,
    amount: d.numeric(10),
    note: d.optional(d.text),
    prices: d.genMap(d.text, d.int64),
  },
  signatories: (lot) => [lot.owner],
  key: { type: d.party, of: (lot) => lot.owner, maintainers: (owner) => [owner] },
  choices: (choice) => ({
    Sell: choice({
      argument: { buyer: d.party },
      result: d.contractId('Lots:Lot'),
      controllers: (lot, { buyer }) => [lot.owner, buyer],
      run: (update, { payload, template }, { buyer }) =>
        update.create(template, { ...payload, owner: buyer }),
    }),
    Split: choice({
      argument: { at: d.list(d.int64) },
      result: tuple2(d.int64, d.optional(d.optional(d.date))),
      controllers: (lot) => [lot.owner],
      run: (_update, _self, { at }) => ({ _1: BigInt(at.length), _2: null }),
    }),
  }),
  implements: (implement) => [implement(Seen, { view: ({ amount, note }) => ({ amount, note }) })],
});

const lots = definePackage({
  name: 'lots',
  version: '1.0.0',
  templates: [Lot],
  interfaces: [Seen],
});

let canticle: Canticle;
let alice: string;
let bob: string;
beforeAll(() => {
  canticle = createCanticle({ packages: [lots], seed: 7 });
  alice = canticle.participant.allocateParty('alice');
  bob = canticle.participant.allocateParty('bob');
});
let start: string;
beforeEach(() => (start = canticle.snapshot()));
afterEach(() => canticle.revert(start));
const lotOf = (owner: string) => ({ owner, amount: '2.5', prices: [['EUR', '7']] as const });

describe('a template of defineTemplate', () => {
  test('is referred to by its package name, and has its choices as members', () => {
    expect(Lot.templateId).toBe('#lots:Lots:Lot');
    expect(Seen.templateId).toBe('#lots:Lots:Seen');
    const { Sell, Archive } = Lot;
    expect([Sell.choiceName, Sell.template()]).toEqual(['Sell', Lot]);
    expect([Archive.choiceName, Archive.template()]).toEqual(['Archive', Lot]);
    expect(Sell).toBe(Lot.choices.Sell);
  });

  test('types creation, exercise, result and contracts', () => {
    const { participant } = canticle;
    const lot = participant.create(Lot, lotOf(alice), { actAs: alice });
    const [found] = participant.activeContracts(Lot, { party: alice });
    const amount: string = found!.payload.amount;
    const note: string | null | undefined = found!.payload.note;
    const key: string = found!.key;
    expect([found!.contractId, amount, note, key]).toEqual([lot, '2.5000000000', null, alice]);
    expect(participant.contract(lot, Lot)?.payload.prices[0]?.[1]).toBe('7');

    const split = participant.exercise(lot, Lot.Split, { at: ['1', '2'] }, { actAs: alice });
    const count: string = split.result._1;
    const nested: readonly [] | readonly [readonly [] | readonly [string]] = split.result._2;
    expect([count, nested]).toEqual(['2', []]);

    const again = participant.create(Lot, lotOf(alice), { actAs: alice });
    const actAs = [alice, bob];
    const sold = participant.exerciseByKey(Lot.Sell, alice, { buyer: bob }, { actAs });
    expect(sold.createdOf(Lot).map(({ payload }) => payload.owner)).toEqual([bob]);
    expect(sold.result).toBe(sold.created[0]!.contractId);
    expect(participant.contract(again)).toBeUndefined();
    participant.archive(Lot, sold.result, { actAs: bob });
    expect(participant.activeContracts({ template: Lot })).toEqual([]);
  });

  test('has the choices of an interface, through which it is also visible', () => {
    const { participant } = canticle;
    const lot = participant.create(Lot, { ...lotOf(alice), note: 'x' }, { actAs: alice });
    const [seen] = participant.activeContracts(Seen);
    const amount: string = seen!.view.amount;
    expect([seen!.contractId, amount, seen!.view.note]).toEqual([lot, '2.5000000000', 'x']);
    expect(participant.activeContracts({ template: '#lots:Lots:Seen' })).toEqual([seen]);
    expect(participant.activeContracts({ template: Lot.id })).toHaveLength(1);
    const looked = participant.exercise(lot, Seen.Look, { viewer: bob }, { actAs: [alice, bob] });
    const value: string = looked.result;
    expect(value).toBe('2.5000000000');
    expect(looked.createdOf(Seen)).toEqual([]);
  });

  test('is checked by the compiler', () => {
    void ((lot: ContractIdOfLot) => {
      const { participant } = canticle;
      const actAs = alice;
      // @ts-expect-error no amount
      participant.create(Lot, { owner: alice, prices: [] }, { actAs });
      // @ts-expect-error a number is no Numeric
      participant.create(Lot, { owner: alice, amount: 3, prices: [] }, { actAs });
      // @ts-expect-error no such field
      participant.create(Lot, { ...lotOf(alice), colour: 'red' }, { actAs });
      // @ts-expect-error of another choice
      participant.exercise(lot, Lot.Sell, { at: [] }, { actAs });
      // @ts-expect-error no choice of it
      void Lot.Buy;
      // @ts-expect-error the key is a party
      participant.exerciseByKey(Lot.Sell, 7, { buyer: bob }, { actAs });
      // @ts-expect-error no such member of the payload
      void participant.activeContracts(Lot)[0]!.payload.colour;
      // @ts-expect-error the id of another template's contract
      participant.exercise(lot, Other.Archive, {}, { actAs });
      participant.exercise('any text', Other.Archive, {}, { actAs });
      participant.exercise('#lots:Lots:Lot', lot, 'Sell', { anything: 1 }, { actAs });
    });
  });
});

const Other = defineTemplate({
  name: 'Others:Other',
  fields: {
    owner: d.party,
    both: d.variant('Others:Both', {
      Left: d.unit,
      Right: { count: d.int64, days: setOf(d.date) },
    }),
  },
  signatories: ({ owner }) => [owner],
});
type ContractIdOfLot = Daml.ContractIdOf<typeof Lot>;
// A variant has its tag, and the fields of a constructor are a record.
void (() =>
  canticle.participant.create(
    Other,
    { owner: 'x', both: { tag: 'Left', value: {} } },
    { actAs: 'x' },
  ));
void (() => {
  const value = { count: '1', days: { map: [['2026-01-01', {}]] } } as const;
  canticle.participant.create(Other, { owner: 'x', both: { tag: 'Right', value } }, { actAs: 'x' });
  // @ts-expect-error of the other constructor
  canticle.participant.create(Other, { owner: 'x', both: { tag: 'Left', value } }, { actAs: 'x' });
});

describe('the builder of scenarios', () => {
  test('accepts templates and choices as objects and as names', () => {
    const { scenario: s } = canticle;
    const lot = s.create(Lot, { by: [alice], with: lotOf(alice), as: 'lot' });
    const split = s.exercise(lot, { choice: Lot.Split, with: { at: ['1'] }, by: [alice] });
    const count: string = split.result._1;
    expect(count).toBe('1');
    s.create(JsLot, {
      by: [bob],
      with: { owner: bob, amount: '1.0', note: null, prices: emptyMap<string, string>() },
      as: 'theirs',
    });
    const looked = s.exercise('$theirs', { choice: Seen.Look, with: { viewer: bob }, by: [bob] });
    const amount: string = looked.result;
    expect(amount).toBe('1.0000000000');
    s.expect(
      { activeContracts: 1, template: Lot },
      { activeContracts: 1, template: '#lots:Lots:Lot' },
    );
    const buyer = alice;
    s.exercise(lot, {
      choice: Lot.Sell,
      with: { buyer },
      by: [bob],
      refused: 'CONTRACT_NOT_FOUND',
    });
    const sold = s.exercise('$theirs', { choice: JsLot.Sell, with: { buyer }, by: [alice, bob] });
    const after: ContractId<JsLot> = sold.result;
    expect(sold.createdOf(JsLot)[0]!.contractId).toBe(after);
    void (() => {
      // @ts-expect-error no prices
      s.create(Lot, { by: [alice], with: { owner: alice, amount: '1' } });
      // @ts-expect-error of another choice
      s.exercise(lot, { choice: Lot.Split, with: { buyer }, by: [alice] });
    });
  });
});

describe('a template of dpm codegen-js', () => {
  test('encodes and decodes its values itself', () => {
    const { participant } = canticle;
    const prices = emptyMap<string, string>().set('EUR', '7');
    const payload = { owner: alice, amount: '2.5', note: null, prices };
    const lot: ContractId<JsLot> = participant.create(JsLot, payload, { actAs: alice });
    const [found] = participant.activeContracts(JsLot);
    expect(found!.payload.note).toBeNull();
    expect(found!.payload.prices.get('EUR')).toBe('7');
    const key: string = found!.key;
    expect(key).toBe(alice);
    const actAs = [alice, bob];
    const sold = participant.exercise(lot, JsLot.Sell, { buyer: bob }, { actAs });
    const after: ContractId<JsLot> = sold.result;
    expect(sold.createdOf(JsLot)[0]!.payload.prices.entriesArray()).toEqual([['EUR', '7']]);
    const back = participant.exerciseByKey(JsLot.Sell, bob, { buyer: alice }, { actAs });
    expect(participant.contract(after)).toBeUndefined();
    participant.archive(JsLot, back.result, { actAs: alice });
    void (() => {
      // @ts-expect-error no prices
      participant.create(JsLot, { owner: alice, amount: '1', note: null }, { actAs: alice });
      // @ts-expect-error no buyer
      participant.exercise(lot, JsLot.Sell, {}, { actAs });
    });
  });

  test('shows the view of an interface', () => {
    const { participant, token } = canticle;
    token.mint(alice, 5);
    const Holding = { ...HoldingV1.Holding, templateId: HOLDING_INTERFACE_ID };
    const [holding] = participant.activeContracts(Holding, { party: alice });
    const amount: string = holding!.view.amount;
    expect(amount).toBe('5.0000000000');
    expect(holding!.view.lock).toBeNull();
  });
});
