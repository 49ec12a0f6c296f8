/**
 * The supply of amulets stays consistent for any actions of users while rounds and automation run: for some hours, or for a week
 * with CANTICLE_WEEK=1.
 */
import fc from 'fast-check';
import { onboardUser } from '../../../src/splice/validators/onboarding.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { check, isUsualRun } from '../../support/property.js';
import { units } from '../../support/splice/amulet-fees.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { audit, inAll } from '../../support/splice/supply-audit.js';
import { WalletUser } from '../../support/splice/wallet-app.js';

const isWeek = process.env.CANTICLE_WEEK === '1';
const STEPS = isWeek ? 400 : 27;
/** Minutes between two steps, on the average half of it. */
const PAUSE = isWeek ? 50 : 24;
const MINTING = 'CollectRewardsAndMergeAmulets';
const HOUR = 3_600_000_000;
/** Of 40 billion a year, in rounds of ten minutes. */
const PER_ROUND = units('761035.0076103501');

const ACTIONS = [
  ...(['tap', 'offer', 'accept', 'reject', 'forget', 'send', 'traffic', 'name'] as const),
  'sleep',
] as const;
/** Choices that the cases of the usual seed must reach. Otherwise they would not test anything. */
const REACHED = [
  'AmuletRules_DevNet_Tap',
  'AmuletRules_BuyMemberTraffic',
  'AmuletRules_CreateTransferPreapproval',
  'AcceptedTransferOffer_Complete',
  'TransferPreapproval_Send',
  'TransferInstruction_Accept',
  'TransferInstruction_Reject',
  'LockedAmulet_OwnerExpireLockV2',
  'SubscriptionInitialPayment_Collect',
  'DsoRules_ClaimExpiredRewards',
  'AmuletRules_ConvertFeaturedAppActivityMarkers',
  'AmuletRules_MergeUnclaimedRewards',
];

describeWithDars('the supply of Amulet', [...DSO_DARS], (...dars) => {
  const { canticle, dso } = sharedWorld(dars);
  const { automation, network, splice } = canticle;
  const [, provider, user] = splice.validators;
  const start = canticle.snapshot();

  /** Actions of a user with an amount: with another user, or with one without preapproval. Refusals are valid outcomes. */
  const actions = (one: WalletUser, other: WalletUser, stranger: WalletUser) => {
    const at = (later: number) => Number(network.clock.now()) + later;
    const transfer = ({ party }: WalletUser, amount: string) => ({
      ...{ receiver_party_id: party, amount, description: '' },
      ...{ expires_at: at(HOUR), tracking_id: String(at(0)) },
    });
    const standard = '/v0/wallet/token-standard/transfers';
    const lastOf = async (of: WalletUser, path: string, list: string) =>
      (await of.get(path))[list].at(-1)?.contract_id as string | undefined;
    const forget = async (amount: string) => {
      await one.request('POST', standard, transfer(stranger, amount));
      return lastOf(stranger, standard, 'transfers');
    };
    return {
      tap: (amount: string) => one.request('POST', '/v0/wallet/tap', { amount }),
      offer: async (amount: string) => {
        await one.request('POST', '/v0/wallet/transfer-offers', transfer(other, amount));
        const id = await lastOf(other, '/v0/wallet/transfer-offers', 'offers');
        if (id !== undefined)
          await other.request('POST', `/v0/wallet/transfer-offers/${id}/accept`);
      },
      accept: async (amount: string) =>
        stranger.request('POST', `${standard}/${await forget(amount)}/accept`),
      reject: async (amount: string) =>
        stranger.request('POST', `${standard}/${await forget(amount)}/reject`),
      forget,
      send: async (amount: string) => {
        await other.request('POST', '/v0/wallet/transfer-preapproval');
        await one.request('POST', '/v0/wallet/transfer-preapproval/send', {
          ...{ receiver_party_id: other.party, amount, deduplication_id: String(at(0)) },
        });
      },
      traffic: () =>
        one.request('POST', '/v0/wallet/buy-traffic-requests', {
          receiving_validator_party_id: user!.party,
          domain_id: network.synchronizers[0]!.id,
          ...{ traffic_amount: 200_000, tracking_id: String(at(0)), expires_at: at(HOUR) },
        }),
      name: async () => {
        const entry = { name: `name-${at(0)}.unverified.ans`, url: '', description: '' };
        const { body } = await one.request('POST', '/v0/entry/create', entry);
        const path = `/v0/wallet/subscription-requests/${body.subscriptionRequestCid}`;
        await one.request('POST', `${path}/accept`);
      },
      /** Or wake: who sleeps for hours loses what is not minted in time. */
      sleep: () => {
        if (automation.isPaused(MINTING)) automation.resume(MINTING);
        else automation.pause(MINTING);
        return Promise.resolve();
      },
    };
  };

  const person = (userName: string, validator: NonNullable<typeof user>) =>
    new WalletUser(
      canticle,
      userName,
      onboardUser(dso, validator, { userName }),
      validator.participant.name,
    );

  test('changes only by taps, mints and burns, and rounds issue the amount of the formula', async () => {
    const each = fc.record({
      isOther: fc.boolean(),
      cents: fc.integer({ min: 1, max: 1_000_000 }),
      minutes: fc.integer({ min: 0, max: PAUSE }),
    });
    // All actions in some order, as often as it takes.
    const kinds = Array.from({ length: STEPS }, (_, index) => ACTIONS[index % ACTIONS.length]!);
    const cases = fc
      .shuffledSubarray(kinds, { minLength: STEPS })
      .chain((order) =>
        fc.tuple(...order.map((action) => each.map((more) => ({ action, ...more })))),
      );
    const happened = new Set<string>();
    let [tappedInAll, mintedInAll, burntInAll, rounds] = [0n, 0n, 0n, 0];
    await check(
      fc.asyncProperty(cases, async (steps) => {
        canticle.revert(start);
        const [alice, bob] = [person('alice', provider!), person('bob', user!)];
        const carol = person('carol', user!);
        for (const { party } of [provider!, user!]) {
          canticle.amulet.feature(party);
          // It pays for preapprovals.
          canticle.amulet.tap(party, '1000.0');
        }
        for (const rich of [alice, bob]) await rich.post('/v0/wallet/tap', { amount: '100' });
        for (const { action, isOther, cents, minutes } of steps) {
          const [one, other] = isOther ? [bob, alice] : [alice, bob];
          await actions(one, other, carol)[action]((cents / 100).toFixed(2));
          canticle.advanceTime({ minutes });
        }
        const { held, tapped, minted, burnt, issued, choices } = audit(network);
        expect(held).toBe(tapped + minted - burnt);
        for (const { issuance, coupons } of issued.values())
          expect(Math.abs(Number(inAll(issuance, coupons) - PER_ROUND))).toBeLessThan(1e6);
        for (const choice of choices) happened.add(choice);
        tappedInAll += tapped;
        mintedInAll += minted;
        burntInAll += burnt;
        rounds += issued.size;
      }),
      { numRuns: 1 },
    );
    if (!isUsualRun) return;
    expect(REACHED.filter((choice) => !happened.has(choice))).toEqual([]);
    expect([tappedInAll, mintedInAll, burntInAll].map((amount) => amount > 0n)).toEqual([
      ...[true, true, true],
    ]);
    expect(rounds).toBeGreaterThan(STEPS / 2);
  });
});
