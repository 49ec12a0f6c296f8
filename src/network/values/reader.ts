/**
 * Daml values from the messages of requests, in the participant's two steps: its validator checks the message
 * alone, its preprocessor then fits it to the type. Each step reports its first error.
 */
import { comparisonOf } from '../../daml/codec/compare.js';
import { genMapOf, textMapOf } from '../../daml/codec/map-order.js';
import { prettyType } from '../../daml/codec/pretty.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../../daml/codec/type-fold.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { MAX_NESTING } from '../../daml/errors/limits.js';
import { unsuffixedError } from '../../daml/model/contract-id-text.js';
import { missingField } from '../../daml/model/identifiers.js';
import { parseNumeric, rescaleError } from '../../daml/model/numeric.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { compareText, malformedText } from '../../daml/model/text-order.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import {
  DamlVariant,
  Some,
  UNIT,
  type DamlRecord,
  type DamlValue,
} from '../../daml/model/values.js';
import {
  GivenValue,
  RecordMessage,
  Value,
  type ProtoIdentifier,
  type ProtoValue,
} from './messages.js';
import { scalaValue } from './scala-value.js';
import { checkRecord, checkValue } from './validation.js';

type Translate = (value: ProtoValue, depth: number) => DamlValue;
type RecordFields = NonNullable<ProtoValue['record']>['fields'];

/**
 * The value of a request, as the validator reads it regardless of its type.
 * @param given undefined if the value is missing
 * @throws LedgerError; ProtobufError for bytes that are not a value
 */
export function validated(given: unknown, field: string): ProtoValue {
  if (!(given instanceof GivenValue)) throw missingField(field);
  const { kind, bytes } = given;
  if (kind === 'value') {
    const value = Value.decode(bytes);
    checkValue(value);
    return value;
  }
  const record = RecordMessage.decode(bytes);
  checkRecord(record);
  return { record };
}

/** @throws LedgerError COMMAND_PREPROCESSING_FAILED for a value of another type */
export function translated(packages: PackageLookup, type: DamlType, value: ProtoValue): DamlValue {
  return translator(packages, type)(value, 0);
}

function mismatch(reason: string): LedgerError {
  return ledgerError('COMMAND_PREPROCESSING_FAILED', reason);
}

function member<K extends keyof ProtoValue>(
  value: ProtoValue,
  kind: K,
  type: DamlType,
): NonNullable<ProtoValue[K]> {
  const found = value[kind];
  if (found !== undefined) return found as NonNullable<ProtoValue[K]>;
  throw mismatch(`mismatching type: ${prettyType(type)} and value: ${scalaValue(value)}`);
}

const nested =
  (translate: Translate): Translate =>
  (value, depth) => {
    if (depth > MAX_NESTING)
      throw mismatch(`Provided value exceeds maximum nesting level of ${MAX_NESTING}`);
    return translate(value, depth + 1);
  };

const translator = typeCompiler<Translate>((packages) => ({
  scalar: (type) => nested(scalar(type)),
  optional: (of, compile, type) => {
    const translate = compile(of);
    return nested((value, depth) => {
      const { value: inner } = member(value, 'optional', type);
      return inner === undefined ? null : new Some(translate(inner, depth));
    });
  },
  list: (of, type) =>
    nested((value, depth) => member(value, 'list', type).elements.map((each) => of(each, depth))),
  textMap: (of, type) =>
    nested((value, depth) => {
      const { entries } = member(value, 'textMap', type);
      // The first error counts, in the order of the keys.
      const sorted = entries.toSorted((left, right) => compareText(left.key, right.key));
      return textMapOf(sorted.map(({ key, value: each }) => [wellFormed(key), of(each!, depth)]));
    }),
  genMap: (key, of, type) => {
    const compare = comparisonOf(packages, type.key);
    return nested((value, depth) => {
      const { entries } = member(value, 'genMap', type);
      return genMapOf(
        entries.map((each) => [key(each.key!, depth), of(each.value!, depth)] as const),
        compare,
      );
    });
  },
  record: (fields, id, type) =>
    nested((value, depth) => {
      const record = member(value, 'record', type);
      requireType(id, record.recordId);
      const { chosen, extra } =
        labelled(fields, record.fields) ?? placed(fields, record.fields, id);
      const translated = fields.map(({ name, run }, index) => {
        const given = chosen[index];
        return [name, given === undefined ? null : run(given, depth)];
      });
      extra.forEach(requireDroppable);
      return Object.fromEntries(translated) as DamlRecord;
    }),
  variant: (constructors, id, type) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return nested((value, depth) => {
      const { variantId, constructor: tag, value: inner } = member(value, 'variant', type);
      requireType(id, variantId);
      const translate = cases.get(tag);
      if (translate === undefined) throw unknownConstructor(id, tag, 'variant');
      return new DamlVariant(tag, translate(inner!, depth));
    });
  },
  enumeration: (constructors, id, type) =>
    nested((value) => {
      const { enumId, constructor: name } = member(value, 'enum', type);
      requireType(id, enumId);
      if (!constructors.includes(name)) throw unknownConstructor(id, name, 'enumeration');
      return name;
    }),
  opaque: (name) => () => {
    throw mismatch(`${name} has no values`);
  },
}));

function unknownConstructor(id: TypeId, name: string, kind: string): LedgerError {
  return mismatch(`unknown constructor ${name} in ${kind} ${id}`);
}

/** The package does not matter: the value may be of another version. */
function requireType(id: TypeId, given: ProtoIdentifier | undefined): void {
  if (given === undefined) return;
  const wanted = id.slice(id.indexOf(':') + 1);
  const found = `${given.moduleName}:${given.entityName}`;
  if (found !== wanted)
    throw mismatch(
      `Mismatching variant id, the type tells us ${wanted}, but the value tells us ${found}`,
    );
}

interface Fitted {
  /** By the type's fields; undefined for a missing field, which is None. */
  readonly chosen: readonly (ProtoValue | undefined)[];
  readonly extra: RecordFields;
}

/** Where each field has a label their order does not matter; undefined where one has none. */
function labelled(
  fields: readonly FoldedField<Translate>[],
  given: RecordFields,
): Fitted | undefined {
  const byLabel = new Map<string, ProtoValue>();
  for (const { label, value } of given) {
    if (label === '') return undefined;
    if (byLabel.has(label)) throw mismatch(`Duplicate label ${label} in record`);
    byLabel.set(label, value!);
  }
  const names = new Set(fields.map(({ name }) => name));
  return {
    chosen: fields.map((field) => byLabel.get(field.name) ?? absent(field)),
    extra: given.filter(({ label }) => !names.has(label)),
  };
}

function placed(
  fields: readonly FoldedField<Translate>[],
  given: RecordFields,
  id: TypeId,
): Fitted {
  const chosen = fields.map((field, index) => {
    const found = given[index];
    if (found === undefined) return absent(field);
    if (found.label !== '' && found.label !== field.name)
      throw mismatch(
        `Mismatching record field label '${found.label}' (expecting '${field.name}') for record ${id}`,
      );
    return found.value;
  });
  return { chosen, extra: given.slice(fields.length) };
}

function absent({ name, type }: FoldedField<Translate>): undefined {
  if (type.kind !== 'optional')
    throw mismatch(`Missing non-optional field "${name}", cannot upgrade non-optional fields.`);
  return undefined;
}

function requireDroppable({ label, value }: RecordFields[number]): void {
  const suffix = label === '' ? '' : ` ("${label}")`;
  if (value?.optional === undefined)
    throw mismatch(
      `Found non-optional extra field${label === '' ? '' : ` "${label}"`}, cannot remove for downgrading.`,
    );
  if (value.optional.value !== undefined)
    throw mismatch(
      `An optional contract field${suffix} with a value of Some may not be dropped during downgrading.`,
    );
}

function wellFormed(text: string): string {
  const error = malformedText(text);
  if (error !== undefined) throw mismatch(error);
  return text;
}

function scalar(type: ScalarType): Translate {
  switch (type.kind) {
    case 'unit':
      return (value) => {
        member(value, 'unit', type);
        return UNIT;
      };
    case 'numeric':
      return (value) => {
        const given = parseNumeric(member(value, 'numeric', type))!;
        const numeric = given.rescale(type.scale);
        if (numeric === undefined) throw mismatch(rescaleError(given, type.scale));
        return numeric;
      };
    case 'text':
      return (value) => wellFormed(member(value, 'text', type));
    case 'contractId':
      return (value) => {
        const id = member(value, 'contractId', type);
        const error = unsuffixedError(id);
        if (error !== undefined) throw mismatch(error);
        return id;
      };
    default:
      return (value) => member(value, type.kind, type) as DamlValue;
  }
}
