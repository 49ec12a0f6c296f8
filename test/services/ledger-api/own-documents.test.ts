/** `cantonDocuments`: the user's own official documents replace those of the release. */
import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, type Canticle } from 'canticle';
import { stringify } from 'yaml';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const home = useTemporaryFolder();
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(home(), 'documents-'))));

const ask = async (canticle: Pick<Canticle, 'handle'>, path: string, method = 'GET') => {
  const { status, body } = await canticle.handle({ method, path });
  return { status, text: body.toString() };
};
const parsedAt = async (canticle: Pick<Canticle, 'handle'>, path: string) =>
  JSON.parse((await ask(canticle, path)).text);

/** The documents of 3.6, with some changes. */
async function changed() {
  const usual = createCanticle({ canton: '3.6' });
  const [openapi, asyncapi] = await Promise.all(
    ['/docs/openapi.json', '/docs/asyncapi.json'].map((path) => parsedAt(usual, path)),
  );
  openapi.info.version = '3.6.9';
  delete openapi.paths['/v2/state/connected-synchronizers'];
  openapi.paths['/v2/moons'] = { get: { operationId: 'getV2Moons', responses: { '200': {} } } };
  openapi.components.schemas.GetLedgerApiVersionResponse.properties.moon = { type: 'string' };
  delete asyncapi.channels['/v2/updates'];
  return { openapi, asyncapi };
}

async function writeDocuments(): Promise<void> {
  const { openapi, asyncapi } = await changed();
  writeFileSync(join(folder, 'openapi.yaml'), stringify(openapi));
  writeFileSync(join(folder, 'asyncapi.json'), JSON.stringify(asyncapi));
}

const own = () => createCanticle({ canton: '3.6', cantonDocuments: folder });

it('decide the operations, members and channels of the release', async () => {
  await writeDocuments();
  const canticle = own();
  expect((await ask(canticle, '/v2/state/connected-synchronizers')).status).toBe(404);
  const { info, paths } = await parsedAt(canticle, '/docs/openapi.json');
  expect(info.version).toBe('3.6.9');
  expect(paths).not.toHaveProperty(['/v2/state/connected-synchronizers']);
  // Without a handler, Canticle has no such operation, as in the release.
  expect(paths).not.toHaveProperty(['/v2/moons']);
  expect((await ask(canticle, '/v2/moons')).status).toBe(404);
  expect((await parsedAt(canticle, '/docs/asyncapi.json')).channels).not.toHaveProperty([
    '/v2/updates',
  ]);
  expect(await parsedAt(canticle, '/v2/version')).toMatchObject({ version: '3.6.1', moon: null });
});

it('belong to one instance, and to participants of the same release', async () => {
  await writeDocuments();
  const canticle = createCanticle({
    canton: '3.6',
    cantonDocuments: folder,
    participants: [{ name: 'first' }, { name: 'second', canton: '3.5' }],
  });
  const path = '/v2/state/connected-synchronizers';
  expect((await ask(canticle, path)).status).toBe(404);
  expect((await ask(canticle, `/participants/second${path}`)).status).toBe(200);
  expect((await ask(createCanticle({ canton: '3.6' }), path)).status).toBe(200);
});

it('are not part of a saved world', async () => {
  await writeDocuments();
  const world = own().dump();
  const path = '/v2/state/connected-synchronizers';
  const again = createCanticle({ load: world });
  expect([(await ask(again, path)).status, (await parsedAt(again, '/v2/version')).version]).toEqual(
    [200, '3.6.1'],
  );
});

it('have the channels of the release without an AsyncAPI document', async () => {
  const { openapi } = await changed();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi));
  expect((await parsedAt(own(), '/docs/asyncapi.json')).channels).toHaveProperty(['/v2/updates']);
});

it('are read from the YAML file if there are two', async () => {
  const { openapi } = await changed();
  writeFileSync(join(folder, 'openapi.json'), '{}');
  writeFileSync(join(folder, 'openapi.yaml'), stringify(openapi));
  expect((await parsedAt(own(), '/docs/openapi.json')).info.version).toBe('3.6.9');
});

it('are rejected if they are missing or something else', () => {
  expect(own).toThrow(
    `Failed to create a Canticle: cantonDocuments: ${folder} has no openapi.yaml or openapi.json.`,
  );
  const file = join(folder, 'openapi.json');
  for (const [text, fault] of [
    ['{}', 'is not an openapi document.'],
    ['{"openapi":"3.0.3","info":{},"paths":{}}', 'is not an openapi document.'],
    ['[1', 'is not an openapi document.|failed to parse'],
    ['{', 'failed to parse'],
  ] as const) {
    writeFileSync(file, text);
    expect(own).toThrow(new RegExp(fault));
  }
});

it('have at most 16 MiB each', async () => {
  const limit = 16 * 1024 * 1024;
  const { openapi } = await changed();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(openapi).padEnd(limit, ' '));
  expect(own).not.toThrow();
  truncateSync(file, limit + 1);
  expect(own).toThrow(`${file} has more than 16777216 bytes.`);
});

it('change nothing about the marks of calls that the next release disables', async () => {
  const usual = createCanticle();
  writeFileSync(
    join(folder, 'openapi.json'),
    JSON.stringify(await parsedAt(usual, '/docs/openapi.json')),
  );
  const query = 'parties=a::1220&package-name=model';
  const path = `/v2/interactive-submission/preferred-package-version?${query}`;
  const marks = await Promise.all(
    [usual, createCanticle({ cantonDocuments: folder })].map(async (canticle) => {
      await ask(canticle, path);
      return canticle.requests.list().at(-1)?.deprecated;
    }),
  );
  expect(marks[0]).toMatchObject({ effect: 'disables', release: '3.6' });
  expect(marks[1]).toEqual(marks[0]);
});
