/** The updates that Scan sees: all of them, or those that the DSO party witnesses. */
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/model/ids.js';
import type { Network } from '../../network/network.js';
import type {
  ReassignmentUpdate,
  LocalUpdate,
  TransactionUpdate,
  Update,
} from '../../network/model/updates.js';

/** `dso` is the view of the real Scan. `everything` is for a sandbox, which has one Scan for all tests. */
export type ScanView = 'everything' | 'dso';

/** Updates in the order of sequencing. */
export interface ViewedUpdates {
  readonly length: number;
  at(index: number): Update | undefined;
  firstIndex(reached: (update: Update) => boolean): number;
}

/** A position in the history, from which a client continues (S-UPD-003). */
export interface HistoryPlace {
  readonly migrationId: number;
  readonly recordTime: Timestamp;
}

/** The index of the first update after a position. */
export function indexBehind(
  updates: ViewedUpdates,
  { migrationId, recordTime }: HistoryPlace,
): number {
  return updates.firstIndex((update) =>
    update.migrationId === migrationId
      ? update.recordTime > recordTime
      : update.migrationId > migrationId,
  );
}

const NOTHING: ViewedUpdates = { length: 0, at: () => undefined, firstIndex: () => 0 };

/** All updates except the last ones. */
function without(last: number, updates: ViewedUpdates): ViewedUpdates {
  const shown = Math.max(0, updates.length - last);
  return {
    length: shown,
    at: (index) => (index < shown ? updates.at(index) : undefined),
    firstIndex: (reached) => Math.min(shown, updates.firstIndex(reached)),
  };
}

export class ScanViewpoint {
  /** The number of latest updates that are hidden. */
  private lag = 0;

  constructor(
    readonly network: Network,
    readonly dsoParty: Party,
    readonly view: ScanView,
  ) {}

  /** May include topology updates. */
  get updates(): ViewedUpdates {
    return this.lag === 0 ? this.all : without(this.lag, this.all);
  }

  private get all(): ViewedUpdates {
    const { network, view, dsoParty } = this;
    return view === 'everything' ? network.ledgerHistory : (network.updatesOf(dsoParty) ?? NOTHING);
  }

  /**
   * Reads with the last updates hidden, as from a Scan that lags behind. NOTE: hosting of parties is the current one.
   * @param lag number of hidden updates
   * @param read must be synchronous
   */
  asOf<R>(lag: number, read: () => R): R {
    this.lag = lag;
    try {
      return read();
    } finally {
      this.lag = 0;
    }
  }

  /** If updates are hidden: the record time of the last one that is not. */
  private get horizon(): Timestamp | undefined {
    if (this.lag === 0) return undefined;
    return this.updates.at(this.updates.length - 1)?.recordTime ?? this.network.startTime;
  }

  /** The ledger's time, or that of the last visible update while updates are hidden. */
  get now(): Timestamp {
    return this.horizon ?? this.network.clock.now();
  }

  knows({ recordTime }: Update): boolean {
    const { horizon } = this;
    return horizon === undefined || recordTime <= horizon;
  }

  /** If updates are hidden: the last visible offset of the DSO's participant. */
  get offset(): number | undefined {
    const { horizon } = this;
    if (horizon === undefined) return undefined;
    const { participants, topology } = this.network;
    const host = participants.find(({ id }) => topology.isHosted(this.dsoParty, id));
    return host?.log.lastOffsetUntil(horizon);
  }

  /** @param parties witnesses of a node, or stakeholders of a contract */
  shows(parties: readonly Party[]): boolean {
    return this.view === 'everything' || parties.includes(this.dsoParty);
  }

  /** Whether the DSO party sees a contract with these stakeholders, too. */
  isDsos(stakeholders: readonly Party[]): boolean {
    return this.view === 'dso' || stakeholders.includes(this.dsoParty);
  }

  /** NOTE: if one Scan shows the views of several participants, offsets are those of the whole network. */
  offsetOf(update: TransactionUpdate | ReassignmentUpdate): number {
    return this.positionOf(update)?.offset ?? update.sequence + 1;
  }

  /** NOTE: see `offsetOf`. */
  nodeIdOf(update: TransactionUpdate, node: number): number {
    return this.positionOf(update)?.nodeIdOf(node) ?? node;
  }

  /** The update at the DSO's participant; undefined if the view covers several participants. */
  private positionOf(update: TransactionUpdate | ReassignmentUpdate): LocalUpdate | undefined {
    const { participants, topology } = this.network;
    if (this.view !== 'dso' && participants.length > 1) return undefined;
    const host = participants.find(({ id }) => topology.isHosted(this.dsoParty, id));
    return host && update.offsets.at(host.id);
  }

  /** The index of the first update after a position. */
  behind(migrationId: number, recordTime: Timestamp): number {
    return indexBehind(this.updates, { migrationId, recordTime });
  }

  /** The last update of a migration on a synchronizer, or on any synchronizer by default. */
  latest(migrationId: number, synchronizerId?: SynchronizerId): Update | undefined {
    const { updates } = this;
    let index = updates.firstIndex((update) => update.migrationId > migrationId) - 1;
    for (; index >= 0 && updates.at(index)!.migrationId === migrationId; index--) {
      const update = updates.at(index)!;
      if (update.kind === 'topology') continue;
      if (synchronizerId === undefined || update.synchronizerId === synchronizerId) return update;
    }
    return undefined;
  }
}
