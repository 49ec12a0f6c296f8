/**
 * Imports incomplete reassignments from another participant: contracts in flight, and assigned contracts without a
 * visible unassignment.
 */
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import type { Party, ReassignmentId, SynchronizerId, Timestamp } from '../model/ids.js';
import type { IncompleteReassignment } from '../ledger/incomplete-reassignments.js';
import type { Network } from '../network.js';
import { reassigningParticipants } from '../reassignment/assignment-exclusivity.js';
import type { ReassignmentUpdate, UnassignedEvent } from '../model/updates.js';

/** A half of a reassignment, as a participant returns it. */
export interface PlantedHalf {
  readonly kind: 'unassigned' | 'assigned';
  readonly contract: ContractInstance;
  /** Its last activation, for an unassigned contract. */
  readonly activated: { readonly offset: number; readonly nodeId: number };
  readonly offset: number;
  readonly nodeId: number;
  readonly source: SynchronizerId;
  readonly target: SynchronizerId;
  readonly reassignmentId: ReassignmentId;
  /** Empty if there was no submitter. */
  readonly submitter: Party;
  readonly reassignmentCounter: number;
  /** Only for an unassigned contract. */
  readonly assignmentExclusivity: Timestamp;
}

/** By reassignment, in the order of offsets; contracts in the order of their nodes. */
export function batchesOf(halves: readonly PlantedHalf[]): readonly (readonly PlantedHalf[])[] {
  const batches = new Map<ReassignmentId, PlantedHalf[]>();
  const sorted = [...halves].sort(
    (one, other) => one.offset - other.offset || one.nodeId - other.nodeId,
  );
  for (const each of sorted) {
    const batch = batches.get(each.reassignmentId);
    if (batch === undefined) batches.set(each.reassignmentId, [each]);
    else batch.push(each);
  }
  return [...batches.values()];
}

export function unassignedEvents(
  network: Network,
  batch: readonly PlantedHalf[],
): readonly UnassignedEvent[] {
  const known = new Set(network.synchronizers.map(({ id }) => id));
  return batch.map((half, nodeId) => {
    const { contract, source, target, reassignmentId, submitter } = half;
    const { reassignmentCounter, assignmentExclusivity } = half;
    const stakeholders = stakeholdersOf(contract);
    return {
      kind: 'unassigned',
      ...{ nodeId, contract, source, target, reassignmentId, submitter },
      ...{ reassignmentCounter, assignmentExclusivity },
      reassigningParticipants: known.has(target)
        ? reassigningParticipants(network, stakeholders, source, target)
        : [],
    };
  });
}

/** Collects the parts of the state that contain halves. */
export class Halves {
  private readonly reassignments: [ReassignmentId, { unassigned: ReassignmentUpdate }][] = [];
  /** By participant, then in the order of offsets. */
  private readonly seen = new Map<string, IncompleteReassignment[]>();
  /** By the alias of the target. */
  private readonly waiting = new Map<string, ReassignmentUpdate[]>();

  constructor(private readonly network: Network) {}

  add(update: ReassignmentUpdate, offset: number): void {
    const { participants, synchronizers } = this.network;
    const [first] = update.events;
    for (const participant of participants) {
      if (!participant.hostsStakeholder(first!.contract)) continue;
      const half = { sequence: offset, update };
      const known = this.seen.get(participant.id);
      if (known === undefined) this.seen.set(participant.id, [half]);
      else known.push(half);
    }
    if (first!.kind !== 'unassigned') return;
    this.reassignments.push([first!.reassignmentId, { unassigned: update }]);
    const target = synchronizers.find(({ id }) => id === first!.target);
    if (target === undefined || target.assignmentExclusivityTimeout === 0n) return;
    const queue = this.waiting.get(target.alias);
    if (queue === undefined) this.waiting.set(target.alias, [update]);
    else queue.push(update);
  }

  /** In the form of worlds/restore.ts. */
  parts(): readonly (readonly [string, unknown])[] {
    const seen = [...this.seen].flatMap(([id, halves]) => {
      const byId = halves.map((half) => [half.update.events[0]!.reassignmentId, half]);
      return [
        [`half-reassignments/${id}`, halves],
        [`half-reassignments-by-id/${id}`, byId],
      ] as const;
    });
    const waiting = [...this.waiting].map(
      ([alias, updates]) => [`automatic-assignments/${alias}`, updates] as const,
    );
    const started = this.reassignments.length === 0 ? [] : [['reassignments', this.reassignments]];
    return [...(started as [string, unknown][]), ...seen, ...waiting];
  }
}
