/**
 * An external party at a validator, from its key to its balance. Three transactions that it signs host it, and a proposal that it
 * accepts sets it up. Then the validator reports its balance and its preapproval (V-EXT-*, V-PRO-*, V-PRE-*, V-BAL-*).
 */
import { describeWithDars } from '../../support/foreign-files.js';
import { EXTERNAL, externalParty, OPERATOR } from '../../support/splice/external-party.js';
import { VALIDATOR_DARS, validatorWorld } from '../../support/splice/validator-world.js';

const DAY = 86_400_000;

describeWithDars('an external party at a validator', VALIDATOR_DARS, (...dars) => {
  const { canticle, participant, users, validator, dso, request: bare } = validatorWorld(dars);
  const external = externalParty(bare);
  const { key, request, signed, generate, submit, signing, propose, prepare, accept } = external;
  const { host, setUp } = external;
  const balance = (party: string) => request(`GET ${EXTERNAL}/balance?party_id=${party}`);
  const preapproval = (party: string, method = 'GET') =>
    request(`${method} /v0/admin/transfer-preapprovals/by-party/${encodeURIComponent(party)}`);
  const error = (text: unknown) => ({ error: text });

  const wallet = request('POST /v0/admin/users', { name: 'app-user', party_id: validator });
  let fresh: ReturnType<typeof canticle.snapshot>;
  beforeAll(async () => {
    await wallet;
    fresh = canticle.snapshot();
  });
  afterEach(() => canticle.revert(fresh));

  test('generates three topology transactions, each with the hash to sign, and changes nothing', async () => {
    const { status, body } = await generate();
    const end = participant.ledgerEnd;
    expect(status).toBe(200);
    expect(body.party_id).toMatch(/^alice::1220[\da-f]{64}$/);
    expect(body.topology_txs.map(({ hash }: any) => hash)).toEqual(
      Array(3).fill(expect.stringMatching(/^1220[\da-f]{64}$/)),
    );
    expect((await generate()).body).toEqual(body);
    expect(participant.ledgerEnd).toBe(end);
  });

  test('is hosted after it has signed, and the validator’s user may act as it', async () => {
    const party = await host();
    expect(participant.engine.hosts(party)).toBe(true);
    expect(users.rights(OPERATOR)).toContainEqual({ kind: 'CanActAs', party });
    expect(await balance(party)).toMatchObject({
      status: 404,
      body: error(`No wallet for external party ${party}`),
    });
  });

  test.each([
    ['zz', 'Could not decode public key zz as a hex string'],
    ['00', expect.stringMatching(/^Failed to decode public key: /)],
  ])('rejects the key %s', async (given, text) => {
    expect(await generate('alice', given)).toMatchObject({ status: 400, body: error(text) });
  });

  test('rejects transactions that are invalid, unsigned, signed by another key, or without a hosting', async () => {
    const [delegation, hosting, mapping] = (await generate()).body.topology_txs;
    const refused = async (txs: object[]) => {
      const { status, body } = await submit(txs);
      return [status, body.error];
    };
    expect(await refused([{ topology_tx: 'AAAA', signed_hash: '00' }])).toEqual([
      400,
      expect.stringMatching(/^failed to construct topology transaction: /),
    ]);
    expect(await refused([{ ...signing(hosting), signed_hash: 'xyz' }])).toEqual([
      400,
      'Failed to decode hex-encoded tx signature: xyz',
    ]);
    expect(await refused([delegation, mapping].map(signing))).toEqual([
      400,
      'Failed to determine party id from PartyToParticipant transaction',
    ]);
    const wrong = [delegation, hosting, mapping].map((each, index) =>
      index === 1 ? { ...signing(each), signed_hash: '00'.repeat(64) } : signing(each),
    );
    expect((await refused(wrong))[0]).toBeGreaterThanOrEqual(400);
    expect(participant.engine.hosts((await generate()).body.party_id)).toBe(false);
  });

  test('accepts a proposal, which creates a preapproval and the right of the validator', async () => {
    const party = await host();
    const proposed = await propose(party);
    expect(proposed.status).toBe(200);
    const { contract_id } = proposed.body;
    const listed = await request(`GET ${EXTERNAL}/setup-proposal`);
    expect(listed.body.contracts).toMatchObject([
      { contract: { contract_id, payload: { user: party, validator, dso } } },
    ]);
    expect(await propose(party)).toMatchObject({
      status: 409,
      body: error(`ExternalPartySetupProposal contract already exists: ${contract_id}`),
    });
    const verbose = await prepare(party, contract_id, { verbose_hashing: true });
    expect(verbose.body.hashing_details).toMatch(/^Verbose hashing is disabled/);
    const { transaction, tx_hash, hashing_details } = (await prepare(party, contract_id)).body;
    expect(hashing_details).toBeNull();
    const own = { party_id: party, public_key: key, transaction };
    expect(await accept({ ...own, signed_tx_hash: 'q' })).toMatchObject({
      status: 400,
      body: error('Unable to parse signed tx hash'),
    });
    expect((await accept({ ...own, signed_tx_hash: '00'.repeat(64) })).status).toBeGreaterThan(399);
    const accepted = await accept({ ...own, signed_tx_hash: signed(tx_hash) });
    expect(accepted).toMatchObject({ status: 200, body: { update_id: expect.any(String) } });
    const { transfer_preapproval_contract_id: preapproved } = accepted.body;
    const { payload } = participant.contract(preapproved)! as any;
    expect(payload).toMatchObject({ receiver: party, provider: validator, dso });
    expect(Date.parse(payload.expiresAt) - Date.parse(payload.validFrom)).toBeGreaterThan(89 * DAY);
    expect(await propose(party)).toMatchObject({
      status: 409,
      body: error(`TransferPreapproval contract already exists: ${preapproved}`),
    });
    expect((await request(`GET ${EXTERNAL}/setup-proposal`)).body).toEqual({ contracts: [] });
  });

  test('refuses to prepare the acceptance of a missing or another proposal', async () => {
    const party = await host();
    expect(await prepare(party, '00')).toMatchObject({
      status: 404,
      body: error(`No ExternalPartySetupProposal contract found for ${party}`),
    });
    await propose(party);
    expect(await prepare(party, '00')).toMatchObject({
      status: 400,
      body: error('Found contract does not match provided contractId.'),
    });
  });

  test('rejects a proposal if the validator has no wallet', async () => {
    const template = '#splice-wallet:Splice.Wallet.Install:WalletAppInstall';
    const [install] = participant.activeContracts({ template });
    participant.archive(template, install!.contractId, { actAs: [validator] });
    expect(await propose(dso)).toMatchObject({
      status: 404,
      body: error(`No wallet found for validator party ${validator}`),
    });
  });

  test('returns as balance the sum of the holdings as of the oldest open round', async () => {
    const party = await host();
    await setUp(party);
    const none = await balance(party);
    expect(none).toMatchObject({
      status: 200,
      body: { party_id: party, total_coin_holdings: '0.0000000000', computed_as_of_round: 0 },
    });
    canticle.amulet.tap(party, '12.5');
    expect((await balance(party)).body).toMatchObject({
      total_unlocked_coin: '12.5000000000',
      total_locked_coin: '0.0000000000',
      total_coin_holdings: '12.5000000000',
    });
    expect(await balance('nonsense')).toMatchObject({ status: 400 });
  });

  test('its delegate mints rewards for it and merges its smallest amulets every five minutes, until the delegation ends', async () => {
    const party = await host();
    await setUp(party);
    const { amulet, splice } = canticle;
    splice.automation.resume('MintingDelegationCollectRewards');
    const delegation = {
      ...{ beneficiary: party, delegate: validator, dso, amuletMergeLimit: '2' },
      expiresAt: '2026-01-01T01:00:00Z',
    };
    participant.create(
      '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegation',
      delegation,
      { actAs: [party, validator] },
    );
    const held = () =>
      participant
        .activeContracts({ template: '#splice-amulet:Splice.Amulet:Amulet' })
        .map(({ payload }: any) => payload)
        .filter(({ owner }) => owner === party)
        .map(({ amount }) => Number(amount.initialAmount));
    const tap = (amount: string) => amulet.tap(party, amount);
    ['1.0', '2.0', '30.0'].forEach(tap);
    canticle.advanceTime({ minutes: 6 });
    expect(held()).toEqual([1, 2, 30]);
    tap('4.0');
    canticle.advanceTime({ minutes: 3 });
    expect(held()).toHaveLength(4);
    canticle.advanceTime({ minutes: 1 });
    expect(held()).toEqual([30, 7]);

    participant.exercise(
      '#splice-api-featured-app-v1:Splice.Api.FeaturedAppRightV1:FeaturedAppRight',
      amulet.feature(party),
      'FeaturedAppRight_CreateActivityMarker',
      { beneficiaries: [{ beneficiary: party, weight: '1.0' }] },
      { actAs: [party] },
    );
    for (let round = 0; round < 3; round++) amulet.advanceRounds();
    // Half an hour after the start a round begins to issue. Ten minutes later amulets are minted: a dollar at 0.005, times 100.
    canticle.advanceTime({ minutes: 10 });
    expect(held()).toEqual([30, 7]);
    canticle.advanceTime({ minutes: 5 });
    expect(held()).toEqual([30, 7, 20_000]);

    canticle.advanceTime({ minutes: 15 });
    tap('5.0');
    canticle.advanceTime({ minutes: 10 });
    expect(held()).toHaveLength(4);
  });

  describe('a party with a delegate that mints', () => {
    const withDelegate = async () => {
      const party = await host();
      await setUp(party);
      canticle.splice.automation.resume('MintingDelegationCollectRewards');
      const terms = { beneficiary: party, delegate: validator, dso, amuletMergeLimit: '10' };
      participant.create(
        '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegation',
        { ...terms, expiresAt: '2026-01-02T00:00:00Z' },
        { actAs: [party, validator] },
      );
      return party;
    };
    const ofRound = (number: number) => ({ round: { number: String(number) } });
    const ofApp = (provider: string, amount: string) =>
      participant.create(
        '#splice-amulet:Splice.Amulet:AppRewardCoupon',
        { dso, provider, beneficiary: null, featured: false, amount, ...ofRound(0) },
        { actAs: [dso] },
      );
    const ofValidator = (user: string, round: number) =>
      participant.create(
        '#splice-amulet:Splice.Amulet:ValidatorRewardCoupon',
        { dso, user, amount: '1.0', ...ofRound(round) },
        { actAs: [dso] },
      );
    /** Those of the coupons that were minted, in order. */
    const minted = (...coupons: readonly string[]) =>
      canticle.network.updates
        .all()
        .flatMap((update) => (update.kind === 'transaction' ? update.transaction.nodes : []))
        .flatMap((node) =>
          node.kind === 'exercise' && node.consuming ? [node.contract.contractId] : [],
        )
        .filter((id) => coupons.includes(id));

    test('gets the most valuable coupons of apps first', async () => {
      const party = await withDelegate();
      const [small, large, middle] = ['1.0', '3.0', '2.0'].map((amount) => ofApp(party, amount));
      for (let round = 0; round < 3; round++) canticle.amulet.advanceRounds();
      canticle.advanceTime({ minutes: 15 });
      expect(minted(small!, large!, middle!)).toEqual([large, middle, small]);
    });

    test('gets coupons of validators by round, once their round issues rewards', async () => {
      const party = await withDelegate();
      const { amulet, splice } = canticle;
      participant.create(
        '#splice-amulet:Splice.Amulet:ValidatorRight',
        { dso, user: party, validator: party },
        { actAs: [party] },
      );
      splice.automation.pause('MintingDelegationCollectRewards');
      for (let round = 0; round < 4; round++) amulet.advanceRounds();
      const [late, second, first] = [9, 2, 1].map((round) => ofValidator(party, round));
      canticle.advanceTime({ minutes: 6 });
      splice.automation.resume('MintingDelegationCollectRewards');
      canticle.advanceTime({ minutes: 5 });
      expect(minted(late!, second!, first!)).toEqual([first, second]);
    });

    test('gets no coupons of validators if it is not its own validator', async () => {
      const party = await withDelegate();
      for (let round = 0; round < 3; round++) canticle.amulet.advanceRounds();
      const coupons = [ofValidator(party, 0), ofApp(party, '1.0')] as const;
      canticle.advanceTime({ minutes: 15 });
      expect(minted(...coupons)).toEqual([coupons[1]]);
    });
  });

  test('its delegate shares the coupons for traffic before they expire or when it merges, as the validator is configured', async () => {
    const party = await host();
    await setUp(party);
    const { amulet, splice, network } = canticle;
    splice.automation.resume('MintingDelegationCollectRewards');
    const beneficiaries = [{ beneficiary: validator, percentage: '0.25' }];
    const sharing = { beneficiaries, minTtlAfterSharing: 3_600_000_000n, batchSize: 100 };
    const configure = (value: typeof sharing) => {
      splice.walletConfiguration.value = {
        accepts: [],
        sweeps: [],
        sharing: new Map([[party, value]]),
      };
    };
    configure(sharing);
    participant.create(
      '#splice-wallet:Splice.Wallet.MintingDelegation:MintingDelegation',
      {
        ...{ beneficiary: party, delegate: validator, dso, amuletMergeLimit: '2' },
        expiresAt: '2026-01-02T00:00:00Z',
      },
      { actAs: [party, validator] },
    );
    const earn = (hours: number) =>
      participant.create(
        '#splice-amulet:Splice.Amulet:RewardCouponV2',
        {
          ...{ dso, provider: party, beneficiary: null, amount: '100.0', round: { number: '0' } },
          expiresAt: new Date(
            Number(network.clock.now() / 1000n) + hours * 3_600_000,
          ).toISOString(),
          providerIsObserver: true,
        },
        { actAs: [dso] },
      );
    const payloads = (name: string) =>
      participant
        .activeContracts({ template: `#splice-amulet:Splice.Amulet:${name}` })
        .map(({ payload }) => payload as any);
    const coupons = () =>
      payloads('RewardCouponV2').map(({ beneficiary, amount }) => [beneficiary, Number(amount)]);
    const held = () =>
      payloads('Amulet')
        .filter(({ owner }) => owner === party)
        .map(({ amount }) => Number(amount.initialAmount));
    // Two hours are left, of which one is to be left: an hour from now.
    earn(2);
    canticle.advanceTime({ minutes: 55 });
    expect([coupons(), held()]).toEqual([[[undefined, 100]], []]);
    canticle.advanceTime({ minutes: 10 });
    expect([coupons(), held()]).toEqual([[[validator, 25]], [75]]);
    // There is something to merge.
    earn(20);
    for (const amount of ['1.0', '2.0', '3.0']) amulet.tap(party, amount);
    canticle.advanceTime({ minutes: 5 });
    expect(coupons()).toEqual([
      [validator, 25],
      [validator, 25],
    ]);
    expect(held()).toEqual([75, 81]);
    // Another beneficiary shares them.
    configure({ ...sharing, beneficiaries: [] });
    earn(1);
    canticle.advanceTime({ minutes: 10 });
    expect(coupons()).toHaveLength(3);
  });

  test('its preapproval is listed, found, and cancelled once', async () => {
    const party = await host();
    const missing = {
      status: 404,
      body: error(`No TransferPreapproval found for party: ${party}`),
    };
    expect(await preapproval(party)).toMatchObject(missing);
    const { transfer_preapproval_contract_id: contract_id } = (await setUp(party)).body;
    expect((await preapproval(party)).body).toMatchObject({
      transfer_preapproval: { contract: { contract_id } },
    });
    const list = async () => (await request('GET /v0/admin/transfer-preapprovals')).body.contracts;
    expect(await list()).toMatchObject([{ contract: { contract_id } }]);
    expect(await preapproval(party, 'DELETE')).toMatchObject({ status: 200, body: '' });
    expect(await list()).toEqual([]);
    expect(await preapproval(party, 'DELETE')).toMatchObject(missing);
  });

  test('finds an expired preapproval, whose cancellation the ledger rejects', async () => {
    const party = await host();
    await setUp(party);
    canticle.advanceTime({ days: 91 });
    expect((await preapproval(party)).status).toBe(200);
    const { status, body } = await preapproval(party, 'DELETE');
    expect(status).toBe(400);
    expect(body.error).toMatch(/^DAML_FAILURE\(9,[\da-f]{8}\): /);
  });

  test.each(['prepare-send', 'submit-send'])('disables %s', async (step) => {
    const submission = { party_id: dso, transaction: '', signed_tx_hash: '', public_key: '' };
    const body =
      step === 'submit-send'
        ? { submission }
        : {
            sender_party_id: dso,
            receiver_party_id: dso,
            amount: 1,
            expires_at: '2026-01-01T00:00:00Z',
            nonce: 0,
          };
    expect(await request(`POST ${EXTERNAL}/transfer-preapproval/${step}`, body)).toMatchObject({
      status: 501,
      body: error(expect.stringContaining('enable-deprecated-transfer-command-support=true')),
    });
  });

  test('reports the participant’s id, keys, transactions and connections', async () => {
    const { body: dump } = await request('GET /v0/admin/participant/identities');
    expect(dump).toMatchObject({ id: `PAR::${participant.id}`, version: '0.7.4' });
    expect(dump.keys).toHaveLength(3);
    expect(
      (await request('GET /v0/admin/participant/global-domain-connection-config')).body,
    ).toEqual({
      sequencer_connections: {
        connections: [
          {
            sequencer_alias: expect.stringMatching(/^SEQ::/),
            endpoints: ['canton:5008'],
            transport_security: false,
          },
        ],
        sequencer_trust_threshold: 1,
        sequencer_liveness_margin: 0,
        submission_request_amplification: { factor: 1, patience_seconds: 10 },
      },
    });
  });
});
