/**
 * The protobuf of a whole contract, `Versioned{version, FatContractInstance}`: what a created-event blob holds. Contracts with
 * keys have a version of their own.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { contractIdFault } from '../model/contract-id-text.js';
import { fromHex, toHex } from '../model/hash.js';
import {
  dottedNameFault,
  packageIdFault,
  packageNameFault,
  partyFault,
  type TextRule,
} from '../model/identifiers.js';
import { ledgerError } from '../errors/ledger-error.js';
import { template, type PackageLookup, type Template } from '../model/package.js';
import { atEnd, expect, ProtoFault, protoReader } from '../codec/protobuf/reading.js';
import { isTimestamp } from '../model/time.js';
import type { ContractInstance, ContractKey } from '../model/transaction.js';
import { packageIdOf, splitTypeId, typeId, type TypeId } from '../model/types.js';
import { decodeValueProto, encodeValueProto } from '../codec/protobuf/value.js';
import { KEYED_SERIALIZATION_VERSION, SERIALIZATION_VERSION } from '../codec/protobuf/fields.js';
import type { DamlRecord } from '../model/values.js';

export type ContractContents = Omit<ContractInstance, 'contractId'>;

export interface FatContract extends ContractInstance {
  readonly authenticationData: Uint8Array;
}

/** What a blob holds, and what it was read with. */
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

export function encodeFatContract(packages: PackageLookup, contract: FatContract): Uint8Array {
  const payloadType = template(packages, contract.templateId)?.payloadType ?? {
    kind: 'con',
    id: contract.templateId,
    args: [],
  };
  const { key, signatories } = contract;
  const writer = new BinaryWriter();
  const bytes = (field: number, value: Uint8Array): void => {
    if (value.length > 0) writer.tag(field, WireType.LengthDelimited).bytes(value);
  };
  bytes(FIELD.contractId, fromHex(contract.contractId));
  writer.tag(FIELD.packageName, WireType.LengthDelimited).string(contract.packageName);
  writeIdentifier(writer, contract.templateId);
  bytes(FIELD.createArg, encodeValueProto(packages, payloadType, contract.payload));
  for (const party of signatories.filter((each) => !key?.maintainers.includes(each)))
    writer.tag(FIELD.signatories, WireType.LengthDelimited).string(party);
  for (const party of contract.observers)
    writer.tag(FIELD.observers, WireType.LengthDelimited).string(party);
  if (contract.createdAt !== 0n)
    writer.tag(FIELD.createdAt, WireType.Bit64).sfixed64(contract.createdAt);
  bytes(FIELD.authenticationData, contract.authenticationData);
  if (key) {
    const { type } = template(packages, contract.templateId)!.key!;
    bytes(FIELD.keyWithMaintainers, encodeKey(encodeValueProto(packages, type, key.value), key));
  }
  return new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string(key ? KEYED_SERIALIZATION_VERSION : SERIALIZATION_VERSION)
    .tag(2, WireType.LengthDelimited)
    .bytes(writer.finish())
    .finish();
}

function encodeKey(value: Uint8Array, { hash, maintainers }: ContractKey): Uint8Array {
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(value);
  for (const party of maintainers) writer.tag(2, WireType.LengthDelimited).string(party);
  return writer.tag(3, WireType.LengthDelimited).bytes(fromHex(hash)).finish();
}

/**
 * Throws PACKAGE_NOT_FOUND, a {@link ProtoFault}, or whatever the protobuf reader throws at malformed bytes.
 * NOTE: a participant reads values without their types, so that it minds a missing package only where it uses the contract.
 */
export function decodeFatContract(packages: PackageLookup, bytes: Uint8Array): DecodedContract {
  const { version, payload } = readVersioned(bytes);
  const raw = readFields(payload);
  const templateId = readIdentifier(raw.templateId);
  const packageId = packageIdOf(templateId);
  if (packages.package(packageId) === undefined) {
    throw ledgerError('PACKAGE_NOT_FOUND', {
      cause: `Couldn't find package ${packageId} while looking for template ${templateId}`,
    });
  }
  const definition = template(packages, templateId);
  if (definition === undefined) throw new ProtoFault(`template ${templateId} is not known`);
  const { payloadType } = definition;
  const key = raw.keyWithMaintainers && readKey(packages, definition, raw.keyWithMaintainers);
  if ((key !== undefined) !== (version === KEYED_SERIALIZATION_VERSION))
    throw new ProtoFault(
      `a contract key and serialization version '${version}' exclude each other`,
    );
  const { signatories, observers } = readStakeholders(raw, key?.maintainers ?? []);
  const contract: FatContract = {
    contractId: obey(toHex(raw.contractId), contractIdFault),
    packageName: obey(raw.packageName, packageNameFault),
    templateId,
    payload: decodeValueProto(packages, payloadType, raw.createArg) as DamlRecord,
    signatories,
    observers,
    createdAt: raw.createdAt,
    authenticationData: raw.authenticationData,
    ...(key && { key }),
  };
  return { contract, template: definition, argument: raw.createArg };
}

/** Nobody is two of them: signatories come without the maintainers, observers without either. */
function readStakeholders(
  raw: { readonly signatories: readonly string[]; readonly observers: readonly string[] },
  maintainers: readonly string[],
) {
  const others = readParties(raw.signatories);
  const observers = readParties(raw.observers);
  refuseShared(maintainers, others, 'maintainer and nonMaintainerSignatory');
  const signatories = [...others, ...maintainers].sort();
  refuseShared(observers, signatories, 'signatory and nonSignatoryStakeholder');
  return { signatories, observers };
}

function refuseShared(parties: readonly string[], others: readonly string[], roles: string): void {
  const shared = parties.find((party) => others.includes(party));
  if (shared !== undefined) throw new ProtoFault(`party ${shared} is declared as ${roles}`);
}

function readKey(packages: PackageLookup, { id, key }: Template, bytes: Uint8Array): ContractKey {
  if (key === undefined) throw new ProtoFault(`template ${id} has no key`);
  const reader = protoReader(bytes);
  let [value, hash]: Uint8Array[] = [new Uint8Array(), new Uint8Array()];
  const maintainers: string[] = [];
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire !== WireType.LengthDelimited)
      throw new ProtoFault(`field ${field} has the wrong wire type`);
    if (field === 1) value = reader.bytes();
    else if (field === 2) maintainers.push(reader.string());
    else if (field === 3) hash = reader.bytes();
    else throw new ProtoFault(`unexpected field ${field} in KeyWithMaintainers`);
  }
  if (maintainers.length === 0) throw new ProtoFault('key without maintainers');
  if (hash!.length !== 32) throw new ProtoFault(`hash should have 32 bytes, got ${hash!.length}`);
  return {
    value: decodeValueProto(packages, key.type, value!),
    hash: toHex(hash!),
    maintainers: readParties(maintainers),
  };
}

function readVersioned(bytes: Uint8Array): { version: string; payload: Uint8Array } {
  const reader = protoReader(bytes);
  expect(reader, reader.len, 1, WireType.LengthDelimited);
  const version = reader.string();
  if (version !== SERIALIZATION_VERSION && version !== KEYED_SERIALIZATION_VERSION)
    throw new ProtoFault(`Unsupported serialization version '${version}'`);
  expect(reader, reader.len, 2, WireType.LengthDelimited);
  return { version, payload: atEnd(reader, reader.len, reader.bytes()) };
}

function readFields(bytes: Uint8Array) {
  const reader = protoReader(bytes);
  const none: Uint8Array = new Uint8Array();
  const fields = {
    contractId: none,
    packageName: '',
    templateId: none,
    createArg: none,
    signatories: [] as string[],
    observers: [] as string[],
    createdAt: 0n,
    authenticationData: none,
    keyWithMaintainers: undefined as Uint8Array | undefined,
  };
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire !== (field === FIELD.createdAt ? WireType.Bit64 : WireType.LengthDelimited)) {
      throw new ProtoFault(`field ${field} has the wrong wire type`);
    }
    if (field === FIELD.contractId) fields.contractId = reader.bytes();
    else if (field === FIELD.packageName) fields.packageName = reader.string();
    else if (field === FIELD.templateId) fields.templateId = reader.bytes();
    else if (field === FIELD.createArg) fields.createArg = reader.bytes();
    else if (field === FIELD.signatories) fields.signatories.push(reader.string());
    else if (field === FIELD.observers) fields.observers.push(reader.string());
    else if (field === FIELD.createdAt) fields.createdAt = BigInt(reader.sfixed64());
    else if (field === FIELD.authenticationData) fields.authenticationData = reader.bytes();
    else if (field === FIELD.keyWithMaintainers) fields.keyWithMaintainers = reader.bytes();
    else throw new ProtoFault(`unexpected field ${field} in FatContractInstance`);
  }
  if (fields.signatories.length === 0 && fields.keyWithMaintainers === undefined) {
    throw new ProtoFault('maintainers or non_maintainer_signatories should be non empty');
  }
  // Canton's mark for "now", which no contract outside of its own transaction has, is out of bounds too.
  if (!isTimestamp(fields.createdAt))
    throw new ProtoFault(`out of bound Timestamp ${fields.createdAt}`);
  return fields;
}

function writeIdentifier(writer: BinaryWriter, id: TypeId): void {
  const { packageId, module, entity } = splitTypeId(id);
  writer.tag(FIELD.templateId, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).string(packageId);
  for (const part of module.split('.')) writer.tag(2, WireType.LengthDelimited).string(part);
  for (const part of entity.split('.')) writer.tag(3, WireType.LengthDelimited).string(part);
  writer.join();
}

function readIdentifier(bytes: Uint8Array): TypeId {
  const reader = protoReader(bytes);
  let packageId = '';
  const module: string[] = [];
  const entity: string[] = [];
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire !== WireType.LengthDelimited)
      throw new ProtoFault(`field ${field} has the wrong wire type`);
    if (field === 1) packageId = reader.string();
    else if (field === 2) module.push(reader.string());
    else if (field === 3) entity.push(reader.string());
    else throw new ProtoFault(`unexpected field ${field} in Identifier`);
  }
  const moduleName = obey(module.join('.'), dottedNameFault);
  return typeId(
    obey(packageId, packageIdFault),
    `${moduleName}:${obey(entity.join('.'), dottedNameFault)}`,
  );
}

function readParties(parties: readonly string[]): readonly string[] {
  parties.forEach((party, index) => {
    const fault = partyFault(party);
    if (fault !== undefined) throw new ProtoFault(`Cannot decode party: ${fault}`);
    if (index > 0 && party <= parties[index - 1]!)
      throw new ProtoFault('the list is not strictly ordered');
  });
  return parties;
}

function obey(text: string, rule: TextRule): string {
  const fault = rule(text);
  if (fault !== undefined) throw new ProtoFault(fault);
  return text;
}
