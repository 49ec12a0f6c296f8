/** GET /v2/version (B-VER-001 to B-VER-005). */
import { startClient } from '../support/client.js';

it('returns the version, the limits and the supported features (B-VER-001 to B-VER-005, B-CHK-006)', async () => {
  const client = await startClient();
  const { body } = await client.ledger('GET', '/v2/version');
  await client.close();
  expect(body.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(body.features).toEqual({
    experimental: {
      staticTime: { supported: true },
      commandInspectionService: { supported: true },
    },
    userManagement: { supported: true, maxRightsPerUser: 1000, maxUsersPageSize: 1000 },
    partyManagement: { maxPartiesPageSize: 10_000 },
    offsetCheckpoint: {
      maxOffsetCheckpointEmissionDelay: { seconds: 75, nanos: 0, unknownFields: { fields: {} } },
    },
    packageFeature: { maxVettedPackagesPageSize: 100 },
  });
});

it('does not support static time with the wall clock', async () => {
  const client = await startClient({ clock: 'wall' });
  const { body } = await client.ledger('GET', '/v2/version');
  await client.close();
  expect(body.features.experimental.staticTime).toEqual({ supported: false });
});
