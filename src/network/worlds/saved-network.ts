/** The content of a network's file besides its options: the history, and the parts of the state. */
import type { ContractId } from '../model/ids.js';
import type { StoredContract } from '../ledger/contract-store.js';
import type { SavedAcceptances } from '../ledger/deduplication.js';
import type { StoredUpdate } from '../ledger/sequenced-update.js';
import type { Completion } from '../model/updates.js';

export interface SavedNetwork {
  /** The number of all updates, including forgotten ones. */
  readonly sequenced: number;
  /** The updates that are not forgotten, in the order of sequencing. */
  readonly updates: readonly StoredUpdate[];
  /**
   * For each update: the number of participants that have it. For each of these: its index, offset and start of the
   * deduplication period, and the number and the ids of the activations that ended there.
   */
  readonly entries: readonly number[];
  /** Contracts of these updates that were forgotten separately. */
  readonly forgotten: readonly ContractId[];
  /** The states of reassigned contracts. */
  readonly moved: readonly (readonly [ContractId, StoredContract['moved']])[];
  /** In the order of the network. */
  readonly participants: readonly SavedParticipant[];
  /** By name; see journal/saved-parts.ts. */
  readonly parts: readonly (readonly [string, unknown])[];
}

export interface SavedParticipant {
  readonly name: string;
  /** The number of offsets that its log has forgotten. */
  readonly forgotten: number;
  /** Completions of rejected requests, which are not part of an update. */
  readonly rejections: readonly Completion[];
  /** The number of its next activation. */
  readonly next: number;
  /** Three numbers each: of the activation, of its update, and of the node there. */
  readonly stays: readonly number[];
  /** For updates that it sees in part: the offset, the number of nodes, and the nodes. Absent in older files. */
  readonly seen?: readonly number[];
  readonly acceptances: SavedAcceptances;
}

/** Marks a participant that did not submit the update. */
export const NOT_SUBMITTED = -2;
