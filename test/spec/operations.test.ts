/** The operation table: complete, without two rows for one call, and versions as data. */
import type { Api } from '../../src/spec/api.js';
import { operation, operationsOf, servedOperations } from '../../src/spec/operations.js';
import { REGISTRY_PREVIEWS } from '../../src/spec/splice/registry-previews.js';
import { SERVED } from '../../src/spec/served.js';
import { API_VERSIONS, SPLICE_VERSIONS } from '../../src/spec/versions.js';

const APIS: Api[] = ['ledger', 'scan', 'registry', 'validator', 'wallet', 'names', 'control'];

test('the Ledger API of 3.5.14 has 67 operations (B-GEN-044)', () => {
  expect(operationsOf('ledger')).toHaveLength(67);
});

test.each(APIS)('%s: no two rows share an id or a method and path', (api) => {
  const rows = operationsOf(api, { registryPreviews: REGISTRY_PREVIEWS });
  const shape = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');
  expect(new Set(rows.map((row) => row.operationId)).size).toBe(rows.length);
  expect(new Set(rows.map((row) => `${row.method} ${shape(row.path)}`)).size).toBe(rows.length);
});

test.each(APIS)('%s: the served operations are the listed ones', (api) => {
  const served = new Set(servedOperations(api).map((row) => row.operationId));
  const listed = operationsOf(api).filter((row) =>
    (SERVED[api] as readonly string[]).includes(row.operationId),
  );
  expect([...served]).toEqual(listed.map((row) => row.operationId));
  expect(served.size).toBeGreaterThan(0);
});

test.each(APIS)('%s: each operation with a handler is in a document', (api) => {
  const versions =
    api === 'ledger'
      ? API_VERSIONS
      : SPLICE_VERSIONS.map((each) => ({
          spliceVersion: each,
          validatorVersion: each,
          registryPreviews: REGISTRY_PREVIEWS,
        }));
  const stated = versions.flatMap((version) => operationsOf(api, version));
  const ids = new Set(stated.map(({ operationId }) => operationId));
  expect(SERVED[api].filter((id) => !ids.has(id))).toEqual([]);
});

test('an operation of a later release is missing', () => {
  expect(() => operation('ledger', 'postV2UpdatesUpdate-by-hash')).toThrow('has none of that name');
  expect(operation('ledger', 'postV2UpdatesUpdate-by-hash', '3.6').path).toBe(
    '/v2/updates/update-by-hash',
  );
});

test('reports an unknown operation', () => {
  expect(() => operation('scan', 'getMoon')).toThrow(
    'Failed to find the operation getMoon: scan has none',
  );
});
