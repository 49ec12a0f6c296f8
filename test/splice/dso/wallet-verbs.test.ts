/** The verbs for wallets in scenarios: onboarding, offers, names, traffic. */
import { ScenarioError } from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';

describeWithDars('scenario verbs for wallets', [...DSO_DARS], (...dars) => {
  const { canticle, payloads, counts } = sharedWorld(dars);
  const { scenario, amulet } = canticle;

  test('create wallets for users, who offer transfers, claim names and buy traffic', () => {
    const alice = scenario.wallet('alice', { on: 'app-user' });
    scenario.party('bob', { on: 'app-provider' });
    const bob = scenario.wallet('bob-at-work', { for: 'bob' });
    expect(counts()).toMatchObject({ WalletAppInstall: 5, ValidatorRight: 5 });

    scenario.tap(250_000, { to: 'alice' });
    const offer = scenario.offer(20, { from: 'alice', to: 'bob', reason: 'rent' });
    scenario.exercise(offer, { choice: 'TransferOffer_Accept', by: 'bob' });
    expect(amulet.holdings(bob)).toMatchObject([
      { payload: { amount: { initialAmount: '20.0000000000' } } },
    ]);

    scenario.claimName('alice-shop', { for: 'alice', url: 'https://shop.example' });
    expect(payloads('AnsEntry')).toMatchObject([
      { user: alice, name: 'alice-shop.unverified.ans', url: 'https://shop.example' },
    ]);

    scenario.buyTraffic(300_000, { from: 'alice', for: 'bob' });
    expect(payloads('MemberTraffic').at(-1)).toMatchObject({
      memberId: `PAR::${canticle.participants[1]!.id}`,
      totalPurchased: '300000',
    });
    expect(Number(amulet.holdings(alice).length)).toBe(1);
  });

  test('reject parties without a wallet, and names that are taken', () => {
    scenario.party('carol');
    expect(() => scenario.offer(1, { from: 'carol', to: 'carol' })).toThrow(
      /has no wallet. Create one with the verb wallet/,
    );
    scenario.wallet('dan');
    scenario.claimName('shop', { for: 'dan' });
    expect(() => scenario.claimName('shop', { for: 'dan' })).toThrow(ScenarioError);
  });
});
