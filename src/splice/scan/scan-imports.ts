/** Import updates: the contracts that a migration carried over, each as a transaction at the beginning of time (S-UPD-007). */
import { createHash } from 'node:crypto';
import { MIN_TIMESTAMP } from '../../daml/model/time.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId } from '../../daml/model/values.js';
import { multihash } from '../../network/model/ids.js';
import type { ImportedContract, MigrationRecord } from '../../network/ledger/migrations.js';
import type { ScanTransaction } from './scan-history.js';
import type { ScanViewpoint } from './scan-view.js';
import { compareUnits } from '../../daml/model/text-order.js';

export class ScanImports {
  private readonly made = new WeakMap<MigrationRecord, ReadonlyMap<string, ScanTransaction>>();

  constructor(private readonly viewpoint: ScanViewpoint) {}

  /** By update id, in the order of the history. Cached, because imports never change. */
  of(record: MigrationRecord): ReadonlyMap<string, ScanTransaction> {
    let imports = this.made.get(record);
    if (imports === undefined) {
      imports = new Map(this.importsOf(record).map((item) => [item.updateId, item]));
      this.made.set(record, imports);
    }
    return imports;
  }

  private importsOf(record: MigrationRecord): readonly ScanTransaction[] {
    const { network } = this.viewpoint;
    const items = record.imported.flatMap((imported) => {
      const contract = network.contracts.get(imported.contractId)?.instance;
      // The store may have dropped contracts that were archived since.
      return contract !== undefined && this.viewpoint.shows(stakeholdersOf(contract))
        ? [importOf(record, imported, contract)]
        : [];
    });
    return items.sort(
      (a, b) =>
        compareUnits(a.synchronizerId, b.synchronizerId) || compareUnits(a.updateId, b.updateId),
    );
  }
}

function importOf(
  record: MigrationRecord,
  { contractId, synchronizerId }: ImportedContract,
  contract: ContractInstance,
): ScanTransaction {
  return {
    kind: 'transaction',
    updateId: importId(record, contractId),
    migrationId: record.migrationId,
    workflowId: '',
    recordTime: MIN_TIMESTAMP,
    synchronizerId,
    effectiveAt: MIN_TIMESTAMP,
    offset: 0,
    externalTransactionHash: undefined,
    nodes: [
      {
        node: { kind: 'create', nodeId: 0, parent: -1, contract },
        place: 0,
        nodeId: 0,
        children: [],
      },
    ],
    roots: [0],
  };
}

/** A participant generates these ids; here, they are derived from the imported contract. */
function importId({ migrationId }: MigrationRecord, contractId: ContractId): string {
  return multihash(createHash('sha256').update(`import/${migrationId}/${contractId}`).digest());
}
