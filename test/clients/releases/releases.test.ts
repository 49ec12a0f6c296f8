/**
 * Clients of the JSON Ledger API, with the types of each release, against participants of each release. The types of 3.4
 * and 3.5 are those of a published package. Those of later releases come from the documents that Canticle serves.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startCanticle, type Canticle, type CanticleOptions } from 'canticle';
import { parse } from 'yaml';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { e } from '../../support/daml/lf-code.js';
import { t } from '../../support/daml/lf-types.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { typesOf, type OpenApi } from './openapi-types.js';
import { journey } from './journey.js';
import { legacyJourney } from './legacy-journey.js';

const RELEASES = ['3.4', '3.5', '3.6', '3.7'] as const;
type Release = (typeof RELEASES)[number];

const VERSIONS = { '3.4': '3.4.12', '3.5': '3.5.14', '3.6': '3.6.1', '3.7': '3.7.0-SNAPSHOT' };
const PUBLISHED = { '3.4': 'openapi-3.4.12', '3.5': 'openapi-3.5.1' };

const running: Canticle[] = [];
afterEach(() => Promise.all(running.splice(0).map((canticle) => canticle.close())));

async function start(options: CanticleOptions): Promise<Canticle> {
  const canticle = await startCanticle({ seed: 1, bare: true, ...options });
  running.push(canticle);
  return canticle;
}

/** The document that a participant of the release serves, as types. */
async function servedTypes(canton: Release): Promise<string> {
  const canticle = await start({ canton });
  const answer = await fetch(`${canticle.urls.ledgerApi}/docs/openapi`);
  return typesOf(parse(await answer.text()) as OpenApi);
}

const PACKAGE = dirname(require.resolve('@canton-network/core-ledger-client-types'));
const publishedTypes = (name: string): string =>
  readFileSync(join(PACKAGE, 'generated-clients', `${name}.d.ts`), 'utf8');

const SOURCES = ['client.ts', 'journey.ts', 'legacy-journey.ts'];

const folder = useTemporaryFolder();

/** The errors of the journeys, compiled with the types of each release. Each begins with its file. */
function compiled(types: Readonly<Record<string, string>>): readonly string[] {
  for (const [release, text] of Object.entries(types)) {
    mkdirSync(join(folder(), release));
    writeFileSync(join(folder(), release, 'client-types.ts'), text);
    for (const each of SOURCES) cpSync(join(__dirname, each), join(folder(), release, each));
  }
  writeFileSync(
    join(folder(), 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
        ...{ types: [], target: 'es2022', lib: ['es2022', 'dom'], module: 'nodenext' },
      },
    }),
  );
  const compiler = join(__dirname, '../../../node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
    cwd: folder(),
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => /^\S.*: error TS/.test(line));
}

const owners = e.list(t.party, [e.field(t.con('Main:Note'), 'owner', e.var('this'))]);
const modules = {
  Main: { templates: { Note: { fields: { owner: t.party }, signatories: owners } } },
};
const dar = new Uint8Array(
  buildDar(encodePackage({ name: 'journeys', version: '1.0.0', lf: '1', modules })),
);
const templateId = '#journeys:Main:Note';

const run = async (canticle: Canticle) =>
  journey({ url: canticle.urls.ledgerApi, dar, templateId });

it('a client of the types of each release compiles, except for operations that 3.7 removed', async () => {
  const errors = compiled({
    '3.4': publishedTypes(PUBLISHED['3.4']),
    '3.5': publishedTypes(PUBLISHED['3.5']),
    '3.6': await servedTypes('3.6'),
    '3.7': await servedTypes('3.7'),
  });
  const ofRemoved = errors.filter((error) => error.startsWith('3.7/legacy-journey.ts('));
  expect(errors).toEqual(ofRemoved);
  expect(ofRemoved).not.toEqual([]);
});

it.each(RELEASES)('an application runs against release %s', async (canton) => {
  const canticle = await start({ canton });
  const { party, updateId, ...rest } = await run(canticle);
  expect(rest).toEqual({
    version: VERSIONS[canton],
    updates: [updateId],
    active: [{ owner: party }],
    completions: [updateId],
  });
});

describe('an application of release 3.4 with deprecated operations', () => {
  const each = (answer: string) => ({
    trees: answer,
    flats: answer,
    updates: answer,
    active: answer,
    byId: answer,
    treeById: answer,
  });

  it.each([
    ['3.4', {}, each('answered')],
    ['3.5', {}, each('answered')],
    ['3.6', {}, each('400 DEPRECATED_API_DISABLED')],
    [
      '3.6',
      { enableDeprecatedEndpoints34: true },
      {
        ...each('answered'),
        updates: '400 DEPRECATED_API_DISABLED',
        active: '400 DEPRECATED_API_DISABLED',
      },
    ],
    [
      '3.6',
      { enableDeprecatedEndpoints34: true, enableDeprecatedParameters34: true },
      each('answered'),
    ],
  ] as const)('gets the known answers from release %s with %p', async (canton, more, expected) => {
    const canticle = await start({ canton, ...more });
    const { party, updateId } = await run(canticle);
    expect(await legacyJourney(canticle.urls.ledgerApi, party, updateId)).toEqual(expected);
  });

  it('finds no operations in release 3.7', async () => {
    const canticle = await start({ canton: '3.7' });
    const { party, updateId } = await run(canticle);
    const outcomes = await legacyJourney(canticle.urls.ledgerApi, party, updateId);
    expect(outcomes).toMatchObject({
      trees: '404 undefined',
      flats: '404 undefined',
      byId: '404 undefined',
      treeById: '404 undefined',
    });
  });
});
