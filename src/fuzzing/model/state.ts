/** The state of a fuzzed ledger, as generators, checks and invariants read it. */
import type { PackageLookup } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { QualifiedName, TypeId } from '../../daml/model/types.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type { Protocol } from '../../network/model/protocol.js';

/** Where each sequence starts: the result of a script or a scenario, or parties without contracts. */
export interface StartState {
  readonly parties: readonly Party[];
  /** In the order of their creation. */
  readonly contracts: readonly ContractInstance[];
  readonly now: Timestamp;
}

export interface LedgerState {
  readonly packages: PackageLookup;
  readonly parties: readonly Party[];
  readonly now: Timestamp;
  readonly protocol: Protocol;
  /** The active contracts, in the order of their creation. */
  active(): Iterable<ContractInstance>;
  /** The active contracts of a template in any version of its package, in the order of their creation. */
  ofTemplate(packageName: string, name: QualifiedName): Iterable<ContractInstance>;
  /** The active contracts whose template implements the interface, in the order of their creation. */
  ofInterface(id: TypeId): Iterable<ContractInstance>;
  /** A contract, active or archived. */
  contract(id: ContractId): ContractInstance | undefined;
  isActive(id: ContractId): boolean;
}
