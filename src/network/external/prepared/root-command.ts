/**
 * The command of a prepared transaction, from its root node, in order to run it again.
 * NOTE: a participant reads all nodes and then replays them. Here and in the other files of this folder, errors for
 * missing data have the participant's form but Canticle's words.
 */
import { contractIdError } from '../../../daml/model/contract-id-text.js';
import { dottedNameError, packageIdError } from '../../../daml/model/identifiers.js';
import {
  interfaceDefinition,
  template as templateOf,
  type Choice,
  type PackageLookup,
} from '../../../daml/model/package.js';
import type { Command } from '../../../daml/model/transaction.js';
import { typeId, type DamlType, type TypeId } from '../../../daml/model/types.js';
import type { DamlRecord } from '../../../daml/model/values.js';
import { ProtobufError } from '../../../daml/codec/protobuf/reading.js';
import type { ProtoExercise, ProtoTransaction } from './messages.js';
import type { ProtoIdentifier, ProtoValue } from '../../values/messages.js';
import { translated } from '../../values/reader.js';
import { checkValue } from '../../values/validation.js';
import { bareValue } from './bare.js';

/** @throws ProtobufError for a root that is neither a creation nor an exercise of a known choice; LedgerError for its values */
export function rootCommand(packages: PackageLookup, { roots, nodes }: ProtoTransaction): Command {
  const root = nodes.find(({ nodeId }) => nodeId === roots[0]);
  const { create, exercise } = root?.v1 ?? {};
  if (create !== undefined) {
    const templateId = fromIdentifier(create.templateId);
    const template = templateOf(packages, templateId);
    if (template === undefined) throw new ProtobufError(`unknown template ${templateId}`);
    return {
      kind: 'create',
      templateId,
      payload: decode(packages, template.payloadType, create.argument) as DamlRecord,
    };
  }
  if (exercise !== undefined) return exerciseCommand(packages, exercise);
  throw new ProtobufError('The root node is neither a create nor an exercise');
}

function exerciseCommand(packages: PackageLookup, node: ProtoExercise): Command {
  const { interfaceId, choiceId, contractId, chosenValue } = node;
  const definitionId = fromIdentifier(interfaceId ?? node.templateId);
  const choices =
    interfaceId === undefined
      ? templateOf(packages, definitionId)?.choices
      : interfaceDefinition(packages, definitionId)?.choices;
  const choice = choices?.get(choiceId);
  if (choice === undefined)
    throw new ProtobufError(`unknown choice ${choiceId} of ${definitionId}`);
  if (node.byKey) return byKeyCommand(packages, node, definitionId, choice);
  const error = contractIdError(contractId);
  if (error !== undefined) throw new ProtobufError(error);
  return {
    kind: 'exercise',
    templateId: definitionId,
    contractId,
    choice: choiceId,
    argument: decode(packages, choice.argumentType, chosenValue),
  };
}

function byKeyCommand(
  packages: PackageLookup,
  { key, choiceId, chosenValue }: ProtoExercise,
  templateId: TypeId,
  { argumentType }: Choice,
): Command {
  const type = templateOf(packages, templateId)?.key?.type;
  if (type === undefined) throw new ProtobufError(`template ${templateId} has no key`);
  return {
    kind: 'exerciseByKey',
    templateId,
    key: decode(packages, type, key?.key?.key),
    choice: choiceId,
    argument: decode(packages, argumentType, chosenValue),
  };
}

/** @throws LedgerError for a value of another type */
export function decode(packages: PackageLookup, type: DamlType, value: ProtoValue | undefined) {
  checkValue(value);
  return translated(packages, type, bareValue(value!));
}

function fromIdentifier(id: ProtoIdentifier | undefined): TypeId {
  if (id === undefined) throw new ProtobufError('Field `template_id` is not set');
  const { packageId, moduleName, entityName } = id;
  const error =
    packageIdError(packageId) ?? dottedNameError(moduleName) ?? dottedNameError(entityName);
  if (error !== undefined) throw new ProtobufError(error);
  return typeId(packageId, `${moduleName}:${entityName}`);
}
