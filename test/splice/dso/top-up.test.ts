/** A validator without a faucet buys traffic with its own amulets, once they pay for a whole purchase (A-TRF-001). */
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, foundedWorld } from '../../support/splice/founded-world.js';

/** A purchase costs this: 1.2 MB at 16.67 dollars each, in amulets of 0.005 dollars. */
const COST = 4000.8;
const LITTLE = 0.001;

describeWithDars('a validator without a faucet', DSO_DARS, (...dars) => {
  const { canticle, payloads } = foundedWorld(dars, { isDevNet: false });
  const { scenario, splice } = canticle;
  const [sv, , buyer] = splice.validators.map(({ party }) => party);
  const held = () =>
    payloads('Amulet')
      .filter(({ owner }) => owner === buyer)
      .reduce((sum, { amount }) => sum + Number(amount.initialAmount), 0);
  const give = (amount: number) => {
    const offer = scenario.offer(amount.toFixed(10), { from: sv!, to: buyer! });
    scenario.exercise(offer, { choice: 'TransferOffer_Accept', by: buyer! });
  };

  test('buys traffic only once it holds the price of a purchase', () => {
    splice.automation.pause('TopupMemberTraffic');
    canticle.advanceTime({ minutes: 60 });

    splice.automation.pause('CollectRewardsAndMergeAmulets');
    give(COST - held() - LITTLE);
    splice.automation.resume('TopupMemberTraffic');
    // By then a purchase could mint more. Only amulets that it already holds count.
    canticle.advanceTime({ minutes: 20 });
    expect(held()).toBeCloseTo(COST - LITTLE, 8);
    expect(payloads('MemberTraffic')).toEqual([]);
    give(LITTLE);
    canticle.advanceTime({ minutes: 2 });
    expect(payloads('MemberTraffic')).toMatchObject([{ totalPurchased: '1200000' }]);
  });
});
