/**
 * Commands and transaction trees: the types between participant, interpreter and ledger. Values are typed Daml values, and template
 * references have package ids.
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

/** A contract key of a template with its maintainers. */
export interface ContractKey {
  readonly value: DamlValue;
  /** SHA-256 of package name, template name and value, hexadecimal: equal for equal keys, in every version of a package. */
  readonly hash: string;
  /** Sorted. */
  readonly maintainers: readonly Party[];
}

/** The immutable part of a contract: everything that its id authenticates. The network has its status. */
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
  /** Absent if its template has no key. Several active contracts may have the same key. */
  readonly key?: ContractKey;
  /** For a contract of another ledger: its blob, which is the only source of its salt. */
  readonly blob?: Uint8Array;
}

interface NodeBase {
  /** Index in the pre-order of the whole tree, including fetches. */
  readonly nodeId: number;
  /** The parent exercise or rolled back scope, or -1 for a root. */
  readonly parent: number;
}

export interface CreateNode extends NodeBase {
  readonly kind: 'create';
  readonly contract: ContractInstance;
}

/** A call of an extension service of the participant. Config and input are hexadecimal. */
export interface ExternalCall {
  readonly extensionId: string;
  readonly functionId: string;
  readonly config: string;
  readonly input: string;
}

export interface ExternalCallResult extends ExternalCall {
  /** Hexadecimal. */
  readonly output: string;
}

export interface ExerciseNode extends NodeBase {
  readonly kind: 'exercise';
  readonly contract: ContractInstance;
  /** The contract's template in the requested version, which may differ from the version that created it. */
  readonly templateId: TypeId;
  /** Set for a choice that an interface defines. */
  readonly interfaceId: TypeId | undefined;
  readonly choice: string;
  /** The package of the executed code, which has the choice's types. */
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
  /** The external calls of its code, in order; absent without any (R-36-080). */
  readonly externalCalls?: readonly ExternalCallResult[];
  /** An exception ended it, so it has no result. Such a choice is always rolled back. */
  readonly aborted?: true | undefined;
  /** Highest node id of the subtree without rolled back nodes (B-EVT-007); its own id without descendants. */
  readonly lastDescendant: number;
}

export interface FetchNode extends NodeBase {
  readonly kind: 'fetch';
  readonly contract: ContractInstance;
  /** The contract's template in the requested version. */
  readonly templateId: TypeId;
  readonly interfaceId: TypeId | undefined;
  /** The contract was found by its key. */
  readonly byKey?: true;
  /** Sorted. */
  readonly actingParties: readonly Party[];
}

/** The result of a query by key: contracts, newest first. Only the signer of a transaction sees this node. */
export interface QueryByKeyNode extends NodeBase {
  readonly kind: 'queryByKey';
  readonly templateId: TypeId;
  readonly packageName: string;
  readonly key: ContractKey;
  readonly result: readonly ContractId[];
  /** Whether there were no more. */
  readonly exhaustive: boolean;
}

export type Action = CreateNode | ExerciseNode | FetchNode | QueryByKeyNode;

/** A scope that an exception handler rolled back. Its actions follow as {@link RolledBackNode}s below it. */
export interface RollbackNode extends NodeBase {
  readonly kind: 'rollback';
}

/**
 * An action in a rolled back scope. It has no effect, and only the signer of a transaction sees it, but contracts that it used must be
 * active (B-EVT-004, B-EVT-007).
 */
export interface RolledBackNode extends NodeBase {
  readonly kind: 'rolledBack';
  /** NOTE: the action has the node id and parent from before the rollback. */
  readonly action: Action;
}

/** Whether readers see an event. Fetches and queries have none. */
export function isEvent(node: TransactionNode): node is CreateNode | ExerciseNode {
  return node.kind === 'create' || node.kind === 'exercise';
}

export type TransactionNode = Action | RollbackNode | RolledBackNode;

export interface Transaction {
  /** By node id. */
  readonly nodes: readonly TransactionNode[];
  readonly roots: readonly number[];
}

/** The result of interpreting commands: a transaction that is not part of the ledger yet. */
export interface Interpretation extends Transaction {
  /** Contracts that it uses but did not create, in order of first use. */
  readonly inputs: readonly ContractId[];
}

export function stakeholdersOf(
  contract: Pick<ContractInstance, 'signatories' | 'observers'>,
): readonly Party[] {
  return [...contract.signatories, ...contract.observers];
}

/** The stakeholders, sorted; for most contracts without building a list. */
export function sortedStakeholders(contract: ContractInstance): readonly Party[] {
  return contract.observers.length === 0
    ? contract.signatories
    : [...contract.signatories, ...contract.observers].sort();
}

const NOBODY: readonly Party[] = [];

/** Signatories or maintainers, and actors. */
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

/** The parties that must confirm a transaction: sorted, without duplicates. */
export function confirmersOf({ nodes }: Pick<Transaction, 'nodes'>): readonly Party[] {
  return [...new Set(nodes.flatMap(confirmersIn))].sort();
}

/**
 * The commands that lead to a transaction again: a root is a command, or half of a `createAndExercise`, which has the
 * same effect.
 */
export function commandsOf({ nodes, roots }: Transaction): readonly Command[] {
  return roots.flatMap((root): Command[] => {
    const node = nodes[root]!;
    if (node.kind === 'create') {
      const { templateId, payload } = node.contract;
      return [{ kind: 'create', templateId, payload }];
    }
    if (node.kind !== 'exercise') return [];
    const { choice, argument, contract, byKey } = node;
    const templateId = node.interfaceId ?? node.templateId;
    if (byKey && contract.key !== undefined) {
      const key = contract.key.value;
      return [{ kind: 'exerciseByKey', templateId, key, choice, argument }];
    }
    return [{ kind: 'exercise', templateId, contractId: contract.contractId, choice, argument }];
  });
}
