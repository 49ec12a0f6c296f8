/**
 * Bad input for Splice's apps of a founded DSO, from a wallet's user and an administrator, in bodies and parameters. For any input,
 * a document lists the answer, a refusal changes no state, and the process keeps running. Each field gets a few strange values, which
 * differ from field to field; if CANTICLE_ALL_FAULTS is set, it gets all of them.
 */
import { routerOf } from '../../../src/http/index.js';
import { READING_RULES, servedOperations, type Operation } from '../../../src/spec/index.js';
import { Examples, faultsOf, type Json } from '../../support/faults/messages.js';
import {
  kindOf,
  schemaOf,
  strangeTexts,
  targetOf,
  usualValues,
  WRONG_PARAMETERS,
} from '../../support/faults/parameters.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { expectValid } from '../../support/validate.js';

const APPS = ['wallet', 'names', 'validator', 'sv'] as const;
type App = (typeof APPS)[number];
/** The user of the SV's own wallet, and the administrator that its apps use. */
const USERS: Readonly<Record<App, string>> = {
  wallet: 'sv',
  names: 'sv',
  validator: 'ledger-api-user',
  sv: 'ledger-api-user',
};

describeWithDars('invalid input with wallets', [...DSO_DARS], (...dars) => {
  const { canticle, sv } = sharedWorld(dars);
  const router = routerOf();
  const position = () => `${canticle.network.journal.position}/${canticle.network.updates.length}`;
  let start: string;

  /** @returns whether it could be read, and how it was answered */
  async function send(operation: Operation, path: string, body?: Json) {
    const { api, operationId, method: lower, responses } = operation;
    const method = lower.toUpperCase();
    const claims = Buffer.from(JSON.stringify({ sub: USERS[api as App] })).toString('base64url');
    const headers = { authorization: `Bearer e30.${claims}.` };
    const before = position();
    const answer = await canticle.handle({ method, path, headers, body });
    const { status } = answer;
    const entry = canticle.requests.list({ since: canticle.requests.lastId }).at(-1)!;
    if (entry.outcome === 'failed') throw new Error(`${path}: ${entry.explanation}`);
    if (status >= 400)
      expect({ path, body, position: position() }).toEqual({ path, body, position: before });
    else canticle.revert(start);
    const isRead = entry.validation.ok;
    const isJson = /json/.test(String(answer.headers['content-type']));
    const matched = router.match(method, path.replace(/\?.*$/, ''));
    const isListed =
      isRead && isJson && matched.kind === 'operation' && String(status) in responses;
    if (isListed) await expectValid(operationId, status, answer.json(), api);
    return { status, isRead, text: answer.body.toString() };
  }

  const operations = APPS.flatMap((api) => servedOperations(api)).map(
    (operation) => [operation.api, operation.operationId, operation] as const,
  );
  const furnish = () => {
    canticle.amulet.tap(sv, '1000.0');
    start = canticle.snapshot();
  };

  const known = new Set<string>();
  const withBodies = operations.filter(
    ([, , { request }]) => request?.contentType === 'application/json',
  );
  it.each(withBodies)('%s %s, field by field', async (_, operationId, operation) => {
    furnish();
    const { api, request, schemas } = operation;
    const isNew = (fault: string) => known.size < known.add(`${api} ${fault}`).size;
    const path = targetOf(operation, usualValues(operation));
    for (const example of new Examples(schemas).of(request!.schema!, operationId)) {
      const usual = await send(operation, path, example.message);
      const { objectsOnly } = READING_RULES[api];
      for (const { fault, message, must } of faultsOf(example, objectsOnly, isNew)) {
        const { text, ...seen } = await send(operation, path, message);
        if (must === 'be unreadable')
          expect({ fault, text, ...seen }).toMatchObject({ status: 400, isRead: false });
        else if (must === 'change nothing')
          expect({ fault, text, ...seen }).toMatchObject({ status: usual.status });
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  const withParameters = operations.filter(([, , { parameters = [] }]) => parameters.length > 0);
  it.each(withParameters)('%s %s, parameter by parameter', async (_, __, operation) => {
    furnish();
    const usual = usualValues(operation);
    const body = operation.request?.contentType === 'application/json' ? {} : undefined;
    for (const parameter of operation.parameters ?? []) {
      const { in: place, name } = parameter;
      const kind = kindOf(schemaOf(operation, parameter));
      const wrong = WRONG_PARAMETERS[kind];
      const others = place === 'query' ? ['', [usual[name] as string, 'x']] : [];
      for (const value of [...(wrong ?? strangeTexts()), ...others]) {
        const path = targetOf(operation, { ...usual, [name]: value });
        const { isRead, status } = await send(operation, path, body);
        if (wrong?.includes(value as string))
          expect({ path, isRead, status }).toMatchObject({ isRead: false });
      }
    }
  });
});
