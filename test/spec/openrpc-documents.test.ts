/**
 * The OpenRPC documents of the Wallet Gateway, compared with the official ones: methods, parameters, results, required members and
 * enumerations. Texts differ.
 */
import { readFileSync } from 'node:fs';
import { createCanticle } from 'canticle';
import { foreignPath, skipsWithout } from '../support/foreign-files.js';

const NAMES = ['openrpc-dapp-api', 'openrpc-dapp-remote-api', 'openrpc-user-api'];
const official = (name: string): string => `specs/wallet-gateway-1.1.0-${name}.json`;

type Json = Readonly<Record<string, any>>;

const canticle = createCanticle({ walletGateway: true });
const served = async (name: string): Promise<Json> =>
  (await canticle.handle({ path: `/openrpc/${name}.json` })).json() as Json;

/** A schema without texts and names, and with the schemas that it refers to in their places. */
function plain(schema: Json, documents: Readonly<Record<string, Json>>, own: string): unknown {
  const { $ref, title: _, description: __, ...rest } = schema;
  if ($ref !== undefined) {
    const [, file, name = ''] = /^(?:api-specs\/)?(.*?)#\/components\/schemas\/(.+)$/.exec($ref)!;
    const at = file === '' ? own : file!.replace('.json', '');
    return plain(documents[at]!['components'].schemas[name], documents, at);
  }
  const inside = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((each) => (typeof each === 'object' ? plain(each, documents, own) : each))
      : typeof value === 'object' && value !== null
        ? plain(value as Json, documents, own)
        : value;
  const members = Object.entries(rest).map(([key, value]) => [
    key,
    key === 'required'
      ? [...value].sort()
      : key === 'properties'
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inside(each)]))
        : inside(value),
  ]);
  // No required members are the same as none named.
  return Object.fromEntries(
    members.filter(
      ([key, value]) => key !== 'required' || (value as readonly unknown[]).length > 0,
    ),
  );
}

const methodsOf = (documents: Readonly<Record<string, Json>>, name: string) =>
  Object.fromEntries(
    documents[name]!['methods'].map(({ name: method, params, result }: Json) => [
      method,
      {
        params: params.map((each: Json) => plain(each['schema'], documents, name)),
        result: plain(result.schema, documents, name),
      },
    ]),
  );

if (!skipsWithout('documents', NAMES.map(official), 'equals the official document'))
  test.each(NAMES)('%s equals the official document', async (name) => {
    const documents = Object.fromEntries(
      NAMES.map((each) => [
        each,
        JSON.parse(readFileSync(foreignPath('documents', official(each)), 'utf8')) as Json,
      ]),
    );
    const own = Object.fromEntries(
      await Promise.all(NAMES.map(async (each) => [each, await served(each)] as const)),
    );
    expect(methodsOf(own, name)).toEqual(methodsOf(documents, name));
  });

test.each(NAMES)('%s describes each of its methods, and resolves each reference', async (name) => {
  const document = await served(name);
  for (const method of document['methods']) expect(method.description).toMatch(/^[A-Z].*\.$/s);
  expect(() => methodsOf({ [name]: document }, name)).not.toThrow();
});

test('objects of any form, and objects without required members', async () => {
  const { schemas } = (await served('openrpc-dapp-remote-api'))['components'];
  expect(schemas.LedgerApiResult).toEqual({ type: 'object', additionalProperties: true });
  expect(schemas.SignMessageRequest).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: { message: { type: 'string' } },
    required: ['message'],
  });
  const { schemas: ofUsers } = (await served('openrpc-user-api'))['components'];
  expect(ofUsers.WalletFilter.required).toBeUndefined();
});
