/** Facts of a release as differences from those of another one: what a file of facts contains. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import fc from 'fast-check';
import { differencesFrom } from '../../src/spec/carrying/differences.js';
import { unknownEnumValues } from '../../src/spec/enum-validator.js';
import { cantonFactsOf } from '../../src/spec/ledger-api/facts.js';
import { withDifferences, type Facts } from '../../src/spec/loading/differences.js';
import { API_VERSIONS, operationsOf, type ApiVersion } from '../../src/spec/index.js';
import { check } from '../support/property.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();

const operation = (operationId: string, more: object = {}) =>
  ({ operationId, method: 'get', path: `/${operationId}`, responses: {}, ...more }) as const;

const BASE: Facts = {
  schemas: {
    Kept: { type: 'string' },
    Gone: { type: 'string' },
    Party: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  },
  operations: [operation('kept'), operation('changed', { deprecated: true }), operation('gone')],
};

const LATER: Facts = {
  schemas: {
    Kept: { type: 'string' },
    New: { type: 'integer' },
    Party: {
      type: 'object',
      properties: { id: { type: 'string' }, moon: { type: 'string' } },
    },
  },
  operations: [operation('new'), operation('changed', { unlisted: true }), operation('kept')],
};

it('a file names what is new, changed and gone, and operations in the order of the document', () => {
  expect(differencesFrom(BASE, LATER)).toEqual({
    schemas: {
      Gone: null,
      New: { type: 'integer' },
      Party: { required: null, properties: { moon: { type: 'string' } } },
    },
    operations: [
      operation('new'),
      { operationId: 'changed', deprecated: null, unlisted: true },
      'kept',
    ],
  });
});

it('what is the same in both releases is the same object', () => {
  const read = withDifferences(BASE, differencesFrom(BASE, LATER));
  expect(read).toEqual(LATER);
  expect(read.schemas['Kept']).toBe(BASE.schemas['Kept']);
  expect(read.schemas['Party']!.properties!['id']).toBe(BASE.schemas['Party']!.properties!['id']);
  expect(read.operations[2]).toBe(BASE.operations[0]);
  expect(BASE.schemas).toHaveProperty('Gone');
});

/** Facts have no null, and their schemas have members of all kinds of JSON. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ maxLength: 2 }),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'type', 'items'), tie('value')),
})).object;
const facts = fc.record({
  schemas: fc.dictionary(fc.constantFrom('A', 'B', 'C'), json),
  operations: fc.uniqueArray(
    fc
      .tuple(fc.constantFrom('a', 'b', 'c'), json)
      .map(([id, more]) => ({ ...more, ...operation(id) })),
    { selector: ({ operationId }) => operationId },
  ),
}) as fc.Arbitrary<Facts>;

it('any facts can be read from their differences, written as JSON', () => {
  check(
    fc.property(facts, facts, (base, later) => {
      const file = JSON.parse(JSON.stringify(differencesFrom(base, later)));
      expect(withDifferences(base, file)).toEqual(later);
    }),
  );
});

it('releases share the rows that are the same', () => {
  const answersIn = (canton: ApiVersion) =>
    operationsOf('ledger', canton).find(({ path }) => path === '/v2/version')!.responses;
  for (const canton of API_VERSIONS) expect(answersIn(canton)).toBe(answersIn('3.5'));
});

it('the check of enums uses the messages of the release, although releases share a schema', () => {
  const schema = { $ref: '#/components/schemas/Request' };
  const messages = (values: readonly string[]) =>
    ({
      Request: { type: 'object', properties: { shape: { type: 'string', enum: values } } },
    }) as const;
  const [one, other] = [messages(['ROUND']), messages(['ROUND', 'FLAT'])];
  const refused = (values: string) =>
    `expected shape to be one of (${values}), but got: UNRECOGNIZED`;
  const body = { shape: 'UNRECOGNIZED' };
  expect(unknownEnumValues(schema, one, body)).toEqual([refused('ROUND')]);
  expect(unknownEnumValues(schema, other, body)).toEqual([refused('ROUND, FLAT')]);
  expect(unknownEnumValues(schema, one, body)).toEqual([refused('ROUND')]);
});

it('files of other releases keep their facts if the release that they refer to changes', async () => {
  const { body } = await createCanticle({ canton: '3.5' }).handle({ path: '/docs/openapi.json' });
  const openapi = JSON.parse(body.toString());
  delete openapi.paths['/v2/version'];
  openapi.components.schemas.AllocatePartyRequest.properties.moonPhase = { type: 'string' };
  const document = join(folder(), 'openapi.json');
  writeFileSync(document, JSON.stringify(openapi));
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/carry.mjs', '--canton', '3.5.99', '--out', folder(), document],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
  const [base, ...others] = ['3.5', '3.4', '3.6', '3.7'].map((name) =>
    JSON.parse(readFileSync(join(folder(), `${name}.json`), 'utf8')),
  );
  expect(base).toMatchObject({ document: '3.5.99', channels: cantonFactsOf('3.5').channels });
  expect(base.schemas.AllocatePartyRequest.properties).toHaveProperty('moonPhase');
  for (const [index, version] of (['3.4', '3.6', '3.7'] as const).entries()) {
    const { document, schemas, operations } = others[index];
    const { schemas: now, operations: rows } = withDifferences(base, { schemas, operations });
    const known = cantonFactsOf(version);
    expect(document).toBe(known.document);
    expect({ schemas: now, rows }).toEqual({ schemas: known.schemas, rows: known.operations });
  }
});
