/** Nodes of a prepared transaction in Scala's format of the engine, which some errors quote. */
import type { ProtoIdentifier } from '../../values/messages.js';
import { scalaValue } from '../../values/scala-value.js';
import type { ProtoCreate, ProtoExercise, ProtoNodeType } from './messages.js';

/** A node that has a seed. */
export function nodeText({ create, exercise }: ProtoNodeType): string {
  return create ? createText(create) : exerciseText(exercise!);
}

function createText(node: ProtoCreate): string {
  const { contractId, packageName, templateId, argument, signatories, stakeholders } = node;
  const parties = [signatories, stakeholders].map(set);
  return `Create(ContractId(${contractId}),${packageName},${id(templateId!)},${scalaValue(argument!)},${parties.join(',')},None,${version(node)})`;
}

function exerciseText(node: ProtoExercise): string {
  const { contractId, packageName, templateId, interfaceId, choiceId, consuming } = node;
  const { actingParties, chosenValue, stakeholders, signatories, choiceObservers } = node;
  return `Exercise(${[
    `ContractId(${contractId})`,
    packageName,
    id(templateId!),
    some(interfaceId, id),
    choiceId,
    String(consuming),
    set(actingParties),
    scalaValue(chosenValue!),
    ...[stakeholders, signatories, choiceObservers].map(set),
    'None',
    `ImmArray(${node.children.map((child) => `NodeId(${child})`).join(',')})`,
    some(node.exerciseResult, scalaValue),
    'None',
    String(node.byKey),
    version(node),
  ].join(',')})`;
}

const version = ({ lfVersion }: { readonly lfVersion: string }): string =>
  lfVersion.startsWith('2.1') ? 'V1' : 'V2';

const set = (parties: readonly string[]): string =>
  `${parties.length > 4 ? 'HashSet' : 'Set'}(${parties.join(', ')})`;

export const id = ({ packageId, moduleName, entityName }: ProtoIdentifier): string =>
  `${packageId}:${moduleName}:${entityName}`;

function some<T>(item: T | undefined, print: (item: T) => string): string {
  return item === undefined ? 'None' : `Some(${print(item)})`;
}
