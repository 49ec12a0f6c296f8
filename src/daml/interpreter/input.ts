/** The input of the interpreter, and the ledger contracts that it used. */
import type { EngineRules } from '../refusals/engine-rules.js';
import type { LedgerError } from '../errors/ledger-error.js';
import type { PackageLookup } from '../model/package.js';
import type { PartySets } from '../model/parties.js';
import type { Command, ContractInstance, ContractKey, ExternalCall } from '../model/transaction.js';
import type { ContractId, Party, Timestamp } from '../model/values.js';

/**
 * Starts the timer of an interpretation. The result reports whether the time is over, and gets the steps so far. The
 * engine itself has no clock.
 */
export type Deadline = () => (taken: number) => boolean;

/** The output in hexadecimal, or the reason why the call failed. */
export type ExternalAnswer = { readonly output: string } | { readonly error: string };

/** @throws Interruption */
export type ExternalCallService = (call: ExternalCall) => ExternalAnswer;

export interface InterpreterInput {
  readonly commands: readonly Command[];
  readonly actAs: readonly Party[];
  readonly ledgerTime: Timestamp;
  /** Determines the contract ids that this transaction creates. Hexadecimal. */
  readonly seed: string;
  /** Receives the bounds of the ledger time between which the code produces the same transaction. */
  readonly onTime?: (bounds: { readonly min?: Timestamp; readonly max?: Timestamp }) => void;
  readonly packages: PackageLookup;
  /** No deadline if absent. */
  readonly deadline?: Deadline;
  /** Whether an exception handler reverts creates and archives, as up to protocol version 34. False by default. */
  readonly rollsBackEffects?: boolean;
  readonly rules?: EngineRules | undefined;
  /** The pool that shares equal sets of parties between contracts and nodes. */
  readonly partySets?: PartySets;
  /** A contract that the submitters may see (stakeholder or disclosed) and that is active, else undefined. */
  contract(id: ContractId): ContractInstance | undefined;
  /**
   * The claim of a contract that only its discloser provides, which is checked before use. Undefined for a contract
   * of the ledger.
   */
  claim?(id: ContractId): Claim | undefined;
  /**
   * The visible active contracts with a key: disclosed contracts first, then the ledger's, newest first. The
   * interpreter reads only as many as it needs. No contracts if absent.
   */
  contractsByKey?(key: ContractKey): Iterable<ContractInstance>;
  /** Calls an extension service; no service is known if absent (R-36-075). */
  readonly externalCall?: ExternalCallService | undefined;
  /** Receives the error, and the contracts that the code looked up before it. */
  readonly onRefusal?: (error: LedgerError, used: UsedContracts) => void;
}

/** The claim that a contract is as its discloser sends it. */
export interface Claim {
  /**
   * The error if its content does not match its id. It is reported only if its stakeholders and key match its
   * argument.
   */
  readonly error: LedgerError | undefined;
}

/** The contracts of the ledger that a transaction used, and the answers to its external calls. */
export interface UsedContracts {
  readonly byId: ReadonlyMap<ContractId, ContractInstance>;
  /** The contracts that queries by a key found, in their order. */
  withKey(hash: string): readonly ContractInstance[];
  /** In the order of the calls. */
  readonly answers: readonly ExternalAnswer[];
}
