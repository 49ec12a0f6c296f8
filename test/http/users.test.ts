/** The user operations over HTTP: what the participant's rules look like on the wire. The rules themselves: test/network. */
import { startClient, type TestClient } from '../support/client.js';

let client: TestClient;
beforeAll(async () => {
  client = await startClient({ seed: 1, additionalAdminUser: false });
});
beforeEach(() => client.canticle.reset());
afterAll(() => client.close());

const PARTY = `alice::1220${'ab'.repeat(32)}`;
const ACT = { kind: { CanActAs: { value: { party: PARTY } } } };
const ADMIN = { kind: { ParticipantAdmin: { value: {} } } };

const create = (id: string, more: object = {}, rights: object[] = []) =>
  client.ledger('POST', '/v2/users', { user: { id, ...more }, rights });

/** An unsigned token that names a user. */
function tokenOf(user: string): { headers: Record<string, string> } {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return { headers: { authorization: `Bearer ${part({ alg: 'none' })}.${part({ sub: user })}.x` } };
}

it('release 3.4 grants rights for known parties only (R-34-065)', async () => {
  const usual = client;
  client = await startClient({ seed: 1, additionalAdminUser: false, apiVersion: '3.4' });
  try {
    expect(await create('ann', {}, [ACT])).toMatchObject({
      status: 404,
      body: {
        code: 'UNKNOWN_RESOURCE',
        cause: `The submitted request refers to a non-existing PARTIES: Provided parties have not been found in identity_provider_id=\`\`: [${PARTY}].`,
      },
    });
    const { body } = await client.ledger('POST', '/v2/parties', { partyIdHint: 'alice' });
    const known = { kind: { CanActAs: { value: { party: body.partyDetails.party } } } };
    expect(await create('ann', {}, [known])).toMatchObject({ status: 200 });
    const toggled = { userId: 'ann', identityProviderId: '', rights: [known, ACT] };
    for (const method of ['POST', 'PATCH'] as const)
      expect((await client.ledger(method, '/v2/users/ann/rights', toggled)).body.code).toBe(
        'UNKNOWN_RESOURCE',
      );
  } finally {
    await client.close();
    client = usual;
  }
});

describe('GET /v2/users', () => {
  it('lists participant_admin on a new participant, with all members (B-USR-001, B-USR-003)', async () => {
    expect((await client.ledger('GET', '/v2/users')).body).toEqual({
      users: [
        {
          id: 'participant_admin',
          primaryParty: '',
          isDeactivated: false,
          metadata: { resourceVersion: '0', annotations: {} },
          identityProviderId: '',
          primaryPartyAuthentication: false,
        },
      ],
      nextPageToken: '',
    });
    expect((await client.ledger('GET', '/v2/users/participant_admin/rights')).body).toEqual({
      rights: [ADMIN],
    });
  });

  it('returns pages (B-USR-010, B-USR-011)', async () => {
    for (const id of ['!', 'zoe', 'bob']) await create(id);
    const ids: string[] = [];
    let token = '';
    do {
      const { body } = await client.ledger(
        'GET',
        `/v2/users?pageSize=2&pageToken=${encodeURIComponent(token)}`,
      );
      ids.push(...body.users.map((user: { id: string }) => user.id));
      token = body.nextPageToken;
    } while (token !== '');
    expect(ids).toEqual(['!', 'bob', 'participant_admin', 'zoe']);
  });

  it.each(['pageSize=-1', 'pageToken=%20'])('rejects %s (B-USR-011)', async (query) => {
    expect(await client.ledger('GET', `/v2/users?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT' },
    });
  });
});

describe('POST /v2/users', () => {
  it('returns the user, and treats null metadata as absent (B-USR-002)', async () => {
    const { status, body } = await create('ann', { primaryParty: PARTY, metadata: null }, [ACT]);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      id: 'ann',
      primaryParty: PARTY,
      metadata: { resourceVersion: '0', annotations: {} },
    });
    expect((await client.ledger('GET', '/v2/users/ann')).body).toEqual(body);
    expect((await client.ledger('GET', '/v2/users/ann/rights')).body).toEqual({ rights: [ACT] });
  });

  it.each<[fact: string, what: string, body: object, status: number, code: string]>([
    ['B-USR-004', 'no id', { user: { id: '' } }, 400, 'MISSING_FIELD'],
    ['B-USR-004', 'no user', { rights: [] }, 400, 'MISSING_FIELD'],
    ['B-USR-004', 'an illegal id', { user: { id: 'a b' } }, 400, 'INVALID_FIELD'],
    [
      'B-USR-005',
      'an id that exists',
      { user: { id: 'participant_admin' } },
      409,
      'USER_ALREADY_EXISTS',
    ],
    [
      'B-USR-006',
      'a resource version',
      { user: { id: 'a', metadata: { resourceVersion: '1' } } },
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'B-USR-026',
      'a right without a kind',
      { user: { id: 'a' }, rights: [{}] },
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'B-USR-026',
      'a right of kind Empty',
      { user: { id: 'a' }, rights: [{ kind: { Empty: {} } }] },
      400,
      'INVALID_ARGUMENT',
    ],
  ])('%s rejects %s', async (_fact, _what, body, status, code) => {
    expect(await client.ledger('POST', '/v2/users', body)).toMatchObject({
      status,
      body: { code },
    });
    expect((await client.ledger('GET', '/v2/users')).body.users).toHaveLength(1);
  });
});

describe('/v2/users/{user-id}', () => {
  it('returns 404 for an unknown user, with its name (B-USR-008, B-USR-017, B-USR-019)', async () => {
    const unknown = {
      status: 404,
      body: { code: 'USER_NOT_FOUND', resources: [['ErrorResource(USER)', 'ghost']] },
    };
    expect(await client.ledger('GET', '/v2/users/ghost')).toMatchObject(unknown);
    expect(await client.ledger('DELETE', '/v2/users/ghost')).toMatchObject(unknown);
    const patch = { user: { id: 'ghost' }, updateMask: { paths: ['metadata'] } };
    expect(await client.ledger('PATCH', '/v2/users/ghost', patch)).toMatchObject(unknown);
  });

  it('returns 400 for an invalid id, from the JSON layer (B-USR-008, B-ERR-008)', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/rights'],
    ] as const) {
      const answer = await client.ledger(method, `/v2/users/a%20b${path}`);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_ARGUMENT', definiteAnswer: false },
      });
      expect(answer.body.cause).toMatch(/Malformed user-id: User ID "a b" does not match regex/);
    }
  });

  it('has the trace id of the request or a new one, or none for an invalid traceparent (B-ERR-027)', async () => {
    const refused = (headers: Record<string, string>) =>
      client.ledger('GET', '/v2/users/a%20b', undefined, { headers });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { body: named } = await refused({ traceparent: `00-${traceId}-b7ad6b7169203331-01` });
    expect(named).toMatchObject({ correlationId: traceId, traceId });
    const { body: begun } = await refused({});
    expect(begun.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(begun.correlationId).toBe(begun.traceId);
    expect((await refused({ traceparent: 'nonsense' })).body).toMatchObject({
      correlationId: null,
      traceId: null,
    });
  });

  it('returns 403 with a redacted body for another identity provider (B-USR-009, B-ERR-012)', async () => {
    const path = '/v2/users/participant_admin?identity-provider-id=acme';
    expect(await client.ledger('GET', path)).toMatchObject({
      status: 403,
      body: { code: 'NA', grpcCodeValue: 7 },
    });
  });

  it('changes the fields in the mask (B-USR-013, B-USR-016)', async () => {
    await create('ann', { primaryParty: PARTY, metadata: { annotations: { a: '1' } } });
    const { body } = await client.ledger('PATCH', '/v2/users/ann', {
      user: {
        id: 'ann',
        primaryParty: '',
        isDeactivated: true,
        metadata: { resourceVersion: '0', annotations: { b: '2' } },
      },
      updateMask: { paths: ['is_deactivated', 'metadata.annotations'] },
    });
    expect(body.user).toMatchObject({
      primaryParty: PARTY,
      isDeactivated: true,
      metadata: { resourceVersion: '1', annotations: { a: '1', b: '2' } },
    });
  });

  it.each<[fact: string, what: string, body: object, status: number, code: string]>([
    [
      'B-USR-013',
      'another id in the body',
      { user: { id: 'bob' }, updateMask: { paths: ['metadata'] } },
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'B-USR-013',
      'no user in the body',
      { updateMask: { paths: ['metadata'] } },
      400,
      'INVALID_ARGUMENT',
    ],
    [
      'B-USR-015',
      'an empty mask',
      { user: { id: 'ann' }, updateMask: { paths: [] } },
      400,
      'INVALID_USER_UPDATE_REQUEST',
    ],
    ['B-USR-015', 'no mask', { user: { id: 'ann' } }, 400, 'MISSING_FIELD'],
    [
      'B-USR-018',
      'a stale version',
      {
        user: { id: 'ann', metadata: { resourceVersion: '5' } },
        updateMask: { paths: ['metadata'] },
      },
      409,
      'CONCURRENT_USER_UPDATE_DETECTED',
    ],
  ])('%s rejects %s', async (_fact, _what, body, status, code) => {
    await create('ann');
    expect(await client.ledger('PATCH', '/v2/users/ann', body)).toMatchObject({
      status,
      body: { code },
    });
  });

  it('deletes the user once (B-USR-019)', async () => {
    await create('ann');
    expect(await client.ledger('DELETE', '/v2/users/ann')).toMatchObject({ status: 200, body: {} });
    expect((await client.ledger('DELETE', '/v2/users/ann')).status).toBe(404);
  });

  it('moves the user between existing identity providers (B-USR-031, B-USR-032)', async () => {
    await create('ann');
    const move = (body: object) =>
      client.ledger('PATCH', '/v2/users/ann/identity-provider-id', { userId: 'ann', ...body });
    expect(
      await move({ sourceIdentityProviderId: '', targetIdentityProviderId: '' }),
    ).toMatchObject({ status: 200, body: {} });
    expect(await move({ targetIdentityProviderId: 'acme' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT' },
    });
    expect(await move({ userId: 'bob' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT' },
    });
  });
});

describe('/v2/users/{user-id}/rights', () => {
  it('lists up to four rights in the order of their grants, and more in the order of a hash set (B-USR-034)', async () => {
    const right = (kind: string) => ({ kind: { [kind]: { value: {} } } });
    const kinds = ['IdentityProviderAdmin', 'CanReadAsAnyParty', 'CanExecuteAsAnyParty'];
    const rightsOf = async (user: string): Promise<string[]> => {
      const { body } = await client.ledger('GET', `/v2/users/${user}/rights`);
      return body.rights.map((each: { kind: object }) => Object.keys(each.kind)[0]!);
    };
    await create('four', {}, [...kinds.map(right), ADMIN]);
    expect(await rightsOf('four')).toEqual([...kinds, 'ParticipantAdmin']);
    const rights = [...kinds.map(right), ADMIN, ACT];
    await create('five', {}, rights);
    const inOrder = (all: string[]) => all.filter((each) => each !== 'CanActAs');
    const hashed = ['ParticipantAdmin', ...kinds.toReversed()];
    expect(inOrder(await rightsOf('five'))).toEqual(hashed);
    // The rest of a larger set keeps its order too.
    await create('one', {}, [ACT]);
    const granting = { userId: 'one', identityProviderId: '', rights };
    const { body } = await client.ledger('POST', '/v2/users/one/rights', granting);
    const granted = body.newlyGrantedRights.map(
      (each: { kind: object }) => Object.keys(each.kind)[0],
    );
    expect(granted).toEqual(hashed);
    const revoking = { ...granting, userId: 'four' };
    const revoked = await client.ledger('PATCH', '/v2/users/four/rights', revoking);
    expect(
      revoked.body.newlyRevokedRights.map((each: { kind: object }) => Object.keys(each.kind)[0]),
    ).toEqual(hashed);
  });

  it('returns the granted and the revoked rights (B-USR-022 to B-USR-024)', async () => {
    await create('ann', {}, [ACT]);
    const rights = [
      ACT,
      { kind: { CanReadAs: { value: { party: PARTY } } } },
      { kind: { CanExecuteAs: { value: { party: PARTY } } } },
      { kind: { CanReadAsAnyParty: { value: {} } } },
      { kind: { CanExecuteAsAnyParty: { value: {} } } },
      { kind: { IdentityProviderAdmin: { value: {} } } },
      ADMIN,
    ];
    const granted = await client.ledger('POST', '/v2/users/ann/rights', { userId: 'ann', rights });
    expect(granted.body.newlyGrantedRights).toHaveLength(rights.length - 1);
    expect(granted.body.newlyGrantedRights).toEqual(expect.arrayContaining(rights.slice(1)));
    const revoked = await client.ledger('PATCH', '/v2/users/ann/rights', {
      userId: 'ann',
      rights: [ADMIN, ADMIN],
    });
    expect(revoked.body).toEqual({ newlyRevokedRights: [ADMIN] });
    const { body } = await client.ledger('GET', '/v2/users/ann/rights');
    expect(body.rights).toHaveLength(rights.length - 1);
    expect(body.rights).toEqual(expect.arrayContaining(rights.slice(0, -1)));
  });

  it('requires the same user in path and body (B-USR-025)', async () => {
    for (const method of ['POST', 'PATCH']) {
      const answer = await client.ledger(method, '/v2/users/participant_admin/rights', {
        userId: 'ann',
        rights: [],
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT' } });
      expect(answer.body.cause).toContain(
        'participant_admin does not match user in body: Some(ann)',
      );
    }
  });
});

describe('GET /v2/authenticated-user', () => {
  it('rejects a request without a token (B-AUTH-015)', async () => {
    expect(await client.ledger('GET', '/v2/authenticated-user')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_TOKEN' },
    });
  });

  it('returns the user of the token (B-AUTH-013, B-AUTH-014)', async () => {
    await create('ann');
    const { body } = await client.ledger(
      'GET',
      '/v2/authenticated-user',
      undefined,
      tokenOf('ann'),
    );
    expect(body.user.id).toBe('ann');
    const elsewhere = await client.ledger(
      'GET',
      '/v2/authenticated-user?identity-provider-id=acme',
      undefined,
      tokenOf('ann'),
    );
    expect(elsewhere.status).toBe(403);
  });
});
