/**
 * Every served operation against generated requests: some that fit its schema, some with one fault put in. None meets a
 * bug, every answer fits its schema, and what is refused has changed nothing. So in each release of the Ledger API.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Canticle } from 'canticle';
import {
  type Api,
  APIS,
  READING_RULES,
  servedOperations,
  type Operation,
  API_VERSIONS,
  DEFAULT_API_VERSION,
} from '../../src/spec/index.js';
import { messageFor } from '../support/arbitrary-message.js';
import { clientInProcess, startClient, type TestClient } from '../support/client.js';
import { furnishModel, MODEL_PACKAGES } from '../support/splice/amulet-model.js';
import { check } from '../support/property.js';

const RUNS = 4;
/** In releases whose operations are mostly the same. */
const FEW_RUNS = 1;

let client: TestClient;
let snapshot: string;
/** Contracts, one of them on its way between synchronizers, a transfer that waits, and an Amulet. */
function furnish(canticle: Canticle): string {
  const { participant, token } = canticle;
  const [alice, bob] = [participant.allocateParty('alice'), participant.allocateParty('bob')];
  token.mint(alice, '100.0');
  token.transfer({ from: alice, to: bob, amount: '5.0' });
  const payload = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [bob] };
  const options = { actAs: [alice], synchronizer: 'global' };
  participant.create('#canticle-quickstart:Quickstart.Iou:Iou', payload, options);
  const moved = participant.create('#canticle-quickstart:Quickstart.Iou:Iou', payload, options);
  participant.unassign(moved, { to: 'app', submitter: alice });
  furnishModel(canticle);
  return canticle.snapshot();
}

/** Back to the furnished world, which a reset has taken away with its snapshot. */
function restore(): void {
  if (client.newestEntry()?.operation === 'resetNetwork') snapshot = furnish(client.canticle);
  else client.canticle.revert(snapshot);
}

/** Everything that a refusal must leave as it was. */
function digest({ network }: Canticle): string {
  const hash = createHash('sha256').update(`${network.journal.position}/${network.updates.length}`);
  for (const { log, activeContracts } of network.participants)
    hash.update(`/${log.end}/${activeContracts.size}`);
  return hash.digest('hex');
}

interface Request {
  readonly path: string;
  readonly body: unknown;
}

function requestFor(operation: Operation): fc.Arbitrary<Request> {
  const { api, parameters = [], request, schemas } = operation;
  const { basePath } = APIS[api];
  const rules = READING_RULES[api];
  const values = fc.tuple(
    ...parameters.map(({ name, required, schema }) => {
      const value = fc.oneof(
        messageFor(schemas, rules, schema).map(String),
        fc.string({ maxLength: 8 }),
      );
      // Waiting is not what is tried here.
      const bounded = name === 'stream_idle_timeout_ms' ? fc.constant('1') : value;
      return required || name === 'stream_idle_timeout_ms'
        ? bounded
        : fc.option(bounded, { nil: undefined });
    }),
  );
  const body =
    request === undefined
      ? fc.constant(undefined)
      : request.contentType === 'application/json'
        ? fc.oneof(
            { weight: 2, arbitrary: messageFor(schemas, rules, request.schema ?? {}) },
            mutated(operation),
          )
        : fc.uint8Array({ maxLength: 40 });
  return fc.tuple(values, body).map(([given, sent]) => {
    let path = basePath + operation.path;
    const query = new URLSearchParams();
    for (const [index, { name, in: place }] of parameters.entries()) {
      const value = given[index];
      if (place === 'path')
        path = path.replace(
          `{${name}}`,
          encodeURIComponent((value ?? '').replace(/^\.{1,2}$/, 'dot')),
        );
      else if (value !== undefined) query.append(name, value);
    }
    return { path: query.size > 0 ? `${path}?${query}` : path, body: sent };
  });
}

/** A fitting message in which one place holds something else, or nothing. */
function mutated({ api, request, schemas }: Operation): fc.Arbitrary<unknown> {
  const fitting = messageFor(schemas, READING_RULES[api], request?.schema ?? {});
  const other = fc.oneof(
    fc.constantFrom(null, undefined, '', -1, 1e21, [], {}, [[]], true, '\ud800', { value: null }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  return fc.tuple(fitting, fc.nat(), other).map(([message, at, value]) => {
    const places = placesIn(message);
    const place = places[at % places.length];
    if (place === undefined) return value ?? null;
    if (value === undefined) delete place.holder[place.key];
    else place.holder[place.key] = value;
    return message;
  });
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (value === null || typeof value !== 'object') return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

describe.each(API_VERSIONS)('release %s', (apiVersion) => {
  const isUsual = apiVersion === DEFAULT_API_VERSION;
  const apis = isUsual ? (Object.keys(APIS) as Api[]) : (['ledger'] as const);
  const rows = apis.flatMap((api) =>
    servedOperations(api, apiVersion).map(
      (operation) => [api, operation.operationId, operation] as const,
    ),
  );

  beforeAll(async () => {
    const synchronizers = [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }];
    const options = { seed: 9, synchronizers, apiVersion, packages: MODEL_PACKAGES };
    client = isUsual ? await startClient(options) : clientInProcess(options);
    snapshot = furnish(client.canticle);
  });
  afterAll(() => client.close());

  it.each(rows)(
    '%s %s',
    async (_api, _id, operation) => {
      await check(
        fc.asyncProperty(requestFor(operation), async ({ path, body }) => {
          restore();
          const before = digest(client.canticle);
          const { status } = await client.call(operation.method.toUpperCase(), path, body);
          const after = status >= 400 ? digest(client.canticle) : before;
          if (after !== before) expect(after).toBe(before);
        }),
        { numRuns: isUsual ? RUNS : FEW_RUNS, seed: 2026 },
      );
    },
    20_000,
  );
});
