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

/** A document of Splice 0.9, changed. @param name its file name */
async function documentOfSplice(
  api: 'scan' | 'validator',
  name: string,
  change: (it: any) => void,
) {
  const { body } = await createCanticle({ splice: '0.9' }).handle({
    path: `/api/${api}/docs/openapi.json`,
  });
  const document = JSON.parse(body.toString());
  change(document);
  return write(name, document);
}

/** Scan of the next release, with one operation less and one more. */
const nextScan = (gone: string) =>
  documentOfSplice('scan', 'scan.json', ({ paths, components }) => {
    const { get } = paths[gone];
    delete paths[gone];
    paths['/v9/moons'] = { get: { ...get, operationId: 'getMoons' } };
    components.schemas.Version.properties.moonPhase = { type: 'string' };
  });

const UNDECIDED_OF_SPLICE = [
  'GET /v9/moons has no handler: src/spec/served.ts and src/services (getMoons)',
  'Version.moonPhase is new, and no source mentions it: src/services',
];

it('compares documents of Splice with the latest earlier ones, and names the rows to add', async () => {
  const scan = await nextScan('/v0/closed-rounds');
  const { status, stdout, stderr } = carry('--dry', '--splice', '0.11.1', scan);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Splice 0.11.1, scan, compared with 0.9.0');
  expect(below(stdout, 'new operations')).toEqual(['GET /v9/moons']);
  expect(below(stdout, 'operations that are gone')).toEqual(['GET /v0/closed-rounds']);
  expect(below(stdout, 'undecided, served as in the previous release')).toEqual(
    UNDECIDED_OF_SPLICE,
  );
  expect(below(stdout, 'rows to add')).toEqual([
    "src/spec/versions.ts: a row '0.11' of SPLICE_RELEASES, which inherits the row before",
    'src/spec/splice/facts.ts: the line of facts/splice/0.11.json',
    'src/spec/releases/splice-completeness.ts: its row of FACTS_OF',
    'docs/guides/releases.md: its row, and the steps to migrate',
    "src/spec/versions.ts: scan in the documents of '0.11'",
    'src/spec/validators.ts: the line of scan-0.11-validators.js',
  ]);
});

it('names only the parts of a row of Splice that are missing', async () => {
  const { stdout } = carry('--dry', '--splice', '0.10.3', await nextScan('/v0/closed-rounds'));
  expect(below(stdout, 'rows to add')).toEqual([
    "src/spec/versions.ts: scan in the documents of '0.10'",
    'src/spec/validators.ts: the line of scan-0.10-validators.js',
  ]);
});

it('writes the facts of Splice with the undecided parts, known ids, and services without a document', async () => {
  const scan = await nextScan('/v0/closed-rounds');
  const own = await documentOfSplice('validator', 'validator-internal.json', (document) => {
    for (const path of Object.keys(document.paths))
      if (!path.startsWith('/v0/admin')) delete document.paths[path];
    document.paths['/v0/admin/transfer-preapprovals/by-party/{receiver-party}'].get.operationId =
      'lookupTransferPreapprovalByParty';
  });
  const { status, stdout } = carry('--splice', '0.11.1', '--out', folder(), own, scan);
  expect(status).toBe(0);
  expect(below(stdout, 'documents that were not named: as before')).toEqual([
    'validator (scan-proxy)',
  ]);
  const facts = JSON.parse(readFileSync(join(folder(), '0.11.json'), 'utf8'));
  expect(facts.document).toBe('0.11.1');
  expect(facts.undecided).toEqual({ scan: UNDECIDED_OF_SPLICE });
  expect(Object.keys(facts.validator)).toEqual(['internal', 'scan-proxy']);
  const ids = facts.validator.internal.operations.map((each: any) => each.operationId ?? each);
  expect(ids).toContain('lookupTransferPreapprovalByPartyAdministered');
  expect(Object.keys(facts.validator['scan-proxy'].schemas)).not.toContain('Contract');
  const again = carry('--splice', '0.11.1', '--out', folder(), scan);
  expect(again.status).toBe(0);
  expect(JSON.parse(readFileSync(join(folder(), '0.11.json'), 'utf8'))).toEqual(facts);
});

it.each([
  [[], 'usage: npm run carry'],
  [['--canton', '3.8.2', 'package.json'], 'package.json is no OpenAPI or AsyncAPI document.'],
])('rejects %j', (args, text) => {
  const { status, stderr } = carry(...args);
  expect(status).not.toBe(0);
  expect(stderr).toContain(text);
});
