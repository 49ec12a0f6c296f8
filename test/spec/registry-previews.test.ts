/** The option that switches previews of the registry on. Without it, their operations do not exist. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, startLocalnet, type CanticleOptions } from 'canticle';
import { REGISTRY_PREVIEWS } from '../../src/spec/splice/registry-previews.js';
import { operationsOf } from '../../src/spec/operations.js';
import { previewsIn } from '../../src/spec/splice/spoken.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();

const REQUESTS = {
  'traffic-purchase': ['GET', '/registry/traffic-purchase/v1/traffic-purchaser'],
  'conditional-lock': ['POST', '/registry/conditional-lock/v1/lock-factory'],
} as const;
const NO_ROUTE = 'The requested resource could not be found';

/** Whether the operation exists. Without contracts, its answer is 404, with another text than that of an unknown path. */
async function exists(
  preview: keyof typeof REQUESTS,
  handle: (request: object) => Promise<{ status: number; body: unknown }>,
  prefix = '',
): Promise<boolean> {
  const [method, path] = REQUESTS[preview];
  const { status, body } = await handle({
    method,
    path: prefix + path,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{"choiceArguments":{}}' }),
  });
  expect(status).toBe(404);
  return !String(body).includes(NO_ROUTE);
}

const existing = async (options: CanticleOptions, prefix?: string): Promise<readonly string[]> => {
  const canticle = createCanticle(options);
  const found: string[] = [];
  for (const preview of REGISTRY_PREVIEWS)
    if (await exists(preview, (request) => canticle.handle(request as never), prefix))
      found.push(preview);
  return found;
};

test('previews are off by default, and each is switched on alone', async () => {
  expect(await existing({})).toEqual([]);
  for (const preview of REGISTRY_PREVIEWS)
    expect(await existing({ registryPreviews: [preview] })).toEqual([preview]);
  expect(await existing({ registryPreviews: ['conditional-lock', 'traffic-purchase'] })).toEqual([
    'traffic-purchase',
    'conditional-lock',
  ]);
});

test('previews exist at each path of the registry, but not behind the proxy of the validator', async () => {
  const options = {
    registryPreviews: REGISTRY_PREVIEWS,
    registryPrefixes: ['/api/registrars/gold'],
  };
  expect(await existing(options, '/api/registrars/gold')).toEqual(REGISTRY_PREVIEWS);
  expect(await existing(options, '/api/validator/v0/scan-proxy')).toEqual([]);
});

test('the head of a scenario switches previews on', async () => {
  const scenario = join(folder(), 'scenario.yaml');
  writeFileSync(scenario, 'registryPreviews: [conditional-lock]\nsteps: []\n');
  expect(await existing({ scenario })).toEqual(['conditional-lock']);
});

test('a LocalNet switches previews on', async () => {
  const localnet = await startLocalnet({
    spliceDars: false,
    registryPreviews: ['traffic-purchase'],
  });
  try {
    const { registry } = localnet.urls;
    const path = REQUESTS['traffic-purchase'][1];
    const answer = await fetch(new URL(path, registry));
    expect(await answer.json()).toEqual({ error: 'No TrafficPurchaser found.' });
  } finally {
    await localnet.close();
  }
});

test('an unknown preview is rejected with the known ones', () => {
  expect(() => createCanticle({ registryPreviews: ['other' as never] })).toThrow(
    /registryPreviews\[0\].*'traffic-purchase', 'conditional-lock'/,
  );
});

test('the page at the root counts the operations of previews', async () => {
  const count = async (options: CanticleOptions): Promise<number> => {
    const answer = await createCanticle(options).handle({
      path: '/',
      headers: { accept: 'application/json' },
    });
    const { apis } = answer.json() as { apis: { name: string; operations: number }[] };
    return apis.find(({ name }) => name === 'Token registry')!.operations;
  };
  expect(await count({ registryPreviews: REGISTRY_PREVIEWS })).toBe((await count({})) + 10);
});

test('a later release of Splice has the same previews', () => {
  const ids = (spliceVersion: '0.7.4' | '0.9') =>
    operationsOf('registry', { spliceVersion, registryPreviews: REGISTRY_PREVIEWS }).map(
      ({ operationId }) => operationId,
    );
  expect(ids('0.9')).toEqual(ids('0.7.4'));
  expect(ids('0.9')).toContain('getConditionalLockAmendContext');
});

it('only the registry has previews, in a fixed order', () => {
  const spoken = { registryPreviews: [...REGISTRY_PREVIEWS].reverse() };
  expect(previewsIn('registry', spoken)).toEqual(REGISTRY_PREVIEWS);
  expect(previewsIn('scan', spoken)).toEqual([]);
  expect([previewsIn('registry'), previewsIn('registry', '3.6')]).toEqual([[], []]);
});
