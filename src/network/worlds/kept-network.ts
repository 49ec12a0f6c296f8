/** What a file says of a network, beside the options that it is opened with: its history, and the parts of its state. */
import type { ContractId } from '../ids.js';
import type { StoredContract } from '../ledger/contract-store.js';
import type { KeptAcceptances } from '../ledger/deduplication.js';
import type { StoredUpdate } from '../ledger/sequenced-update.js';
import type { Completion } from '../updates.js';

export interface KeptNetwork {
  /** Of updates that there ever were, forgotten ones too. */
  readonly sequenced: number;
  /** Those that are not forgotten, in the order of sequencing. */
  readonly updates: readonly StoredUpdate[];
  /**
   * For each of them: how many participants have it, and of each its place, its offset, where the deduplication period began, how
   * many stays ended there, and the numbers of these.
   */
  readonly entries: readonly number[];
  /** Contracts that these created, and that are forgotten by themselves. */
  readonly forgotten: readonly ContractId[];
  /** Where contracts were moved to. */
  readonly moved: readonly (readonly [ContractId, StoredContract['moved']])[];
  /** In the order of the network. */
  readonly participants: readonly KeptParticipant[];
  /** By name; see journal/kept-parts.ts. */
  readonly parts: readonly (readonly [string, unknown])[];
}

export interface KeptParticipant {
  readonly name: string;
  /** How many offsets its log has forgotten. */
  readonly forgotten: number;
  /** Of requests that were refused: those that are no part of an update. */
  readonly rejections: readonly Completion[];
  /** Number of its next activation. */
  readonly next: number;
  /** Three numbers of each: of the activation, of the update that began it, of the node there. */
  readonly stays: readonly number[];
  /** Of updates of which it sees a part: the offset, how many nodes, and these. None in files of before it was kept. */
  readonly seen?: readonly number[];
  readonly acceptances: KeptAcceptances;
}

/** Stands where a participant has not submitted it. */
export const NOT_SUBMITTED = -2;
