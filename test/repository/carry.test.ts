/** Carrying a release: the differences from the previous one, and the places in the code that need a decision. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const root = join(__dirname, '..', '..');
const folder = useTemporaryFolder();

function carry(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts', 'carry.mjs'), ...args],
    { cwd: root, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

/** The lines below a heading. */
function below(text: string, heading: string): readonly string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${heading}: `));
  const end = lines.indexOf('', start);
  return lines.slice(start + 1, end < 0 ? undefined : end).map((line) => line.trim());
}

async function served(path: string): Promise<any> {
  const { body } = await createCanticle({ canton: '3.7' }).handle({ path });
  return JSON.parse(body.toString());
}

const write = (name: string, document: unknown): string => {
  const file = join(folder(), name);
  writeFileSync(file, JSON.stringify(document));
  return file;
};

const NOTICE =
  'Deprecated since Canton 3.7: disabled by default since Canton 3.8 (re-enable temporarily with ' +
  '`canton.participants.<participant>.features.deprecated.enable-deprecated-endpoints-37 = true`) ' +
  'and will be removed in Canton 3.9. Use POST /v2/parties instead.';

/** A release after 3.7, with each kind of change. */
async function nextRelease() {
  const openapi = await served('/docs/openapi.json');
  const asyncapi = await served('/docs/asyncapi.json');
  const { paths, components } = openapi;
  const { get, post } = paths['/v2/parties'];
  get.description = NOTICE;
  post.description = 'An odd party fails with PARTY_IS_TOO_ODD. It is disabled by default.';
  delete paths['/v2/version'];
  paths['/v2/moons'] = { get: { ...get, operationId: 'getV2Moons', description: undefined } };
  delete asyncapi.channels['/v2/commands/completions'];
  components.schemas.AllocatePartyRequest.properties.moonPhase = { type: 'string' };
  delete components.schemas.AllocatePartyRequest.properties.partyIdHint;
  return [write('openapi.json', openapi), write('asyncapi.json', asyncapi)] as const;
}

it('prints what is new, gone, disabled and changed, and what needs a decision', async () => {
  const { status, stdout } = carry('--dry', '--canton', '3.8.2', ...(await nextRelease()));
  expect(status).toBe(0);
  expect(stdout).toContain('Canton 3.8.2, compared with 3.7');
  expect(below(stdout, 'new operations')).toEqual(['GET /v2/moons']);
  expect(below(stdout, 'operations that are gone')).toContain('GET /v2/version');
  expect(below(stdout, 'operations that are disabled now')).toEqual([
    'GET /v2/parties: endpoints-37, use POST /v2/parties',
  ]);
  expect(below(stdout, 'new messages, members, values and variants')).toEqual([
    'AllocatePartyRequest.moonPhase',
  ]);
  expect(below(stdout, 'messages, members, values and variants that are gone')).toContain(
    'AllocatePartyRequest.partyIdHint',
  );
  expect(below(stdout, 'WebSocket channels that are gone')).toEqual(['/v2/commands/completions']);
  expect(below(stdout, 'rows to add')[0]).toMatch(/^src\/spec\/versions\.ts: a row '3\.8'/);
  expect(below(stdout, 'undecided, served as in the previous release')).toEqual([
    'GET /v2/moons has no handler: src/spec/served.ts and src/services (getV2Moons)',
    'GET /v2/parties has an unknown notice of deprecation: src/spec/deprecated/deprecated-apis.ts',
    'POST /v2/parties has an unknown notice of deprecation: src/spec/deprecated/deprecated-apis.ts',
    'AllocatePartyRequest.moonPhase is new, and no source mentions it: src/services',
    'The documents mention PARTY_IS_TOO_ODD: src/daml/errors/error-catalogue.ts',
  ]);
});

it('writes the facts with the undecided parts, and no sentence of the document', async () => {
  const { status } = carry('--canton', '3.8.2', '--out', folder(), ...(await nextRelease()));
  expect(status).toBe(0);
  const text = readFileSync(join(folder(), '3.8.json'), 'utf8');
  const facts = JSON.parse(text);
  expect(facts.document).toBe('3.8.2');
  expect(facts.undecided).toHaveLength(5);
  expect(facts.channels).toMatchObject({ document: '3.8.2' });
  expect(facts.channels.paths).not.toContain('/v2/commands/completions');
  expect(text).not.toContain('An odd party fails with');
});

it('compares documents of Splice with the default release', async () => {
  const scan = JSON.parse(
    (await createCanticle().handle({ path: '/api/scan/docs/openapi.json' })).body.toString(),
  );
  const [path, item] = Object.entries<any>(scan.paths).find(([, { get }]) => get !== undefined)!;
  delete scan.paths[path];
  scan.paths['/v9/moons'] = { get: { ...item.get, operationId: 'getMoons' } };
  const { status, stdout } = carry('--dry', '--splice', '0.10.1', write('scan.json', scan));
  expect(status).toBe(0);
  expect(below(stdout, 'new operations')).toEqual(['GET /v9/moons']);
  expect(below(stdout, 'operations that are gone')).toContain(`GET ${path}`);
  expect(below(stdout, 'undecided, served as in the previous release')).toEqual([
    'GET /v9/moons has no handler: src/spec/served.ts and src/services',
  ]);
});

it.each([
  [[], 'usage: npm run carry'],
  [['--canton', '3.8.2', 'package.json'], 'package.json is no OpenAPI or AsyncAPI document.'],
])('rejects %j', (args, text) => {
  const { status, stderr } = carry(...args);
  expect(status).not.toBe(0);
  expect(stderr).toContain(text);
});
