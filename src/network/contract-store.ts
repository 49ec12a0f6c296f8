/** Every contract of the network: what it is, where it stands, and the updates that created and archived it. */
import { invariant } from '../daml/ledger-error.js';
import type { ContractInstance } from '../daml/transaction.js';
import type { ContractId, ReassignmentId, SynchronizerId } from './ids.js';
import { JournaledMap, type Journal } from './journal.js';
import type { ContractState, ReassignmentUpdate, TransactionUpdate } from './updates.js';

export interface StoredContract {
  readonly instance: ContractInstance;
  readonly createdIn: TransactionUpdate;
  readonly createdNode: number;
}

export interface Archival {
  readonly update: TransactionUpdate;
  readonly nodeId: number;
}

export class ContractStore {
  private readonly contracts: JournaledMap<ContractId, StoredContract>;
  /** Where it is not as it was created: active, on the synchronizer of its creation, with counter 0. */
  private readonly states: JournaledMap<ContractId, ContractState>;
  private readonly archivals: JournaledMap<ContractId, Archival>;
  private readonly reassignments: JournaledMap<
    ReassignmentId,
    { readonly unassigned: ReassignmentUpdate; readonly assigned?: ReassignmentUpdate }
  >;

  constructor(journal: Journal) {
    this.contracts = new JournaledMap(journal);
    this.states = new JournaledMap(journal);
    this.archivals = new JournaledMap(journal);
    this.reassignments = new JournaledMap(journal);
  }

  get(id: ContractId): StoredContract | undefined {
    return this.contracts.get(id);
  }

  state(id: ContractId): ContractState | undefined {
    const changed = this.states.get(id);
    if (changed !== undefined) return changed;
    const stored = this.contracts.get(id);
    if (stored === undefined) return undefined;
    const { synchronizerId } = stored.createdIn;
    return { kind: 'active', synchronizerId, reassignmentCounter: 0 };
  }

  /** All active contracts, sorted by id, and where they are; walks every contract. */
  active(): readonly {
    readonly contractId: ContractId;
    readonly synchronizerId: SynchronizerId;
  }[] {
    return this.contracts.sortedKeys().flatMap((contractId) => {
      const state = this.state(contractId);
      return state?.kind === 'active' ? [{ contractId, synchronizerId: state.synchronizerId }] : [];
    });
  }

  archival(id: ContractId): Archival | undefined {
    return this.archivals.get(id);
  }

  reassignment(id: ReassignmentId) {
    return this.reassignments.get(id);
  }

  create(contract: StoredContract): void {
    const { contractId } = contract.instance;
    invariant(!this.contracts.has(contractId), 'a contract is created once');
    this.contracts.set(contractId, contract);
  }

  archive(id: ContractId, archival: Archival): void {
    invariant(this.state(id)?.kind === 'active', 'only an active contract is archived');
    this.states.set(id, { kind: 'archived', updateId: archival.update.updateId });
    this.archivals.set(id, archival);
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
      this.states.set(contractId, {
        kind: 'inFlight',
        reassignmentId,
        source,
        target,
        reassignmentCounter,
      });
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
      this.states.set(contractId, {
        kind: 'active',
        synchronizerId: event.target,
        reassignmentCounter: event.reassignmentCounter,
      });
    }
    this.reassignments.set(id, { ...reassignment, assigned: update });
  }
}
