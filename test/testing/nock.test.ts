/** The mount: clients keep their production addresses and are answered in-process. */
import { request as httpsRequest } from 'node:https';
import nock from 'nock';
import { LedgerClient } from '@canton-network/core-ledger-client';
import { createCanticle, startCanticle } from 'canticle';
import { useCanticle } from '../../src/testing/jest.js';
import { mountCanticle, type Mount, type MountOptions } from '../../src/testing/nock.js';

const LEDGER = 'https://participant.example';
const SCAN = 'https://scan.sv-1.global.canton.network.sync.global/api/scan';
const OTHER_SCAN = 'https://gateway.example/sv-2/api/scan';
const REGISTRY = 'https://api.example/api/token-standard/v0/registrars/x';

const canticle = useCanticle({ seed: 7, listen: false });
let mount: Mount | undefined;
afterEach(() => mount?.remove());

const mounted = (options: MountOptions = {}): void => {
  mount = mountCanticle(canticle, [LEDGER, SCAN, OTHER_SCAN, REGISTRY], options);
};
const json = async (url: string): Promise<unknown> => (await fetch(url)).json();

/** The reason that a fetch gives, behind its wrapping. */
async function failure(url: string): Promise<string> {
  try {
    await fetch(url);
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
  throw new Error(`${url} was answered.`);
}

it('answers each API at its own address, without a port', async () => {
  mounted();
  expect(await json(`${LEDGER}/v2/version`)).toMatchObject({
    version: expect.stringMatching(/^3\./),
  });
  const dso = await json(`${SCAN}/v0/dso-party-id`);
  expect(dso).toEqual({ dso_party_id: expect.stringMatching(/^DSO::/) });
  expect(await json(`${OTHER_SCAN}/v0/dso-party-id`)).toEqual(dso);
  expect(await json(`${REGISTRY}/registry/metadata/v1/info`)).toHaveProperty('adminId');
  expect(canticle).toHaveAnswered('getDsoPartyId', 2);
  expect(() => canticle.port).toThrow('does not listen');
});

it('forwards method, query, headers and body unchanged', async () => {
  mounted();
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${LEDGER}/v2/parties?pageSize=1`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ partyIdHint: 'zoë' }).replace('ë', 'e'),
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toHaveProperty('partyDetails.party', expect.stringMatching(/^zoe::/));
  const broken = await fetch(`${LEDGER}/v2/parties`, { method: 'POST', headers, body: '{' });
  const expected = await canticle.handle({ path: '/v2/parties', headers, body: '{' });
  expect(broken.status).toBe(expected.status);
  expect(await broken.text()).toBe(expected.body.toString());
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const upload = await fetch(`${LEDGER}/v2/packages`, { method: 'POST', body: bytes });
  const direct = await canticle.handle({ path: '/v2/packages', body: bytes });
  const { context, ...more } = direct.json() as { context: object };
  const ofItsOwn = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(await upload.json()).toEqual({
    ...more,
    context: { ...context, tid: ofItsOwn },
    traceId: ofItsOwn,
  });
});

it('answers clients of node:https', async () => {
  mounted();
  const body = await new Promise<string>((resolve, reject) => {
    httpsRequest(`${SCAN}/v0/dso-party-id`, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  expect(body).toContain('DSO::');
});

it('answers the official client', async () => {
  mounted();
  const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const client = new LedgerClient({
    baseUrl: new URL(LEDGER),
    logger: { ...silent, child: () => silent } as never,
    accessTokenProvider: { getAccessToken: async () => '' } as never,
  });
  const { offset } = (await client.get('/v2/state/ledger-end')) as { offset: number };
  expect(offset).toBe(canticle.participant.ledgerEnd);
});

it('fails a request that matches no operation, and suggests the nearest', async () => {
  mounted();
  expect(await failure(`${SCAN}/v0/dso-party`)).toMatchInlineSnapshot(
    `"Failed to answer GET https://scan.sv-1.global.canton.network.sync.global/api/scan/v0/dso-party: Canticle has no such operation. Did you mean GET /api/scan/v0/dso-party-id? The option unmatched: 'answer' answers 404 instead."`,
  );
  expect(await failure(`${LEDGER}/v2/verzion`)).toContain('Did you mean GET /v2/version?');
});

it('answers a request without an operation with 404, if the option unmatched is answer', async () => {
  mounted({ unmatched: 'answer' });
  expect((await fetch(`${LEDGER}/v2/verzion`)).status).toBe(404);
});

it('blocks other outgoing requests with the option onlyMounted', async () => {
  mounted({ onlyMounted: true });
  expect(await failure('https://elsewhere.example/')).toMatch(
    /Disallowed net connect for "elsewhere\.example/,
  );
  expect(await json(`${LEDGER}/v2/version`)).toHaveProperty('version');
});

it('does not answer after it is removed', async () => {
  const real = await startCanticle({ seed: 8 });
  const url = `${real.urls.ledgerApi}/v2/parties/participant-id`;
  mount = mountCanticle(canticle, real.urls.ledgerApi);
  expect(await json(url)).toEqual({ participantId: canticle.participant.id });
  mount.remove();
  expect(await json(url)).toEqual({ participantId: real.participant.id });
  await real.close();
});

it('gives each participant a separate address', async () => {
  const two = createCanticle({ seed: 9, participants: [{ name: 'one' }, { name: 'two' }] });
  const bases = [
    'https://one.example',
    { url: 'https://two.example/json-api', participant: 'two' },
  ];
  mount = mountCanticle(two, bases);
  const ids = ['https://one.example', 'https://two.example/json-api'].map((base) =>
    json(`${base}/v2/parties/participant-id`),
  );
  expect(await Promise.all(ids)).toEqual(two.participants.map(({ id }) => ({ participantId: id })));
  expect(() => mountCanticle(two, { url: 'https://x.example', participant: 'three' })).toThrow(
    'Failed to mount https://x.example: there is no participant three, only one, two.',
  );
});

it('rejects an invalid base URL', () => {
  expect(() => mountCanticle(canticle, 'scan.example')).toThrow(
    'Failed to mount "scan.example": a base URL is like https://scan.example/api/scan.',
  );
});

/** Loaded here, because it registers a hook. */
let withNamespace!: typeof import('../../src/testing/nock.js');
jest.isolateModules(() => {
  jest.doMock('nock', () => ({ default: nock }));
  withNamespace = jest.requireActual('../../src/testing/nock.js');
  jest.dontMock('nock');
});

it('loads nock 15 from the module that jest returns on Node 24', async () => {
  mount = withNamespace.mountCanticle(canticle, LEDGER);
  expect(await json(`${LEDGER}/v2/version`)).toHaveProperty('version');
});
