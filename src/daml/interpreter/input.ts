/** What the interpreter is asked, and what it met of the ledger. */
import type { LedgerError } from '../errors/ledger-error.js';
import type { PackageLookup } from '../model/package.js';
import type { PartySets } from '../model/parties.js';
import type { Command, ContractInstance, ContractKey } from '../model/transaction.js';
import type { ContractId, Party, Timestamp } from '../model/values.js';

/** Begins to measure the time of an interpretation: whether it is over. The engine has no clock of its own. */
export type Deadline = () => () => boolean;

export interface InterpreterInput {
  readonly commands: readonly Command[];
  readonly actAs: readonly Party[];
  readonly ledgerTime: Timestamp;
  /** Decides the contract ids that this transaction creates. Hexadecimal. */
  readonly seed: string;
  /** Told what the code found out about the ledger time: between which times the transaction would be the same. */
  readonly onTime?: (bounds: { readonly min?: Timestamp; readonly max?: Timestamp }) => void;
  readonly packages: PackageLookup;
  /** None where absent. */
  readonly deadline?: Deadline;
  /** Whether creates and consumptions may be taken back by an exception handler, as up to protocol version 34. No, by default. */
  readonly rollsBackEffects?: boolean;
  /** Where the sets of parties that contracts and nodes keep are shared. */
  readonly partySets?: PartySets;
  /** A contract that the submitters may see (stakeholder or disclosed) and that is active, else undefined. */
  contract(id: ContractId): ContractInstance | undefined;
  /** Of a contract that is known from its discloser alone: it is checked before it is used. Undefined for one of the ledger. */
  claim?(id: ContractId): Claim | undefined;
  /** The same by key: disclosed contracts first, then the ledger's, newest first. Read as far as needed; none where absent. */
  contractsByKey?(key: ContractKey): Iterable<ContractInstance>;
  /** Told of the refusal, and of the contracts that were looked up before it. */
  readonly onRefusal?: (error: LedgerError, used: UsedContracts) => void;
}

/** That a contract is as its discloser says. */
export interface Claim {
  /** Why it is not what its id says; counts once its stakeholders and key were found to be those of its argument. */
  readonly fault: LedgerError | undefined;
}

/** The contracts of the ledger that a transaction met. */
export interface UsedContracts {
  readonly byId: ReadonlyMap<ContractId, ContractInstance>;
  /** Those that queries by a key found, in their order. */
  withKey(hash: string): readonly ContractInstance[];
}
