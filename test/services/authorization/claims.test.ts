/**
 * Claims that depend on more than one right. Configuration makes some tokens privileged. Users act for another user or for another
 * user's parties. Tokens expire during their request.
 */
import type { AuthOptions } from '../../../src/services/authorization/options.js';
import type { UserRight } from '../../../src/network/index.js';
import { startClient, type TestClient } from '../../support/client.js';
import { SignJWT } from 'jose';
import { samples } from './operations.js';

const NOW = Date.UTC(2026, 5, 1);
const seconds = NOW / 1000;
const HMAC = { type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const;
const open: TestClient[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

const hmac = (payload: Record<string, unknown>): Promise<string> =>
  new SignJWT({ sub: 'participant_admin', scope: 'daml_ledger_api', ...payload })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('unsafe'));

async function start(more: Partial<AuthOptions> = {}, realClock = () => NOW) {
  const client = await startClient({ auth: { services: [HMAC], ...more }, realClock });
  open.push(client);
  const [alice, bob] = ['alice', 'bob'].map((hint) =>
    client.canticle.participant.allocateParty(hint),
  ) as [string, string];
  const { users } = client.canticle.network.participants[0]!;
  /** The status and code of the answer to a token with this payload. */
  const request = async (
    payload: Record<string, unknown>,
    method: string,
    path: string,
    body?: unknown,
  ) => {
    const headers = { authorization: `Bearer ${await hmac(payload)}` };
    const answer = await client.ledger(method, path, body, { headers });
    return [answer.status, answer.body?.code];
  };
  const user = (id: string, ...rights: UserRight[]) => void users.create({ id }, rights);
  return { client, alice, bob, request, user };
}

const DENIED = [403, 'NA'];
const LACKING = [400, 'MISSING_FIELD'];
const submission = (actAs: string, more: object = {}) => ({
  commands: [],
  commandId: 'c',
  actAs: [actAs],
  ...more,
});
const SUBMIT = '/v2/commands/submit-and-wait';

describe('a privileged token', () => {
  const privileged = (accessLevel?: 'Admin') =>
    start({ services: [{ ...HMAC, targetAudience: 'p', privileged: true, accessLevel }] });

  it('has no user, even if it names one', async () => {
    const { request, alice } = await privileged();
    for (const sub of ['nobody-knows', ''])
      expect(await request({ sub, aud: 'p' }, 'GET', '/v2/authenticated-user')).toEqual([
        400,
        'INVALID_TOKEN',
      ]);
    // The participant checks the submitter before the commands. The JSON layer checks its part first.
    const submit = (sub: string, ...actAs: string[]) =>
      request({ sub, aud: 'p' }, 'POST', SUBMIT, submission(alice, { actAs }));
    expect(await submit('', '☃')).toEqual([400, 'INVALID_ARGUMENT']);
    expect(await submit('', alice, '☃')).toEqual([400, 'INVALID_TOKEN']);
    expect(await submit('x', alice, '☃')).toEqual([400, 'INVALID_ARGUMENT']);
    expect(await submit('x', alice)).toEqual(LACKING);
  });

  it('with access level Admin cannot read or execute for any party (B-AUTH-012, B-AUTH-023)', async () => {
    const { request, alice } = await privileged('Admin');
    const table = samples(alice, '');
    for (const { path, body } of [
      table['postV2Interactive-submissionExecute'],
      table['postV2StateActive-contracts'],
    ])
      expect(await request({ sub: 'x', aud: 'p' }, 'POST', path, body)).toEqual(DENIED);
  });
});

describe('a user', () => {
  it('can read as the parties that it may read as or act as (B-AUTH-022)', async () => {
    const { request, user, alice, bob } = await start();
    const actAs: UserRight = { kind: 'CanActAs', party: alice };
    user('one', actAs);
    user('two', actAs, { kind: 'CanReadAs', party: bob });
    const submit = (sub: string, ...readAs: string[]) =>
      request({ sub }, 'POST', SUBMIT, submission(alice, { readAs }));
    expect(await submit('one', alice)).toEqual(LACKING);
    expect(await submit('one', alice, bob)).toEqual(DENIED);
    expect(await submit('two', alice, bob)).toEqual(LACKING);
  });

  it('reads completions of other users only as any party, and submits with its own user id only (B-AUTH-025)', async () => {
    const { request, user, alice } = await start();
    user('reader', { kind: 'CanReadAs', party: alice });
    user('anyone', { kind: 'CanReadAsAnyParty' }, { kind: 'CanActAs', party: alice });
    const completions = (sub: string, userId: string) =>
      request({ sub }, 'POST', '/v2/commands/completions?stream_idle_timeout_ms=1', {
        userId,
        parties: [alice],
        beginExclusive: 0,
      });
    expect(await completions('reader', 'reader')).toEqual([200, undefined]);
    expect(await completions('reader', 'anyone')).toEqual(DENIED);
    expect(await completions('anyone', 'reader')).toEqual([200, undefined]);
    expect(
      await request({ sub: 'anyone' }, 'POST', SUBMIT, submission(alice, { userId: 'reader' })),
    ).toEqual(DENIED);
  });

  it('allocates parties for itself only (B-AUTH-020)', async () => {
    const { request, user } = await start({ maxSelfAllocatedParties: 1 });
    user('one');
    user('two');
    const allocate = (userId: string) =>
      request({ sub: 'one' }, 'POST', '/v2/parties', { partyIdHint: 'own', userId });
    expect(await allocate('two')).toEqual(DENIED);
    expect(await allocate('one')).toEqual([200, undefined]);
  });

  it('of an identity provider cannot use a token of the default provider', async () => {
    const { client, request } = await start();
    const { identityProviders, users } = client.canticle.network.participants[0]!;
    const identityProviderId = 'company';
    const jwksUrl = 'http://127.0.0.1:1/jwks';
    identityProviders.create({
      identityProviderId,
      issuer: 'https://company',
      jwksUrl,
      audience: '',
    });
    users.create({ id: 'clerk', identityProviderId });
    users.create({ id: 'other' });
    expect(await request({ sub: 'clerk' }, 'GET', '/v2/packages')).toEqual(DENIED);
    expect(await request({ sub: 'other' }, 'GET', '/v2/packages')).toEqual([200, undefined]);
  });
});

it('rejects an invalid prepared transaction before it checks rights', async () => {
  const { request, user, alice } = await start();
  user('nobody');
  const { body } = samples(alice, '')['postV2Interactive-submissionExecute'];
  const execute = (preparedTransaction: string) =>
    request({ sub: 'nobody' }, 'POST', '/v2/interactive-submission/execute', {
      ...(body as object),
      preparedTransaction,
    });
  expect(await execute((body as { preparedTransaction: string }).preparedTransaction)).toEqual(
    DENIED,
  );
  expect(await execute('AAAA')).toEqual([400, 'INVALID_ARGUMENT']);
});

it('rejects an invalid identity provider id', async () => {
  const { request } = await start();
  expect(await request({}, 'GET', '/v2/parties?identity-provider-id=%E2%98%83')).toEqual([
    400,
    'INVALID_TOKEN',
  ]);
});

describe('the times of a token', () => {
  it('a token may expire while its request is processed', async () => {
    let now = 0;
    // Each look at the clock takes a millisecond.
    const { request } = await start({}, () => now++);
    const statusFrom = async (first: number) => {
      now = first;
      return (await request({ exp: seconds }, 'GET', '/v2/packages'))[0];
    };
    expect(await statusFrom(NOW)).toBe(401);
    expect(await statusFrom(NOW - 1)).toBe(403);
    expect(await statusFrom(NOW - 2)).toBe(200);
  });

  it('its lifetime is measured in milliseconds', async () => {
    let now = NOW;
    const { request } = await start({ services: [{ ...HMAC, maxTokenLife: 300 }] }, () => now);
    const statusAt = async (milliseconds: number) => {
      now = NOW + milliseconds;
      return (await request({ exp: seconds + 301 }, 'GET', '/v2/packages'))[0];
    };
    expect([await statusAt(999), await statusAt(1000)]).toEqual([401, 200]);
  });
});
