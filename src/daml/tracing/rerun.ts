/**
 * Runs a past transaction again from its record alone: its roots are its commands, and its nodes have its contracts. New contracts get
 * their recorded ids. A run with a different result is reported as such.
 */
import type { ExternalCallService } from '../interpreter/input.js';
import type { PackageLookup } from '../model/package.js';
import {
  commandsOf,
  type Action,
  type ContractInstance,
  type Transaction,
  type TransactionNode,
} from '../model/transaction.js';
import { packageIdOf, type PackageId } from '../model/types.js';
import type { ContractId, Party, Timestamp } from '../model/values.js';
import { runTraced, type RunTraced, type Sampling } from './run-traced.js';

export interface RerunInput {
  readonly transaction: Transaction;
  /** Those of the submitter. */
  readonly packages: PackageLookup;
  readonly actAs: readonly Party[];
  readonly ledgerTime: Timestamp;
  readonly rollsBackEffects: boolean;
  /** Answers external calls from the recorded results. */
  readonly externalCall?: ExternalCallService | undefined;
  /** A contract that a query found and no node contains. */
  contract(id: ContractId): ContractInstance | undefined;
  /** Takes samples, if present. */
  readonly sampling?: Sampling;
}

/** @returns undefined if the result differs, for example because packages or a contract are gone */
export function rerun(input: RerunInput): RunTraced | undefined {
  const { transaction, packages, sampling } = input;
  const actions = transaction.nodes.flatMap(actionsIn);
  const met = new Map<ContractId, ContractInstance>();
  const created: ContractId[] = [];
  for (const action of actions) {
    if (action.kind === 'create') created.push(action.contract.contractId);
    else if (action.kind !== 'queryByKey') met.set(action.contract.contractId, action.contract);
  }
  for (const id of created) met.delete(id);
  const contract = (id: ContractId) => met.get(id) ?? input.contract(id);
  const ran = runTraced(
    {
      commands: commandsOf(transaction),
      actAs: input.actAs,
      ledgerTime: input.ledgerTime,
      seed: '',
      packages: withVersionsOf(packages, actions),
      rollsBackEffects: input.rollsBackEffects,
      externalCall: input.externalCall,
      contract,
      contractsByKey: ({ hash }) => withKey(hash, actions, created, contract),
    },
    sampling,
    created,
  );
  return ran.refusal === undefined && isSame(ran.nodes, transaction.nodes) ? ran : undefined;
}

function actionsIn(node: TransactionNode): readonly Action[] {
  if (node.kind === 'rollback') return [];
  return [node.kind === 'rolledBack' ? node.action : node];
}

/** Resolves package names to the versions that interface nodes recorded. */
function withVersionsOf(packages: PackageLookup, actions: readonly Action[]): PackageLookup {
  const versions = new Map<string, PackageId>();
  for (const action of actions)
    if ((action.kind === 'exercise' || action.kind === 'fetch') && action.interfaceId !== undefined)
      versions.set(action.contract.packageName, packageIdOf(action.templateId));
  return {
    root: packages.root ?? packages,
    ...(packages.definitions && { definitions: packages.definitions }),
    package: (id) => packages.package(id),
    packageIdForName: (name) => versions.get(name) ?? packages.packageIdForName(name),
    ...(packages.everywhere && { everywhere: packages.everywhere }),
  };
}

/** Contracts of the ledger with a key: first those that queries found, then all others that were used. */
function* withKey(
  hash: string,
  actions: readonly Action[],
  created: readonly ContractId[],
  contract: (id: ContractId) => ContractInstance | undefined,
): Generator<ContractInstance, void, undefined> {
  const ids = new Set<ContractId>();
  for (const action of actions)
    if (action.kind === 'queryByKey') {
      if (action.key.hash === hash) for (const id of action.result) ids.add(id);
    } else if (action.kind !== 'create' && action.byKey && action.contract.key?.hash === hash)
      ids.add(action.contract.contractId);
  for (const action of actions)
    if (
      (action.kind === 'exercise' || action.kind === 'fetch') &&
      action.contract.key?.hash === hash
    )
      ids.add(action.contract.contractId);
  for (const id of ids) {
    const found = created.includes(id) ? undefined : contract(id);
    if (found !== undefined) yield found;
  }
}

/** Whether the nodes are equal, with equal contracts, in the same order. */
function isSame(nodes: readonly TransactionNode[], recorded: readonly TransactionNode[]): boolean {
  return (
    nodes.length === recorded.length &&
    nodes.every((node, index) => {
      const other = recorded[index]!;
      return (
        node.kind === other.kind &&
        node.parent === other.parent &&
        contractOf(node) === contractOf(other)
      );
    })
  );
}

function contractOf(node: TransactionNode): ContractId | undefined {
  const action = node.kind === 'rolledBack' ? node.action : node;
  return action.kind === 'rollback' || action.kind === 'queryByKey'
    ? undefined
    : action.contract.contractId;
}
