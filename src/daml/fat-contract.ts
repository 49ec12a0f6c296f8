/**
 * The protobuf of a whole contract, `Versioned{version, FatContractInstance}`: what a created-event blob holds and what a
 * contract id authenticates. Keys are absent: contracts without keys are all that Daml-LF 2.1 and 2.2 have.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { contractIdFault } from './contract-id-text.js';
import { fromHex, toHex } from './hash.js';
import {
  dottedNameFault,
  packageIdFault,
  packageNameFault,
  partyFault,
  type TextRule,
} from './identifiers.js';
import { ledgerError } from './ledger-error.js';
import { template, type PackageLookup } from './package.js';
import { atEnd, expect, ProtoFault, protoReader } from './proto-reading.js';
import { isTimestamp } from './time.js';
import type { ContractInstance } from './transaction.js';
import { packageIdOf, splitTypeId, typeId, type TypeId } from './types.js';
import { decodeValueProto, encodeValueProto } from './value-proto.js';
import { SERIALIZATION_VERSION } from './value-proto-fields.js';
import type { DamlRecord } from './values.js';

export type ContractContents = Omit<ContractInstance, 'contractId'>;

export interface FatContract extends ContractContents {
  /** Empty while the id is being made. */
  readonly contractId: string;
  readonly authenticationData: Uint8Array;
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
} as const;

export function encodeFatContract(packages: PackageLookup, contract: FatContract): Uint8Array {
  const payloadType = template(packages, contract.templateId)?.payloadType ?? {
    kind: 'con',
    id: contract.templateId,
    args: [],
  };
  const writer = new BinaryWriter();
  const bytes = (field: number, value: Uint8Array): void => {
    if (value.length > 0) writer.tag(field, WireType.LengthDelimited).bytes(value);
  };
  bytes(FIELD.contractId, fromHex(contract.contractId));
  writer.tag(FIELD.packageName, WireType.LengthDelimited).string(contract.packageName);
  writeIdentifier(writer, contract.templateId);
  bytes(FIELD.createArg, encodeValueProto(packages, payloadType, contract.payload));
  for (const party of contract.signatories)
    writer.tag(FIELD.signatories, WireType.LengthDelimited).string(party);
  for (const party of contract.observers)
    writer.tag(FIELD.observers, WireType.LengthDelimited).string(party);
  if (contract.createdAt !== 0n)
    writer.tag(FIELD.createdAt, WireType.Bit64).sfixed64(contract.createdAt);
  bytes(FIELD.authenticationData, contract.authenticationData);
  return new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .string(SERIALIZATION_VERSION)
    .tag(2, WireType.LengthDelimited)
    .bytes(writer.finish())
    .finish();
}

/** Throws PACKAGE_NOT_FOUND, a {@link ProtoFault}, or whatever the protobuf reader throws at malformed bytes. */
export function decodeFatContract(packages: PackageLookup, bytes: Uint8Array): FatContract {
  const raw = readFields(readVersioned(bytes));
  const templateId = readIdentifier(raw.templateId);
  const packageId = packageIdOf(templateId);
  if (packages.package(packageId) === undefined) {
    throw ledgerError('PACKAGE_NOT_FOUND', {
      cause: `Couldn't find package ${packageId} while looking for template ${templateId}`,
    });
  }
  const payloadType = template(packages, templateId)?.payloadType;
  if (payloadType === undefined) throw new ProtoFault(`template ${templateId} is not known`);
  return {
    contractId: obey(toHex(raw.contractId), contractIdFault),
    packageName: obey(raw.packageName, packageNameFault),
    templateId,
    payload: decodeValueProto(packages, payloadType, raw.createArg) as DamlRecord,
    signatories: readParties(raw.signatories),
    observers: readParties(raw.observers),
    createdAt: raw.createdAt,
    authenticationData: raw.authenticationData,
  };
}

function readVersioned(bytes: Uint8Array): Uint8Array {
  const reader = protoReader(bytes);
  expect(reader, reader.len, 1, WireType.LengthDelimited);
  const version = reader.string();
  if (version !== SERIALIZATION_VERSION)
    throw new ProtoFault(`Unsupported serialization version '${version}'`);
  expect(reader, reader.len, 2, WireType.LengthDelimited);
  return atEnd(reader, reader.len, reader.bytes());
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
    else throw new ProtoFault(`unexpected field ${field} in FatContractInstance`);
  }
  if (fields.signatories.length === 0) {
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
