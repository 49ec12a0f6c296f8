/** The DSO's tasks for expired and for too many records: each once, under virtual time. */
import { onboardUser } from '../../../src/splice/validators/onboarding.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { instant } from '../../support/splice/amulet-client.js';
import { DSO_DARS, sharedWorld, T } from '../../support/splice/founded-world.js';
import { WalletUser } from '../../support/splice/wallet-app.js';

const HOUR = 3_600_000_000n;
const NAMES = '#splice-amulet-name-service:Splice.Ans';
const PAYMENTS = '#splice-wallet-payments:Splice.Wallet.Subscriptions';

describeWithDars('the cleanup tasks of the DSO', [...DSO_DARS], (...dars) => {
  const { canticle, dso, sv, payloads, ids, counts, exercise } = sharedWorld(dars);
  const { amulet, automation, network, participants, splice } = canticle;
  const svNode = participants[0]!;
  const node = participants[2]!;
  const validator = splice.validators[2]!;
  const now = (later = 0n) => network.clock.now() + later;
  const person = (userName: string) =>
    new WalletUser(canticle, userName, onboardUser(dso, validator, { userName }), node.name);
  /** By the DSO alone. */
  const give = (template: string, payload: object) =>
    svNode.create(template, { dso, ...payload }, { actAs: dso });
  const freeOf = (party: string) =>
    payloads('Amulet')
      .filter(({ owner }) => owner === party)
      .reduce((sum, { amount }) => sum + Number(amount.initialAmount), 0);

  test.each([
    ['ExpiredAmuletTransferInstruction', 'AmuletTransferInstruction'],
    ['ExpiredAmuletAllocation', 'AmuletAllocation'],
    ['ExpiredAmuletAllocationV2', 'AmuletAllocationV2'],
  ] as const)('%s unlocks the amulets of an expired %s', async (task, template) => {
    const [alice, bob] = [person('alice'), person('bob')];
    await alice.post('/v0/wallet/tap', { amount: '1' });
    const at = (later: bigint) => Number(now(later));
    const ending = {
      AmuletTransferInstruction: () =>
        alice.post('/v0/wallet/token-standard/transfers', {
          ...{ receiver_party_id: bob.party, amount: '12.5', description: '' },
          ...{ expires_at: at(HOUR), tracking_id: 'one' },
        }),
      AmuletAllocation: () =>
        alice.post('/v0/allocations', {
          settlement: {
            ...{ executor: bob.party, settlement_ref: { id: 'trade' } },
            ...{ requested_at: at(-1n), allocate_before: at(HOUR / 2n), settle_before: at(HOUR) },
          },
          transfer_leg_id: 'leg',
          transfer_leg: { receiver: bob.party, amount: '12.5' },
        }),
      AmuletAllocationV2: () =>
        alice.post('/v2/allocations', {
          settlement: {
            ...{ executors: [bob.party], settlement_ref: { id: 'trade' } },
            settlement_deadline: at(HOUR),
          },
          transfer_leg_sides: [
            { transfer_leg_id: 'leg', side: 'SENDERSIDE', otherside: bob.party, amount: '12.5' },
          ],
          committed: false,
        }),
    };
    await ending[template]();
    automation.pause('CollectRewardsAndMergeAmulets');
    automation.resume(task);
    canticle.advanceTime({ minutes: 59 });
    expect(counts()).toMatchObject({ [template]: 1, LockedAmulet: 1 });
    expect(freeOf(alice.party)).toBe(187.5);
    canticle.advanceTime({ minutes: 1 });
    expect(counts()).not.toHaveProperty(template);
    expect(counts()).not.toHaveProperty('LockedAmulet');
    expect(freeOf(alice.party)).toBe(200);
  });

  test('expire names and their subscriptions without the next payment', () => {
    const user = node.allocateParty('carol');
    const argument = { name: 'carol.unverified.ans', url: '', description: '', user };
    const { requestCid } = exercise(
      node,
      `${NAMES}:AnsRules`,
      ids('AnsRules')[0]!,
      'AnsRules_RequestEntry',
      argument,
      [user],
    );
    const paying = {
      inputs: [{ tag: 'InputAmulet', value: amulet.tap(user, '1000.0') }],
      context: amulet.context().payment,
      walletProvider: validator.party,
    };
    const choice = 'SubscriptionRequest_AcceptAndMakePayment';
    const request = `${PAYMENTS}:SubscriptionRequest`;
    exercise(node, request, requestCid, choice, paying, [user, validator.party]);
    // The test ignores other tasks meanwhile.
    automation.isOff = true;
    canticle.advanceTime({ days: 89 });
    expect(automation.runOnce('ExpiredAnsSubscription')).toBe(false);
    expect(automation.runOnce('ExpiredAnsEntry')).toBe(false);
    canticle.advanceTime({ days: 2 });
    expect(automation.runOnce('ExpiredAnsSubscription')).toBe(true);
    expect(counts()).not.toHaveProperty('SubscriptionIdleState');
    expect(counts()).not.toHaveProperty('AnsEntryContext');
    expect(automation.runOnce('ExpiredAnsEntry')).toBe(true);
    expect(counts()).not.toHaveProperty('AnsEntry');
  });

  test('expire a locked amulet that is worth less than its holding fees', async () => {
    const owner = svNode.allocateParty('dave');
    const amount = {
      ...{ initialAmount: '0.00001', createdAt: { number: '0' } },
      ratePerRound: { rate: '0.0000190259' },
    };
    const lock = { holders: [sv], expiresAt: '2026-02-01T00:00:00Z', optContext: null };
    svNode.create(
      T('Amulet:LockedAmulet'),
      { amulet: { dso, owner, amount }, lock },
      { actAs: [dso, owner, sv] },
    );
    automation.isOff = true;
    for (let round = 0; round < 2; round++) amulet.advanceRounds();
    for (let day = 0; day < 2; day++) {
      expect(automation.runOnce('ExpiredLockedAmulet')).toBe(false);
      canticle.advanceTime({ days: 1 });
      automation.runOnce('UpdateExternalPartyConfigState');
    }
    expect(automation.runOnce('ExpiredLockedAmulet')).toBe(true);
    expect(counts()).not.toHaveProperty('LockedAmulet');
    const path = '/canticle/v1/inspection/updates?limit=1';
    const { updates } = JSON.parse((await canticle.handle({ path })).body.toString());
    expect(updates[0].told).toEqual({ about: 'expiry', text: `an amulet of ${owner} expires` });
  });

  test('expire coupons and records that were not minted in time, and their amount is unclaimed again', () => {
    const beneficiary = svNode.allocateParty('erin');
    const record = { beneficiary, reason: '', expiresAt: instant(now(HOUR)) };
    give(T('Amulet:DevelopmentFundCoupon'), { ...record, amount: '1.0', fundManager: sv });
    give(T('Amulet:UnclaimedActivityRecord'), { ...record, amount: '2.0' });
    // More than there is to pay it with.
    const large = { ...record, amount: '99999999999.0' };
    give('#splice-dso-governance:Splice.DsoRules:UnallocatedUnclaimedActivityRecord', large);
    give(T('Amulet:RewardCouponV2'), {
      ...{ provider: beneficiary, beneficiary: null, providerIsObserver: true },
      ...{ round: { number: '0' }, amount: '4.0', expiresAt: record.expiresAt },
    });
    const expiring = [
      ...['DevelopmentFundCoupon', 'UnclaimedActivityRecord', 'RewardCouponV2'],
      'UnallocatedUnclaimedActivityRecord',
    ];
    canticle.advanceTime({ minutes: 59 });
    for (const name of expiring) expect(counts()).toHaveProperty(name, 1);
    const before = payloads('UnclaimedReward').length;
    automation.pause('AdvanceOpenMiningRound', 'ExpireIssuingMiningRound');
    canticle.advanceTime({ minutes: 1 });
    for (const name of expiring) expect(counts()).not.toHaveProperty(name);
    const amounts = (kind: string) => payloads(kind).map(({ amount }) => Number(amount));
    expect(amounts('UnclaimedReward').slice(before).sort()).toEqual([2, 4]);
    expect(amounts('UnclaimedDevelopmentFundCoupon')).toContain(1);
  });

  test('create the record of an approved activity once the unclaimed rewards suffice', () => {
    automation.isOff = true;
    const beneficiary = svNode.allocateParty('erin');
    const expiresAt = instant(now(HOUR));
    give('#splice-dso-governance:Splice.DsoRules:UnallocatedUnclaimedActivityRecord', {
      ...{ beneficiary, amount: '10.0', reason: 'a talk', expiresAt },
    });
    give(T('Amulet:UnclaimedReward'), { amount: '3.0' });
    automation.isOff = false;
    expect(counts()).toMatchObject({ UnallocatedUnclaimedActivityRecord: 1 });
    give(T('Amulet:UnclaimedReward'), { amount: '9.0' });
    expect(counts()).not.toHaveProperty('UnallocatedUnclaimedActivityRecord');
    expect(payloads('UnclaimedActivityRecord')).toMatchObject([
      { beneficiary, amount: '10.0000000000', reason: 'a talk' },
    ]);
    expect(payloads('UnclaimedReward').map(({ amount }) => amount)).toEqual(['2.0000000000']);
  });

  test('merge the traffic of a member after more than five purchases', () => {
    const traffic = {
      ...{ memberId: `PAR::${node.id}`, synchronizerId: network.synchronizers[0]!.id },
      ...{ migrationId: '0', numPurchases: '1', totalPurchased: '200000' },
      ...{ amuletSpent: '666.8', usdSpent: '3.334' },
    };
    const ofMember = () =>
      payloads('MemberTraffic').filter(({ memberId }) => memberId === traffic.memberId);
    const [bought] = ofMember();
    for (let more = 0; more < 4; more++)
      give(T('DecentralizedSynchronizer:MemberTraffic'), traffic);
    expect(ofMember()).toHaveLength(5);
    give(T('DecentralizedSynchronizer:MemberTraffic'), traffic);
    expect(ofMember()).toMatchObject([
      { numPurchases: '6', totalPurchased: String(Number(bought.totalPurchased) + 1_000_000) },
    ]);
  });

  test('merge two licences of a validator', () => {
    const [, licence] = payloads('ValidatorLicense');
    give(T('ValidatorLicense:ValidatorLicense'), { ...licence, faucetState: null });
    const ofValidator = payloads('ValidatorLicense').filter(
      ({ validator: of }) => of === licence.validator,
    );
    expect(ofValidator).toMatchObject([{ faucetState: licence.faucetState }]);
  });

  test('create a counter of transfer commands for the first command of a sender', () => {
    const sender = node.allocateParty('frank');
    const command = (nonce: number) =>
      exercise(
        node,
        T('ExternalPartyAmuletRules:ExternalPartyAmuletRules'),
        ids('ExternalPartyAmuletRules')[0]!,
        'ExternalPartyAmuletRules_CreateTransferCommand',
        {
          ...{ sender, receiver: sv, delegate: validator.party, amount: '1.0' },
          ...{ expiresAt: instant(now(HOUR)), nonce: String(nonce), description: null },
          expectedDso: dso,
        },
        [sender],
      );
    command(0);
    command(1);
    expect(payloads('TransferCommandCounter')).toEqual([{ dso, sender, nextNonce: '0' }]);
    expect(counts()).not.toHaveProperty('Confirmation');
  });
});
