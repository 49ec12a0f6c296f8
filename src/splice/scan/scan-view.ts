/** What Scan looks at: all that happens, or the part that the DSO party is a witness of. */
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../../network/ids.js';
import type { Network } from '../../network/network.js';
import type { ReassignmentUpdate, TransactionUpdate, Update } from '../../network/updates.js';

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

export class ScanViewpoint {
  constructor(
    readonly network: Network,
    readonly dsoParty: Party,
    readonly view: ScanView,
  ) {}

  /** Topology may be among them. */
  get updates(): ViewedUpdates {
    const { network, view, dsoParty } = this;
    return view === 'everything' ? network.ledgerHistory : (network.updatesOf(dsoParty) ?? NOTHING);
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
    const { participants, topology } = this.network;
    const host = participants.find(({ id }) => topology.isHosted(this.dsoParty, id));
    const own = host && update.offsets.get(host.id);
    return own !== undefined && (this.view === 'dso' || participants.length === 1)
      ? own
      : update.sequence + 1;
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
