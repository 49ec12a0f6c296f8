/**
 * Scan's events: each update with the verdict on it, in the order of the history. The DSO's mediator has verdicts also on
 * transactions that the DSO sees nothing else of (S-EVT-004 to S-EVT-009).
 */
import type { Timestamp } from '../../daml/model/values.js';
import type { LedgerUpdate, TransactionUpdate, Update } from '../../network/updates.js';
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

  /** Of a transaction: a reassignment is not found by its id. */
  withId(updateId: string): ScanEvent | undefined {
    const update = this.viewpoint.network.updateById(updateId);
    if (update?.kind !== 'transaction' || !this.isWithin(this.cap(), update)) return undefined;
    return this.eventsOf(update)[0];
  }

  /** NOTE: of contracts that were moved together each has an event of its own, at the same record time. */
  private eventsOf(update: LedgerUpdate): readonly ScanEvent[] {
    const items = this.history.itemsOf(update);
    if (update.kind === 'reassignment')
      return items.map((item) => ({ update: item, verdict: undefined }));
    const verdict = this.isJudged(update) ? verdictOn(this.viewpoint.network, update) : undefined;
    const [item] = items;
    return item === undefined && verdict === undefined ? [] : [{ update: item, verdict }];
  }

  /** The DSO runs the mediator of the first synchronizer; whoever sees everything asks them all. */
  private isJudged({ synchronizerId }: TransactionUpdate): boolean {
    const { view, network } = this.viewpoint;
    return view === 'everything' || synchronizerId === network.synchronizers[0]!.id;
  }

  /**
   * Up to where the running migration is told: where both an update and a verdict are known, so that no verdict comes late
   * (S-EVT-005).
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

  /** Under the running migration. */
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
