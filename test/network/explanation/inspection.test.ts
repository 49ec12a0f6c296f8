/** The control API of the inspector, compared with the ledger's own answers. */
import { startClient, type TestClient } from '../../support/client.js';
import { IOU } from '../../support/ledger.js';
import { entryName, manifestFor, zipOf } from '../../support/daml/dar-builder.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';

let client: TestClient;
let bank: string;
let alice: string;
let carol: string;
beforeAll(async () => {
  client = await startClient({
    seed: 1,
    participants: [{ name: 'one' }, { name: 'two' }],
    synchronizers: [{ alias: 'global' }, { alias: 'app' }],
  });
  const [one, two] = client.canticle.participants;
  [bank, alice] = [one!.allocateParty('bank'), one!.allocateParty('alice')];
  carol = two!.allocateParty('carol');
});
afterAll(() => client.close());

const get = async (path: string): Promise<any> =>
  (await client.control('GET', `/v1/inspection/${path}`)).body;
const one = () => client.canticle.participants[0]!;
const issue = (observers: string[] = []) =>
  one().create(
    IOU,
    { issuer: bank, owner: alice, currency: 'EUR', amount: '1.0', observers },
    { actAs: [bank, alice], synchronizer: 'global' },
  );
/** All pages of a list, a few at a time. */
async function pages(path: string, list: string, cursor: string): Promise<any[]> {
  const all: any[] = [];
  for (let next = ''; ;) {
    const page = await get(`${path}&limit=2${next && `&${cursor}=${encodeURIComponent(next)}`}`);
    expect(page[list].length).toBeLessThanOrEqual(2);
    all.push(...page[list]);
    if (page.next === null || page.next === undefined) return all;
    next = page.next;
  }
}

it('returns a contract at any time, its synchronizer, and its history', async () => {
  const { canticle } = client;
  const [remaining, gone] = [issue([carol]), issue()];
  const before = canticle.time;
  const reassignment = one().unassign(remaining, { to: 'app' });
  const during = canticle.time;
  one().assign(reassignment);
  one().exercise(IOU, gone, 'Archive', {}, { actAs: [bank, alice] });
  const listed = async (query: string) =>
    (await get(`contracts?template=Quickstart.Iou:Iou&${query}`)).contracts.map((each: any) => [
      each.contractId,
      each.state,
      each.synchronizer,
      each.reassignmentCounter,
    ]);
  expect(await listed(`at=${before}`)).toEqual([
    [remaining, 'active', 'global', 0],
    [gone, 'active', 'global', 0],
  ]);
  expect(await listed(`at=${during}`)).toEqual([
    [remaining, 'inFlight', 'app', 1],
    [gone, 'active', 'global', 0],
  ]);
  expect(await listed('')).toEqual([[remaining, 'active', 'app', 1]]);
  expect(await listed('archived=true&synchronizer=global')).toEqual([
    [gone, 'archived', 'global', 0],
  ]);
  expect(await listed('participant=two&archived=true')).toEqual([[remaining, 'active', 'app', 1]]);
  expect(await listed(`party=${carol}`)).toEqual([[remaining, 'active', 'app', 1]]);
  expect((await get(`contracts?template=${encodeURIComponent(IOU)}`)).contracts).toHaveLength(1);
  expect((await get('contracts?template=Quickstart.Iou:Other')).contracts).toEqual([]);
  const { contract, life } = await get(`contracts/${remaining}`);
  expect(contract).toMatchObject({
    template: IOU,
    payload: { currency: 'EUR' },
    observers: [carol],
    participants: ['one', 'two'],
  });
  expect(life.map((each: any) => [each.kind, each.synchronizer, each.reassignmentCounter])).toEqual(
    [
      ['created', 'global', undefined],
      ['unassigned', 'global', 1],
      ['assigned', 'app', 1],
    ],
  );
});

it('lists the same contracts as the participants, page by page', async () => {
  for (let index = 0; index < 5; index += 1) issue(index % 2 === 0 ? [carol] : []);
  const all = await pages('contracts?template=Quickstart.Iou:Iou', 'contracts', 'after');
  const active = client.canticle.participants.flatMap((each) =>
    each.activeContracts({ template: IOU }).map(({ contractId }) => contractId),
  );
  expect(all.map(({ contractId }) => contractId).sort()).toEqual([...new Set(active)].sort());
});

it('lists all updates, newest first, and each rejection after sequencing', async () => {
  const { canticle } = client;
  const { updates } = canticle.network;
  const everything = await pages('updates?', 'updates', 'before');
  const ids = Array.from({ length: updates.length }, (_, index) => updates.at(index)!.updateId);
  expect(everything.map(({ updateId }) => updateId)).toEqual(ids.reverse());
  const iou = issue();
  const archive = (commandId: string) =>
    client.ledger('POST', '/v2/commands/submit-and-wait', {
      commandId,
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
    });
  await archive('once');
  const [newest] = (await get('updates?limit=1')).updates;
  expect(newest).toMatchObject({
    kind: 'transaction',
    submission: { participant: 'one', commandId: 'once', actAs: [alice, bank] },
    summary: ['Archive of Quickstart.Iou:Iou'],
  });
  const refused = await client.ledger('POST', '/v2/commands/submit-and-wait', {
    commandId: 'too-far',
    userId: 'participant_admin',
    actAs: [bank, alice],
    minLedgerTimeRel: { seconds: 86_400, nanos: 0, unknownFields: { fields: {} } },
    commands: [
      {
        CreateCommand: {
          templateId: IOU,
          createArguments: {
            issuer: bank,
            owner: alice,
            currency: 'EUR',
            amount: '1',
            observers: [],
          },
        },
      },
    ],
  });
  expect(refused.body).toMatchObject({ code: 'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND' });
  const [first, second] = (await get('updates?limit=2')).updates;
  expect([first, second]).toMatchObject([
    {
      kind: 'refused',
      submission: { commandId: 'too-far' },
      error: { code: 'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND' },
    },
    { updateId: newest.updateId },
  ]);
  const trace = canticle.trace({ commandId: 'too-far' });
  expect(trace).toMatchObject({ outcome: 'refused', retraced: true, nodes: [{ kind: 'create' }] });
  expect((await get(`updates?party=${carol}&limit=1`)).updates[0].submission.commandId).not.toBe(
    'once',
  );
});

it('waits for a change, and does not count the request itself as a change', async () => {
  const { state, updates } = await get('changes?wait=0');
  expect(updates).toBe(client.canticle.network.updates.length);
  expect((await get(`changes?after=${state}&wait=60`)).state).toBe(state);
  const waiting = get(`changes?after=${state}&wait=15000`);
  issue();
  expect(await waiting).toMatchObject({ updates: updates + 1 });
});

it('lists the newest contracts first on request, with the requested interface view', async () => {
  const path = 'contracts?template=Quickstart.Iou:Iou';
  const oldest = await pages(path, 'contracts', 'after');
  expect(await pages(`${path}&newest=true`, 'contracts', 'after')).toEqual(oldest.reverse());
  const { contract, views, blob } = await get(`contracts/${oldest[0].contractId}`);
  expect([contract, views]).toEqual([oldest[0], []]);
  // A reader with the blob finds the contract, but does not own it yet.
  const { contractId } = contract;
  const split = {
    ExerciseCommand: {
      templateId: IOU,
      contractId,
      choice: 'Iou_Split',
      choiceArgument: { splitAmount: '0.5' },
    },
  };
  const disclosedContracts = [{ contractId, createdEventBlob: blob }];
  const mallory = client.canticle.participants[1]!.allocateParty('mallory');
  const tried = await client.control('POST', '/v1/simulate', {
    steps: [{ actAs: [mallory], commands: [split], disclosedContracts }],
  });
  expect(tried.body.steps[0].missing).toEqual([{ parties: [alice], node: 0 }]);
  const token = client.canticle.token;
  token.mint(alice, '5.0');
  const { contracts } = await get('contracts?interface=Splice.Api.Token.HoldingV1:Holding');
  expect(contracts[0].views).toMatchObject([{ value: { owner: alice, amount: '5.0000000000' } }]);
});

it('submits as any party, at its host, and explains refusals', async () => {
  const payload = { issuer: carol, owner: carol, currency: 'EUR', amount: '1.0', observers: [] };
  const commands = [{ CreateCommand: { templateId: IOU, createArguments: payload } }];
  const submit = (more: object) => client.control('POST', '/v1/submit', { commands, ...more });
  const two = client.canticle.participants[1]!;
  const { body } = await submit({ actAs: [carol], synchronizerId: '' });
  expect(body).toEqual({
    participant: 'two',
    updateId: client.canticle.trace(body.updateId).update!.updateId,
    offset: two.ledgerEnd,
  });
  const refused = await submit({ actAs: [alice] });
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining(carol) } });
  const [entry] = (await client.control('GET', '/v1/requests?outcome=refused')).body.requests.slice(
    -1,
  );
  const trace = await client.control('GET', `/v1/requests/${entry.id}/trace`);
  expect(trace.body.nodes[0].authority.missing).toEqual([carol]);
  expect(await submit({ participant: 'three' })).toMatchObject({ status: 404 });
  expect(await submit({ commands: [{}] })).toMatchObject({ status: 400 });
});

it('lists the participants of each party', async () => {
  const { participants, synchronizers, parties } = await get('topology');
  expect(synchronizers.map((each: any) => each.alias)).toEqual(['global', 'app']);
  expect(participants.map((each: any) => [each.name, each.connected])).toEqual([
    ['one', ['global', 'app']],
    ['two', ['global', 'app']],
  ]);
  const { hosts } = parties.find(({ party }: any) => party === carol);
  expect(hosts).toEqual(
    ['global', 'app'].map((synchronizer) => ({
      participant: 'two',
      synchronizer,
      permission: 'submission',
    })),
  );
  const { packages } = await get('packages');
  const quickstart = packages.find(({ name }: any) => name === 'canticle-quickstart');
  expect(participants[0].vetted.global).toContain(quickstart.id);
  const { modules } = await get(`packages/${quickstart.id}`);
  const { templates } = modules.find(({ name }: any) => name === 'Quickstart.Iou');
  expect(templates[0]).toMatchObject({
    name: 'Iou',
    fields: [{ name: 'issuer', type: 'Party' }, {}, {}, {}, {}],
  });
});

it.each([
  ['updates?limit=0', 400, 'limit is from 1 to 1000, and was 0.'],
  ['updates?participant=three', 404, 'There is no participant three.'],
  ['changes?wait=-1', 400, 'wait is from 0 to 15000 milliseconds, and was -1.'],
  ['contracts?after=there', 400, 'after is what next was, and not there.'],
  ['contracts?offset=3', 400, 'An offset is one of a participant: say which.'],
  ['contracts?offset=999&participant=one', 404, 'There is nothing at offset 999 of one.'],
  ['contracts?synchronizer=none', 404, 'There is no synchronizer none. There are: global, app.'],
  ['contracts/00ab', 404, 'There is no contract 00ab.'],
  ['packages/ab', 404, 'There is no package ab.'],
  ['packages/ab/sources/Main', 404, 'There is no source of module Main of package ab.'],
])('rejects %s', async (path, status, error) => {
  expect(await client.control('GET', `/v1/inspection/${path}`)).toMatchObject({
    status,
    body: { error },
  });
});

it('returns the Daml source in a DAR, by module', async () => {
  const main = encodePackage({
    name: 'sourced',
    modules: { 'Main.Types': { types: { A: { record: {} } } } },
  });
  const text = 'module Main.Types where\n-- <script>\u202e\n';
  const dar = zipOf({
    'META-INF/MANIFEST.MF': manifestFor(main),
    [entryName(main)]: main.dalf,
    [`sourced-1.0.0-${main.id}/Main/Types.daml`]: text,
  });
  one().uploadDar(dar);
  const { sources } = await get(`packages/${main.id}`);
  expect(sources).toEqual(['Main.Types']);
  expect((await get(`packages/${main.id}/sources/Main.Types`)).text).toBe(text);
});
