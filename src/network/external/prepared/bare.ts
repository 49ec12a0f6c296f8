/**
 * A prepared transaction without the data for signers: types and labels in values, and results of exercises. A
 * participant submits this form; the confirming participants compute the omitted data (B-INT-040).
 */
import type { ProtoValue } from '../../values/messages.js';
import {
  PreparedTransactionMessage,
  type ProtoKeyWithMaintainers,
  type ProtoNodeType,
  type ProtoTransaction,
} from './messages.js';

/** The kind of difference: already in the submitted form, or only in the data for signers. */
export function difference(
  one: ProtoTransaction,
  other: ProtoTransaction,
): 'submitted' | 'shown' | undefined {
  const { isSame } = PreparedTransactionMessage;
  if (isSame(one, other)) return undefined;
  return isSame(bareTransaction(one), bareTransaction(other)) ? 'shown' : 'submitted';
}

function bareTransaction(transaction: ProtoTransaction): ProtoTransaction {
  const nodes = transaction.nodes.map(({ nodeId, v1 }) => ({ nodeId, v1: v1 && bareNode(v1) }));
  return { ...transaction, nodes };
}

const RETURNED: ProtoValue = { unit: {} };

function bareNode({ create, exercise, fetch, queryByKey, rollback }: ProtoNodeType): ProtoNodeType {
  if (create)
    return {
      create: { ...create, argument: maybeBare(create.argument), key: bareKey(create.key) },
    };
  if (fetch) return { fetch: { ...fetch, key: bareKey(fetch.key) } };
  if (queryByKey) return { queryByKey: { ...queryByKey, key: bareKey(queryByKey.key) } };
  if (rollback || exercise === undefined) return { rollback };
  return {
    exercise: {
      ...exercise,
      chosenValue: maybeBare(exercise.chosenValue),
      exerciseResult: exercise.exerciseResult && RETURNED,
      key: bareKey(exercise.key),
    },
  };
}

function bareKey(given: ProtoKeyWithMaintainers | undefined): ProtoKeyWithMaintainers | undefined {
  return given?.key && { ...given, key: { ...given.key, key: maybeBare(given.key.key) } };
}

const maybeBare = (value: ProtoValue | undefined): ProtoValue | undefined =>
  value && bareValue(value);

export function bareValue(value: ProtoValue): ProtoValue {
  const { optional, list, textMap, genMap, record, variant } = value;
  if (record) {
    const fields = record.fields.map((field) => ({ label: '', value: maybeBare(field.value) }));
    while (fields.length > 0 && isNone(fields.at(-1)!.value)) fields.pop();
    return { record: { fields } };
  }
  if (variant)
    return { variant: { constructor: variant.constructor, value: maybeBare(variant.value) } };
  if (value.enum) return { enum: { constructor: value.enum.constructor } };
  if (optional) return { optional: { value: maybeBare(optional.value) } };
  if (list) return { list: { elements: list.elements.map(bareValue) } };
  if (textMap) {
    const entries = textMap.entries.map(({ key, value: item }) => ({
      key,
      value: maybeBare(item),
    }));
    return { textMap: { entries } };
  }
  if (genMap) {
    const entries = genMap.entries.map(({ key, value: item }) => ({
      key: maybeBare(key),
      value: maybeBare(item),
    }));
    return { genMap: { entries } };
  }
  return value;
}

const isNone = (value: ProtoValue | undefined): boolean =>
  value?.optional !== undefined && value.optional.value === undefined;
