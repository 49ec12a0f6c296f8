/** The validator's users: what taking one in makes on the ledger, who may ask for it, and what letting it go leaves (V-REG-*, V-USR-*). */
import { createCanticle } from 'canticle';
import { describeWithDars } from '../../support/foreign-files.js';
import {
  requestsTo,
  LOCALNET_AUTH,
  VALIDATOR_DARS,
  validatorWorld,
} from '../../support/splice/validator-world.js';

const OPERATOR = 'ledger-api-user';
const INSTALL = '#splice-wallet:Splice.Wallet.Install:WalletAppInstall';
const RIGHT = '#splice-amulet:Splice.Amulet:ValidatorRight';

describeWithDars("the validator's users", VALIDATOR_DARS, (...dars) => {
  const { canticle, participant, users, validator, dso, request } = validatorWorld(dars);
  const fresh = canticle.snapshot();
  afterEach(() => canticle.revert(fresh));

  const contracts = (template: string) =>
    participant.activeContracts({ template }).map(({ payload }) => payload);
  const onboard = (body: object) => request('POST /v0/admin/users', { as: OPERATOR, body });
  const offboard = (name: string) =>
    request(`POST /v0/admin/users/offboard?username=${name}`, { as: OPERATOR });
  const names = async () =>
    (await request('GET /v0/admin/users', { as: OPERATOR })).body.usernames as string[];
  const rightsOf = (user: string) =>
    users.rights(user).map((right) => Object.values(right).join(' '));

  test('register: creates a party with the name of the caller, a user, a wallet and a right, once', async () => {
    const { status, body } = await request('POST /v0/register', { as: 'alice@example.com' });
    const party = `alice_0040example_002ecom::${participant.engine.namespace}`;
    expect([status, body]).toEqual([200, { party_id: party }]);
    expect(users.get('alice@example.com').primaryParty).toBe(party);
    expect(rightsOf('alice@example.com')).toEqual([`CanActAs ${party}`]);
    expect(rightsOf(OPERATOR)).toContain(`CanActAs ${party}`);
    expect(contracts(INSTALL)).toEqual([
      {
        dsoParty: dso,
        validatorParty: validator,
        endUserName: 'alice@example.com',
        endUserParty: party,
      },
    ]);
    expect(contracts(RIGHT)).toEqual([{ dso, user: party, validator }]);
    const end = participant.ledgerEnd;
    for (const again of [{}, { body: {} }, { body: null }])
      expect(
        (await request('POST /v0/register', { as: 'alice@example.com', ...again })).body,
      ).toEqual(body);
    expect(participant.ledgerEnd).toBe(end);
  });

  test("register: the operator's user gets the party of the validator (V-REG-004)", async () => {
    expect((await request('POST /v0/register', { as: OPERATOR })).body.party_id).toBe(validator);
    expect(contracts(RIGHT)).toEqual([{ dso, user: validator, validator }]);
  });

  test('two users may share a party, and a user keeps its party', async () => {
    const alice = (await onboard({ name: 'alice' })).body.party_id as string;
    expect((await onboard({ name: 'bob', party_id: alice })).body).toEqual({ party_id: alice });
    expect(contracts(INSTALL)).toHaveLength(2);
    expect(contracts(RIGHT)).toHaveLength(1);
    const carol = participant.allocateParty('carol');
    expect((await onboard({ name: 'bob', party_id: carol })).body).toEqual({ party_id: alice });
    expect(await names()).toEqual(['alice', 'bob']);
  });

  test('returns the error of the ledger for a party that no participant hosts', async () => {
    const stranger = `stranger::1220${'0'.repeat(64)}`;
    const { status, body } = await onboard({ name: 'eve', party_id: stranger });
    expect([status, body.error]).toEqual([
      404,
      expect.stringMatching(
        /^UNKNOWN_SUBMITTERS\(11,\w+\): The participant is not connected to any synchronizer where the given submitters are known\.$/,
      ),
    ]);
    expect(await names()).toEqual([]);
  });

  test('the hint is the name of a new party, which is the primary party of the user with that name', async () => {
    const user = { name: 'dave', party_id: 'somebody::1220', createPartyIfMissing: true };
    const { body } = await onboard(user);
    expect(body.party_id).toBe(`somebody::${participant.engine.namespace}`);
    expect(users.get('somebody').primaryParty).toBe(body.party_id);
    expect(await names()).toEqual(['dave']);
  });

  test('uses an existing party with the name of the user', async () => {
    const erin = participant.allocateParty('erin');
    expect((await onboard({ name: 'erin' })).body).toEqual({ party_id: erin });
  });

  test.each([
    [
      { name: 'nobody', createPartyIfMissing: false },
      400,
      'party_id must be provided when createPartyIfMissing is false and no existing party for user nobody is found.',
    ],
    [
      { name: 'x', party_id: 'nonsense' },
      400,
      'Invalid unique identifier `nonsense` with missing namespace.',
    ],
    [{ name: 'participant_admin' }, 500, 'An unexpected error occurred.'],
    [{ name: 'not a name' }, 400, expect.stringContaining('does not match regex')],
  ])('rejects %j', async (body, status, error) => {
    expect(await onboard(body)).toMatchObject({ status, body: { error } });
    expect(contracts(INSTALL)).toEqual([]);
  });

  test('an offboarded user has no wallet and no right, both archived in one transaction, and is deleted', async () => {
    const party = (await onboard({ name: 'alice' })).body.party_id as string;
    const before = participant.ledgerEnd;
    expect(await offboard('alice')).toMatchObject({ status: 200, body: '' });
    expect(participant.ledgerEnd).toBe(before + 1);
    expect([contracts(INSTALL), contracts(RIGHT), await names()]).toEqual([[], [], []]);
    expect(users.has('alice')).toBe(false);
    expect(participant.engine.hosts(party)).toBe(true);
    expect((await offboard('alice')).status).toBe(200);
  });

  test('the validator acts for a party until its last wallet is gone (V-USR-009)', async () => {
    const party = (await onboard({ name: 'alice' })).body.party_id as string;
    await onboard({ name: 'aunt', party_id: party });
    await offboard('alice');
    expect(rightsOf(OPERATOR)).toContain(`CanActAs ${party}`);
    await offboard('aunt');
    expect(rightsOf(OPERATOR).join()).not.toContain(party);
    await onboard({ name: 'alice', party_id: party });
    expect(rightsOf(OPERATOR)).toContain(`CanActAs ${party}`);
  });

  test('cannot offboard the users of the validator', async () => {
    expect((await offboard(OPERATOR)).status).toBe(200);
    for (const name of [OPERATOR, 'app-user']) {
      await onboard({ name, party_id: validator });
      expect(await offboard(name)).toMatchObject({
        status: 400,
        body: { error: `Tried to offboard the validator's user: ${name}` },
      });
    }
    expect(await names()).toEqual([OPERATOR, 'app-user']);
  });

  test('requires the operator of the validator for administration, before it reports other errors', async () => {
    const forbidden = (user: string) => ({
      status: 403,
      body: { error: `Authorization Failed for ${user}` },
    });
    const refused = async (as: string) =>
      expect(await request('GET /v0/admin/users', { as })).toMatchObject(forbidden(as));
    await refused('nobody');
    await onboard({ name: 'app-user', party_id: validator });
    await refused('app-user');
    const party = { kind: 'CanActAs', party: validator } as const;
    users.create({ id: 'other', primaryParty: dso }, [party, { kind: 'ParticipantAdmin' }]);
    await refused('other');
    users.create({ id: 'second', primaryParty: validator }, [{ kind: 'ParticipantAdmin' }]);
    await refused('second');
    users.grant('second', [party]);
    expect((await request('GET /v0/admin/users', { as: 'second' })).status).toBe(200);
    users.update({ id: 'second', isDeactivated: true }, ['is_deactivated']);
    await refused('second');
    // Before the request is read.
    expect(await request('POST /v0/admin/users', { as: 'nobody', body: 7 })).toMatchObject(
      forbidden('nobody'),
    );
  });

  test('a user without a wallet can only ask whether it has one (V-GEN-008)', async () => {
    expect(await request('GET /v0/wallet/user-status', { as: 'nobody' })).toMatchObject({
      status: 200,
      body: { user_onboarded: false, user_wallet_installed: false },
    });
    expect((await request('GET /v0/wallet/balance', { as: 'nobody' })).status).toBe(404);
  });

  test.each([
    ['POST /v0/register', 'splice validator realm'],
    ['GET /v0/admin/users', 'splice validator operator realm'],
    ['POST /v0/admin/users', 'splice validator operator realm'],
    ['GET /v0/scan-proxy/dso-party-id', 'splice scan proxy realm'],
  ])('%s requires a token of the %s', async (call, realm) => {
    expect(await request(call)).toMatchObject({
      status: 401,
      body: 'The resource requires authentication, which was not supplied with the request',
      headers: { 'www-authenticate': `Bearer realm="${realm}"` },
    });
    const broken = { headers: { authorization: 'Bearer nonsense' } };
    expect((await request(call, broken)).body).toBe('The supplied authentication is invalid');
  });
});

describe('without the code of the wallet', () => {
  const validator = { partyHint: 'app_user_localnet-localparty-1', walletUser: 'app-user' };

  test('register: creates only a party', async () => {
    const canticle = createCanticle({ seed: 1, validator, ...LOCALNET_AUTH });
    const request = requestsTo(canticle, '/api/validator');
    const { body } = await request('POST /v0/register', { as: 'alice' });
    expect(body.party_id).toMatch(/^alice::1220/);
    expect((await request('GET /v0/admin/users', { as: OPERATOR })).body).toEqual({
      usernames: [],
    });
  });

  test('without authorization the caller is the user of the token, or the user of the validator', async () => {
    const request = requestsTo(createCanticle({ seed: 1, validator }), '/api/validator');
    expect((await request('POST /v0/register', { as: 'bob' })).body.party_id).toMatch(/^bob::/);
    expect((await request('POST /v0/register')).body.party_id).toMatch(/^app-user::/);
    expect((await request('GET /v0/admin/users')).status).toBe(200);
    expect((await request('GET /v0/wallet/balance')).body.error).toContain("for user 'app-user'");
  });

  test('a validator without a party accepts only administrators without a party', async () => {
    const canticle = createCanticle({ seed: 1, ...LOCALNET_AUTH });
    const { users } = canticle.network.participants[0]!;
    const primaryParty = canticle.participant.allocateParty('alice');
    users.create({ id: 'admin' }, [{ kind: 'ParticipantAdmin' }]);
    users.create({ id: 'alice', primaryParty }, [{ kind: 'ParticipantAdmin' }]);
    users.create({ id: 'nobody' });
    const request = requestsTo(canticle, '/api/validator');
    const statusOf = async (as: string) => (await request('GET /v0/admin/users', { as })).status;
    expect(await Promise.all(['admin', 'alice', 'nobody'].map(statusOf))).toEqual([200, 403, 403]);
  });
});

describe('health', () => {
  const request = requestsTo(createCanticle({ seed: 1, ...LOCALNET_AUTH }), '/api/validator');

  test.each(['/readyz', '/livez'])('%s has an empty body', async (path) => {
    expect(await request(`GET ${path}`)).toMatchObject({ status: 200, body: '' });
  });

  test('status and version require no token (L-HLT-004)', async () => {
    expect((await request('GET /status')).body).toMatchObject({
      success: {
        id: 'amulet::sandbox-validator_backend',
        ports: { admin: 5003 },
        active: true,
        extra: null,
      },
    });
    expect((await request('GET /version')).body).toMatchObject({ version: '0.7.4' });
  });
});
