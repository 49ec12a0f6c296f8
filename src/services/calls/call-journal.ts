/** Writes calls into the request journal. */
import { formatInstant } from '../../daml/model/time.js';
import type { Explained, JournalEntry } from '../request-journal.js';
import type { ApiName } from '../../spec/generated/control.js';
import type { CallWorld, IncomingCall } from './call.js';
import type { Note } from './notes.js';
import { sentBody, WholeExchanges, type WholeAnswer, type WholeCall } from './whole-exchanges.js';

/** As far as it is known at first; what went wrong on purpose is added later. */
type JournalEntryTold = Omit<JournalEntry, 'id'> & { faults?: JournalEntry['faults'] };

const VALID = { ok: true };

export class CallJournal<C extends IncomingCall> {
  /** Where the journal keeps requests and answers whole. */
  private readonly whole?: WholeExchanges;

  constructor(private readonly world: CallWorld) {
    if (world.journal === 'full') this.whole = new WholeExchanges(world.requests);
  }

  /** Answers; where the journal keeps calls whole, it has the request and the answer afterwards. */
  keep<W extends C & WholeCall, A extends WholeAnswer>(
    call: W,
    answer: (call: W) => Promise<A>,
  ): Promise<A> {
    return this.whole === undefined ? answer(call) : this.whole.keep(call, answer);
  }

  add(call: C, note: Note & { api: ApiName; status: number }, explained?: Explained): void {
    const { method, target, faults, sent } = call;
    const at = formatInstant(this.world.network.clock.now());
    const entry: JournalEntryTold = { at, method, path: target, validation: VALID, ...note };
    if (faults !== undefined) entry.faults = faults;
    if (this.whole !== undefined) return this.whole.add(call, entry, explained);
    // The body of a rejected request is always kept.
    if (note.outcome !== 'answered' && sent !== undefined) entry.request = sentBody(sent);
    this.world.requests.add(entry, explained);
  }
}
