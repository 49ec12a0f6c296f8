/** Nodes and values of a prepared transaction in Scala's format of the engine, which some errors quote. */
import { formatDate, formatInstant } from '../../../daml/model/time.js';
import type { ProtoIdentifier, ProtoValue } from '../../protobuf/value-messages.js';
import type { ProtoCreate, ProtoExercise, ProtoNodeType } from './messages.js';

/** A node that has a seed. */
export function nodeText({ create, exercise }: ProtoNodeType): string {
  return create ? createText(create) : exerciseText(exercise!);
}

function createText(node: ProtoCreate): string {
  const { contractId, packageName, templateId, argument, signatories, stakeholders } = node;
  const parties = [signatories, stakeholders].map(set);
  return `Create(ContractId(${contractId}),${packageName},${id(templateId!)},${valueText(argument!)},${parties.join(',')},None,${version(node)})`;
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
    valueText(chosenValue!),
    ...[stakeholders, signatories, choiceObservers].map(set),
    'None',
    `ImmArray(${node.children.map((child) => `NodeId(${child})`).join(',')})`,
    some(node.exerciseResult, valueText),
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

/** With the types and labels in the value. */
export function valueText(value: ProtoValue): string {
  const { optional, list, textMap, genMap, record, variant } = value;
  if (record) {
    const fields = record.fields.map(
      ({ label, value: field }) => `(${some(label || undefined, String)},${inner(field)})`,
    );
    return `Record(${some(record.recordId, id)},ImmArray(${fields.join(',')}))`;
  }
  if (variant)
    return `Variant(${some(variant.variantId, id)},${variant.constructor},${inner(variant.value)})`;
  if (value.enum) return `Enum(${some(value.enum.enumId, id)},${value.enum.constructor})`;
  if (optional) return `Optional(${some(optional.value, valueText)})`;
  if (list) return `List(FrontStack(${list.elements.map(valueText).join(',')}))`;
  if (textMap) {
    const entries = textMap.entries.map(({ key, value: item }) => `(${key},${inner(item)})`);
    return `TextMap(SortedLookupList(${entries.join(',')}))`;
  }
  if (genMap) {
    const entries = genMap.entries.map(({ key, value: item }) => `(${inner(key)},${inner(item)})`);
    return `GenMap(${entries.join(',')})`;
  }
  return scalarText(value);
}

const inner = (value: ProtoValue | undefined): string => valueText(value ?? {});

function scalarText(value: ProtoValue): string {
  const { bool, int64, date, timestamp, numeric, party, text, contractId } = value;
  if (bool !== undefined) return `Bool(${bool})`;
  if (int64 !== undefined) return `Int64(${int64})`;
  if (date !== undefined) return `Date(${formatDate(date)})`;
  if (timestamp !== undefined) return `Timestamp(${formatInstant(timestamp)})`;
  if (numeric !== undefined) return `Numeric(${numeric})`;
  if (party !== undefined) return `Party(${party})`;
  if (text !== undefined) return `Text(${text})`;
  if (contractId !== undefined) return `ContractId(ContractId(${contractId}))`;
  return 'Unit';
}
