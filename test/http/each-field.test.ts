/**
 * Bad input, field by field. The test sends each JSON operation a message with every field of its schema. Then it sends the message
 * again with one fault in one field, for each field and each kind of fault. The answer always has the API's own form, a refusal
 * changes no state, and the process keeps running. `contract.test.ts` sends random requests; this test covers every field.
 */
import type { Canticle } from 'canticle';
import {
  type Api,
  APIS,
  READING_RULES,
  servedOperations,
  type Operation,
} from '../../src/spec/index.js';
import { furnishModel, MODEL_PACKAGES } from '../support/splice/amulet-model.js';
import { clientInProcess, type TestClient } from '../support/client.js';
import { Examples, faultsOf, type Json } from '../support/faults/messages.js';

let client: TestClient;
let snapshot: string;

beforeAll(() => {
  const synchronizers = [{ alias: 'global', identifier: 'global-domain' }, { alias: 'app' }];
  client = clientInProcess({ seed: 9, synchronizers, packages: MODEL_PACKAGES });
  const alice = client.canticle.participant.allocateParty('alice');
  client.canticle.token.mint(alice, '100.0');
  furnishModel(client.canticle);
  snapshot = client.canticle.snapshot();
});
afterAll(() => client.close());

const position = ({ network }: Canticle): string =>
  `${network.journal.position}/${network.updates.length}`;

async function send(operation: Operation, message: Json) {
  // Waiting is not what is tried here.
  const waits = operation.parameters?.some(({ name }) => name === 'stream_idle_timeout_ms');
  const query = waits ? '?stream_idle_timeout_ms=1' : '';
  const target = operation.path.replaceAll(/\{[^}]+\}/g, 'some-id') + query;
  const path = APIS[operation.api].basePath + target;
  const before = position(client.canticle);
  const answer = await client.call(operation.method.toUpperCase(), path, message);
  const entry = client.newestEntry();
  if (answer.status >= 400) {
    const after = position(client.canticle);
    if (after !== before) expect(after).toBe(before);
  } else if (operation.operationId === 'resetNetwork') snapshot = client.canticle.snapshot();
  else client.canticle.revert(snapshot);
  return { ...answer, unreadable: entry?.validation.ok === false };
}

/** These check their caller first, and without Splice's code no user has a wallet. See test/services/sv/bad-input.test.ts. */
const FOR_WALLETS: readonly Api[] = ['wallet', 'names'];
const rows = (Object.keys(APIS) as Api[])
  .filter((api) => !FOR_WALLETS.includes(api))
  .flatMap((api) => servedOperations(api))
  .filter(({ request }) => request?.contentType === 'application/json')
  .map((operation) => [operation.api, operation.operationId, operation] as const);

/** Tried already. Messages that several operations have in common are tried with the first. */
const known = new Set<string>();

it.each(rows)(
  '%s %s',
  async (_api, _id, operation) => {
    const { api, operationId, request, schemas } = operation;
    const { objectsOnly } = READING_RULES[api];
    const before = known.size;
    const isNew = (fault: string) => known.size < known.add(`${api} ${fault}`).size;
    for (const example of new Examples(schemas).of(request!.schema!, operationId)) {
      const usual = await send(operation, example.message);
      for (const { fault, message, must } of faultsOf(example, objectsOnly, isNew)) {
        const { status, body, unreadable } = await send(operation, message);
        const seen = { fault, status, body, unreadable };
        // `expect` is called of what is wrong alone: it takes longer than a request.
        const isUnreadable = status === 400 && unreadable && (body ?? undefined) !== undefined;
        if (must === 'be unreadable' && !isUnreadable)
          expect(seen).toEqual({ fault, body: expect.anything(), status: 400, unreadable: true });
        if (must === 'change nothing' && status !== usual.status)
          expect(seen).toMatchObject({ status: usual.status });
        if (status === 500) expect(seen).not.toMatchObject({ status: 500 });
      }
    }
    expect(known.size).toBeGreaterThan(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  },
  30_000,
);
