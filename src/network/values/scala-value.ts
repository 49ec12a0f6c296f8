/** Messages of Daml values as Scala prints the values of Canton's engine: errors show those that do not fit a type. */
import { SCALA_FORMS, scalaOption } from '../../daml/codec/scala-value.js';
import { parseNumeric } from '../../daml/model/numeric.js';
import { compareText } from '../../daml/model/text-order.js';
import type { ProtoIdentifier, ProtoValue } from './messages.js';

const { pair } = SCALA_FORMS;

export function scalaValue(value: ProtoValue = {}): string {
  const { optional, list, textMap, genMap, record, variant } = value;
  if (value.bool !== undefined) return SCALA_FORMS.bool(value.bool);
  if (value.int64 !== undefined) return SCALA_FORMS.int64(value.int64);
  if (value.date !== undefined) return SCALA_FORMS.date(value.date);
  if (value.timestamp !== undefined) return SCALA_FORMS.timestamp(value.timestamp);
  if (value.numeric !== undefined)
    return SCALA_FORMS.numeric(parseNumeric(value.numeric)?.toBigDecimal() ?? value.numeric);
  if (value.party !== undefined) return SCALA_FORMS.party(value.party);
  if (value.text !== undefined) return SCALA_FORMS.text(value.text);
  if (value.contractId !== undefined) return SCALA_FORMS.contractId(value.contractId);
  if (optional !== undefined)
    return SCALA_FORMS.optional(optional.value && scalaValue(optional.value));
  if (list !== undefined) return SCALA_FORMS.list(list.elements.map(scalaValue));
  if (textMap !== undefined)
    return SCALA_FORMS.textMap(
      textMap.entries
        .toSorted((left, right) => compareText(left.key, right.key))
        .map(({ key, value: of }) => pair(key, scalaValue(of))),
    );
  if (genMap !== undefined)
    return SCALA_FORMS.genMap(
      genMap.entries.map(({ key, value: of }) => pair(scalaValue(key), scalaValue(of))),
    );
  if (record !== undefined)
    return SCALA_FORMS.record(
      idOf(record.recordId),
      record.fields.map(({ label, value: of }) =>
        pair(scalaOption(label || undefined), scalaValue(of)),
      ),
    );
  if (variant !== undefined)
    return SCALA_FORMS.variant(
      idOf(variant.variantId),
      variant.constructor,
      scalaValue(variant.value),
    );
  if (value.enum !== undefined)
    return SCALA_FORMS.enum(idOf(value.enum.enumId), value.enum.constructor);
  return SCALA_FORMS.unit;
}

function idOf(id: ProtoIdentifier | undefined): string | undefined {
  return id && `${id.packageId}:${id.moduleName}:${id.entityName}`;
}
