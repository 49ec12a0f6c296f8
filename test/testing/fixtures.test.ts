/** The files of fixtures/messages: they equal new ones, fit their documents, omit only the listed answers, and are typed. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWhole, makeFixtures, SPLICE_DARS, textOf } from '../../fixtures/worlds/make-fixtures.js';
import { type Api, APIS, loadValidators, servedOperations } from '../../src/spec/index.js';
import fc from 'fast-check';
import { createCanticle } from 'canticle';
import { requestBody } from '../../src/testing/fast-check.js';
import { fixture } from '../../src/testing/fixtures.js';
import { skipsWithout } from '../support/foreign-files.js';
import { expectValid } from '../support/validate.js';
import { NOT_MADE } from './fixtures-not-made.js';

const folder = join(__dirname, '..', '..', 'fixtures', 'messages');
const apis = Object.keys(APIS) as Api[];
const textIn = (name: string): string => readFileSync(join(folder, `${name}.json`), 'utf8');
const files = apis.flatMap((api) =>
  readdirSync(join(folder, api)).map((file) => `${api}/${file.replace(/\.json$/, '')}`),
);

it('equal the answers of the worlds: `npm run fixtures` writes them again', async () => {
  const made = await makeFixtures();
  for (const [name, each] of made) {
    const file = JSON.parse(textIn(name));
    // A test below prints the answers of Splice's own code that cannot be made here.
    const entries = Object.entries<any>(file.exchanges);
    const exchanges = isWhole()
      ? file.exchanges
      : Object.fromEntries(entries.filter(([status]) => status in each.exchanges));
    expect(textOf({ ...file, exchanges })).toBe(textOf(each));
    expect(textIn(name)).toBe(textOf(file));
  }
  if (isWhole()) expect([...made.keys()].sort()).toEqual([...files].sort());
  // Every world there is, one after another: on a machine that others use as well, the suite's bound is too near.
}, 120_000);

skipsWithout('DARs', SPLICE_DARS, 'fixtures of Amulet are what the worlds give');

describe.each(apis)('of the %s API', (api) => {
  it('match their documents, both requests and answers', async () => {
    const { requests } = await loadValidators(api);
    for (const name of files.filter((file) => file.startsWith(`${api}/`))) {
      const { operationId, exchanges } = JSON.parse(textIn(name));
      for (const [status, { request, response }] of Object.entries<any>(exchanges)) {
        // Unreadable bodies do not fit a schema.
        if (status !== '400' && request.contentType === 'application/json')
          expect([name, status, requests[operationId]!(request.body)]).toEqual([
            name,
            status,
            true,
          ]);
        const at = status === 'default' ? 499 : Number(status);
        if (status !== 'default') expect([name, response.status]).toEqual([name, at]);
        const isJson = response.contentType?.startsWith('application/json');
        if (isJson) await expectValid(operationId, at, response.body, api);
        else if (response.contentType?.startsWith('text/'))
          expect([name, typeof response.body]).toEqual([name, 'string']);
      }
    }
  });

  it('exist for each documented status, except those that no world can give', () => {
    const missing = servedOperations(api).flatMap(({ operationId, responses }) => {
      const { exchanges = {} } = files.includes(`${api}/${operationId}`)
        ? JSON.parse(textIn(`${api}/${operationId}`))
        : {};
      const without = Object.keys(responses).filter((status) => !(status in exchanges));
      return without.length === 0 ? [] : [`${operationId} ${without.join(' ')}`];
    });
    expect(missing).toEqual(NOT_MADE[api]);
  });
});

describe('canticle/fixtures', () => {
  it('returns a request and its answers', () => {
    const { offset } = fixture('getV2StateLedger-end').response(200);
    expect(Number.isInteger(offset)).toBe(true);
    expect(fixture('getV2StateLedger-end').request()).toEqual({
      method: 'GET',
      path: '/v2/state/ledger-end',
      headers: {},
      body: undefined,
    });
    const created = fixture('postV2Users');
    expect(created.request().headers).toEqual({ 'content-type': 'application/json' });
    const { user } = created.request().body;
    expect(created.response().user).toMatchObject({ id: user.id });
    expect(created.statuses).toEqual([200, 400, 409]);
    expect(created.response(409)).toMatchObject({ code: 'USER_ALREADY_EXISTS' });
    expect(created.response('default')).toEqual(created.response(409));
    expect(created.response(400)).toContain('Invalid value for: body');
  });

  it('returns copies, so that a test changes only its own copy', () => {
    const { response } = fixture('getV2Users');
    response().users?.splice(0);
    expect(response().users).not.toHaveLength(0);
  });

  it('requires an API if several have the operation', () => {
    expect(fixture('getDsoPartyId').api).toBe('scan');
    expect(fixture('getDsoPartyId', 'validator').request().path).toBe(
      '/api/validator/v0/scan-proxy/dso-party-id',
    );
  });

  it('returns a binary body as bytes', () => {
    const dar = fixture('postV2Dars').request().body as unknown as Uint8Array;
    expect(Buffer.from(dar).subarray(0, 2).toString()).toBe('PK');
  });

  it('returns the messages of a WebSocket', async () => {
    const { accepted, refused } = fixture('postV2StateActive-contracts').streams!;
    const { requests } = await loadValidators('ledger');
    for (const { sent } of [accepted, refused])
      expect(requests['postV2StateActive-contracts']!(sent)).toBe(true);
    await expectValid('postV2StateActive-contracts', 200, accepted.received);
    expect(refused.received).toMatchObject([{ code: 'OFFSET_AFTER_LEDGER_END' }]);
  });

  it('reports an unknown fixture', () => {
    // @ts-expect-error there is no such operation
    expect(() => fixture('getV2Nothing')).toThrow('no API has a served operation with this id');
    // @ts-expect-error Scan has no users
    expect(() => fixture('getV2Users', 'scan')).toThrow(
      'scan has no served operation with this id',
    );
    // @ts-expect-error a mistake
    expect(() => fixture('getV2User')).toThrow('Did you mean getV2Users?');
    expect(() => fixture('getV2Users').response(418)).toThrow('its fixture has 200, 400');
  });
});

it('are the examples of the served documents', async () => {
  const canticle = createCanticle();
  const paths = async (path: string) => (await canticle.handle({ path })).json() as any;
  const ledger = (await paths('/docs/openapi.json')).paths;
  const { parameters, requestBody: body, responses } = ledger['/v2/users/{user-id}'].patch;
  const user = fixture('patchV2UsersUser-id');
  expect(parameters[0].example).toBe('alice-wallet');
  expect(body.content['application/json'].example).toEqual(user.request().body);
  expect(responses['200'].content['application/json'].example).toEqual(user.response());
  expect(responses['400'].content['text/plain'].example).toEqual(user.response(400));
  expect(responses.default.content['application/json'].example).toEqual(user.response('default'));
  const scan = (await paths('/api/scan/docs/openapi.json')).paths;
  const member = scan['/v0/domains/{domain_id}/members/{member_id}/traffic-status'].get;
  expect(member.parameters[1].example).toMatch(/^PAR::/);
});

it('are among the bodies that canticle/fast-check generates', () => {
  const { body } = fixture('postV2Users').request();
  const bodies = fc.sample(requestBody('postV2Users'), { numRuns: 100, seed: 7 });
  expect(bodies).toContainEqual(body);
  expect(new Set(bodies.map((each) => JSON.stringify(each))).size).toBeGreaterThan(50);
});
