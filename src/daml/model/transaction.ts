/**
 * Commands in, transaction tree out: the shapes between a participant, the interpreter and the ledger. Values are typed
 * Daml values; template references are resolved to package ids.
 */
import type { PackageId, TypeId } from './types.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from './values.js';

export type Command =
  | { readonly kind: 'create'; readonly templateId: TypeId; readonly payload: DamlRecord }
  | {
      readonly kind: 'exercise';
      /** Template or interface. */
      readonly templateId: TypeId;
      readonly contractId: ContractId;
      readonly choice: string;
      readonly argument: DamlValue;
    }
  | {
      readonly kind: 'createAndExercise';
      readonly templateId: TypeId;
      readonly payload: DamlRecord;
      readonly choice: string;
      readonly argument: DamlValue;
    }
  | {
      readonly kind: 'exerciseByKey';
      readonly templateId: TypeId;
      readonly key: DamlValue;
      readonly choice: string;
      readonly argument: DamlValue;
    };

/** A contract key of a template, with who answers for it. */
export interface ContractKey {
  readonly value: DamlValue;
  /** SHA-256 of package name, template name and value, hexadecimal: equal for equal keys, in every version of a package. */
  readonly hash: string;
  /** Sorted. */
  readonly maintainers: readonly Party[];
}

/** What a contract is, for ever: everything that its id authenticates. Whether it is active is the network's to know. */
export interface ContractInstance {
  readonly contractId: ContractId;
  readonly templateId: TypeId;
  readonly packageName: string;
  readonly payload: DamlRecord;
  /** Sorted. */
  readonly signatories: readonly Party[];
  /** Sorted, without the signatories. */
  readonly observers: readonly Party[];
  /** Ledger effective time of the transaction that created it. */
  readonly createdAt: Timestamp;
  /** Absent where its template has no key. Several active contracts may have the same one. */
  readonly key?: ContractKey;
  /** Of a contract that another ledger created: the blob that it came in, as its salt is known from nowhere else. */
  readonly blob?: Uint8Array;
}

interface NodeBase {
  /** Position in the pre-order of the whole tree, fetches included. */
  readonly nodeId: number;
  /** The enclosing exercise or rolled back scope, or -1 for a root. */
  readonly parent: number;
}

export interface CreateNode extends NodeBase {
  readonly kind: 'create';
  readonly contract: ContractInstance;
}

export interface ExerciseNode extends NodeBase {
  readonly kind: 'exercise';
  readonly contract: ContractInstance;
  /** The contract's template in the version that was asked: not always the one that created it. */
  readonly templateId: TypeId;
  /** Set for a choice that an interface defines. */
  readonly interfaceId: TypeId | undefined;
  readonly choice: string;
  /** The package whose code ran: the choice's types come from it. */
  readonly packageId: PackageId;
  readonly argument: DamlValue;
  readonly consuming: boolean;
  /** The contract was found by its key. */
  readonly byKey?: true;
  /** Sorted. */
  readonly actingParties: readonly Party[];
  /** Sorted. */
  readonly choiceObservers: readonly Party[];
  readonly result: DamlValue;
  /** An exception ended it, so that it has no result: such a choice is always rolled back. */
  readonly aborted?: true | undefined;
  /** Highest node id of the subtree, rolled back nodes apart (B-EVT-007); its own where there is none. */
  readonly lastDescendant: number;
}

export interface FetchNode extends NodeBase {
  readonly kind: 'fetch';
  readonly contract: ContractInstance;
  /** The contract's template in the version that was asked. */
  readonly templateId: TypeId;
  readonly interfaceId: TypeId | undefined;
  /** The contract was found by its key. */
  readonly byKey?: true;
  /** Sorted. */
  readonly actingParties: readonly Party[];
}

/** What was asked for by a key: the contracts that were found, newest first. Shown to nobody but the signer of a transaction. */
export interface QueryByKeyNode extends NodeBase {
  readonly kind: 'queryByKey';
  readonly templateId: TypeId;
  readonly packageName: string;
  readonly key: ContractKey;
  readonly result: readonly ContractId[];
  /** There were no more. */
  readonly exhaustive: boolean;
}

export type Action = CreateNode | ExerciseNode | FetchNode | QueryByKeyNode;

/** A scope that an exception handler rolled back. What was done in it follows, as {@link RolledBackNode}s below it. */
export interface RollbackNode extends NodeBase {
  readonly kind: 'rollback';
}

/**
 * What was done in a scope that was rolled back: it has no effect and is shown to nobody but the signer of a transaction, but
 * contracts that it looked at must be active (B-EVT-004, B-EVT-007).
 */
export interface RolledBackNode extends NodeBase {
  readonly kind: 'rolledBack';
  /** NOTE: its own number and parent are those of before. */
  readonly action: Action;
}

/** What readers are shown: fetches and queries leave no events. */
export function isEvent(node: TransactionNode): node is CreateNode | ExerciseNode {
  return node.kind === 'create' || node.kind === 'exercise';
}

export type TransactionNode = Action | RollbackNode | RolledBackNode;

export interface Transaction {
  /** By node id. */
  readonly nodes: readonly TransactionNode[];
  readonly roots: readonly number[];
}

/** What commands come to: a transaction that is not part of the ledger yet. */
export interface Interpretation extends Transaction {
  /** Contracts that it uses and did not create itself, in order of first use. */
  readonly inputs: readonly ContractId[];
}

export function stakeholdersOf(
  contract: Pick<ContractInstance, 'signatories' | 'observers'>,
): readonly Party[] {
  return [...contract.signatories, ...contract.observers];
}

/** The same, sorted: of most contracts they stand there as they are. */
export function sortedStakeholders(contract: ContractInstance): readonly Party[] {
  return contract.observers.length === 0
    ? contract.signatories
    : [...contract.signatories, ...contract.observers].sort();
}

const NOBODY: readonly Party[] = [];

/** Signatories or maintainers, and those who act. */
function confirmersIn(node: TransactionNode): readonly Party[] {
  switch (node.kind) {
    case 'create':
      return node.contract.signatories;
    case 'exercise':
    case 'fetch':
      return [...node.contract.signatories, ...node.actingParties];
    case 'queryByKey':
      return node.key.maintainers;
    case 'rollback':
      return NOBODY;
    case 'rolledBack':
      return confirmersIn(node.action);
  }
}

/** Who has to confirm a transaction: sorted, each once. */
export function confirmersOf({ nodes }: Pick<Transaction, 'nodes'>): readonly Party[] {
  return [...new Set(nodes.flatMap(confirmersIn))].sort();
}
