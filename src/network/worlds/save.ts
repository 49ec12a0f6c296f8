/**
 * Saves a network as bytes: all state that its answers and future ids depend on. Derived data such as indexes is not
 * saved. Snapshots, undo history, open requests and coverage counts are not saved either.
 */
import { isEvent } from '../../daml/model/transaction.js';
import { invalidArgument } from '../model/request-errors.js';
import type { ContractId } from '../model/ids.js';
import type { StoredContract } from '../ledger/contract-store.js';
import { RejectionEntry, UpdateEntry } from '../ledger/log-entry.js';
import type { StoredUpdate } from '../ledger/sequenced-update.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import { GraphWriter } from './graph-writer.js';
import { NOT_SUBMITTED, type SavedNetwork, type SavedParticipant } from './saved-network.js';

/**
 * NOTE: submissions that wait for a paused synchronizer cannot be saved, because a restarted participant would not
 * have them.
 * @param dars SHA-256, hexadecimal, by the bytes of DARs, which are not part of the result
 * @throws LedgerError INVALID_ARGUMENT while submissions are in flight, Error for state that a file cannot contain
 */
export function networkBytes(network: Network, dars: ReadonlyMap<object, string>): Buffer {
  const { size } = network.inFlight;
  if (size > 0)
    throw invalidArgument(
      `A world is not saved while submissions wait for a paused synchronizer, and ${size} do. Resume it first.`,
    );
  const { participants } = network;
  const writer = new GraphWriter({
    packages: new Set(
      participants.flatMap(({ packages }) => packages.ids().map((id) => packages.package(id)!)),
    ),
    dars,
    participants: new Map(participants.map((each) => [each, each.name])),
  });
  const updates = network.updates.all() as StoredUpdate[];
  const saved: Omit<SavedNetwork, 'parts'> = {
    sequenced: network.nextSequence,
    updates,
    entries: entriesOf(network, updates),
    ...contractsOf(network, updates),
    participants: participants.map(participantOf),
  };
  for (const [name, value] of Object.entries(saved)) writer.write(value, name);
  const parts = network.journal.parts.kept();
  writer.write(parts.length);
  for (const [name, value] of parts) {
    writer.write(name);
    writer.write(value, name);
  }
  return writer.finish();
}

function entriesOf({ participants }: Network, updates: readonly StoredUpdate[]): number[] {
  const places = new Map<unknown, number>(participants.map((each, place) => [each, place]));
  const numbers: number[] = [];
  for (const update of updates) {
    const start = numbers.length;
    numbers.push(0);
    for (let entry = update.entries; entry !== undefined; entry = entry.next) {
      const { participant, offset, deduplicationStart = NOT_SUBMITTED } = entry;
      // Activations that ended at forgotten offsets are not saved.
      const ended = offset > participant.log.forgottenUpTo ? entry.deactivated : [];
      numbers.push(places.get(participant)!, offset, deduplicationStart, ended.length);
      for (const { sequence } of ended) numbers.push(sequence);
      numbers[start]! += 1;
    }
  }
  return numbers;
}

function contractsOf(
  { contracts }: Network,
  updates: readonly StoredUpdate[],
): Pick<SavedNetwork, 'forgotten' | 'moved'> {
  const forgotten: ContractId[] = [];
  const moved: [ContractId, StoredContract['moved']][] = [];
  for (const update of updates) {
    if (update.kind !== 'transaction') continue;
    for (const node of update.transaction.nodes) {
      if (!isEvent(node) || node.kind !== 'create') continue;
      const { contractId } = node.contract;
      const stored = contracts.get(contractId);
      if (stored === undefined) forgotten.push(contractId);
      else if (stored.moved !== undefined) moved.push([contractId, stored.moved]);
    }
  }
  return { forgotten, moved };
}

function participantOf({
  name,
  log,
  activeContracts,
  deduplication,
}: Participant): SavedParticipant {
  const entries = [...log.between(0, log.end)];
  return {
    name,
    forgotten: log.forgottenUpTo,
    rejections: entries.flatMap((each) =>
      each instanceof RejectionEntry ? [each.completion] : [],
    ),
    next: activeContracts.next,
    stays: activeContracts.stays(entries).flat(),
    seen: entries.flatMap((each) =>
      each instanceof UpdateEntry && each.seen !== undefined
        ? [each.offset, each.seen.length, ...each.seen]
        : [],
    ),
    acceptances: deduplication.kept(),
  };
}
