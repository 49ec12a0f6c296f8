/** Several participants, each with its own Ledger API: hosted parties, visible updates, and offsets. */
import { multiSync } from '../../src/cli/index.js';
import { type Canticle, startCanticle } from 'canticle';
import { TestClient } from '../support/client.js';
import { create, eventFormat, LedgerApi, updateFormat, wildcard } from '../support/ledger-api.js';
import { modelPackage } from '../support/daml/model-package.js';
import { offsetOf, StreamClient } from '../support/stream-client.js';

const WITH_OBSERVERS = '#model-tests:Test:WithObservers';
let canticle: Canticle;
let sandbox: LedgerApi;
let pebblebox: LedgerApi;
let sidebox: LedgerApi;
let alice: string;
let bob: string;
const clients: TestClient[] = [];

/** A client of one participant's own port. */
function at(name: string): LedgerApi {
  const client = new TestClient(
    Object.create(canticle, { url: { value: canticle.ledgerApis[name] } }),
    {},
  );
  clients.push(client);
  return new LedgerApi(client);
}

beforeAll(async () => {
  canticle = await startCanticle({ ...multiSync(0), seed: 1, packages: [modelPackage] });
  [sandbox, pebblebox, sidebox] = [at('sandbox'), at('pebblebox'), at('sidebox')];
});
beforeEach(() => {
  canticle.reset();
  alice = canticle.participants[0]!.allocateParty('alice');
  bob = canticle.participants[1]!.allocateParty('bob');
});
afterAll(() => Promise.all(clients.splice(0).map((client) => client.close())));

const allOf = (party: string) => updateFormat('LEDGER_EFFECTS', eventFormat([party], wildcard()));
const get = async (api: LedgerApi, path: string) => (await api.client.ledger('GET', path)).body;

/** Alice's, which Bob may see. @returns its id */
function shared(options: object = {}): Promise<string> {
  return sandbox.create(
    WITH_OBSERVERS,
    { giver: alice, observers: [bob] },
    { actAs: alice, ...options },
  );
}

it('each participant answers on a separate port, and below its name on the first port', async () => {
  const ids = canticle.network.participants.map(({ id }) => id);
  expect(ids.map((id) => id.split('::')[0])).toEqual(['sandbox', 'pebblebox', 'sidebox']);
  for (const [index, [name, url]] of Object.entries(canticle.ledgerApis).entries()) {
    const own = await (await fetch(`${url}/v2/parties/participant-id`)).json();
    const below = await (
      await fetch(`${canticle.url}/participants/${name}/v2/parties/participant-id`)
    ).json();
    expect([own, below]).toEqual([{ participantId: ids[index] }, { participantId: ids[index] }]);
  }
  expect(canticle.url).toBe(canticle.ledgerApis.sandbox);
  expect(new Set(Object.values(canticle.ports)).size).toBe(3);
  const inside = await canticle.handle({ path: '/participants/sidebox/v2/parties/participant-id' });
  expect(inside.json()).toEqual({ participantId: ids[2] });
  expect((await canticle.handle({ path: '/participants/nobody/v2/version' })).status).toBe(404);
});

it('each participant is connected to the same synchronizers as in the sandbox', async () => {
  const aliases = async (api: LedgerApi) =>
    (await get(api, '/v2/state/connected-synchronizers')).connectedSynchronizers.map(
      (each: any) => each.synchronizerAlias,
    );
  expect(await aliases(sandbox)).toEqual(['synchronizer-1', 'synchronizer-2']);
  expect(await aliases(pebblebox)).toEqual(['synchronizer-1', 'synchronizer-2']);
  expect(await aliases(sidebox)).toEqual(['synchronizer-2']);
});

it('parties and users are hosted where they were created', async () => {
  const isLocal = async (api: LedgerApi, party: string) =>
    (await get(api, `/v2/parties/${encodeURIComponent(party)}`)).partyDetails[0]?.isLocal as
      | boolean
      | undefined;
  expect([await isLocal(sandbox, alice), await isLocal(pebblebox, bob)]).toEqual([true, true]);
  expect([await isLocal(pebblebox, alice), await isLocal(sandbox, bob)]).toEqual([false, false]);
  await sandbox.ok('/v2/users', { user: { id: 'only-here' }, rights: [] });
  expect((await sandbox.client.ledger('GET', '/v2/users/only-here')).status).toBe(200);
  expect((await pebblebox.client.ledger('GET', '/v2/users/only-here')).status).toBe(404);
});

it("only a party's own participant can act for it", async () => {
  const command = create(WITH_OBSERVERS, { giver: alice, observers: [] });
  expect(await sandbox.submitRefusal(command, { actAs: alice })).toBe('accepted');
  expect(await pebblebox.submitRefusal(command, { actAs: alice })).not.toBe('accepted');
});

it('an update has a different offset on each participant that sees it', async () => {
  // Updates that only Bob's participant sees make the offsets differ.
  for (let i = 0; i < 3; i++)
    await pebblebox.submit(create('#model-tests:Test:Dummy', { operator: bob }), { actAs: bob });
  const sideEnd = await sidebox.ledgerEnd();
  await shared();
  const [here] = (await sandbox.updates(allOf(alice))).slice(-1);
  const [there] = (await pebblebox.updates(allOf(bob))).slice(-1);
  expect(here.Transaction.value.updateId).toBe(there.Transaction.value.updateId);
  expect(here.Transaction.value.recordTime).toBe(there.Transaction.value.recordTime);
  expect(here.Transaction.value.offset).not.toBe(there.Transaction.value.offset);
  expect(await sidebox.ledgerEnd()).toBe(sideEnd);
  const { updateId } = here.Transaction.value;
  expect(
    await sidebox.refusal('/v2/updates/update-by-id', { updateId, updateFormat: allOf(alice) }),
  ).toBe('UPDATE_NOT_FOUND');
});

it('parties see only their own contracts', async () => {
  const secret = await sandbox.create(
    WITH_OBSERVERS,
    { giver: alice, observers: [] },
    { actAs: alice },
  );
  const known = await shared();
  const anyone = eventFormat([], wildcard());
  const ids = async (api: LedgerApi) =>
    (await api.active(anyone))
      .map((event: any) => event.contractId)
      .filter((id: string) => [secret, known].includes(id));
  expect(await ids(sandbox)).toEqual([secret, known]);
  expect(await ids(pebblebox)).toEqual([known]);
  expect(await ids(sidebox)).toEqual([]);
});

it('one participant completes a reassignment that another began (B-RSG-018)', async () => {
  const [one, two] = canticle.network.synchronizers.map(({ id }) => id);
  const contractId = await shared({ synchronizerId: one });
  const move = (api: LedgerApi, submitter: string, command: object) =>
    api.post('/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands: {
        submitter,
        commandId: `move-${submitter}`,
        submissionId: '',
        workflowId: '',
        userId: 'mover',
        commands: [{ command }],
      },
      eventFormat: eventFormat([submitter], wildcard()),
    });
  const unassign = { UnassignCommand: { value: { contractId, source: one, target: two } } };
  const begun = (await move(pebblebox, bob, unassign)).body.reassignment;
  const { reassignmentId } = begun.events[0].JsUnassignedEvent.value;
  const assign = { AssignCommand: { value: { reassignmentId, source: one, target: two } } };
  const { status, body } = await move(sandbox, alice, assign);
  expect([status, body.code]).toEqual([404, 'REASSIGNMENT_VALIDATION_FAILED']);
  canticle.advanceTime({ minutes: 1 });
  const [half, otherHalf] = await Promise.all(
    [
      { api: sandbox, party: alice },
      { api: pebblebox, party: bob },
    ].map(async ({ api, party }) =>
      (await api.updates(allOf(party)))
        .slice(-2)
        .map(({ Reassignment }: any) => Reassignment.value),
    ),
  );
  expect(half.map(({ updateId }: any) => updateId)).toEqual(
    otherHalf.map(({ updateId }: any) => updateId),
  );
  expect(half[0].updateId).toBe(begun.updateId);
  // In the name of Bob's command, for a party of this participant, which alone tells the command.
  expect(half[1].events[0].JsAssignmentEvent).toMatchObject({
    reassignmentId,
    reassignmentCounter: 1,
    submitter: alice,
  });
  expect([half[1].commandId, otherHalf[1].commandId]).toEqual([begun.commandId, '']);
  const [entry] = await sandbox.acs(eventFormat([alice], wildcard()));
  expect(entry.contractEntry.JsActiveContract).toMatchObject({
    synchronizerId: two,
    reassignmentCounter: 1,
  });
});

it('streams return updates of the participant that receives the request', async () => {
  const request = (party: string, beginExclusive: number) => ({
    beginExclusive,
    updateFormat: allOf(party),
  });
  const [sandboxEnd, pebbleboxEnd] = [await sandbox.ledgerEnd(), await pebblebox.ledgerEnd()];
  const ofAlice = await new StreamClient(`${canticle.ledgerApis.sandbox}/v2/updates`).send(
    request(alice, sandboxEnd),
  );
  const ofBob = await new StreamClient(`${canticle.ledgerApis.pebblebox}/v2/updates`).send(
    request(bob, pebbleboxEnd),
  );
  const below = await new StreamClient(`${canticle.url}/participants/pebblebox/v2/updates`).send(
    request(bob, pebbleboxEnd),
  );
  await sandbox.create(WITH_OBSERVERS, { giver: alice, observers: [] }, { actAs: alice });
  await shared();
  expect((await ofAlice.take(2)).map(offsetOf)).toEqual([sandboxEnd + 1, sandboxEnd + 2]);
  expect((await ofBob.take(1)).map(offsetOf)).toEqual([pebbleboxEnd + 1]);
  expect((await below.take(1)).map(offsetOf)).toEqual([pebbleboxEnd + 1]);
  expect(canticle.streams.map(({ participant }) => participant).sort()).toEqual([
    'pebblebox',
    'pebblebox',
    'sandbox',
  ]);
});

it('a port in use fails the start, and no other port stays open', async () => {
  const ports = { sidebox: canticle.port };
  await expect(startCanticle({ ...multiSync(0), ports })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
