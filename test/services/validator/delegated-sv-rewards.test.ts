/** Delegates mint the rewards of SVs for their beneficiaries from release 0.9 on (WA-COU-007). */
import { describeWithDars } from '../../support/foreign-files.js';
import { externalParty } from '../../support/splice/external-party.js';
import { VALIDATOR_DARS, validatorWorld } from '../../support/splice/validator-world.js';

describeWithDars('a delegate that mints', VALIDATOR_DARS, (...dars) => {
  test.each([
    ['0.8', false],
    ['0.9', true],
    ['0.10', true],
  ] as const)('in %s mints the coupons of an SV: %s (R-09-011)', async (splice, isMinted) => {
    const { canticle, participant, validator, dso, request } = validatorWorld(dars, { splice });
    const { host, setUp } = externalParty(request);
    await request('POST /v0/admin/users', {
      as: 'ledger-api-user',
      body: { name: 'app-user', party_id: validator },
    });
    const party = await host();
    await setUp(party);
    canticle.splice.automation.resume('MintingDelegationCollectRewards');
    participant.create(
      '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegation',
      {
        ...{ beneficiary: party, delegate: validator, dso, amuletMergeLimit: '10' },
        expiresAt: '2026-01-02T00:00:00Z',
      },
      { actAs: [party, validator] },
    );
    const sv = participant.allocateParty('sv-of-rewards');
    participant.create(
      '#splice-amulet:Splice.Amulet:SvRewardCoupon',
      { dso, sv, beneficiary: party, round: { number: '0' }, weight: '10' },
      { actAs: [dso] },
    );
    const active = (template: string) =>
      participant.activeContracts({ template: `#splice-amulet:Splice.Amulet:${template}` });
    for (let round = 0; round < 3; round++) canticle.amulet.advanceRounds();
    canticle.advanceTime({ minutes: 15 });
    expect(active('SvRewardCoupon')).toHaveLength(isMinted ? 0 : 1);
    const amulets = active('Amulet').map(({ payload }: any) => payload.owner);
    expect(amulets.includes(party)).toBe(isMinted);
  });
});
