/** The party operations over HTTP: what the participant's rules look like on the wire. The rules themselves: test/network. */
import { startClient, type TestClient } from '../support/client.js';

let client: TestClient;
let wide: TestClient | undefined;
beforeAll(async () => {
  client = await startClient({ seed: 1 });
});
beforeEach(() => client.canticle.reset());
afterEach(async () => {
  await wide?.close();
  wide = undefined;
});
afterAll(() => client.close());

/** A Canticle whose participant is connected to two synchronizers. */
async function startWide(): Promise<TestClient> {
  return (wide = await startClient({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] }));
}

const allocate = (partyIdHint: string, more: object = {}) =>
  client.ledger('POST', '/v2/parties', { partyIdHint, ...more });

describe('POST /v2/parties', () => {
  it('allocates, with metadata (B-PTY-001, B-PTY-002)', async () => {
    const { status, body } = await allocate('alice', {
      localMetadata: { annotations: { team: 'blue' } },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      partyDetails: {
        party: expect.stringMatching(/^alice::1220[0-9a-f]{64}$/),
        isLocal: true,
        localMetadata: { resourceVersion: '0', annotations: { team: 'blue' } },
        identityProviderId: '',
      },
    });
  });

  it('requires no field', async () => {
    expect((await client.ledger('POST', '/v2/parties', {})).body.partyDetails.party).toMatch(
      /^party-/,
    );
  });

  it.each<[fact: string, what: string, body: object, status: number, code: string]>([
    ['B-PTY-003', 'a hint that exists', { partyIdHint: 'taken' }, 400, 'INVALID_ARGUMENT'],
    ['B-PTY-004', 'an invalid hint', { partyIdHint: 'a/b' }, 400, 'INVALID_ARGUMENT'],
    [
      'B-PTY-006',
      'a resource version',
      { localMetadata: { resourceVersion: '0', annotations: {} } },
      400,
      'INVALID_ARGUMENT',
    ],
    ['B-PTY-007', 'an unknown user', { userId: 'ghost' }, 404, 'USER_NOT_FOUND'],
    [
      'B-PTY-008',
      'an unknown identity provider',
      { identityProviderId: 'acme' },
      400,
      'INVALID_ARGUMENT',
    ],
  ])('%s rejects %s', async (_fact, _what, body, status, code) => {
    await allocate('taken');
    const before = (await client.ledger('GET', '/v2/parties')).body;
    expect(await client.ledger('POST', '/v2/parties', body)).toMatchObject({
      status,
      body: { code },
    });
    expect((await client.ledger('GET', '/v2/parties')).body).toEqual(before);
  });

  it('requires a synchronizer if several exist (B-PTY-009)', async () => {
    const twofold = await startWide();
    const untold = await twofold.ledger('POST', '/v2/parties', { partyIdHint: 'alice' });
    expect(untold).toMatchObject({
      status: 400,
      body: { code: 'PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER' },
    });
    const { connectedSynchronizers } = (
      await twofold.ledger('GET', '/v2/state/connected-synchronizers')
    ).body;
    const { synchronizerId } = connectedSynchronizers[1];
    const answer = await twofold.ledger('POST', '/v2/parties', {
      partyIdHint: 'alice',
      synchronizerId,
    });
    expect(answer.status).toBe(200);
  });
});

describe('GET /v2/parties', () => {
  it('pages by party id, and filters by prefix (B-PTY-017, B-PTY-018)', async () => {
    for (const hint of ['t-b', 't-a', 't-c', 'u']) await allocate(hint);
    const seen: string[] = [];
    let token = '';
    do {
      const path = `/v2/parties?filter-party=t-&pageSize=2&pageToken=${encodeURIComponent(token)}`;
      const { body } = await client.ledger('GET', path);
      seen.push(...body.partyDetails.map(({ party }: { party: string }) => party.split('::')[0]));
      token = body.nextPageToken;
    } while (token !== '');
    expect(seen).toEqual(['t-a', 't-b', 't-c']);
  });

  it('quotes a filter that is too long, as Canton does (B-PTY-017)', async () => {
    const { body } = await client.ledger('GET', `/v2/parties?filter-party=${'p'.repeat(186)}`);
    expect(body.cause).toBe(
      'The submitted command has a field with invalid value: Invalid field filterString: The given string has a maximum length of 185 but ' +
        `a string of length 186 ('${'p'.repeat(186)}.') was given`,
    );
  });

  it('returns at most 10000 parties on a page (B-PTY-019)', async () => {
    const { status, body } = await client.ledger('GET', '/v2/parties?pageSize=10000');
    expect([status, body.nextPageToken]).toEqual([200, '']);
  });

  it.each(['pageSize=-1', 'pageSize=10001', 'pageToken=%2F'])(
    'rejects %s (B-PTY-019, B-PTY-020)',
    async (query) => {
      expect(await client.ledger('GET', `/v2/parties?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_ARGUMENT' },
      });
    },
  );
});

describe('/v2/parties/{party}', () => {
  it('returns the known parties in path and query (B-PTY-011 to B-PTY-014)', async () => {
    const [alice, bob] = [
      (await allocate('alice')).body.partyDetails,
      (await allocate('bob')).body.partyDetails,
    ];
    const path = `/v2/parties/party?parties=${encodeURIComponent(bob.party)}&parties=${encodeURIComponent(alice.party)}`;
    expect((await client.ledger('GET', path)).body).toEqual({ partyDetails: [alice, bob] });
    expect((await client.ledger('GET', '/v2/parties/ghost')).body).toEqual({ partyDetails: [] });
    const elsewhere = await client.ledger(
      'GET',
      `/v2/parties/${encodeURIComponent(bob.party)}?identity-provider-id=acme`,
    );
    expect(elsewhere).toMatchObject({
      status: 200,
      body: { partyDetails: [{ isLocal: false, identityProviderId: '' }] },
    });
  });

  it('changes local metadata (B-PTY-022, B-PTY-026)', async () => {
    const { party } = (
      await allocate('alice', { localMetadata: { annotations: { a: '1', b: '2' } } })
    ).body.partyDetails;
    const patch = (body: object) =>
      client.ledger('PATCH', `/v2/parties/${encodeURIComponent(party)}`, body);
    const changed = await patch({
      partyDetails: { party, localMetadata: { annotations: { a: '', c: '3' } } },
      updateMask: { paths: ['local_metadata'] },
    });
    expect(changed.body.partyDetails.localMetadata).toEqual({
      resourceVersion: '1',
      annotations: { b: '2', c: '3' },
    });
    const mismatch = await patch({
      partyDetails: { party: 'bob' },
      updateMask: { paths: ['party'] },
    });
    expect(mismatch).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT', definiteAnswer: false },
    });
    expect(mismatch.body.cause).toContain(
      `${party} does not match party in body Some(PartyDetails(bob,false,None,))`,
    );
    const local = await patch({
      partyDetails: { party, isLocal: false },
      updateMask: { paths: ['is_local'] },
    });
    expect(local).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARTY_DETAILS_UPDATE_REQUEST' },
    });
    const stale = {
      partyDetails: { party, localMetadata: { resourceVersion: '0' } },
      updateMask: { paths: ['local_metadata'] },
    };
    expect(await patch(stale)).toMatchObject({
      status: 409,
      body: { code: 'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED' },
    });
    expect(await patch({ partyDetails: { party } })).toMatchObject({
      status: 400,
      body: { code: 'MISSING_FIELD' },
    });
  });
});

it('GET /v2/parties/participant-id returns the participant whose namespace its parties have (B-PTY-033)', async () => {
  const { participantId } = (await client.ledger('GET', '/v2/parties/participant-id')).body;
  const { party } = (await allocate('alice')).body.partyDetails;
  expect(participantId).toBe(`sandbox::${party.split('::')[1]}`);
});
