/** Names that users pay for: collected, rejected, renewed and ended by the DSO (A-ANS-001 to A-ANS-005). */
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';

const P = (name: string) => `#splice-wallet-payments:Splice.Wallet.${name}`;
const ANS_RULES = '#splice-amulet-name-service:Splice.Ans:AnsRules';

describeWithDars('names', [...DSO_DARS], (...dars) => {
  const { canticle, payloads, ids, counts, exercise } = sharedWorld(dars);
  const { amulet, participants, splice } = canticle;
  const node = participants[2]!;
  const wallet = splice.validators[2]!.party;
  const person = (hint: string) => node.allocateParty(hint);
  const paying = (user: string) => ({
    inputs: [{ tag: 'InputAmulet', value: amulet.tap(user, '1000.0') }],
    context: amulet.context().payment,
    walletProvider: wallet,
  });
  /** A user asks for a name and pays at once. */
  const buy = (user: string, name: string, url = '', description = '') => {
    const argument = { name, url, description, user };
    const { requestCid } = exercise(
      node,
      ANS_RULES,
      ids('AnsRules')[0]!,
      'AnsRules_RequestEntry',
      argument,
      [user],
    );
    const choice = 'SubscriptionRequest_AcceptAndMakePayment';
    const request = P('Subscriptions:SubscriptionRequest');
    exercise(node, request, requestCid, choice, paying(user), [user, wallet]);
  };
  const entries = () => payloads('AnsEntry').map(({ name, user }) => [name.split('.')[0], user]);

  test('are created once they are paid, and the payment is burnt', () => {
    const alice = person('alice');
    buy(alice, 'alice.unverified.ans', 'https://alice.example', 'Alice herself');
    expect(payloads('AnsEntry')).toMatchObject([
      { user: alice, name: 'alice.unverified.ans', url: 'https://alice.example' },
    ]);
    expect(payloads('AnsEntry')[0].expiresAt).toContain('2026-04-01');
    expect(counts()).toMatchObject({
      SubscriptionIdleState: 1,
      Subscription: 1,
      AnsEntryContext: 1,
    });
    expect(counts()).not.toHaveProperty('Confirmation');
    // A dollar of a thousand amulets at half a cent.
    expect(payloads('Amulet').map(({ owner, amount }) => [owner, amount.initialAmount])).toEqual([
      [alice, '800.0000000000'],
    ]);
  });

  test('are rejected and the payment is returned, if they are taken or invalid', () => {
    const [alice, bob] = [person('alice'), person('bob')];
    buy(alice, 'one.unverified.ans');
    for (const [name, url = '', description = ''] of [
      ['one.unverified.ans'],
      ['Two.unverified.ans'],
      ['two.ans'],
      [`${'t'.repeat(46)}.unverified.ans`],
      ['two.unverified.ans', 'two.example'],
      ['two.unverified.ans', 'ftp://two.example'],
      ['two.unverified.ans', '', 'x'.repeat(141)],
    ] as const)
      buy(bob, name, url, description);
    expect(entries()).toEqual([['one', alice]]);
    expect(counts()).not.toHaveProperty('SubscriptionInitialPayment');
    expect(counts()).not.toHaveProperty('LockedAmulet');
    const ofBob = payloads('Amulet').filter(({ owner }) => owner === bob);
    expect(ofBob.reduce((sum, { amount }) => sum + Number(amount.initialAmount), 0)).toBe(7000);
    buy(bob, `${'t'.repeat(45)}.unverified.ans`, 'http://two.example/', 'x'.repeat(140));
    expect(entries()).toHaveLength(2);
  });

  test('are renewed with the next payment, and end with their subscription', () => {
    const alice = person('alice');
    buy(alice, 'alice.unverified.ans');
    // The test ignores other tasks meanwhile.
    canticle.automation.isOff = true;
    canticle.advanceTime({ days: 61 });
    canticle.automation.isOff = false;
    const idle = P('Subscriptions:SubscriptionIdleState');
    const renew = 'SubscriptionIdleState_MakePayment';
    const payment = paying(alice);
    exercise(node, idle, ids('SubscriptionIdleState')[0]!, renew, payment, [alice, wallet]);
    expect(payloads('AnsEntry')).toHaveLength(1);
    expect(payloads('AnsEntry')[0].expiresAt).toContain('2026-06-30');
    expect(counts()).not.toHaveProperty('SubscriptionPayment');
    const cancel = 'SubscriptionIdleState_CancelSubscription';
    exercise(node, idle, ids('SubscriptionIdleState')[0]!, cancel, {}, [alice]);
    expect(counts()).not.toHaveProperty('TerminatedSubscription');
    expect(counts()).not.toHaveProperty('AnsEntryContext');
    // The entry stays until its time is over.
    expect(counts()).toMatchObject({ AnsEntry: 1 });
  });
});
