/** The matchers on contracts: each holds where it should, and where it does not its message shows what the ledger holds. */
import { useCanticle } from '../../src/testing/jest.js';
import { IOU } from '../support/ledger.js';
import { messageOf } from './matcher-messages.js';

const canticle = useCanticle({
  seed: 7,
  listen: false,
  synchronizers: [{ alias: 'global' }, { alias: 'app' }],
});
const { participant } = canticle;
const [bank, alice, bob] = ['bank', 'alice', 'bob'].map((hint) =>
  participant.allocateParty(hint),
) as [string, string, string];

const issue = (amount = '100.0'): string =>
  participant.create(
    IOU,
    { issuer: bank, owner: alice, currency: 'EUR', amount, observers: [] },
    { actAs: [bank, alice], synchronizer: 'global' },
  );
const transfer = (contractId: string): void =>
  void participant.exercise(
    IOU,
    contractId,
    'Iou_Transfer',
    { newOwner: bob },
    { actAs: [alice, bob] },
  );

describe('an active contract', () => {
  it('satisfies its matchers', () => {
    const iou = issue();
    expect(iou).toBeActive();
    expect({ contractId: iou }).toBeActive();
    expect(iou).toBeOn('global');
    expect(iou).toBeOn(canticle.network.synchronizer('global')!.id);
    expect(iou).not.toBeOn('app');
    expect(iou).not.toBeArchived();
    expect(iou).not.toBeInFlight();
    expect(iou).toHaveReassignmentCounter(0);
    expect(iou).not.toHaveReassignmentCounter(1);
    expect(iou).toHavePayload({ owner: alice, amount: expect.stringMatching(/^100\.0+$/) });
    expect(iou).not.toHavePayload({ owner: bob });
  });

  it('is described in full by a failed toBeArchived', () => {
    const iou = issue();
    expect(messageOf(() => expect(iou).toBeArchived())).toMatchInlineSnapshot(`
      "expect(contract).toBeArchived()

      The contract is not archived: it is active on global, reassignment counter 0.

      The ledger has Quickstart.Iou:Iou (canticle-quickstart) ·
        state       active on global, reassignment counter 0
        payload     {"issuer":"bank::·","owner":"alice::·","currency":"EUR","amount":"100.0000000000","observers":[]}
        signatories alice::·, bank::·
        observers   nobody
        created     update · (sandbox offset 12, 2026-01-01T00:00:00.000012Z) on global"
    `);
  });

  it('fails toBeInFlight, and the message has its synchronizer', () => {
    const iou = issue();
    expect(messageOf(() => expect(iou).toBeInFlight()).split('\n', 3)).toMatchInlineSnapshot(`
      [
        "expect(contract).toBeInFlight()",
        "",
        "The contract is not in flight: it is active on global, reassignment counter 0.",
      ]
    `);
    expect(messageOf(() => expect(iou).not.toBeActive()).split('\n', 3)).toMatchInlineSnapshot(`
      [
        "expect(contract).not.toBeActive()",
        "",
        "The contract is active.",
      ]
    `);
  });

  it('fails toBeOn, and the message has its synchronizer', () => {
    const iou = issue();
    expect(messageOf(() => expect(iou).toBeOn('app')).split('\n', 3)).toMatchInlineSnapshot(`
      [
        "expect(contract).toBeOn("app")",
        "",
        "The contract is not active on app: it is active on global, reassignment counter 0.",
      ]
    `);
    expect(messageOf(() => expect(iou).not.toBeOn('global')).split('\n', 3)).toMatchInlineSnapshot(`
      [
        "expect(contract).not.toBeOn("global")",
        "",
        "The contract is active on global, reassignment counter 0.",
      ]
    `);
    for (const wrong of [() => expect(iou).toBeOn('mars'), () => expect(iou).not.toBeOn('mars')])
      expect(messageOf(wrong)).toContain('There is no synchronizer mars. There are: global, app.');
  });

  it('fails toHaveReassignmentCounter, and the message has its counter', () => {
    const iou = issue();
    expect(messageOf(() => expect(iou).toHaveReassignmentCounter(2)).split('\n', 3))
      .toMatchInlineSnapshot(`
      [
        "expect(contract).toHaveReassignmentCounter(2)",
        "",
        "The contract's reassignment counter is 0.",
      ]
    `);
    expect(messageOf(() => expect(iou).not.toHaveReassignmentCounter(0))).toContain(
      "The contract's reassignment counter is 0.",
    );
  });

  it('fails toHavePayload, and the message has each different field', () => {
    const iou = issue();
    const expected = { owner: bob, currency: 'EUR', amount: '7.0', colour: 'red' };
    expect(messageOf(() => expect(iou).toHavePayload(expected)).split('\n\n')[1])
      .toMatchInlineSnapshot(`
      "Its owner is "alice::·", expected "bob::·".
      Its amount is "100.0000000000", expected "7.0".
      The payload has no colour. It has: issuer, owner, currency, amount, observers."
    `);
    expect(messageOf(() => expect(iou).not.toHavePayload({ currency: 'EUR' }))).toContain(
      'The payload has all of it.',
    );
  });
});

describe('an archived contract', () => {
  it('satisfies its matchers', () => {
    const iou = issue();
    transfer(iou);
    expect(iou).toBeArchived();
    expect(iou).not.toBeActive();
    expect(iou).not.toBeOn('global');
    expect(iou).toHavePayload({ owner: alice });
    expect(iou).toHaveReassignmentCounter(0);
  });

  it('is described with the update that archived it, the exercise, and its successors', () => {
    const iou = issue();
    transfer(iou);
    expect(messageOf(() => expect(iou).toBeActive())).toMatchInlineSnapshot(`
      "expect(contract).toBeActive()

      The contract is not active: it is archived.

      The ledger has Quickstart.Iou:Iou (canticle-quickstart) ·
        state       archived
        payload     {"issuer":"bank::·","owner":"alice::·","currency":"EUR","amount":"100.0000000000","observers":[]}
        signatories alice::·, bank::·
        observers   nobody
        created     update · (sandbox offset 12, 2026-01-01T00:00:00.000012Z) on global
        archived    update · (sandbox offset 13, 2026-01-01T00:00:00.000013Z): Iou_Transfer exercised by alice::·, bob::·
        became      · Quickstart.Iou:Iou {"issuer":"bank::·","owner":"bob::·","currency":"EUR","amount":"100.0000000000","observers":[]}"
    `);
  });

  it('is described with the other active contracts if it has no successor', () => {
    const [iou] = ['1.0', '2.0', '3.0', '4.0', '5.0'].map(issue) as [string];
    participant.archive(IOU, iou, { actAs: [bank, alice] });
    const [, , , ...rest] = messageOf(() => expect(iou).toBeActive()).split('\n');
    expect(rest.slice(-4)).toMatchInlineSnapshot(`
      [
        "  active      · Quickstart.Iou:Iou {"issuer":"bank::·","owner":"alice::·","currency":"EUR","amount":"2.0000000000","observers":[]}",
        "              · Quickstart.Iou:Iou {"issuer":"bank::·","owner":"alice::·","currency":"EUR","amount":"3.0000000000","observers":[]}",
        "              · Quickstart.Iou:Iou {"issuer":"bank::·","owner":"alice::·","currency":"EUR","amount":"4.0000000000","observers":[]}",
        "              and 1 more",
      ]
    `);
  });

  it('is described without other contracts if none is active', () => {
    const iou = issue();
    participant.archive(IOU, iou, { actAs: [bank, alice] });
    expect(messageOf(() => expect(iou).toBeActive())).toContain(
      'no active contract has this template and signatory',
    );
  });

  it('retains its last reassignment counter', () => {
    const iou = issue();
    participant.assign(participant.unassign(iou, { to: 'app' }));
    participant.archive(IOU, iou, { actAs: [bank, alice] });
    expect(iou).toHaveReassignmentCounter(1);
  });
});

describe('a contract in flight', () => {
  it('satisfies its matchers', () => {
    const iou = issue();
    const reassignment = participant.unassign(iou, { to: 'app' });
    expect(iou).toBeInFlight();
    expect(iou).not.toBeActive();
    expect(iou).not.toBeOn('app');
    expect(iou).toHaveReassignmentCounter(1);
    participant.assign(reassignment);
    expect(iou).toBeOn('app');
    expect(iou).toHaveReassignmentCounter(1);
  });

  it('is described with the call that assigns it', () => {
    const iou = issue();
    participant.unassign(iou, { to: 'app' });
    expect(messageOf(() => expect(iou).toBeOn('app'))).toMatchInlineSnapshot(`
      "expect(contract).toBeOn("app")

      The contract is not active on app: it is in flight from global to app, reassignment counter 1.

      The ledger has Quickstart.Iou:Iou (canticle-quickstart) ·
        state       in flight from global to app, reassignment counter 1
        payload     {"issuer":"bank::·","owner":"alice::·","currency":"EUR","amount":"100.0000000000","observers":[]}
        signatories alice::·, bank::·
        observers   nobody
        created     update · (sandbox offset 12, 2026-01-01T00:00:00.000012Z) on global
        unassigned  update · (sandbox offset 13, 2026-01-01T00:00:00.000013Z) by alice::·
        assign with ·"
    `);
  });
});

describe('an invalid contract', () => {
  it.each([
    ['an unknown id', `00${'ab'.repeat(32)}`, 'A revert forgets the contracts'],
    ['another text', 'my asset', 'Not a contract id: "my asset".'],
    ['a value that is not a text', 42, 'Not a contract: 42.'],
  ])('fails with and without not: %s', (_, subject, message) => {
    expect(messageOf(() => expect(subject).toBeActive())).toContain(message);
    expect(messageOf(() => expect(subject).not.toBeActive())).toContain(message);
    expect(messageOf(() => expect(subject).not.toHavePayload({}))).toContain(message);
  });
});
