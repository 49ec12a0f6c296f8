/**
 * Scan's ACS snapshots: every three hours from midnight, from the first update of a migration on, and whenever a client forces one
 * (S-ACS-001 to S-ACS-004, S-ACS-015). Their content follows from the history, so it is computed on first use and then cached.
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import { JournaledList } from '../../network/journal/journal.js';
import type { Update } from '../../network/model/updates.js';
import { templateNameOf, type TemplateName } from '../../network/ledger/active-contracts.js';
import type { ScanImports } from './scan-imports.js';
import type { HistoryPlace, ScanViewpoint } from './scan-view.js';

/** Three hours, the same for all nodes of a DSO. */
const PERIOD = 10_800_000_000n;

export interface SnapshotContract {
  readonly contract: ContractInstance;
  /** The update that created or imported it. */
  readonly updateId: string;
  readonly nodeId: number;
  readonly isImported: boolean;
}

export interface AcsSnapshot {
  /** Sorted by creation time, then contract id (S-ACS-009). */
  readonly contracts: readonly SnapshotContract[];
  /** Indices into `contracts`, ascending. */
  readonly placesOf: (template: TemplateName) => readonly number[];
}

interface Range {
  readonly first: Timestamp;
  readonly last: Timestamp;
}

export class AcsSnapshots {
  private readonly forced: JournaledList<HistoryPlace>;
  /** By the last update in a snapshot. That update identifies all updates before it, so a revert needs no invalidation. */
  private readonly made = new WeakMap<Update, AcsSnapshot>();

  constructor(
    private readonly viewpoint: ScanViewpoint,
    private readonly imports: ScanImports,
  ) {
    this.forced = new JournaledList(viewpoint.network.journal, 'forced-acs-snapshots');
  }

  /** The record time of the migration's latest snapshot at or before `time`. */
  atOrBefore(migrationId: number, time: Timestamp): Timestamp | undefined {
    const range = this.periodic(migrationId);
    const periodic = range && min(range.last, floor(time));
    const forced = this.forcedIn(migrationId).filter((each) => each <= time);
    return greatest(
      periodic !== undefined && periodic >= range!.first ? [...forced, periodic] : forced,
    );
  }

  /** The record time of the first snapshot after `time`, or of the earliest one of a later migration (S-ACS-003). */
  after(migrationId: number, time: Timestamp): Timestamp | undefined {
    const later = this.viewpoint.network.migrations.history
      .filter((record) => record.migrationId > migrationId)
      .flatMap((record) => this.times(record.migrationId, undefined));
    return least([...this.times(migrationId, time), ...later]);
  }

  /** The snapshot at exactly that time; undefined if there is none. */
  at(migrationId: number, time: Timestamp): AcsSnapshot | undefined {
    if (this.atOrBefore(migrationId, time) !== time) return undefined;
    const last = this.viewpoint.updates.at(this.viewpoint.behind(migrationId, time) - 1);
    // A snapshot that was forced before the first update of the migration.
    if (last?.migrationId !== migrationId) return snapshotOf(this.contractsAt(migrationId, time));
    let snapshot = this.made.get(last);
    if (snapshot === undefined)
      this.made.set(last, (snapshot = snapshotOf(this.contractsAt(migrationId, time))));
    return snapshot;
  }

  /** Takes a snapshot now, unless there is one of this moment. */
  force(place: HistoryPlace): void {
    if (this.atOrBefore(place.migrationId, place.recordTime) !== place.recordTime)
      this.forced.push(place);
  }

  /** The earliest periodic and the forced snapshots after `time`. */
  private times(migrationId: number, time: Timestamp | undefined): readonly Timestamp[] {
    const range = this.periodic(migrationId);
    const forced = this.forcedIn(migrationId).filter((each) => time === undefined || each > time);
    if (range === undefined) return forced;
    const next = time === undefined ? range.first : max(range.first, floor(time) + PERIOD);
    return next <= range.last ? [...forced, next] : forced;
  }

  private forcedIn(migrationId: number): readonly Timestamp[] {
    return Array.from({ length: this.forced.length }, (_, i) => this.forced.at(i)!)
      .filter((place) => place.migrationId === migrationId)
      .map(({ recordTime }) => recordTime);
  }

  /** From after the migration's first update to its last update, or to now for the current migration. */
  private periodic(migrationId: number): Range | undefined {
    const { network, updates } = this.viewpoint;
    const first = updates.at(updates.firstIndex((each) => each.migrationId >= migrationId));
    if (first?.migrationId !== migrationId) return undefined;
    const isRunning = migrationId === network.migrations.current;
    const next = updates.firstIndex((each) => each.migrationId > migrationId);
    const end = isRunning ? this.viewpoint.now : updates.at(next - 1)!.recordTime;
    return { first: floor(first.recordTime) + PERIOD, last: floor(end) };
  }

  /** Contracts that were created or imported under the migration and not archived. A contract between synchronizers counts. */
  private contractsAt(migrationId: number, time: Timestamp): readonly SnapshotContract[] {
    const { updates, network } = this.viewpoint;
    const contracts: SnapshotContract[] = [...this.importedUnder(migrationId)];
    let index = updates.firstIndex((each) => each.migrationId >= migrationId);
    for (const end = this.viewpoint.behind(migrationId, time); index < end; index++) {
      const update = updates.at(index)!;
      if (update.kind !== 'transaction') continue;
      for (const node of update.transaction.nodes)
        if (node.kind === 'create' && this.viewpoint.shows(stakeholdersOf(node.contract)))
          contracts.push({
            contract: node.contract,
            updateId: update.updateId,
            nodeId: this.viewpoint.nodeIdOf(update, node.nodeId),
            isImported: false,
          });
    }
    return contracts.filter(({ contract }) => {
      const stored = network.contracts.get(contract.contractId);
      // The store may have dropped it after its archival.
      if (stored === undefined) return false;
      return stored.archivedIn === undefined || stored.archivedIn.recordTime > time;
    });
  }

  private *importedUnder(migrationId: number): Generator<SnapshotContract, void, undefined> {
    const record = this.viewpoint.network.migrations.history.find(
      (each) => each.migrationId === migrationId,
    );
    for (const { nodes, updateId } of record ? this.imports.of(record).values() : [])
      for (const { node, nodeId } of nodes)
        yield { contract: node.contract, updateId, nodeId, isImported: true };
  }
}

function snapshotOf(contracts: readonly SnapshotContract[]): AcsSnapshot {
  const sorted = [...contracts].sort(
    ({ contract: a }, { contract: b }) =>
      Number(a.createdAt - b.createdAt) || (a.contractId < b.contractId ? -1 : 1),
  );
  let places: Map<TemplateName, number[]> | undefined;
  return {
    contracts: sorted,
    placesOf: (template) => (places ??= byTemplate(sorted)).get(template) ?? [],
  };
}

function byTemplate(contracts: readonly SnapshotContract[]): Map<TemplateName, number[]> {
  const places = new Map<TemplateName, number[]>();
  for (const [place, { contract }] of contracts.entries()) {
    const name = templateNameOf(contract);
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else known.push(place);
  }
  return places;
}

/** Rounds down to a multiple of the period since midnight. */
const floor = (time: Timestamp): Timestamp => time - (((time % PERIOD) + PERIOD) % PERIOD);
const min = (a: Timestamp, b: Timestamp): Timestamp => (a < b ? a : b);
const max = (a: Timestamp, b: Timestamp): Timestamp => (a > b ? a : b);
const least = (times: readonly Timestamp[]): Timestamp | undefined =>
  times.length === 0 ? undefined : times.reduce(min);
const greatest = (times: readonly Timestamp[]): Timestamp | undefined =>
  times.length === 0 ? undefined : times.reduce(max);
