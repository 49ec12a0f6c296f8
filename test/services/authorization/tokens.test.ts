/** The accepted tokens, their signers and their claims, and the user of a request that names none. */
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import type { AuthOptions, AuthService } from '../../../src/services/authorization/options.js';
import { verifierOf } from '../../../src/services/authorization/verifier.js';
import { startClient, type TestClient } from '../../support/client.js';

const NOW = Date.UTC(2026, 5, 1);
const seconds = NOW / 1000;
const open: TestClient[] = [];
afterEach(() => Promise.all(open.splice(0).map((client) => client.close())));

async function start(
  services: readonly AuthService[],
  more: Partial<AuthOptions> = {},
  realClock = () => NOW,
): Promise<TestClient> {
  const client = await startClient({ auth: { services, ...more }, realClock });
  open.push(client);
  return client;
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function status(client: TestClient, token: string, path = '/v2/parties'): Promise<number> {
  return (await client.ledger('GET', path, undefined, bearer(token))).status;
}

const sign = (
  key: KeyObject | Uint8Array,
  alg: string,
  payload: Record<string, unknown>,
  kid?: string,
): Promise<string> =>
  new SignJWT({ sub: 'participant_admin', scope: 'daml_ledger_api', ...payload })
    .setProtectedHeader({ alg, kid })
    .sign(key);

const hmac = (payload: Record<string, unknown>) =>
  sign(new TextEncoder().encode('unsafe'), 'HS256', payload);
const HMAC = { type: 'unsafe-jwt-hmac-256', secret: 'unsafe' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' });
const pem = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();

describe('signatures', () => {
  it.each([
    ['RS256', rsa, 'jwt-rs-256-crt'],
    ['ES256', p256, 'jwt-es-256-crt'],
    ['ES512', p521, 'jwt-es-512-crt'],
  ] as const)('accepts %s with a certificate', async (alg, pair, type) => {
    const client = await start([{ type, certificate: pem(pair) }]);
    expect(await status(client, await sign(pair.privateKey, alg, {}))).toBe(200);
    expect(await status(client, await hmac({}))).toBe(401);
    // The public key does not work as a secret for HS256.
    expect(await status(client, await sign(new TextEncoder().encode(pem(pair)), 'HS256', {}))).toBe(
      401,
    );
  });

  it.each([
    ['RS256', rsa],
    ['ES256', p256],
  ] as const)('accepts %s with a key set', async (alg, pair) => {
    const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] };
    const client = await start([{ type: 'jwt-jwks', keys }]);
    expect(await status(client, await sign(pair.privateKey, alg, {}, 'one'))).toBe(200);
    expect(await status(client, await sign(pair.privateKey, alg, {}, 'two'))).toBe(401);
  });

  it('rejects the algorithm "none"', async () => {
    const part = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ sub: 'participant_admin', scope: 'daml_ledger_api' })}.`;
    expect(await status(await start([HMAC]), token)).toBe(401);
  });

  it('are verified by each configured service in turn', async () => {
    const client = await start([HMAC, { type: 'jwt-es-256-crt', certificate: pem(p256) }]);
    expect(await status(client, await hmac({}))).toBe(200);
    expect(await status(client, await sign(p256.privateKey, 'ES256', {}))).toBe(200);
    expect(await status(client, await sign(rsa.privateKey, 'RS256', {}))).toBe(401);
  });
});

describe('claims of a token', () => {
  it.each<[string, Record<string, unknown>, number]>([
    ['only the scope', {}, 200],
    ['another scope', { scope: 'other' }, 401],
    ['a scope among others', { scope: 'openid daml_ledger_api' }, 200],
    ['scp in place of scope', { scope: undefined, scp: ['daml_ledger_api'] }, 200],
    [
      'the audience of another participant',
      { scope: '', aud: 'https://daml.com/jwt/aud/participant/other::1220' },
      403,
    ],
    [
      'an audience without a participant',
      { scope: '', aud: 'https://daml.com/jwt/aud/participant/' },
      401,
    ],
    ['only another participant', { aud: 'other::1220' }, 403],
    ['two audiences', { aud: ['x', 'y'] }, 401],
    ['a missing user', { sub: undefined }, 401],
    ['an invalid user id', { sub: 'a b' }, 400],
    ['an expiry in the past', { exp: seconds - 1 }, 401],
    ['an expiry in the future', { exp: seconds + 1 }, 200],
    ['a start in the future', { nbf: seconds + 60 }, 401],
    ['an issue time in the future', { iat: seconds + 60 }, 401],
    ['an expiry that is not a number', { exp: 'tomorrow' }, 401],
  ])("in Canton's formats: %s", async (_what, payload, expected) => {
    expect(await status(await start([HMAC]), await hmac(payload))).toBe(expected);
  });

  it('accept the audience of this participant', async () => {
    const client = await start([HMAC]);
    const aud = `https://daml.com/jwt/aud/participant/${client.canticle.network.participants[0]!.id}`;
    expect(await status(client, await hmac({ scope: '', aud }))).toBe(200);
  });

  it('accept a target audience among others (B-AUTH-006, B-AUTH-007)', async () => {
    const client = await start([{ ...HMAC, targetAudience: 'https://canton.network.global' }]);
    expect(
      await status(client, await hmac({ aud: 'https://canton.network.global', scope: undefined })),
    ).toBe(200);
    expect(await status(client, await hmac({ aud: ['x', 'https://canton.network.global'] }))).toBe(
      200,
    );
    expect(await status(client, await hmac({ aud: 'x' }))).toBe(401);
    expect(await status(client, await hmac({}))).toBe(401);
  });

  it('accept a target scope among others', async () => {
    const client = await start([{ ...HMAC, targetScope: 'custom' }]);
    expect(await status(client, await hmac({ scope: 'a custom b' }))).toBe(200);
    expect(await status(client, await hmac({}))).toBe(401);
  });

  it('limit the lifetime, if the service has a maximum', async () => {
    const client = await start([{ ...HMAC, maxTokenLife: 300 }]);
    expect(await status(client, await hmac({ exp: seconds + 300 }))).toBe(200);
    expect(await status(client, await hmac({ exp: seconds + 301 }))).toBe(401);
    expect(await status(client, await hmac({}))).toBe(401);
  });
});

describe('a repeated token', () => {
  it('is valid from its start to its expiry', async () => {
    let now = NOW;
    const client = await start([{ ...HMAC, maxTokenLife: 300 }], {}, () => now);
    const token = await hmac({ nbf: seconds, exp: seconds + 310 });
    const statuses: number[] = [];
    for (const second of [-1, 9, 10, 309, 310, 300, -1, 10]) {
      now = NOW + second * 1000;
      statuses.push(await status(client, token));
    }
    expect(statuses).toEqual([401, 401, 200, 200, 401, 200, 401, 200]);
  });

  it('is invalid before its start, even if it was valid at a later time', async () => {
    let now = NOW;
    const client = await start([HMAC], {}, () => now);
    const token = await hmac({ nbf: seconds });
    expect(await status(client, token)).toBe(200);
    now = NOW - 1000;
    expect(await status(client, token)).toBe(401);
    now = NOW;
    expect(await status(client, token)).toBe(200);
  });

  it('has the current rights of its user', async () => {
    const client = await start([HMAC]);
    const admin = bearer(await hmac({}));
    const user = (isDeactivated: boolean) => ({
      id: 'carol',
      primaryParty: '',
      isDeactivated,
      identityProviderId: '',
    });
    const token = await hmac({ sub: 'carol' });
    const statuses = [await status(client, token, '/v2/packages')];
    await client.ledger('POST', '/v2/users', { user: user(false), rights: [] }, admin);
    statuses.push(await status(client, token, '/v2/packages'));
    const updateMask = { paths: ['is_deactivated'], unknownFields: { fields: {} } };
    await client.ledger('PATCH', '/v2/users/carol', { user: user(true), updateMask }, admin);
    statuses.push(await status(client, token, '/v2/packages'));
    expect(statuses).toEqual([403, 200, 403]);
  });

  it('is distinguished from another token with the same beginning', async () => {
    const client = await start([HMAC]);
    const token = await hmac({});
    const [head, , signature] = token.split('.');
    const forged = Buffer.from(
      JSON.stringify({ sub: 'participant_admin', scope: 'daml_ledger_api', aud: 'x' }),
    ).toString('base64url');
    expect(await status(client, token)).toBe(200);
    expect(await status(client, `${head}.${forged}.${signature}`)).toBe(401);
    expect(await status(client, token.slice(0, -2))).toBe(401);
  });

  describe('that is signed with a fetched key', () => {
    const after: (() => void)[] = [];
    afterEach(() => after.splice(0).forEach((undo) => undo()));

    /** @returns whether the set's verifier takes a token; and what changes the keys of the set */
    async function fetched(realClock: () => number, ...more: object[]) {
      let keys: object[] = [{ ...(await exportJWK(p256.publicKey)), kid: 'one' }, ...more];
      let fetches = 0;
      const provider = createServer((_request, response) => {
        fetches += 1;
        response.end(JSON.stringify({ keys }));
      });
      await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
      const { port } = provider.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      const verifier = verifierOf({ type: 'jwt-jwks', url }, { keys: [] }, { now: realClock });
      after.push(() => provider.close());
      return {
        verifier,
        takes: (token: string) =>
          verifier.verify(token).then(
            () => true,
            () => false,
          ),
        sign: (payload = {}) => sign(p256.privateKey, 'ES256', payload, 'one'),
        change: (changed: object[]) => void (keys = changed),
        fetches: () => fetches,
      };
    }

    it('has the reason of a rejection in the journal only', async () => {
      const { verifier } = await fetched(() => NOW);
      const token = await sign(p256.privateKey, 'ES256', {}, 'two');
      await expect(verifier.verify(token)).rejects.toThrow(/^No key is named two$/);
    });

    it('is accepted once its key is in the set, which is fetched again while the key is missing (B-AUTH-035)', async () => {
      const { takes, change, fetches } = await fetched(() => NOW);
      const token = await sign(p256.privateKey, 'ES256', {}, 'two');
      expect([await takes(token), await takes(token), fetches()]).toEqual([false, false, 2]);
      change([{ ...(await exportJWK(p256.publicKey)), kid: 'two' }]);
      expect([await takes(token), await takes(token), fetches()]).toEqual([true, true, 3]);
    });

    it('accepts keys with any use, but only on two curves (B-AUTH-035)', async () => {
      const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      const { takes } = await fetched(
        () => NOW,
        { ...(await exportJWK(p256.publicKey)), kid: 'enc', use: 'enc' },
        { ...(await exportJWK(p384.publicKey)), kid: 'p384' },
      );
      expect(await takes(await sign(p256.privateKey, 'ES256', {}, 'enc'))).toBe(true);
      expect(await takes(await sign(p384.privateKey, 'ES384', {}, 'p384'))).toBe(false);
    });

    it('is rejected five minutes after its key left the set', async () => {
      let now = NOW;
      const { takes, sign, change } = await fetched(() => now);
      const token = await sign();
      expect(await takes(token)).toBe(true);
      change([]);
      const taken: boolean[] = [];
      for (const milliseconds of [0, 5 * 60_000 - 1, 5 * 60_000]) {
        now = NOW + milliseconds;
        taken.push(await takes(token));
      }
      expect(taken).toEqual([true, true, false]);
    });

    it('is cached among a thousand, and then the oldest is dropped', async () => {
      let now = NOW;
      const { takes, sign, change } = await fetched(() => now);
      await takes(await sign());
      now += 2 * 60_000;
      const tokens = await Promise.all(
        Array.from({ length: 1001 }, (_, jti) => sign({ jti: String(jti) })),
      );
      for (const token of tokens.slice(0, 1000)) await takes(token);
      expect(await takes(tokens[0]!)).toBe(true);
      await takes(tokens[1000]!);
      change([]);
      // The key is forgotten by now, tokens are not.
      now = NOW + 5 * 60_000;
      const taken = await Promise.all([0, 1, 1000].map((at) => takes(tokens[at]!)));
      expect(taken).toEqual([false, true, true]);
    });
  });
});

describe('types of claims (B-AUTH-036)', () => {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** Signed whatever it says, and however its parts are written. */
  const signed = (head: string) =>
    `${head}.${createHmac('sha256', 'unsafe').update(head).digest('base64url')}`;
  const forged = (payload: object, header: object = {}) =>
    signed(
      `${json({ alg: 'HS256', ...header })}.${json({ sub: 'participant_admin', ...payload })}`,
    );
  const later = seconds + 100;

  it.each<[string, object, object, number]>([
    ['a null expiry', { exp: null }, {}, 200],
    ['other null times', { nbf: null, iat: null }, {}, 200],
    ['an expiry with a fraction', { exp: later + 0.5 }, {}, 401],
    ['a start with a fraction', { nbf: seconds - 0.5 }, {}, 200],
    ['an expiry above 64 bits', { exp: 1e19 }, {}, 401],
    ['an expiry that is a text', { exp: String(later) }, {}, 401],
    ['an audience that is a number', { aud: 1 }, {}, 401],
    ['an audience list with an element that is not a text', { aud: ['x', 1] }, {}, 401],
    ['a null audience', { aud: null }, {}, 200],
    ['an issuer that is a number', { iss: 1 }, {}, 401],
    ['a null issuer', { iss: null }, {}, 200],
    ['a scope that is a list', { scope: ['daml_ledger_api'] }, {}, 401],
    ['scopes in the claim scp', { scope: undefined, scp: ['x', 'daml_ledger_api'] }, {}, 200],
    ['one scope in the claim scp', { scope: undefined, scp: 'daml_ledger_api' }, {}, 200],
    ['two scopes in one text of scp', { scope: undefined, scp: 'x daml_ledger_api' }, {}, 401],
    ['scopes in scp, and an empty scope', { scope: '', scp: ['daml_ledger_api'] }, {}, 401],
    ['a number in scp', { scope: undefined, scp: ['daml_ledger_api', 1] }, {}, 401],
    ['an unknown critical extension', {}, { crit: ['x'], x: 1 }, 200],
  ])('%s', async (_what, payload, header, expected) => {
    const client = await start([HMAC]);
    const token = forged({ scope: 'daml_ledger_api', ...payload }, header);
    expect(await status(client, token)).toBe(expected);
  });

  it('accepts base64url only (B-AUTH-035)', async () => {
    const client = await start([HMAC]);
    for (let n = 0; ; n += 1) {
      const token = forged({ scope: 'daml_ledger_api', jti: String(n) });
      const [head, payload, signature] = token.split('.');
      const plain = Buffer.from(signature!, 'base64url').toString('base64');
      if (!/[+/]/.test(plain)) continue;
      expect(await status(client, token)).toBe(200);
      expect(await status(client, `${head}.${payload}.${plain}`)).toBe(401);
      return;
    }
  });
});

it('the general maximum lifetime applies to services without their own maximum (B-AUTH-037)', async () => {
  const audience = { ...HMAC, targetAudience: 'long' };
  const services = [{ ...audience, maxTokenLife: 1000 }, HMAC];
  const client = await start(services, { maxTokenLife: 300 });
  const living = async (life: number, aud?: string) =>
    status(client, await hmac({ exp: seconds + life, aud }));
  expect([await living(300), await living(301)]).toEqual([200, 401]);
  expect([await living(1000, 'long'), await living(1001, 'long')]).toEqual([200, 401]);
  expect(await status(client, await hmac({}))).toBe(401);
});

describe('the admin token (B-AUTH-011)', () => {
  it.each([
    [{}, 403, 'MISSING_FIELD', 'NA'],
    [{ adminClaim: true }, 200, 'MISSING_FIELD', 'NA'],
    [{ actAsAnyPartyClaim: true }, 403, 'MISSING_FIELD', 'MISSING_FIELD'],
  ])('with %j', async (claims, administers, asItself, asAnother) => {
    const client = await start([HMAC], { adminToken: 'internal', ...claims });
    expect(await status(client, 'internal', '/v2/users')).toBe(administers);
    expect(await status(client, 'internal', '/v2/state/ledger-end')).toBe(200);
    const alice = client.canticle.participant.allocateParty('alice');
    const submit = async (party: string) => {
      const body = { commands: [], commandId: 'c', userId: 'u', actAs: [party] };
      const path = '/v2/commands/submit-and-wait';
      return (await client.ledger('POST', path, body, bearer('internal'))).body.code;
    };
    const { id } = client.canticle.network.participants[0]!;
    expect([await submit(id), await submit(alice)]).toEqual([asItself, asAnother]);
  });
});

describe('a token without a user', () => {
  it('is an administrator with access level Admin, but not a party (B-AUTH-012)', async () => {
    const client = await start([
      { ...HMAC, targetAudience: 'p', privileged: true, accessLevel: 'Admin' },
    ]);
    const token = await hmac({ sub: 'nobody-knows', aud: 'p' });
    expect(await status(client, token)).toBe(200);
    const alice = client.canticle.participant.allocateParty('alice');
    const body = { commands: [], commandId: 'c', actAs: [alice] };
    const answer = await client.ledger('POST', '/v2/commands/submit-and-wait', body, bearer(token));
    expect(answer.status).toBe(403);
  });

  it('may act as any party with the wildcard access level', async () => {
    const client = await start([{ ...HMAC, targetAudience: 'p', privileged: true }]);
    const alice = client.canticle.participant.allocateParty('alice');
    const body = { commands: [], commandId: 'c', actAs: [alice] };
    const answer = await client.ledger(
      'POST',
      '/v2/commands/submit-and-wait',
      body,
      bearer(await hmac({ aud: 'p' })),
    );
    expect(answer.body.code).toBe('MISSING_FIELD');
  });

  it('needs a target audience for its privileged service', async () => {
    await expect(start([{ ...HMAC, privileged: true }])).rejects.toThrow('targetAudience');
  });

  it('may be the admin token between nodes (B-AUTH-011)', async () => {
    const client = await start([HMAC], { adminToken: 'internal', adminClaim: true });
    expect(await status(client, 'internal')).toBe(200);
    expect(await status(client, 'external')).toBe(401);
  });
});

describe('the user of a request', () => {
  it('rejects an Authorization header without a token first (B-AUTH-004)', async () => {
    const client = await start([HMAC]);
    const answer = await client.send('GET', '/v2/version', undefined, {
      headers: { authorization: 'Bearer ' },
    });
    expect([answer.status, answer.body]).toEqual([400, 'Invalid value for: header Authorization']);
    const token = await hmac({});
    const withHeader = (authorization: string | string[]) =>
      client.send('GET', '/v2/parties', undefined, {
        headers: { authorization } as Record<string, string>,
      });
    const twice = await withHeader([`Bearer ${token}`, `Bearer ${token}`]);
    expect([twice.status, twice.body]).toEqual([
      400,
      'Invalid value for: header Authorization (multiple values)',
    ]);
    expect((await withHeader(`Bearer ${token}, Bearer ${token}`)).status).toBe(401);
    for (const taken of [`bearer  ${token}`, `Bearer\t${token}`, ['Basic eDp5', `Bearer ${token}`]])
      expect((await withHeader(taken)).status).toBe(200);
    const basic = await client.send('GET', '/v2/parties', undefined, {
      headers: { authorization: 'Basic eDp5' },
    });
    expect(basic.status).toBe(401);
  });

  it('rejects it also if no token is required', async () => {
    const client = await startClient();
    open.push(client);
    const answer = await client.send('GET', '/v2/authenticated-user', undefined, {
      headers: { authorization: 'Bearer ' },
    });
    expect([answer.status, answer.body]).toEqual([400, 'Invalid value for: header Authorization']);
  });

  it('checks the token before the body', async () => {
    const client = await start([HMAC]);
    const broken = await client.send(
      'POST',
      '/v2/parties',
      '{',
      bearer(await hmac({ sub: 'nobody-knows' })),
    );
    expect(broken.status).toBe(403);
    expect((await client.send('POST', '/v2/parties', '{')).status).toBe(400);
  });

  it('the authenticated user is the user of the token (B-AUTH-013, B-AUTH-014)', async () => {
    const client = await start([HMAC]);
    const token = await hmac({});
    const { body } = await client.ledger('GET', '/v2/authenticated-user', undefined, bearer(token));
    expect(body.user.id).toBe('participant_admin');
    expect(await status(client, token, '/v2/authenticated-user?identity-provider-id=other')).toBe(
      403,
    );
  });

  it('may read itself, and submit with its own user id only (B-AUTH-025)', async () => {
    const client = await start([HMAC]);
    const { canticle } = client;
    const alice = canticle.participant.allocateParty('alice');
    canticle.network.participants[0]!.users.create({ id: 'alice' }, [
      { kind: 'CanActAs', party: alice },
    ]);
    const token = await hmac({ sub: 'alice' });
    expect(await status(client, token, '/v2/users/alice')).toBe(200);
    expect(await status(client, token, '/v2/users/alice/rights')).toBe(200);
    expect(await status(client, token, '/v2/users/participant_admin')).toBe(403);
    const commands = (userId?: string) => ({
      commands: [],
      commandId: 'c',
      actAs: [alice],
      userId,
    });
    const submit = (userId?: string) =>
      client.ledger('POST', '/v2/commands/submit-and-wait', commands(userId), bearer(token));
    expect((await submit('alice')).body.code).toBe('MISSING_FIELD');
    expect((await submit()).body.code).toBe('MISSING_FIELD');
    expect((await submit('bob')).status).toBe(403);
  });

  it('may allocate parties for itself within its quota (B-AUTH-020)', async () => {
    const allocate = async (maxSelfAllocatedParties?: number) => {
      const client = await start([HMAC], { maxSelfAllocatedParties });
      client.canticle.network.participants[0]!.users.create({ id: 'alice' });
      const post = async (partyIdHint: string, userId = 'alice') =>
        (
          await client.ledger(
            'POST',
            '/v2/parties',
            { partyIdHint, userId },
            bearer(await hmac({ sub: 'alice' })),
          )
        ).status;
      return [await post('one'), await post('two'), await post('three', 'participant_admin')];
    };
    expect(await allocate()).toEqual([403, 403, 403]);
    expect(await allocate(1)).toEqual([200, 403, 403]);
  });

  it('needs a participant admin for rights that a user admin cannot grant (B-USR-030)', async () => {
    const client = await start([HMAC]);
    const rights = [{ kind: { ParticipantAdmin: { value: {} } } }];
    const { status: granted } = await client.ledger(
      'POST',
      '/v2/users',
      { user: { id: 'boss' }, rights },
      bearer(await hmac({})),
    );
    expect(granted).toBe(200);
    expect(await status(client, await hmac({ sub: 'boss' }))).toBe(200);
  });
});

describe('identity providers', () => {
  async function withProvider(audience = '') {
    const issuing = await startClient({ seed: 8, realClock: () => NOW });
    open.push(issuing);
    const client = await start([HMAC]);
    const { identityProviders, users } = client.canticle.network.participants[0]!;
    const jwksUrl = `${issuing.canticle.url}/canticle/v1/issuer/jwks`;
    identityProviders.create({
      identityProviderId: 'company',
      issuer: 'https://company',
      jwksUrl,
      audience,
    });
    users.create({ id: 'clerk', identityProviderId: 'company' }, [
      { kind: 'IdentityProviderAdmin' },
    ]);
    const token = (sub: string, more = {}) =>
      issuing.canticle.accessToken({ sub, issuer: 'https://company', ...more });
    return { client, identityProviders, users, token };
  }

  it('accept tokens of a configured issuer, for their users', async () => {
    const { client, token, identityProviders } = await withProvider();
    expect(await status(client, await token('clerk'))).toBe(200);
    expect(await status(client, await token('participant_admin'))).toBe(403);
    expect(await status(client, await token('clerk', { issuer: 'https://other' }))).toBe(401);
    expect(await status(client, await hmac({ sub: 'clerk' }))).toBe(403);
    identityProviders.update({ identityProviderId: 'company', isDeactivated: true }, [
      'is_deactivated',
    ]);
    expect(await status(client, await token('clerk'))).toBe(401);
  });

  it('reject tokens if their key set cannot be fetched', async () => {
    const { client, token, identityProviders } = await withProvider();
    const update = (jwksUrl: string) =>
      identityProviders.update({ identityProviderId: 'company', jwksUrl }, ['jwks_url']);
    update('http://127.0.0.1:1/jwks');
    expect(await status(client, await token('clerk'))).toBe(401);
    update('file:/nowhere');
    expect(await status(client, await token('clerk'))).toBe(401);
  });

  it('require their audience if they have one', async () => {
    const { client, token } = await withProvider('ours');
    expect(await status(client, await token('clerk'))).toBe(401);
    expect(await status(client, await token('clerk', { audience: 'ours' }))).toBe(200);
  });

  it('have an administrator for their own users only', async () => {
    const { client, token, users } = await withProvider();
    const sent = bearer(await token('clerk'));
    const create = (user: object, rights: unknown[] = []) =>
      client.ledger('POST', '/v2/users', { user, rights }, sent);
    expect((await create({ id: 'new' })).body.user.identityProviderId).toBe('company');
    expect((await create({ id: 'more', identityProviderId: 'other' })).status).toBe(403);
    for (const [right, answer] of [
      ['ParticipantAdmin', 403],
      ['CanReadAsAnyParty', 403],
      ['CanExecuteAsAnyParty', 403],
      ['IdentityProviderAdmin', 200],
    ] as const)
      expect([
        right,
        (await create({ id: 'deputy' }, [{ kind: { [right]: { value: {} } } }])).status,
      ]).toEqual([right, answer]);
    await client.ledger('DELETE', '/v2/users/deputy', undefined, sent);
    const listed = (await client.ledger('GET', '/v2/users', undefined, sent)).body.users;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(['clerk', 'new']);
    expect((await client.ledger('GET', '/v2/users/new/rights', undefined, sent)).status).toBe(200);
    expect(
      (await client.ledger('DELETE', '/v2/users/participant_admin', undefined, sent)).status,
    ).toBe(403);
    expect((await client.ledger('DELETE', '/v2/users/new', undefined, sent)).status).toBe(200);
    expect((await client.ledger('GET', '/v2/idps', undefined, sent)).status).toBe(403);
    expect(users.lookup('new')).toBeUndefined();
  });
});
