/** Releases of Splice: of Scan with the SV app and the registry, and of each validator. */
import { createCanticle, startLocalnet, type Canticle, type CanticleOptions } from 'canticle';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const folder = useTemporaryFolder();
const versionAt = async (canticle: Canticle, path: string) =>
  ((await canticle.handle({ path })).json() as { version: string }).version;
const SCAN = '/api/scan/version';
const VALIDATOR = '/api/validator/version';
const SV = '/api/sv/version';
const LEDGER = '/v2/version';

test.each([
  [{}, '0.7.4', '3.5.14'],
  [{ splice: '0.8' }, '0.8.4', '3.5.14'],
  [{ splice: '0.9' }, '0.9.0', '3.6.1'],
  [{ splice: '0.10' }, '0.10.0', '3.7.0-SNAPSHOT'],
  [{ splice: '0.8', canton: '3.6' }, '0.8.4', '3.6.1'],
  [{ splice: '0.8', apiVersion: '3.6' }, '0.8.4', '3.6.1'],
] as const satisfies [CanticleOptions, string, string][])(
  'with %j, the apps report %s and the participant %s (R-09-010, R-10-001)',
  async (options, splice, canton) => {
    const canticle = createCanticle(options);
    for (const path of [SCAN, SV, VALIDATOR]) expect(await versionAt(canticle, path)).toBe(splice);
    expect(await versionAt(canticle, LEDGER)).toBe(canton);
    const home = (await canticle.handle({ path: '/' })).json() as { apis: { release?: string }[] };
    const releases = home.apis.map(({ release }) => release);
    expect(new Set(releases)).toEqual(new Set([canton, splice, undefined]));
  },
);

test.each([
  [{ splice: '0.9', canton: '3.5' }, 'releases do not fit'],
  [{ splice: '0.9', apiVersion: '3.4' }, 'releases do not fit'],
  [{ canton: '3.5', apiVersion: '3.4' }, "canton: '3.5' and apiVersion: '3.4'"],
  [
    { participants: [{ name: 'p', canton: '3.5' }], validator: { splice: '0.9' } },
    "releases of participant 'p' do not fit",
  ],
] as const satisfies [CanticleOptions, string][])('rejects %j', (options, text) => {
  expect(() => createCanticle(options)).toThrow(text);
});

test('a validator of a later release runs with an earlier Scan, and implies the release of its participant', async () => {
  const canticle = createCanticle({
    participants: ['first', 'second'],
    validator: { participant: 'second', splice: '0.9' },
  });
  expect(await versionAt(canticle, SCAN)).toBe('0.7.4');
  expect(await versionAt(canticle, VALIDATOR)).toBe('0.7.4');
  expect(await versionAt(canticle, `/participants/second${VALIDATOR}`)).toBe('0.9.0');
  expect(await versionAt(canticle, `/participants/second${LEDGER}`)).toBe('3.6.1');
  expect(await versionAt(canticle, LEDGER)).toBe('3.5.14');
  const loaded = createCanticle({ load: canticle.dump() });
  expect(await versionAt(loaded, `/participants/second${VALIDATOR}`)).toBe('0.9.0');
  expect(await versionAt(loaded, `/participants/second${LEDGER}`)).toBe('3.6.1');
  expect(await versionAt(loaded, SCAN)).toBe('0.7.4');
});

test('a saved world keeps the release of Splice, and an option replaces it', async () => {
  const saved = createCanticle({ splice: '0.8' }).dump();
  expect(await versionAt(createCanticle({ load: saved }), SCAN)).toBe('0.8.4');
  const later = createCanticle({ load: saved, splice: '0.9' });
  expect([await versionAt(later, SCAN), await versionAt(later, LEDGER)]).toEqual([
    '0.9.0',
    '3.6.1',
  ]);
});

test('the head of a scenario names releases, and options take precedence', async () => {
  const scenario = join(folder(), 'scenario.yaml');
  writeFileSync(
    scenario,
    'canton: "3.6"\nsplice: "0.8"\nparticipants:\n  - { name: first }\n  - { name: second, canton: "3.4" }\n',
  );
  const canticle = createCanticle({ scenario });
  expect(await versionAt(canticle, LEDGER)).toBe('3.6.1');
  expect(await versionAt(canticle, SCAN)).toBe('0.8.4');
  expect(await versionAt(canticle, `/participants/second${LEDGER}`)).toBe('3.4.12');
  expect(await versionAt(createCanticle({ scenario, canton: '3.5' }), LEDGER)).toBe('3.5.14');
  expect(await versionAt(createCanticle({ scenario, apiVersion: '3.5' }), LEDGER)).toBe('3.5.14');
});

test('each node of a LocalNet has its own release', async () => {
  const localnet = await startLocalnet({
    spliceDars: false,
    canton: '3.6',
    validators: [
      { name: 'app-user', splice: '0.9' },
      { name: 'app-provider', canton: '3.5' },
    ],
  });
  try {
    const version = async (url: string) =>
      ((await (await fetch(url)).json()) as { version: string }).version;
    const {
      sv,
      'app-user': user,
      'app-provider': provider,
    } = Object.fromEntries(localnet.nodes.map((node) => [node.name, node]));
    expect(await version(`${sv!.ledgerApi}/v2/version`)).toBe('3.6.1');
    expect(await version(`${user!.ledgerApi}/v2/version`)).toBe('3.6.1');
    expect(await version(`${provider!.ledgerApi}/v2/version`)).toBe('3.5.14');
    expect(await version(`${user!.validator}/version`)).toBe('0.9.0');
    expect(await version(`${provider!.validator}/version`)).toBe('0.7.4');
  } finally {
    await localnet.close();
  }
});
