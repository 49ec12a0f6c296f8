/** The rights that each stream requires, how it gets its token, and when it ends (B-AUTH-001, B-AUTH-002, B-AUTH-027, B-AUTH-028). */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { channels, type StreamId } from '../../../src/spec/index.js';
import type { UserRight } from '../../../src/network/index.js';
import {
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { refusedUpgrade, StreamClient, type Opening } from '../../support/stream-client.js';
import { enough, RIGHTS, type Level, type RightName } from './operations.js';

const DUMMY = '#model-tests:Test:Dummy';
const START = Date.UTC(2026, 0, 1);
let now = START;
let api: LedgerApi;
let alice: string;

async function start(canton?: '3.6'): Promise<void> {
  now = START;
  api = await startLedgerApi({
    ...(canton && { canton }),
    realClock: () => now,
    auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }], streamCheckInterval: 1 },
  });
  alice = api.canticle.participant.allocateParty('alice');
}

beforeEach(() => start());
afterEach(() => api.client.close());

const users = () => api.canticle.network.participants[0]!.users;
const bearer = (token: string): Opening => ({ headers: { authorization: `Bearer ${token}` } });

function userWith(right: RightName): Promise<string> {
  const id = `user-of-${right}`;
  const party = alice;
  const needsParty = ['CanActAs', 'CanReadAs', 'CanExecuteAs'].includes(right);
  const rights =
    right === 'nothing'
      ? []
      : [(needsParty ? { kind: right, party } : { kind: right }) as UserRight];
  users().create({ id }, rights);
  return api.canticle.accessToken({ sub: id });
}

const format = () => eventFormat([alice], wildcard());
const REQUESTS: Record<StreamId, { level: Level; body: () => unknown }> = {
  postV2Updates: {
    level: 'readAs',
    body: () => ({
      beginExclusive: 0,
      endInclusive: 1,
      updateFormat: updateFormat('ACS_DELTA', format()),
    }),
  },
  postV2UpdatesFlats: {
    level: 'readAs',
    body: () => ({
      beginExclusive: 0,
      endInclusive: 1,
      filter: { filtersByParty: format().filtersByParty },
      verbose: true,
    }),
  },
  postV2UpdatesTrees: {
    level: 'readAs',
    body: () => ({
      beginExclusive: 0,
      endInclusive: 1,
      filter: { filtersByParty: format().filtersByParty },
      verbose: true,
    }),
  },
  'postV2StateActive-contracts': {
    level: 'readAs',
    body: () => ({ activeAtOffset: 0, eventFormat: format() }),
  },
  postV2CommandsCompletions: {
    level: 'readAs',
    body: () => ({ parties: [alice], beginExclusive: 1_000_000 }),
  },
  'postV2CommandsCommand-completions': {
    level: 'readAsAnyParty',
    body: () => ({ beginExclusive: 1_000_000 }),
  },
};
/** The last code of an allowed stream. Requests for open-ended streams begin after the ledger end. */
const ALLOWED = [undefined, 'OFFSET_AFTER_LEDGER_END'];

describe.each(channels().map(({ path, operationId }) => ({ path, id: operationId as StreamId })))(
  '$path',
  ({ path, id }) => {
    async function last(opening: Opening) {
      const client = await new StreamClient(`${api.canticle.url}${path}`, opening).send(
        REQUESTS[id].body(),
      );
      const frame = (await client.all()).at(-1);
      return {
        code: frame?.code as string | undefined,
        grpcCodeValue: frame?.grpcCodeValue as number | undefined,
      };
    }

    it('without a valid token, sends an error frame first', async () => {
      const expired = await api.canticle.accessToken({ sub: 'participant_admin', expiresIn: -1 });
      const otherScope = await api.canticle.accessToken({
        sub: 'participant_admin',
        scope: 'other',
      });
      for (const opening of [
        {},
        bearer('broken'),
        bearer(expired),
        bearer(otherScope),
        { protocols: ['jwt.token.', 'daml.ws.auth'] },
      ])
        expect(await last(opening)).toEqual({ code: 'NA', grpcCodeValue: 16 });
    });

    it('rejects the token of an unknown user before the upgrade', async () => {
      const token = await api.canticle.accessToken({ sub: 'nobody-knows' });
      const { status, body } = await refusedUpgrade(`${api.canticle.url}${path}`, bearer(token));
      expect([status, body.code, body.context]).toEqual([
        403,
        'NA',
        { ledger_api_error: 'invalid token' },
      ]);
    });

    it.each(RIGHTS)('checks a user with the right %s only', async (right) => {
      const outcome = await last(bearer(await userWith(right)));
      if (enough(REQUESTS[id].level).includes(right)) expect(ALLOWED).toContain(outcome.code);
      else expect(outcome).toEqual({ code: 'NA', grpcCodeValue: 7 });
    });
  },
);

describe('the token of a stream', () => {
  const request = () => ({ beginExclusive: 0, updateFormat: updateFormat('ACS_DELTA', format()) });
  const dummy = () =>
    void api.canticle.participant.create(DUMMY, { operator: alice }, { actAs: [alice] });

  it.each([
    ['jwt.token.T,daml.ws.auth', 'before the other subprotocol'],
    ['jwt.token.T,jwt.token.none,daml.ws.auth', 'the first of two tokens'],
  ])('may be %s: %s', async (template) => {
    const token = await userWith('CanReadAs');
    dummy();
    const client = new StreamClient(`${api.canticle.url}/v2/updates`, {
      protocols: template.replace('T', token).split(','),
    });
    const [first] = await (await client.send(request())).take(1);
    expect(first).toMatchObject({ update: { Transaction: {} } });
    expect(client.socket.protocol).toBe('daml.ws.auth');
    await client.close();
  });

  it.each(['daml.ws.auth,jwt.token.T', 'jwt.token.none,jwt.token.T,daml.ws.auth'])(
    'is ignored after another value: %s (B-AUTH-002)',
    async (template) => {
      const value = template.replace('T', await userWith('CanReadAs'));
      const client = new StreamClient(`${api.canticle.url}/v2/updates`, {
        protocols: value.split(','),
      });
      const [first] = await (await client.send(request())).take(1);
      expect(first).toMatchObject({ code: 'NA', grpcCodeValue: 16 });
      await client.close();
    },
  );

  it('may come after another value from release 3.6 on (R-36-030)', async () => {
    await api.client.close();
    await start('3.6');
    const token = await userWith('CanReadAs');
    dummy();
    const client = new StreamClient(`${api.canticle.url}/v2/updates`, {
      protocols: ['daml.ws.auth', `jwt.token.${token}`],
    });
    const [first] = await (await client.send(request())).take(1);
    expect(first).toMatchObject({ update: { Transaction: {} } });
    await client.close();
  });

  async function openStream(expiresIn?: number) {
    await userWith('CanReadAs');
    const token = await api.canticle.accessToken({ sub: 'user-of-CanReadAs', expiresIn });
    const client = await new StreamClient(`${api.canticle.url}/v2/updates`, bearer(token)).send(
      request(),
    );
    dummy();
    await client.take(1);
    return client;
  }

  it('ends a stream at its next message after the expiry, with an error (B-AUTH-028, B-WS-009)', async () => {
    const client = await openStream(60);
    now += 60_000;
    // Much longer than the interval at which the stream checks its user.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    dummy();
    const all = await client.all();
    expect(all).toHaveLength(2);
    expect(all.at(-1)).toMatchObject({
      code: 'ACCESS_TOKEN_EXPIRED',
      errorCategory: 2,
      grpcCodeValue: 10,
    });
  });

  it('ends a stream when the rights of its user change (B-AUTH-027)', async () => {
    const client = await openStream();
    users().revoke('user-of-CanReadAs', [{ kind: 'CanReadAs', party: alice }]);
    expect((await client.all()).at(-1)).toMatchObject({
      code: 'STALE_STREAM_AUTHORIZATION',
      errorCategory: 2,
      retryInfo: '1 second',
    });
  });

  it.each<[string, () => unknown]>([
    [
      'is deactivated',
      () => users().update({ id: 'user-of-CanReadAs', isDeactivated: true }, ['is_deactivated']),
    ],
    ['is deleted', () => users().delete('user-of-CanReadAs')],
    [
      'gets another identity provider',
      () => {
        const idp = { identityProviderId: 'company', issuer: 'x', audience: '' };
        const { identityProviders } = api.canticle.network.participants[0]!;
        identityProviders.create({ ...idp, jwksUrl: 'http://127.0.0.1:1/jwks' });
        users().moveToIdentityProvider('user-of-CanReadAs', '', 'company');
      },
    ],
  ])('ends a stream when its user %s', async (_what, change) => {
    const client = await openStream();
    change();
    expect((await client.all()).at(-1)).toMatchObject({ code: 'STALE_STREAM_AUTHORIZATION' });
  });

  it.each([
    ['3.6', true],
    ['3.5', false],
  ] as const)(
    'of release %s: the deactivation of its identity provider ends a stream: %s (R-36-048)',
    async (canton, ends) => {
      const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'k' };
      const keys = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
      await once(keys.listen(0, '127.0.0.1'), 'listening');
      const jwksUrl = `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`;
      const own = await startLedgerApi({
        canton,
        auth: { services: [{ type: 'built-in-issuer' }], streamCheckInterval: 1 },
      });
      const [node] = own.canticle.network.participants;
      const party = own.canticle.participant.allocateParty('alice');
      const config = { identityProviderId: 'company', issuer: 'company', jwksUrl, audience: 'us' };
      node!.identityProviders.create(config);
      node!.users.create({ id: 'bob', identityProviderId: 'company' }, [
        { kind: 'CanReadAs', party },
      ]);
      const token = await new SignJWT({ sub: 'bob', iss: 'company', aud: 'us' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .sign(pair.privateKey);
      const client = await new StreamClient(`${own.canticle.url}/v2/updates`, bearer(token)).send({
        beginExclusive: 0,
        updateFormat: updateFormat('ACS_DELTA', eventFormat([party], wildcard())),
      });
      const next = () =>
        own.canticle.participant.create(DUMMY, { operator: party }, { actAs: [party] });
      next();
      await client.take(1);
      node!.identityProviders.update({ ...config, isDeactivated: true }, ['is_deactivated']);
      next();
      const [, second] = await client.take(2);
      if (ends) expect(second).toMatchObject({ code: 'STALE_STREAM_AUTHORIZATION' });
      else expect(second).toMatchObject({ update: { Transaction: {} } });
      await client.close();
      await own.client.close();
      keys.close();
    },
  );

  it('does not end a stream after another change of its user', async () => {
    const client = await openStream();
    users().update({ id: 'user-of-CanReadAs', metadata: { annotations: { a: 'b' } } }, [
      'metadata.annotations',
    ]);
    dummy();
    const element = expect.objectContaining({ update: { Transaction: expect.anything() } });
    expect(await client.take(2)).toEqual([element, element]);
    await client.close();
  });

  it('does not end a stream if it is privileged and has no user', async () => {
    const privileged = await startLedgerApi({
      auth: {
        services: [
          { type: 'unsafe-jwt-hmac-256', secret: 'unsafe', targetAudience: 'p', privileged: true },
        ],
        streamCheckInterval: 1,
      },
    });
    const { participant } = privileged.canticle;
    const party = participant.allocateParty('alice');
    const token = await privileged.canticle.accessToken({ sub: 'nobody-knows', audience: 'p' });
    const client = await new StreamClient(
      `${privileged.canticle.url}/v2/updates`,
      bearer(token),
    ).send({
      beginExclusive: 0,
      updateFormat: updateFormat('ACS_DELTA', eventFormat([party], wildcard())),
    });
    const elements = [];
    for (const count of [1, 2]) {
      participant.create(DUMMY, { operator: party }, { actAs: [party] });
      elements.push((await client.take(count)).at(-1));
    }
    const element = expect.objectContaining({ update: { Transaction: expect.anything() } });
    expect(elements).toEqual([element, element]);
    await client.close();
    await privileged.client.close();
  });
});
