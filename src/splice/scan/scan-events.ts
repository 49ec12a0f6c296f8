/**
 * Scan's events: each update with its verdict, in the order of the history. The DSO's mediator also has verdicts on transactions that the
 * DSO does not see (S-EVT-004 to S-EVT-009).
 */
import type { Timestamp } from '../../daml/model/values.js';
import type { LedgerUpdate, TransactionUpdate, Update } from '../../network/model/updates.js';
import type { ScanHistory, ScanItem } from './scan-history.js';
import {
  indexBehind,
  type HistoryPlace,
  type ScanViewpoint,
  type ViewedUpdates,
} from './scan-view.js';
import { verdictOn, type Verdict } from './verdicts.js';

export interface ScanEvent {
  readonly update: ScanItem | undefined;
  readonly verdict: Verdict | undefined;
  /** The transaction of the verdict. */
  readonly judged?: TransactionUpdate | undefined;
}

export class ScanEvents {
  constructor(
    private readonly viewpoint: ScanViewpoint,
    private readonly history: ScanHistory,
  ) {}

  page(after: HistoryPlace | undefined, limit: number): readonly ScanEvent[] {
    const { ledgerHistory } = this.viewpoint.network;
    const cap = this.cap();
    const events: ScanEvent[] = [];
    let index = after === undefined ? 0 : indexBehind(ledgerHistory, after);
    for (; index < ledgerHistory.length && events.length < limit; index++) {
      const update = ledgerHistory.at(index)!;
      if (!this.isWithin(cap, update)) break;
      events.push(...this.eventsOf(update));
    }
    return events;
  }

  /** The event of a transaction. Reassignments have no lookup by id. */
  withId(updateId: string): ScanEvent | undefined {
    const update = this.viewpoint.network.updateById(updateId);
    if (update?.kind !== 'transaction' || !this.isWithin(this.cap(), update)) return undefined;
    return this.eventsOf(update)[0];
  }

  /** NOTE: each contract of a joint reassignment has a separate event with the same record time. */
  private eventsOf(update: LedgerUpdate): readonly ScanEvent[] {
    const items = this.history.itemsOf(update);
    if (update.kind === 'reassignment')
      return items.map((item) => ({ update: item, verdict: undefined }));
    const verdict = this.isJudged(update) ? verdictOn(this.viewpoint.network, update) : undefined;
    const [item] = items;
    if (item === undefined && verdict === undefined) return [];
    return [{ update: item, verdict, judged: verdict && update }];
  }

  /** The DSO runs the mediator of the first synchronizer. The view `everything` has verdicts of all mediators. */
  private isJudged({ synchronizerId }: TransactionUpdate): boolean {
    const { view, network } = this.viewpoint;
    return view === 'everything' || synchronizerId === network.synchronizers[0]!.id;
  }

  /** The record time of the last event that a page may contain (S-EVT-015). */
  latestRecordTime(): Timestamp | undefined {
    return this.cap();
  }

  /**
   * The record time up to which events of the current migration are complete: both an update and a verdict are known, so that no verdict is
   * added later (S-EVT-005).
   */
  private cap(): Timestamp | undefined {
    const { updates, network } = this.viewpoint;
    const update = this.latestIn(updates, (each) => this.history.itemsOf(each).length > 0);
    const verdict = this.latestIn(
      network.ledgerHistory,
      (each) => each.kind === 'transaction' && this.isJudged(each),
    );
    if (update === undefined || verdict === undefined) return undefined;
    return update < verdict ? update : verdict;
  }

  /** The latest matching record time of the current migration. */
  private latestIn(
    updates: ViewedUpdates,
    isMeant: (update: Update) => boolean,
  ): Timestamp | undefined {
    const { current } = this.viewpoint.network.migrations;
    for (let index = updates.length - 1; index >= 0; index--) {
      const update = updates.at(index)!;
      if (update.migrationId !== current) return undefined;
      if (isMeant(update)) return update.recordTime;
    }
    return undefined;
  }

  private isWithin(cap: Timestamp | undefined, { migrationId, recordTime }: Update): boolean {
    if (migrationId < this.viewpoint.network.migrations.current) return true;
    return cap !== undefined && recordTime <= cap;
  }
}
