/**
 * The protobuf of a whole contract, `Versioned{version, FatContractInstance}`, in created-event blobs. Contracts with keys have a separate
 * version.
 */
import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { contractIdBytesError } from '../model/contract-id-text.js';
import { fromHex, toHex } from '../model/hash.js';
import {
  dottedNameError,
  nameError,
  packageIdError,
  packageNameError,
  partyError,
  type TextRule,
} from '../model/identifiers.js';
import { ledgerError } from '../errors/ledger-error.js';
import { template, type PackageLookup, type Template } from '../model/package.js';
import { jvmException } from '../codec/protobuf/jvm-words.js';
import { ProtobufError } from '../codec/protobuf/reading.js';
import {
  bytesIn,
  longIn,
  messageIn,
  NOTHING_SENT,
  sentFields,
  textIn,
  textsIn,
  unknownField,
  type MessageShape,
  type SentFields,
} from '../codec/protobuf/sent-fields.js';
import { timestampError } from '../model/time.js';
import type { ContractInstance, ContractKey } from '../model/transaction.js';
import { packageIdOf, splitTypeId, typeId, type TypeId } from '../model/types.js';
import { written } from '../codec/protobuf/written.js';
import { decodeValueProto, encodeValueProto } from '../codec/protobuf/value.js';
import { KEYED_SERIALIZATION_VERSION, SERIALIZATION_VERSION } from '../codec/protobuf/fields.js';
import type { DamlRecord } from '../model/values.js';

export type ContractContents = Omit<ContractInstance, 'contractId'>;

export interface FatContract extends ContractInstance {
  readonly authenticationData: Uint8Array;
}

/** The contents of a blob, and its template. */
export interface DecodedContract {
  readonly contract: FatContract;
  readonly template: Template;
  /** The bytes of the payload. */
  readonly argument: Uint8Array;
}

const FIELD = {
  contractId: 1,
  packageName: 2,
  templateId: 3,
  createArg: 4,
  signatories: 5,
  observers: 6,
  createdAt: 7,
  authenticationData: 8,
  keyWithMaintainers: 1001,
} as const;

const KEY_FIELD = { key: 1, maintainers: 2, hash: 3 } as const;
const HASH_LENGTH = 32;
/** Canton's time of a contract that the same transaction creates. */
export const NOW = -(2n ** 63n);

const VERSIONED: MessageShape = {
  name: 'com.digitalasset.daml.lf.transaction.Versioned',
  fields: { 1: 'string', 2: 'bytes' },
};
const IDENTIFIER: MessageShape = {
  name: 'com.digitalasset.daml.lf.value.Identifier',
  fields: { 1: 'string', 2: 'string', 3: 'string' },
};
const KEY_WITH_MAINTAINERS: MessageShape = {
  name: 'com.digitalasset.daml.lf.transaction.KeyWithMaintainers',
  fields: {
    [KEY_FIELD.key]: 'bytes',
    [KEY_FIELD.maintainers]: 'string',
    [KEY_FIELD.hash]: 'bytes',
  },
};
const FAT_CONTRACT: MessageShape = {
  name: 'com.digitalasset.daml.lf.transaction.FatContractInstance',
  fields: {
    [FIELD.contractId]: 'bytes',
    [FIELD.packageName]: 'string',
    [FIELD.templateId]: IDENTIFIER,
    [FIELD.createArg]: 'bytes',
    [FIELD.signatories]: 'string',
    [FIELD.observers]: 'string',
    [FIELD.createdAt]: 'sfixed64',
    [FIELD.authenticationData]: 'bytes',
    [FIELD.keyWithMaintainers]: KEY_WITH_MAINTAINERS,
  },
};

export function encodeFatContract(packages: PackageLookup, contract: FatContract): Uint8Array {
  const payloadType = template(packages, contract.templateId)?.payloadType ?? {
    kind: 'con',
    id: contract.templateId,
    args: [],
  };
  const { key, signatories } = contract;
  const argument = encodeValueProto(packages, payloadType, contract.payload);
  const keyBytes =
    key &&
    encodeKey(
      encodeValueProto(packages, template(packages, contract.templateId)!.key!.type, key.value),
      key,
    );
  const payload = written((writer) => {
    const bytes = (field: number, value: Uint8Array): void => {
      if (value.length > 0) writer.tag(field, WireType.LengthDelimited).bytes(value);
    };
    bytes(FIELD.contractId, fromHex(contract.contractId));
    writer.tag(FIELD.packageName, WireType.LengthDelimited).string(contract.packageName);
    writeIdentifier(writer, contract.templateId);
    bytes(FIELD.createArg, argument);
    for (const party of signatories)
      if (key?.maintainers.includes(party) !== true)
        writer.tag(FIELD.signatories, WireType.LengthDelimited).string(party);
    for (const party of contract.observers)
      writer.tag(FIELD.observers, WireType.LengthDelimited).string(party);
    if (contract.createdAt !== 0n)
      writer.tag(FIELD.createdAt, WireType.Bit64).sfixed64(contract.createdAt);
    bytes(FIELD.authenticationData, contract.authenticationData);
    if (keyBytes !== undefined) bytes(FIELD.keyWithMaintainers, keyBytes);
  });
  const version = key ? KEYED_SERIALIZATION_VERSION : SERIALIZATION_VERSION;
  return written((writer) => {
    writer.tag(1, WireType.LengthDelimited).string(version);
    writer.tag(2, WireType.LengthDelimited).bytes(payload);
  });
}

function encodeKey(value: Uint8Array, { hash, maintainers }: ContractKey): Uint8Array {
  return written((writer) => {
    writer.tag(1, WireType.LengthDelimited).bytes(value);
    for (const party of maintainers) writer.tag(2, WireType.LengthDelimited).string(party);
    writer.tag(3, WireType.LengthDelimited).bytes(fromHex(hash));
  });
}

/** The part of a blob that can be decoded without its package. */
export type BlobHead = Pick<FatContract, 'contractId' | 'packageName' | 'templateId' | 'createdAt'>;

/**
 * Decodes a contract.
 * @param accept refuses a contract by its head, before its package is needed
 * @throws LedgerError PACKAGE_NOT_FOUND; {@link ProtobufError} with Canton's text.
 * NOTE: a participant decodes values without their types. So it reports a missing package, an unknown template, an unexpected key or a
 * wrong serialization version only when it uses the contract. This function refuses them at once.
 */
export function decodeFatContract(
  packages: PackageLookup,
  bytes: Uint8Array,
  accept?: (head: BlobHead) => void,
): DecodedContract {
  const { version, payload } = readVersioned(bytes);
  const raw = parsed(FAT_CONTRACT, payload, 'the object');
  const head = readHead(raw);
  const { templateId } = head;
  const keyed = messageIn(raw, FIELD.keyWithMaintainers);
  const maintainers = keyed === undefined ? [] : readMaintainers(keyed);
  const { signatories, observers } = readStakeholders(raw, maintainers);
  accept?.(head);
  const packageId = packageIdOf(templateId);
  if (packages.package(packageId) === undefined) {
    throw ledgerError('PACKAGE_NOT_FOUND', {
      cause: `Couldn't find package ${packageId} while looking for template ${templateId}`,
    });
  }
  const definition = template(packages, templateId);
  if (definition === undefined) throw new ProtobufError(`template ${templateId} is not known`);
  const argument = bytesIn(raw, FIELD.createArg);
  const payloadValue = decodeValueProto(packages, definition.payloadType, argument) as DamlRecord;
  const key = keyed && readKey(packages, definition, version, keyed, maintainers);
  if ((key !== undefined) !== (version === KEYED_SERIALIZATION_VERSION))
    throw new ProtobufError(
      `a contract key and serialization version '${version}' exclude each other`,
    );
  const contract: FatContract = {
    ...head,
    payload: payloadValue,
    signatories,
    observers,
    authenticationData: bytesIn(raw, FIELD.authenticationData),
    ...(key && { key }),
  };
  return { contract, template: definition, argument };
}

/**
 * The head of a blob's contract, decoded without its package.
 * @throws ProtobufError
 */
export function blobHead(bytes: Uint8Array): BlobHead {
  return readHead(parsed(FAT_CONTRACT, readVersioned(bytes).payload, 'the object'));
}

function readHead(raw: SentFields): BlobHead {
  return {
    contractId: obey(toHex(bytesIn(raw, FIELD.contractId)), contractIdBytesError),
    packageName: readPackageName(textIn(raw, FIELD.packageName)),
    templateId: readIdentifier(messageIn(raw, FIELD.templateId)),
    createdAt: readCreationTime(raw),
  };
}

/** The three lists are disjoint: signatories are without maintainers, observers without both. */
function readStakeholders(raw: SentFields, maintainers: readonly string[]) {
  const others = readParties(textsIn(raw, FIELD.signatories));
  if (maintainers.length === 0 && others.length === 0)
    throw new ProtobufError('maintainers or non_maintainer_signatories should be non empty');
  const observers = readParties(textsIn(raw, FIELD.observers));
  refuseShared(maintainers, others, 'maintainer and nonMaintainerSignatory');
  const signatories = [...others, ...maintainers].sort();
  refuseShared(observers, signatories, 'signatory and nonSignatoryStakeholder');
  return { signatories, observers };
}

function refuseShared(parties: readonly string[], others: readonly string[], roles: string): void {
  const shared = parties.find((party) => others.includes(party));
  if (shared !== undefined) throw new ProtobufError(`party ${shared} is declared as ${roles}`);
}

function readKey(
  packages: PackageLookup,
  { id, key }: Template,
  version: string,
  raw: SentFields,
  maintainers: readonly string[],
): ContractKey {
  if (key === undefined) throw new ProtobufError(`template ${id} has no key`);
  const value = decodeValueProto(packages, key.type, bytesIn(raw, KEY_FIELD.key));
  const hash = bytesIn(raw, KEY_FIELD.hash);
  if (version === KEYED_SERIALIZATION_VERSION && hash.length !== HASH_LENGTH)
    throw new ProtobufError(`hash should have ${HASH_LENGTH} bytes, got ${hash.length}`);
  if (maintainers.length === 0) throw new ProtobufError('key without maintainers');
  return { value, hash: toHex(hash), maintainers };
}

function readMaintainers(key: SentFields): readonly string[] {
  return [...new Set(textsIn(key, KEY_FIELD.maintainers).map(readParty))].sort();
}

function readVersioned(bytes: Uint8Array): { version: string; payload: Uint8Array } {
  const raw = parsed(VERSIONED, bytes, 'the versioned object');
  const version = textIn(raw, 1);
  if (version !== SERIALIZATION_VERSION && version !== KEYED_SERIALIZATION_VERSION)
    throw new ProtobufError(`Unsupported serialization version '${version}'`);
  return { version, payload: bytesIn(raw, 2) };
}

function parsed(shape: MessageShape, bytes: Uint8Array, what: string): SentFields {
  const raw = sentFields(shape, bytes, (error) => {
    throw new ProtobufError(`exception ${jvmException(error)} while decoding ${what}`);
  });
  const unknown = unknownField(shape, raw);
  if (unknown !== undefined) throw new ProtobufError(unknown);
  return raw;
}

function readCreationTime(raw: SentFields): bigint {
  const micros = longIn(raw, FIELD.createdAt);
  const error = micros === NOW ? undefined : timestampError(micros);
  if (error !== undefined) throw new ProtobufError(error);
  return micros;
}

function writeIdentifier(writer: BinaryWriter, id: TypeId): void {
  const { packageId, module, entity } = splitTypeId(id);
  writer.tag(FIELD.templateId, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).string(packageId);
  for (const part of module.split('.')) writer.tag(2, WireType.LengthDelimited).string(part);
  for (const part of entity.split('.')) writer.tag(3, WireType.LengthDelimited).string(part);
  writer.join();
}

function readPackageName(name: string): string {
  if (name === '') throw new ProtobufError('packageName must not be empty');
  const error = packageNameError(name);
  if (error !== undefined) throw new ProtobufError(`Invalid package name '${name}': ${error}`);
  return name;
}

function readIdentifier(raw: SentFields = NOTHING_SENT): TypeId {
  const packageId = textIn(raw, 1);
  const error = packageIdError(packageId);
  if (error !== undefined) throw new ProtobufError(`Invalid package id '${packageId}': ${error}`);
  const module = readSegments('module', textsIn(raw, 2));
  return typeId(packageId, `${module}:${readSegments('name', textsIn(raw, 3))}`);
}

function readSegments(what: string, segments: readonly string[]): string {
  const error =
    segments.length === 0
      ? 'No segments provided'
      : (segments.map(nameError).find((each) => each !== undefined) ??
        dottedNameError(segments.join('.')));
  if (error !== undefined)
    throw new ProtobufError(`Invalid ${what} segments Buffer(${segments.join(', ')}): ${error}`);
  return segments.join('.');
}

function readParties(texts: readonly string[]): readonly string[] {
  const parties = texts.map(readParty);
  if (parties.some((party, index) => index > 0 && party <= parties[index - 1]!))
    throw new ProtobufError('the entries are not strictly ordered');
  return parties;
}

function readParty(text: string): string {
  const error = partyError(text);
  if (error !== undefined) throw new ProtobufError(`Cannot decode party: ${error}`);
  return text;
}

function obey(text: string, rule: TextRule): string {
  const error = rule(text);
  if (error !== undefined) throw new ProtobufError(error);
  return text;
}
