/** Scan's data about a DSO that its own code founded (S-DSO-001 to S-DSO-009, S-RND-002, S-ANS-003). */
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';

describeWithDars('Scan after the DSO is founded', [...DSO_DARS], (...dars) => {
  const { canticle, dso, sv } = sharedWorld(dars);
  const synchronizer = canticle.network.synchronizers[0]!;
  const validators = canticle.splice.validators;
  const request = async (path: string, body?: object) =>
    (
      await canticle.handle({
        path: `/api/scan/v0${path}`,
        ...(body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
      })
    ).json() as any;

  test('reports its identity, its rules, and its SV', async () => {
    expect(await request('/dso')).toMatchObject({
      sv_user: 'ledger-api-user',
      sv_party_id: sv,
      dso_party_id: dso,
      voting_threshold: 1,
      initial_round: '0',
      latest_mining_round: { contract: { payload: { round: { number: '2' } } } },
      amulet_rules: { domain_id: synchronizer.id },
      dso_rules: {
        contract: { payload: { epoch: '0', isDevNet: true, svs: [[sv, { name: 'sv' }]] } },
      },
      sv_node_states: [{ contract: { payload: { sv, svName: 'sv' } } }],
    });
    expect(await request('/dso-sequencers')).toMatchObject({
      domainSequencers: [
        {
          domainId: synchronizer.id,
          sequencers: [
            {
              migrationId: 0,
              id: `SEQ::${synchronizer.sequencerId}`,
              url: 'http://canton:5008',
              svName: 'sv',
            },
            // By the synchronizer's serial as well (A-DSO-004).
            {
              migrationId: -1,
              synchronizerSerial: 0,
              id: `SEQ::${synchronizer.sequencerId}`,
              url: 'http://canton:5008',
              svName: 'sv',
            },
          ],
        },
      ],
    });
    // Validators connect to it once.
    const path = '/api/validator/v0/admin/participant/global-domain-connection-config';
    const { body } = await canticle.handle({ path });
    expect(JSON.parse(body.toString()).sequencer_connections.connections).toEqual([
      {
        sequencer_alias: `SEQ::${synchronizer.sequencerId}`,
        endpoints: ['canton:5008'],
        transport_security: false,
      },
    ]);
    expect(await request('/scans')).toEqual({
      scans: [
        {
          domainId: synchronizer.id,
          scans: [{ publicUrl: 'http://localhost:5012', svName: 'sv' }],
        },
      ],
    });
    expect(await request('/ans-rules', {})).toMatchObject({
      ans_rules_update: { contract: { payload: { config: { entryFee: '1.0' } } } },
    });
    expect((await request('/ans-entries?page_size=5')).entries).toMatchObject([
      { name: 'dso.ans', user: dso, contract_id: null, expires_at: null },
      { name: 'sv.sv.ans', user: sv, contract_id: null, expires_at: null },
    ]);
  });

  test('lists its validators, their liveness and their traffic', async () => {
    const { validator_licenses: licences } = await request('/admin/validator/licenses');
    expect(licences.map(({ payload }: any) => payload.validator).sort()).toEqual(
      validators.map(({ party }) => party).sort(),
    );
    canticle.advanceTime({ minutes: 30 });
    const ids = validators.map(({ party }) => `validator_ids=${encodeURIComponent(party)}`);
    expect(
      (await request(`/validators/validator-faucets?${ids.join('&')}`)).validatorsReceivedFaucets,
    ).toEqual(
      validators.map(({ party }) => ({
        validator: party,
        numRoundsCollected: 5,
        numRoundsMissed: 0,
        firstCollectedInRound: 0,
        lastCollectedInRound: 4,
      })),
    );
    const member = `PAR::${validators[2]!.participant.id}`;
    expect(
      await request(`/domains/${synchronizer.id}/members/${member}/traffic-status`),
    ).toMatchObject({
      traffic_status: { target: { total_purchased: 1_200_000 } },
    });
  });

  test('gives validators the address of a sequencer that its SV lists', async () => {
    const NODE_STATE = '#splice-dso-governance:Splice.DSO.SvState:SvNodeState';
    const { participant } = canticle;
    const asDso = { actAs: [dso] };
    const [state] = participant.activeContracts({ template: NODE_STATE });
    const text = JSON.stringify(state!.payload).replaceAll(
      'http://canton:5008',
      'https://sequencer.example',
    );
    participant.archive(NODE_STATE, state!.contractId, asDso);
    participant.create(NODE_STATE, JSON.parse(text), asDso);
    const path = '/api/validator/v0/admin/participant/global-domain-connection-config';
    const { body } = await canticle.handle({ path });
    expect(JSON.parse(body.toString()).sequencer_connections.connections).toMatchObject([
      { endpoints: ['sequencer.example:443'], transport_security: true },
    ]);
  });

  test('lists its rounds as they open, issue and close', async () => {
    canticle.advanceTime({ minutes: 40 });
    const cached = {
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
    };
    const { open_mining_rounds: open, issuing_mining_rounds: issuing } = await request(
      '/open-and-issuing-mining-rounds',
      cached,
    );
    const numbers = (rounds: object) =>
      Object.values(rounds)
        .map(({ contract }: any) => Number(contract.payload.round.number))
        .sort();
    expect([numbers(open), numbers(issuing)]).toEqual([
      [4, 5, 6],
      [1, 2, 3],
    ]);
    expect(await request('/closed-rounds')).toEqual({ rounds: [] });
    expect((await request('/amulet-price/votes')).amulet_price_votes).toMatchObject([
      { payload: { sv, amuletPrice: '0.005' } },
    ]);
  });
});
