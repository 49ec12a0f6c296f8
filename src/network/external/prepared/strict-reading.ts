/**
 * Reads a client's prepared transaction as a participant's converters do: part by part, and all errors of a part
 * together, each with its member (B-INT-039). Nodes and seeds become maps: their order is irrelevant, and the last one
 * of an id counts.
 */
import type { EngineRules } from '../../../daml/refusals/engine-rules.js';
import { contractIdBytesError } from '../../../daml/model/contract-id-text.js';
import {
  dottedNameError,
  ledgerStringError,
  nameError,
  packageIdError,
  packageNameError,
  partyError,
  type TextRule,
} from '../../../daml/model/identifiers.js';
import { timestampError } from '../../../daml/model/time.js';
import {
  SERIALIZATION_VERSION,
  SERIALIZATION_VERSIONS,
  serializationName,
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
type Issue = readonly [text: string, path: string];

export interface WholeMetadata extends ProtoMetadata {
  readonly submitterInfo: NonNullable<ProtoMetadata['submitterInfo']>;
}

/** All required members are present; nodes and seeds are by id. */
export interface WholePrepared {
  readonly transaction: ProtoTransaction;
  readonly metadata: WholeMetadata;
}

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION, MISSING_FIELD */
export function readStrictly(
  { transaction, metadata }: ProtoPrepared,
  { checksNodeVersions }: EngineRules,
): WholePrepared {
  if (metadata === undefined) throw missingField('metadata');
  const { submitterInfo } = metadata;
  if (submitterInfo === undefined) throw missingField('submitter_info');
  const uuid = parseJavaUuid(metadata.transactionUuid);
  if ('error' in uuid) throw refused('transaction UUID', [[uuid.error, '']]);
  checkPart('mediator group', mediatorErrors(metadata.mediatorGroup));
  checkPart('max record time', timeErrors(metadata.maxRecordTime));
  checkPart('submitter info', submitterErrors(submitterInfo));
  if (transaction === undefined) throw missingField('transaction');
  const { minLedgerEffectiveTime: min, maxLedgerEffectiveTime: max } = metadata;
  checkPart('time boundaries', [...timeErrors(min), ...timeErrors(max)].slice(0, 1));
  checkPart('transaction meta', metaErrors(metadata, transaction));
  checkPart('transaction', transactionErrors(transaction));
  if (checksNodeVersions) checkPart('transaction', newerNodes(transaction));
  return {
    transaction: byNodeId(transaction),
    metadata: { ...metadata, submitterInfo, transactionUuid: uuid.uuid },
  };
}

/** @throws LedgerError FAILED_TO_EXECUTE_TRANSACTION */
export function checkInputContract(contract: ProtoCreate | undefined, createdAt: bigint): void {
  const errors =
    contract === undefined
      ? errorOf('Cannot decode empty disclosed contract')
      : createErrors(contract);
  checkPart('input contracts', errors.length > 0 ? errors : timeErrors(createdAt));
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

function checkPart(what: string, errors: readonly Issue[]): void {
  if (errors.length > 0) throw refused(what, errors);
}

function refused(what: string, errors: readonly Issue[]) {
  const texts = errors.map(([text, path]) => (path === '' ? text : `${text} at path ${path}`));
  return failedToExecute(`Failed to deserialize ${what}: ${texts.join(', ')}`);
}

function inMember(member: string, errors: readonly Issue[]): readonly Issue[] {
  return errors.map(([text, path]) => [text, path === '' ? member : `${member}.${path}`]);
}

function errorOf(text: string | undefined): readonly Issue[] {
  return text === undefined ? [] : [[text, '']];
}

function timeErrors(time: bigint | undefined): readonly Issue[] {
  return errorOf(time === undefined ? undefined : timestampError(time));
}

function mediatorErrors(group: number): readonly Issue[] {
  if (group <= MAX_INT32) return [];
  return errorOf(
    `Invariant violation in field \`mediator_group\`: Received the negative ${group | 0} as argument, but we require a non-negative value here.`,
  );
}

function submitterErrors({ actAs, commandId }: WholeMetadata['submitterInfo']): readonly Issue[] {
  return [
    ...partyErrors('actAs', actAs),
    ...inMember('commandId', errorOf(ledgerStringError(commandId))),
  ];
}

function metaErrors(
  { preparationTime }: ProtoMetadata,
  { nodeSeeds }: ProtoTransaction,
): readonly Issue[] {
  const wrong = nodeSeeds.find(({ seed }) => seed.length !== SEED_BYTES);
  return [
    ...inMember('preparationTime', timeErrors(preparationTime)),
    ...inMember(
      'optNodeSeeds',
      errorOf(wrong && `hash should have ${SEED_BYTES} bytes, got ${wrong.seed.length}`),
    ),
  ];
}

function transactionErrors({ version, nodes, roots }: ProtoTransaction): readonly Issue[] {
  return [
    ...inMember('version', versionErrors(version)),
    ...inMember('nodes', firstOf(nodes, nodeErrors)),
    ...inMember('roots', firstOf(roots, nodeIdErrors)),
  ];
}

function newerNodes({ version, nodes }: ProtoTransaction): readonly Issue[] {
  const rank = (each: string): number => SERIALIZATION_VERSIONS.indexOf(each);
  const newer = nodes
    .map(({ v1 = {} }) => v1.create ?? v1.exercise ?? v1.fetch ?? v1.queryByKey)
    .find((node) => node !== undefined && rank(node.lfVersion) > rank(version));
  return errorOf(
    newer &&
      `A transaction of version ${serializationName(version)} cannot contain node of newer version (version ${serializationName(newer.lfVersion)})`,
  );
}

/** The errors of the first item that has any. */
function firstOf<T>(items: readonly T[], errors: (item: T) => readonly Issue[]): readonly Issue[] {
  for (const item of items) {
    const found = errors(item);
    if (found.length > 0) return found;
  }
  return [];
}

function versionErrors(version: string): readonly Issue[] {
  return SERIALIZATION_VERSIONS.includes(version)
    ? []
    : errorOf(`Unsupported serialization version '${version}'`);
}

function nodeIdErrors(id: string): readonly Issue[] {
  const isInteger = /^[+-]?\d+$/.test(id) && Number(id) <= MAX_INT32 && Number(id) > -MAX_INT32 - 2;
  return isInteger ? [] : errorOf('Node Id is not a valid integer');
}

function nodeErrors({ nodeId, v1 }: ProtoNode): readonly Issue[] {
  const errors = nodeIdErrors(nodeId);
  if (errors.length > 0) return errors;
  if (v1 === undefined) return errorOf('Cannot decode empty versioned node');
  const { create, exercise, fetch, queryByKey, rollback } = v1;
  if (create) return createErrors(create);
  if (exercise) return exerciseErrors(exercise);
  if (fetch) return fetchErrors(fetch);
  if (queryByKey) return queryErrors(queryByKey);
  if (rollback) return inMember('children', firstOf(rollback.children, nodeIdErrors));
  return errorOf('Cannot decode empty transaction node');
}

function createErrors(node: ProtoCreate): readonly Issue[] {
  const unsupported = versionErrors(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...headErrors(node),
    ...inMember('arg', errorOf(node.argument ? undefined : 'Missing argument value')),
    ...partyErrors('signatories', node.signatories),
    ...partyErrors('stakeholders', node.stakeholders),
    ...keyErrors(node.lfVersion, node.key),
  ];
}

function fetchErrors(node: ProtoFetch): readonly Issue[] {
  const unsupported = versionErrors(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...headErrors(node),
    ...partyErrors('actingParties', node.actingParties),
    ...partyErrors('signatories', node.signatories),
    ...partyErrors('stakeholders', node.stakeholders),
    ...keyErrors(node.lfVersion, node.key),
    ...byKeyErrors(node),
    ...inMember('interfaceId', node.interfaceId ? identifierErrors(node.interfaceId) : []),
  ];
}

function exerciseErrors(node: ProtoExercise): readonly Issue[] {
  const unsupported = versionErrors(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...headErrors(node),
    ...inMember('interfaceId', node.interfaceId ? identifierErrors(node.interfaceId) : []),
    ...inMember('choiceId', errorOf(nameError(node.choiceId))),
    ...partyErrors('actingParties', node.actingParties),
    ...inMember('chosenValue', errorOf(node.chosenValue ? undefined : 'empty value')),
    ...partyErrors('stakeholders', node.stakeholders),
    ...partyErrors('signatories', node.signatories),
    ...inMember(
      'choiceObservers',
      firstOf(node.choiceObservers, (each) => errorOf(partyError(each))),
    ),
    ...inMember('children', firstOf(node.children, nodeIdErrors)),
    ...keyErrors(node.lfVersion, node.key),
    ...byKeyErrors(node),
  ];
}

function queryErrors(node: ProtoQueryByKey): readonly Issue[] {
  const unsupported = versionErrors(node.lfVersion);
  if (unsupported.length > 0) return unsupported;
  return [
    ...inMember('packageName', errorOf(packageNameError(node.packageName))),
    ...inMember('templateId', templateErrors(node.templateId)),
    ...(node.key
      ? inMember('key', globalKeyErrors(node.lfVersion, node.key))
      : [['empty value', 'key'] as const]),
    ...node.result.flatMap((id, index) => inMember(`result(${index})`, contractIdErrors(id))),
  ];
}

function headErrors({
  contractId,
  packageName,
  templateId,
}: Pick<ProtoCreate, 'contractId' | 'packageName' | 'templateId'>): readonly Issue[] {
  return [
    ...inMember('contractId', contractIdErrors(contractId)),
    ...inMember('packageName', errorOf(packageNameError(packageName))),
    ...inMember('templateId', templateErrors(templateId)),
  ];
}

function contractIdErrors(id: string): readonly Issue[] {
  const isHexadecimal = id.length % 2 === 0 && /^[0-9a-f]*$/.test(id);
  return errorOf(isHexadecimal ? contractIdBytesError(id) : `cannot parse HexString ${id}`);
}

function templateErrors(id: ProtoIdentifier | undefined): readonly Issue[] {
  return id === undefined ? errorOf('empty value') : identifierErrors(id);
}

/** NOTE: a participant prints the whole status here, with a code before it. */
function identifierErrors({
  packageId,
  moduleName,
  entityName,
}: ProtoIdentifier): readonly Issue[] {
  return errorOf(
    dottedNameError(moduleName) ?? dottedNameError(entityName) ?? packageIdError(packageId),
  );
}

function partyErrors(member: string, parties: readonly string[]): readonly Issue[] {
  return parties.flatMap((party, index) => textErrors(`${member}(${index})`, partyError, party));
}

function textErrors(member: string, rule: TextRule, text: string): readonly Issue[] {
  return inMember(member, errorOf(rule(text)));
}

function keyErrors(version: string, key: ProtoKeyWithMaintainers | undefined): readonly Issue[] {
  return key === undefined ? [] : inMember('keyOpt', globalKeyErrors(version, key));
}

function globalKeyErrors(
  version: string,
  { key, maintainers }: ProtoKeyWithMaintainers,
): readonly Issue[] {
  if (version === SERIALIZATION_VERSION)
    return [
      [`Keys are not supported in nodes with LF Serialization version ${version}`, 'globalKey'],
    ];
  return [
    ...(key ? [] : [['Empty key in GlobalKeyWithMaintainers', 'globalKey'] as const]),
    ...partyErrors('maintainers', maintainers),
  ];
}

function byKeyErrors({ lfVersion, byKey }: ProtoFetch | ProtoExercise): readonly Issue[] {
  return lfVersion === SERIALIZATION_VERSION && byKey
    ? [[`byKey is not supported in nodes with LF Serialization version ${lfVersion}`, 'byKey']]
    : [];
}
