/**
 * The hash that an external party signs: Canton's schemes V2, V3 and V4 over a prepared transaction. A node's hash
 * includes those of its children, and the transaction's hash includes that of its metadata.
 */
import type { HashingVersion } from '../../model/protocol.js';
import {
  EXTENDED_SERIALIZATION_VERSION,
  KEYED_SERIALIZATION_VERSION,
  SERIALIZATION_VERSION,
  SERIALIZATION_VERSIONS,
  serializationName,
} from '../../../daml/codec/protobuf/fields.js';
import type { EngineRules } from '../../../daml/refusals/engine-rules.js';
import { ProtobufError } from '../../../daml/codec/protobuf/reading.js';
import { nodeText } from './engine-text.js';
import { HashEncoder } from './hash-encoder.js';
import type { HashTrace } from './hash-trace.js';
import type {
  ProtoCreate,
  ProtoExercise,
  ProtoExternalCall,
  ProtoFetch,
  ProtoInputContract,
  ProtoKeyWithMaintainers,
  ProtoMetadata,
  ProtoNode,
  ProtoNodeType,
  ProtoPrepared,
  ProtoQueryByKey,
  ProtoTransaction,
} from './messages.js';

const NODE_TAG = { create: 0, exercise: 1, fetch: 2, rollback: 3, queryByKey: 4 } as const;
/** V2 opens nodes and metadata with the version of their encoding. */
const ENCODING_VERSION = 1;

/** The newest encoding of nodes that each scheme can hash: V2 does not hash keys, and V3 no external calls. */
const NEWEST: Readonly<Record<HashingVersion, string>> = {
  2: SERIALIZATION_VERSION,
  3: KEYED_SERIALIZATION_VERSION,
  4: EXTENDED_SERIALIZATION_VERSION,
};
const HASHING_VERSIONS = Object.keys(NEWEST).map(Number) as HashingVersion[];

/** A scheme that is too old for a transaction. Its text depends on the release. */
export class OutdatedScheme extends ProtobufError {
  constructor(
    private readonly serialization: string,
    private readonly scheme: HashingVersion,
  ) {
    super('');
    this.message = this.textFor(undefined);
  }

  /** R-36-052 */
  textFor(rules: EngineRules | undefined): string {
    const { serialization, scheme } = this;
    const needed = HASHING_VERSIONS.find((each) => canHash(each, serialization))!;
    const hint =
      serialization === KEYED_SERIALIZATION_VERSION
        ? ' Does the transaction use contract keys?'
        : '';
    return (
      `Cannot hash node with LF serialization version ${serializationName(serialization)} using hashing scheme V${scheme}.` +
      `${hint} Please ${rules?.advisesScheme ? 'use' : 'using'} hashing scheme V${needed} or higher.`
    );
  }
}

const canHash = (scheme: HashingVersion, serialization: string): boolean =>
  SERIALIZATION_VERSIONS.indexOf(serialization) <= SERIALIZATION_VERSIONS.indexOf(NEWEST[scheme]);

/**
 * @param trace receives all hashed parts
 * @throws ProtobufError if a hashed part is missing
 */
export function hashPrepared(
  { transaction, metadata }: ProtoPrepared,
  version: HashingVersion,
  trace?: HashTrace,
): Uint8Array {
  if (transaction === undefined) throw new ProtobufError('Field `transaction` is not set');
  if (metadata === undefined) throw new ProtobufError('Field `metadata` is not set');
  const encoder = new HashEncoder(trace).purpose().version(version, 'Hashing Scheme Version');
  const nodes = new NodeHasher(transaction, version);
  return encoder
    .raw(nodes.transaction(transaction, trace?.inside), 'Transaction')
    .raw(hashMetadata(metadata, version, trace?.inside), 'Metadata')
    .sha256();
}

/** A node whose parts are encoded, up to the nodes below it. */
interface OpenNode {
  readonly id: string;
  readonly encoder: HashEncoder;
  readonly trace: HashTrace | undefined;
  /** Children to hash, last one first. */
  readonly below: string[];
}

class NodeHasher {
  private readonly nodes: ReadonlyMap<string, ProtoNode>;
  private readonly seeds: ReadonlyMap<string, Uint8Array>;
  /**
   * A node can appear in several places. Undefined while its children are hashed: a second visit then means a cycle.
   */
  private readonly hashes = new Map<string, Uint8Array | undefined>();

  constructor(
    transaction: ProtoTransaction,
    private readonly version: HashingVersion,
  ) {
    this.nodes = new Map(transaction.nodes.map((node) => [node.nodeId, node]));
    this.seeds = new Map(transaction.nodeSeeds.map(({ nodeId, seed }) => [String(nodeId), seed]));
  }

  transaction({ version, roots }: ProtoTransaction, trace: HashTrace | undefined): Uint8Array {
    const encoder = new HashEncoder(trace)
      .purpose()
      .heading('Serialization Version')
      .text(version)
      .heading('Root Nodes');
    return encoder
      .repeated(roots, (id) => encoder.raw(this.tree(id, trace?.inside), '(Hashed Root Node)'))
      .sha256();
  }

  /** NOTE: it uses an explicit stack, because a client's transaction can have any depth. */
  private tree(root: string, trace: HashTrace | undefined): Uint8Array {
    const open = [this.open(root, trace)];
    for (;;) {
      const current = open.at(-1)!;
      const next = current.below.pop();
      const known = next === undefined ? undefined : this.hashes.get(next);
      if (known !== undefined) current.encoder.raw(known, '(Hashed Inner Node)');
      else if (next !== undefined) open.push(this.open(next, current.trace?.inside));
      else {
        const hash = current.encoder.sha256();
        this.hashes.set(current.id, hash);
        open.pop();
        if (open.length === 0) return hash;
        open.at(-1)!.encoder.raw(hash, '(Hashed Inner Node)');
      }
    }
  }

  private open(id: string, trace: HashTrace | undefined): OpenNode {
    const node = this.nodes.get(id);
    if (node === undefined || this.hashes.has(id))
      throw new ProtobufError(`The transaction does not contain a node with nodeId ${id}`);
    this.hashes.set(id, undefined);
    const encoder = nodeEncoder(this.version, trace);
    const { children } = this.encode(encoder, node.v1 ?? {}, this.seeds.get(id));
    if (children !== undefined) encoder.heading('Children').int32(children.length);
    return { id, encoder, trace, below: [...(children ?? [])].reverse() };
  }

  private encode(
    encoder: HashEncoder,
    node: ProtoNodeType,
    seed: Uint8Array | undefined,
  ): { readonly children?: readonly string[] } {
    const { version } = this;
    const { create, exercise, fetch, rollback, queryByKey } = node;
    if (create) encodeCreate(encoder, create, version, requireSeed(seed, node));
    else if (exercise) encodeExercise(encoder, exercise, version, requireSeed(seed, node));
    else if (fetch) encodeFetch(encoder, fetch, version);
    else if (queryByKey) encodeQuery(encoder, queryByKey, version);
    else if (rollback)
      encoder.heading('Rollback Node').byte(NODE_TAG.rollback, 'Rollback Node Tag');
    else throw new ProtobufError('Cannot decode empty versioned node');
    return exercise ?? rollback ?? {};
  }
}

function requireSeed(seed: Uint8Array | undefined, node: ProtoNodeType): Uint8Array {
  if (seed === undefined) throw new ProtobufError(`Missing node seed for node ${nodeText(node)}`);
  return seed;
}

function nodeEncoder(version: HashingVersion, trace: HashTrace | undefined): HashEncoder {
  const encoder = new HashEncoder(trace);
  return version === 2 ? encoder.version(ENCODING_VERSION, 'Node Encoding Version') : encoder;
}

/**
 * The first parts of each kind of node.
 * @throws ProtobufError
 */
function open(
  encoder: HashEncoder,
  kind: 'Create' | 'Exercise' | 'Fetch' | 'QueryByKey',
  lfVersion: string,
  version: HashingVersion,
): HashEncoder {
  if (!SERIALIZATION_VERSIONS.includes(lfVersion))
    throw new ProtobufError(`Unsupported serialization version '${lfVersion}'`);
  if (!canHash(version, lfVersion)) throw new OutdatedScheme(lfVersion, version);
  const tag = NODE_TAG[`${kind.charAt(0).toLowerCase()}${kind.slice(1)}` as keyof typeof NODE_TAG];
  return encoder
    .heading(`${kind} Node`)
    .heading('Node Version')
    .text(lfVersion)
    .byte(tag, `${kind} Node Tag`);
}

function encodeContract(
  encoder: HashEncoder,
  { contractId, packageName, templateId }: ProtoCreate | ProtoExercise | ProtoFetch,
): HashEncoder {
  return encoder
    .heading('Contract Id')
    .contractId(contractId)
    .heading('Package Name')
    .text(packageName)
    .heading('Template Id')
    .identifier(templateId);
}

function encodeStakeholders(
  encoder: HashEncoder,
  { signatories, stakeholders }: ProtoCreate | ProtoExercise | ProtoFetch,
): HashEncoder {
  return encoder
    .heading('Signatories')
    .parties(signatories)
    .heading('Stakeholders')
    .parties(stakeholders);
}

function encodeKey(encoder: HashEncoder, key: ProtoKeyWithMaintainers | undefined): HashEncoder {
  return encoder.heading('Key').optional(key, (each) => encodeKeyMembers(encoder, each));
}

function encodeKeyMembers(
  encoder: HashEncoder,
  { key, maintainers }: ProtoKeyWithMaintainers,
): HashEncoder {
  if (key === undefined) throw new ProtobufError('Empty key in GlobalKeyWithMaintainers');
  return encoder
    .heading('Key')
    .heading('Package Name')
    .text(key.packageName)
    .heading('Template Id')
    .identifier(key.templateId)
    .heading('Value')
    .value(key.key)
    .raw(key.hash, 'Global Key Hash')
    .heading('Key Maintainers')
    .parties(maintainers);
}

/** @param seed absent for contracts that the transaction uses */
function encodeCreate(
  encoder: HashEncoder,
  node: ProtoCreate,
  version: HashingVersion,
  seed?: Uint8Array,
): HashEncoder {
  open(encoder, 'Create', node.lfVersion, version)
    .heading('Node Seed')
    .optional(seed, (each) => encoder.raw(each, 'node seed'));
  encodeContract(encoder, node).heading('Arg').value(node.argument);
  encodeStakeholders(encoder, node);
  return version === 2 ? encoder : encodeKey(encoder, node.key);
}

function encodeExercise(
  encoder: HashEncoder,
  node: ProtoExercise,
  version: HashingVersion,
  seed: Uint8Array,
): void {
  open(encoder, 'Exercise', node.lfVersion, version).heading('Node Seed').raw(seed, 'seed');
  encodeContract(encoder, node);
  encodeStakeholders(encoder, node)
    .heading('Acting Parties')
    .parties(node.actingParties)
    .heading('Interface Id')
    .optional(node.interfaceId, (each) => encoder.identifier(each))
    .heading('Choice Id')
    .text(node.choiceId)
    .heading('Chosen Value')
    .value(node.chosenValue)
    .heading('Consuming')
    .bool(node.consuming)
    .heading('Exercise Result')
    .optional(node.exerciseResult, (each) => encoder.value(each))
    .heading('Choice Observers')
    .parties(node.choiceObservers);
  if (version !== 2) encodeKey(encoder.heading('By Key').bool(node.byKey), node.key);
  if (version < 4) return;
  encoder
    .heading('External Call Results')
    .repeated(node.externalCallResults, (each) => encodeCall(encoder, each));
}

/** B-INT-046 */
function encodeCall(encoder: HashEncoder, call: ProtoExternalCall): HashEncoder {
  return encoder
    .heading('External Call Result')
    .heading('Extension Id')
    .text(call.extensionId)
    .heading('Function Id')
    .text(call.functionId)
    .heading('Config')
    .bytesOf(call.config, 'config')
    .heading('Input')
    .bytesOf(call.input, 'input')
    .heading('Output')
    .bytesOf(call.output, 'output');
}

function encodeFetch(encoder: HashEncoder, node: ProtoFetch, version: HashingVersion): void {
  open(encoder, 'Fetch', node.lfVersion, version);
  encodeContract(encoder, node);
  encodeStakeholders(encoder, node)
    .heading('Interface Id')
    .optional(node.interfaceId, (each) => encoder.identifier(each))
    .heading('Acting Parties')
    .parties(node.actingParties);
  if (version !== 2) encodeKey(encoder.heading('By Key').bool(node.byKey), node.key);
}

function encodeQuery(encoder: HashEncoder, node: ProtoQueryByKey, version: HashingVersion): void {
  if (node.key === undefined) throw new ProtobufError('Field `key` is not set');
  open(encoder, 'QueryByKey', node.lfVersion, version)
    .heading('PackageName')
    .text(node.packageName)
    .heading('TemplateId')
    .identifier(node.templateId)
    .heading('Exhaustive')
    .bool(node.exhaustive)
    .heading('Key');
  encodeKeyMembers(encoder, node.key)
    .heading('Result')
    .repeated(node.result, (id) => encoder.contractId(id));
}

function hashMetadata(
  metadata: ProtoMetadata,
  version: HashingVersion,
  trace: HashTrace | undefined,
): Uint8Array {
  const { submitterInfo } = metadata;
  if (submitterInfo === undefined) throw new ProtobufError('Field `submitter_info` is not set');
  const encoder = new HashEncoder(trace).purpose();
  if (version === 2) encoder.version(ENCODING_VERSION, 'Metadata Encoding Version');
  const time = (micros: bigint): HashEncoder => encoder.int64(micros);
  encoder
    .heading('Act As Parties')
    .parties(submitterInfo.actAs)
    .heading('Command Id')
    .text(submitterInfo.commandId)
    .heading('Transaction UUID')
    .text(metadata.transactionUuid)
    .heading('Mediator Group')
    .int32(metadata.mediatorGroup)
    .heading('Synchronizer Id')
    .text(metadata.synchronizerId)
    .heading('Min Time Boundary')
    .optional(metadata.minLedgerEffectiveTime, time)
    .heading('Max Time Boundary')
    .optional(metadata.maxLedgerEffectiveTime, time)
    .heading('Preparation Time')
    .int64(metadata.preparationTime)
    .heading('Disclosed Contracts')
    .repeated(inputsById(metadata.inputContracts), ({ v1, createdAt }) => {
      encoder.heading('Created At').int64(createdAt).heading('Create Contract');
      const contract = encodeCreate(nodeEncoder(version, trace?.inside), v1, version);
      encoder.raw(contract.sha256(), 'Disclosed Contract');
    });
  // In V2, the signature does not cover the latest record time.
  if (version !== 2) encoder.heading('Max Record Time').optional(metadata.maxRecordTime, time);
  return encoder.sha256();
}

type Input = ProtoInputContract & { readonly v1: ProtoCreate };

/** Sorted by contract id, without duplicates. */
function inputsById(inputs: readonly ProtoInputContract[]): readonly Input[] {
  const byId = new Map<string, Input>();
  for (const { v1, ...rest } of inputs) {
    if (v1 === undefined) throw new ProtobufError('Cannot decode empty disclosed contract');
    byId.set(v1.contractId, { ...rest, v1 });
  }
  return [...byId.values()].sort((a, b) => (a.v1.contractId < b.v1.contractId ? -1 : 1));
}
