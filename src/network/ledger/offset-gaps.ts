/**
 * Offsets of a participant that have no update and no completion. Each event of a synchronizer that reaches it takes one (observed on
 * 3.5.10): behind a request come the receipt of its own confirmation and the verdict, before a change of the topology comes the
 * transaction that makes it and behind it a tick of the synchronizer's time. What else the participant hears of depends on the seed.
 */
import { confirmersOf } from '../../daml/model/transaction.js';
import type { Party } from '../ids.js';
import type { SeededRandom } from '../journal/random.js';
import type { Update } from '../updates.js';
import type { UpdateEntry } from './log-entry.js';
import { isImport } from './witnesses.js';

/** Behind what the participant submitted or confirms. */
const CONFIRMATION_AND_VERDICT = 2;
const VERDICT = 1;
const TOPOLOGY_TRANSACTION = 1;
const TIME_TICK = 1;

export class OffsetGaps {
  constructor(private readonly random: SeededRandom) {}

  /** How many offsets stay empty right before an update. */
  before({ kind, sequence }: Pick<Update, 'kind' | 'sequence'>): number {
    return this.others(sequence) + (kind === 'topology' ? TOPOLOGY_TRANSACTION : 0);
  }

  /** How many right behind it, at the participant that it is an entry of. */
  after({ update, accepted, participant }: UpdateEntry): number {
    if (isImport(update)) return 0;
    if (update.kind === 'topology') return TIME_TICK;
    const confirms = accepted !== undefined || participant.hostsAny(confirmersIn(update));
    return confirms ? CONFIRMATION_AND_VERDICT : VERDICT;
  }

  /** Behind a refusal. @param wasSequenced whether others heard of the request */
  afterRefusal(wasSequenced: boolean): number {
    return wasSequenced ? CONFIRMATION_AND_VERDICT : 0;
  }

  /** What a change of the topology takes that has no update, such as one of what is vetted. */
  get ofTopology(): number {
    return TOPOLOGY_TRANSACTION + TIME_TICK;
  }

  /** Once in eight updates. */
  private others(sequence: number): number {
    const draw = parseInt(this.random.hexAt('offset gap', sequence).slice(0, 2), 16);
    return draw % 8 === 0 ? 1 + ((draw >> 3) % 2) : 0;
  }
}

const confirmersIn = (update: Exclude<Update, { kind: 'topology' }>): readonly Party[] =>
  update.kind === 'transaction'
    ? confirmersOf(update.transaction)
    : update.events.flatMap(({ contract }) => contract.signatories);
