/** Explanations of requests: in the journal, behind our own controls, and never in the answer itself. */
import { startClient, type TestClient } from '../../support/client.js';
import { IOU } from '../../support/ledger.js';
import { masked } from './explained.js';

let client: TestClient;
let bank: string;
let alice: string;
beforeEach(async () => {
  client = await startClient({ seed: 1 });
  [bank, alice] = ['bank', 'alice'].map((hint) =>
    client.canticle.participant.allocateParty(hint),
  ) as [string, string];
});
afterEach(() => client.close());

const payload = () => ({
  issuer: bank,
  owner: alice,
  currency: 'EUR',
  amount: '1.0',
  observers: [],
});
const creation = () => ({ CreateCommand: { templateId: IOU, createArguments: payload() } });
const commands = (...list: object[]) => ({
  commandId: 'iou',
  userId: 'participant_admin',
  actAs: [alice],
  commands: list,
});
const explanation = (id: number | string, rest = '') =>
  client.control('GET', `/v1/requests/${id}/explanation${rest}`);

it("explains a rejected submission, and the answer has only a participant's fields", async () => {
  const answer = await client.ledger(
    'POST',
    '/v2/commands/submit-and-wait',
    commands(creation(), creation()),
  );
  expect(Object.keys(answer.body as object).sort()).toEqual(
    ['cause', 'code', 'context', 'correlationId', 'definiteAnswer', 'errorCategory'].concat([
      'grpcCodeValue',
      'resources',
      'retryInfo',
      'traceId',
    ]),
  );
  expect(JSON.stringify(answer.body)).not.toContain('missing');
  const { body } = await explanation('latest');
  expect(body).toMatchObject({
    error: { code: 'DAML_AUTHORIZATION_ERROR' },
    submission: { participant: 'sandbox', commandId: 'iou', actAs: [alice], readAs: [] },
    actions: [
      { kind: 'create', outcome: 'failed', culprit: true, required: [alice, bank] },
      { kind: 'create', outcome: 'notReached', argument: { owner: alice } },
    ],
    reasons: [expect.stringContaining('Add the party to actAs')],
  });
  const { headers, body: text } = await explanation('latest', '/text');
  expect(headers['content-type']).toMatch('text/plain');
  expect(text).toBe(`${body.text}\n`);
  expect(masked(text as string)).toMatchInlineSnapshot(`
    "DAML_AUTHORIZATION_ERROR: Interpretation error: Error: node NodeId(0) (·:Quickstart.Iou:Iou) requires authorizers alice,bank, but only alice were given

    alice at sandbox, command iou
    ✗ create Quickstart.Iou:Iou
         with { issuer: bank, owner: alice, currency: "EUR", amount: 1.0, observers: [] }
         needs alice, bank; has alice; missing: bank
    · create Quickstart.Iou:Iou, not reached
         with { issuer: bank, owner: alice, currency: "EUR", amount: 1.0, observers: [] }
    why    Missing: bank. Add the party to actAs, or let it exercise a choice that gives its authority.
    "
  `);
});

it.each([
  ['POST', '/v2/commands/submit-and-wait-for-transaction', { commands: 'commands' }],
  ['POST', '/v2/commands/async/submit', {}],
  [
    'POST',
    '/v2/interactive-submission/prepare',
    { synchronizerId: '', packageIdSelectionPreference: [] },
  ],
] as const)('explains an error of %s %s', async (method, path, wrap) => {
  const inner = commands(creation());
  const body = 'commands' in wrap ? { commands: inner } : { ...inner, ...wrap };
  expect((await client.ledger(method, path, body)).status).toBe(400);
  expect((await explanation('latest')).body).toMatchObject({
    error: { code: 'DAML_AUTHORIZATION_ERROR' },
    actions: [{ kind: 'create', culprit: true }],
  });
});

it('explains reassignments', async () => {
  const [global] = client.canticle.network.synchronizers;
  const value = { contractId: `00${'ab'.repeat(33)}`, source: global!.id, target: global!.id };
  const reassignmentCommands = {
    commandId: 'move',
    userId: 'participant_admin',
    submitter: alice,
    commands: [{ command: { UnassignCommand: { value } } }],
  };
  const path = '/v2/commands/submit-and-wait-for-reassignment';
  expect((await client.ledger('POST', path, { reassignmentCommands })).status).toBe(400);
  expect((await explanation('latest')).body).toMatchObject({
    submission: { commandId: 'move', actAs: [alice] },
    reasons: [expect.stringContaining('✗ unassign'), expect.stringContaining('never created')],
  });
});

it('explains the rejection of an accepted submission, by the id of its request', async () => {
  const body = {
    ...commands(creation()),
    actAs: [alice, bank],
    minLedgerTimeAbs: '2027-01-01T00:00:00Z',
  };
  expect((await client.ledger('POST', '/v2/commands/async/submit', body)).status).toBe(200);
  const [request] = client.canticle.requests.list({ operation: 'postV2CommandsAsyncSubmit' });
  await client.ledger('GET', '/v2/parties');
  expect((await explanation(request!.id)).body).toMatchObject({
    error: { code: 'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND' },
    actions: [{ kind: 'create', outcome: 'done', required: [alice, bank] }],
  });
});

it('returns no explanation for successful requests, requests without a submission, and unknown requests', async () => {
  await client.ledger('GET', '/v2/parties');
  for (const id of [1, 99, 'latest', 'x']) {
    const { status, body } = await explanation(id);
    expect([status, body.error]).toEqual([404, expect.stringContaining(`request ${id}`)]);
  }
});

it('passes the explanation to journal listeners', async () => {
  const heard: unknown[] = [];
  const stop = client.canticle.requests.onRequest(({ status }, why) =>
    heard.push([status, why?.toJSON().error.code]),
  );
  const submit = () => client.ledger('POST', '/v2/commands/submit-and-wait', commands(creation()));
  await submit();
  await client.ledger('GET', '/v2/parties');
  stop();
  await submit();
  expect(heard).toEqual([
    [400, 'DAML_AUTHORIZATION_ERROR'],
    [200, undefined],
  ]);
});
