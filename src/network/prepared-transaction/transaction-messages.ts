/** A transaction as the messages that a signer sees: nodes by number, seeds beside them, values with their types. */
import { nodeSeed } from '../../daml/interpreter.js';
import { invariant } from '../../daml/ledger-error.js';
import { SERIALIZATION_VERSION } from '../../daml/value-proto-fields.js';
import {
  interfaceDefinition,
  template as templateOf,
  type Choice,
  type PackageLookup,
} from '../../daml/package.js';
import {
  stakeholdersOf,
  type ContractInstance,
  type ExerciseNode,
  type Transaction,
  type TransactionNode,
} from '../../daml/transaction.js';
import type { DamlType, TypeId } from '../../daml/types.js';
import type { ProtoCreate, ProtoNodeType, ProtoTransaction } from './messages.js';
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
  const seeded = tree.shown.filter(({ kind }) => kind !== 'fetch');
  return {
    version: SERIALIZATION_VERSION,
    roots: tree.childrenOf(-1),
    nodes: tree.shown.map((node) => ({ nodeId: String(node.nodeId), v1: writer.node(node) })),
    nodeSeeds: seeded.map(({ nodeId, parent }) => ({
      nodeId,
      seed: parent < 0 ? seed : nodeSeed(seed, nodeId),
    })),
  };
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
      } else if (isLook(node) && inputs.includes(node.contract.contractId))
        this.add(node, scope.nodeId);
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
function isLook(node: TransactionNode): boolean {
  return node.kind === 'fetch' && node.actingParties.length > 0;
}

function isRolledBack(node: TransactionNode): boolean {
  return node.kind === 'fetch' && node.rolledBack === true;
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
            byKey: false,
          },
        };
      }
    }
  }

  create(contract: ContractInstance): ProtoCreate {
    const template = templateOf(this.packages, contract.templateId);
    invariant(template !== undefined, 'the template of a contract that is used is known');
    const argument = encoderOf(this.packages, template.payloadType)(contract.payload, this.rename);
    return { ...this.header(contract, contract.templateId), argument };
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
      byKey: false,
    };
  }

  private header(contract: ContractInstance, id: TypeId) {
    return {
      lfVersion: SERIALIZATION_VERSION,
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
