/** Release 3.7, from its early document: the parts that 3.6 disables are gone, and a token must have an audience. */
import { SignJWT } from 'jose';
import { StreamClient } from '../../support/stream-client.js';
import {
  create,
  eventFormat,
  startLedgerApi,
  updateFormat,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';

let api: LedgerApi;
afterEach(() => api.client.close());

it.each([
  ['POST', '/v2/updates/flats'],
  ['POST', '/v2/updates/trees'],
  ['GET', '/v2/updates/transaction-tree-by-offset/1?parties=alice'],
  ['GET', '/v2/updates/transaction-tree-by-id/1220ab?parties=alice'],
  ['POST', '/v2/updates/transaction-by-offset'],
  ['POST', '/v2/updates/transaction-by-id'],
  ['POST', '/v2/commands/submit-and-wait-for-transaction-tree'],
  ['GET', '/v2/interactive-submission/preferred-package-version?package-name=p&parties=alice'],
  ['GET', '/v2/package-vetting'],
  ['POST', '/v2/package-vetting'],
  ['GET', '/v2/state/active-contracts-page'],
])('has no %s %s, whatever is enabled again (R-36-021)', async (method, path) => {
  api = await startLedgerApi({
    canton: '3.7',
    enableDeprecatedEndpoints34: true,
    enableDeprecatedEndpoints35: true,
  });
  const { status, body } = await api.canticle.handle({ method, path, body: '{}' });
  // The page has the other method.
  expect(status).toBe(path.endsWith('-page') ? 405 : 404);
  expect(body.toString()).not.toContain('DEPRECATED_API_DISABLED');
});

it('has no WebSocket of these paths, and those of the other lists (R-36-021)', async () => {
  api = await startLedgerApi({ canton: '3.7' });
  const open = (path: string) => new StreamClient(`${api.canticle.url}${path}`).opened();
  for (const path of ['/v2/updates/flats', '/v2/updates/trees'])
    await expect(open(path)).rejects.toThrow('404');
  for (const path of ['/v2/updates', '/v2/commands/command-completions'])
    (await open(path)).socket.close();
});

it('requires a format in place of a filter (R-36-021)', async () => {
  api = await startLedgerApi({ canton: '3.7' });
  const [alice] = await api.parties('alice');
  await api.submit(create(model('Dummy'), { operator: alice }), { actAs: alice });
  const { verbose: _, ...filter } = eventFormat([alice]) as any;
  for (const [path, member] of [
    ['/v2/updates', 'update_format'],
    ['/v2/state/active-contracts', 'event_format'],
  ] as const) {
    const body = { beginExclusive: 0, activeAtOffset: 0, filter, verbose: true };
    expect((await api.client.ledger('POST', path, body)).body).toMatchObject({
      code: 'MISSING_FIELD',
      context: { field_name: member },
    });
  }
  expect(await api.updates(updateFormat('ACS_DELTA', eventFormat([alice!])))).not.toEqual([]);
});

describe('a token', () => {
  const auth = { services: [{ type: 'unsafe-jwt-hmac-256', secret: 'unsafe' }] } as const;
  const scoped = { ...auth.services[0], targetScope: 'ours' };
  const status = async (claims: object) => {
    const token = await new SignJWT({ sub: 'participant_admin', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('unsafe'));
    const headers = { authorization: `Bearer ${token}` };
    return (await api.client.ledger('GET', '/v2/parties', undefined, { headers })).status;
  };

  it.each([
    ['3.6', 200],
    ['3.7', 401],
  ] as const)('in %s, one with a scope alone gets %s (R-36-021)', async (canton, expected) => {
    api = await startLedgerApi({ canton, auth });
    expect(await status({ scope: 'daml_ledger_api' })).toBe(expected);
    expect(await status({ scope: 'daml_ledger_api', aud: [] })).toBe(expected);
    const aud = `https://daml.com/jwt/aud/participant/${api.canticle.network.participants[0]!.id}`;
    expect(await status({ aud })).toBe(200);
    await api.client.close();
    api = await startLedgerApi({ canton, auth: { services: [scoped] } });
    expect(await status({ scope: 'ours' })).toBe(expected);
    expect(await status({ scope: 'ours', aud: 'any' })).toBe(200);
  });

  it('of the built-in issuer names its participant, and is accepted', async () => {
    api = await startLedgerApi({
      canton: '3.7',
      auth: { services: [{ type: 'built-in-issuer' }] },
    });
    const token = await api.canticle.accessToken({ sub: 'participant_admin' });
    const headers = { authorization: `Bearer ${token}` };
    expect((await api.client.ledger('GET', '/v2/parties', undefined, { headers })).status).toBe(
      200,
    );
  });
});
