/** Amulet's rules, rounds and rights in Scan and the validator's proxy, by template name (S-RND-*, S-RUL-*, S-DSO-*, S-FEAT-*). */
import { Numeric, some } from '../../../src/daml/index.js';
import { ModelWorld, TICK } from '../../support/splice/amulet-model.js';

const SCAN = '/api/scan/v0';
const PROXY = '/api/validator/v0/scan-proxy';
const NOTHING_CACHED = {
  cached_open_mining_round_contract_ids: [],
  cached_issuing_round_contract_ids: [],
};
const rounds = (world: ModelWorld, body: object = {}) =>
  world.post(`${SCAN}/open-and-issuing-mining-rounds`, { ...NOTHING_CACHED, ...body });

describe('mining rounds', () => {
  test('are returned by contract id, with their time to live (S-RND-002, S-RND-004)', async () => {
    const world = new ModelWorld();
    const open = [world.openRound(4n, -TICK), world.openRound(5n, 0n), world.openRound(6n, TICK)];
    const issuing = world.issuingRound(2n);
    const { body } = await rounds(world);
    expect(body).toMatchObject({
      time_to_live_in_microseconds: 600_000_000,
      open_mining_rounds: {
        [open[0]!]: { contract: { contract_id: open[0], payload: { round: { number: '4' } } } },
        [open[2]!]: { domain_id: world.synchronizerId('global') },
      },
      issuing_mining_rounds: { [issuing]: { contract: { payload: { round: { number: '2' } } } } },
    });
    expect(Object.keys(body.open_mining_rounds)).toEqual(open);
    // A window that is shorter than two ticks, or a tick that is, shortens the time to live.
    world.issuingRound(3n, 2_000_000n);
    expect((await rounds(world)).body.time_to_live_in_microseconds).toBe(1_000_000);
  });

  test('come without the contract if the client has cached them, and archived ones are omitted (S-RND-003)', async () => {
    const world = new ModelWorld();
    const known = world.openRound(0n, 0n);
    const body = (await rounds(world, { cached_open_mining_round_contract_ids: [known, '00ff'] }))
      .body;
    expect(body.open_mining_rounds).toEqual({
      [known]: { contract: null, domain_id: world.synchronizerId('global') },
    });
  });

  test('may have any number of cached ids before 0.9, and fail without any round (S-GEN-021, S-RND-005)', async () => {
    const world = new ModelWorld();
    expect(await rounds(world)).toEqual({
      status: 500,
      body: { error: 'An unexpected error occurred.' },
    });
    world.openRound(0n, 0n);
    const cached = Array<string>(1001).fill('00');
    expect((await rounds(world, { cached_issuing_round_contract_ids: cached })).status).toBe(200);
  });

  test('are lists in the proxy, the oldest first (P-PROXY-002, W-QRK-002)', async () => {
    const world = new ModelWorld();
    const numbers = [3n, 1n, 2n];
    for (const number of numbers) world.openRound(number, 0n);
    const { body } = await world.get<any>(`${PROXY}/open-and-issuing-mining-rounds`);
    expect(
      body.open_mining_rounds.map(({ contract }: any) => contract.payload.round.number),
    ).toEqual(['1', '2', '3']);
    expect(body.issuing_mining_rounds).toEqual([]);
  });

  test('are sorted by number if they are closed (S-RND-010)', async () => {
    const world = new ModelWorld();
    for (const number of [9n, 10n, 8n]) world.make('ClosedMiningRound', { round: { number } });
    const { body } = await world.get<any>(`${SCAN}/closed-rounds`);
    expect(body.rounds.map(({ payload }: any) => payload.round.number)).toEqual(['8', '9', '10']);
  });
});

describe('rules', () => {
  test('are returned unless the client has cached them; Scan fails without rules (S-RUL-001)', async () => {
    const world = new ModelWorld();
    const request = (body: object = {}) => world.post(`${SCAN}/amulet-rules`, body);
    expect(await request()).toEqual({
      status: 500,
      body: { error: 'An unexpected error occurred.' },
    });
    const rules = world.rules();
    const domain_id = world.synchronizerId('global');
    expect((await request()).body).toMatchObject({
      amulet_rules_update: {
        domain_id,
        contract: {
          contract_id: rules,
          payload: {
            configSchedule: {
              initialValue: { decentralizedSynchronizer: { activeSynchronizer: 'global' } },
            },
          },
        },
      },
    });
    expect((await request({ cached_amulet_rules_contract_id: rules })).body).toEqual({
      amulet_rules_update: { contract: null, domain_id },
    });
    expect((await request({ cached_amulet_rules_contract_id: '00' })).body).toMatchObject({
      amulet_rules_update: { contract: { contract_id: rules } },
    });
    expect((await world.get(`${PROXY}/amulet-rules`)).body).toMatchObject({
      amulet_rules: { contract: { contract_id: rules }, domain_id },
    });
  });

  test('for external parties are returned, or 404 if they are missing (S-RUL-002)', async () => {
    const world = new ModelWorld();
    const request = () => world.post(`${SCAN}/external-party-amulet-rules`, {});
    const error = 'No active ExternalPartyAmuletRules contract';
    expect(await request()).toEqual({ status: 404, body: { error } });
    const contract_id = world.make('ExternalPartyAmuletRules');
    expect((await request()).body).toMatchObject({
      external_party_amulet_rules_update: { contract: { contract_id } },
    });
  });
});

describe.each([SCAN, PROXY])('%s/dso', (base) => {
  test('returns the rules of the DSO, the newest round and the states of the nodes (S-DSO-001 to S-DSO-003)', async () => {
    const world = new ModelWorld();
    const getDso = () => world.get<any>(`${base}/dso`);
    const missing = async () => (await getDso()).body.error;
    expect(await missing()).toBe('No active OpenMiningRound contract');
    world.openRound(3n, 0n);
    const newest = world.openRound(4n, TICK);
    expect(await missing()).toBe('No active AmuletRules contract');
    const rules = world.rules();
    expect(await missing()).toBe('No active DsoRules contract');
    const svs = ['sv1', 'sv2', 'sv3', 'sv4', 'sv5'].map((hint) =>
      world.participant.allocateParty(hint),
    );
    const gone = world.participant.allocateParty('off-boarded');
    const dsoRules = world.make('DsoRules', {
      svs: [...svs].sort().map((sv) => [sv, { name: 'an sv' }]),
    });
    const [state] = [...svs, gone].map((sv) =>
      world.make('SvNodeState', { sv, svName: 'an sv', state: { synchronizerNodes: [] } }),
    );
    const { status, body } = await getDso();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dso_party_id: world.dso,
      sv_party_id: [...svs].sort()[0],
      // Of five one may be faulty: ceil((5 + 1 + 1) / 2).
      voting_threshold: 4,
      latest_mining_round: { contract: { contract_id: newest } },
      amulet_rules: { contract: { contract_id: rules } },
      dso_rules: { contract: { contract_id: dsoRules } },
      initial_round: '3',
    });
    expect(body.sv_node_states).toHaveLength(5);
    expect(body.sv_node_states[0].contract.contract_id).toBe(state);
  });
});

describe('look-ups', () => {
  test('return all featured apps, those of a provider, or one by its id (S-FEAT-002, S-FEAT-003)', async () => {
    const world = new ModelWorld();
    const [one, two] = ['one', 'two'].map((hint) => world.participant.allocateParty(hint)) as [
      string,
      string,
    ];
    const rights = [one, two, one].map((provider) => world.make('FeaturedAppRight', { provider }));
    const ids = async (path: string) =>
      (await world.get<any>(`${SCAN}/featured-apps${path}`)).body.featured_apps.map(
        ({ contract_id }: any) => contract_id,
      );
    expect(await ids('')).toEqual(rights);
    expect(await ids(`/by-provider/${encodeURIComponent(one)}`)).toEqual([rights[0], rights[2]]);
    const byId = async (id: string) =>
      (await world.get(`${SCAN}/featured-apps/by-contract-id/${id}`)).body;
    expect(await byId(rights[1]!)).toMatchObject({
      featured_app_right: { payload: { provider: two } },
    });
    // A contract of another template is none.
    expect(await byId(world.rules())).toEqual({ featured_app_right: null });
    expect(await byId('00ff')).toEqual({ featured_app_right: null });
  });

  test.each([SCAN, PROXY])(
    '%s: return the counter of transfer commands, or the first nonce (S-PRE-005)',
    async (base) => {
      const world = new ModelWorld();
      const sender = world.participant.allocateParty('sender');
      const getCounter = () =>
        world.get<any>(`${base}/transfer-command-counter/${encodeURIComponent(sender)}`);
      const error = `No TransferCommandCounter found for party: ${sender}, use 0 for the nonce`;
      expect(await getCounter()).toEqual({ status: 404, body: { error } });
      world.make('TransferCommandCounter', { sender, nextNonce: 7n });
      expect((await getCounter()).body).toMatchObject({
        transfer_command_counter: { contract: { payload: { sender, nextNonce: '7' } } },
      });
    },
  );

  test.each([SCAN, PROXY])('%s: return development fund coupons (S-FEAT-004)', async (base) => {
    const world = new ModelWorld();
    const getCoupons = async () =>
      (await world.get(`${base}/unclaimed-development-fund-coupons`)).body;
    expect(await getCoupons()).toEqual({ 'unclaimed-development-fund-coupons': [] });
    world.make('UnclaimedDevelopmentFundCoupon', { amount: Numeric.of('5') });
    expect(await getCoupons()).toMatchObject({
      'unclaimed-development-fund-coupons': [{ contract: { payload: { amount: '5.0' } } }],
    });
  });

  test('return validator licenses in pages from the newest, and the faucet coupons that they received (S-DSO-008, S-DSO-009)', async () => {
    const world = new ModelWorld();
    const validators = ['v1', 'v2', 'v3'].map((hint) => world.participant.allocateParty(hint));
    const state = {
      firstReceivedFor: { number: 3n },
      lastReceivedFor: { number: 9n },
      numCouponsMissed: 2n,
    };
    validators.forEach((validator, i) =>
      world.make('ValidatorLicense', { validator, faucetState: i === 1 ? some(state) : null }),
    );
    const page = async (query: string) => {
      const { body } = await world.get<any>(`${SCAN}/admin/validator/licenses${query}`);
      return [
        body.validator_licenses?.map(({ payload }: any) => payload.validator),
        body.next_page_token,
      ];
    };
    expect(await page('')).toEqual([[...validators].reverse(), expect.any(Number)]);
    const [first, token] = await page('?limit=2');
    expect(first).toEqual([validators[2], validators[1]]);
    const [second, last] = await page(`?limit=2&after=${token}`);
    expect(second).toEqual([validators[0]]);
    expect(await page(`?limit=2&after=${last}`)).toEqual([[], null]);
    expect(await world.get(`${SCAN}/admin/validator/licenses?limit=0`)).toMatchObject({
      status: 400,
    });
    expect(await world.get(`${SCAN}/admin/validator/licenses?limit=1001`)).toMatchObject({
      status: 400,
      body: { error: 'Exceeded limit maximum (1001 > 1000).' },
    });
    const parameters = [validators[1]!, validators[2]!, 'nobody::1220'].map(
      (id) => `validator_ids=${encodeURIComponent(id)}`,
    );
    const faucets = await world.get(`${SCAN}/validators/validator-faucets?${parameters.join('&')}`);
    const zeros = {
      numRoundsCollected: 0,
      numRoundsMissed: 0,
      firstCollectedInRound: 0,
      lastCollectedInRound: 0,
    };
    expect(faucets.body).toEqual({
      validatorsReceivedFaucets: [
        {
          validator: validators[1],
          numRoundsCollected: 5,
          numRoundsMissed: 2,
          firstCollectedInRound: 3,
          lastCollectedInRound: 9,
        },
        { validator: validators[2], ...zeros },
      ],
    });
  });

  test('return votes on the price (S-DSO-014)', async () => {
    const world = new ModelWorld();
    world.make('AmuletPriceVote', { amuletPrice: Numeric.of('0.05') });
    expect((await world.get(`${SCAN}/amulet-price/votes`)).body).toMatchObject({
      amulet_price_votes: [{ payload: { amuletPrice: '0.05' } }],
    });
  });

  test('return the traffic that a member bought on a synchronizer, in the current migration', async () => {
    const world = new ModelWorld();
    const { mediatorId } = world.splice.network.synchronizers[0]!;
    const [memberId, synchronizerId] = [`PAR::${world.participant.id}`, 'global::1220bb'];
    const bought = { memberId, synchronizerId, migrationId: 0n, totalPurchased: 200_000n };
    world.make('MemberTraffic', bought);
    world.make('MemberTraffic', { ...bought, totalPurchased: 5n });
    world.make('MemberTraffic', { ...bought, memberId: 'PAR::other::1220aa' });
    world.make('MemberTraffic', { ...bought, synchronizerId: 'app::1220bb' });
    world.make('MemberTraffic', { ...bought, migrationId: 1n });
    const getStatus = (domain: string, member: string) =>
      world.get(`${SCAN}/domains/${domain}/members/${member}/traffic-status`);
    const status = (total: number) => ({
      traffic_status: {
        actual: { total_consumed: 0, total_limit: total },
        target: { total_purchased: total },
      },
    });
    expect((await getStatus(synchronizerId, memberId)).body).toEqual(status(200_005));
    expect((await getStatus(synchronizerId, `MED::${mediatorId}`)).body).toEqual(status(0));
    const nobody = `nobody::1220${'ab'.repeat(32)}`;
    for (const code of ['PAR', 'MED', 'SEQ'])
      expect(await getStatus(synchronizerId, `${code}::${nobody}`)).toEqual({
        status: 404,
        body: { error: `No traffic state found for member ${code}::nobody::1220abababab...` },
      });
    const refusals = [
      [
        synchronizerId,
        'PAR::x',
        'member ID: Invalid member `PAR::x`, expecting <three-letter-code>::id::fingerprint.',
      ],
      [synchronizerId, 'XYZ::a::1220aa', 'member ID: Unknown three letter type XYZ'],
      [
        synchronizerId,
        'sandbox::1220aa',
        'member ID: Expected delimiter :: after three letter code of `sandbox::1220aa`',
      ],
      [
        'nowhere',
        memberId,
        'domain ID: Invalid unique identifier `nowhere` with missing namespace.',
      ],
    ] as const;
    for (const [domain, member, error] of refusals)
      expect(await getStatus(domain, member)).toEqual({
        status: 400,
        body: { error: `Could not decode ${error}` },
      });
  });
});

test('returns the fees of a round in amulets at its price, also after the round has closed (S-RUL-006)', async () => {
  const world = new ModelWorld();
  const getConfig = (round: number) => world.get(`${SCAN}/amulet-config-for-round?round=${round}`);
  const round = world.openRound(7n, 0n);
  world.exercise(
    [world.dso],
    world.network.contracts.get(round)!.instance.templateId,
    round,
    'Archive',
    {},
  );
  expect((await getConfig(7)).body).toEqual({
    amulet_create_fee: '0.0150000000',
    holding_fee: '0.0000100000',
    lock_holder_fee: '0.0025000000',
    transfer_fee: {
      initial: '0.0100000000',
      steps: [{ amount: '50.0000000000', rate: '0.0010000000' }],
    },
  });
  expect(await getConfig(8)).toEqual({ status: 404, body: { error: 'Round 8 not found' } });
});
