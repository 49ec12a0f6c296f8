/** Scan on itself, on the DSO, on migrations. */
import { SpliceWorld } from '../../support/splice/splice-world.js';

describe('Scan as a node', () => {
  const world = new SpliceWorld();

  test('answers readyz and livez without a body (S-GEN-004)', async () => {
    for (const probe of ['readyz', 'livez'])
      expect(await world.get(`/api/scan/${probe}`)).toEqual({ status: 200, body: undefined });
  });

  test('returns a status with one member, whose uptime follows the clock (S-GEN-006)', async () => {
    const own = new SpliceWorld();
    const uptime = async () =>
      (await own.get<{ success: { uptime: string } }>('/api/scan/status')).body.success.uptime;
    own.network.clock.advance(85n * 3600n * 1_000_000n + 26n * 60n * 1_000_000n - 1n);
    expect(await uptime()).toBe('PT85H26M');
    own.network.clock.advance(595_279n);
    expect(await uptime()).toBe('PT85H26M0.595279S');
    expect((await own.get('/api/scan/status')).body).toEqual({
      success: {
        id: 'amulet::scan-app',
        uptime: 'PT85H26M0.595279S',
        ports: { admin: 5012 },
        active: true,
        extra: null,
      },
    });
  });

  test('returns the version of Splice (S-GEN-005)', async () => {
    expect((await world.get('/api/scan/version')).body).toEqual({
      version: '0.7.4',
      commit_ts: '2026-01-01T00:00:00.000001Z',
    });
  });

  test('Scan and the validator’s proxy report the DSO party (S-DSO-004, P-PROXY-003)', async () => {
    const expected = { dso_party_id: world.splice.dsoParty };
    expect(expected.dso_party_id).toMatch(/^DSO::1220[0-9a-f]{64}$/);
    expect((await world.get('/api/scan/v0/dso-party-id')).body).toEqual(expected);
    expect((await world.get('/api/validator/v0/scan-proxy/dso-party-id')).body).toEqual(expected);
  });

  test('returns the names of the instance and the supported features (S-DSO-012, S-DSO-013)', async () => {
    expect((await world.get('/api/scan/v0/splice-instance-names')).body).toMatchObject({
      network_name: 'Splice',
      amulet_name: 'Amulet',
      amulet_name_acronym: 'AMT',
      name_service_name: 'Amulet Name Service',
      name_service_name_acronym: 'ANS',
    });
    expect((await world.get('/api/scan/v0/feature-support')).body).toEqual({ dummy: null });
  });
});

describe('the migration schedule (S-MIG-001, S-MIG-002)', () => {
  const schedule = (world: SpliceWorld) => world.get('/api/scan/v0/migrations/schedule');
  const last = (world: SpliceWorld) => world.get('/api/scan/v0/migrations/last');
  const NOTHING = { status: 404, body: undefined };

  test('answers 404 with an empty body if no migration is scheduled', async () => {
    expect(await schedule(new SpliceWorld())).toEqual(NOTHING);
  });

  test('returns a scheduled migration, until it is cleared', async () => {
    const world = new SpliceWorld();
    const time = world.network.clock.now() + 3_600_500_000n;
    world.network.migrations.schedule({ time, migrationId: 3 });
    expect(await schedule(world)).toEqual({
      status: 200,
      body: { time: '2026-01-01T01:00:00.500002Z', migration_id: 3 },
    });
    expect((await last(world)).body).toEqual({ migration_id: 0 });
    world.network.migrations.clear();
    expect(await schedule(world)).toEqual(NOTHING);
  });

  test('an executed migration clears the schedule, sets the last id, and retains the id of older updates', async () => {
    const world = new SpliceWorld();
    const alice = world.participant.allocateParty('alice');
    const before = world.network.contracts.get(world.iou(alice))!.createdIn.updateId;
    const snapshot = world.network.snapshot();
    world.migrate(3);
    const after = world.network.contracts.get(world.iou(alice))!.createdIn.updateId;
    expect(await schedule(world)).toEqual(NOTHING);
    expect((await last(world)).body).toEqual({ migration_id: 3 });
    for (const [id, migration_id] of [
      [before, 0],
      [after, 3],
    ] as const)
      expect((await world.get(`/api/scan/v2/updates/${id}`)).body).toMatchObject({ migration_id });
    world.network.revert(snapshot);
    expect((await last(world)).body).toEqual({ migration_id: 0 });
  });
});
