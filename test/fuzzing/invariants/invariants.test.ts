/** Invariants in TypeScript: the ledger that they read, conservation, privacy, and names that do not exist. */
import {
  conserved,
  invariant,
  seenOnlyBy,
  type FuzzedLedger,
} from '../../../src/fuzzing/invariants/index.js';
import type { Check } from '../../../src/fuzzing/model/finding.js';
import { Numeric } from '../../../src/daml/index.js';
import { CheckedLedger } from '../checked-ledger.js';
import * as authority from '../zoo/authority.js';
import * as lifecycle from '../zoo/lifecycle.js';
import * as crashes from '../zoo/crashes.js';
import { created, doing, idOf, lastly, renewed, t, zooPackage } from '../zoo/notation.js';
import * as value from '../zoo/value.js';

const [ALICE, BOB, CAROL] = ['Alice', 'Bob', 'Carol'] as const;
const token = (amount: bigint, instrument = 'gold', owner: string = BOB) => ({
  issuer: ALICE,
  owner,
  instrument,
  amount,
});

/** The results of a function after each step. */
function reading<T>(read: (ledger: FuzzedLedger) => T) {
  const results: T[] = [];
  const check = invariant('reads', (ledger) => {
    results.push(read(ledger));
    return true;
  });
  return { results, check };
}

const splits = (checks: readonly Check[], fixed = false) => {
  const ledger = new CheckedLedger(value.mintingSplit(fixed), checks);
  const split = (id: string, part: bigint) =>
    ledger.submit([BOB], ledger.use('Token', id, 'Split', { part }));
  return { ledger, split };
};

describe('the ledger', () => {
  it('has contracts and sums, with values as Ledger API JSON', () => {
    const { results, check } = reading((ledger) => ({
      contracts: ledger.contracts('Token').map(({ payload, signatories, observers }) => ({
        payload,
        signatories,
        observers,
      })),
      sum: ledger.sum('Main:Token', 'amount'),
      sums: [...ledger.sumsBy('Token', 'amount', 'instrument')],
      parties: ledger.parties,
    }));
    const { ledger } = splits([check]);
    ledger.create([ALICE], 'Token', token(5n));
    ledger.create([ALICE], 'Token', token(7n, 'silver'));
    ledger.create([ALICE], 'Token', token(1n));
    expect(results[0]).toMatchObject({ contracts: [], sum: '0', sums: [] });
    expect(results.at(-1)).toEqual({
      contracts: [
        { payload: { ...token(5n), amount: '5' }, signatories: [ALICE], observers: [BOB] },
        {
          payload: { ...token(7n, 'silver'), amount: '7' },
          signatories: [ALICE],
          observers: [BOB],
        },
        { payload: { ...token(1n), amount: '1' }, signatories: [ALICE], observers: [BOB] },
      ],
      sum: '13',
      sums: [
        ['gold', '6'],
        ['silver', '7'],
      ],
      parties: [ALICE, BOB, CAROL],
    });
  });

  it('has the last step: exercises, created and archived contracts', () => {
    const { results, check } = reading((ledger) => ({
      exercised: ledger.exercised('Token.Split'),
      byName: ledger.exercised('Split').length,
      byModule: ledger.exercised('Main:Token.Split').length,
      others: ledger.exercised('Other.Split').length + ledger.exercised('Token.Other').length,
      created: ledger.created('Token').map(({ payload }) => payload['amount']),
      archived: ledger.archived('Token').map(({ payload }) => payload['amount']),
    }));
    const { ledger, split } = splits([check], true);
    const id = ledger.create([ALICE], 'Token', token(5n));
    split(id, 2n);
    ledger.step({ kind: 'advance', micros: 1n });
    const nothing = { exercised: [], byName: 0, byModule: 0, others: 0, created: [], archived: [] };
    expect(results[0]).toEqual(nothing);
    expect(results[1]).toEqual({ ...nothing, created: ['5'] });
    expect(results[2]).toMatchObject({
      exercised: [
        {
          contractId: id,
          templateId: ledger.id('Token'),
          choice: 'Split',
          payload: { amount: '5' },
          argument: { part: '2' },
          result: ledger.newest(),
          actingParties: [BOB],
          actAs: [BOB],
          consuming: true,
          signatories: [ALICE],
        },
      ],
      byName: 1,
      byModule: 1,
      others: 0,
      created: ['3', '2'],
      archived: ['5'],
    });
    expect(results[3]).toEqual(nothing);
  });

  it('finds single contracts, active or archived', () => {
    const { results, check } = reading((ledger) =>
      ids.map((id) => [ledger.contract(id)?.payload['amount'], ledger.isActive(id)]),
    );
    const ids: string[] = [];
    const { ledger, split } = splits([check], true);
    ids.push(ledger.create([ALICE], 'Token', token(5n)), '00ff');
    split(ids[0]!, 2n);
    ids.push(ledger.newest());
    ledger.step({ kind: 'advance', micros: 1n });
    expect(results.at(-1)).toEqual([
      ['5', false],
      [undefined, false],
      ['2', true],
    ]);
  });

  it('tells the time, and whether a timestamp has passed', () => {
    const times = ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000001Z', '1970-01-02T00:00:00Z'];
    const { results, check } = reading((ledger) => [
      ledger.now,
      ...times.map((time) => ledger.hasPassed(time)),
    ]);
    const { ledger } = splits([check]);
    ledger.step({ kind: 'advance', micros: 1n });
    ledger.step({ kind: 'advance', micros: 1n });
    expect(results).toEqual([
      ['1970-01-01T00:00:00Z', false, false, false],
      ['1970-01-01T00:00:00.000001Z', true, false, false],
      ['1970-01-01T00:00:00.000002Z', true, true, false],
    ]);
  });

  it('tries choices without an effect', () => {
    let tries: (ledger: FuzzedLedger) => boolean = () => true;
    const { results, check } = reading((ledger) => tries(ledger));
    const lock = new CheckedLedger(lifecycle.unlocksEarly(true), [check]);
    const id = lock.create([ALICE], 'Lock', { holder: ALICE, owner: BOB, until: 5n });
    tries = (ledger) => {
      const [contract] = ledger.contracts('Lock');
      return ledger.accepts({ actAs: [BOB], contract: contract!, choice: 'Unlock' });
    };
    lock.step({ kind: 'advance', micros: 5n });
    lock.step({ kind: 'advance', micros: 1n });
    expect(results.slice(-2)).toEqual([false, true]);
    expect(lock.ledger.isActive(id)).toBe(true);
    tries = (ledger) =>
      ledger.accepts({ actAs: [BOB], contract: ledger.contracts('Lock')[0]!, choice: 'Open' });
    expect(() => lock.step({ kind: 'advance', micros: 1n })).toThrow(
      'Main:Lock has no choice Open.',
    );
  });

  it('tries choices with arguments, and those of interfaces', () => {
    let accepted: boolean | undefined;
    const check = invariant('tries', (ledger) => {
      const [contract] = ledger.contracts('Token');
      const tried = { actAs: [BOB], choice: 'Split', argument: { part: '2' } };
      accepted = contract && ledger.accepts({ ...tried, contract });
    });
    const { ledger } = splits([check]);
    ledger.create([ALICE], 'Token', token(5n));
    expect(accepted).toBe(true);
    ledger.submit([ALICE], ledger.use('Token', ledger.newest(), 'Archive'));
    ledger.create([ALICE], 'Token', token(2n));
    expect(accepted).toBe(false);
  });

  it('shows views of interfaces, without contracts whose view fails', () => {
    const { results, check } = reading((ledger) =>
      ledger.contracts('Named').map(({ payload }) => payload),
    );
    const ledger = new CheckedLedger(crashes.failingView(true), [check]);
    ledger.create([ALICE], 'Parcel', { sender: ALICE, labels: ['big', 'red'] });
    expect(results.at(-1)).toEqual([{ name: 'big' }]);
    const broken = new CheckedLedger(crashes.failingView(false), [check]);
    broken.create([ALICE], 'Parcel', { sender: ALICE, labels: [] });
    expect(results.at(-1)).toEqual([]);
  });
});

describe('an invariant', () => {
  const messages = (holds: Parameters<typeof invariant>[1]) => {
    const { ledger } = splits([invariant('it', holds)]);
    ledger.create([ALICE], 'Token', token(5n));
    ledger.create([ALICE], 'Token', token(6n));
    ledger.end();
    return ledger.findings.map(({ place, message }) => [place, message]);
  };
  const few = ({ length }: readonly unknown[]) => length === 0;

  it('is broken by false, texts and exceptions, once in a sequence', () => {
    const tokens = (ledger: FuzzedLedger) => ledger.contracts('Token');
    expect(messages((ledger) => few(tokens(ledger)))).toEqual([
      ['it', 'The invariant it does not hold.'],
    ]);
    expect(messages((ledger) => tokens(ledger).map(() => 'One.'))).toEqual([['it', 'One.']]);
    expect(messages((ledger) => (few(tokens(ledger)) ? true : 'Text.'))).toEqual([['it', 'Text.']]);
    expect(
      messages((ledger) => {
        if (!few(tokens(ledger))) throw new Error('thrown');
      }),
    ).toEqual([['it', 'thrown']]);
  });

  it('holds without a result, and with an empty list', () => {
    expect(messages(() => undefined)).toEqual([]);
    expect(messages(() => [])).toEqual([]);
  });

  it('must hold in the start state', () => {
    expect(messages(() => false)).toEqual([['the start state', 'The invariant it does not hold.']]);
    const alone = new CheckedLedger(value.mintingSplit(false), [invariant('it', () => 'no')]);
    expect(alone.end()).toMatchObject([{ check: 'it', place: 'the start state', message: 'no' }]);
  });

  it.each([
    [
      'template',
      (ledger: FuzzedLedger) => ledger.contracts('Coin'),
      'no template or interface Coin',
    ],
    ['field', (ledger: FuzzedLedger) => ledger.sum('Token', 'size'), 'There is no field size'],
  ])('that names an unknown %s throws', (_, read, message) => {
    const check = invariant('it', (ledger) => void read(ledger));
    const { ledger } = splits([invariant('other', () => true)]);
    expect(() => {
      const { ledger: own } = splits([check]);
      own.create([ALICE], 'Token', token(5n));
    }).toThrow(message);
    expect(ledger.findings).toEqual([]);
  });
});

describe('conservation', () => {
  const supply = (options = {}) =>
    conserved({ template: 'Token', field: 'amount', by: ['issuer', 'instrument'], ...options });

  it('reports the choice, the group and the amount that it creates or loses', () => {
    const { ledger, split } = splits([supply()]);
    split(ledger.create([ALICE], 'Token', token(5n)), 2n);
    expect(ledger.findings).toMatchObject([
      {
        check: 'conserved',
        place: 'Main:Token.Split creates',
        message: 'Main:Token.Split increases the sum of amount of Alice, gold by 2.',
      },
    ]);
    const halves = new CheckedLedger(value.roundedHalves(false), [supply({ name: 'supply' })]);
    const id = halves.create([ALICE], 'Token', token(5n));
    halves.submit([BOB], halves.use('Token', id, 'Halve'));
    expect(halves.findings).toMatchObject([
      {
        check: 'supply',
        place: 'Main:Token.Halve loses',
        message: 'Main:Token.Halve decreases the sum of amount of Alice, gold by 1.',
      },
    ]);
  });

  it('does not judge commands that create or archive, or choices that may change the sum', () => {
    for (const except of ['Split', 'Token.Split', 'Main:Token.Split']) {
      const { ledger, split } = splits([supply({ except: [except] })]);
      const id = ledger.create([ALICE], 'Token', token(5n));
      split(id, 2n);
      ledger.submit([ALICE], ledger.use('Token', ledger.newest(), 'Archive'));
      expect(ledger.findings).toEqual([]);
    }
    const { ledger, split } = splits([supply({ except: ['Coin.Split', 'plit'] })]);
    split(ledger.create([ALICE], 'Token', token(5n)), 2n);
    expect(ledger.findings).toHaveLength(1);
  });

  it('exempts the consequences of a choice, and a choice as a consequence', () => {
    for (const [except, count] of [
      ['Both', 0],
      ['Split', 0],
      ['Other', 1],
    ] as const) {
      const ledger = new CheckedLedger(NESTED, [supply({ by: [], except: [except] })]);
      const desk = ledger.create([ALICE], 'Desk', { owner: ALICE });
      const id = ledger.create([ALICE], 'Token', { owner: ALICE, amount: 5n });
      ledger.submit([ALICE], ledger.use('Desk', desk, 'Both', { token: id }));
      expect(ledger.findings).toHaveLength(count);
    }
  });

  it('does not count other templates', () => {
    const cash = conserved({ template: 'Cash', field: 'amount', by: 'owner' });
    const ledger = new CheckedLedger(value.lastingVoucher(true), [cash]);
    const id = ledger.create([ALICE], 'Voucher', { issuer: ALICE, holder: BOB, amount: 1n });
    ledger.submit([BOB], ledger.use('Voucher', id, 'Redeem'));
    expect(ledger.findings.map(({ message }) => message)).toEqual([
      'Main:Voucher.Redeem increases the sum of amount of Bob by 1.',
    ]);
  });

  it('asserts the sum that the contracts should have, if a test can compute it', () => {
    const assertionWith = (options: object) => {
      const { ledger, split } = splits([supply(options)]);
      ledger.create([ALICE], 'Token', token(9n, 'silver'));
      split(ledger.create([ALICE], 'Token', token(5n)), 2n);
      return ledger.findings[0]!.assertion;
    };
    expect(assertionWith({})).toMatchObject({
      kind: 'sum',
      field: 'amount',
      sum: '5',
      where: { issuer: ALICE, instrument: 'gold' },
    });
    expect(assertionWith({ template: ['Token', 'Main:Token'] })).toBeUndefined();
  });

  it('judges each command alone', () => {
    const { ledger } = splits([supply()], true);
    const id = ledger.create([ALICE], 'Token', token(5n));
    const split = ledger.use('Token', id, 'Split', { part: 2n });
    ledger.submit([ALICE, BOB], split, ledger.creation('Token', token(9n)));
    expect(ledger.findings).toEqual([]);
  });

  it('counts several templates together, and one group without `by`', () => {
    const together = conserved({ template: ['Holding', 'Allocation'], field: 'amount' });
    for (const fixed of [false, true]) {
      const ledger = new CheckedLedger(value.neverReturns(fixed), [together]);
      const allocation = { ...token(5n), receiver: CAROL, executor: CAROL };
      const id = ledger.create([ALICE, BOB], 'Allocation', allocation);
      ledger.submit([CAROL], ledger.use('Allocation', id, 'Cancel'));
      expect(ledger.summaries).toEqual(fixed ? [] : ['conserved: Main:Allocation.Cancel loses']);
    }
  });

  it('adds decimals exactly', () => {
    const pots = conserved({ template: 'Pot', field: 'amount' });
    for (const fixed of [false, true]) {
      const ledger = new CheckedLedger(value.roundedThirds(fixed), [pots]);
      const id = ledger.create([ALICE], 'Pot', { issuer: ALICE, amount: decimal('10.0') });
      ledger.submit([ALICE], ledger.use('Pot', id, 'Share'));
      expect(ledger.findings.map(({ message }) => message)).toEqual(
        fixed ? [] : ['Main:Pot.Share decreases the sum of amount by 0.0000000001.'],
      );
    }
  });

  it('refuses unknown names', () => {
    expect(() => splits([supply({ template: 'Coin' })])).toThrow(
      'There is no template or interface Coin. There are Main:Token.',
    );
    const { ledger, split } = splits([supply({ field: 'size' })]);
    const id = ledger.create([ALICE], 'Token', token(5n));
    expect(() => split(id, 2n)).toThrow(
      'There is no field size. There are issuer, owner, instrument, amount.',
    );
  });

  it('names templates with their package, with an id, or with an object', () => {
    const { id } = value.mintingSplit(false);
    for (const template of [
      '#zoo:Main:Token',
      `${id}:Main:Token`,
      { templateId: '#zoo:Main:Token' },
    ]) {
      const { ledger, split } = splits([supply({ template })]);
      split(ledger.create([ALICE], 'Token', token(5n)), 2n);
      expect(ledger.findings).toHaveLength(1);
    }
    expect(() => splits([supply({ template: '#other:Main:Token' })])).toThrow(
      'There is no template',
    );
  });
});

describe('privacy', () => {
  const secret = (parties = ['bidder', 'auctioneer']) => seenOnlyBy({ template: 'Bid', parties });

  it('reports stakeholders and witnesses who are not named', () => {
    const bids = new CheckedLedger(lifecycle.visibleBid(false), [secret()]);
    const bid = { bidder: BOB, auctioneer: ALICE, rivals: [CAROL], amount: 3n };
    bids.create([BOB], 'Bid', bid);
    expect(bids.findings).toMatchObject([
      {
        check: 'seen-only-by',
        place: 'create Main:Bid',
        message: 'Carol sees a Main:Bid of Bob, Alice.',
      },
    ]);
    const auctions = new CheckedLedger(lifecycle.divulgedBid(false), [secret()]);
    const sealed = { bidder: BOB, auctioneer: ALICE, amount: 3n };
    const id = auctions.create([BOB], 'Bid', sealed);
    const auction = auctions.create([ALICE], 'Auction', { auctioneer: ALICE, audience: [CAROL] });
    auctions.submit([ALICE], auctions.use('Auction', auction, 'Inspect', { bid: id }));
    expect(auctions.summaries).toEqual(['seen-only-by: Main:Auction.Inspect → fetch Main:Bid']);
  });

  it('allows the parties of lists', () => {
    const bids = new CheckedLedger(lifecycle.visibleBid(false), [
      secret(['bidder', 'auctioneer', 'rivals']),
    ]);
    const bid = { bidder: BOB, auctioneer: ALICE, rivals: [CAROL], amount: 3n };
    bids.create([BOB], 'Bid', bid);
    expect(bids.findings).toEqual([]);
  });

  it('does not judge other templates', () => {
    const ledger = new CheckedLedger(authority.openClaim(false), [
      seenOnlyBy({ name: 'payments', template: 'Payment', parties: ['sponsor', 'to'] }),
    ]);
    ledger.create([ALICE], 'Prize', { sponsor: ALICE, winner: BOB });
    expect(ledger.findings).toEqual([]);
    expect(() => new CheckedLedger(authority.openClaim(false), [secret()])).toThrow('Bid');
  });
});

const NESTED = zooPackage({
  templates: {
    Token: {
      fields: { owner: t.party, amount: t.int64 },
      signatories: ['owner'],
      choices: {
        Split: {
          by: ['owner'],
          returns: idOf('Token'),
          does: () => lastly(renewed('Token', {}), created('rest', 'Token', renewed('Token', {}))),
        },
      },
    },
    Desk: {
      fields: { owner: t.party },
      signatories: ['owner'],
      choices: {
        Both: {
          stays: true,
          args: { token: idOf('Token') },
          by: ['owner'],
          returns: idOf('Token'),
          does: ({ given }) => doing('Token', given('token'), 'Split'),
        },
      },
    },
  },
});

function decimal(text: string) {
  return Numeric.of(text, 10);
}
