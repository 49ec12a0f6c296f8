/**
 * The steps of the official tool's JSON mode before its first case, in order, and its conventions for answers (B-TFR-001 to
 * B-TFR-005, B-TFR-008 to B-TFR-010). They let the tool run against Canticle.
 */
import { request } from 'node:http';
import { multiSync } from '../../src/cli/index.js';
import type { ApiVersion } from '../../src/spec/index.js';
import { buildDar } from '../support/daml/dar-builder.js';
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../support/ledger-api.js';
import { encodePackage } from '../support/daml/lf-encoder.js';
import { model } from '../support/daml/model-package.js';
import { t } from '../support/daml/lf-types.js';
import { useLedgerApi, useParties } from '../support/shared-ledger-api.js';
import { StreamClient } from '../support/stream-client.js';

const dars = ['first', 'second'].map((name) =>
  buildDar(
    encodePackage({
      name,
      modules: { Main: { types: { Thing: { record: { label: t.text } } } } },
    }),
  ),
);

/** @returns how many synchronizers a session finds */
async function startSession(api: LedgerApi, root = ''): Promise<number> {
  const get = async (path: string) => {
    const { status, body } = await api.client.ledger('GET', root + path);
    expect(status).toBe(200);
    return body;
  };
  const { features } = await get('/v2/version');
  expect(features.userManagement.supported).toBe(true);
  expect(features.partyManagement.maxPartiesPageSize).toBeGreaterThan(0);
  const { participantId } = await get('/v2/parties/participant-id');
  const party = encodeURIComponent(participantId);
  const { connectedSynchronizers } = await get(`/v2/state/connected-synchronizers?party=${party}`);
  expect((await get('/v2/state/ledger-end')).offset).toEqual(expect.any(Number));
  for (const dar of dars)
    for (const { synchronizerId } of connectedSynchronizers) {
      const on = encodeURIComponent(synchronizerId);
      const path = `${root}/v2/dars?vetAllPackages=true&synchronizerId=${on}`;
      expect((await api.post(path, dar)).status).toBe(200);
    }
  return connectedSynchronizers.length;
}

describe('the tool starts a session (B-TFR-001, B-TFR-005, B-TFR-008)', () => {
  let api: LedgerApi;
  afterEach(() => api.client.close());

  it.each(['3.4', '3.5', '3.6'] as ApiVersion[])(
    'with release %s and one synchronizer',
    async (apiVersion) => {
      api = await startLedgerApi({ apiVersion });
      expect(await startSession(api)).toBe(1);
    },
  );

  it('with --multi-sync, on the synchronizers of each participant', async () => {
    const { synchronizers, participants } = multiSync(0);
    api = await startLedgerApi({ synchronizers, participants });
    const found: number[] = [];
    for (const { name } of participants)
      found.push(await startSession(api, `/participants/${name}`));
    expect(found).toEqual([2, 2, 1]);
  });
});

const api = useLedgerApi();
const [alice] = useParties(api, 'alice');

/** The protocols in one header, as the tool writes them where it has no token. */
const PROTOCOLS = 'jwt.token.,daml.ws.auth';

it('streams reject the empty token with the documented text (B-TFR-004)', async () => {
  const protocol = await new Promise((resolve, reject) => {
    const upgrade = request(`${api.canticle.url}/v2/state/active-contracts`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16, 1).toString('base64'),
        'sec-websocket-protocol': PROTOCOLS,
      },
    });
    upgrade.on('upgrade', ({ headers }, socket) => {
      socket.destroy();
      resolve(headers['sec-websocket-protocol']);
    });
    upgrade.on('response', ({ statusCode }) => reject(new Error(`status ${statusCode}`)));
    upgrade.on('error', reject);
    upgrade.end();
  });
  expect(protocol).toBe('daml.ws.auth');
});

const STREAMS = [
  '/v2/updates',
  '/v2/state/active-contracts',
  '/v2/commands/completions',
  '/v2/commands/command-completions',
];
const format = () => eventFormat([alice], wildcard());
const streamRequest = (path: string, offset: number, beginExclusive = offset) =>
  ({
    '/v2/updates': {
      beginExclusive,
      endInclusive: offset,
      updateFormat: updateFormat('ACS_DELTA', format()),
    },
    '/v2/state/active-contracts': { activeAtOffset: offset, eventFormat: format() },
    '/v2/commands/completions': { userId: 'tester', parties: [alice], beginExclusive: offset },
    '/v2/commands/command-completions': { parties: [alice], beginExclusive: offset },
  })[path];
const open = (path: string) =>
  new StreamClient(`${api.canticle.url}${path}`, { protocols: PROTOCOLS.split(',') });

it.each(STREAMS)('%s sends one error frame, then closes (B-TFR-009)', async (path) => {
  const stream = await open(path).send(streamRequest(path, (await api.ledgerEnd()) + 5));
  const [error, ...more] = await stream.all();
  expect(more).toEqual([]);
  expectDecodable(error);
  expect(error.code).toBe('OFFSET_AFTER_LEDGER_END');
});

it.each(STREAMS.slice(0, 2))('%s closes at the end offset (B-TFR-009)', async (path) => {
  await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
  const end = await api.ledgerEnd();
  const stream = await open(path).send(streamRequest(path, end, end - 1));
  const frames = await stream.all();
  expect(frames).toHaveLength(1);
  expect(frames[0]).not.toHaveProperty('code');
});

/** HTTP statuses by gRPC code, as the API's own mapping has them. */
const STATUS: Readonly<Record<number, number>> = {
  3: 400,
  5: 404,
  6: 409,
  7: 403,
  9: 400,
  10: 409,
  11: 400,
  13: 500,
};

/** With every member from which the tool builds the gRPC error again. */
function expectDecodable(body: Record<string, unknown>): void {
  expect(body).toMatchObject({
    code: expect.stringMatching(/^[A-Z_]+$/),
    cause: expect.any(String),
    context: expect.any(Object),
    resources: expect.any(Array),
    errorCategory: expect.any(Number),
    grpcCodeValue: expect.any(Number),
  });
  expect(STATUS).toHaveProperty(String(body['grpcCodeValue']));
  for (const member of ['correlationId', 'traceId', 'retryInfo', 'definiteAnswer'])
    expect(body).toHaveProperty(member);
}

it('each refusal has the HTTP status of its gRPC code (B-TFR-002, B-TFR-003, B-ERR-003)', async () => {
  const id = await api.create(model('Dummy'), { operator: alice }, { actAs: alice });
  const WAIT = '/v2/commands/submit-and-wait';
  const commands = (submitted: unknown, more: object = {}) =>
    api.commands(submitted, { actAs: alice, ...more });
  const dummy = create(model('Dummy'), { operator: alice });
  await api.ok(WAIT, commands(dummy, { commandId: 'twice' }));
  const refused: [method: string, path: string, body: unknown, grpcCode: number][] = [
    ['POST', WAIT, commands(dummy, { commandId: 'twice' }), 6],
    ['POST', WAIT, commands([]), 3],
    [
      'POST',
      WAIT,
      commands(
        exercise(model('Dummy'), `00${'ab'.repeat(32)}ca121220${'ab'.repeat(32)}`, 'Consume'),
      ),
      5,
    ],
    ['POST', WAIT, commands(exercise(model('Dummy'), id, 'Assert')), 9],
    ['POST', WAIT, commands(create(model('Dummy'), { operator: 1 })), 13],
    ['POST', '/v2/state/active-contracts', { activeAtOffset: 9_999, eventFormat: format() }, 11],
    ['GET', '/v2/users/nobody', undefined, 5],
    ['GET', `/v2/packages/${'0'.repeat(64)}`, undefined, 5],
    ['POST', '/v2/parties', { partyIdHint: 'a/b' }, 3],
  ];
  for (const [method, path, body, grpcCode] of refused) {
    const answer = await api.client.ledger(method, path, body);
    expectDecodable(answer.body);
    expect(answer.body.grpcCodeValue).toBe(grpcCode);
    expect(answer.status).toBe(STATUS[grpcCode]);
  }
});

it('accepts a command with the fields that the tool sends, and no others (B-TFR-010)', async () => {
  // An optional field may be left out.
  const command = create(model('WithParam'), { operator: alice, number: '1' });
  const commands = { commandId: 'short', userId: 'tester', actAs: [alice], commands: [command] };
  expect(await api.ok('/v2/commands/submit-and-wait', commands)).toEqual({
    updateId: expect.any(String),
    completionOffset: expect.any(Number),
  });
});
