/** What Scan looks at: all that happens, or the part that the DSO party is a witness of. */
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/ids.js';
import type { Network } from '../../network/network.js';
import type {
  ReassignmentUpdate,
  ToldUpdate,
  TransactionUpdate,
  Update,
} from '../../network/updates.js';

/** `dso`, as the real Scan, or `everything`: a sandbox, where there is one Scan for whoever tests. */
export type ScanView = 'everything' | 'dso';

/** Updates in the order of sequencing. */
export interface ViewedUpdates {
  readonly length: number;
  at(index: number): Update | undefined;
  firstIndex(reached: (update: Update) => boolean): number;
}

/** A place in the history; all that lies behind it comes next (S-UPD-003). */
export interface HistoryPlace {
  readonly migrationId: number;
  readonly recordTime: Timestamp;
}

/** Of the first update behind a place. */
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

/** All but the last. */
function without(last: number, updates: ViewedUpdates): ViewedUpdates {
  const shown = Math.max(0, updates.length - last);
  return {
    length: shown,
    at: (index) => (index < shown ? updates.at(index) : undefined),
    firstIndex: (reached) => Math.min(shown, updates.firstIndex(reached)),
  };
}

export class ScanViewpoint {
  /** How many of the last updates are not known yet. */
  private lag = 0;

  constructor(
    readonly network: Network,
    readonly dsoParty: Party,
    readonly view: ScanView,
  ) {}

  /** Topology may be among them. */
  get updates(): ViewedUpdates {
    return this.lag === 0 ? this.all : without(this.lag, this.all);
  }

  private get all(): ViewedUpdates {
    const { network, view, dsoParty } = this;
    return view === 'everything' ? network.ledgerHistory : (network.updatesOf(dsoParty) ?? NOTHING);
  }

  /**
   * What is read as it was so many updates ago, as by a Scan that is behind. NOTE: who hosts whom is told as it is now.
   * @param read must read at once
   */
  asOf<R>(lag: number, read: () => R): R {
    this.lag = lag;
    try {
      return read();
    } finally {
      this.lag = 0;
    }
  }

  /** Of the last update that is known, where not all are. */
  private get horizon(): Timestamp | undefined {
    if (this.lag === 0) return undefined;
    return this.updates.at(this.updates.length - 1)?.recordTime ?? this.network.startTime;
  }

  /** The ledger's time, as far as it is known. */
  get now(): Timestamp {
    return this.horizon ?? this.network.clock.now();
  }

  knows({ recordTime }: Update): boolean {
    const { horizon } = this;
    return horizon === undefined || recordTime <= horizon;
  }

  /** The last offset of the DSO's participant that is known, where not all are. */
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

  /** Whether what is shown with these stakeholders is shown to the DSO, too. */
  isDsos(stakeholders: readonly Party[]): boolean {
    return this.view === 'dso' || stakeholders.includes(this.dsoParty);
  }

  /** NOTE: where one Scan shows what several participants see, offsets are those of the whole network. */
  offsetOf(update: TransactionUpdate | ReassignmentUpdate): number {
    return this.toldTo(update)?.offset ?? update.sequence + 1;
  }

  /** NOTE: as for offsets. */
  nodeIdOf(update: TransactionUpdate, node: number): number {
    return this.toldTo(update)?.nodeIdOf(node) ?? node;
  }

  /** At the participant whose view it is, if it is that of one. */
  private toldTo(update: TransactionUpdate | ReassignmentUpdate): ToldUpdate | undefined {
    const { participants, topology } = this.network;
    if (this.view !== 'dso' && participants.length > 1) return undefined;
    const host = participants.find(({ id }) => topology.isHosted(this.dsoParty, id));
    return host && update.offsets.at(host.id);
  }

  /** Index of the first update behind a place. */
  behind(migrationId: number, recordTime: Timestamp): number {
    return indexBehind(this.updates, { migrationId, recordTime });
  }

  /** The last update that a synchronizer sequenced under a migration; any of them, where none is named. */
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
