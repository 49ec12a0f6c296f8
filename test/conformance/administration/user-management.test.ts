/** Conformance: users and their rights. Upstream skips the suite over JSON for reasons of its tokens. */
import type { JsonAnswer } from '../../support/ledger-api.js';
import { expectRefused } from '../../support/refusal.js';
import { useLedgerApi, useParties } from '../../support/shared-ledger-api.js';
import { newKey } from '../../network/external/external-party.js';
import { conformanceSuite } from '../support/suite.js';
import { described, unversioned } from '../support/users.js';

const api = useLedgerApi({
  grpc: true,
  additionalAdminUser: false,
});
const parties = useParties(
  api,
  'acting-1',
  'acting-2',
  'reading-1',
  'reading-2',
  'executing-1',
  'executing-2',
);
const [acting1, , reading1, , executing1] = parties;
const { engine } = api.canticle.participant;

/** In a fixed order, because the order of rights is unspecified. */
const inOrder = (rights: object[]) => rights.map((each) => JSON.stringify(each)).sort();
const right = (kind: string, party?: string) => ({
  kind: { [kind]: { value: party === undefined ? {} : { party } } },
});
const ADMIN = right('ParticipantAdmin');
const RIGHTS = parties.map((party, index) =>
  right(['CanActAs', 'CanReadAs', 'CanExecuteAs'][index >> 1]!, party),
);

const call = (method: string, path: string, body?: unknown) =>
  api.client.ledger(method, `/v2/users${path}`, body);
const ok = async (method: string, path: string, body?: unknown): Promise<JsonAnswer> => {
  const answer = await call(method, path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};
const create = (id: string, more: object = {}, rights: object[] = []) =>
  ok('POST', '', { user: { id, ...more }, rights });
const creating = (user: object, rights: object[] = []) => call('POST', '', { user, rights });
const rightsOf = async (id: string) => (await ok('GET', `/${id}/rights`)).rights;
const grant = async (id: string, ...rights: object[]) =>
  (await ok('POST', `/${id}/rights`, { userId: id, rights })).newlyGrantedRights;
const revoke = async (id: string, ...rights: object[]) =>
  (await ok('PATCH', `/${id}/rights`, { userId: id, rights })).newlyRevokedRights;
const list = (query = '') => ok('GET', query);
const ids = ({ users }: JsonAnswer): string[] => users.map(({ id }: JsonAnswer) => id);
const expectNotFound = (request: ReturnType<typeof call>) =>
  expectRefused(request, 'USER_NOT_FOUND');

/** A denied request has a redacted error, which keeps only the gRPC status. */
const expectDenied = async (request: ReturnType<typeof call>) => {
  const { body } = await request;
  expect(body.grpcCodeValue).toBe(7);
  await expectRefused(request, 'NA', { status: 403 });
};
const addProvider = (identityProviderId: string) =>
  api.ok('/v2/idps', {
    identityProviderConfig: {
      identityProviderId,
      isDeactivated: false,
      issuer: `issuer of ${identityProviderId}`,
      jwksUrl: 'http://localhost/jwks.json',
      audience: '',
    },
  });
const moved = (id: string, sourceIdentityProviderId: string, targetIdentityProviderId: string) =>
  call('PATCH', `/${id}/identity-provider-id`, {
    userId: id,
    sourceIdentityProviderId,
    targetIdentityProviderId,
  });
const providerOf = async (id: string, idp: string) =>
  (await ok('GET', `/${id}?identity-provider-id=${idp}`)).user.identityProviderId;

conformanceSuite('UserManagementServiceIT', {}, (reproduce, _, overJson) => {
  reproduce(
    'UserManagementUpdateUserIdpWithNonDefaultIdps',
    'moves a user between two providers',
    async () => {
      await addProvider('one');
      await addProvider('two');
      await create('ann', { identityProviderId: 'one' });
      expect((await moved('ann', 'one', 'two')).status).toBe(200);
      expect(await providerOf('ann', 'two')).toBe('two');
      expect((await moved('ann', 'two', 'one')).status).toBe(200);
      expect(await providerOf('ann', 'one')).toBe('one');
      await expectDenied(call('GET', '/ann?identity-provider-id=two'));
    },
  );

  reproduce(
    'UserManagementUpdateUserIdpWithDefaultIdp',
    'moves a user from the default provider to another one and back',
    async () => {
      await addProvider('one');
      await create('ann');
      expect((await moved('ann', '', 'one')).status).toBe(200);
      expect(await providerOf('ann', 'one')).toBe('one');
      expect((await moved('ann', 'one', '')).status).toBe(200);
      expect(await providerOf('ann', '')).toBe('');
    },
  );

  reproduce('UserManagementUpdateUserIdpNonExistentIdps', 'INVALID_ARGUMENT', async () => {
    await create('ann');
    for (const [from, to] of [
      ['nowhere', ''],
      ['', 'nowhere'],
    ] as const)
      await expectRefused(moved('ann', from, to), 'INVALID_ARGUMENT');
  });

  reproduce(
    'UserManagementUpdateUserIdpMismatchedSourceIdp',
    'denies a move from a provider that does not own the user',
    async () => {
      for (const idp of ['own', 'wrong', 'target']) await addProvider(idp);
      await create('default');
      await create('other', { identityProviderId: 'own' });
      for (const id of ['default', 'other']) await expectDenied(moved(id, 'wrong', 'target'));
    },
  );

  reproduce(
    'UserManagementUpdateUserIdpSourceAndTargetIdpTheSame',
    'accepts the move, and changes nothing',
    async () => {
      await addProvider('one');
      await create('default');
      await create('other', { identityProviderId: 'one' });
      expect((await moved('default', '', '')).status).toBe(200);
      expect((await moved('other', 'one', 'one')).status).toBe(200);
      expect([await providerOf('default', ''), await providerOf('other', 'one')]).toEqual([
        '',
        'one',
      ]);
    },
  );

  reproduce('UserManagementUserRightsLimit', 'TOO_MANY_USER_RIGHTS', async () => {
    const { body } = await api.client.ledger('GET', '/v2/version');
    const { maxRightsPerUser } = body.features.userManagement;
    const [one, ...most] = Array.from({ length: maxRightsPerUser + 1 }, (_, index) =>
      right('CanActAs', api.canticle.participant.allocateParty(`party-${index}`)),
    ) as [object, ...object[]];
    const TOO_MANY = 'TOO_MANY_USER_RIGHTS';
    await expectRefused(creating({ id: 'ann' }, [one, ...most]), TOO_MANY);
    expect(unversioned((await create('ann', {}, most)).user)).toEqual(described('ann'));
    const granting = call('POST', '/ann/rights', { userId: 'ann', rights: [one] });
    await expectRefused(granting, TOO_MANY);
    expect(most).toHaveLength(maxRightsPerUser);
    expect(inOrder(await rightsOf('ann'))).toEqual(inOrder(most));
    expect(unversioned((await create('bob', {}, most)).user)).toEqual(described('bob'));
  });

  reproduce(
    'UserManagementCreateUserInvalidArguments',
    'returns an error code for each invalid argument',
    async () => {
      await expectRefused(creating({ id: '' }), 'MISSING_FIELD');
      await expectRefused(creating({ id: '?' }), 'INVALID_FIELD');
      await expectRefused(creating({ id: 'u1', primaryParty: 'party2-!!' }), 'INVALID_ARGUMENT');
      const rights = [right('CanActAs', 'party3-!!')];
      await expectRefused(creating({ id: 'u2' }, rights), 'INVALID_ARGUMENT');
    },
  );

  // Over JSON the path refuses an invalid id, and a separate path returns the user without an id.
  overJson(
    'UserManagementGetUserInvalidArguments',
    'rejects a missing or invalid user id',
    async () => {
      await expectRefused(api.client.ledger('GET', '/v2/authenticated-user'), 'INVALID_TOKEN', {
        cause:
          'The submitted request is missing a user-id: requests with an empty user-id are only supported if there is an authenticated user',
      });
      await expectRefused(call('GET', '/%3F'), 'INVALID_ARGUMENT', {
        cause: 'Malformed user-id: User ID "?" does not match regex',
      });
    },
  );

  /** Ten requests at once. */
  const atOnce = (request: () => Promise<JsonAnswer>): Promise<JsonAnswer[]> =>
    Promise.all(Array.from({ length: 10 }, request));
  const outcomes = (answers: JsonAnswer[]) =>
    answers.map(({ status, body }) => (status === 200 ? status : body.code)).sort();

  reproduce('RaceConditionCreateUsers', 'one of ten concurrent requests succeeds', async () => {
    const answers = await atOnce(() => call('POST', '', { user: { id: 'ann' } }));
    expect(outcomes(answers)).toEqual([200, ...Array(9).fill('USER_ALREADY_EXISTS')]);
  });
  reproduce('RaceConditionDeleteUsers', 'one of ten concurrent requests succeeds', async () => {
    await create('ann');
    const answers = await atOnce(() => call('DELETE', '/ann'));
    expect(outcomes(answers)).toEqual([200, ...Array(9).fill('USER_NOT_FOUND')]);
  });
  reproduce(
    'RaceConditionGrantRights',
    'one of ten concurrent requests grants the rights',
    async () => {
      await create('ann');
      const answers = await atOnce(() => grant('ann', ...RIGHTS));
      const granting = answers.filter(({ length }) => length > 0);
      expect(granting.map(inOrder)).toEqual([inOrder(RIGHTS)]);
    },
  );
  reproduce(
    'RaceConditionRevokeRights',
    'one of ten concurrent requests revokes the rights',
    async () => {
      await create('ann', {}, RIGHTS);
      const answers = await atOnce(() => revoke('ann', ...RIGHTS));
      const revoking = answers.filter(({ length }) => length > 0);
      expect(revoking.map(inOrder)).toEqual([inOrder(RIGHTS)]);
      expect(await rightsOf('ann')).toEqual([]);
    },
  );

  reproduce(
    'TestAdminExists',
    'participant_admin exists and has the admin right only',
    async () => {
      const { user } = await ok('GET', '/participant_admin');
      expect(unversioned(user)).toEqual(described('participant_admin'));
      expect(await rightsOf('participant_admin')).toEqual([ADMIN]);
    },
  );

  reproduce(
    'TestCreateUser',
    'creates the user with the requested fields, and rejects the same id again',
    async () => {
      const { user } = await create('ann', { primaryParty: 'party1' });
      expect(unversioned(user)).toEqual(described('ann', { primaryParty: 'party1' }));
      await expectRefused(creating({ id: 'ann', primaryParty: 'party1' }), 'USER_ALREADY_EXISTS');
      const { user: other } = await create('bob');
      expect(unversioned(other)).toEqual(described('bob'));
      expect(await ok('DELETE', '/bob')).toEqual({});
    },
  );

  reproduce('TestPrimaryPartyAuthenticationCreateUser', 'stores the flag', async () => {
    for (const [id, primaryPartyAuthentication] of [
      ['ann', false],
      ['bob', true],
    ] as const) {
      const more = { primaryParty: `party-${id}`, primaryPartyAuthentication };
      const created = await create(id, more);
      expect(unversioned(created.user)).toEqual(described(id, more));
      expect(await ok('GET', `/${id}`)).toEqual(created);
    }
  });

  reproduce('TestInvalidResourceVersionInCreateUser', 'INVALID_ARGUMENT', async () => {
    const user = { id: 'ann', metadata: { resourceVersion: 'someResourceVersion1' } };
    await expectRefused(creating(user), 'INVALID_ARGUMENT', {
      cause: 'user.metadata.resource_version',
    });
  });

  reproduce('TestGetUser', 'returns the user, or USER_NOT_FOUND', async () => {
    await create('ann', { primaryParty: 'party1' });
    const { user } = await ok('GET', '/ann');
    expect(unversioned(user)).toEqual(described('ann', { primaryParty: 'party1' }));
    await expectNotFound(call('GET', '/bob'));
  });

  reproduce('TestDeleteUser', 'deletes the user, or returns USER_NOT_FOUND', async () => {
    await create('ann');
    expect(await ok('DELETE', '/ann')).toEqual({});
    await expectNotFound(call('GET', '/ann'));
    await expectNotFound(call('DELETE', '/bob'));
  });

  reproduce(
    'TestListUsersVisibilityOfNewUserWhenCreatedAndThenDeleted',
    'lists the new user in order, and omits it after its deletion',
    async () => {
      const page = async () => ids(await list('?pageSize=10'));
      const before = await page();
      const first = `!${before[0]}`;
      expect(unversioned((await create(first)).user)).toEqual(described(first));
      expect(await page()).toEqual([first, ...before]);
      await ok('DELETE', `/${first}`);
      expect(await page()).toEqual(before);
    },
  );

  reproduce(
    'TestListUsersCreateOrDeleteUserOnPreviousPage',
    'a page token remains valid when users on earlier pages change',
    async () => {
      for (const id of ['ann', 'bob', 'cat', 'dan']) await create(id);
      const first = await list('?pageSize=2');
      const next = () => list(`?pageSize=2&pageToken=${encodeURIComponent(first.nextPageToken)}`);
      const second = await next();
      expect(ids(second)).toHaveLength(2);
      const earlier = `!${ids(first).at(-1)}`;
      await create(earlier);
      expect(await next()).toEqual(second);
      await ok('DELETE', `/${earlier}`);
      expect(await next()).toEqual(second);
    },
  );

  reproduce('TestListUsersReachingTheLastPage', 'the last page has no token', async () => {
    for (const id of ['ann', 'bob']) await create(id);
    const seen: string[] = [];
    let token = '';
    do {
      const page = await list(`?pageSize=1&pageToken=${encodeURIComponent(token)}`);
      seen.push(...ids(page));
      token = page.nextPageToken;
    } while (token !== '');
    expect(seen).toEqual(['ann', 'bob', 'participant_admin']);
    expect((await list('?pageSize=10000')).nextPageToken).toBe('');
  });

  reproduce('TestListUsersOnInvalidRequests', 'INVALID_ARGUMENT', async () => {
    for (const query of ['?pageToken=b3b4c1ae-9a3a-4e0b-8a3c-3d1c1f2a0a11', '?pageSize=-100'])
      await expectRefused(call('GET', query), 'INVALID_ARGUMENT');
  });

  reproduce(
    'TestListUsersRequestPageSizeZero',
    'a page size of 0 selects the default page size',
    async () => {
      for (const id of ['ann', 'bob']) await create(id);
      const [usual, one] = [await list('?pageSize=0'), await list('?pageSize=1')];
      expect(ids(usual)).toEqual(['ann', 'bob', 'participant_admin']);
      expect(one.users).toEqual(usual.users.slice(0, 1));
    },
  );

  reproduce('TestMaxUsersPageSize', 'returns at most the maximum page size', async () => {
    const { body } = await api.client.ledger('GET', '/v2/version');
    const { maxUsersPageSize } = body.features.userManagement;
    for (let count = 0; count <= maxUsersPageSize; count++)
      engine.users.create({ id: `user-${count}` });
    expect(ids(await list(`?pageSize=${maxUsersPageSize + 1}`))).toHaveLength(maxUsersPageSize);
  });

  reproduce('TestGrantTheEmptyRight', 'INVALID_ARGUMENT', async () => {
    await create('ann');
    const rights = [{ kind: { Empty: {} } }];
    const granting = call('POST', '/ann/rights', { userId: 'ann', rights });
    await expectRefused(granting, 'INVALID_ARGUMENT', { cause: 'unknown kind of right' });
  });

  reproduce(
    'TestGrantingAndRevokingEmptyListOfRights',
    'accepts empty lists of rights',
    async () => {
      await create('ann');
      expect([await grant('ann'), await revoke('ann')]).toEqual([[], []]);
    },
  );

  reproduce(
    'TestGrantUserRights',
    'returns the newly granted rights, and keeps the resource version',
    async () => {
      const { user } = await create('ann', { primaryParty: 'party1' });
      expect(await grant('ann', ADMIN)).toEqual([ADMIN]);
      await expectNotFound(call('POST', '/bob/rights', { userId: 'bob', rights: [ADMIN] }));
      expect(await grant('ann', ADMIN)).toEqual([]);
      expect(inOrder(await grant('ann', ...RIGHTS))).toEqual(inOrder(RIGHTS));
      expect((await ok('GET', '/ann')).user.metadata).toEqual(user.metadata);
    },
  );

  reproduce(
    'TestAllocationTimeGrantUserRights',
    'grants the user the right to act as the new party',
    async () => {
      const allocate = { partyIdHint: 'granted', userId: 'ann' };
      await expectNotFound(api.post('/v2/parties', allocate));
      await create('ann');
      expect(await rightsOf('ann')).toEqual([]);
      const { partyDetails } = await api.ok('/v2/parties', allocate);
      expect(await rightsOf('ann')).toEqual([right('CanActAs', partyDetails.party)]);
    },
  );

  reproduce(
    'TestExternalAllocationTimeGrantUserRights',
    'grants the user the right to act as the new party',
    async () => {
      const synchronizer = api.canticle.network.synchronizers[0]!.id;
      const key = newKey();
      const { topologyTransactions, multiHash } = await api.ok(
        '/v2/parties/external/generate-topology',
        { synchronizer, partyHint: 'granted', publicKey: key.publicKey },
      );
      const allocate = {
        synchronizer,
        onboardingTransactions: topologyTransactions.map((transaction: string) => ({
          transaction,
        })),
        multiHashSignatures: [key.sign(multiHash)],
        userId: 'ann',
      };
      const path = '/v2/parties/external/allocate';
      await expectNotFound(api.post(path, allocate));
      await create('ann');
      expect(await rightsOf('ann')).toEqual([]);
      const { partyId } = await api.ok(path, allocate);
      expect(await rightsOf('ann')).toEqual([right('CanActAs', partyId)]);
    },
  );

  reproduce(
    'TestRevokeUserRights',
    'returns the revoked rights, and keeps the resource version',
    async () => {
      const { user } = await create('ann', { primaryParty: 'party1' }, [ADMIN, ...RIGHTS]);
      expect(await revoke('ann', ADMIN)).toEqual([ADMIN]);
      await expectNotFound(call('PATCH', '/bob/rights', { userId: 'bob', rights: [ADMIN] }));
      expect(await revoke('ann', ADMIN)).toEqual([]);
      expect(inOrder(await revoke('ann', ...RIGHTS))).toEqual(inOrder(RIGHTS));
      expect((await ok('GET', '/ann')).user.metadata).toEqual(user.metadata);
    },
  );

  reproduce('TestListUserRights', 'lists the rights after each grant and revocation', async () => {
    const { user } = await create('ann', { primaryParty: 'party4' });
    expect(unversioned(user)).toEqual(described('ann', { primaryParty: 'party4' }));
    expect(await rightsOf('ann')).toEqual([]);
    const retained = [
      right('CanActAs', acting1),
      right('CanReadAs', reading1),
      right('CanExecuteAs', executing1),
    ];
    const all = inOrder([ADMIN, ...retained]);
    expect(inOrder(await grant('ann', ADMIN, ...retained))).toEqual(all);
    expect(inOrder(await rightsOf('ann'))).toEqual(all);
    expect(await revoke('ann', ADMIN)).toEqual([ADMIN]);
    expect(inOrder(await rightsOf('ann'))).toEqual(inOrder(retained));
  });
});
