/** The operations of each Splice release, by its documents and release notes. */
import { startLocalnet, type Canticle, type Localnet } from 'canticle';

type Json = any;
const releases = ['0.7.4', '0.8', '0.9', '0.10'] as const;
const networks = {} as Record<(typeof releases)[number], Canticle>;
beforeAll(async () => {
  for (const splice of releases)
    networks[splice] = (await startLocalnet({ splice })) as unknown as Canticle;
});
afterAll(() => Promise.all(Object.values(networks).map((each) => each.close())));

const statusOf = async (of: Canticle, [method, path]: string[], body: unknown = {}) =>
  (
    await of.handle({
      method: method!,
      path: path!,
      ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body }),
    } as never)
  ).status;

/** Whether 0.7.4, 0.8, 0.9 and 0.10 route an operation, with the fact. */
const ROUTED: readonly (readonly [string, string, string])[] = [
  ['POST /api/scan/v0/state/acs', 'yes yes no no', 'R-09-004'],
  ['POST /api/scan/v1/state/acs', 'yes yes no no', 'R-09-004'],
  ['POST /api/scan/v2/state/acs', 'no yes yes yes', 'R-08-001'],
  ['POST /api/scan/v0/holdings/state', 'yes yes no no', 'R-09-005'],
  ['POST /api/scan/v1/holdings/state', 'yes yes no no', 'R-09-005'],
  ['POST /api/scan/v2/holdings/state', 'no yes yes yes', 'R-08-002'],
  ['GET /api/scan/v0/synchronizer-identities/global', 'yes yes no no', 'R-09-006'],
  ['GET /api/scan/v0/events/latest-record-time', 'no no yes yes', 'R-09-001'],
  ['GET /api/scan/v0/history/bulk/progress', 'no no yes yes', 'R-09-002'],
  ['GET /api/sv/v0/dso', 'yes yes no no', 'R-09-009'],
  ['GET /api/sv/v1/dso', 'no yes yes yes', 'R-08-003'],
  [
    'POST /api/validator/v0/admin/external-party/transfer-preapproval/prepare-send',
    'yes no no no',
    'R-08-004',
  ],
  [
    'POST /api/validator/v0/admin/external-party/transfer-preapproval/submit-send',
    'yes no no no',
    'R-08-004',
  ],
  [
    'GET /api/validator/v0/scan-proxy/transfer-command-counter/alice',
    'yes yes yes yes',
    'R-08-004',
  ],
];

describe('each release of Splice', () => {
  test.each(ROUTED)('%s is served: %s (%s)', async (operation, expected) => {
    const routed = releases.map((each) => {
      const [method, path] = operation.split(' ') as [string, string];
      const match = networks[each]!.router.match(method, path);
      // Before 0.9, this path asks for an update of that id.
      const isRouted = match.kind === 'operation' && !('update_id' in match.path);
      return isRouted ? 'yes' : 'no';
    });
    expect(routed.join(' ')).toBe(expected);
  });

  test.each(releases)('%s has its own documents (R-08-005)', async (release) => {
    const of = networks[release]!;
    const read = async (path: string) => (await of.handle({ path })).json() as Json;
    const scan = await read('/api/scan/docs/openapi.json');
    expect('AcsRequestV2' in scan.components.schemas).toBe(release !== '0.7.4');
    const isEarly = release === '0.7.4' || release === '0.8';
    expect('AcsRequest' in scan.components.schemas).toBe(isEarly);
    const wallet = await read('/api/validator/docs/openapi.json');
    const { properties } = wallet.components.schemas.AllocateDevelopmentFundCouponRequest;
    expect('mintAfter' in properties).toBe(release !== '0.7.4');
    expect((await read('/api/scan/version')).version).toBe(
      { '0.7.4': '0.7.4', '0.8': '0.8.4', '0.9': '0.9.0', '0.10': '0.10.0' }[release],
    );
  });

  test('verdicts have no rounds before 0.9 (S-EVT-016)', async () => {
    const of = networks['0.8']!;
    of.amulet.tap(of.participant.allocateParty('bob'), '10.0');
    const answer = await of.handle({
      method: 'POST',
      path: '/api/scan/v0/events',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ page_size: 1000 }),
    });
    const { verdict } = (answer.json() as Json).events.at(-1);
    expect(verdict).not.toHaveProperty('round_number');
  });

  test('an SV’s DSO needs the token of an operator in version 1', async () => {
    const of = networks['0.8']!;
    expect(await statusOf(of, ['GET', '/api/sv/v1/dso'])).toBe(401);
    expect(await statusOf(of, ['GET', '/api/sv/v0/dso'])).not.toBe(401);
  });
});

test.each([
  ['0.8', false],
  ['0.9', true],
] as const)(
  'in %s, a request for vote requests at the SV app is limited: %s (R-09-008)',
  async (splice, isLimited) => {
    const of = networks[splice];
    const { sv } = of as unknown as Localnet;
    const ask = async (count: number) => {
      const ids = Array.from({ length: count }, () => '00');
      const answer = await of.handle({
        method: 'POST',
        path: '/api/sv/v0/admin/sv/voterequest',
        headers: { authorization: `Bearer ${sv.token()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ vote_request_contract_ids: ids }),
      });
      return [answer.status, answer.json()];
    };
    const none = [200, { vote_requests: [] }];
    const error =
      "Expected 'vote_request_contract_ids' to contain at most 1000 items, but contained 1001.";
    expect(await ask(1000)).toEqual(none);
    expect(await ask(1001)).toEqual(isLimited ? [400, { error }] : none);
  },
);

describe.each(['0.9', '0.10'] as const)('Scan of %s', (splice) => {
  let of: Canticle;
  let alice: string;
  const ask = async (path: string, body?: unknown): Promise<{ status: number; body: Json }> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await of.handle({
      path: `/api/scan${path}`,
      ...(body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: answer.json() };
  };
  beforeAll(() => {
    of = networks[splice];
    alice = of.participant.allocateParty('alice');
    of.amulet.tap(alice, '10.0');
    of.amulet.tap(alice, '20.0');
  });

  test('pages of active contracts have text tokens, and hold each contract once (S-ACS-016, R-08-001, R-08-002)', async () => {
    const forced = (await ask('/v0/state/acs/force', {})).body;
    const place = { migration_id: forced.migration_id, record_time: forced.record_time };
    const all = (await ask('/v2/state/acs', { ...place, page_size: 1000 })).body;
    expect(all.next_page_token).toBeNull();
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = (await ask('/v2/state/acs', { ...place, page_size: 2, after })).body;
      ids.push(...page.created_events.map((each: Json) => each.contract_id));
      after = page.next_page_token ?? undefined;
      if (after !== undefined) expect(after).toEqual(expect.any(String));
    } while (after !== undefined);
    expect(ids).toEqual(all.created_events.map((each: Json) => each.contract_id));
    expect(await ask('/v2/state/acs', { ...place, page_size: 2, after: 'no token' })).toEqual({
      status: 400,
      body: { error: 'Invalid after token: no token' },
    });
    const held = { ...place, page_size: 1, owner_party_ids: [alice] };
    const first = (await ask('/v2/holdings/state', held)).body;
    expect(first.created_events).toHaveLength(1);
    const rest = (await ask('/v2/holdings/state', { ...held, after: first.next_page_token })).body;
    expect(rest.created_events).toHaveLength(1);
  });

  test.each([
    ['/v2/state/acs', 'party_ids'],
    ['/v2/state/acs', 'templates'],
    ['/v2/holdings/state', 'owner_party_ids'],
    ['/v0/holdings/summary', 'owner_party_ids'],
    ['/v1/holdings/summary', 'owner_party_ids'],
    ['/v0/voterequest', 'vote_request_contract_ids'],
    ['/v0/open-and-issuing-mining-rounds', 'cached_open_mining_round_contract_ids'],
    ['/v0/open-and-issuing-mining-rounds', 'cached_issuing_round_contract_ids'],
  ])('%s takes at most 1000 items of %s (R-09-007)', async (path, field) => {
    const body = (count: number) => ({
      migration_id: 0,
      record_time: '2026-01-01T00:00:00Z',
      page_size: 10,
      owner_party_ids: ['a::1220'],
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
      [field]: Array.from({ length: count }, () => (field === 'templates' ? 'a:b:c' : 'a::1220')),
    });
    const refused = `Expected '${field}' to contain at most 1000 items, but contained 1001.`;
    expect(await ask(path, body(1001))).toEqual({ status: 400, body: { error: refused } });
    expect((await ask(path, body(1000))).body.error).not.toBe(refused);
  });

  test('names the latest record time of events, and the round of each verdict (S-EVT-015, S-EVT-016, R-09-001, R-09-003)', async () => {
    const { events } = (await ask('/v0/events', { page_size: 1000 })).body;
    expect((await ask('/v0/events/latest-record-time')).body).toEqual({
      record_time: events.at(-1).verdict.record_time,
    });
    expect(events.at(-1).verdict.round_number).toEqual(expect.any(Number));
  });

  test('has no bulk storage, and so no progress of it (S-GEN-013, R-09-002)', async () => {
    expect(await ask('/v0/history/bulk/progress?record_time=2026-01-01T00:00:00Z')).toEqual({
      status: 400,
      body: { error: 'Bulk storage is not configured' },
    });
  });
});
