/**
 * The hash that an external party signs: Canton's encodings V2 and V3 of a prepared transaction. Each part is written one after the
 * other, lists and texts behind their length, and the whole hangs together by SHA-256.
 */
import { createHash } from 'node:crypto';
import { KEYED_SERIALIZATION_VERSION } from '../../daml/value-proto-fields.js';
import { HASH_PURPOSE } from '../keys.js';
import { MalformedMessage } from '../protobuf.js';
import type {
  ProtoCreate,
  ProtoExercise,
  ProtoFetch,
  ProtoInputContract,
  ProtoKeyWithMaintainers,
  ProtoMetadata,
  ProtoNode,
  ProtoPrepared,
  ProtoQueryByKey,
  ProtoTransaction,
} from './messages.js';
import type { ProtoIdentifier, ProtoValue } from './value-messages.js';

export type HashingVersion = 2 | 3;

const NODE_TAG = { create: 0, exercise: 1, fetch: 2, rollback: 3, queryByKey: 4 } as const;
/** V2 opens nodes and metadata with the version of their encoding. */
const ENCODING_VERSION = 1;

/** @throws MalformedMessage where something that is hashed is missing */
export function hashPrepared(prepared: ProtoPrepared, version: HashingVersion): Uint8Array {
  const { transaction, metadata } = prepared;
  if (transaction === undefined) throw new MalformedMessage('Field `transaction` is not set');
  if (metadata === undefined) throw new MalformedMessage('Field `metadata` is not set');
  return new Encoder()
    .int32(HASH_PURPOSE.preparedSubmission)
    .byte(version)
    .raw(new TransactionHasher(transaction, version).hash())
    .raw(hashMetadata(metadata, version))
    .sha256();
}

class Encoder {
  private readonly parts: Uint8Array[] = [];

  byte(value: number): this {
    return this.raw(Uint8Array.of(value));
  }

  bool(value: boolean): this {
    return this.byte(value ? 1 : 0);
  }

  int32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeInt32BE(value | 0);
    return this.raw(part);
  }

  int64(value: bigint): this {
    const part = Buffer.alloc(8);
    part.writeBigInt64BE(BigInt.asIntN(64, value));
    return this.raw(part);
  }

  raw(value: Uint8Array): this {
    this.parts.push(value);
    return this;
  }

  bytes(value: Uint8Array): this {
    return this.int32(value.length).raw(value);
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value, 'utf8'));
  }

  hex(value: string): this {
    return this.bytes(Buffer.from(value, 'hex'));
  }

  repeated<T>(values: readonly T[], write: (value: T) => unknown): this {
    this.int32(values.length);
    for (const value of values) write(value);
    return this;
  }

  texts(values: readonly string[]): this {
    return this.repeated(values, (value) => this.text(value));
  }

  optional<T>(value: T | undefined, write: (value: T) => unknown): this {
    this.bool(value !== undefined);
    if (value !== undefined) write(value);
    return this;
  }

  identifier(id: ProtoIdentifier | undefined): this {
    if (id === undefined) throw new MalformedMessage('Field `template_id` is not set');
    return this.text(id.packageId).texts(id.moduleName.split('.')).texts(id.entityName.split('.'));
  }

  value(value: ProtoValue | undefined): this {
    const [kind, member] = Object.entries(value ?? {}).find(([, each]) => each !== undefined) ?? [];
    if (kind === undefined) throw new MalformedMessage('Field `sum` is not set');
    const { tag, write } = VALUES[kind as keyof ProtoValue];
    write(this.byte(tag), member as never);
    return this;
  }

  sha256(): Uint8Array {
    const hash = createHash('sha256');
    for (const part of this.parts) hash.update(part);
    return hash.digest();
  }
}

type ValueRow<K extends keyof ProtoValue> = {
  readonly tag: number;
  readonly write: (encoder: Encoder, value: NonNullable<ProtoValue[K]>) => unknown;
};

const VALUES: { readonly [K in keyof Required<ProtoValue>]: ValueRow<K> } = {
  unit: { tag: 0, write: () => undefined },
  bool: { tag: 1, write: (encoder, value) => encoder.bool(value) },
  int64: { tag: 2, write: (encoder, value) => encoder.int64(value) },
  numeric: { tag: 3, write: (encoder, value) => encoder.text(value) },
  timestamp: { tag: 4, write: (encoder, value) => encoder.int64(value) },
  date: { tag: 5, write: (encoder, value) => encoder.int32(value) },
  party: { tag: 6, write: (encoder, value) => encoder.text(value) },
  text: { tag: 7, write: (encoder, value) => encoder.text(value) },
  contractId: { tag: 8, write: (encoder, value) => encoder.hex(value) },
  optional: {
    tag: 9,
    write: (encoder, { value }) => encoder.optional(value, (each) => encoder.value(each)),
  },
  list: {
    tag: 10,
    write: (encoder, { elements }) => encoder.repeated(elements, (each) => encoder.value(each)),
  },
  textMap: {
    tag: 11,
    write: (encoder, { entries }) =>
      encoder.repeated(entries, ({ key, value }) => encoder.text(key).value(value)),
  },
  record: {
    tag: 12,
    write: (encoder, { recordId, fields }) =>
      encoder
        .optional(recordId, (id) => encoder.identifier(id))
        .repeated(fields, ({ label, value }) =>
          encoder.optional(label, (name) => encoder.text(name)).value(value),
        ),
  },
  variant: {
    tag: 13,
    write: (encoder, { variantId, constructor, value }) =>
      encoder
        .optional(variantId, (id) => encoder.identifier(id))
        .text(constructor)
        .value(value),
  },
  enum: {
    tag: 14,
    write: (encoder, { enumId, constructor }) =>
      encoder.optional(enumId, (id) => encoder.identifier(id)).text(constructor),
  },
  genMap: {
    tag: 15,
    write: (encoder, { entries }) =>
      encoder.repeated(entries, ({ key, value }) => encoder.value(key).value(value)),
  },
};

class TransactionHasher {
  private readonly nodes: ReadonlyMap<string, ProtoNode>;
  private readonly seeds: ReadonlyMap<string, Uint8Array>;
  /** A node belongs to one place: what comes twice would be a circle. */
  private readonly seen = new Set<string>();

  constructor(
    private readonly transaction: ProtoTransaction,
    private readonly version: HashingVersion,
  ) {
    this.nodes = new Map(transaction.nodes.map((node) => [node.nodeId, node]));
    this.seeds = new Map(transaction.nodeSeeds.map(({ nodeId, seed }) => [String(nodeId), seed]));
  }

  hash(): Uint8Array {
    const encoder = new Encoder()
      .int32(HASH_PURPOSE.preparedSubmission)
      .text(this.transaction.version);
    return this.children(encoder, this.transaction.roots).sha256();
  }

  private children(encoder: Encoder, ids: readonly string[]): Encoder {
    return encoder.repeated(ids, (id) => encoder.raw(this.node(id)));
  }

  private node(id: string): Uint8Array {
    const node = this.nodes.get(id);
    if (node === undefined || this.seen.has(id))
      throw new MalformedMessage(`Node with ID ${id} not found in transaction`);
    this.seen.add(id);
    const { create, exercise, fetch, rollback, queryByKey } = node.v1 ?? {};
    const encoder = opened(this.version);
    if (create) return encodeCreate(encoder, create, this.version, this.seeds.get(id)).sha256();
    if (exercise) return this.exercise(encoder, exercise, id).sha256();
    if (fetch) return encodeFetch(encoder, fetch, this.version).sha256();
    if (queryByKey) return encodeQuery(encoder, queryByKey, this.version).sha256();
    if (rollback) return this.children(encoder.byte(NODE_TAG.rollback), rollback.children).sha256();
    throw new MalformedMessage('Cannot decode empty versioned node');
  }

  private exercise(encoder: Encoder, node: ProtoExercise, id: string): Encoder {
    const seed = this.seeds.get(id);
    if (seed === undefined) throw new MalformedMessage(`Missing seed for exercise node ${id}`);
    requireVersion(node.lfVersion, this.version);
    encoder
      .text(node.lfVersion)
      .byte(NODE_TAG.exercise)
      .raw(seed)
      .hex(node.contractId)
      .text(node.packageName)
      .identifier(node.templateId)
      .texts(node.signatories)
      .texts(node.stakeholders)
      .texts(node.actingParties)
      .optional(node.interfaceId, (each) => encoder.identifier(each))
      .text(node.choiceId)
      .value(node.chosenValue)
      .bool(node.consuming)
      .optional(node.exerciseResult, (each) => encoder.value(each))
      .texts(node.choiceObservers);
    if (this.version === 3) encodeKey(encoder.bool(node.byKey), node.key);
    return this.children(encoder, node.children);
  }
}

function opened(version: HashingVersion): Encoder {
  const encoder = new Encoder();
  return version === 2 ? encoder.byte(ENCODING_VERSION) : encoder;
}

/** V2 leaves keys out, so it must not be used where there are any. @throws MalformedMessage */
function requireVersion(lfVersion: string, version: HashingVersion): void {
  if (version === 2 && lfVersion === KEYED_SERIALIZATION_VERSION)
    throw new MalformedMessage(
      'Cannot hash node with LF serialization version V2 using hashing scheme V2. ' +
        'Does the transaction use contract keys? Please using hashing scheme V3 or higher.',
    );
}

function encodeKey(encoder: Encoder, key: ProtoKeyWithMaintainers | undefined): Encoder {
  return encoder.optional(key, (each) => encodeKeyMembers(encoder, each));
}

function encodeKeyMembers(
  encoder: Encoder,
  { key, maintainers }: ProtoKeyWithMaintainers,
): Encoder {
  if (key === undefined) throw new MalformedMessage('Empty key in GlobalKeyWithMaintainers');
  return encoder
    .text(key.packageName)
    .identifier(key.templateId)
    .value(key.key)
    .raw(key.hash)
    .texts(maintainers);
}

function encodeQuery(encoder: Encoder, node: ProtoQueryByKey, version: HashingVersion): Encoder {
  requireVersion(node.lfVersion, version);
  if (node.key === undefined) throw new MalformedMessage('Field `key` is not set');
  encoder
    .text(node.lfVersion)
    .byte(NODE_TAG.queryByKey)
    .text(node.packageName)
    .identifier(node.templateId)
    .bool(node.exhaustive);
  return encodeKeyMembers(encoder, node.key).repeated(node.result, (id) => encoder.hex(id));
}

function encodeCreate(
  encoder: Encoder,
  node: ProtoCreate,
  version: HashingVersion,
  seed: Uint8Array | undefined,
): Encoder {
  requireVersion(node.lfVersion, version);
  encoder
    .text(node.lfVersion)
    .byte(NODE_TAG.create)
    .optional(seed, (each) => encoder.raw(each))
    .hex(node.contractId)
    .text(node.packageName)
    .identifier(node.templateId)
    .value(node.argument)
    .texts(node.signatories)
    .texts(node.stakeholders);
  return version === 3 ? encodeKey(encoder, node.key) : encoder;
}

function encodeFetch(encoder: Encoder, node: ProtoFetch, version: HashingVersion): Encoder {
  requireVersion(node.lfVersion, version);
  encoder
    .text(node.lfVersion)
    .byte(NODE_TAG.fetch)
    .hex(node.contractId)
    .text(node.packageName)
    .identifier(node.templateId)
    .texts(node.signatories)
    .texts(node.stakeholders)
    .optional(node.interfaceId, (each) => encoder.identifier(each))
    .texts(node.actingParties);
  return version === 3 ? encodeKey(encoder.bool(node.byKey), node.key) : encoder;
}

function hashMetadata(metadata: ProtoMetadata, version: HashingVersion): Uint8Array {
  const { submitterInfo } = metadata;
  if (submitterInfo === undefined) throw new MalformedMessage('Field `submitter_info` is not set');
  const encoder = new Encoder().int32(HASH_PURPOSE.preparedSubmission);
  if (version === 2) encoder.byte(ENCODING_VERSION);
  const time = (micros: bigint): Encoder => encoder.int64(micros);
  encoder
    .texts(submitterInfo.actAs)
    .text(submitterInfo.commandId)
    .text(metadata.transactionUuid)
    .int32(metadata.mediatorGroup)
    .text(metadata.synchronizerId)
    .optional(metadata.minLedgerEffectiveTime, time)
    .optional(metadata.maxLedgerEffectiveTime, time)
    .int64(metadata.preparationTime)
    .repeated(metadata.inputContracts, (each) => encodeInput(encoder, each, version));
  // V2 leaves the latest record time out of what is signed.
  if (version === 3) encoder.optional(metadata.maxRecordTime, time);
  return encoder.sha256();
}

function encodeInput(
  encoder: Encoder,
  { v1, createdAt }: ProtoInputContract,
  version: HashingVersion,
): Encoder {
  if (v1 === undefined) throw new MalformedMessage('Cannot decode empty disclosed contract');
  const contract = encodeCreate(opened(version), v1, version, undefined).sha256();
  return encoder.int64(createdAt).raw(contract);
}
