/** Traces of refusals and of requests, except the witnesses, which ledger/witnesses.test.ts covers. */
import {
  createCanticle,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  diffTraces,
  type Update,
} from 'canticle';
import { startClient, type TestClient } from '../../support/client.js';
import { IOU } from '../../support/ledger.js';
import { refusalOf } from './explained.js';

let client: TestClient;
let bank: string;
let alice: string;
let carol: string;
beforeAll(async () => {
  client = await startClient({ seed: 1, participants: [{ name: 'one' }, { name: 'two' }] });
  const [one, two] = client.canticle.participants;
  [bank, alice] = [one!.allocateParty('bank'), one!.allocateParty('alice')];
  carol = two!.allocateParty('carol');
});
afterAll(() => client.close());

/** Text that a page would run, that turns around what follows it, and that is long. */
const HOSTILE = `<script>alert(1)</script>\u202e"'&\u0000${'x'.repeat(100_000)}`.replace(
  '\u0000',
  '',
);
const payload = (currency = 'EUR') => ({
  issuer: bank,
  owner: alice,
  currency,
  amount: '1.0',
  observers: [carol],
});
const issue = (currency?: string) => {
  const { canticle } = client;
  const [one] = canticle.participants;
  one!.create(IOU, payload(currency), { actAs: [bank, alice] });
  const { updates } = canticle.network;
  return updates.at(updates.length - 1)!.updateId;
};
const trace = (path: string) => client.control('GET', `/v1/${path}`);

it('contains any text unchanged', async () => {
  const updateId = issue(HOSTILE);
  const [one, two] = client.canticle.participants;
  const { body } = await trace(`traces/${updateId}`);
  expect(body).toEqual(client.canticle.trace(updateId));
  expect(body).toMatchObject({
    version: 1,
    outcome: 'committed',
    retraced: true,
    update: {
      updateId,
      kind: 'transaction',
      synchronizer: 'global',
      offsets: { one: one!.ledgerEnd, two: two!.ledgerEnd },
    },
    submission: { participant: 'one', actAs: [bank, alice], readAs: [] },
    nodes: [
      {
        id: 0,
        depth: 0,
        kind: 'create',
        outcome: 'done',
        nodeId: 0,
        event: true,
        template: IOU,
        argument: { currency: HOSTILE },
        authority: { had: [alice, bank], needed: [alice, bank], missing: [] },
        signatories: [alice, bank],
        witnesses: [
          { party: alice, reasons: ['signatory'] },
          { party: bank, reasons: ['signatory'] },
          { party: carol, reasons: ['observer'] },
        ],
      },
    ],
    hosts: { [alice]: ['one'], [bank]: ['one'], [carol]: ['two'] },
  });
});

it('is the same before and after a request for it, and after a revert of later updates', () => {
  const { canticle } = client;
  const updateId = issue();
  const before = canticle.trace(updateId);
  const snapshot = canticle.snapshot();
  issue();
  canticle.revert(snapshot);
  expect(canticle.trace(updateId)).toEqual(before);
});

it('shows the missing authority of a rejected submission, and the commands that did not run', async () => {
  const command = { CreateCommand: { templateId: IOU, createArguments: payload() } };
  const request = {
    commandId: 'refused',
    userId: 'participant_admin',
    actAs: [bank],
    commands: [command, command],
  };
  await client.ledger('POST', '/v2/commands/submit-and-wait', request);
  const { body } = await trace('requests/latest/trace');
  expect(body).toMatchObject({
    outcome: 'refused',
    retraced: true,
    error: { code: 'DAML_AUTHORIZATION_ERROR' },
    submission: { commandId: 'refused', actAs: [bank] },
    nodes: [
      {
        kind: 'create',
        outcome: 'failed',
        culprit: true,
        authority: { had: [bank], needed: [alice, bank], missing: [alice] },
      },
      { kind: 'create', outcome: 'notReached' },
    ],
  });
  expect((body as { nodes: object[] }).nodes[1]).not.toHaveProperty('authority');
  const error = refusalOf(() =>
    client.canticle.participant.create(IOU, payload(), { actAs: [bank] }),
  );
  expect(client.canticle.trace(error).nodes[0]).toEqual((body as { nodes: object[] }).nodes[0]);
});

it("finds a submission by its client's ids, and a request by its own id", async () => {
  const { canticle } = client;
  const iou = canticle.participants[0]!.create(IOU, payload(), { actAs: [bank, alice] });
  const request = {
    commandId: 'archive',
    submissionId: 'by-alice',
    userId: 'participant_admin',
    actAs: [alice, bank],
    commands: [
      {
        ExerciseCommand: {
          templateId: IOU,
          contractId: iou,
          choice: 'Archive',
          choiceArgument: {},
        },
      },
    ],
  };
  await client.ledger('POST', '/v2/commands/submit-and-wait', request);
  const found = canticle.trace({ commandId: 'archive' });
  expect(found).toMatchObject({
    submission: { submissionId: 'by-alice', userId: 'participant_admin' },
    nodes: [
      {
        kind: 'exercise',
        choice: 'Archive',
        consuming: true,
        result: {},
        payload: { currency: 'EUR' },
      },
    ],
  });
  for (const path of ['traces?submissionId=by-alice', 'traces?commandId=archive&participant=one'])
    expect((await trace(path)).body).toEqual(found);
  const { id } = canticle.requests.list().find(({ updateId }) => updateId !== undefined)!;
  expect((await trace(`requests/${id}/trace`)).body).toEqual(found);
});

it.each([
  ['traces/1220ab', 404, 'There is no update 1220ab.'],
  ['traces', 400, 'Say which: either commandId or submissionId.'],
  ['traces?commandId=a&submissionId=b', 400, 'Say which: either commandId or submissionId.'],
  ['traces?commandId=nobody', 404, 'There is no completion of command nobody.'],
  ['traces?commandId=archive&participant=two', 404, 'There is no completion of command archive.'],
  ['traces?commandId=a&participant=three', 404, 'There is no participant three.'],
  ['requests/9999/trace', 404, 'There is nothing to trace of request 9999.'],
])('rejects %s', async (path, status, error) => {
  expect(await trace(path)).toMatchObject({ status, body: { error } });
});

it('rejects an invalid prepared transaction', async () => {
  const body = { preparedTransaction: 'AAAA' };
  const answer = await client.control('POST', '/v1/traces/prepared', body);
  expect(answer).toMatchObject({ status: 400 });
  expect(() => client.canticle.trace(new Error('of something else'))).toThrow(
    'The error is not the refusal of a submission.',
  );
  expect(() => client.canticle.trace('1220ab')).toThrow('There is no update 1220ab.');
});

/** A notice that a reader can touch, which copies it. Version 2 copies it twice. */
function notices(version: '1.0.0' | '2.0.0') {
  const Notice = defineTemplate({
    name: 'Board:Notice',
    fields: { owner: d.party },
    signatories: ({ owner }) => [owner],
    choices: (choice) => ({
      Touch: choice({
        argument: { who: d.party },
        result: d.unit,
        consuming: false,
        controllers: (_, { who }) => [who],
        run: (update, { payload, template }) => {
          update.create(template, payload);
          if (version === '2.0.0') update.create(template, payload);
          return {};
        },
      }),
    }),
  });
  const packages = [definePackage({ name: 'board', version, templates: [Notice] })];
  const canticle = createCanticle({ seed: 1, packages });
  const { participant } = canticle;
  const [owner, who] = ['owner', 'who'].map((hint) => participant.allocateParty(hint));
  const notice = participant.create(Notice, { owner: owner! }, { actAs: owner! });
  const contract = canticle.network.contracts.get(notice)!.instance;
  const disclosedContracts = [{ contract, synchronizerId: undefined }];
  const { updateId } = participant.exercise(
    notice,
    Notice.Touch,
    { who: who! },
    { actAs: who!, disclosedContracts },
  );
  return canticle.trace(updateId);
}

it('reports witnesses by disclosure, and the effects of another package version', () => {
  const [one, again, two] = [notices('1.0.0'), notices('1.0.0'), notices('2.0.0')];
  const [owner, who] = ['owner', 'who'].map((hint) =>
    Object.keys(one.hosts).find((party) => party.startsWith(hint))!,
  );
  expect(one.nodes[0]!.witnesses).toEqual([
    { party: owner, reasons: ['signatory'] },
    { party: who, reasons: ['controller', 'disclosed'] },
  ]);
  expect(one.nodes[1]!.witnesses).toEqual([
    { party: owner, reasons: ['signatory'] },
    { party: who, reasons: ['divulged'], through: 0 },
  ]);
  expect(diffTraces(one, again)).toEqual([]);
  expect(diffTraces(one, two)).toEqual([{ change: 'added', after: 2, fields: [] }]);
  expect(diffTraces(two, one)).toEqual([{ change: 'removed', before: 2, fields: [] }]);
});

it('shows the recorded data if TypeScript code acts differently when it runs again', () => {
  let runs = 0;
  const Coin = defineTemplate({
    name: 'Main:Coin',
    fields: { owner: d.party, label: d.text },
    signatories: ({ owner }) => [owner],
    choices: (choice) => ({
      Look: choice({
        result: d.unit,
        consuming: false,
        controllers: ({ owner }) => [owner],
        run: () => ({}),
      }),
      Copy: choice({
        argument: { acts: d.text },
        result: d.unit,
        consuming: false,
        controllers: ({ owner }) => [owner],
        run: (update, { payload, template, contractId }, { acts }) => {
          runs += 1;
          update.create(template, { ...payload, label: 'copy' });
          if (acts === 'fetches' && runs === 1) update.fetch(template, contractId);
          else if (acts === 'fetches') update.untyped.exercise(template.id, contractId, 'Look', {});
          else if (runs === 1 || acts === 'same')
            update.create(template, { ...payload, label: 'last' });
          else if (acts === 'otherwise') update.fetch(template, contractId);
          return {};
        },
      }),
    }),
  });
  const packages = [definePackage({ name: 'coins', version: '1.0.0', templates: [Coin] })];
  const canticle = createCanticle({ seed: 1, packages });
  const { participant } = canticle;
  const owner = participant.allocateParty('owner');
  const asOwner = { actAs: [owner] };
  const coin = participant.create(Coin, { owner, label: 'first' }, asOwner);
  const traced = (acts: string) => {
    runs = 0;
    const { updateId } = participant.exercise(coin, Coin.Copy, { acts }, asOwner);
    return canticle.trace(updateId);
  };
  const create = (label: string) => ({
    kind: 'create',
    template: '#coins:Main:Coin',
    argument: { owner, label },
  });
  const nodes = [
    { kind: 'exercise', template: '#coins:Main:Coin', choice: 'Copy' },
    create('copy'),
    create('last'),
  ];
  expect(traced('same')).toMatchObject({ retraced: true, nodes });
  for (const acts of ['less', 'otherwise'])
    expect(traced(acts)).toMatchObject({ retraced: false, nodes });
  // An exercise of the contract in the place of a fetch.
  expect(traced('fetches')).toMatchObject({
    retraced: false,
    nodes: [nodes[0], nodes[1], { kind: 'fetch', template: '#coins:Main:Coin', contractId: coin }],
  });
});

it('names the template that runs an interface choice, in the version that runs', () => {
  const View = d.record('Api:View', { owner: d.party, count: d.int64 });
  const fetchedCount = (update: Update, contractId: string): bigint =>
    update.fetchView(Counted, contractId).view.count;
  const Counted = defineInterface({
    name: 'Api:Counted',
    view: View,
    choices: (choice) => ({
      Count: choice({
        result: d.int64,
        consuming: false,
        controllers: (view) => [view.owner],
        run: (_update, self) => self.view.count,
      }),
      Read: choice({
        result: d.int64,
        consuming: false,
        controllers: (view) => [view.owner],
        run: (update, { contractId }) => fetchedCount(update, contractId),
      }),
    }),
  });
  const api = definePackage({ name: 'api', version: '1.0.0', interfaces: [Counted] });
  const beads = (version: string) => {
    const Beads = defineTemplate({
      name: 'Main:Beads',
      fields: { owner: d.party, count: d.int64 },
      signatories: ({ owner }) => [owner],
      implements: (implement) => [
        implement(Counted, { view: ({ owner, count }) => ({ owner, count }) }),
      ],
    });
    return definePackage({ name: 'beads', version, templates: [Beads] });
  };
  const [one, two] = [beads('1.0.0'), beads('1.1.0')];
  const canticle = createCanticle({ seed: 1, packages: [api, one, two] });
  const { participant } = canticle;
  const owner = participant.allocateParty('owner');
  const asOwner = { actAs: [owner] };
  const contract = participant.create(`${one.id}:Main:Beads`, { owner, count: '1' }, asOwner);
  const nodesOf = (choice: string) => {
    const id = `${api.id}:Api:Counted`;
    const { updateId } = participant.exercise(id, contract, choice, {}, asOwner);
    return canticle.trace(updateId).nodes;
  };
  const through = {
    template: '#beads:Main:Beads',
    templateId: `${two.id}:Main:Beads`,
    interface: '#api:Api:Counted',
  };
  expect(nodesOf('Count')).toMatchObject([{ kind: 'exercise', ...through, result: '1' }]);
  expect(nodesOf('Read')).toMatchObject([
    { kind: 'exercise', ...through, result: '1' },
    { kind: 'fetch', ...through },
  ]);
});
