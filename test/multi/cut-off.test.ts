/** A participant without a connection to one of two synchronizers sees half of a reassignment, and the other half later. */
import { createCanticle, type Canticle, type ParticipantView } from 'canticle';
import { multiSync } from '../../src/cli/index.js';
import { model, modelPackage } from '../support/daml/model-package.js';
import { eventFormat, type JsonAnswer } from '../support/ledger-api.js';

const { participants, synchronizers } = multiSync(0);
let canticle: Canticle;
let sandbox: ParticipantView;
let pebblebox: ParticipantView;
let alice: string;
let bob: string;

beforeEach(() => {
  canticle = createCanticle({ participants, synchronizers, seed: 1, packages: [modelPackage] });
  [sandbox, pebblebox] = canticle.participants as [ParticipantView, ParticipantView];
  alice = sandbox.allocateParty('alice');
  bob = pebblebox.allocateParty('bob');
});

/** Of alice, seen by bob, on the first synchronizer. */
const shared = (): string =>
  sandbox.create(
    model('WithObservers'),
    { giver: alice, observers: [bob] },
    { actAs: [alice], synchronizer: 'synchronizer-1' },
  );

async function post(path: string, body: object): Promise<JsonAnswer> {
  return (await canticle.handle({ path: `/participants/pebblebox${path}`, body })).json();
}

/** `<entry> <counter> <synchronizer>` for each entry of the active contracts that pebblebox tells bob of the contract. */
async function entriesOf(contractId: string): Promise<string[]> {
  const activeAtOffset = pebblebox.ledgerEnd;
  const body = { activeAtOffset, eventFormat: eventFormat([bob]) };
  const entries: JsonAnswer[] = await post('/v2/state/active-contracts', body);
  return entries.flatMap(({ contractEntry }) => {
    const [[kind, entry]] = Object.entries<JsonAnswer>(contractEntry) as [[string, JsonAnswer]];
    const event = entry.assignedEvent ?? entry;
    const { createdEvent, reassignmentCounter, synchronizerId, target } = event;
    if (createdEvent?.contractId !== contractId) return [];
    return [`${kind} ${reassignmentCounter} ${(synchronizerId ?? target).split('::')[0]}`];
  });
}

async function updateKinds(beginExclusive: number): Promise<string[]> {
  const format = eventFormat([bob]);
  const updates: JsonAnswer[] = await post('/v2/updates', {
    beginExclusive,
    updateFormat: { includeReassignments: format },
  });
  return updates.flatMap(({ update }) =>
    update.Reassignment.value.events.flatMap((event: object) => Object.keys(event)),
  );
}

it('lists the contract on both synchronizers if it misses the unassignment and sees the assignment (B-RSG-027)', async () => {
  const contract = shared();
  const start = pebblebox.ledgerEnd;
  pebblebox.disconnect('synchronizer-1');
  sandbox.assign(sandbox.unassign(contract, { to: 'synchronizer-2', submitter: alice }));
  expect(await updateKinds(start)).toEqual(['JsAssignmentEvent']);
  expect(await entriesOf(contract)).toEqual([
    'JsActiveContract 0 synchronizer-1',
    'JsActiveContract 1 synchronizer-2',
    'JsIncompleteAssigned 1 synchronizer-2',
  ]);
  pebblebox.reconnect('synchronizer-1');
  expect(await updateKinds(start)).toEqual(['JsAssignmentEvent', 'JsUnassignedEvent']);
  expect(await entriesOf(contract)).toEqual(['JsActiveContract 1 synchronizer-2']);
});

it('an archival ends the contract on its synchronizer, and the other one remains', async () => {
  const contract = shared();
  pebblebox.disconnect('synchronizer-1');
  sandbox.assign(sandbox.unassign(contract, { to: 'synchronizer-2', submitter: alice }));
  sandbox.archive(model('WithObservers'), contract, { actAs: [alice] });
  expect(await entriesOf(contract)).toEqual([
    'JsActiveContract 0 synchronizer-1',
    'JsIncompleteAssigned 1 synchronizer-2',
  ]);
  pebblebox.reconnect('synchronizer-1');
  expect(await entriesOf(contract)).toEqual([]);
});

it('skips the earlier life of a contract that moved away before it reconnected', async () => {
  pebblebox.disconnect('synchronizer-1');
  const contract = shared();
  sandbox.assign(sandbox.unassign(contract, { to: 'synchronizer-2', submitter: alice }));
  pebblebox.reconnect('synchronizer-1');
  expect(await entriesOf(contract)).toEqual(['JsActiveContract 1 synchronizer-2']);
});

it('a revert restores the state before both', async () => {
  const contract = shared();
  pebblebox.disconnect('synchronizer-1');
  const before = canticle.snapshot();
  const move = sandbox.unassign(contract, { to: 'synchronizer-2', submitter: alice });
  const between = canticle.snapshot();
  sandbox.assign(move);
  const both = await entriesOf(contract);
  canticle.revert(between);
  expect(await entriesOf(contract)).toEqual(['JsActiveContract 0 synchronizer-1']);
  sandbox.assign(move);
  expect(await entriesOf(contract)).toEqual(both);
  pebblebox.reconnect('synchronizer-1');
  canticle.revert(before);
  expect(await entriesOf(contract)).toEqual(['JsActiveContract 0 synchronizer-1']);
});

it('a reconnected synchronizer is last in the order of connections', () => {
  const aliases = () =>
    pebblebox.engine.connected.map((id) => canticle.network.synchronizer(id)!.alias);
  pebblebox.disconnect('synchronizer-1');
  pebblebox.reconnect('synchronizer-1');
  expect(aliases()).toEqual(['synchronizer-2', 'synchronizer-1']);
});

it('an update that breaks a rule is rolled back, and the earlier log entry remains', () => {
  const { network } = canticle;
  const contract = shared();
  const { contract: instance } = pebblebox.engine.activeContracts.get(contract)!;
  const [source, target] = network.synchronizers.map(({ id }) => id) as [string, string];
  const ends = () => canticle.participants.map(({ ledgerEnd }) => ledgerEnd);
  const last = () => pebblebox.engine.log.entry(pebblebox.ledgerEnd);
  const [endsBefore, lastBefore] = [ends(), last()];
  const event = {
    ...{ kind: 'assigned' as const, nodeId: 0, contract: instance, source, target },
    ...{ reassignmentId: '00', submitter: alice, reassignmentCounter: 1 },
  };
  const update = {
    ...{ kind: 'reassignment' as const, synchronizerId: target, events: [event], workflowId: '' },
  };
  expect(() => network.journal.atomically(() => network.commit(update))).toThrow(
    'an assignment completes one unassignment',
  );
  expect(ends()).toEqual(endsBefore);
  expect(last()).toBe(lastBefore);
});
