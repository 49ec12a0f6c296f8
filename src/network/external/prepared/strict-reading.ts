/**
 * Reads a client's prepared transaction as a participant's converters do: part by part, and all errors of a part
 * together, each with its member (B-INT-039). Nodes and seeds become maps: their order is irrelevant, and the last one
 * of an id counts.
 */
import { contractIdBytesFault } from '../../../daml/model/contract-id-text.js';
import {
  dottedNameFault,
  ledgerStringFault,
  nameFault,
  packageIdFault,
  packageNameFault,
  partyFault,
  type TextRule,
} from '../../../daml/model/identifiers.js';
import { timestampFault } from '../../../daml/model/time.js';
import {
  KEYED_SERIALIZATION_VERSION,
  SERIALIZATION_VERSION,
} from '../../../daml/codec/protobuf/fields.js';
import { parseJavaUuid } from './java-uuid.js';
import { failedToExecute } from './execution-refusals.js';
import { missingField } from '../../model/request-errors.js';
import type { ProtoIdentifier } from '../../values/messages.js';
import type {
  ProtoCreate,
  ProtoExercise,
  ProtoFetch,
  ProtoKeyWithMaintainers,
  ProtoMetadata,
  ProtoNode,
  ProtoPrepared,
  ProtoQueryByKey,
  ProtoTransaction,
} from './messages.js';

const MAX_INT32 = 2 ** 31 - 1;
const SEED_BYTES = 32;

/** The error and its member; an empty path for no member. */
type Fault = readonly [text: string, path: string];

export interface WholeMetadata extends ProtoMetadata {
  readonly submitterInfo: NonNullable<ProtoMetadata['submitterInfo']>;
}

/** All required members are present; nodes and seeds are by id. */
export interface WholePrepared {
  readonly transaction: ProtoTransaction;
  readonly metadata: WholeMetadata;
}

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION, MISSING_FIELD */
export function readStrictly({ transaction, metadata }: ProtoPrepared): WholePrepared {
  if (metadata === undefined) throw missingField('metadata');
  const { submitterInfo } = metadata;
  if (submitterInfo === undefined) throw missingField('submitter_info');
  const uuid = parseJavaUuid(metadata.transactionUuid);
  if ('fault' in uuid) throw refused('transaction UUID', [[uuid.fault, '']]);
  checkPart('mediator group', mediatorFaults(metadata.mediatorGroup));
  checkPart('max record time', timeFaults(metadata.maxRecordTime));
  checkPart('submitter info', submitterFaults(submitterInfo));
  if (transaction === undefined) throw missingField('transaction');
  const { minLedgerEffectiveTime: min, maxLedgerEffectiveTime: max } = metadata;
  checkPart('time boundaries', [...timeFaults(min), ...timeFaults(max)].slice(0, 1));
  checkPart('transaction meta', metaFaults(metadata, transaction));
  checkPart('transaction', transactionFaults(transaction));
  return {
    transaction: byNodeId(transaction),
    metadata: { ...metadata, submitterInfo, transactionUuid: uuid.uuid },
  };
}

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION */
export function checkInputContract(contract: ProtoCreate | undefined, createdAt: bigint): void {
  const faults =
    contract === undefined
      ? faultOf('Cannot decode empty disclosed contract')
      : createFaults(contract);
  checkPart('input contracts', faults.length > 0 ? faults : timeFaults(createdAt));
}

function byNodeId(transaction: ProtoTransaction): ProtoTransaction {
  const nodes = new Map(transaction.nodes.map((node) => [Number(node.nodeId), node]));
  const seeds = new Map(transaction.nodeSeeds.map((seed) => [seed.nodeId, seed]));
  return {
    ...transaction,
    roots: transaction.roots.map(sameNumber),
    nodes: sorted(nodes).map((node) => ({
      ...node,
      nodeId: sameNumber(node.nodeId),
      v1: withNumbers(node.v1),
    })),
    nodeSeeds: sorted(seeds),
  };
}

/** Normalizes a number, which a client may write with a sign or leading zeros. */
const sameNumber = (nodeId: string): string => String(Number(nodeId));

function withNumbers(node: ProtoNode['v1']): ProtoNode['v1'] {
  const { exercise, rollback } = node ?? {};
  if (exercise !== undefined)
    return { exercise: { ...exercise, children: exercise.children.map(sameNumber) } };
  return rollback === undefined
    ? node
    : { rollback: { children: rollback.children.map(sameNumber) } };
}

function sorted<V>(byId: ReadonlyMap<number, V>): readonly V[] {
  return [...byId].sort(([a], [b]) => a - b).map(([, value]) => value);
}

function checkPart(what: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw refused(what, faults);
}

function refused(what: string, faults: readonly Fault[]) {
  const texts = faults.map(([text, path]) => (path === '' ? text : `${text} at path ${path}`));
  return failedToExecute(`Failed to deserialize ${what}: ${texts.join(', ')}`);
}

function inMember(member: string, faults: readonly Fault[]): readonly Fault[] {
  return faults.map(([text, path]) => [text, path === '' ? member : `${member}.${path}`]);
}

function faultOf(text: string | undefined): readonly Fault[] {
  return text === undefined ? [] : [[text, '']];
}

function timeFaults(time: bigint | undefined): readonly Fault[] {
  return faultOf(time === undefined ? undefined : timestampFault(time));
}

function mediatorFaults(group: number): readonly Fault[] {
  if (group <= MAX_INT32) return [];
  return faultOf(
    `Invariant violation in field \`mediator_group\`: Received the negative ${group | 0} as argument, but we require a non-negative value here.`,
  );
}

function submitterFaults({ actAs, commandId }: WholeMetadata['submitterInfo']): readonly Fault[] {
  return [
    ...partyFaults('actAs', actAs),
    ...inMember('commandId', faultOf(ledgerStringFault(commandId))),
  ];
}

function metaFaults(
  { preparationTime }: ProtoMetadata,
  { nodeSeeds }: ProtoTransaction,
): readonly Fault[] {
  const wrong = nodeSeeds.find(({ seed }) => seed.length !== SEED_BYTES);
  return [
    ...inMember('preparationTime', timeFaults(preparationTime)),
    ...inMember(
      'optNodeSeeds',
      faultOf(wrong && `hash should have ${SEED_BYTES} bytes, got ${wrong.seed.length}`),
    ),
  ];
}

function transactionFaults({ version, nodes, roots }: ProtoTransaction): readonly Fault[] {
  return [
    ...inMember('version', versionFaults(version)),
    ...inMember('nodes', firstOf(nodes, nodeFaults)),
    ...inMember('roots', firstOf(roots, nodeIdFaults)),
  ];
}

/** The faults of the first item that has any. */
function firstOf<T>(items: readonly T[], faults: (item: T) => readonly Fault[]): readonly Fault[] {
  for (const item of items) {
    const found = faults(item);
    if (found.length > 0) return found;
  }
  return [];
}

function versionFaults(version: string): readonly Fault[] {
  return version === SERIALIZATION_VERSION || version === KEYED_SERIALIZATION_VERSION
    ? []
    : faultOf(`Unsupported serialization version '${version}'`);
}

function nodeIdFaults(id: string): readonly Fault[] {
  const isInteger = /^[+-]?\d+$/.test(id) && Number(id) <= MAX_INT32 && Number(id) > -MAX_INT32 - 2;
  return isInteger ? [] : faultOf('Node Id is not a valid integer');
}

function nodeFaults({ nodeId, v1 }: ProtoNode): readonly Fault[] {
  const faults = nodeIdFaults(nodeId);
  if (faults.length > 0) return faults;
  if (v1 === undefined) return faultOf('Cannot decode empty versioned node');
  const { create, exercise, fetch, queryByKey, rollback } = v1;
  if (create) return createFaults(create);
  if (exercise) return exerciseFaults(exercise);
  if (fetch) return fetchFaults(fetch);
  if (queryByKey) return queryFaults(queryByKey);
  if (rollback) return inMember('children', firstOf(rollback.children, nodeIdFaults));
  return faultOf('Cannot decode empty transaction node');
}

function createFaults(node: ProtoCreate): readonly Fault[] {
  const unsupported = versionFaults(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...headFaults(node),
    ...inMember('arg', faultOf(node.argument ? undefined : 'Missing argument value')),
    ...partyFaults('signatories', node.signatories),
    ...partyFaults('stakeholders', node.stakeholders),
    ...keyFaults(node.lfVersion, node.key),
  ];
}

function fetchFaults(node: ProtoFetch): readonly Fault[] {
  const unsupported = versionFaults(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...headFaults(node),
    ...partyFaults('actingParties', node.actingParties),
    ...partyFaults('signatories', node.signatories),
    ...partyFaults('stakeholders', node.stakeholders),
    ...keyFaults(node.lfVersion, node.key),
    ...byKeyFaults(node),
    ...inMember('interfaceId', node.interfaceId ? identifierFaults(node.interfaceId) : []),
  ];
}

function exerciseFaults(node: ProtoExercise): readonly Fault[] {
  const unsupported = versionFaults(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...headFaults(node),
    ...inMember('interfaceId', node.interfaceId ? identifierFaults(node.interfaceId) : []),
    ...inMember('choiceId', faultOf(nameFault(node.choiceId))),
    ...partyFaults('actingParties', node.actingParties),
    ...inMember('chosenValue', faultOf(node.chosenValue ? undefined : 'empty value')),
    ...partyFaults('stakeholders', node.stakeholders),
    ...partyFaults('signatories', node.signatories),
    ...inMember(
      'choiceObservers',
      firstOf(node.choiceObservers, (each) => faultOf(partyFault(each))),
    ),
    ...inMember('children', firstOf(node.children, nodeIdFaults)),
    ...keyFaults(node.lfVersion, node.key),
    ...byKeyFaults(node),
  ];
}

function queryFaults(node: ProtoQueryByKey): readonly Fault[] {
  const unsupported = versionFaults(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...inMember('packageName', faultOf(packageNameFault(node.packageName))),
    ...inMember('templateId', templateFaults(node.templateId)),
    ...(node.key
      ? inMember('key', globalKeyFaults(node.lfVersion, node.key))
      : [['empty value', 'key'] as const]),
    ...node.result.flatMap((id, index) => inMember(`result(${index})`, contractIdFaults(id))),
  ];
}

function headFaults({
  contractId,
  packageName,
  templateId,
}: Pick<ProtoCreate, 'contractId' | 'packageName' | 'templateId'>): readonly Fault[] {
  return [
    ...inMember('contractId', contractIdFaults(contractId)),
    ...inMember('packageName', faultOf(packageNameFault(packageName))),
    ...inMember('templateId', templateFaults(templateId)),
  ];
}

function contractIdFaults(id: string): readonly Fault[] {
  const isHexadecimal = id.length % 2 === 0 && /^[0-9a-f]*$/.test(id);
  return faultOf(isHexadecimal ? contractIdBytesFault(id) : `cannot parse HexString ${id}`);
}

function templateFaults(id: ProtoIdentifier | undefined): readonly Fault[] {
  return id === undefined ? faultOf('empty value') : identifierFaults(id);
}

/** NOTE: a participant prints the whole status here, with a code before it. */
function identifierFaults({
  packageId,
  moduleName,
  entityName,
}: ProtoIdentifier): readonly Fault[] {
  return faultOf(
    dottedNameFault(moduleName) ?? dottedNameFault(entityName) ?? packageIdFault(packageId),
  );
}

function partyFaults(member: string, parties: readonly string[]): readonly Fault[] {
  return parties.flatMap((party, index) => textFaults(`${member}(${index})`, partyFault, party));
}

function textFaults(member: string, rule: TextRule, text: string): readonly Fault[] {
  return inMember(member, faultOf(rule(text)));
}

function keyFaults(version: string, key: ProtoKeyWithMaintainers | undefined): readonly Fault[] {
  return key === undefined ? [] : inMember('keyOpt', globalKeyFaults(version, key));
}

function globalKeyFaults(
  version: string,
  { key, maintainers }: ProtoKeyWithMaintainers,
): readonly Fault[] {
  if (version === SERIALIZATION_VERSION)
    return [
      [`Keys are not supported in nodes with LF Serialization version ${version}`, 'globalKey'],
    ];
  return [
    ...(key ? [] : [['Empty key in GlobalKeyWithMaintainers', 'globalKey'] as const]),
    ...partyFaults('maintainers', maintainers),
  ];
}

function byKeyFaults({ lfVersion, byKey }: ProtoFetch | ProtoExercise): readonly Fault[] {
  return lfVersion === SERIALIZATION_VERSION && byKey
    ? [[`byKey is not supported in nodes with LF Serialization version ${lfVersion}`, 'byKey']]
    : [];
}
