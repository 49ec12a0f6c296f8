/** Scan on the DSO's votes: open requests by contracts, results by the choices that closed them (S-DSO-010, S-DSO-011). */
import { Numeric, some } from '../../../src/daml/index.js';
import { ModelWorld } from '../../support/splice/amulet-model.js';
import { Action, Governance, Inner, Outcome } from '../../support/splice/governance-model.js';

const SCAN = '/api/scan/v0';
const RESULTS = `${SCAN}/admin/sv/voteresults`;
const at = (day: number) => BigInt(Date.UTC(2026, 1, day)) * 1000n;
const setConfig = (amount: string) =>
  Action.of('ARC_AmuletRules', {
    amuletRulesAction: Inner.AmuletAction.of('CRARC_SetConfig', { amount: Numeric.of(amount) }),
  });
const setWeight = (svParty: string, newRewardWeight: bigint) =>
  Action.of('ARC_DsoRules', {
    dsoAction: Inner.DsoAction.of('SRARC_UpdateSvRewardWeight', { svParty, newRewardWeight }),
  });
const accepted = (day: number) => Outcome.of('VRO_Accepted', { effectiveAt: at(day) });
const rejected = Outcome.of('VRO_Rejected', {});

function governed() {
  const world = new ModelWorld();
  const sv = world.participant.allocateParty('sv');
  const rules = world.make('DsoRules', { svs: [] });
  const close = (
    action: typeof Action extends { of: (...args: never[]) => infer V } ? V : never,
    outcome: ReturnType<typeof Outcome.of>,
    { completed = 1, requester = 'sv-one' }: { completed?: number; requester?: string } = {},
  ) =>
    world.exercise([world.dso], Governance.DsoRules.id, rules, 'DsoRules_CloseVoteRequest', {
      result: {
        request: { requester, action },
        completedAt: at(completed),
        offboardedVoters: [],
        abstainingSvs: ['sv-two'],
        outcome,
      },
    });
  return { world, sv, close };
}

describe('vote requests', () => {
  test('are listed while they are open, and found by their tracking id (S-DSO-010)', async () => {
    const { world } = governed();
    const request = (trackingCid: string | null) =>
      world.make('VoteRequest', {
        requester: 'sv-one',
        action: setConfig('0.5'),
        trackingCid: trackingCid === null ? null : some(trackingCid),
      });
    const list = async () =>
      (await world.get<any>(`${SCAN}/admin/sv/voterequests`)).body.dso_rules_vote_requests;
    expect(await list()).toEqual([]);
    const [first, gone] = [request(null), request(null)];
    const voted = request(gone);
    world.exercise([world.dso], Governance.VoteRequest.id, gone, 'Archive', {});
    expect((await list()).map((each: any) => each.contract_id)).toEqual([first, voted]);
    expect((await list())[0].payload).toMatchObject({
      requester: 'sv-one',
      action: {
        tag: 'ARC_AmuletRules',
        value: { amuletRulesAction: { tag: 'CRARC_SetConfig', value: { amount: '0.5' } } },
      },
    });
    const one = (id: string) => world.get<any>(`${SCAN}/voterequests/${id}`);
    expect((await one(gone)).body.dso_rules_vote_request.contract_id).toBe(voted);
    expect(await one(voted)).toEqual({
      status: 404,
      body: { error: `No VoteRequest found contract: ${voted}` },
    });
    const batch = async (ids: string[]) =>
      (await world.post(`${SCAN}/voterequest`, { vote_request_contract_ids: ids })).body;
    expect((await batch([gone, 'ff'])).vote_requests).toMatchObject([{ contract_id: voted }]);
    // Splice 0.9 limits the list.
    expect(await batch(Array<string>(1001).fill('00'))).toEqual({ vote_requests: [] });
  });
});

describe('vote results', () => {
  const namesOf = (body: any): string[] =>
    body.dso_rules_vote_results.map((each: any) => each.request.requester);

  test('are listed from the latest effect, and a result without effect counts from its close (S-DSO-011)', async () => {
    const { world, close } = governed();
    close(setConfig('1.0'), accepted(5), { requester: 'a' });
    close(setConfig('2.0'), rejected, { completed: 7, requester: 'b' });
    close(setConfig('3.0'), accepted(9), { requester: 'c' });
    close(setConfig('4.0'), accepted(5), { requester: 'd' });
    const { body } = await world.post(RESULTS, { limit: 10 });
    expect(namesOf(body)).toEqual(['c', 'b', 'd', 'a']);
    expect(body.dso_rules_vote_results[0]).toEqual({
      request: {
        requester: 'c',
        action: {
          tag: 'ARC_AmuletRules',
          value: { amuletRulesAction: { tag: 'CRARC_SetConfig', value: { amount: '3.0' } } },
        },
      },
      completedAt: '2026-02-01T00:00:00Z',
      offboardedVoters: [],
      abstainingSvs: ['sv-two'],
      outcome: { tag: 'VRO_Accepted', value: { effectiveAt: '2026-02-09T00:00:00Z' } },
    });
    const paged: string[] = [];
    let pageToken: number | undefined;
    for (;;) {
      const { body: page } = await world.post(RESULTS, { limit: 3, pageToken });
      paged.push(...namesOf(page));
      pageToken = page.next_page_token ?? undefined;
      if (pageToken === undefined) break;
    }
    expect(paged).toEqual(['c', 'b', 'd', 'a']);
    expect((await world.post(RESULTS, { limit: 0 })).body.error).toBe('Limit must be at least 1.');
  });

  test('are filtered by action, outcome, requester and effective time', async () => {
    const { world, sv, close } = governed();
    close(setConfig('1.0'), accepted(5), { requester: 'sv-one' });
    close(setWeight(sv, 10n), accepted(6), { requester: 'sv-two' });
    close(setWeight(sv, 11n), rejected, { requester: 'sv-one' });
    close(Action.of('ARC_AnsEntryContext', { ansEntryContextCid: '00' }), accepted(8), {
      requester: 'sv-three',
    });
    const pick = async (filter: object) => {
      const { body } = await world.post(RESULTS, { limit: 10, ...filter });
      const { count } = (await world.post(`${RESULTS}/count`, filter)).body;
      expect(count).toBe(body.dso_rules_vote_results.length);
      return namesOf(body);
    };
    expect(await pick({ actionName: 'UpdateSvRewardWeight' })).toEqual(['sv-two', 'sv-one']);
    expect(await pick({ actionName: 'ARC_AnsEntryContext' })).toEqual([]);
    expect(await pick({ accepted: false })).toEqual(['sv-one']);
    expect(await pick({ requester: 'three' })).toEqual(['sv-three']);
    const [fifth, sixth] = ['2026-02-05T00:00:00Z', '2026-02-06T00:00:00Z'];
    expect(await pick({ effectiveFrom: fifth, effectiveTo: sixth })).toEqual(['sv-two', 'sv-one']);
    expect(await pick({ effectiveFrom: sixth })).toEqual(['sv-three']);
    expect(await pick({ effectiveTo: sixth })).toEqual(['sv-one']);
  });

  test('report the earlier weight of an SV', async () => {
    const { world, sv, close } = governed();
    const weight = async (more: object = {}) =>
      (await world.post(`${SCAN}/admin/sv/previous-sv-reward-weight`, { svParty: sv, ...more }))
        .body;
    expect(await weight()).toEqual({ rewardWeight: null });
    close(setWeight(sv, 12n), accepted(6));
    close(setWeight(sv, 10n), accepted(5));
    close(setWeight(sv, 99n), rejected);
    close(setWeight(world.dso, 98n), accepted(9));
    expect(await weight()).toEqual({ rewardWeight: '12' });
    expect(await weight({ effectiveBefore: '2026-02-06T00:00:00Z' })).toEqual({
      rewardWeight: '10',
    });
    expect((await weight({ svParty: 'sv' })).error).toMatch(/^Invalid unique identifier/);
  });

  test('are removed by a revert of their updates', async () => {
    const { world, close } = governed();
    const before = world.network.snapshot();
    const listResults = async () => namesOf((await world.post(RESULTS, { limit: 10 })).body);
    close(setConfig('1.0'), accepted(5), { requester: 'a' });
    close(setConfig('1.0'), accepted(6), { requester: 'b' });
    expect(await listResults()).toEqual(['b', 'a']);
    world.network.revert(before);
    close(setConfig('1.0'), accepted(5), { requester: 'c' });
    close(setConfig('1.0'), accepted(5), { requester: 'd' });
    expect(await listResults()).toEqual(['d', 'c']);
  });
});
