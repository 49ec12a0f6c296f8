/** Invalid options are rejected before anything is created, and the message suggests a valid one. */
import {
  createCanticle,
  startCanticle,
  type CanticleOptions,
  type Duration,
  type StartOptions,
} from 'canticle';

it.each<[string, unknown, string]>([
  ['options that are not an object', 5, 'the options cannot be 5. Expected an object.'],
  ['an unknown name', { sede: 7 }, 'unknown option: sede. Did you mean seed?'],
  ['another type', { seed: '7' }, "seed cannot be '7'. Expected a whole number, 0 or more."],
  [
    'a text in place of a list',
    { dars: 'model.dar' },
    "dars cannot be 'model.dar'. Expected a list.",
  ],
  [
    'an unknown word',
    { clock: 'wal' },
    "clock cannot be 'wal'. Expected one of 'virtual', 'wall'.",
  ],
  ['a negative number', { seed: -1 }, 'Expected a whole number, 0 or more.'],
  [
    'an invalid DAR in a list',
    { dars: ['a.dar', 5] },
    'dars[1] cannot be 5. Expected the bytes of a DAR or',
  ],
  ['an invalid amulet', { amulet: true }, 'amulet cannot be true. Expected the bytes of a DAR or'],
  ['an amulet without a DAR', { amulet: { price: '1.0' } }, 'missing option of amulet: dar.'],
  ['an unknown option of amulet', { amulet: { dar: 'x', fee: 'none' } }, 'Did you mean fees?'],
  [
    'another type of an option of amulet',
    { amulet: { dar: 'x', price: 1 } },
    'price cannot be 1. Expected a string.',
  ],
  ['auth without services', { auth: {} }, 'missing option of auth: services.'],
  [
    'an unknown auth service',
    { auth: { services: [{ type: 'jwt' }] } },
    "type cannot be 'jwt'. Expected one of",
  ],
  [
    'an auth service without its secret',
    { auth: { services: [{ type: 'unsafe-jwt-hmac-256' }] } },
    'services[0].secret of unsafe-jwt-hmac-256 cannot be undefined. Expected a string.',
  ],
  [
    'an auth service without its keys',
    { auth: { services: [{ type: 'jwt-jwks' }] } },
    'services[0].url of jwt-jwks without keys cannot be undefined.',
  ],
  [
    'a DAR as a package',
    { packages: ['x.dar'] },
    'a package of definePackage; a DAR goes into dars',
  ],
  [
    'an invalid cache',
    { cache: true },
    'cache cannot be true. Expected the path of a folder, or false.',
  ],
  [
    'an invalid prefix',
    { registryPrefixes: [5] },
    'registryPrefixes[0] cannot be 5. Expected a string.',
  ],
  ['an unknown view of Scan', { scan: { sees: 'all' } }, "Expected one of 'everything', 'dso'."],
  ['checkpoints', { checkpoints: 5 }, 'checkpoints cannot be 5. Expected an object.'],
  [
    'an invalid client',
    { issuer: { clients: { app: 5 } } },
    'clients.app cannot be 5. Expected a string.',
  ],
  [
    'clients that are not an object',
    { issuer: { clients: 5 } },
    'clients cannot be 5. Expected an object.',
  ],
  [
    'an invalid duration',
    { synchronizers: [{ alias: 'a', assignmentExclusivityTimeout: 60 }] },
    'assignmentExclusivityTimeout cannot be 60. Expected a duration, such as PT1M.',
  ],
  [
    'a long value, which is shortened',
    { seed: 'x'.repeat(101) },
    `seed cannot be '${'x'.repeat(99)}…. Expected`,
  ],
  [
    'a value at the limit of the error',
    { seed: 'x'.repeat(98) },
    `seed cannot be '${'x'.repeat(98)}'. Expected`,
  ],
  ['an empty list of participants', { participants: [] }, 'Expected a list of at least 1.'],
  ['an invalid timeout', { requestTimeout: 0 }, 'Expected a whole number, 1 or more.'],
  ['an unknown release', { apiVersion: '3.8' }, "Expected one of '3.4', '3.5', '3.6', '3.7'."],
  [
    'a port without startCanticle',
    { port: 7575 },
    'createCanticle opens no port and cannot use port. Use startCanticle.',
  ],
  [
    'a missing scenario',
    { scenario: 'nowhere.yaml' },
    "Failed to read the scenario 'nowhere.yaml'",
  ],
  [
    'an unknown option of a participant',
    { participants: [{ name: 'one', synchronizer: ['global'] }] },
    'unknown option of a participant: synchronizer. Did you mean synchronizers?',
  ],
  [
    'a participant without a name',
    { participants: [{}] },
    'missing option of a participant: name.',
  ],
  ['a repeated name', { participants: ['one', 'one'] }, 'two participants have the name one'],
  [
    'a repeated alias',
    { synchronizers: ['a', { alias: 'a' }] },
    'two synchronizers have the name a',
  ],
])('rejects %s', (_, options, message) => {
  expect(() => createCanticle(options as CanticleOptions)).toThrow(message);
});

it('checks the options of a server in the same way', async () => {
  const started = (options: object) => expect(startCanticle(options as StartOptions)).rejects;
  await started({ prot: 0 }).toThrow('Did you mean port?');
  await started({ port: 80_000 }).toThrow(
    'port cannot be 80000. Expected a whole number from 0 to 65535.',
  );
  await started({ ports: { one: '1' } }).toThrow("ports.one cannot be '1'.");
});

it('accepts plain names of participants and synchronizers, as scenario files do', () => {
  const { network, participants } = createCanticle({
    participants: ['one', { name: 'two', synchronizers: ['app'] }],
    synchronizers: ['global', 'app'],
  });
  expect(participants.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(network.synchronizers.map(({ alias }) => alias)).toEqual(['global', 'app']);
});

it('has an administrator besides participant_admin, as a LocalNet does, or the configured one', () => {
  const admins = (options: CanticleOptions) =>
    createCanticle({ participants: ['one', 'two'], ...options }).participants.map(({ engine }) =>
      engine.users.list().items.map(({ id }) => [id, engine.users.rights(id)]),
    );
  const admin = (id: string) => [id, [{ kind: 'ParticipantAdmin' }]];
  const both = (id: string) => [admin(id), admin('participant_admin')];
  expect(admins({})).toEqual([both('ledger-api-user'), both('ledger-api-user')]);
  expect(admins({ additionalAdminUser: 'app' })).toEqual([both('app'), both('app')]);
  expect(admins({ additionalAdminUser: false })[0]).toEqual([admin('participant_admin')]);
  expect(() => createCanticle({ additionalAdminUser: 'no id' })).toThrow('INVALID_FIELD');
});

describe('advanceTime', () => {
  it.each<[Duration, string]>([
    [3n, '2026-01-01T00:00:00.000006Z'],
    ['PT1M0.5S', '2026-01-01T00:01:00.500003Z'],
    [{ hours: 1, seconds: 0.25 }, '2026-01-01T01:00:00.250003Z'],
  ])('advances by %p', (by, time) => {
    const canticle = createCanticle();
    canticle.advanceTime(by);
    expect(canticle.time).toBe(time);
  });

  it.each<[unknown, string]>([
    ['1d', "'1d' is not a duration, such as PT10M"],
    [{ day: 1 }, 'Did you mean days?'],
    [{}, 'parts such as { minutes: 10 }'],
    [1000, '1000 is not a duration'],
    [{ days: 'two' }, 'Its parts are numbers.'],
    [undefined, 'undefined is not a duration'],
  ])('rejects %p', (by, message) => {
    expect(() => createCanticle().advanceTime(by as Duration)).toThrow(message);
  });
});
