/**
 * Offsets of a participant without an update or a completion. Each synchronizer event that reaches the participant
 * takes one (observed on 3.5.10). After a request come the receipt of the participant's confirmation and the verdict.
 * The topology transaction comes before a topology change, and a time tick after it. Other events depend on the seed.
 */
import { confirmersOf } from '../../daml/model/transaction.js';
import type { Party } from '../model/ids.js';
import type { SeededRandom } from '../journal/random.js';
import type { Update } from '../model/updates.js';
import type { UpdateEntry } from './log-entry.js';
import { isImport } from './witnesses.js';

/** After a request that the participant submitted or confirms. */
const CONFIRMATION_AND_VERDICT = 2;
const VERDICT = 1;
const TOPOLOGY_TRANSACTION = 1;
const TIME_TICK = 1;

export class OffsetGaps {
  constructor(private readonly random: SeededRandom) {}

  /** The number of empty offsets right before an update. */
  before({ kind, sequence }: Pick<Update, 'kind' | 'sequence'>): number {
    return this.others(sequence) + (kind === 'topology' ? TOPOLOGY_TRANSACTION : 0);
  }

  /** The number of empty offsets right after it, at the participant of the entry. */
  after({ update, accepted, participant }: UpdateEntry): number {
    if (isImport(update)) return 0;
    if (update.kind === 'topology') return TIME_TICK;
    const confirms = accepted !== undefined || participant.hostsAny(confirmersIn(update));
    return confirms ? CONFIRMATION_AND_VERDICT : VERDICT;
  }

  /**
   * After a rejection.
   * @param wasSequenced whether other participants received the request
   */
  afterRefusal(wasSequenced: boolean): number {
    return wasSequenced ? CONFIRMATION_AND_VERDICT : 0;
  }

  /** The offsets of a topology change without an update, such as vetting. */
  get ofTopology(): number {
    return TOPOLOGY_TRANSACTION + TIME_TICK;
  }

  /** One or two more offsets, on average before every eighth update. */
  private others(sequence: number): number {
    const draw = parseInt(this.random.hexAt('offset gap', sequence).slice(0, 2), 16);
    return draw % 8 === 0 ? 1 + ((draw >> 3) % 2) : 0;
  }
}

const confirmersIn = (update: Exclude<Update, { kind: 'topology' }>): readonly Party[] =>
  update.kind === 'transaction'
    ? confirmersOf(update.transaction)
    : update.events.flatMap(({ contract }) => contract.signatories);
