/** Identity providers (B-IDP-001 to B-IDP-008, B-IDP-010), and their users and parties (B-USR-020, B-USR-031, B-PTY-015). */
import { startLedgerApi, type LedgerApi, type JsonAnswer } from '../../support/ledger-api.js';

let api: LedgerApi;
beforeEach(async () => {
  api = await startLedgerApi();
});
afterEach(() => api.client.close());

const config = (identityProviderId: string, more: object = {}) => ({
  identityProviderId,
  isDeactivated: false,
  issuer: `issuer of ${identityProviderId}`,
  jwksUrl: 'http://localhost:8080/jwks.json',
  audience: '',
  ...more,
});
const add = (id: string, more: object = {}) =>
  api.post('/v2/idps', { identityProviderConfig: config(id, more) });
const call = (method: string, path: string, body?: object) => api.client.ledger(method, path, body);
const patch = (id: string, changes: object, paths?: string[]) =>
  call('PATCH', `/v2/idps/${encodeURIComponent(id)}`, {
    identityProviderConfig: { identityProviderId: id, issuer: '', jwksUrl: '', ...changes },
    ...(paths ? { updateMask: { paths, unknownFields: { fields: {} } } } : {}),
  });
const ids = async () =>
  (await call('GET', '/v2/idps')).body.identityProviderConfigs.map(
    (each: JsonAnswer) => each.identityProviderId,
  );

it('can be created, read, listed and deleted (B-IDP-001, B-IDP-005, B-IDP-008, B-ID-002)', async () => {
  const id = 'a#b:c-d_e f';
  expect((await add(id)).body).toEqual({ identityProviderConfig: config(id) });
  await add('other');
  const path = `/v2/idps/${encodeURIComponent(id)}`;
  expect((await call('GET', path)).body).toEqual({ identityProviderConfig: config(id) });
  expect(await ids()).toEqual([id, 'other']);
  expect(await call('DELETE', path)).toMatchObject({ status: 200, body: {} });
  expect(await call('DELETE', path)).toMatchObject({
    status: 404,
    body: { code: 'IDP_CONFIG_NOT_FOUND' },
  });
  expect((await call('GET', path)).body.code).toBe('IDP_CONFIG_NOT_FOUND');
  expect(await ids()).toEqual(['other']);
});

it.each([
  [{ identityProviderId: '' }, 'MISSING_FIELD'],
  [{ identityProviderId: '!' }, 'INVALID_FIELD'],
  [{ issuer: '' }, 'MISSING_FIELD'],
  [{ jwksUrl: '' }, 'MISSING_FIELD'],
  [{ jwksUrl: 'url' }, 'INVALID_FIELD'],
  [{ jwksUrl: 'http://x y' }, 'INVALID_FIELD'],
  [{ jwksUrl: 'gopher://x' }, 'INVALID_FIELD'],
])('rejects %j (B-IDP-002)', async (more, code) => {
  expect((await add('idp', more)).body.code).toBe(code);
  expect(await ids()).toEqual([]);
});

it.each([
  [
    'a user',
    () => api.post('/v2/users', { user: { id: 'u', identityProviderId: 'idp' }, rights: [] }),
    'CONSTRAINT_5E23: PUBLIC.LAPI_USERS',
  ],
  [
    'a party',
    () => api.post('/v2/parties', { partyIdHint: 'p', identityProviderId: 'idp' }),
    'CONSTRAINT_9EF9: PUBLIC.LAPI_PARTY_RECORDS',
  ],
])('cannot be deleted while %s refers to it (B-IDP-010)', async (_what, name, constraint) => {
  await add('idp');
  expect((await name()).status).toBe(200);
  const { status, body } = await call('DELETE', '/v2/idps/idp');
  expect([status, body.code, body.context.metric]).toEqual([
    503,
    'INDEX_DB_SQL_TRANSIENT_ERROR',
    "'daml.participant.api.identity_provider_config_store.delete_identity_provider_config'",
  ]);
  expect(body.cause).toContain(
    `"${constraint} FOREIGN KEY(IDENTITY_PROVIDER_ID) REFERENCES PUBLIC.LAPI_IDENTITY_PROVIDER_CONFIG(IDENTITY_PROVIDER_ID) ('idp')"; SQL statement:\n`,
  );
  expect(await ids()).toEqual(['idp']);
});

it('checks for an existing id before the limit of sixteen (B-IDP-003, B-IDP-004)', async () => {
  for (let n = 0; n < 16; n += 1) await add(`idp-${n}`);
  expect((await add('idp-0', { issuer: 'another' })).body.code).toBe('IDP_CONFIG_ALREADY_EXISTS');
});

it('ids and issuers of providers are unique (B-IDP-003)', async () => {
  await add('one');
  await add('two');
  expect(await add('one', { issuer: 'new' })).toMatchObject({
    status: 409,
    body: { code: 'IDP_CONFIG_ALREADY_EXISTS' },
  });
  const taken = { status: 409, body: { code: 'IDP_CONFIG_ISSUER_ALREADY_EXISTS' } };
  expect(await add('three', { issuer: 'issuer of two' })).toMatchObject(taken);
  expect(await patch('one', { issuer: 'issuer of two' }, ['issuer'])).toMatchObject(taken);
});

it('are limited to sixteen (B-IDP-004)', async () => {
  for (let i = 0; i < 16; i++) expect((await add(`idp-${i}`)).status).toBe(200);
  expect(await add('one-more')).toMatchObject({
    status: 400,
    body: { code: 'TOO_MANY_IDENTITY_PROVIDER_CONFIGS' },
  });
});

it('an update changes the fields in the mask (B-IDP-006)', async () => {
  await add('idp');
  const jwksUrl = 'https://localhost/other';
  const changes = { isDeactivated: true, issuer: 'new', jwksUrl, audience: 'them' };
  const updated = async (...paths: string[]) =>
    (await patch('idp', changes, paths)).body.identityProviderConfig;
  expect(await updated('is_deactivated')).toEqual(config('idp', { isDeactivated: true }));
  expect(await updated('issuer', 'jwks_url')).toEqual(
    config('idp', { isDeactivated: true, issuer: 'new', jwksUrl }),
  );
  expect(await updated('audience')).toEqual(config('idp', changes));
  const { body } = await patch('idp', { isDeactivated: false, audience: '' }, [
    'is_deactivated',
    'audience',
    'issuer',
  ]);
  expect(body.identityProviderConfig).toEqual(config('idp', { issuer: 'new', jwksUrl }));
});

it.each<[string, object, string[] | undefined, string]>([
  ['an empty mask', {}, [], 'INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST'],
  ['an unknown path', {}, ['moon'], 'INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST'],
  ['no mask', {}, undefined, 'MISSING_FIELD'],
  ['another id in the body', { identityProviderId: 'other' }, ['issuer'], 'INVALID_ARGUMENT'],
  ['an invalid URL', { jwksUrl: 'x' }, ['issuer'], 'INVALID_FIELD'],
])('rejects an update with %s (B-IDP-007)', async (_what, changes, paths, code) => {
  await add('idp');
  expect((await patch('idp', changes, paths)).body.code).toBe(code);
  expect((await call('GET', '/v2/idps/idp')).body.identityProviderConfig).toEqual(config('idp'));
});

it('rejects an update of an unknown provider (B-IDP-005)', async () => {
  expect(await patch('idp', {}, ['issuer'])).toMatchObject({
    status: 404,
    body: { code: 'IDP_CONFIG_NOT_FOUND' },
  });
});

describe('users', () => {
  const user = (id: string, identityProviderId: string) =>
    api.post('/v2/users', {
      user: { id, primaryParty: '', isDeactivated: false, identityProviderId },
    });
  const move = (sourceIdentityProviderId: string, targetIdentityProviderId: string) =>
    call('PATCH', '/v2/users/u/identity-provider-id', {
      userId: 'u',
      sourceIdentityProviderId,
      targetIdentityProviderId,
    });

  it('require an existing provider, and are found with its id only (B-USR-009, B-USR-020)', async () => {
    expect((await user('u', 'idp')).body.code).toBe('INVALID_ARGUMENT');
    await add('idp');
    expect((await user('u', 'idp')).body.user.identityProviderId).toBe('idp');
    expect((await call('GET', '/v2/users/u')).status).toBe(403);
    expect((await call('GET', '/v2/users/u?identity-provider-id=idp')).status).toBe(200);
    expect((await call('DELETE', '/v2/users/u')).status).toBe(403);
    expect((await call('GET', '/v2/users/u/rights')).status).toBe(403);
    const rights = {
      userId: 'u',
      identityProviderId: 'idp',
      rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
    };
    expect((await call('POST', '/v2/users/u/rights', rights)).body.newlyGrantedRights).toHaveLength(
      1,
    );
  });

  it('can move to another provider (B-USR-031, B-USR-032)', async () => {
    await add('idp');
    await user('u', '');
    expect((await move('', 'none')).body.code).toBe('INVALID_ARGUMENT');
    expect((await move('none', '')).body.code).toBe('INVALID_ARGUMENT');
    expect((await move('idp', '')).status).toBe(403);
    expect(await move('', '')).toMatchObject({ status: 200, body: {} });
    expect((await move('', 'idp')).status).toBe(200);
    expect(
      (await call('GET', '/v2/users/u?identity-provider-id=idp')).body.user.identityProviderId,
    ).toBe('idp');
    expect((await move('idp', '')).status).toBe(200);
    expect((await call('DELETE', '/v2/users/u')).status).toBe(200);
  });
});

describe('parties', () => {
  it('are remote for other providers (B-PTY-008, B-PTY-014, B-PTY-015)', async () => {
    expect(
      await api.refusal('/v2/parties', { partyIdHint: 'alice', identityProviderId: 'idp' }),
    ).toBe('INVALID_ARGUMENT');
    await add('idp');
    const { partyDetails } = await api.ok('/v2/parties', {
      partyIdHint: 'alice',
      identityProviderId: 'idp',
    });
    expect(partyDetails).toMatchObject({ isLocal: true, identityProviderId: 'idp' });
    const seenFrom = async (idp: string) =>
      (
        await call(
          'GET',
          `/v2/parties/${encodeURIComponent(partyDetails.party)}?identity-provider-id=${idp}`,
        )
      ).body.partyDetails;
    expect(await seenFrom('idp')).toEqual([partyDetails]);
    await add('other');
    for (const idp of ['other', 'unknown'])
      expect(await seenFrom(idp)).toMatchObject([{ isLocal: false, identityProviderId: '' }]);
  });
});

it('a revert removes a provider', async () => {
  const snapshot = api.canticle.snapshot();
  await add('idp');
  api.canticle.revert(snapshot);
  expect(await ids()).toEqual([]);
});

// As OpenJDK 17 tells it.
it.each([
  ['url', 'URI is not absolute'],
  ['not a url', 'Illegal character in path at index 3: not a url'],
  ['http://x y', 'Illegal character in authority at index 7: http://x y'],
  ['http://', 'Expected authority at index 7: http://'],
  ['http:', 'Expected scheme-specific part at index 5: http:'],
  [':x', 'Expected scheme name at index 0: :x'],
  ['ht tp://x', 'Illegal character in scheme name at index 2: ht tp://x'],
  ['http://host/?a b', 'Illegal character in query at index 14: http://host/?a b'],
  ['https://host/#a#b', 'Illegal character in fragment at index 15: https://host/#a#b'],
  ['http://host/%zz', 'Malformed escape pair at index 12: http://host/%zz'],
  ['https://host/x|y', 'Illegal character in path at index 14: https://host/x|y'],
  ['http://[::1/x', 'Expected closing bracket for IPv6 address at index 11: http://[::1/x'],
  ['http:x y', 'Illegal character in opaque part at index 6: http:x y'],
  ['http://host:port/x', 'Error at index 0 in: "port"'],
  ['jar:x', 'no !/ in spec'],
  ['gopher://x', 'unknown protocol: gopher'],
])("rejects the JWKS URL %j with Java's text (B-IDP-002)", async (jwksUrl, reason) => {
  const { status, body } = await add('idp', { jwksUrl });
  expect([status, body.code, body.cause]).toEqual([
    400,
    'INVALID_FIELD',
    `The submitted command has a field with invalid value: Invalid field jwks_url: Malformed URL: ${reason}`,
  ]);
});

it.each(['http:///x', 'https://[::1]/x', 'https://host/é', 'https://h/?[x]', 'HTTP://x:80'])(
  'accepts the JWKS URL %j',
  async (jwksUrl) => {
    expect((await add('idp', { jwksUrl })).status).toBe(200);
  },
);
