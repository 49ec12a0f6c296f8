/** The ledger model's rules, one example each: who must authorize, who can see, what is still active. */
import { EventEmitter } from 'node:events';
import { createCanticle, d, definePackage, defineTemplate } from 'canticle';
import { IOU, iouWorld, outcome } from '../../support/ledger.js';

describe('authorization', () => {
  it('a create requires all signatories (B-CMD-025)', () => {
    const { canticle, bank, alice } = iouWorld();
    const payload = { issuer: bank, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };
    const create = (actAs: string[]) =>
      outcome(() => canticle.participant.create(IOU, payload, { actAs }));
    expect(create([alice])).toBe('DAML_AUTHORIZATION_ERROR');
    expect(create([bank])).toBe('DAML_AUTHORIZATION_ERROR');
    expect(create([alice, bank])).toBe('accepted');
  });

  it('an exercise requires all controllers, and several actAs parties combine their authority (B-CMD-024)', () => {
    const { canticle, alice, bob, issue } = iouWorld();
    const iou = issue();
    const transfer = (actAs: string[]) =>
      outcome(() =>
        canticle.participant.exercise(IOU, iou, 'Iou_Transfer', { newOwner: bob }, { actAs }),
      );
    expect(transfer([alice])).toBe('DAML_AUTHORIZATION_ERROR');
    expect(transfer([alice, bob])).toBe('accepted');
  });

  it('an error names the required and the acting parties', () => {
    const { canticle, bank, alice, bob, issue } = iouWorld();
    const iou = issue();
    expect(() =>
      canticle.participant.exercise(
        IOU,
        iou,
        'Iou_Transfer',
        { newOwner: bob },
        { actAs: [alice] },
      ),
    ).toThrow(new RegExp(`requires authorizers ${alice},${bob}, but only ${alice} were given`));
    expect(bank).toMatch(/^bank::1220[0-9a-f]{64}$/);
  });

  it('readAs parties have no authority', () => {
    const { canticle, alice, bank, issue } = iouWorld();
    const iou = issue();
    expect(
      outcome(() => canticle.participant.archive(IOU, iou, { actAs: [alice], readAs: [bank] })),
    ).toBe('DAML_AUTHORIZATION_ERROR');
  });
});

/** A seal stamps directly, or through another seal. */
const SEAL = 'Rules:Seal';
const Seal = defineTemplate({
  name: SEAL,
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  choices: (choice) => ({
    Stamp: choice({
      argument: { of: d.party },
      result: d.contractId(SEAL),
      consuming: false,
      controllers: ({ owner }) => [owner],
      run: (update, { template }, { of }) => update.create(template, { owner: of }),
    }),
    Lend: choice({
      argument: { to: d.party, other: d.contractId(SEAL), of: d.party },
      result: d.contractId(SEAL),
      consuming: false,
      controllers: (_, { to }) => [to],
      run: ({ untyped }, { template }, { other, of }) =>
        untyped.exercise(template.id, other, 'Stamp', { of }) as string,
    }),
  }),
});

it.each([
  ['Rules:Caller', 'Burn', (id: string) => `unknown choice Burn in template ${id}`],
  ['Rules:Nobody', 'Burn', (id: string) => `unknown template or interface ${id}`],
])(
  "an exercise of an unknown choice on %s fails with the engine's error",
  (name, choice, words) => {
    const Caller = defineTemplate({
      name: 'Rules:Caller',
      fields: { owner: d.party },
      signatories: ({ owner }) => [owner],
      choices: (define) => ({
        Call: define({
          argument: { on: d.text, other: d.contractId('Rules:Caller') },
          result: d.unit,
          consuming: false,
          controllers: ({ owner }) => [owner],
          run: ({ untyped }, _, { on, other }) => {
            untyped.exercise(on, other, choice, {});
            return {};
          },
        }),
      }),
    });
    const callers = definePackage({ name: 'callers', version: '1.0.0', templates: [Caller] });
    const { participant } = createCanticle({ packages: [callers] });
    const alice = participant.allocateParty('alice');
    const id = '#callers:Rules:Caller';
    const other = participant.create(id, { owner: alice }, { actAs: [alice] });
    const on = `${callers.id}:${name}`;
    expect(() =>
      participant.exercise(id, other, 'Call', { on, other }, { actAs: [alice] }),
    ).toThrow(words(on));
  },
);

it('an exercise has only the authority of its contract’s signatories and its controllers', () => {
  const seals = definePackage({ name: 'seals', version: '1.0.0', templates: [Seal] });
  const { participant } = createCanticle({ packages: [seals] });
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const id = `#seals:${SEAL}`;
  const seal = (owner: string) => participant.create(id, { owner }, { actAs: [owner] });
  const [hers, his] = [seal(alice), seal(bob)];
  const lend = (other: string, of: string) => {
    const authority = { actAs: [bob], readAs: [alice] };
    const argument = { to: bob, other, of };
    return outcome(() => participant.exercise(id, hers, 'Lend', argument, authority));
  };
  // In the choice on her seal both have agreed; in the inner choice on a seal, only its owner has.
  expect([lend(his, bob), lend(his, alice)]).toEqual(['accepted', 'DAML_AUTHORIZATION_ERROR']);
  expect([lend(hers, alice), lend(hers, bob)]).toEqual(['accepted', 'DAML_AUTHORIZATION_ERROR']);
});

/** Uses of the contract itself in the body of a consuming and of a nonconsuming choice. */
const TICKET = 'Rules:Ticket';
const WAYS = ['fetch', 'exercise', 'archive'] as const;
const Ticket = defineTemplate({
  name: TICKET,
  fields: { owner: d.party },
  signatories: ({ owner }) => [owner],
  choices: (choice) => {
    const using = (consuming: boolean) =>
      choice({
        argument: { way: d.text },
        result: d.unit,
        consuming,
        controllers: ({ owner }) => [owner],
        run: (update, { template, contractId }, { way }) => {
          if (way === 'fetch') update.fetch(template, contractId);
          else if (way === 'archive') update.archive(template, contractId);
          else update.untyped.exercise(template.id, contractId, 'Look', {});
          return {};
        },
      });
    return {
      Spend: using(true),
      Keep: using(false),
      Look: choice({
        result: d.unit,
        consuming: false,
        controllers: ({ owner }) => [owner],
        run: () => ({}),
      }),
    };
  },
});

it('a consuming choice consumes its contract before its body runs', () => {
  const tickets = definePackage({ name: 'tickets', version: '1.0.0', templates: [Ticket] });
  const { participant } = createCanticle({ packages: [tickets] });
  const alice = participant.allocateParty('alice');
  const by = { actAs: [alice] };
  const use = (choice: string, way: string) => {
    const ticket = participant.create(`#tickets:${TICKET}`, { owner: alice }, by);
    return outcome(() => participant.exercise(`#tickets:${TICKET}`, ticket, choice, { way }, by));
  };
  expect(WAYS.map((way) => use('Spend', way))).toEqual(WAYS.map(() => 'CONTRACT_NOT_ACTIVE'));
  expect(WAYS.map((way) => use('Keep', way))).toEqual(WAYS.map(() => 'accepted'));
});

/** Bodies that return or do something invalid. */
const WORK = 'Rules:Work';
const Work = defineTemplate({
  name: WORK,
  fields: { owner: d.party, text: d.text },
  signatories: ({ owner }) => [owner],
  choices: (choice) => {
    const own = { consuming: false, controllers: ({ owner }: { owner: string }) => [owner] };
    return {
      Price: choice({
        ...own,
        argument: { price: d.text },
        result: d.numeric(2),
        run: (_update, _self, { price }) => price as never,
      }),
      Write: choice({
        ...own,
        argument: { code: d.int64 },
        result: d.contractId(WORK),
        run: (update, { template, payload }, { code }) =>
          update.create(template, { ...payload, text: String.fromCharCode(Number(code)) }),
      }),
      WriteForAnother: choice({
        ...own,
        argument: { other: d.party },
        result: d.unit,
        run: (update, { template, payload }, { other }) => {
          try {
            update.create(template, { ...payload, owner: other });
          } catch {
            // As if nothing had happened.
          }
          return {};
        },
      }),
      Nest: choice({
        ...own,
        argument: { exercises: d.int64 },
        result: d.unit,
        run: ({ untyped }, { template, contractId }, { exercises }) => {
          if (exercises > 1n)
            untyped.exercise(template.id, contractId, 'Nest', { exercises: exercises - 1n });
          return {};
        },
      }),
      Recurse: choice({
        ...own,
        result: d.unit,
        run: () => {
          // Node's functions fail with an error of Node's realm, also under jest.
          const deeper = (): void => void emitter.emit('deeper');
          const emitter = new EventEmitter().on('deeper', deeper);
          deeper();
          return {};
        },
      }),
      CopyAndArchive: choice({
        ...own,
        argument: { count: d.int64 },
        result: d.unit,
        run: (update, { template, payload }, { count }) => {
          const made = Array.from({ length: Number(count) }, () =>
            update.create(template, payload),
          );
          for (const each of made) update.archive(template, each);
          return {};
        },
      }),
    };
  },
});

describe('the TypeScript code of a choice', () => {
  const works = definePackage({ name: 'works', version: '1.0.0', templates: [Work] });
  const { participant } = createCanticle({ packages: [works] });
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const id = `#works:${WORK}`;
  const work = participant.create(id, { owner: alice, text: '' }, { actAs: alice });
  const exerciseChoice = (choice: string, argument: object) =>
    participant.exercise(id, work, choice, argument, { actAs: alice }).result;

  it('must return a value of the declared type, which is normalized', () => {
    expect(exerciseChoice('Price', { price: '1.5' })).toBe('1.50');
    expect(outcome(() => exerciseChoice('Price', { price: 'much' }))).toBe(
      'COMMAND_PREPROCESSING_FAILED',
    );
    expect(outcome(() => exerciseChoice('Write', { code: '65' }))).toBe('accepted');
    expect(outcome(() => exerciseChoice('Write', { code: '0' }))).toBe('MALFORMED_TEXT');
  });

  it('cannot continue after an error as if nothing had happened', () => {
    expect(outcome(() => exerciseChoice('WriteForAnother', { other: alice }))).toBe('accepted');
    expect(outcome(() => exerciseChoice('WriteForAnother', { other: bob }))).toBe(
      'DAML_AUTHORIZATION_ERROR',
    );
  });

  it('may nest 500 exercises, and no more', () => {
    expect(outcome(() => exerciseChoice('Nest', { exercises: '500' }))).toBe('accepted');
    expect(() => exerciseChoice('Nest', { exercises: '501' })).toThrow(
      'Exercises nest deeper than 500.',
    );
  });

  it('fails with an error if its calls exceed the JavaScript stack', () => {
    expect(() => exerciseChoice('Recurse', {})).toThrow(
      'INTERPRETATION_TIME_EXCEEDED: Time exceeds limit of Ledger Effective Time',
    );
  });

  it('finds each contract that it created', () => {
    for (const count of [1, 20])
      expect(outcome(() => exerciseChoice('CopyAndArchive', { count: String(count) }))).toBe(
        'accepted',
      );
  });
});

describe('visibility and activeness', () => {
  it('a party that is not a stakeholder finds the contract only with readAs (B-CMD-026)', () => {
    const { canticle, alice, bob, issue } = iouWorld();
    const iou = issue();
    const split = (actAs: string[], readAs: string[] = []) =>
      outcome(() =>
        canticle.participant.exercise(
          IOU,
          iou,
          'Iou_Split',
          { splitAmount: '1.0' },
          { actAs, readAs },
        ),
      );
    expect(split([bob])).toBe('CONTRACT_NOT_FOUND');
    expect(split([bob], [alice])).toBe('DAML_AUTHORIZATION_ERROR');
    expect(split([alice])).toBe('accepted');
  });

  it('a contract can be consumed once (B-CMD-028)', () => {
    const { canticle, alice, bank, issue } = iouWorld();
    const iou = issue();
    const archive = () =>
      outcome(() => canticle.participant.archive(IOU, iou, { actAs: [alice, bank] }));
    expect([archive(), archive()]).toEqual(['accepted', 'CONTRACT_NOT_FOUND']);
  });

  it('a failed choice body changes nothing', () => {
    const { canticle, alice, issue } = iouWorld();
    const iou = issue({ amount: '5.0' });
    const { ledgerEnd } = canticle.participant;
    expect(
      outcome(() =>
        canticle.participant.exercise(
          IOU,
          iou,
          'Iou_Split',
          { splitAmount: '7.0' },
          { actAs: [alice] },
        ),
      ),
    ).toBe('TEMPLATE_PRECONDITION_VIOLATED');
    expect(canticle.participant.ledgerEnd).toBe(ledgerEnd);
    expect(canticle.participant.contract(iou)).toMatchObject({
      payload: { amount: '5.0000000000' },
    });
  });

  it('an exercise with another template fails (B-CMD-030)', () => {
    const { canticle, alice, issue } = iouWorld();
    const iou = issue();
    expect(
      outcome(() =>
        canticle.participant.archive('#canticle-test-token:Canticle.TestToken:Token', iou, {
          actAs: [alice],
        }),
      ),
    ).not.toBe('accepted');
  });
});

describe('deduplication', () => {
  it('accepts a change once inside its period, with any content (B-DED-003)', () => {
    const { canticle, bank, alice } = iouWorld();
    const create = (commandId: string) =>
      outcome(() =>
        canticle.participant.create(
          IOU,
          { issuer: bank, owner: alice, currency: 'EUR', amount: '1.0', observers: [] },
          { actAs: [bank, alice], commandId },
        ),
      );
    expect([create('pay-1'), create('pay-1'), create('pay-2')]).toEqual([
      'accepted',
      'DUPLICATE_COMMAND',
      'accepted',
    ]);
    canticle.advanceTime({ days: 8 });
    expect(create('pay-1')).toBe('accepted'); // B-DED-013
  });

  it('a rejected submission can be retried (B-DED-006)', () => {
    const { canticle, bank, alice } = iouWorld();
    const create = (actAs: string[]) =>
      outcome(() =>
        canticle.participant.create(
          IOU,
          { issuer: bank, owner: alice, currency: 'EUR', amount: '1.0', observers: [] },
          { actAs, commandId: 'retry' },
        ),
      );
    expect(create([alice])).toBe('DAML_AUTHORIZATION_ERROR');
    expect(create([alice, bank])).toBe('accepted');
  });
});
