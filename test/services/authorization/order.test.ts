/**
 * The order of checks of a request with several faults. First the JSON layer translates it, for any caller. Then the participant
 * checks the caller's rights, and then the rest (B-AUTH-030 to B-AUTH-032).
 */
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
} from '../../support/ledger-api.js';
import { startClient, type TestClient } from '../../support/client.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';
import type { UserRight } from '../../../src/network/index.js';

const HMAC = { type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const;
let client: TestClient;
let open: TestClient;
let grpc: GrpcClient;
let alice: string;
const tokens: Record<string, string | undefined> = {};

beforeAll(async () => {
  const auth = { services: [HMAC], maxSelfAllocatedParties: 1 };
  ({ client } = await startLedgerApi({ auth, grpc: true }));
  open = await startClient();
  grpc = await GrpcClient.connect(client.canticle.urls.grpc!);
  const { canticle } = client;
  alice = canticle.participant.allocateParty('alice');
  const { users } = canticle.network.participants[0]!;
  const user = async (id: string, ...rights: UserRight[]) => {
    users.create({ id }, rights);
    tokens[id] = await canticle.accessToken({ sub: id });
  };
  await user('plain');
  await user('reader', { kind: 'CanReadAsAnyParty' });
  await user('full', { kind: 'CanReadAs', party: alice });
  await user('idpAdmin', { kind: 'IdentityProviderAdmin' });
  await user('admin', { kind: 'ParticipantAdmin' });
});
afterAll(async () => {
  grpc.close();
  await Promise.all([client.close(), open.close()]);
});

async function request(as: string, method: string, path: string, body?: unknown) {
  const token = tokens[as];
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await client.ledger(method, path, body, { headers });
  return [answer.status, answer.body?.code, answer.body?.cause] as const;
}

const fault = (attempt: Promise<unknown>): Promise<GrpcFault> =>
  attempt.then(
    (answer) => Promise.reject(new Error(`It was not refused: ${JSON.stringify(answer)}`)),
    (refused: GrpcFault) => refused,
  );

const commands = (more: object = {}) => ({
  commands: [create('#model-tests:Test:Dummy', { operator: alice })],
  commandId: 'c',
  actAs: [alice],
  ...more,
});

describe.each(['nobody', 'plain'])(
  'for %s, the JSON layer rejects, before it checks rights,',
  (as) => {
    it.each([
      ['submit-and-wait', (body: object) => body],
      ['submit-and-wait-for-transaction', (body: object) => ({ commands: body })],
      ['submit-and-wait-for-transaction-tree', (body: object) => body],
      ['async/submit', (body: object) => body],
    ])('invalid commands of %s', async (path, around) => {
      const submit = (more: object) =>
        request(as, 'POST', `/v2/commands/${path}`, around(commands(more)));
      const code = async (more: object) => (await submit(more)).slice(0, 2);
      expect(await code({ actAs: [] })).toEqual([400, 'MISSING_FIELD']);
      expect(await code({ actAs: ['☃'] })).toEqual([400, 'INVALID_ARGUMENT']);
      const unknown = [create('#nothing:A:B', {})];
      expect(await code({ commands: unknown })).toEqual([404, 'PACKAGE_NAMES_NOT_FOUND']);
      const lacking = [create('#model-tests:Test:Dummy', {})];
      expect(await code({ commands: lacking })).toEqual([400, 'COMMAND_PREPROCESSING_FAILED']);
      // The participant checks the rest, and checks rights first.
      const denied = as === 'nobody' ? [401, 'NA'] : [403, 'NA'];
      for (const more of [{ commandId: '' }, { commands: [] }, { actAs: [alice, '☃'] }])
        expect(await code(more)).toEqual(denied);
    });

    it('an invalid preparation, and an execution of an invalid transaction', async () => {
      const prepare = { ...commands({ actAs: ['☃'] }), synchronizerId: '' };
      const more = { packageIdSelectionPreference: [] };
      expect(
        await request(as, 'POST', '/v2/interactive-submission/prepare', { ...prepare, ...more }),
      ).toEqual([400, 'INVALID_ARGUMENT', expect.stringContaining('Invalid party in actAs')]);
      for (const path of ['execute', 'executeAndWait', 'executeAndWaitForTransaction'])
        expect(
          await request(as, 'POST', `/v2/interactive-submission/${path}`, {
            preparedTransaction: 'AAAA',
            partySignatures: { signatures: [] },
            deduplicationPeriod: { Empty: {} },
            submissionId: 'x',
            hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
          }),
        ).toEqual([400, 'INVALID_ARGUMENT', expect.stringContaining('Cannot parse')]);
    });

    it('another user, party or provider in the body than in the path', async () => {
      for (const [method, path, body, reason] of [
        ['PATCH', '/v2/users/a', { user: { id: 'b' } }, 'a does not match user in body: Some(b) '],
        ['PATCH', '/v2/users/a', {}, 'a does not match user in body: None '],
        ['POST', '/v2/users/a/rights', { userId: 'b' }, 'a does not match user in body: Some(b) '],
        ['PATCH', '/v2/users/a/rights', { userId: 'b' }, 'a does not match user in body: Some(b) '],
        [
          'PATCH',
          '/v2/users/a/identity-provider-id',
          { userId: 'b', sourceIdentityProviderId: '', targetIdentityProviderId: '' },
          'a does not match user in body: Some(b) ',
        ],
        ['PATCH', '/v2/parties/a', {}, 'a does not match party in body None'],
        ['PATCH', '/v2/idps/a', {}, 'a does not match idp in body: None'],
        [
          'PATCH',
          '/v2/idps/a',
          { identityProviderConfig: { identityProviderId: 'b', issuer: 'i', jwksUrl: 'u' } },
          'a does not match idp in body: Some(IdentityProviderConfig(b,false,i,u,))',
        ],
        [
          'PATCH',
          '/v2/idps/a',
          {
            identityProviderConfig: {
              ...{ identityProviderId: 'b', issuer: 'i', jwksUrl: 'u' },
              ...{ isDeactivated: true, audience: 'all' },
            },
          },
          'a does not match idp in body: Some(IdentityProviderConfig(b,true,i,u,all))',
        ],
      ] as const)
        expect(await request(as, method, path, body)).toEqual([
          400,
          'INVALID_ARGUMENT',
          `The submitted request has invalid arguments: ${reason}`,
        ]);
    });

    it('an invalid user id', async () => {
      for (const [method, path] of [
        ['GET', '/v2/users/a%20b%25'],
        ['DELETE', '/v2/users/a%20b%25'],
        ['GET', '/v2/users/a%20b%25/rights'],
      ] as const)
        expect(await request(as, method, path)).toEqual([
          400,
          'INVALID_ARGUMENT',
          expect.stringContaining('Malformed user-id'),
        ]);
    });

    it('an event request with no form, or with two forms', async () => {
      const format = eventFormat([alice], wildcard());
      const filter = { filtersByParty: format.filtersByParty };
      const both = { updateFormat: updateFormat('ACS_DELTA', format), filter };
      for (const [path, body] of [
        ['/v2/updates', { beginExclusive: 0 }],
        ['/v2/updates', { beginExclusive: 0, ...both }],
        ['/v2/updates/flats', { beginExclusive: 0 }],
        ['/v2/updates/trees', { beginExclusive: 0, ...both }],
        ['/v2/state/active-contracts', { activeAtOffset: 0 }],
        ['/v2/state/active-contracts', { activeAtOffset: 0, eventFormat: format, filter }],
        ['/v2/updates/transaction-by-id', { updateId: 'x' }],
        ['/v2/updates/transaction-by-offset', { offset: 1 }],
      ] as const)
        expect((await request(as, 'POST', path, body)).slice(0, 2)).toEqual([
          400,
          'INVALID_ARGUMENT',
        ]);
    });
  },
);

it('over gRPC, rights are checked first (B-AUTH-030)', async () => {
  const call = grpc.call(
    'CommandService/SubmitAndWait',
    { commands: { commandId: 'c', actAs: ['☃'] } },
    { token: tokens['plain']! },
  );
  expect((await fault(call)).code).toBe(7);
});

describe('over gRPC', () => {
  const version = (authorization: string) =>
    grpc.call('StateService/GetLedgerEnd', {}, { metadata: { authorization } }).then(
      () => 0,
      ({ code }: GrpcFault) => code,
    );

  it('the token may follow the word Bearer at any position (B-AUTH-033)', async () => {
    const token = tokens['plain']!;
    for (const taken of [`Bearer ${token}`, `x Bearer ${token}`, `xBearer ${token}`])
      expect([taken, await version(taken)]).toEqual([taken, 0]);
    for (const other of [`bearer ${token}`, `BEARER ${token}`, token])
      expect([other, await version(other)]).toEqual([other, 16]);
  });

  it('a WebSocket subprotocol is not read as a token (B-AUTH-033)', async () => {
    const metadata = { 'sec-websocket-protocol': `jwt.token.${tokens['plain']!}` };
    const { code } = await fault(grpc.call('StateService/GetLedgerEnd', {}, { metadata }));
    expect(code).toBe(16);
  });

  it('health and reflection reject the token of an unknown user (B-AUTH-034)', async () => {
    const token = await client.canticle.accessToken({ sub: 'nobody-knows' });
    const check = grpc.call('grpc.health.v1.Health/Check', {}, { token });
    expect((await fault(check)).code).toBe(7);
    for (const known of [undefined, 'garbage', tokens['plain']])
      expect(await grpc.call('grpc.health.v1.Health/Check', {}, { token: known })).toEqual({
        status: 'SERVING',
      });
  });
});

describe('an absent message is not missing, because the user or provider of the token is filled in (B-AUTH-031)', () => {
  it.each([
    'CommandService/SubmitAndWaitForReassignment',
    'CommandSubmissionService/SubmitReassignment',
  ])('%s reports a missing party', async (method) => {
    const { message } = await fault(grpc.call(method, {}, { token: tokens['plain']! }));
    expect(message).toContain('Invalid field submitter: Daml-LF Party is empty');
  });

  it('JSON reports a missing party', async () => {
    for (const path of ['submit-and-wait-for-reassignment', 'async/submit-reassignment'])
      expect(
        await request('plain', 'POST', `/v2/commands/${path}`, { reassignmentCommands: null }),
      ).toEqual([
        400,
        'INVALID_FIELD',
        expect.stringContaining('Invalid field submitter: Daml-LF Party is empty'),
      ]);
  });

  it('CreateUser reports a missing id to an administrator of a provider', async () => {
    const missing = async (as: string) =>
      (await fault(grpc.call('admin.UserManagementService/CreateUser', {}, { token: tokens[as]! })))
        .message;
    expect(await missing('idpAdmin')).toContain('missing a mandatory field: id');
    expect(await missing('admin')).toContain('missing a mandatory field: user');
  });

  it('updates report a missing user or party', async () => {
    for (const [method, field] of [
      ['admin.UserManagementService/UpdateUser', 'user'],
      ['admin.PartyManagementService/UpdatePartyDetails', 'party_details'],
    ] as const)
      for (const as of ['idpAdmin', 'admin']) {
        const { message } = await fault(grpc.call(method, {}, { token: tokens[as]! }));
        expect(message).toContain(`missing a mandatory field: ${field}`);
      }
  });
});

describe('without authorization, the participant checks the fields that it fills in first (B-AUTH-032)', () => {
  const refused = async (method: string, path: string, body?: unknown) => {
    const answer = await open.ledger(method, path, body);
    return [answer.status, answer.body.code, answer.body.cause];
  };
  const bad = [
    400,
    'INVALID_TOKEN',
    'The submitted token has a field with invalid value: Invalid field identity_provider_id: non expected character 0x21 in Daml-LF Ledger String "a!"',
  ];

  it('an invalid provider, before other faults', async () => {
    const identityProviderId = 'a!';
    for (const [method, path, body] of [
      ['GET', '/v2/parties?pageSize=-1&identity-provider-id=a!'],
      ['GET', '/v2/parties/x?identity-provider-id=a!'],
      ['POST', '/v2/parties', { partyIdHint: '☃', identityProviderId }],
      [
        'POST',
        '/v2/parties/external/allocate',
        { synchronizer: '', onboardingTransactions: [], identityProviderId },
      ],
      ['PATCH', '/v2/parties/x', { partyDetails: { party: 'x', identityProviderId } }],
      ['GET', '/v2/state/connected-synchronizers?party=☃&identityProviderId=a!'],
      ['POST', '/v2/users', { user: { id: '☃', identityProviderId } }],
      ['GET', '/v2/users/x?identity-provider-id=a!'],
      ['PATCH', '/v2/users/x', { user: { id: 'x', identityProviderId } }],
      ['POST', '/v2/users/x/rights', { userId: 'x', identityProviderId, rights: [] }],
      ['PATCH', '/v2/users/x/rights', { userId: 'x', identityProviderId, rights: [] }],
    ] as const)
      expect([path, await refused(method, path, body)]).toEqual([path, bad]);
  });

  it('a missing user of a submission, before other faults', async () => {
    for (const [path, body] of [
      ['/v2/commands/submit-and-wait-for-reassignment', { reassignmentCommands: null }],
      ['/v2/commands/completions', { parties: ['☃'], beginExclusive: -1 }],
    ] as const)
      expect(await refused('POST', path, body)).toEqual([
        400,
        'INVALID_TOKEN',
        expect.stringContaining('Cannot default user_id field'),
      ]);
  });
});

describe('requests for parties', () => {
  it('without a party need an administrator over gRPC (B-AUTH-019)', async () => {
    const get = (as: string) =>
      grpc.call('admin.PartyManagementService/GetParties', {}, { token: tokens[as]! });
    for (const as of ['admin', 'idpAdmin']) expect(await get(as)).toEqual({ partyDetails: [] });
    for (const as of ['plain', 'reader']) expect((await fault(get(as))).code).toBe(7);
  });

  it('check the quota after the validation, and before existing parties (B-AUTH-020)', async () => {
    const allocate = async (partyIdHint: string, userId = 'full') =>
      (await request(userId, 'POST', '/v2/parties', { partyIdHint, userId })).slice(0, 2);
    expect(await allocate('☃')).toEqual([400, 'INVALID_ARGUMENT']);
    // It has a right for one already.
    expect(await allocate('alice')).toEqual([403, 'NA']);
    expect(await allocate('new')).toEqual([403, 'NA']);
    expect(await allocate('own', 'plain')).toEqual([200, undefined]);
    expect(await allocate('own-too', 'plain')).toEqual([403, 'NA']);
    const external = (synchronizer: string) =>
      request('full', 'POST', '/v2/parties/external/allocate', {
        synchronizer,
        userId: 'full',
        onboardingTransactions: [],
      });
    expect((await external('x')).slice(0, 2)).toEqual([400, 'INVALID_FIELD']);
  });
});

it('an administrator of a provider may omit the provider of its token (B-AUTH-019)', async () => {
  const { identityProviders, users } = client.canticle.network.participants[0]!;
  const identityProviderId = 'company';
  const config = { identityProviderId, issuer: 'https://company', audience: '' };
  identityProviders.create({ ...config, jwksUrl: 'http://127.0.0.1:1/jwks' });
  expect(
    (
      await request('idpAdmin', 'POST', '/v2/users', { user: { id: 'clerk', identityProviderId } })
    )[0],
  ).toBe(200);
  expect(users.get('clerk', identityProviderId).id).toBe('clerk');
  expect((await request('idpAdmin', 'GET', '/v2/idps')).slice(0, 2)).toEqual([403, 'NA']);
});
