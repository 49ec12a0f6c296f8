/** The state of another participant, imported into an empty network: contracts in their updates, parties and packages. */
import { createCanticle } from 'canticle';
import type { ContractInstance } from '../../src/daml/index.js';
import { openNetwork } from '../../src/network/open.js';
import type { Participant } from '../../src/network/participant.js';
import type { PlantedHalf } from '../../src/network/worlds/plant-halves.js';
import {
  plantWorld,
  type PlantedContract,
  type PlantedParty,
  type PlantedWorld,
} from '../../src/network/worlds/plant.js';

const NAMESPACE = `1220${'ab'.repeat(32)}`;
const [ALICE, BOB, ONE, TWO] = ['alice', 'bob', 'one', 'two'].map(
  (name) => `${name}::${NAMESPACE}`,
) as [string, string, string, string];
const START = 1_767_225_600_000_000n;

const source = createCanticle({ seed: 1 });
const bank = source.participant.allocateParty('bank');
/** A new contract of a party, which no ledger here has. */
function contractOf(party: string, createdAt = START + 10n): ContractInstance {
  const iou = { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [] };
  const template = '#canticle-quickstart:Quickstart.Iou:Iou';
  const id = source.participant.create(template, iou, { actAs: [bank] });
  const { instance } = source.network.contracts.get(id)!;
  return { ...instance, signatories: [party], observers: [], createdAt };
}
const active = (offset: number, more: Partial<PlantedContract> = {}): PlantedContract => ({
  contract: contractOf(ALICE),
  ...{ offset, nodeId: 0, synchronizerId: ONE, reassignmentCounter: 0 },
  ...more,
});
const hosted = (party: string, host: string): PlantedParty => ({
  ...{ party, host, annotations: { host }, resourceVersion: '1', identityProviderId: '' },
});

/** Two participants, of which the first hosts alice, and the second bob. */
function planted(world: Partial<PlantedWorld>) {
  const network = openNetwork(
    {
      ...{ seed: 2, start: START, participants: [{ name: 'first' }, { name: 'second' }] },
      synchronizers: [
        { alias: 'one', id: ONE },
        { alias: 'two', id: TWO, assignmentExclusivityTimeout: 0n },
      ],
    },
    (made) =>
      plantWorld(made, {
        ...{ offset: 50, time: START + 1000n, packages: [], vetted: new Map() },
        ...{ parties: [hosted(ALICE, 'first'), hosted(BOB, 'second')], users: [], contracts: [] },
        ...world,
      }),
  );
  const [first, second] = network.participants as [Participant, Participant];
  return { network, first, second };
}
const activeAt = ({ activeContracts }: Participant) => [
  ...activeContracts.now([{ party: undefined, templates: undefined }]),
];

it('puts contracts into one update if they have its offset, synchronizer and time', () => {
  const later = contractOf(ALICE, START + 11n);
  const { first } = planted({
    contracts: [
      active(5),
      active(5, { nodeId: 3 }),
      active(5, { nodeId: 4, contract: later }),
      active(5, { nodeId: 5, contract: contractOf(ALICE, START + 11n), synchronizerId: TWO }),
      active(6),
      // Contracts that arrived have the times of their creations.
      active(7, { reassignmentCounter: 1 }),
      active(7, { nodeId: 1, reassignmentCounter: 2, contract: contractOf(ALICE, START + 12n) }),
      active(7, { nodeId: 2, reassignmentCounter: 1 }),
      active(7, { nodeId: 3 }),
    ],
  });
  const activations = activeAt(first);
  const updates = [...new Set(activations.map(({ update }) => update))];
  expect(
    activations.map(({ update, offset, nodeId, reassignmentCounter }) => [
      ...[updates.indexOf(update), offset, nodeId, reassignmentCounter],
    ]),
  ).toEqual([
    [0, 5, 0, 0],
    [0, 5, 3, 0],
    [1, 5, 4, 0],
    [2, 5, 5, 0],
    [3, 6, 0, 0],
    [4, 7, 0, 1],
    [4, 7, 1, 2],
    [4, 7, 2, 1],
    [5, 7, 3, 0],
  ]);
  const times = updates.map(({ recordTime }) => recordTime);
  expect(times).toEqual(times.toSorted((a, b) => Number(a - b)));
  expect(new Set(times).size).toBe(times.length);
});

it.each([
  [9_999, 9_999],
  [10_000, 0],
])('a creation at node %i of its update is at node %i here', (nodeId, here) => {
  const { first } = planted({ contracts: [active(5, { nodeId })] });
  expect(activeAt(first).map((each) => each.nodeId)).toEqual([here]);
});

it('shows contracts only to the participants of their stakeholders', () => {
  const ofBob = contractOf(BOB);
  const contracts = [active(5), active(5, { nodeId: 1, contract: ofBob })];
  const { first, second } = planted({ contracts });
  const idsAt = (participant: Participant) =>
    activeAt(participant).map(({ contract }) => contract.contractId);
  expect(idsAt(first)).toEqual([contracts[0]!.contract.contractId]);
  expect(idsAt(second)).toEqual([ofBob.contractId]);
});

it('finds contracts by their keys, the latest first', () => {
  const keyed = (hash: string) => ({
    contract: { ...contractOf(ALICE), key: { hash } as ContractInstance['key'] },
  });
  const contracts = ['aa', 'bb', 'aa'].map((hash, index) => active(5 + index, keyed(hash)));
  const { network } = planted({ contracts });
  const [first, , third] = contracts.map(({ contract }) => contract.contractId);
  expect([...network.contracts.withKey('aa')]).toEqual([third, first]);
});

it('gives each participant the details of the parties that it hosts', () => {
  const { first, second } = planted({});
  const annotationsOf = (participant: Participant) =>
    participant.parties
      .get([ALICE, BOB])
      .map(({ party, localMetadata }) => [party, localMetadata.annotations]);
  expect(annotationsOf(first)).toEqual([
    [ALICE, { host: 'first' }],
    [BOB, {}],
  ]);
  expect(annotationsOf(second)).toEqual([
    [ALICE, {}],
    [BOB, { host: 'second' }],
  ]);
});

it('vets the packages of a synchronizer that it has; all of them if none are named', () => {
  const { packages } = source.participant.engine;
  const own = packages.versionsOf('canticle-quickstart').map((id) => packages.package(id)!);
  const { network, first } = planted({ packages: own, vetted: new Map([[ONE, ['missing']]]) });
  const vettedOn = (id: string) => [...network.topology.vetting(first.id, id).packages.keys()];
  expect(vettedOn(ONE)).toEqual([]);
  expect(vettedOn(TWO)).toEqual(own.map(({ id }) => id));
});

it('gives the first participant the users and identity providers', () => {
  const user = (id: string) => ({
    ...{ id, primaryParty: '', isDeactivated: false, identityProviderId: '' },
    ...{ primaryPartyAuthentication: false, metadata: { annotations: {}, resourceVersion: '1' } },
  });
  const right = { kind: 'CanActAs', party: ALICE } as const;
  const config = (identityProviderId: string) => ({
    ...{ identityProviderId, issuer: `of ${identityProviderId}`, jwksUrl: '', audience: '' },
    isDeactivated: false,
  });
  const { first, second } = planted({
    users: [{ user: user('ann'), rights: [right] }],
    identityProviders: [config('mine')],
  });
  expect([first.users.get('ann'), first.users.rights('ann')]).toEqual([user('ann'), [right]]);
  expect(second.users.has('ann')).toBe(false);
  expect(first.identityProviders.list()).toEqual([config('mine')]);
  expect(second.identityProviders.list()).toEqual([]);
  const without = planted({}).first;
  expect(without.users.has('participant_admin')).toBe(true);
});

it.each([
  [0, 0],
  [1, 1],
  [50, 50],
])('after an import up to offset %i, offsets up to %i appear as pruned', (offset, pruned) => {
  const { first } = planted({ offset });
  expect([first.log.end, first.log.prunedUpTo]).toEqual([offset, pruned]);
  expect(first.log.prunings).toHaveLength(offset > 0 ? 1 : 0);
});

it('continues after the imported updates, at the time of the world or of its last contract', () => {
  const contracts = [
    active(4, { contract: contractOf(BOB, START + 5n) }),
    active(5),
    active(6, { reassignmentCounter: 1, synchronizerId: TWO }),
  ];
  const early = planted({ contracts, time: START }).network;
  expect(early.clock.now()).toBe(START + 12n);
  const { network, first } = planted({ contracts });
  expect(network.clock.now()).toBe(START + 1000n);
  expect(network.updates.all().map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
  expect(network.nextSequence).toBe(4);
  expect(first.activeContracts.stays([]).map(([number]) => number)).toEqual([1, 2]);
  expect(first.activeContracts.next).toBe(3);
  const [moved, stayed] = contracts.toReversed().map(({ contract }) => contract.contractId);
  expect([moved!, stayed!].map((id) => network.contracts.state(id))).toEqual([
    { kind: 'active', synchronizerId: TWO, reassignmentCounter: 1 },
    { kind: 'active', synchronizerId: ONE, reassignmentCounter: 0 },
  ]);
});

it('puts the creations of an update at its root, and leaves gaps out of a large update', () => {
  const nodesOf = (...nodeIds: readonly number[]) => {
    const { network } = planted({ contracts: nodeIds.map((nodeId) => active(5, { nodeId })) });
    return network.updates
      .all()
      .flatMap((update) => (update.kind === 'transaction' ? update.transaction.nodes : []))
      .map(({ kind, nodeId, parent }) => [kind, nodeId, parent]);
  };
  expect(nodesOf(1, 2)).toEqual([
    ['rollback', 0, -1],
    ['create', 1, -1],
    ['create', 2, -1],
  ]);
  expect(nodesOf(1, 10_000)).toEqual([
    ['create', 0, -1],
    ['create', 1, -1],
  ]);
});

it('begins the history of Scan with the imported contracts, by their ids', () => {
  const contracts = [5, 6, 7, 8].map((offset) => active(offset));
  const begun = (migrationId?: number) =>
    planted({ contracts, migrationId }).network.migrations.history.map((each) => [
      each.migrationId,
      each.imported.map(({ contractId }) => contractId),
    ]);
  const sorted = contracts.map(({ contract }) => contract.contractId).sort();
  expect(begun()).toEqual([[0, sorted]]);
  expect(begun(3)).toEqual([[3, sorted]]);
});

describe('contracts on their way', () => {
  const half = (more: Partial<PlantedHalf> = {}): PlantedHalf => ({
    kind: 'unassigned',
    contract: contractOf(ALICE),
    activated: { offset: 3, nodeId: 2 },
    ...{ offset: 8, nodeId: 0, source: TWO, target: ONE, reassignmentId: '00aa', submitter: ALICE },
    ...{ reassignmentCounter: 1, assignmentExclusivity: START + 500n },
    ...more,
  });
  const halvesAt = ({ incompleteReassignments }: Participant) =>
    [...incompleteReassignments.at(50, [])].map(({ sequence, update }) => [
      sequence,
      update.events.map(({ contract }) => contract.contractId),
    ]);

  it('are incomplete only at the participants of their stakeholders, in the order of their nodes', () => {
    const [a, b, c] = [half(), half({ nodeId: 1 }), half({ offset: 7, reassignmentId: '00ab' })];
    const { network, first, second } = planted({ halves: [b, a, c] });
    const idOf = ({ contract }: PlantedHalf) => contract.contractId;
    expect(halvesAt(first)).toEqual([
      [7, [idOf(c)]],
      [8, [idOf(a), idOf(b)]],
    ]);
    expect(halvesAt(second)).toEqual([]);
    expect(activeAt(first)).toEqual([]);
    expect(network.updates.all()).toHaveLength(5);
    expect(network.nextSequence).toBe(5);
    expect(network.contracts.state(idOf(b))).toEqual({
      kind: 'inFlight',
      ...{ reassignmentId: '00aa', source: TWO, target: ONE, reassignmentCounter: 1 },
    });
  });

  it('are incomplete after their arrival where their departure is unknown', () => {
    const contracts = [
      active(8, { reassignmentCounter: 1 }),
      active(9, { reassignmentCounter: 1, contract: contractOf(ALICE, START + 20n) }),
    ];
    const [{ contract }, other] = contracts as [PlantedContract, PlantedContract];
    const arrived = half({ kind: 'assigned', contract, submitter: BOB });
    const { network, first, second } = planted({ contracts, halves: [arrived] });
    expect(halvesAt(first)).toEqual([[8, [contract.contractId]]]);
    expect(halvesAt(second)).toEqual([]);
    const events = network.updates
      .all()
      .flatMap((update) => (update.kind === 'reassignment' ? update.events : []))
      .map(({ kind, contract: { contractId }, source: from, submitter }) => [
        ...[kind, contractId, from, submitter],
      ]);
    expect(events).toEqual([
      ['assigned', contract.contractId, TWO, BOB],
      ['assigned', other.contract.contractId, ONE, ALICE],
    ]);
    const before = network.nextSequence;
    network.clock.advance(3_600_000_000n);
    expect(network.nextSequence).toBe(before);
  });

  it('arrive on their target automatically after their exclusivity, unless it has none', () => {
    const halves = [
      half(),
      half({ offset: 9, reassignmentId: '00ab', source: ONE, target: TWO }),
      half({ offset: 10, reassignmentId: '00ac' }),
    ];
    const { network } = planted({ halves });
    network.clock.advance(3_600_000_000n);
    const states = halves.map(({ contract }) => network.contracts.state(contract.contractId));
    const arrived = { kind: 'active', synchronizerId: ONE };
    expect(states).toMatchObject([arrived, { kind: 'inFlight' }, arrived]);
    const alone = planted({ halves: [halves[0]!] }).network;
    alone.clock.advance(3_600_000_000n);
    expect(alone.contracts.state(halves[0]!.contract.contractId)).toMatchObject(arrived);
  });
});
