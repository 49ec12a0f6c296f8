/**
 * CANTICLE_UPSTREAM: one suite of useCanticle runs on Canticle and on another participant (a `canticle sandbox` that requires
 * tokens), with the same results. Controls that a real participant does not have are refused by name.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useCanticle } from '../../src/testing/jest.js';
import { useCanticle as useCanticleWith } from '../../src/testing/runner/use-canticle.js';
import { requestAsPage, openAsPage } from '../support/page-requests.js';
import { RunningCommand } from '../cli/running-sandbox.js';
import { ensureBuilt } from '../repository/built-package.js';
import { suiteOf } from './upstream-suite.js';

type Json = any;

const encoded = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: 'participant_admin', scope: 'daml_ledger_api', exp: 4e9 })}`;
const token = `${signed}.${createHmac('sha256', 'x').update(signed).digest('base64url')}`;

/** Runs a file like a test runner: hooks around each test. */
async function ran(suite: typeof suiteOf, options: Json = {}) {
  const hooks: Record<string, (() => unknown)[]> = {};
  const hook = (name: string) => (action: () => unknown) => (hooks[name] ??= []).push(action);
  const names = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];
  const runner = Object.fromEntries(names.map((name) => [name, hook(name)])) as Json;
  const run = async (name: string) => {
    for (const action of hooks[name] ?? []) await action();
  };
  const tests = suite(useCanticleWith({ ...options, runner }));
  const seen: Record<string, unknown> = {};
  await run('beforeAll');
  try {
    for (const [name, test] of Object.entries(tests)) {
      await run('beforeEach');
      seen[name] = plain(await test());
      await run('afterEach');
    }
  } finally {
    await run('afterAll');
  }
  return seen;
}

/** Without ids of this network, and without the suffixes of party hints of several runs. */
const plain = (seen: unknown): unknown =>
  JSON.parse(
    JSON.stringify(seen ?? null)
      .replace(/[0-9a-f]{64,}/g, 'ID')
      .replace(/(bank|alice)-[0-9a-f]{8}-\d+::/g, '$1::'),
  );

let upstream: RunningCommand;
let url: string;

beforeAll(async () => {
  await ensureBuilt();
  const flags = ['--auth', 'unsafe-jwt-hmac-256=x', '--seed', '9'];
  upstream = new RunningCommand('sandbox', '--json-api-port', '0', ...flags);
  url = /JSON Ledger API {2}(\S+)/.exec(await upstream.ready())![1]!;
  // The packages of Canticle come when something of the DSO's is asked for.
  await fetch(`${url}/registry/metadata/v1/info`);
}, 60_000);
afterAll(() => upstream.kill());
afterEach(() => {
  delete process.env['CANTICLE_UPSTREAM'];
  delete process.env['CANTICLE_UPSTREAM_TOKEN'];
});

function elsewhere(address = url, given = token): void {
  process.env['CANTICLE_UPSTREAM'] = address;
  process.env['CANTICLE_UPSTREAM_TOKEN'] = given;
}

it('runs the same suite on another participant, repeatedly', async () => {
  const here = await ran(suiteOf, { seed: 3, synchronizers: ['synchronizer-1'] });
  elsewhere();
  for (let round = 0; round < 2; round++) {
    const there = await ran(suiteOf, { seed: 3 });
    for (const [name, seen] of Object.entries(there))
      if (!/^(moves|mints|takes|cuts)/.test(name)) expect([name, seen]).toEqual([name, here[name]]);
    const refused = (verb: string) =>
      `Failed to run ${verb} on CANTICLE_UPSTREAM: the participant at URL does not support it. Skip this test if CANTICLE_UPSTREAM is set.`;
    expect(there).toMatchObject({
      'moves time': refused('advanceTime'),
      mints: refused('token.mint'),
      'takes back': refused('snapshot'),
      'cuts a connection': refused('participant.disconnect'),
    });
  }
}, 30_000);

it('reports a problem with the participant, the token, an option or the address', async () => {
  const party = (options: Json = {}) =>
    ran((canticle) => ({ '': () => canticle.participant.allocateParty('x') }), options);
  for (const [address, given, why] of [
    ['nowhere', token, "'nowhere' is not a URL"],
    ['http://127.0.0.1:1', token, 'GET http://127.0.0.1:1/v2/version was not answered: '],
    [url, '', 'It requires a token: use'],
    [url, `${token}x`, 'It does not accept the token.'],
  ] as const) {
    elsewhere(address, given);
    await expect(party()).rejects.toThrow(why);
    delete process.env['CANTICLE_UPSTREAM_TOKEN'];
  }
  elsewhere();
  await expect(party({ scenario: 'x.yaml' })).rejects.toThrow(
    'a client cannot set the option scenario on a real participant',
  );
  await expect(party({ participants: ['a', 'b'] })).rejects.toThrow('several participants');
  const another = (canticle: Json) => ({
    own: async () => (await canticle.accessToken({ sub: 'participant_admin' })) === token,
    '': () => canticle.accessToken({ sub: 'alice' }),
  });
  await expect(ran(another)).rejects.toThrow('Failed to run accessToken of alice');
});

it('fails a test whose answers do not match the schema', async () => {
  const server = createServer((_, response) => response.end('{"version":"3.5.1","features":7}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  elsewhere(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const pending = ran(({ urls }) => ({
    '': async () => (await fetch(`${urls.ledgerApi}/v2/version`)).text(),
  }));
  await expect(pending).rejects.toThrow(
    /CANTICLE_UPSTREAM sent responses that do not match the schema:\n {2}GET \/v2\/version: \/features/,
  );
  server.closeAllConnections();
  server.close();
});

it('adds its token to requests of an allowed page only', async () => {
  elsewhere();
  const statusesWith = async (options: Json = {}) => {
    const seen = await ran(
      ({ urls }) => ({
        statuses: async () => {
          const address = urls.ledgerApi;
          const statuses: Record<string, number[]> = {};
          for (const [name, headers] of Object.entries<Record<string, string>>({
            'no page': {},
            'a page of another site': { origin: 'https://page.example' },
            'a page of this machine': { origin: 'http://localhost:3000' },
            'a page of nowhere': { origin: 'null' },
            'the very address': { origin: address },
            'a name that another site gave this machine': { host: 'page.example' },
          })) {
            const [plain, stream] = [
              await requestAsPage(`${address}/v2/users`, headers),
              await openAsPage(`${address}/v2/updates`, headers),
            ];
            statuses[name] = [plain.status, stream.status];
          }
          return statuses;
        },
      }),
      options,
    );
    return seen['statuses'];
  };
  const taken = [200, 101];
  const refused = [403, 403];
  expect(await statusesWith()).toEqual({
    'no page': taken,
    'a page of another site': refused,
    'a page of this machine': refused,
    'a page of nowhere': refused,
    'the very address': taken,
    'a name that another site gave this machine': refused,
  });
  expect(await statusesWith({ allowOrigins: ['http://localhost:3000'] })).toMatchObject({
    'a page of this machine': taken,
    'a page of another site': refused,
  });
});

it('works for useCanticle of each runner', () => {
  elsewhere('nowhere');
  expect(() => useCanticle()).toThrow("'nowhere' is not a URL");
});
