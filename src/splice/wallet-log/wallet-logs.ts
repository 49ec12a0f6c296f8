/**
 * Logs of wallets, one per party, created on demand. A log reads each update of the party once, and starts over after a revert of an update
 * that it has read.
 */
import type { ContractId, Party } from '../../daml/model/values.js';
import type { Network } from '../../network/network.js';
import type { Update } from '../../network/model/updates.js';
import type {
  FundCouponArchived,
  FundCouponCreated,
  HistoryEntry,
  LogEntry,
  OfferEntry,
  TrafficEntry,
} from './entries.js';
import { logEntries } from './parser.js';

/** An archived development fund coupon. */
export interface EndedCoupon {
  /** The position of its end among all entries of the log. */
  readonly number: number;
  readonly created: FundCouponCreated;
  readonly archived: FundCouponArchived;
}

export class WalletLogs {
  private readonly logs = new Map<Party, WalletLog>();

  constructor(private readonly network: Network) {}

  of(party: Party): WalletLog {
    let log = this.logs.get(party);
    if (log === undefined) this.logs.set(party, (log = new WalletLog(this.network, party)));
    return log;
  }
}

export class WalletLog {
  private read = 0;
  /** The last update that was read. While the ledger still has it, it also has all updates before it. */
  private last: Update | undefined;
  private entries = 0;
  private history: HistoryEntry[] = [];
  private readonly places = new Map<string, number>();
  private readonly offers = new Map<string, OfferEntry>();
  private readonly traffic = new Map<string, TrafficEntry>();
  private readonly coupons = new Map<ContractId, FundCouponCreated>();
  private ended: EndedCoupon[] = [];

  constructor(
    private readonly network: Network,
    private readonly party: Party,
  ) {}

  /**
   * History entries, newest first.
   * @param before event id; the page starts after this event. For an unknown id, the page is empty (WA-HIS-002).
   */
  page(limit: number, before: string | undefined): readonly HistoryEntry[] {
    this.readOn();
    const end = before === undefined ? this.history.length : (this.places.get(before) ?? 0);
    return this.history.slice(Math.max(0, end - limit), end).reverse();
  }

  /** The status of a transfer offer. */
  offer(trackingId: string): OfferEntry | undefined {
    this.readOn();
    return this.offers.get(trackingId);
  }

  /** The status of a request to buy traffic. */
  trafficRequest(trackingId: string): TrafficEntry | undefined {
    this.readOn();
    return this.traffic.get(trackingId);
  }

  /**
   * Ended coupons, the latest end first.
   * @param before the page starts after the coupon with this number
   */
  endedCoupons(limit: number, before: number | undefined): readonly EndedCoupon[] {
    this.readOn();
    const first = before ?? Infinity;
    return this.ended
      .filter(({ number }) => number < first)
      .slice(-limit)
      .reverse();
  }

  private readOn(): void {
    const updates = this.network.updatesOf(this.party);
    const isCut = this.read > (updates?.length ?? 0);
    if (isCut || (this.read > 0 && updates?.at(this.read - 1) !== this.last)) this.forget();
    const host = this.network.participants.find((each) => each.hosts(this.party));
    for (; this.read < (updates?.length ?? 0); this.read++) {
      this.last = updates!.at(this.read)!;
      if (this.last.kind !== 'transaction') continue;
      const position = host && this.last.offsets.at(host.id);
      for (const entry of logEntries(this.last, this.party, position)) this.add(entry);
    }
  }

  private add(entry: LogEntry): void {
    this.entries++;
    switch (entry.kind) {
      case 'offer':
        this.offers.set(entry.trackingId, entry);
        break;
      case 'traffic':
        this.traffic.set(entry.trackingId, entry);
        break;
      case 'couponCreated':
        this.coupons.set(entry.contractId, entry);
        break;
      case 'couponArchived': {
        const created = this.coupons.get(entry.contractId);
        if (created !== undefined)
          this.ended.push({ number: this.entries, created, archived: entry });
        break;
      }
      default:
        this.places.set(entry.eventId, this.history.length);
        this.history.push(entry);
    }
  }

  private forget(): void {
    this.read = 0;
    this.entries = 0;
    this.history = [];
    this.ended = [];
    for (const index of [this.places, this.offers, this.traffic, this.coupons]) index.clear();
  }
}
