/** Writes calls of the Wallet Gateway into the request journal. */
import { formatInstant } from '../../daml/model/time.js';
import type { Network } from '../../network/network.js';
import type { JournalEntry, RequestJournal } from '../request-journal.js';

/** A call, and the status of its answer. */
export type GatewayEntry = Pick<JournalEntry, 'method' | 'path' | 'status' | 'operation'>;

export class GatewayJournal {
  constructor(
    private readonly requests: RequestJournal,
    private readonly network: Network,
  ) {}

  /**
   * A rejection by the participant has its own entry before, with its explanation.
   * @param failure the code and the message of the error, if the answer has one
   */
  add(call: GatewayEntry, failure?: Pick<JournalEntry, 'error' | 'explanation'>): void {
    this.requests.add({
      ...call,
      id: 0,
      at: formatInstant(this.network.clock.now()),
      api: 'gateway',
      validation: { ok: true },
      outcome: call.status < 400 ? 'answered' : 'refused',
      ...failure,
    });
  }
}
