/** A DSO is founded by its own code, with the values that a LocalNet begins with. */
import { createCanticle } from 'canticle';
import { describeWithDars, isHere, realDar } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';

const governance = (version: string) => `splice-dso-governance-${version}.dar`;
const hours = (count: number) => ({ microseconds: String(count * 3_600_000_000) });

describeWithDars('a DSO', [...DSO_DARS], (...dars) => {
  const { canticle, dso, sv, payloads, counts } = sharedWorld(dars);
  const { network, participants } = canticle;
  const only = (name: string) => {
    const found = payloads(name);
    expect([name, found.length]).toEqual([name, 1]);
    return found[0];
  };
  const START = '2026-01-01T00:00:00.';

  test('creates the contracts of a LocalNet before any client acts', () => {
    expect(counts()).toEqual({
      AmuletRules: 1,
      ExternalPartyAmuletRules: 1,
      ExternalPartyConfigState: 2,
      AnsRules: 1,
      OpenMiningRound: 3,
      DsoRules: 1,
      SvRewardState: 1,
      AmuletPriceVote: 1,
      SvStatusReport: 1,
      SvNodeState: 1,
      ValidatorLicense: 3,
      UsedSecret: 2,
      WalletAppInstall: 3,
      ValidatorRight: 3,
      // Bought by the apps' validators, with amulets that were tapped for it.
      ValidatorTopUpState: 2,
      MemberTraffic: 2,
      ValidatorRewardCoupon: 2,
      // Of the two rounds that are open.
      ValidatorLivenessActivityRecord: 6,
      SvRewardCoupon: 2,
    });
    expect(payloads('MemberTraffic')).toMatchObject(
      participants.slice(1).map(({ id }) => ({
        memberId: `PAR::${id}`,
        totalPurchased: '1200000',
        numPurchases: '1',
        amuletSpent: '4000.8000000000',
        usdSpent: '20.0040000000',
      })),
    );
  });

  test('has a party in a decentralized namespace, which the synchronizer has too', () => {
    const [, namespace] = dso.split('::');
    expect(dso).toMatch(/^DSO::1220[0-9a-f]{64}$/);
    expect(network.synchronizers[0]!.id).toBe(`global-domain::${namespace}`);
    expect(sv).not.toContain(namespace);
    expect(participants.map(({ engine }) => engine.hosts(dso))).toEqual([true, false, false]);
  });

  test('configures Amulet with the values of DevNet', () => {
    const rules = only('AmuletRules');
    expect(rules).toMatchObject({ dso, isDevNet: true });
    const { initialValue, futureValues } = rules.configSchedule;
    expect(futureValues).toEqual([]);
    const id = network.synchronizers[0]!.id;
    expect(initialValue).toMatchObject({
      tickDuration: { microseconds: '600000000' },
      featuredAppActivityMarkerAmount: '1.0000000000',
      packageConfig: {
        amulet: '0.1.22',
        amuletNameService: '0.1.23',
        dsoGovernance: '0.1.28',
        validatorLifecycle: '0.1.8',
        wallet: '0.1.23',
        walletPayments: '0.1.22',
      },
      transferConfig: {
        createFee: { fee: '0.0000000000' },
        holdingFee: { rate: '0.0000190259' },
        transferFee: { initialRate: '0.0000000000', steps: [] },
        lockHolderFee: { fee: '0.0000000000' },
        extraFeaturedAppRewardAmount: '1.0000000000',
        maxNumInputs: '100',
        maxNumOutputs: '100',
        maxNumLockHolders: '50',
      },
      decentralizedSynchronizer: {
        requiredSynchronizers: { map: [[id, {}]] },
        activeSynchronizer: id,
        fees: {
          baseRateTrafficLimits: { burstAmount: '400000', burstWindow: hours(1 / 3) },
          extraTrafficPrice: '16.6700000000',
          readVsWriteScalingFactor: '4',
          minTopupAmount: '200000',
        },
      },
    });
    expect(payloads('OpenMiningRound')).toMatchObject(
      [0, 1, 2].map((number) => ({
        round: { number: String(number) },
        amuletPrice: '0.0050000000',
        issuingFor: { microseconds: String(number * 600_000_000) },
      })),
    );
    expect(payloads('OpenMiningRound').map(({ opensAt }) => opensAt.slice(11, 19))).toEqual([
      '00:00:00',
      '00:00:00',
      '00:10:00',
    ]);
    expect(
      payloads('OpenMiningRound').map(({ targetClosesAt }) => targetClosesAt.slice(11, 19)),
    ).toEqual(['00:10:00', '00:20:00', '00:30:00']);
    expect(payloads('ExternalPartyConfigState')).toMatchObject([
      { amuletPrice: '0.0050000000', holdingFeesOpenRoundNumber: { number: '0' } },
      { amuletPrice: '0.0050000000', holdingFeesOpenRoundNumber: { number: '0' } },
    ]);
    expect(
      payloads('ExternalPartyConfigState').map(({ targetArchiveAfter }) =>
        targetArchiveAfter.slice(0, 19),
      ),
    ).toEqual(['2026-01-02T00:00:00', '2026-01-03T00:00:00']);
  });

  test('has one SV, with its nodes, vote, reward state and report', () => {
    const participantId = `PAR::${participants[0]!.id}`;
    const { sequencerId, mediatorId, id } = network.synchronizers[0]!;
    expect(sequencerId).toMatch(/^sv::/);
    expect(only('DsoRules')).toMatchObject({
      dso,
      epoch: '0',
      svs: [
        [
          sv,
          {
            name: 'sv',
            joinedAsOfRound: { number: '0' },
            svRewardWeight: '10000',
            participantId,
          },
        ],
      ],
      offboardedSvs: [],
      dsoDelegate: sv,
      isDevNet: true,
      initialTrafficState: [
        [`MED::${mediatorId}`, { consumedTraffic: '0' }],
        [participantId, { consumedTraffic: '0' }],
      ],
      config: {
        numUnclaimedRewardsThreshold: '10',
        numMemberTrafficContractsThreshold: '5',
        actionConfirmationTimeout: hours(1),
        svOnboardingRequestTimeout: hours(1),
        svOnboardingConfirmedTimeout: hours(1),
        voteRequestTimeout: hours(168),
        dsoDelegateInactiveTimeout: { microseconds: '70000000' },
        maxTextLength: '1024',
        decentralizedSynchronizer: { lastSynchronizerId: id, activeSynchronizerId: id },
      },
    });
    expect(only('SvNodeState').state.synchronizerNodes).toMatchObject([
      [
        id,
        {
          cometBft: { nodes: [], governanceKeys: [], sequencingKeys: [] },
          sequencer: {
            migrationId: '0',
            sequencerId: `SEQ::${sequencerId}`,
            url: 'http://canton:5008',
          },
          mediator: { mediatorId: `MED::${mediatorId}` },
          scan: { publicUrl: 'http://localhost:5012' },
          sequencerIdentity: { sequencerId: `SEQ::${sequencerId}` },
          physicalSynchronizers: [['0', { sequencer: { url: 'http://canton:5008' } }]],
        },
      ],
    ]);
    const vote = only('AmuletPriceVote');
    expect(vote).toMatchObject({ sv, amuletPrice: '0.0050000000' });
    expect(vote.lastUpdatedAt).toContain('2025-12-31T23:59:00');
    expect(only('AnsRules').config).toEqual({
      renewalDuration: hours(720),
      entryLifetime: hours(2160),
      entryFee: '1.0000000000',
      descriptionPrefix: 'ANS entry: ',
    });
  });

  test('has onboarded its validators, all but the first with the secrets of a LocalNet', () => {
    const parties = canticle.splice.validators.map(({ party }) => party);
    expect(parties[0]).toBe(sv);
    expect(payloads('ValidatorLicense')).toMatchObject(
      parties.map((validator) => ({
        validator,
        sponsor: validator,
        dso,
        metadata: { version: '0.7.4', contactPoint: '' },
      })),
    );
    for (const { lastActiveAt } of payloads('ValidatorLicense'))
      expect(lastActiveAt).toContain(START);
    expect(payloads('UsedSecret')).toEqual([
      { sv, secret: 'app-provider-validator-onboarding-secret', validator: parties[1] },
      { sv, secret: 'app-user-validator-onboarding-secret', validator: parties[2] },
    ]);
  });

  // Older releases run with CANTICLE_ALL_DARS only, because each reads its own DARs.
  const older = ['0.1.12', '0.1.16', '0.1.19', '0.1.21', '0.1.23', '0.1.26'].filter((version) =>
    isHere('DARs', governance(version)),
  );
  for (const version of process.env.CANTICLE_ALL_DARS ? older : [])
    test(`also works with splice-dso-governance ${version}, and advances rounds and pays`, () => {
      const old = createCanticle({ dars: [realDar(governance(version))!] });
      old.amulet.boot();
      old.advanceTime({ hours: 1 });
      const numbers = (kind: string) =>
        old.participant
          .activeContracts({ template: `#splice-amulet:Splice.Round:${kind}MiningRound` })
          .map(({ payload }) => Number((payload as any).round.number));
      expect([numbers('Open'), numbers('Issuing')]).toEqual([
        [6, 7, 8],
        [3, 4, 5],
      ]);
      const alice = old.participant.allocateParty('alice');
      old.amulet.tap(alice, '5.0');
      expect(old.amulet.holdings(alice)).toHaveLength(1);
    });
});
