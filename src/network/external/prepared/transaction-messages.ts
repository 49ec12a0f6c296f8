/** A transaction as the messages for a signer: nodes by number, with seeds, and values with types. */
import { fromHex, sha256Hex } from '../../../daml/model/hash.js';
import { nodeSeed } from '../../../daml/contract/node-seed.js';
import { invariant } from '../../../daml/errors/ledger-error.js';
import {
  KEYED_SERIALIZATION_VERSION,
  SERIALIZATION_VERSION,
} from '../../../daml/codec/protobuf/fields.js';
import {
  interfaceDefinition,
  packagesFor,
  template as templateOf,
  type Choice,
  type PackageLookup,
} from '../../../daml/model/package.js';
import {
  stakeholdersOf,
  type Action,
  type ContractInstance,
  type ContractKey,
  type ExerciseNode,
  type FetchNode,
  type QueryByKeyNode,
  type Transaction,
  type TransactionNode,
} from '../../../daml/model/transaction.js';
import {
  packageIdOf,
  qualifiedNameOf,
  typeId,
  type DamlType,
  type PackageId,
  type TypeId,
} from '../../../daml/model/types.js';
import { translate } from '../../../daml/upgrade/version.js';
import type { ContractId, Timestamp } from '../../../daml/model/values.js';
import type {
  ProtoCreate,
  ProtoKeyWithMaintainers,
  ProtoNodeType,
  ProtoTransaction,
} from './messages.js';
import {
  actionOf,
  actionVersion,
  serializationVersionOf,
} from '../../model/serialization-version.js';
import { toIdentifier } from '../../values/messages.js';
import { valueMessage, type RenameContract } from '../../values/value-message.js';

/** `00` and the discriminator: a contract id before the transaction is sequenced. */
const UNSUFFIXED_DIGITS = 66;

/**
 * @param seed the root's seed, hexadecimal, which is needed to run the transaction again. The seeds of other nodes
 * derive from it.
 */
export function toProtoTransaction(
  packages: PackageLookup,
  { nodes, roots }: Transaction,
  seed: string,
): ProtoTransaction {
  const actions = nodes.map(actionOf);
  const created = createdBy(actions);
  const rename: RenameContract = (id) => (created.has(id) ? id.slice(0, UNSUFFIXED_DIGITS) : id);
  const writer = new NodeWriter(packages, rename);
  const children = childrenOf(nodes);
  const written = actions.map((action, nodeId) =>
    action === undefined
      ? { rollback: { children: children[nodeId]! } }
      : writer.action(action, children[nodeId]!),
  );
  return {
    version: serializationVersionOf({ nodes }),
    roots: roots.map(String),
    nodes: written.map((v1, nodeId) => ({ nodeId: String(nodeId), v1 })),
    nodeSeeds: nodes.flatMap(({ nodeId, parent }) =>
      hasSeed(actions[nodeId])
        ? [{ nodeId, seed: fromHex(parent < 0 ? seed : nodeSeed(seed, nodeId)) }]
        : [],
    ),
  };
}

/**
 * The seed for ids of created contracts: it combines the visible seed and the preparation time, so that neither can be
 * changed (B-INT-037).
 * @param seed of the root, hexadecimal
 */
export function contractSeed(seed: string, preparationTime: Timestamp): string {
  return sha256Hex(`canticle prepared contracts\n${seed}\n${preparationTime}`);
}

function hasSeed(action: Action | undefined): boolean {
  return action?.kind === 'create' || action?.kind === 'exercise';
}

/** By node id. */
function childrenOf(nodes: readonly TransactionNode[]): readonly (readonly string[])[] {
  const children = nodes.map((): string[] => []);
  for (const { nodeId, parent } of nodes) if (parent >= 0) children[parent]!.push(String(nodeId));
  return children;
}

/**
 * A contract in the form of an input contract: a creation without a seed. Its content has the template version that
 * uses it, but stays unchanged: fields that an upgrade removed are absent.
 * @param usedBy package of that version
 */
export function toProtoContract(
  packages: PackageLookup,
  contract: ContractInstance,
  usedBy: PackageId,
): ProtoCreate {
  return new NodeWriter(packages, (id) => id).create(contract, usedBy);
}

/**
 * For each input contract, the package whose version signers see: of those that use it, the one with the smallest id.
 */
export function usingPackages({ nodes }: Transaction): ReadonlyMap<ContractId, PackageId> {
  const actions = nodes.map(actionOf);
  const created = createdBy(actions);
  const packages = new Map<ContractId, PackageId>();
  const use = (contractId: ContractId, templateId: TypeId): void => {
    const id = packageIdOf(templateId);
    const known = packages.get(contractId);
    if (!created.has(contractId) && (known === undefined || id < known))
      packages.set(contractId, id);
  };
  for (const action of actions)
    if (action?.kind === 'queryByKey') for (const id of action.result) use(id, action.templateId);
    else if (action !== undefined && action.kind !== 'create')
      use(action.contract.contractId, action.templateId);
  return packages;
}

function createdBy(actions: readonly (Action | undefined)[]): ReadonlySet<ContractId> {
  const created = new Set<ContractId>();
  for (const action of actions)
    if (action?.kind === 'create') created.add(action.contract.contractId);
  return created;
}

class NodeWriter {
  constructor(
    private readonly packages: PackageLookup,
    private readonly rename: RenameContract,
  ) {}

  action(action: Action, children: readonly string[]): ProtoNodeType {
    switch (action.kind) {
      case 'create':
        return { create: this.create(action.contract) };
      case 'exercise':
        return { exercise: this.exercise(action, children) };
      case 'fetch':
        return { fetch: this.fetch(action) };
      case 'queryByKey':
        return { queryByKey: this.query(action) };
    }
  }

  /** @param version package of the template version for the content; by default its own */
  create(contract: ContractInstance, version?: PackageId): ProtoCreate {
    const { contractId, templateId, payload } = contract;
    const packages = packagesFor(this.packages, templateId);
    const own = templateOf(packages, templateId);
    const shown =
      version === undefined
        ? own
        : templateOf(packages, typeId(version, qualifiedNameOf(templateId)));
    invariant(shown !== undefined, 'the template of a contract that is used is known');
    const contents =
      own === undefined || own === shown
        ? payload
        : translate(packages, own, shown, payload, contractId);
    const argument = valueMessage(packages, shown.payloadType, contents, this.rename);
    const lfVersion = contract.key ? KEYED_SERIALIZATION_VERSION : SERIALIZATION_VERSION;
    return { lfVersion, argument, ...this.header(contract, templateId) };
  }

  private fetch(node: FetchNode) {
    const { contract, templateId, actingParties, interfaceId, byKey } = node;
    return {
      lfVersion: actionVersion(node),
      actingParties,
      interfaceId: interfaceId === undefined ? undefined : toIdentifier(interfaceId),
      byKey: byKey === true,
      ...this.header(contract, templateId),
    };
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
    const packages = packagesFor(this.packages, templateId);
    const template = templateOf(packages, templateId);
    invariant(template?.key !== undefined, 'the template of a key is known');
    const encoded = valueMessage(packages, template.key.type, value, this.rename);
    const id = toIdentifier(templateId);
    return {
      key: { templateId: id, packageName, key: encoded, hash: fromHex(hash) },
      maintainers,
    };
  }

  private exercise(node: ExerciseNode, children: readonly string[]) {
    const { contract, interfaceId, actingParties, choiceObservers, consuming, aborted } = node;
    const { argumentType, returnType } = choiceOf(this.packages, node);
    const encode = (type: DamlType, value: ExerciseNode['argument']) =>
      valueMessage(this.packages, type, value, this.rename);
    return {
      lfVersion: actionVersion(node),
      actingParties,
      interfaceId: interfaceId === undefined ? undefined : toIdentifier(interfaceId),
      choiceId: node.choice,
      chosenValue: encode(argumentType, node.argument),
      consuming,
      children,
      exerciseResult: aborted ? undefined : encode(returnType, node.result),
      choiceObservers,
      byKey: node.byKey === true,
      externalCallResults: (node.externalCalls ?? []).map((each) => ({
        ...each,
        config: fromHex(each.config),
        input: fromHex(each.input),
        output: fromHex(each.output),
      })),
      ...this.header(contract, node.templateId),
    };
  }

  /** The members that nodes of most kinds have. Spread them last: V8 adds members slowly to a copy. */
  private header(contract: ContractInstance, id: TypeId) {
    const { key, packageName } = contract;
    return {
      key: key && this.key(id, packageName, key),
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
