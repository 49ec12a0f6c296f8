/** The parts of the Ledger API that release 3.6 disables, and the options that enable each group of them again (B-DEP-*). */
import type { StartOptions } from 'canticle';
import { StreamClient } from '../../support/stream-client.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';

let api: LedgerApi;
afterEach(() => api.client.close());
const start = async (options: StartOptions = {}) =>
  (api = await startLedgerApi({ canton: '3.6', ...options }));

type Group = 'endpoints-34' | 'parameters-34' | 'endpoints-35';

const causeOf = (group: Group, used: string): string =>
  `${used} was deprecated in Canton 3.${group.endsWith('5') ? '5' : '4'}, is disabled by default since Canton 3.6 ` +
  'and will be removed in Canton 3.7. ' +
  `Set \`canton.participants.<participant>.features.deprecated.enable-deprecated-${group} = true\` to re-enable it temporarily.`;

/** The operations, with their facts. The path of a request can have values instead of names. */
const DISABLED: [fact: string, Group, method: string, path: string, replacement: string][] = [
  ['R-36-005', 'endpoints-34', 'POST', '/v2/updates/flats', 'POST /v2/updates'],
  ['R-36-006', 'endpoints-34', 'POST', '/v2/updates/trees', 'POST /v2/updates'],
  [
    'R-36-007',
    'endpoints-34',
    'GET',
    '/v2/updates/transaction-tree-by-offset/{offset}',
    'POST /v2/updates/update-by-offset',
  ],
  [
    'R-36-008',
    'endpoints-34',
    'GET',
    '/v2/updates/transaction-tree-by-id/{update-id}',
    'POST /v2/updates/update-by-id',
  ],
  [
    'R-36-009',
    'endpoints-34',
    'POST',
    '/v2/updates/transaction-by-offset',
    'POST /v2/updates/update-by-offset',
  ],
  [
    'R-36-010',
    'endpoints-34',
    'POST',
    '/v2/updates/transaction-by-id',
    'POST /v2/updates/update-by-id',
  ],
  [
    'R-36-011',
    'endpoints-34',
    'POST',
    '/v2/commands/submit-and-wait-for-transaction-tree',
    'POST /v2/commands/submit-and-wait-for-transaction',
  ],
  [
    'R-36-012',
    'endpoints-34',
    'GET',
    '/v2/interactive-submission/preferred-package-version',
    'POST /v2/interactive-submission/preferred-packages',
  ],
  ['R-36-018', 'endpoints-35', 'GET', '/v2/package-vetting', 'POST /v2/package-vetting/list'],
  ['R-36-018', 'endpoints-35', 'POST', '/v2/package-vetting', 'POST /v2/package-vetting/update'],
  [
    'R-36-019',
    'endpoints-35',
    'GET',
    '/v2/state/active-contracts-page',
    'POST /v2/state/active-contracts-page',
  ],
];

const requestPath = (path: string): string =>
  path
    .replace('{offset}', '1?parties=alice')
    .replace('{update-id}', '1220ab?parties=alice')
    .replace(/version$/, 'version?package-name=model&parties=alice');

describe('release 3.6', () => {
  it.each(DISABLED)(
    'rejects an operation that it disables: %s, %s, %s %s (B-DEP-001, R-36-001, R-36-002, R-36-004)',
    async (_, group, method, path) => {
      await start();
      const { status, body } = await api.client.ledger(method, requestPath(path), {});
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'DEPRECATED_API_DISABLED',
        cause: causeOf(group, `${method} ${path}`),
        correlationId: body.traceId,
        context: {},
        resources: [],
        errorCategory: 9,
        grpcCodeValue: 9,
        definiteAnswer: false,
      });
    },
  );

  it('lists disabled operations in its document, with their replacement (B-DEP-005, R-36-020)', async () => {
    await start();
    const { body } = await api.client.ledger('GET', '/docs/openapi');
    const document = String(body).replace(/\s+/g, ' ');
    for (const [, group, , , replacement] of DISABLED)
      expect(document).toContain(
        `(re-enable temporarily with \`canton.participants.<participant>.features.deprecated.enable-deprecated-${group} = true\`) and will be removed in Canton 3.7. Use ${replacement} instead.`,
      );
    const { body: channels } = await api.client.ledger('GET', '/docs/asyncapi');
    const shown = String(channels).replace(/\s+/g, ' ');
    expect(shown).toContain('Use /v2/updates instead.');
    expect(shown.match(/Deprecated since Canton 3\.4/g)).toHaveLength(2);
  });

  it('rejects before it reads the body, but after it reads the path and checks the token (B-DEP-002, R-36-003)', async () => {
    await start();
    const flats = await api.client.ledger('POST', '/v2/updates/flats', 'no JSON');
    expect(flats.body.code).toBe('DEPRECATED_API_DISABLED');
    const path = '/v2/updates/transaction-tree-by-offset/none';
    const unread = await api.client.ledger('GET', path);
    expect(unread.status).toBe(400);
    expect(unread.body).toContain('Invalid value for: path parameter offset');
  });

  it('rejects the token of an unknown user first; a token that no service accepts counts as none (B-DEP-002, R-36-003)', async () => {
    await start({ auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'secret' }] } });
    const answerTo = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${api.canticle.url}/v2/package-vetting`, { headers });
      const { code } = (await answer.json()) as { code: string };
      return [answer.status, code];
    };
    const unknown = await api.canticle.accessToken({ sub: 'nobody' });
    expect(await answerTo(unknown)).toEqual([403, 'NA']);
    expect(await answerTo('of.no.use')).toEqual([400, 'DEPRECATED_API_DISABLED']);
  });

  it.each(['/v2/updates/flats', '/v2/updates/trees'])(
    'opens the WebSocket %s, and sends the error without waiting for a request (B-DEP-003, R-36-014)',
    async (path) => {
      await start();
      const client = new StreamClient(`${api.canticle.url}${path}`);
      expect(await client.closed).toBe(1000);
      expect(client.frames).toHaveLength(1);
      expect(client.frames[0]).toMatchObject({
        code: 'DEPRECATED_API_DISABLED',
        cause: causeOf('endpoints-34', `GET ${path}`),
      });
    },
  );

  describe('filter and verbose', () => {
    const filter = { filtersForAnyParty: { cumulative: [wildcard()] } };
    const cause = (path: string) =>
      causeOf('parameters-34', `The fields filter/verbose of the ${path} requests`);

    it.each([
      ['R-36-015', '/v2/updates', { beginExclusive: 0, filter, verbose: true }],
      ['R-36-015', '/v2/updates', { beginExclusive: 0, filter, verbose: false }],
      ['R-36-016', '/v2/state/active-contracts', { activeAtOffset: 0, filter, verbose: false }],
    ])('are rejected: %s, %s %j (B-DEP-004)', async (_, path, body) => {
      await start();
      const expected = {
        code: 'DEPRECATED_API_DISABLED',
        cause: cause(path),
        correlationId: null,
        errorCategory: 9,
      };
      const answer = await api.post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject(expected);
      expect(answer.body.traceId).toMatch(/^[0-9a-f]{32}$/);
      const client = await new StreamClient(`${api.canticle.url}${path}`).send(body);
      expect(await client.closed).toBe(1000);
      expect(client.frames).toMatchObject([expected]);
    });

    it('may be absent or false next to the current member (B-DEP-004, R-36-017)', async () => {
      await start();
      const format = eventFormat([], wildcard());
      const endInclusive = await api.ledgerEnd();
      const updates = { updateFormat: updateFormat('ACS_DELTA', format), verbose: false };
      await api.ok('/v2/updates', { beginExclusive: 0, endInclusive, ...updates });
      const contracts = { activeAtOffset: endInclusive, eventFormat: format, verbose: false };
      await api.ok('/v2/state/active-contracts', contracts);
    });
  });
});

describe('the options of release 3.6', () => {
  it('enable each group of disabled parts alone (B-DEP-001, R-36-004)', async () => {
    const outcomes = async (options: StartOptions) => {
      await start(options);
      const [alice] = await api.parties('alice');
      await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
      const filter = { filtersByParty: { [alice]: {} } };
      const end = await api.ledgerEnd();
      const answers = [
        await api.post('/v2/updates/transaction-by-offset', {
          offset: end,
          requestingParties: [alice],
        }),
        await api.post('/v2/state/active-contracts', { filter, activeAtOffset: end }),
        await api.client.ledger('GET', '/v2/package-vetting', {}),
      ];
      await api.client.close();
      return answers.map(({ status, body }) => (status === 200 ? 'accepted' : body.code));
    };
    const rejected = 'DEPRECATED_API_DISABLED';
    expect(await outcomes({})).toEqual([rejected, rejected, rejected]);
    expect(await outcomes({ enableDeprecatedEndpoints34: true })).toEqual([
      'accepted',
      rejected,
      rejected,
    ]);
    expect(await outcomes({ enableDeprecatedParameters34: true })).toEqual([
      rejected,
      'accepted',
      rejected,
    ]);
    expect(await outcomes({ enableDeprecatedEndpoints35: true })).toEqual([
      rejected,
      rejected,
      'accepted',
    ]);
  });

  it('let the older streams run: the members filter and verbose belong to them (B-DEP-003, B-DEP-004)', async () => {
    await start({ enableDeprecatedEndpoints34: true });
    const [alice] = await api.parties('alice');
    await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
    const client = new StreamClient(`${api.canticle.url}/v2/updates/flats`);
    await client.send({ beginExclusive: 0, filter: { filtersByParty: { [alice]: {} } } });
    await client.until(() => client.elements.length === 1);
    client.socket.close();
  });
});

it.each(['3.4', '3.5'] as const)('release %s disables nothing', async (canton) => {
  await start({ canton });
  const filter = { filtersForAnyParty: { cumulative: [wildcard()] } };
  await api.ok('/v2/updates', { beginExclusive: 0, endInclusive: await api.ledgerEnd(), filter });
  expect((await api.client.ledger('GET', '/v2/package-vetting', {})).status).toBe(200);
});

describe('the option `canton`', () => {
  it('is the new name of apiVersion', async () => {
    await start({ canton: '3.4' });
    const { body } = await api.client.ledger('GET', '/v2/version');
    expect(body.version).toBe('3.4.12');
  });

  it('accepts an equal apiVersion, and rejects another', async () => {
    await start({ canton: '3.4', apiVersion: '3.4' });
    await expect(startLedgerApi({ canton: '3.4', apiVersion: '3.5' })).rejects.toThrow(
      "two releases, canton: '3.4' and apiVersion: '3.5'. Remove apiVersion.",
    );
  });
});
