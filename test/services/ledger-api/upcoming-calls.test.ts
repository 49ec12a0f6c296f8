/** The marks of calls that use what the next release disables or removes, and the line that counts them. */
import type { StartOptions } from 'canticle';
import { UpcomingCalls, upcomingText } from '../../../src/services/upcoming-calls.js';
import { operationsOf } from '../../../src/spec/index.js';
import { GrpcClient } from '../../support/grpc/client.js';
import { startLedgerApi, wildcard, type LedgerApi } from '../../support/ledger-api.js';
import { StreamClient } from '../../support/stream-client.js';

let api: LedgerApi;
afterEach(() => api.client.close());
const start = async (options: StartOptions = {}) => (api = await startLedgerApi(options));

const filter = { filtersForAnyParty: { cumulative: [wildcard()] } };
const marks = () =>
  api.canticle.requests.list().flatMap(({ deprecated }) => (deprecated ? [deprecated] : []));

/** The values that a path needs. */
const called = (path: string): string =>
  path.replace('{offset}', '1?parties=alice').replace('{update-id}', '1220ab?parties=alice');

it('marks each operation that release 3.6 disables, with its group and replacement, at release 3.5', async () => {
  await start();
  const disabled = operationsOf('ledger', '3.6').filter((each) => each.disabled !== undefined);
  expect(disabled).toHaveLength(11);
  for (const { method, path } of disabled)
    await api.client.ledger(method.toUpperCase(), called(path), {});
  expect(marks()).toEqual(
    disabled.map(({ method, path, disabled }) => ({
      ...disabled,
      api: `${method.toUpperCase()} ${path}`,
      effect: 'disables',
      release: '3.6',
    })),
  );
});

it('says that release 3.7 removes what release 3.6 disables, whether it is enabled again or not', async () => {
  await start({ canton: '3.6', enableDeprecatedEndpoints35: true });
  await api.client.ledger('GET', '/v2/package-vetting', {});
  await api.client.ledger('POST', '/v2/updates/flats', {});
  expect(marks()).toMatchObject([
    { api: 'GET /v2/package-vetting', effect: 'removes', release: '3.7' },
    { api: 'POST /v2/updates/flats', effect: 'removes', release: '3.7' },
  ]);
});

it('marks nothing at release 3.4, because release 3.5 disables nothing', async () => {
  await start({ canton: '3.4' });
  await api.client.ledger('GET', '/v2/package-vetting', {});
  await api.post('/v2/state/active-contracts', { activeAtOffset: 0, filter });
  expect(marks()).toEqual([]);
});

it('marks no other operation, and no unknown one', async () => {
  await start();
  await api.client.ledger('GET', '/v2/version');
  await api.client.ledger('GET', '/v2/toString');
  await api.client.ledger('POST', '/v2/package-vetting/list', {});
  expect(marks()).toEqual([]);
});

describe('the members filter and verbose', () => {
  const body = { beginExclusive: 0, filter, verbose: true };
  const mark = {
    group: 'parameters-34',
    api: 'filter/verbose of /v2/updates',
    instead: 'updateFormat',
    effect: 'disables',
    release: '3.6',
  };

  it('are marked over HTTP', async () => {
    await start();
    await api.post('/v2/updates', { ...body, endInclusive: await api.ledgerEnd() });
    await api.post('/v2/state/active-contracts', { activeAtOffset: 0, filter });
    expect(marks()).toEqual([
      mark,
      { ...mark, api: 'filter/verbose of /v2/state/active-contracts', instead: 'eventFormat' },
    ]);
  });

  it('are marked over a WebSocket, in an entry after that of its opening', async () => {
    await start();
    const before = api.canticle.requests.lastId;
    const client = await new StreamClient(`${api.canticle.url}/v2/updates`).send(body);
    while (marks().length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.socket.close();
    const entries = api.canticle.requests.list({ since: before + 1 });
    expect(entries.map(({ status, deprecated }) => [status, deprecated])).toEqual([
      [101, undefined],
      [101, mark],
    ]);
  });

  it('are not marked if the current member replaces them', async () => {
    await start();
    const format = { eventFormat: { ...filter, verbose: false } };
    await api.post('/v2/state/active-contracts', { activeAtOffset: 0, ...format });
    expect(marks()).toEqual([]);
  });
});

it('marks a WebSocket of an operation that release 3.6 disables, when it opens', async () => {
  await start();
  const client = new StreamClient(`${api.canticle.url}/v2/updates/flats`);
  await client.opened();
  client.socket.close();
  expect(marks()).toMatchObject([{ api: 'GET /v2/updates/flats', instead: 'POST /v2/updates' }]);
});

it('marks the gRPC method that release 3.6 disables, and not a method that stays', async () => {
  await start({ grpc: true });
  const grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  const [alice] = await api.parties('alice');
  const service = 'interactive.InteractiveSubmissionService';
  const request = { parties: [alice], packageName: 'model-tests' };
  await grpc.call(`${service}/GetPreferredPackageVersion`, request);
  await grpc.call('PackageService/ListVettedPackages', {});
  grpc.close();
  expect(marks()).toEqual([
    {
      group: 'endpoints-34',
      api: 'InteractiveSubmissionService/GetPreferredPackageVersion',
      instead: `${service}/GetPreferredPackages`,
      effect: 'disables',
      release: '3.6',
    },
  ]);
});

describe('the line', () => {
  const change = (name: string) =>
    ({
      group: 'endpoints-35',
      api: `GET /v2/${name}`,
      instead: `POST /v2/${name}`,
      effect: 'disables',
      release: '3.6',
    }) as const;

  it('is absent without such calls', () => {
    expect(new UpcomingCalls().line).toBeUndefined();
  });

  it('counts the calls of each part, in a fixed order', () => {
    const calls = new UpcomingCalls();
    for (const name of ['b', 'a', 'b']) calls.add(change(name));
    expect(calls.line).toBe(
      '3 calls use what Canton 3.6 disables: GET /v2/a (1, use POST /v2/a); GET /v2/b (2, use POST /v2/b).',
    );
  });

  it('counts the calls of a journal from now on, and leaves out those without a mark', async () => {
    await start();
    const calls = new UpcomingCalls();
    await api.client.ledger('GET', '/v2/package-vetting', {});
    calls.watch(api.canticle.requests);
    await api.client.ledger('GET', '/v2/version');
    expect(calls.line).toBeUndefined();
    await api.client.ledger('GET', '/v2/package-vetting', {});
    expect(calls.line).toMatch(/^1 call uses .*: GET \/v2\/package-vetting \(1, /);
  });

  it('names several effects, and speaks of one call', () => {
    const calls = new UpcomingCalls();
    calls.add(change('a'));
    expect(calls.line).toMatch(/^1 call uses what Canton 3\.6 disables: /);
    calls.add({ ...change('b'), effect: 'removes', release: '3.7' });
    expect(calls.line).toMatch(
      /^2 calls use what Canton 3\.6 disables, and what Canton 3\.7 removes: /,
    );
  });

  it('names at most five parts', () => {
    const calls = new UpcomingCalls();
    for (const name of ['a', 'b', 'c', 'd', 'e']) calls.add(change(name));
    expect(calls.line).toMatch(/\/v2\/e\)\.$/);
    calls.add(change('f'));
    expect(calls.line).toMatch(/\/v2\/e\); 1 more\.$/);
  });

  it('of one call says what happens to it', () => {
    expect(upcomingText(change('a'))).toBe('Canton 3.6 disables GET /v2/a. Use POST /v2/a.');
  });
});
