/** The registry's metadata: who it is, its instruments, and their pages. */
import fc from 'fast-check';
import { check } from '../../support/property.js';
import { RegistryWorld } from './registry-world.js';

const BASE = '/registry/metadata/v1';

interface Page {
  readonly instruments: readonly { readonly id: string }[];
  readonly nextPageToken: string | null;
}

test('/info returns the admin and the registry-wide APIs (R-MD-001)', async () => {
  const world = new RegistryWorld();
  expect((await world.get(`${BASE}/info`)).body).toEqual({
    adminId: world.admin,
    supportedApis: { 'splice-api-token-metadata-v1': 1 },
  });
});

test('an instrument has its current total supply (R-MD-005, R-MD-010, R-MD-011)', async () => {
  const world = new RegistryWorld();
  const supply = async () =>
    (await world.get<{ totalSupply: string }>(`${BASE}/instruments/TestToken`)).body.totalSupply;
  expect(await supply()).toBe('0.0000000000');
  world.mint(world.alice, '2.5');
  const snapshot = world.network.snapshot();
  const token = world.mint(world.bob, '4');
  expect(await supply()).toBe('6.5000000000');
  // A token in flight is still a token.
  world.unassign(world.bob, [token]);
  expect(await supply()).toBe('6.5000000000');
  world.network.revert(snapshot);
  expect((await world.get(`${BASE}/instruments/TestToken`)).body).toEqual({
    id: 'TestToken',
    name: 'Canticle Test Token',
    symbol: 'TEST',
    decimals: 10,
    totalSupply: '2.5000000000',
    totalSupplyAsOf: expect.stringMatching(/^2026-01-01T00:00:00/),
    paused: false,
    pauseInfo: null,
    supportedApis: expect.objectContaining({ 'splice-api-token-transfer-instruction-v2': 1 }),
    showAccountInputFields: null,
    accountInputFieldsToShow: [],
  });
});

test('returns 404 for an unknown instrument (R-MD-004)', async () => {
  expect(await new RegistryWorld().get(`${BASE}/instruments/Gold`)).toEqual({
    status: 404,
    body: { error: 'No instrument with id Gold found' },
  });
});

test('pages of any size contain the list by id, and only a page with successors has a token (R-MD-014)', async () => {
  const world = new RegistryWorld();
  const ids = ['Gold', 'Silver', 'Bronze', 'a/b c', 'TestToken'].sort();
  for (const id of ids) world.mint(world.alice, '1', id);
  await check(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), async (pageSize) => {
      const seen: string[] = [];
      let token: string | null = null;
      do {
        const after: string = token === null ? '' : `&pageToken=${encodeURIComponent(token)}`;
        const { body }: { body: Page } = await world.get<Page>(
          `${BASE}/instruments?pageSize=${pageSize}${after}`,
        );
        expect(body.instruments.length).toBeGreaterThan(0);
        seen.push(...body.instruments.map(({ id }) => id));
        token = body.nextPageToken;
      } while (token !== null);
      expect(seen).toEqual(ids);
    }),
  );
});

test('25 to a page by default (R-MD-002)', async () => {
  const world = new RegistryWorld();
  for (let i = 0; i < 26; i++) world.mint(world.alice, '1', `T${i}`);
  const { body } = await world.get<Page>(`${BASE}/instruments`);
  expect(body.instruments).toHaveLength(25);
  expect(body.nextPageToken).toBe(body.instruments.at(-1)!.id);
});
