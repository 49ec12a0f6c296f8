/** The official client of Scan, 1.8.0, over real HTTP, against a network with a DSO: snapshots, holdings, events, names, votes. */
import { ScanClient, ScanProxyClient } from '@canton-network/core-splice-client';
// The package exports its Scan types through a path that does not resolve; this is the file it means.
import type { components } from '../../../node_modules/@canton-network/core-splice-client/dist/generated-clients/scan.js';
import { startCanticle, type Canticle } from 'canticle';
import { furnishModel, MODEL_PACKAGES } from '../../support/splice/amulet-model.js';

type Schemas = components['schemas'];

let canticle: Canticle;
let alice: string;
let dso: string;
let amulets: string[];

const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, fatal() {} } as never;
const anonymous = { getAccessToken: () => Promise.resolve('') } as never;
const scan = () => new ScanClient(new URL(canticle.urls.scan), silent, anonymous);
const proxy = () => new ScanProxyClient(new URL(canticle.urls.validator), silent, anonymous);

beforeAll(async () => {
  canticle = await startCanticle({ seed: 5, packages: MODEL_PACKAGES });
  furnishModel(canticle);
  const { participant, splice } = canticle;
  dso = splice.dsoParty;
  alice = participant.allocateParty('alice');
  const make = (template: string, payload: object) =>
    participant.create(`#splice-${template}`, { dso, ...payload }, { actAs: [dso] });
  const amount = {
    initialAmount: '5.0',
    createdAt: { number: '0' },
    ratePerRound: { rate: '0.1' },
  };
  amulets = [1, 2, 3].map(() => make('amulet:Splice.Amulet:Amulet', { owner: alice, amount }));
  make('amulet-name-service:Splice.Ans:AnsEntry', {
    user: alice,
    provider: dso,
    name: 'alice.unverified.ans',
    url: '',
    description: '',
    expiresAt: '2027-01-01T00:00:00Z',
  });
  canticle.advanceTime({ hours: 4 });
});
afterAll(() => canticle.close());

test('finds the latest snapshot and pages through it until a page is short', async () => {
  const { record_time } = (await scan().get('/v0/state/acs/snapshot-timestamp', {
    query: { before: '2026-01-01T04:00:00Z', migration_id: '0' },
  })) as Schemas['AcsSnapshotTimestampResponse'];
  expect(record_time).toBe('2026-01-01T03:00:00Z');
  const found: string[] = [];
  let after: number | undefined;
  for (;;) {
    const page = (await scan().post('/v1/state/acs', {
      migration_id: 0,
      record_time,
      page_size: 2,
      templates: ['splice-amulet:Splice.Amulet:Amulet'],
      after,
    } as never)) as Schemas['AcsResponseV1'];
    found.push(...page.created_events.map(({ contract_id }) => contract_id));
    after = page.next_page_token ?? undefined;
    if (after === undefined) break;
  }
  expect(found).toEqual(amulets);
});

test('takes a snapshot and reads its holdings', async () => {
  const taken = (await scan().post(
    '/v0/state/acs/force',
    undefined as never,
  )) as Schemas['ForceAcsSnapshotResponse'];
  const request = { ...taken, owner_party_ids: [alice] };
  const state = (await scan().post('/v1/holdings/state', {
    ...request,
    page_size: 10,
  } as never)) as Schemas['AcsResponseV1'];
  expect(state.created_events.map(({ contract_id }) => contract_id)).toEqual(amulets);
  const summary = (await proxy().post(
    '/v0/scan-proxy/holdings/summary',
    request as never,
  )) as Schemas['HoldingsSummaryResponse'];
  expect(summary).toMatchObject({
    computed_as_of_round: 0,
    summaries: [{ party_id: alice, total_available_coin: '15.0000000000' }],
  });
});

test('pages through events, and finds one by id', async () => {
  const { events } = (await scan().post('/v0/events', {
    page_size: 1000,
  })) as Schemas['EventHistoryResponse'];
  const verdicts = events.map(({ verdict }) => verdict!);
  expect(verdicts.every(({ verdict_result }) => verdict_result === 'VERDICT_RESULT_ACCEPTED')).toBe(
    true,
  );
  const last = verdicts.at(-1)!;
  expect(last.submitting_parties).toEqual([dso]);
  const one = await scan().get('/v0/events/{update_id}', { path: { update_id: last.update_id } });
  expect(one).toEqual(events.at(-1));
});

test('finds names, on Scan and through the proxy', async () => {
  const path = { path: { party: alice } };
  const named = { entry: { name: 'alice.unverified.ans', user: alice } };
  expect(await scan().get('/v0/ans-entries/by-party/{party}', path)).toMatchObject(named);
  expect(await proxy().get('/v0/scan-proxy/ans-entries/by-party/{party}', path)).toMatchObject(
    named,
  );
  await expect(
    scan().get('/v0/ans-entries/by-name/{name}', { path: { name: 'nobody' } }),
  ).rejects.toEqual({ error: 'No ans entry found for name: nobody' });
});

test('lists votes as empty', async () => {
  expect(await scan().get('/v0/admin/sv/voterequests')).toEqual({ dso_rules_vote_requests: [] });
  expect(await scan().post('/v0/admin/sv/voteresults', { limit: 10 })).toEqual({
    dso_rules_vote_results: [],
    next_page_token: null,
  });
});
