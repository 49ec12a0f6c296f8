/**
 * The configured automation of a LocalNet's wallets: they accept offers of the named parties, and sweep amounts above a balance
 * (A-WAL-003, A-WAL-007).
 */
import { startLocalnet } from 'canticle';
import { lookAt, useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { DSO_DARS } from '../support/splice/founded-world.js';

/** A party that signs for itself. */
const EXTERNAL = `carol::1220${'5'.repeat(64)}`;
const limits = { maxBalanceUsd: '1.0', minBalanceUsd: 0.25 };

describeWithDars('a validator with wallet automation', DSO_DARS, () => {
  const localnet = useLocalnet({
    seed: 8,
    clock: 'virtual',
    validators: [
      { name: 'app-provider', autoAcceptTransfers: [{ fromParties: ['app-user'] }] },
      {
        name: 'sv',
        rewardSharing: [
          {
            minTtlAfterSharing: { hours: 35, minutes: 58 },
            beneficiaries: [
              { beneficiary: 'app-provider', percentage: 0.25 },
              { beneficiary: 'alice', percentage: '0.05' },
            ],
          },
        ],
      },
      {
        name: 'app-user',
        holds: 150,
        rewardSharing: [{ beneficiaries: [] }, { party: EXTERNAL }],
        users: [{ id: 'alice', wallet: true, primaryParty: 'alice' }],
        parties: ['alice'],
        walletSweep: [
          { ...limits, receiver: 'app-provider' },
          { party: 'alice', ...limits, receiver: 'app-provider', useTransferPreapproval: true },
        ],
      },
    ],
  });
  lookAt(localnet);
  const { sv, appProvider, appUser, amulet } = localnet;
  const alice = () => `alice::${appUser.party.split('::')[1]}`;

  const request = async (node: typeof sv, call: string, body: unknown = {}) => {
    const answer = await fetch(`${node.wallet}/${call}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${node.token(node.walletUser)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const offer = (node: typeof sv, receiver: string) =>
    request(node, 'transfer-offers', {
      receiver_party_id: receiver,
      ...{ amount: '20', description: 'rent', tracking_id: 'one' },
      expires_at: Number(localnet.network.clock.now()) + 3_600_000_000,
    });

  it('shares its traffic rewards in time, and mints rewards that no rule shares', async () => {
    const dso = localnet.splice.dsoParty;
    const now = localnet.network.clock.now();
    const coupon = (provider: string) =>
      sv.participant.create(
        '#splice-amulet:Splice.Amulet:RewardCouponV2',
        {
          ...{ dso, provider, beneficiary: null, amount: '100.0', round: { number: '0' } },
          ...{
            expiresAt: new Date(Number(now / 1_000n) + 129_600_000).toISOString(),
            providerIsObserver: true,
          },
        },
        { actAs: [dso] },
      );
    for (const { party } of [sv, sv, appUser, appProvider]) coupon(party);
    const named = () =>
      sv.participant
        .activeContracts({ party: dso })
        .filter(({ templateId }) => templateId.endsWith(':RewardCouponV2'))
        .map(({ payload }) => [(payload as any).beneficiary, Number((payload as any).amount)]);
    localnet.advanceTime({ seconds: 119 });
    const unassigned = [undefined, 100];
    expect(named()).toEqual([unassigned, unassigned, unassigned, unassigned]);
    localnet.advanceTime({ seconds: 1 });
    expect(named()).toEqual([
      // Of app-user, and of app-provider.
      unassigned,
      unassigned,
      [appProvider.party, 25],
      [appProvider.party, 25],
      [alice(), 5],
      [alice(), 5],
      [sv.party, 70],
      [sv.party, 70],
    ]);
    localnet.advanceTime({ minutes: 4 });
    expect(named()).toEqual([unassigned]);
    expect(alice()).toHold('10');
    // The configuration names a later party by its full id.
    expect(localnet.splice.rewardSharing.has(EXTERNAL)).toBe(true);
  });

  it('accepts offers of the configured parties only', async () => {
    amulet.tap(sv.party, 100);
    expect((await offer(sv, appProvider.party)).status).toBe(200);
    expect(appProvider.party).toHold('0');
    expect((await offer(appUser, appProvider.party)).status).toBe(200);
    expect(appProvider.party).toHold('20');
    expect(appUser.party).toHold('130');
  });

  it('sweeps the excess above a balance with an offer', async () => {
    // At 0.005 dollars each: 200 are the most, and 50 are left.
    amulet.tap(appUser.party, 50);
    expect(appUser.party).toHold('200');
    // Amounts offered to others count as held.
    await offer(appUser, sv.party);
    amulet.tap(appUser.party, 50);
    expect(appUser.party).toHold('50');
    expect(appProvider.party).toHold('200');
  });

  it('creates no second offer while the first one is pending', async () => {
    localnet.splice.automation.pause('AutoAcceptTransferOffers');
    amulet.tap(appUser.party, 100);
    amulet.tap(appUser.party, 10);
    const offers = () =>
      appUser.participant
        .activeContracts({ party: appUser.party })
        .filter(({ templateId }) => templateId.endsWith(':TransferOffer'))
        .map(({ payload }) => (payload as any).amount.amount);
    expect(offers()).toEqual(['200.0000000000']);
    localnet.splice.automation.resume('AutoAcceptTransferOffers');
    expect(offers()).toEqual([]);
    expect(appUser.party).toHold('60');
  });

  it('sweeps with a preapproval if one exists', async () => {
    amulet.tap(alice(), 300);
    expect(alice()).toHold('300');
    expect((await request(appProvider, 'transfer-preapproval')).status).toBe(200);
    localnet.advanceTime({ seconds: 30 });
    expect(alice()).toHold('50');
    expect(appProvider.party).toHold('250');
  });
});

it('works without the DARs, except for rewards', async () => {
  const start = (more: object) => {
    const validators = [
      { name: 'app-provider', autoAcceptTransfers: [{ fromParties: ['app-user'] }] },
      { name: 'app-user', walletSweep: [{ ...limits, receiver: 'app-provider' }], ...more },
    ];
    return startLocalnet({ spliceDars: false, clock: 'virtual', validators });
  };
  await expect(start({ rewardSharing: [{}] })).rejects.toThrow(
    "rewardSharing of app-user at app-user needs the rewards of Splice's code",
  );
  const localnet = await start({});
  const { amulet, appUser, appProvider } = localnet;
  amulet.tap(appUser.party, 250);
  lookAt(localnet);
  expect(appUser.party).toHold('50');
  expect(appProvider.party).toHold('200');
  await localnet.close();
});

it('does not run these tasks without configuration', async () => {
  const namesOf = async (validator: object) => {
    const validators = [{ name: 'app-user', ...validator }];
    const localnet = await startLocalnet({ spliceDars: false, clock: 'virtual', validators });
    const { names } = localnet.splice.automation;
    await localnet.close();
    return names.filter((name) => ['AutoAcceptTransferOffers', 'WalletSweep'].includes(name));
  };
  expect(await namesOf({})).toEqual([]);
  expect(await namesOf({ walletSweep: [{ ...limits, receiver: 'sv' }] })).toEqual(['WalletSweep']);
  expect(await namesOf({ autoAcceptTransfers: [{ fromParties: ['sv'] }] })).toEqual([
    'AutoAcceptTransferOffers',
  ]);
});
