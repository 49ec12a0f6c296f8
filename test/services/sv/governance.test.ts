/** An SV's app votes: on requests, on the price, and tells what it looks up for its operator (A-DSO-003, B-026 to B-029). */
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { requestsTo } from '../../support/splice/validator-world.js';

describeWithDars('an SV votes', [...DSO_DARS], (...dars) => {
  const { canticle, sv, dso, payloads, ids } = sharedWorld(dars);
  const send = requestsTo(canticle, '/api/sv');
  const action = {
    tag: 'ARC_DsoRules',
    value: {
      dsoAction: {
        tag: 'SRARC_GrantFeaturedAppRight',
        value: { provider: sv },
      },
    },
  };
  const request = {
    requester: sv,
    action,
    url: 'https://example.com',
    description: 'because',
    expiration: { microseconds: '3600000000' },
    effectiveTime: '2026-01-01T02:00:00Z',
  };
  const created = async () => {
    const answer = await send('POST /v0/admin/sv/voterequest/create', { body: request });
    expect([answer.status, answer.body]).toEqual([200, '']);
    return ids('VoteRequest')[0]!;
  };

  test('requests a vote and votes, and the result takes effect at its time', async () => {
    const id = await created();
    const list = (await send('GET /v0/admin/sv/voterequests')).body.dso_rules_vote_requests;
    expect(list).toMatchObject([{ contract_id: id, payload: { requester: 'sv' } }]);
    const found = await send(`GET /v0/admin/sv/voterequests/${id}`);
    expect(found.body.dso_rules_vote_request.contract_id).toBe(id);
    expect((await send('GET /v0/admin/sv/voterequests/00ab')).status).toBe(404);

    canticle.advanceTime({ minutes: 2 });
    const vote = {
      vote_request_contract_id: id,
      is_accepted: true,
      reason_url: '',
      reason_description: 'yes',
    };
    const cast = await send('POST /v0/admin/sv/votes', { body: vote });
    expect([cast.status, cast.body]).toEqual([201, '']);
    const byId = { vote_request_contract_ids: [id] };
    const tracked = (await send('POST /v0/admin/sv/voterequest', { body: byId })).body
      .vote_requests;
    expect(tracked[0].contract_id).not.toBe(id);
    expect(tracked[0].payload.votes[0][1]).toMatchObject({ accept: true, reason: { body: 'yes' } });

    canticle.advanceTime({ hours: 3 });
    expect(payloads('VoteRequest')).toEqual([]);
    expect(payloads('FeaturedAppRight')).toMatchObject([{ provider: sv }]);
    const results = await send('POST /v0/admin/sv/voteresults', { body: { limit: 10 } });
    expect(results.body.dso_rules_vote_results).toMatchObject([{ request: { requester: 'sv' } }]);
    const counted = await send('POST /v0/admin/sv/voteresults/count', { body: { accepted: true } });
    expect(counted.body).toEqual({ count: 1 });
    const rights = await send(`GET /v0/admin/sv/featured-app-rights/by-provider/${encoded(sv)}`);
    const [right] = rights.body.featured_app_rights;
    const one = await send(
      `GET /v0/admin/sv/featured-app-rights/by-contract-id/${right.contract_id}`,
    );
    expect(one.body.featured_app_right).toEqual(right);
  });

  test('rejects a vote on a missing request, an invalid action and a requester that is not an SV', async () => {
    const gone = {
      vote_request_contract_id: '00ab',
      is_accepted: true,
      reason_url: '',
      reason_description: '',
    };
    const nothing = await send('POST /v0/admin/sv/votes', { body: gone });
    expect([nothing.status, nothing.body.error]).toEqual([
      404,
      'Vote request not found for tracking-id ContractId(00ab)',
    ]);
    const faults = [{ action: { tag: 'ARC_Nothing', value: {} } }, { requester: dso }];
    for (const fault of faults) {
      const body = { ...request, ...fault };
      const answer = await send('POST /v0/admin/sv/voterequest/create', { body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(payloads('VoteRequest')).toEqual([]);
  });

  test('votes on the price, but not too often, and the next round uses it', async () => {
    canticle.advanceTime({ minutes: 2 });
    const put = (price: string) =>
      send('PUT /v0/admin/sv/amulet-price/vote', { body: { amulet_price: price } });
    expect((await put('0.01')).status).toBe(200);
    const votes = (await send('GET /v0/admin/sv/amulet-price/votes')).body.amulet_price_votes;
    expect(votes).toMatchObject([{ payload: { sv, amuletPrice: '0.01' } }]);
    const end = canticle.participant.ledgerEnd;
    expect((await put('0.0100')).status).toBe(200);
    expect(canticle.participant.ledgerEnd).toBe(end);
    expect((await put('0.02')).body.error).toContain('voteCooldownTime');
    const refused = await put('1e3');
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/^Failed to decode: Invalid Decimal string "1e3"/) as string,
    ]);
    canticle.advanceTime({ minutes: 10 });
    const rounds = (await send('GET /v0/admin/sv/open-mining-rounds')).body.open_mining_rounds;
    expect(rounds.map((each: any) => each.payload.amuletPrice)).toEqual(['0.005', '0.005', '0.01']);
  });

  test('reports the SV, the DSO and the nodes of the SV', async () => {
    const body = async (call: string) => (await send(call)).body;
    expect(await body('GET /v0/dso')).toMatchObject({
      sv_user: 'ledger-api-user',
      sv_party_id: sv,
      dso_party_id: dso,
      voting_threshold: 1,
      initial_round: '0',
    });
    expect(await body('GET /v0/migration-id')).toEqual({ migration_id: 0 });
    for (const call of ['GET /v0/admin/authorization', 'GET /readyz', 'GET /livez'])
      expect((await send(call)).status).toBe(200);
    expect(await body('GET /v0/admin/feature-support')).not.toHaveProperty('error');
    for (const node of ['sequencer', 'mediator'])
      expect(await body(`GET /v0/admin/domain/${node}/status`)).toMatchObject({
        success: { id: expect.stringContaining(`${node}::1220`), active: true },
      });
    const rpc = { id: 1, method: 'status' };
    for (const [call, sent] of [
      ['GET /v0/admin/domain/cometbft/status'],
      ['GET /v0/admin/domain/cometbft/debug'],
      ['POST /v0/admin/domain/cometbft/json-rpc', rpc],
    ] as const) {
      const answer = await send(call, { body: sent });
      expect([answer.status, answer.body]).toEqual([404, { error: 'CometBFT is not configured.' }]);
    }
    const oddId = { body: { ...rpc, id: true } };
    expect((await send('POST /v0/admin/domain/cometbft/json-rpc', oddId)).status).toBe(400);
    const { identities } = await body('GET /v0/admin/domain/identities-dump');
    expect(identities).toMatchObject({
      sv_party_id: sv,
      dso_party_id: dso,
      domain_alias: 'global',
    });
    const nodes = ['participant', 'sequencer', 'mediator'].map((node) => identities[node]);
    expect(nodes.map(({ id, keys }) => `${id.slice(0, 5)} ${keys.length}`)).toEqual([
      'PAR:: 3',
      'SEQ:: 3',
      'MED:: 3',
    ]);
    const hosts = await body(`GET /v0/admin/sv/party-to-participant/${encoded(sv)}`);
    expect(hosts).toEqual({ participant_ids: [`PAR::${canticle.participant.engine.id}`] });
    const weight = { svParty: sv };
    expect(await body2('POST /v0/admin/sv/previous-sv-reward-weight', weight)).toEqual({
      rewardWeight: null,
    });
    const runs = { rounds: [0] };
    expect(
      (await send('POST /v0/admin/reward-accounting-process/archive-dry-runs', { body: runs }))
        .status,
    ).toBe(200);
    expect((await send('POST /v0/admin/synchronizer/lsu/cancel')).status).toBe(200);
  });

  const body2 = async (call: string, sent: object) => (await send(call, { body: sent })).body;
  const encoded = encodeURIComponent;
});
