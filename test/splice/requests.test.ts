/** Scan, the registry and the validator answer any request, valid or not, with a documented answer and without a change of state. */
import fc from 'fast-check';
import {
  APIS,
  servedOperations,
  type Operation,
  spliceReading,
  type JsonSchema,
} from '../../src/spec/index.js';
import { RegistryWorld } from '../services/registry/registry-world.js';
import { messageFor } from '../support/arbitrary-message.js';
import { check } from '../support/property.js';

const world = new RegistryWorld();
const REAL_IDS = [
  world.rules,
  world.alice,
  world.mint(world.alice, '3'),
  'global',
  'TestToken',
  '1',
];
world.splice.rewards.set(1, { status: 'Ok' });
world.migrate(2);
const NOTHING_WRONG = [200, 400, 404, 409, 501];
/** This world has no rules and no rounds, as Splice before its DSO is founded. */
const WITHOUT_AMULET: Readonly<Record<string, number>> = {
  getAmuletRules: 500,
  getAnsRules: 500,
  getOpenAndIssuingMiningRounds: 500,
};

const operations = (['scan', 'registry', 'validator', 'wallet'] as const).flatMap((api) =>
  servedOperations(api).map((operation) => [`${api} ${operation.operationId}`, operation] as const),
);

function scalarFor(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.type === 'integer')
    return fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(1)).map(String);
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom(...REAL_IDS, ...(schema.enum ?? [])),
  );
  return text.map(encodeURIComponent);
}

/** Bodies that fit, and the same with a member that does not. */
function bodyFor({ api, request }: Operation): fc.Arbitrary<unknown> {
  if (request?.schema === undefined) return fc.constant(undefined);
  const good = messageFor(APIS[api].schemas, spliceReading, request.schema);
  const spoilt = fc.tuple(good, fc.nat(), fc.jsonValue()).map(([body, at, value]) => {
    const keys = Object.keys(body as object);
    return keys.length === 0 ? value : { ...(body as object), [keys[at % keys.length]!]: value };
  });
  return fc.oneof(good, spoilt, fc.jsonValue());
}

function requestFor(operation: Operation): fc.Arbitrary<{ target: string; body: unknown }> {
  const { parameters = [], path } = operation;
  const values = fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, scalarFor(schema)])),
  );
  return fc.tuple(values, bodyFor(operation), fc.boolean()).map(([given, body, withQuery]) => {
    const inPath = path.replace(/\{([^}]+)\}/g, (_whole, name: string) => given[name]!);
    const query = parameters
      .filter((each) => each.in === 'query')
      .map(({ name }) => `${name}=${given[name]}`);
    const { basePath } = APIS[operation.api];
    return {
      target: `${basePath}${inPath}${withQuery && query.length > 0 ? `?${query.join('&')}` : ''}`,
      body,
    };
  });
}

/** Operations that change state: requested snapshots, and the validator's own operations. */
const writes = ({ api, method, path, operationId }: Operation): boolean =>
  operationId === 'forceAcsSnapshotNow' ||
  (api === 'validator' && method !== 'get' && !path.includes('scan-proxy'));

test.each(operations)('%s', async (_name, operation) => {
  const { journal } = world.network;
  await check(
    fc.asyncProperty(requestFor(operation), async ({ target, body }) => {
      const before = journal.position;
      const { status } = await world.sendRequest(operation.method.toUpperCase(), target, body);
      expect([...NOTHING_WRONG, WITHOUT_AMULET[operation.operationId]]).toContain(status);
      if (!writes(operation)) expect(journal.position).toBe(before);
    }),
    { numRuns: 40 },
  );
});
