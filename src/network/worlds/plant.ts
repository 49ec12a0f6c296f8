/**
 * Imports the state of another participant into an empty network: parties, users, packages and contracts, at its
 * offset. Earlier history is unknown here and appears as pruned.
 * NOTE: the updates that created the contracts have new ids, and contain only the nodes of those contracts.
 */
import type { DamlPackage } from '../../daml/model/package.js';
import {
  stakeholdersOf,
  type ContractInstance,
  type TransactionNode,
} from '../../daml/model/transaction.js';
import { compareText } from '../../daml/model/text-order.js';
import type { PackageId } from '../../daml/model/types.js';
import type { Annotations } from '../administration/object-meta.js';
import type { IdentityProviderConfig } from '../administration/identity-provider-store.js';
import type { User } from '../administration/users.js';
import { rightKey, type UserRight } from '../administration/user-rights.js';
import type { Party, SynchronizerId, Timestamp } from '../model/ids.js';
import type { MigrationRecord } from '../ledger/migrations.js';
import type { Restoring } from '../ledger/contract-store.js';
import { UpdateEntry } from '../ledger/log-entry.js';
import { IMPORTED, type StoredUpdate } from '../ledger/sequenced-update.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import type { AssignedEvent, ReassignmentUpdate } from '../model/updates.js';
import { batchesOf, Halves, unassignedEvents, type PlantedHalf } from './plant-halves.js';

/** An active contract, as a participant returns it. */
export interface PlantedContract {
  readonly contract: ContractInstance;
  /** The offset of its activation, and the node there. */
  readonly offset: number;
  readonly nodeId: number;
  readonly synchronizerId: SynchronizerId;
  /** 0 for a contract that was never reassigned. */
  readonly reassignmentCounter: number;
}

export interface PlantedParty {
  readonly party: Party;
  /** The name of the participant that hosts it. */
  readonly host: string;
  readonly annotations: Annotations;
  readonly resourceVersion: string;
  readonly identityProviderId: string;
}

export interface PlantedUser {
  readonly user: User;
  readonly rights: readonly UserRight[];
}

export interface PlantedWorld {
  /** The last offset of every participant. */
  readonly offset: number;
  /** Not before any of the contracts. */
  readonly time: Timestamp;
  readonly packages: readonly DamlPackage[];
  /** By synchronizer; a missing synchronizer means all packages. */
  readonly vetted: ReadonlyMap<SynchronizerId, readonly PackageId[]>;
  readonly parties: readonly PlantedParty[];
  /** The users of the first participant. */
  readonly users: readonly PlantedUser[];
  /** Also of the first participant; unknown members are empty texts. */
  readonly identityProviders?: readonly IdentityProviderConfig[];
  /** By the offset of their activation. */
  readonly contracts: readonly PlantedContract[];
  /** The current migration id; 0 if unknown. */
  readonly migrationId?: number | undefined;
  /** Contracts in flight, and assigned contracts in `contracts` without a visible unassignment. */
  readonly halves?: readonly PlantedHalf[];
}

/**
 * The most nodes of an update that are filled with placeholders. A larger update contains only the nodes of its
 * contracts.
 */
const MAX_NODES = 10_000;

export function plantWorld(network: Network, world: PlantedWorld): void {
  const { participants } = network;
  for (const participant of participants) addKnown(participant, world);
  const hosts = new Map(participants.map((each) => [each.name, each]));
  for (const { party, host } of world.parties) {
    const participant = hosts.get(host)!;
    for (const synchronizerId of participant.registered)
      network.topology.apply(synchronizerId, {
        kind: 'added',
        party,
        participantId: participant.id,
        permission: 'submission',
      });
  }
  new Planting(network, world).run();
}

/** Adds packages, parties and users of a participant. */
function addKnown(
  participant: Participant,
  { packages, vetted, parties, users, identityProviders = [] }: PlantedWorld,
): void {
  const { name, id, ledger, registered } = participant;
  for (const each of packages) participant.packages.add(each);
  const all = packages.map((each) => each.id);
  for (const synchronizerId of registered) {
    const known = (vetted.get(synchronizerId) ?? all).filter((each) =>
      participant.packages.has(each),
    );
    const named = known.map((packageId) => [packageId, { packageId }] as const);
    ledger.topology.setVetting(id, synchronizerId, new Map(named));
  }
  const { parts } = ledger.journal;
  const own = parties.filter(({ host }) => host === name);
  const records = own.map(({ party, annotations, resourceVersion, identityProviderId }) => [
    party,
    { metadata: { annotations, resourceVersion }, identityProviderId },
  ]);
  if (records.length > 0) parts.restore([[`parties/${name}`, records]]);
  if (participant !== ledger.members[0]) return;
  const providers = identityProviders.map((each) => [each.identityProviderId, each]);
  if (providers.length > 0) parts.restore([[`identity-providers/${name}`, providers]]);
  if (users.length === 0) return;
  const stored = users.map(({ user, rights }) => [
    user.id,
    { user, rights: new Map(rights.map((right) => [rightKey(right), right])) },
  ]);
  parts.restore([[`users/${name}`, stored]]);
}

/** Contracts that one update created. */
type Group = readonly PlantedContract[];

class Planting {
  private sequence = 0;
  private lastTime: Timestamp;
  private readonly stays: number[];
  private readonly contracts: Restoring;
  private readonly activations: (readonly [string, unknown])[] = [];
  private readonly halves: Halves;
  /** Assigned contracts without a visible unassignment, by id. */
  private readonly arrived: ReadonlyMap<string, PlantedHalf>;

  constructor(
    private readonly network: Network,
    private readonly world: PlantedWorld,
  ) {
    this.lastTime = network.startTime;
    this.stays = network.participants.map(() => 0);
    this.contracts = network.contracts.restoring();
    this.halves = new Halves(network);
    const arrived = (world.halves ?? []).filter(({ kind }) => kind === 'assigned');
    this.arrived = new Map(arrived.map((half) => [half.contract.contractId, half]));
  }

  run(): void {
    const { network, world } = this;
    const { participants, journal, synchronizers } = network;
    const { offset, time } = world;
    const groups = [...groupsOf(world.contracts)];
    const left = batchesOf((world.halves ?? []).filter(({ kind }) => kind === 'unassigned'));
    const moves = left.reduce((sum, { length }) => sum + length + 1, 0);
    network.restoreLog(groups.reduce((sum, group) => sum + (isMoved(group) ? 2 : 1), moves));
    for (const participant of participants) {
      participant.log.restore(offset);
      const own = world.contracts.filter(({ contract }) => participant.hostsStakeholder(contract));
      participant.activeContracts.restore(own.length + 1);
    }
    for (const group of groups) this.plant(group);
    for (const batch of left) this.unassigned(batch);
    const pruned = offset > 0 ? [{ upTo: offset, end: offset }] : [];
    const latest = this.lastTime > time ? this.lastTime : time;
    journal.parts.restore([
      ...participants.map(({ name }) => [`prunings/${name}`, pruned] as const),
      ...synchronizers.map(({ alias }) => [`record-time/${alias}`, latest] as const),
      ['keys', this.activations],
      ['last-key', -this.activations.length],
      ...this.halves.parts(),
      ['migrations', [this.begin(latest)]],
      ['clock', [latest, this.sequence]],
    ]);
  }

  /** In Scan, earlier contracts are imported, like those of a migration. */
  private begin(at: Timestamp): MigrationRecord {
    const { contracts, migrationId = 0 } = this.world;
    const imported = contracts.map(({ contract: { contractId }, synchronizerId }) => ({
      contractId,
      synchronizerId,
    }));
    imported.sort((one, other) => compareText(one.contractId, other.contractId));
    return { migrationId, at, firstSequence: this.network.nextSequence, imported };
  }

  private plant(group: Group): void {
    this.created(group, isMoved(group) ? [] : group);
    if (isMoved(group)) this.assigned(group);
  }

  /** The update that created the contracts, and their nodes in it. */
  private creation(group: Group): readonly [StoredUpdate, readonly number[]] {
    const nodes: TransactionNode[] = [];
    const isSparse = group.some(({ nodeId }) => nodeId >= MAX_NODES);
    const numbers = group.map(({ nodeId }, place) => (isSparse ? place : nodeId));
    group.forEach(({ contract }, place) => {
      const nodeId = numbers[place]!;
      while (nodes.length < nodeId)
        nodes.push({ kind: 'rollback', nodeId: nodes.length, parent: -1 });
      nodes[nodeId] = { kind: 'create', nodeId, parent: -1, contract };
    });
    const { partySets } = this.network;
    const witnesses = nodes.map((node) =>
      node.kind === 'create' ? partySets.of(stakeholdersOf(node.contract)) : NOBODY,
    );
    const { createdAt } = group[0]!.contract;
    const content = [createdAt, nodes, numbers, witnesses, undefined];
    return [this.update('transaction', group, content), numbers];
  }

  /** @param visible those of the contracts that this update activated */
  private created(group: Group, visible: Group): void {
    const [update, numbers] = this.creation(group);
    const entries = visible.length === 0 ? undefined : this.entriesOf(update, group);
    this.network.restoreUpdate(update, entries);
    group.forEach(({ contract, synchronizerId, reassignmentCounter }, place) => {
      const { contractId, key } = contract;
      this.contracts.created(contract, update as never, numbers[place]!);
      if (reassignmentCounter > 0)
        this.contracts.moved(contractId, { kind: 'active', synchronizerId, reassignmentCounter });
      if (key !== undefined) this.activate(contractId, key.hash);
      this.open(entries, contract, numbers[place]!);
    });
  }

  private assigned(group: Group): void {
    const events = group.map(({ contract, synchronizerId, reassignmentCounter }, nodeId) => {
      const half = this.arrived.get(contract.contractId);
      return {
        kind: 'assigned',
        nodeId,
        contract,
        source: half?.source ?? synchronizerId,
        target: synchronizerId,
        reassignmentId: half?.reassignmentId ?? '',
        submitter: half?.submitter ?? contract.signatories[0]!,
        reassignmentCounter,
      } satisfies AssignedEvent;
    });
    const update = this.update('reassignment', group, events);
    const entries = this.entriesOf(update, group);
    this.network.restoreUpdate(update, entries);
    group.forEach(({ contract }, nodeId) => this.open(entries, contract, nodeId));
    if (this.arrived.has(group[0]!.contract.contractId))
      this.halves.add(update as ReassignmentUpdate, group[0]!.offset);
  }

  /** Contracts of one reassignment, which are active nowhere. */
  private unassigned(batch: readonly PlantedHalf[]): void {
    for (const { contract, activated, source } of batch) {
      const { offset, nodeId } = activated;
      const activation = {
        contract,
        offset,
        nodeId,
        synchronizerId: source,
        reassignmentCounter: 0,
      };
      const [update, [number]] = this.creation([activation]);
      this.network.restoreUpdate(update, this.entriesOf(update, [activation]));
      this.contracts.created(contract, update as never, number!);
    }
    const [{ contract, offset, source: synchronizerId, target, reassignmentId }] = batch as [
      PlantedHalf,
    ];
    const group = [{ contract, offset, nodeId: 0, synchronizerId, reassignmentCounter: 0 }];
    const update = this.update('reassignment', group, unassignedEvents(this.network, batch));
    this.network.restoreUpdate(update, this.entriesOf(update, group));
    for (const { contract: each, reassignmentCounter } of batch) {
      const flight = { reassignmentId, source: synchronizerId, target, reassignmentCounter };
      this.contracts.moved(each.contractId, { kind: 'inFlight', ...flight });
    }
    this.halves.add(update as ReassignmentUpdate, offset);
  }

  private update(
    kind: 'transaction' | 'reassignment',
    [first]: Group,
    content: readonly unknown[],
  ): StoredUpdate {
    const { synchronizerId, contract } = first!;
    const time = contract.createdAt > this.lastTime ? contract.createdAt : this.lastTime + 1n;
    this.lastTime = time;
    const head = [kind, this.sequence++, synchronizerId, 0, time] as const;
    return this.network.restoredUpdate([...head, undefined, '', undefined, content, IMPORTED]);
  }

  /** Entries at the participants that host a stakeholder. */
  private entriesOf(update: StoredUpdate, group: Group): UpdateEntry | undefined {
    let entries: UpdateEntry | undefined;
    for (const participant of [...this.network.participants].reverse())
      if (group.some(({ contract }) => participant.hostsStakeholder(contract)))
        entries = new UpdateEntry(participant, group[0]!.offset, update, undefined, entries);
    return entries;
  }

  private open(entries: UpdateEntry | undefined, contract: ContractInstance, nodeId: number): void {
    const { participants } = this.network;
    for (let entry = entries; entry !== undefined; entry = entry.next) {
      const place = participants.findIndex((each) => each === entry!.participant);
      const participant = participants[place]!;
      if (!participant.hostsStakeholder(contract)) continue;
      const number = (this.stays[place] = this.stays[place]! + 1);
      participant.activeContracts.restoreStay(number, entry, nodeId, true);
    }
  }

  private activate(contractId: string, hash: string): void {
    const sequence = -(this.activations.length + 1);
    this.activations.push([contractId, { sequence, contractId, hash }]);
  }
}

const NOBODY: readonly Party[] = [];

const isMoved = ([first]: Group): boolean => first!.reassignmentCounter > 0;

/** Groups contracts by update: with one offset, time and synchronizer, and either all reassigned or none. */
function* groupsOf(contracts: readonly PlantedContract[]): Generator<Group, void, undefined> {
  let group: PlantedContract[] = [];
  const isTogether = (one: PlantedContract, other: PlantedContract): boolean =>
    one.offset === other.offset &&
    one.synchronizerId === other.synchronizerId &&
    one.reassignmentCounter > 0 === other.reassignmentCounter > 0 &&
    (one.reassignmentCounter > 0 || one.contract.createdAt === other.contract.createdAt);
  for (const each of contracts) {
    if (group.length > 0 && !isTogether(group[0]!, each)) {
      yield group;
      group = [];
    }
    group.push(each);
  }
  if (group.length > 0) yield group;
}
