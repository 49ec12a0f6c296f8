/** A transaction as the messages that a signer sees: nodes by number, seeds beside them, values with their types. */
import { fromHex } from '../../daml/hash.js';
import { nodeSeed } from '../../daml/node-seed.js';
import { invariant } from '../../daml/ledger-error.js';
import {
  KEYED_SERIALIZATION_VERSION,
  SERIALIZATION_VERSION,
} from '../../daml/value-proto-fields.js';
import {
  interfaceDefinition,
  template as templateOf,
  type Choice,
  type PackageLookup,
} from '../../daml/package.js';
import { isRolledBack } from '../../daml/rollback.js';
import {
  isEvent,
  stakeholdersOf,
  type ContractInstance,
  type ContractKey,
  type ExerciseNode,
  type QueryByKeyNode,
  type Transaction,
  type TransactionNode,
} from '../../daml/transaction.js';
import type { DamlType, TypeId } from '../../daml/types.js';
import type { ContractId } from '../../daml/values.js';
import type {
  ProtoCreate,
  ProtoKeyWithMaintainers,
  ProtoNodeType,
  ProtoTransaction,
} from './messages.js';
import { encoderOf, toIdentifier, type RenameContract } from './values.js';

/** `00` and the discriminator: what a contract id is before the transaction is sequenced. */
const UNSUFFIXED_DIGITS = 66;

/**
 * @param seed of the whole transaction. It is the root's own, as whoever runs the transaction again needs it; other nodes' seeds
 *   derive from it.
 */
export function toProtoTransaction(
  packages: PackageLookup,
  transaction: Transaction,
  seed: Uint8Array,
): ProtoTransaction {
  const tree = new NodeTree(transaction);
  const created = new Set(
    tree.shown.flatMap((node) => (node.kind === 'create' ? [node.contract.contractId] : [])),
  );
  const rename: RenameContract = (id) => (created.has(id) ? id.slice(0, UNSUFFIXED_DIGITS) : id);
  const writer = new NodeWriter(packages, rename, tree);
  const seeded = tree.shown.filter(isEvent);
  const nodes = tree.shown.map((node) => ({ nodeId: String(node.nodeId), v1: writer.node(node) }));
  return {
    version: nodes.some(({ v1 }) => usesKeys(v1))
      ? KEYED_SERIALIZATION_VERSION
      : SERIALIZATION_VERSION,
    roots: tree.childrenOf(-1),
    nodes,
    nodeSeeds: seeded.map(({ nodeId, parent }) => ({
      nodeId,
      seed: parent < 0 ? seed : nodeSeed(seed, nodeId),
    })),
  };
}

function usesKeys({ create, exercise, fetch, queryByKey }: ProtoNodeType): boolean {
  const node = create ?? exercise ?? fetch ?? queryByKey;
  return node?.lfVersion === KEYED_SERIALIZATION_VERSION;
}

/** A contract as an input contract is shown: a creation without a seed. */
export function toProtoContract(packages: PackageLookup, contract: ContractInstance): ProtoCreate {
  return new NodeWriter(packages, (id) => id, undefined).create(contract);
}

/** Which nodes are shown under which: of what was rolled back, one node with the inputs that it looked at. */
class NodeTree {
  readonly shown: TransactionNode[] = [];
  private readonly scopes = new Set<number>();
  private readonly children = new Map<number, string[]>();

  constructor({ nodes, inputs }: Transaction) {
    let scope: TransactionNode | undefined;
    for (const node of nodes) {
      if (!isRolledBack(node)) {
        scope = undefined;
        this.add(node, node.parent);
      } else if (scope === undefined) {
        scope = node;
        this.scopes.add(node.nodeId);
        this.add(node, node.parent);
      } else if (isLook(node, inputs)) this.add(node, scope.nodeId);
    }
  }

  isScope({ nodeId }: TransactionNode): boolean {
    return this.scopes.has(nodeId);
  }

  childrenOf(nodeId: number): readonly string[] {
    return this.children.get(nodeId) ?? [];
  }

  private add(node: TransactionNode, parent: number): void {
    this.shown.push(node);
    const siblings = this.children.get(parent);
    if (siblings === undefined) this.children.set(parent, [String(node.nodeId)]);
    else siblings.push(String(node.nodeId));
  }
}

/** Scopes inside of scopes stand for nobody's doing. */
function isLook(node: TransactionNode, inputs: readonly ContractId[]): boolean {
  if (node.kind === 'queryByKey') return node.scope !== true;
  if (node.kind !== 'fetch' || node.actingParties.length === 0) return false;
  return inputs.includes(node.contract.contractId);
}

class NodeWriter {
  constructor(
    private readonly packages: PackageLookup,
    private readonly rename: RenameContract,
    private readonly tree: NodeTree | undefined,
  ) {}

  node(node: TransactionNode): ProtoNodeType {
    if (this.tree?.isScope(node))
      return { rollback: { children: this.tree.childrenOf(node.nodeId) } };
    switch (node.kind) {
      case 'create':
        return { create: this.create(node.contract) };
      case 'exercise':
        return { exercise: this.exercise(node) };
      case 'fetch': {
        const { contract, actingParties, interfaceId } = node;
        return {
          fetch: {
            ...this.header(contract, node.templateId),
            actingParties,
            interfaceId: interfaceId === undefined ? undefined : toIdentifier(interfaceId),
            byKey: node.byKey === true,
          },
        };
      }
      case 'queryByKey':
        return { queryByKey: this.query(node) };
    }
  }

  create(contract: ContractInstance): ProtoCreate {
    const template = templateOf(this.packages, contract.templateId);
    invariant(template !== undefined, 'the template of a contract that is used is known');
    const argument = encoderOf(this.packages, template.payloadType)(contract.payload, this.rename);
    return { ...this.header(contract, contract.templateId), argument };
  }

  private query({ templateId, packageName, key, result, exhaustive }: QueryByKeyNode) {
    return {
      lfVersion: KEYED_SERIALIZATION_VERSION,
      packageName,
      templateId: toIdentifier(templateId),
      exhaustive,
      key: this.key(templateId, packageName, key),
      result: result.map(this.rename),
    };
  }

  private key(templateId: TypeId, packageName: string, key: ContractKey): ProtoKeyWithMaintainers {
    const { value, hash, maintainers } = key;
    const template = templateOf(this.packages, templateId);
    invariant(template?.key !== undefined, 'the template of a key is known');
    const encoded = encoderOf(this.packages, template.key.type)(value, this.rename);
    const id = toIdentifier(templateId);
    return {
      key: { templateId: id, packageName, key: encoded, hash: fromHex(hash) },
      maintainers,
    };
  }

  private exercise(node: ExerciseNode): NonNullable<ProtoNodeType['exercise']> {
    const { contract, interfaceId, actingParties, choiceObservers, consuming } = node;
    const { argumentType, returnType } = choiceOf(this.packages, node);
    const encode = (type: DamlType, value: ExerciseNode['argument']) =>
      encoderOf(this.packages, type)(value, this.rename);
    return {
      ...this.header(contract, node.templateId),
      actingParties,
      interfaceId: interfaceId === undefined ? undefined : toIdentifier(interfaceId),
      choiceId: node.choice,
      chosenValue: encode(argumentType, node.argument),
      consuming,
      children: this.tree?.childrenOf(node.nodeId) ?? [],
      exerciseResult: encode(returnType, node.result),
      choiceObservers,
      byKey: node.byKey === true,
    };
  }

  private header(contract: ContractInstance, id: TypeId) {
    const { key, packageName } = contract;
    return {
      lfVersion: key ? KEYED_SERIALIZATION_VERSION : SERIALIZATION_VERSION,
      ...(key && { key: this.key(id, packageName, key) }),
      contractId: this.rename(contract.contractId),
      packageName: contract.packageName,
      templateId: toIdentifier(id),
      signatories: contract.signatories,
      stakeholders: [...stakeholdersOf(contract)].sort(),
    };
  }
}

function choiceOf(packages: PackageLookup, node: ExerciseNode): Choice {
  const { interfaceId } = node;
  const choices =
    interfaceId === undefined
      ? templateOf(packages, node.templateId)?.choices
      : interfaceDefinition(packages, interfaceId)?.choices;
  const choice = choices?.get(node.choice);
  invariant(choice !== undefined, 'the choice of a node is known');
  return choice;
}
