/** The AsyncAPI document: channels and messages are those of the official one. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { asyncApiDocument } from '../../../src/spec/index.js';
import { foreignPath, skipsWithout } from '../../support/foreign-files.js';
import { startClient, type TestClient } from '../../support/client.js';

let client: TestClient;

let served: any;

beforeAll(async () => {
  client = await startClient();
  served = (await client.send('GET', '/docs/asyncapi.json')).body;
});
afterAll(() => client.close());

it('is served as YAML, and as JSON', async () => {
  const { status, headers, body } = await client.send('GET', '/docs/asyncapi');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=UTF-8']);
  expect(parse(body)).toEqual(served);
});

const RELEASES = [
  ['3.4', 'specs/ledger-api-3.4.12.asyncapi.json'],
  ['3.5', 'specs/ledger-api-3.5.1.asyncapi.json'],
  ['3.6', 'specs/ledger-api-3.6.1.asyncapi.json'],
] as const;
const documents = RELEASES.map(([, file]) => file);
if (!skipsWithout('documents', documents, 'comparisons with the official AsyncAPI documents'))
  it.each(RELEASES)(
    'in release %s has the channels and messages of the official document',
    (version, file) => {
      const official = JSON.parse(readFileSync(foreignPath('documents', file), 'utf8'));
      const ours = JSON.parse(JSON.stringify(asyncApiDocument(version)));
      // In the operation table of 3.5.14, and in the AsyncAPI document of 3.6.
      const extra = version === '3.5' ? ['/v2/commands/command-completions'] : [];
      expect(Object.keys(ours.channels).sort()).toEqual(
        [...Object.keys(official.channels), ...extra].sort(),
      );
      for (const [path, channel] of Object.entries<any>(official.channels)) {
        expect(wordless(ours.channels[path])).toEqual(wordless(channel));
        for (const direction of ['subscribe', 'publish'] as const)
          expect([path, spelledOut(ours, channel[direction].message)]).toEqual([
            path,
            spelledOut(official, channel[direction].message),
          ]);
      }
      expect(Object.keys(ours.components.securitySchemes)).toEqual(
        Object.keys(official.components.securitySchemes),
      );
    },
  );

const wordless = (node: unknown): unknown =>
  JSON.parse(JSON.stringify(node, (name, value) => (name === 'description' ? undefined : value)));

/** References replaced by what they mean, without the words: names of messages differ from document to document. */

function spelledOut(document: any, node: any, within: readonly string[] = []): unknown {
  if (Array.isArray(node)) return node.map((each) => spelledOut(document, each, within));
  if (node === null || typeof node !== 'object') return node;
  if (typeof node.$ref === 'string') {
    if (within.includes(node.$ref)) return `again ${node.$ref.replace(/\d+$/, '')}`;
    const target = node.$ref
      .slice(2)
      .split('/')
      .reduce((at: any, key: string) => at[key], document);
    return spelledOut(document, target, [...within, node.$ref]);
  }
  const isSchemaMap = (key: string) => key === 'properties';
  return Object.fromEntries(
    Object.entries(node)
      .filter(
        ([key]) =>
          !['title', 'description', 'x-omit-null', 'x-daml-value', 'deprecated'].includes(key),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [
        key,
        isSchemaMap(key)
          ? Object.fromEntries(
              Object.entries(value as object)
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([name, schema]) => [name, spelledOut(document, schema, within)]),
            )
          : spelledOut(document, value, within),
      ]),
  );
}
