/** Every contract of the network: what it is, where it stands, and the updates that created and archived it. */
import { invariant } from '../../daml/errors/ledger-error.js';
import { isEvent, type ContractInstance, type Transaction } from '../../daml/model/transaction.js';
import { ContractTable } from './contract-table.js';
import type { ContractId, ReassignmentId, SynchronizerId } from '../ids.js';
import { JournaledMap, type Journal, type Undoable } from '../journal/journal.js';
import { KeyIndex } from './key-index.js';
import type {
  Activation,
  ContractState,
  LedgerUpdate,
  ReassignmentUpdate,
  TransactionUpdate,
} from '../updates.js';

/** All that the network knows of a contract, in one place. Only this room's stores change it. */
export class StoredContract {
  archivedIn: TransactionUpdate | undefined = undefined;
  /** Where it was moved to; undefined while it stays on the synchronizer of its creation. */
  moved: Exclude<ContractState, { kind: 'archived' }> | undefined = undefined;
  /** Its open stay at a participant; that one leads to those at others. */
  stay: Activation | undefined = undefined;

  constructor(
    public instance: ContractInstance,
    readonly createdIn: TransactionUpdate,
    readonly createdNode: number,
  ) {}

  get isArchived(): boolean {
    return this.archivedIn !== undefined;
  }
}

export interface Archival {
  readonly update: TransactionUpdate;
  readonly nodeId: number;
}

/** What a file tells of contracts. */
export interface Restoring {
  readonly created: (contract: ContractInstance, update: TransactionUpdate, node: number) => void;
  readonly archived: (id: ContractId, update: TransactionUpdate) => void;
  readonly moved: (id: ContractId, moved: StoredContract['moved']) => void;
}

export class ContractStore implements Undoable {
  private readonly contracts = new ContractTable<StoredContract>();
  private readonly reassignments: JournaledMap<
    ReassignmentId,
    { readonly unassigned: ReassignmentUpdate; readonly assigned?: ReassignmentUpdate }
  >;
  /** The state of what was never moved, by synchronizer. */
  private readonly unmoved = new Map<SynchronizerId, ContractState>();

  private readonly keys: KeyIndex;

  constructor(private readonly journal: Journal) {
    this.keys = new KeyIndex(journal);
    this.reassignments = new JournaledMap(journal, 'reassignments');
  }

  get(id: ContractId): StoredContract | undefined {
    return this.contracts.get(id);
  }

  state(id: ContractId): ContractState | undefined {
    const stored = this.contracts.get(id);
    return stored && this.stateOf(stored);
  }

  private stateOf({ archivedIn, moved, createdIn }: StoredContract): ContractState {
    if (archivedIn !== undefined) return { kind: 'archived', updateId: archivedIn.updateId };
    return moved ?? this.activeOn(createdIn.synchronizerId);
  }

  private activeOn(synchronizerId: SynchronizerId): ContractState {
    let state = this.unmoved.get(synchronizerId);
    if (state === undefined) {
      state = { kind: 'active', synchronizerId, reassignmentCounter: 0 };
      this.unmoved.set(synchronizerId, state);
    }
    return state;
  }

  /** All active contracts, sorted by id, and where they are; walks every contract. */
  active(): readonly {
    readonly contractId: ContractId;
    readonly synchronizerId: SynchronizerId;
  }[] {
    const active: { contractId: ContractId; synchronizerId: SynchronizerId }[] = [];
    for (const stored of this.contracts) {
      const state = this.stateOf(stored);
      if (state.kind !== 'active') continue;
      const { contractId } = stored.instance;
      active.push({ contractId, synchronizerId: state.synchronizerId });
    }
    return active.sort((a, b) => (a.contractId < b.contractId ? -1 : 1));
  }

  /** Active contracts with this key, newest activation first; those in flight are nowhere active. */
  withKey(hash: string): Iterable<ContractId> {
    return this.keys.active(hash);
  }

  archival(id: ContractId): Archival | undefined {
    const update = this.contracts.get(id)?.archivedIn;
    if (update === undefined) return undefined;
    const nodeId = update.transaction.nodes.findIndex(
      (node) => node.kind === 'exercise' && node.consuming && node.contract.contractId === id,
    );
    return { update, nodeId };
  }

  reassignment(id: ReassignmentId) {
    return this.reassignments.get(id);
  }

  /** Gives back the memory of what ended in updates that nobody can ask for any more. */
  forget(isForgotten: (update: LedgerUpdate) => boolean): void {
    const ended = [...this.contracts].filter(
      ({ archivedIn }) => archivedIn !== undefined && isForgotten(archivedIn),
    );
    for (const { instance } of ended) this.contracts.delete(instance.contractId);
    for (const id of this.reassignments.sortedKeys()) {
      const { unassigned, assigned } = this.reassignments.get(id)!;
      if (assigned !== undefined && isForgotten(unassigned) && isForgotten(assigned))
        this.reassignments.delete(id);
    }
  }

  /** Whether anything is left of what it created or moved. */
  rememberAnyOf(update: LedgerUpdate): boolean {
    if (update.kind === 'reassignment')
      return update.events.some(({ contract }) => this.get(contract.contractId) !== undefined);
    return update.transaction.nodes.some(
      (node) => node.kind === 'create' && this.get(node.contract.contractId) !== undefined,
    );
  }

  /** Where it was moved to; for files. */
  movedTo(id: ContractId): StoredContract['moved'] {
    return this.contracts.get(id)?.moved;
  }

  /** Of a file: takes part after part, in the order of sequencing, in place of all that there is. */
  restoring(): Restoring {
    for (const { instance } of [...this.contracts]) this.contracts.delete(instance.contractId);
    return {
      created: (contract, update, nodeId) => {
        if (this.contracts.get(contract.contractId) === undefined)
          this.contracts.add(new StoredContract(contract, update, nodeId));
      },
      archived: (id, update) => {
        const stored = this.contracts.get(id);
        if (stored === undefined) return;
        stored.archivedIn = update;
      },
      moved: (id, moved) => {
        this.contracts.get(id)!.moved = moved;
      },
    };
  }

  /** What {@link apply} relies on: it must not fail halfway. */
  check({ nodes }: Transaction): void {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (!isEvent(node)) continue;
      const stored = this.contracts.get(node.contract.contractId);
      if (node.kind === 'create') invariant(stored === undefined, 'a contract is created once');
      else if (node.consuming)
        invariant(
          stored === undefined
            ? isCreatedIn(nodes, node.contract.contractId)
            : this.stateOf(stored).kind === 'active',
          'only an active contract is archived',
        );
    }
  }

  /** Creates and archives. Whoever commits the update journals it, keys apart. */
  apply(update: TransactionUpdate): void {
    const { nodes } = update.transaction;
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (!isEvent(node)) continue;
      const { nodeId, contract } = node;
      if (node.kind === 'create') {
        // Only what is imported is there already.
        if (this.contracts.get(contract.contractId) !== undefined) continue;
        this.contracts.add(new StoredContract(contract, update, nodeId));
        if (contract.key) this.keys.activate(contract.key.hash, contract.contractId);
      } else if (node.consuming) {
        const stored = this.contracts.get(contract.contractId)!;
        stored.archivedIn = update;
        if (contract.key) this.keys.deactivate(contract.contractId);
      }
    }
  }

  /** Undoes {@link apply} of the update that was applied last. */
  takeBack(update: TransactionUpdate): void {
    for (const node of update.transaction.nodes) {
      if (!isEvent(node)) continue;
      const { contractId } = node.contract;
      if (node.kind === 'create') {
        if (this.contracts.get(contractId)?.createdIn === update) this.contracts.delete(contractId);
      } else if (node.consuming) {
        const stored = this.contracts.get(contractId);
        if (stored === undefined) continue;
        stored.archivedIn = undefined;
      }
    }
  }

  undo(slot: unknown, previous: unknown): void {
    (slot as StoredContract).moved = previous as StoredContract['moved'];
  }

  /** Takes it as another under the same id: for what is taken back at once. */
  replace(id: ContractId, instance: ContractInstance): void {
    const stored = this.contracts.get(id)!;
    this.journal.record(REPLACEMENT, stored, stored.instance);
    if (stored.instance.key) this.keys.deactivate(id);
    stored.instance = instance;
    if (instance.key) this.keys.activate(instance.key.hash, id);
  }

  private move(contractId: ContractId, moved: StoredContract['moved']): void {
    const stored = this.contracts.get(contractId)!;
    this.journal.record(this, stored, stored.moved);
    stored.moved = moved;
  }

  unassign(update: ReassignmentUpdate): void {
    for (const event of update.events) {
      const { contractId } = event.contract;
      const state = this.state(contractId);
      invariant(
        state?.kind === 'active' && state.synchronizerId === event.source,
        'only what is active on the source is unassigned',
      );
      invariant(
        event.reassignmentCounter === state.reassignmentCounter + 1,
        'an unassignment raises the counter by one',
      );
      const { reassignmentId, source, target, reassignmentCounter } = event;
      this.move(contractId, {
        kind: 'inFlight',
        reassignmentId,
        source,
        target,
        reassignmentCounter,
      });
      const { key } = event.contract;
      if (key) this.keys.deactivate(contractId);
    }
    this.reassignments.set(update.events[0]!.reassignmentId, { unassigned: update });
  }

  assign(update: ReassignmentUpdate): void {
    const id = update.events[0]!.reassignmentId;
    const reassignment = this.reassignments.get(id);
    invariant(
      reassignment !== undefined && reassignment.assigned === undefined,
      'an assignment completes one unassignment',
    );
    for (const event of update.events) {
      const { contractId } = event.contract;
      const state = this.state(contractId);
      invariant(
        state?.kind === 'inFlight' && state.reassignmentId === id,
        'only what is in flight is assigned',
      );
      invariant(
        event.reassignmentCounter === state.reassignmentCounter,
        'both halves of a reassignment carry the same counter',
      );
      this.move(contractId, {
        kind: 'active',
        synchronizerId: event.target,
        reassignmentCounter: event.reassignmentCounter,
      });
      const { key } = event.contract;
      if (key) this.keys.activate(key.hash, contractId);
    }
    this.reassignments.set(id, { ...reassignment, assigned: update });
  }
}

function isCreatedIn(nodes: Transaction['nodes'], id: ContractId): boolean {
  return nodes.some((node) => node.kind === 'create' && node.contract.contractId === id);
}

const REPLACEMENT: Undoable = {
  undo(slot, previous) {
    (slot as StoredContract).instance = previous as ContractInstance;
  },
};
