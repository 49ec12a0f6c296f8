/** The matchers on parties and participants: what they hold and what they see. */
import { useCanticle } from '../../src/testing/jest.js';
import { IOU } from '../support/ledger.js';
import { messageOf } from './matcher-messages.js';

const canticle = useCanticle({
  seed: 7,
  listen: false,
  participants: [{ name: 'one' }, { name: 'two' }],
});
const [one, two] = canticle.participants as [
  typeof canticle.participant,
  typeof canticle.participant,
];
const [alice, bob] = ['alice', 'bob'].map((hint) => one.allocateParty(hint)) as [string, string];
const carol = two.allocateParty('carol');
const { token } = canticle;

describe('toHold', () => {
  it('adds up the holdings of a party, including locked ones', () => {
    token.mint(alice, '10.0');
    token.mint(alice, '2.5');
    expect(alice).toHold('12.5');
    expect(alice).toHold(12.5, token.instrument);
    expect(alice).toHold('12.50', { admin: token.admin, id: token.instrument });
    expect(alice).not.toHold('10.0');
    expect(alice).toHold(0, 'Another');
    expect(bob).toHold(0);
    token.transfer({ from: alice, to: bob, amount: '4.0' });
    expect(alice).toHold('12.5');
    expect(bob).toHold('0');
  });

  it('shows the holdings', () => {
    token.mint(alice, '10.0');
    token.mint(bob, '1.0');
    token.transfer({ from: alice, to: bob, amount: '4.0' });
    expect(messageOf(() => expect(alice).toHold('6.0'))).toMatchInlineSnapshot(`
      "expect(party).toHold("6.0")

      alice::· holds 10.0.

      Its holdings:
        6.0 TestToken of DSO::· (·)
        4.0 TestToken of DSO::·, locked (·)"
    `);
    expect(messageOf(() => expect(alice).not.toHold('10'))).toContain('holds 10.0.');
    expect(messageOf(() => expect(carol).toHold(1))).toMatchInlineSnapshot(`
      "expect(party).toHold(1)

      carol::· holds 0.0.

      It has no active holding."
    `);
  });

  it('fails with and without not for an invalid party', () => {
    for (const subject of ['nobody::1220', 7]) {
      expect(() => expect(subject).toHold(0)).toThrow(/No participant hosts|Not a party/);
      expect(() => expect(subject).not.toHold(0)).toThrow(/No participant hosts|Not a party/);
    }
  });
});

describe('toSee', () => {
  const issue = (observers: string[] = []): string =>
    one.create(
      IOU,
      { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers },
      { actAs: [alice] },
    );

  it('follows the state of the ledger', () => {
    const [hidden, shared] = [issue(), issue([carol])] as const;
    expect(alice).toSee(hidden);
    expect(bob).not.toSee(hidden);
    expect(carol).not.toSee(hidden);
    expect(one).toSee(hidden);
    expect(two).not.toSee(hidden);
    expect(carol).toSee({ contractId: shared });
    expect(two).toSee(shared);
  });

  it('lists the parties that see it', () => {
    const contract = issue();
    expect(messageOf(() => expect(carol).toSee(contract))).toMatchInlineSnapshot(`
      "expect(party).toSee(contract)

      carol::· does not see the contract.

      The ledger has Quickstart.Iou:Iou (canticle-quickstart) ·
        state       active on global, reassignment counter 0
        payload     {"issuer":"alice::·","owner":"alice::·","currency":"EUR","amount":"1.0000000000","observers":[]}
        signatories alice::·
        observers   nobody
        created     update · (one offset 8, 2026-01-01T00:00:00.000008Z) on global
        seen by     alice::·
        on          one"
    `);
    expect(messageOf(() => expect(two).toSee(contract)).split('\n', 3)).toMatchInlineSnapshot(`
      [
        "expect(participant).toSee(contract)",
        "",
        "participant two does not see the contract.",
      ]
    `);
    expect(messageOf(() => expect(alice).not.toSee(contract))).toContain(' sees the contract.');
  });

  it('fails with and without not for an unknown party or contract', () => {
    const contract = issue();
    for (const not of [false, true]) {
      const expected = (subject: unknown) => (not ? expect(subject).not : expect(subject));
      expect(() => expected('nobody::1220').toSee(contract)).toThrow(
        'No participant hosts nobody::1220.',
      );
      expect(() => expected(alice).toSee(`00${'ab'.repeat(32)}`)).toThrow(
        'No ledger has the contract',
      );
    }
  });
});
