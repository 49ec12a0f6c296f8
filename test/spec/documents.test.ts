/** The served documents hold nothing but what the official ones state, operation by operation. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle, type CanticleOptions } from 'canticle';
import { parse } from 'yaml';
import type { Api } from '../../src/spec/api.js';
import { openApiDocument, openApiYaml } from '../../src/spec/documents/documents.js';
import { documentedOperations, operationsOf } from '../../src/spec/operations.js';
import { mentioned } from '../../src/spec/schema.js';
import type { ApiVersion } from '../../src/spec/versions.js';
import { foreignPath, skipsWithout } from '../support/foreign-files.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const TOOL = 'tools/spec-diff.mjs';
const official = (name: string): string => `specs/${name}.openapi.json`;

const CASES: [Api, string][] = [
  ['ledger', 'ledger-api-3.5.14'],
  ['scan', 'scan-0.7.4'],
  ['validator', 'scan-proxy-0.7.4'],
  ['validator', 'validator-internal-0.7.4'],
  ['wallet', 'wallet-internal-0.7.4'],
  ['wallet', 'wallet-external-0.7.4'],
  ['names', 'ans-external-0.7.4'],
  ['sv', 'sv-internal-0.7.4'],
  ['registry', 'token-metadata-v1'],
  ['registry', 'transfer-instruction-v1'],
  ['registry', 'transfer-instruction-v2'],
  ['registry', 'allocation-v1'],
  ['registry', 'allocation-instruction-v1'],
  ['registry', 'allocation-v2'],
  ['registry', 'allocation-instruction-v2'],
];
const APIS: Api[] = ['ledger', 'scan', 'registry', 'validator', 'wallet', 'names', 'sv', 'control'];

const folder = useTemporaryFolder();

interface Comparison {
  readonly total: number;
  readonly clean: number;
  readonly diffs: unknown[];
}

const SERVED_AT: Readonly<Record<Api, string>> = {
  ledger: '/docs/openapi.json',
  scan: '/api/scan/docs/openapi.json',
  registry: '/registry/docs/openapi.json',
  validator: '/api/validator/docs/openapi.json',
  wallet: '/api/validator/docs/openapi.json',
  names: '/api/validator/docs/openapi.json',
  sv: '/api/sv/docs/openapi.json',
  control: '/canticle/v1/docs/openapi.json',
};

/** The comparing tool's output for the served document; it exits with 1 when there are differences. */
async function compare(
  api: Api,
  document: string,
  options: CanticleOptions = {},
): Promise<Comparison> {
  const file = join(folder(), `${api}.json`);
  const served = await createCanticle(options).handle({ path: SERVED_AT[api] });
  writeFileSync(file, served.body);
  const [tool, other] = [TOOL, official(document)].map((name) => foreignPath('documents', name));
  const args = [tool!, file, other!, '--json'];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Comparison;
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout) as Comparison;
  }
}

/** How many operations each release has (B-GEN-044), and those that a participant serves only where an operator enables them. */
const RELEASES: [ApiVersion, string, number, unserved: readonly string[]][] = [
  ['3.4', 'ledger-api-3.4.12', 61, []],
  ['3.5', 'ledger-api-3.5.14', 67, []],
  ['3.6', 'ledger-api-3.6.1', 73, []],
  // 3.7.1 removed it, after the document was written (R-36-021).
  ['3.7', 'ledger-api-3.7.0-snapshot', 60, ['getV2StateActive-contracts-page']],
];

const PREVIEWS = [
  ['traffic-purchase', 'traffic-purchase-v1-preview', 2],
  ['conditional-lock', 'conditional-lock-v1-preview', 8],
] as const;

const compared = [...CASES, ...RELEASES, ...PREVIEWS].map(([, document]) => official(document));
if (!skipsWithout('documents', [TOOL, ...compared], 'comparisons with the official documents')) {
  test.each(CASES)('%s has zero differences from %s', async (api, document) => {
    const { total, clean, diffs } = await compare(api, document);
    expect(diffs).toEqual([]);
    expect([clean, total > 0]).toEqual([total, true]);
  });

  test.each(PREVIEWS)(
    'the preview %s has zero differences from %s, and the registry keeps its others',
    async (preview, document, count) => {
      const options = { registryPreviews: [preview] };
      expect(await compare('registry', document, options)).toEqual({
        total: count,
        clean: count,
        diffs: [],
      });
      expect((await compare('registry', 'transfer-instruction-v2', options)).diffs).toEqual([]);
    },
  );

  test.each(RELEASES)(
    'the Ledger API of %s has zero differences from %s',
    async (version, document, count) => {
      expect(await compare('ledger', document, { canton: version })).toEqual({
        total: count,
        clean: count,
        diffs: [],
      });
    },
  );
}

test.each(RELEASES)(
  'release %s serves the operations of %s',
  (version, _document, count, unserved) => {
    const rows = operationsOf('ledger', version).filter(({ unlisted }) => !unlisted);
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ served }) => !served).map(({ operationId }) => operationId)).toEqual(
      unserved,
    );
  },
);

test('omits operations that Splice documents without a handler', async () => {
  const paths = [
    '/api/scan/v0/synchronizer-bootstrapping-transactions/global',
    '/api/sv/v0/synchronizer/global/reconcile-daml-state',
    '/api/sv/v0/synchronizer/global/sign_dso_party_to_participant',
  ];
  for (const path of paths) {
    const method = path.includes('/sv/') ? 'POST' : 'GET';
    const { status, body } = await createCanticle().handle({ method, path });
    expect([status, JSON.parse(body.toString()).error]).toEqual([
      404,
      `The requested resource could not be found: http://localhost${path}`,
    ]);
  }
});

describe('the documents', () => {
  test.each(APIS)('%s mentions no message that it does not define', (api) => {
    const { paths, components } = openApiDocument(api);
    expect([...mentioned(components.schemas, paths)].sort()).toEqual(
      Object.keys(components.schemas),
    );
  });

  test.each(APIS)('%s gives each operation a unique id', (api) => {
    const ids = Object.values(openApiDocument(api).paths).flatMap((item) =>
      Object.values(item).map((o) => o.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    // The built-in issuer is documented with the controls, but is not part of their operations.
    const issuer = api === 'control' ? 3 : 0;
    expect(ids.length).toBe(documentedOperations(api).length + issuer);
  });

  test('the Ledger API document states the release and is the same as YAML (B-GEN-005, B-GEN-006)', () => {
    const document = openApiDocument('ledger');
    expect(document.info).toMatchObject({
      title: 'JSON Ledger API HTTP endpoints',
      version: '3.5.14',
    });
    expect(parse(openApiYaml('ledger'))).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
