/** Starting and stopping: ports, addresses, connections, what cannot be started. */
import { connect } from 'node:net';
import { createCanticle, LedgerError, startCanticle } from 'canticle';

it('starts on a free port of the loopback interface, and has the URL of each API (B-GEN-010)', async () => {
  const canticle = await startCanticle();
  const { url, port, urls } = canticle;
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(urls).toEqual({
    ledgerApi: url,
    scan: `${url}/api/scan`,
    registry: url,
    validator: `${url}/api/validator`,
    control: `${url}/canticle/v1`,
    inspector: `${url}/canticle/`,
  });
  expect((await fetch(`${urls.ledgerApi}/v2/version`)).status).toBe(200);
  await canticle.close();
});

it('closes at once with an open client connection, and may be closed again', async () => {
  const canticle = await startCanticle();
  const { url } = canticle;
  const socket = connect(canticle.port, '127.0.0.1');
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => {
    socket.once('data', resolve);
    socket.write('GET /v2/version HTTP/1.1\r\nhost: x\r\nconnection: keep-alive\r\n\r\n');
  });
  await canticle.close();
  await ended;
  await canticle.close();
  await expect(fetch(url)).rejects.toThrow();
});

it('reports a port in use', async () => {
  const first = await startCanticle();
  await expect(startCanticle({ port: first.port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Failed to listen on 127.0.0.1:${first.port}: the port is taken. Choose another, or 0 for any free one.`,
  });
  await first.close();
});

it('rejects an invalid time', () => {
  expect(() => createCanticle({ time: 'now' })).toThrow(LedgerError);
});

it('returns the same answers without a port', async () => {
  const [open, closed] = [await startCanticle({ seed: 5 }), createCanticle({ seed: 5 })];
  const body = { partyIdHint: 'alice' };
  const overHttp = await fetch(`${open.url}/v2/parties`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const inside = await closed.handle({ path: '/v2/parties', body });
  expect([inside.status, inside.json()]).toEqual([overHttp.status, await overHttp.json()]);
  expect(() => closed.port).toThrow('does not listen');
  await open.close();
  await closed.close();
});

it('reports the wall clock to the microsecond (B-ID-032)', () => {
  const canticle = createCanticle({ clock: 'wall' });
  const fractions = new Set<string>();
  let latest = '';
  for (let i = 0; i < 50; i++) {
    const before = Date.now();
    const { time } = canticle;
    // Both clocks count milliseconds, and may begin them at different moments.
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + 1);
    expect(time >= latest).toBe(true);
    latest = time;
    fractions.add(/\.\d{3}(\d{3})/.exec(time)?.[1] ?? '000');
  }
  // By chance some are alike, but not most of them.
  expect(fractions.size).toBeGreaterThan(5);
});

it('waits if the clock of the machine goes back a little, and follows it if it goes back more', () => {
  const canticle = createCanticle({ clock: 'wall' });
  const real = Date.now.bind(Date);
  let behind = 0;
  const spy = jest.spyOn(Date, 'now').mockImplementation(() => real() - behind);
  try {
    const before = canticle.time;
    behind = 50;
    const waiting = canticle.time;
    behind = 5_000;
    expect([waiting, canticle.time < before]).toEqual([before, true]);
  } finally {
    spy.mockRestore();
  }
});

it('uses the wall clock if the option is set', () => {
  const before = new Date(Date.now() - 1).toISOString();
  const { time } = createCanticle({ clock: 'wall' });
  expect(time > before).toBe(true);
});

it('has in-process methods for the controls', () => {
  const canticle = createCanticle({ time: '2026-03-01T00:00:00Z' });
  const start = canticle.time;
  const snapshot = canticle.snapshot();
  canticle.advanceTime({ days: 1, seconds: 0.5 });
  canticle.advanceTime(3n);
  canticle.setTime('2026-03-05T00:00:00Z');
  canticle.scheduleMigration({ time: '2026-03-06T00:00:00Z', migrationId: 2 });
  canticle.carryOutMigration();
  expect([canticle.time, canticle.network.migrations.current]).toEqual([
    '2026-03-06T00:00:00.000000Z',
    2,
  ]);
  canticle.scheduleMigration({ time: '2026-03-07T00:00:00Z', migrationId: 3 });
  canticle.clearMigrationSchedule();
  expect(() => canticle.carryOutMigration()).toThrow('No migration is scheduled');
  canticle.revert(snapshot);
  expect([canticle.time, canticle.network.migrations.current]).toEqual([start, 0]);
  canticle.participant.allocateParty('alice');
  const later = canticle.snapshot();
  canticle.reset();
  expect(canticle.time).toBe(start);
  expect(() => canticle.revert(later)).toThrow('Unknown snapshot');
});
