/**
 * Restores a network from the bytes of `save.ts`: it puts back the history without running it again. The network must
 * be empty and opened with the same options.
 */
import type { DamlPackage } from '../../daml/model/package.js';
import type { PackageId } from '../../daml/model/types.js';
import { RejectionEntry, UpdateEntry, updateEntry } from '../ledger/log-entry.js';
import type { Restoring } from '../ledger/contract-store.js';
import type { StoredUpdate } from '../ledger/sequenced-update.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import type { Activation, LogEntry } from '../model/updates.js';
import { GraphReader } from './graph-reader.js';
import { NOT_SUBMITTED, type SavedNetwork, type SavedParticipant } from './saved-network.js';

/** Resolves the names in files. Each function throws for an unknown name. */
export interface Brought {
  readonly packageOf: (id: PackageId) => DamlPackage;
  /** @param sha256 of its bytes, hexadecimal */
  readonly darOf: (sha256: string) => Uint8Array;
}

/** @throws Error for bytes that are not of such a network, or that name an unknown package */
export function restoreNetwork(
  network: Network,
  bytes: Buffer,
  { packageOf, darOf }: Brought,
): void {
  const reader = new GraphReader(bytes, {
    random: network.random,
    package: packageOf,
    dar: darOf,
    participant: (name) => network.participant(name),
    update: (saved) => network.restoredUpdate(saved),
  });
  const next = <T>(): T => reader.read() as T;
  const saved: SavedNetwork = {
    sequenced: next(),
    updates: next(),
    entries: next(),
    forgotten: next(),
    moved: next(),
    participants: next(),
    parts: Array.from({ length: next() }, () => [next<string>(), next()] as const),
  };
  if (!reader.isAtEnd) throw new Error('it has more than it should');
  network.journal.parts.restore(saved.parts);
  new Restoration(network, saved).run();
}

/** An entry of a participant's log, and the numbers of the activations that ended there. */
interface RestoredEntry {
  readonly entry: LogEntry;
  readonly ended: readonly number[];
}

class Restoration {
  private readonly contracts: Restoring;
  private readonly bySequence = new Map<number, StoredUpdate>();
  /** By participant, in the order of the network, and by offset. */
  private readonly logs: readonly Map<number, RestoredEntry>[];
  /** In the same order: the visible nodes of updates that the participant sees in part. */
  private readonly seen: readonly ReadonlyMap<number, readonly number[]>[];

  constructor(
    private readonly network: Network,
    private readonly saved: SavedNetwork,
  ) {
    this.contracts = network.contracts.restoring();
    this.logs = network.participants.map(() => new Map<number, RestoredEntry>());
    this.seen = saved.participants.map(seenByOffset);
  }

  run(): void {
    const { network, saved } = this;
    network.restoreLog(saved.sequenced);
    this.restoreUpdates();
    for (const [id, moved] of saved.moved) this.contracts.moved(id, moved);
    network.participants.forEach((participant, place) =>
      this.restoreParticipant(participant, saved.participants[place]!, this.logs[place]!),
    );
  }

  private restoreUpdates(): void {
    const { network, saved, contracts } = this;
    const { entries: numbers } = saved;
    const forgotten = new Set(saved.forgotten);
    let at = 0;
    for (const update of saved.updates) {
      const begin = at + 1;
      const starts: number[] = [];
      for (let left = numbers[at++]!; left > 0; left -= 1) {
        starts.push(at);
        at += FOUR + numbers[at + 3]!;
      }
      let first: UpdateEntry | undefined;
      for (let i = starts.length - 1; i >= 0; i -= 1) {
        const start = starts[i]!;
        const since = numbers[start + 2] === NOT_SUBMITTED ? undefined : numbers[start + 2];
        const [place, offset] = [numbers[start]!, numbers[start + 1]!];
        const seen = this.seen[place]!.get(offset);
        first = updateEntry(network.participants[place]!, offset, update, since, first, seen);
      }
      network.restoreUpdate(update, first);
      this.bySequence.set(update.sequence, update);
      let start = begin;
      for (let entry = first; entry !== undefined; entry = entry.next) {
        const end = start + FOUR + numbers[start + 3]!;
        const ended = end === start + FOUR ? NONE : numbers.slice(start + FOUR, end);
        this.logs[numbers[start]!]!.set(entry.offset, { entry, ended });
        start = end;
      }
      if (update.kind !== 'transaction') continue;
      const { nodes } = update.transaction;
      for (let nodeId = 0; nodeId < nodes.length; nodeId++) {
        const node = nodes[nodeId]!;
        if (node.kind === 'create') {
          const { contract } = node;
          if (!forgotten.has(contract.contractId)) contracts.created(contract, update, nodeId);
        } else if (node.kind === 'exercise' && node.consuming)
          contracts.archived(node.contract.contractId, update);
      }
    }
  }

  private restoreParticipant(
    participant: Participant,
    saved: SavedParticipant,
    entries: Map<number, RestoredEntry>,
  ): void {
    const { log, deduplication } = participant;
    for (const completion of saved.rejections)
      entries.set(completion.offset, { entry: new RejectionEntry(completion), ended: [] });
    log.restore(saved.forgotten);
    deduplication.restore(saved.acceptances);
    const stays = this.restoreStays(participant, saved, entries);
    const offsets = [...entries.keys()].filter((offset) => offset > saved.forgotten);
    for (const offset of offsets.sort((one, other) => one - other)) {
      const { entry, ended } = entries.get(offset)!;
      log.append(entry);
      if (!(entry instanceof UpdateEntry)) continue;
      deduplication.restoreEntry(entry);
      const all = ended.map((number) => stays.get(number)!);
      if (all.length > 0) entry.hasEnded(all.length === 1 ? all[0]! : all);
    }
  }

  /** By number. */
  private restoreStays(
    { id, activeContracts }: Participant,
    { next, stays: numbers }: SavedParticipant,
    entries: ReadonlyMap<number, RestoredEntry>,
  ): ReadonlyMap<number, Activation> {
    const over = new Set<number>();
    for (const { ended } of entries.values()) for (const number of ended) over.add(number);
    activeContracts.restore(next);
    const stays = new Map<number, Activation>();
    for (let i = 0; i < numbers.length; i += 3) {
      const [number, sequence, nodeId] = [numbers[i]!, numbers[i + 1]!, numbers[i + 2]!];
      const { entry } = entries.get(this.bySequence.get(sequence)!.offsets.get(id)!)!;
      const isOpen = !over.has(number);
      const stay = activeContracts.restoreStay(number, entry as UpdateEntry, nodeId, isOpen);
      if (!isOpen) stays.set(number, stay);
    }
    return stays;
  }
}

function seenByOffset({ seen = [] }: SavedParticipant): ReadonlyMap<number, readonly number[]> {
  const byOffset = new Map<number, readonly number[]>();
  for (let at = 0; at < seen.length;) {
    const [offset, count] = [seen[at]!, seen[at + 1]!];
    byOffset.set(offset, seen.slice(at + 2, at + 2 + count));
    at += 2 + count;
  }
  return byOffset;
}

/** The numbers of an entry: index, offset, start of its deduplication period, count of the numbers that follow. */
const FOUR = 4;
const NONE: readonly number[] = [];
