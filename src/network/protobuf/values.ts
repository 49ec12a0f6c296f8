/**
 * Converts Daml values to Ledger API messages, with types and labels for signers, and back. As everywhere on the
 * Ledger API, trailing None fields of a record are omitted.
 * NOTE: a participant reads these messages without types, and rejects values one by one, as in commands. Here the type
 * is known while reading, and values of another type get Canticle's error text.
 */
import { contractIdFault } from '../../daml/model/contract-id-text.js';
import { partyFault } from '../../daml/model/identifiers.js';
import { parseNumeric, type Numeric } from '../../daml/model/numeric.js';
import { malformedText } from '../../daml/model/text-order.js';
import { isDate, isTimestamp } from '../../daml/model/time.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../../daml/codec/type-fold.js';
import { splitTypeId, type TypeId } from '../../daml/model/types.js';
import {
  DamlVariant,
  Some,
  UNIT,
  type DamlRecord,
  type DamlValue,
} from '../../daml/model/values.js';
import { ProtoFault } from '../../daml/codec/protobuf/reading.js';
import type { ProtoIdentifier, ProtoValue } from './value-messages.js';

/** How contract ids are written: those that the transaction itself makes have no suffix yet. */
export type RenameContract = (contractId: string) => string;

type Encode = (value: DamlValue, rename: RenameContract) => ProtoValue;
type Decode = (value: ProtoValue | undefined) => DamlValue;

export function toIdentifier(id: TypeId): ProtoIdentifier {
  const { packageId, module, entity } = splitTypeId(id);
  return { packageId, moduleName: module, entityName: entity };
}

export const encoderOf = typeCompiler<Encode>(() => ({
  scalar: scalarEncoder,
  optional: (of, compile) => {
    const encode = compile(of);
    return (value, rename) => ({
      optional: { value: value === null ? undefined : encode((value as Some).value, rename) },
    });
  },
  list: (of) => (value, rename) => ({
    list: { elements: (value as readonly DamlValue[]).map((each) => of(each, rename)) },
  }),
  textMap: (of) => (value, rename) => ({
    textMap: {
      entries: [...(value as ReadonlyMap<string, DamlValue>)].map(([key, each]) => ({
        key,
        value: of(each, rename),
      })),
    },
  }),
  genMap: (key, of) => (value, rename) => ({
    genMap: {
      entries: (value as readonly (readonly [DamlValue, DamlValue])[]).map((entry) => ({
        key: key(entry[0], rename),
        value: of(entry[1], rename),
      })),
    },
  }),
  record: (fields, id) => {
    const recordId = toIdentifier(id);
    return (value, rename) => {
      const record = value as DamlRecord;
      let length = fields.length;
      while (length > 0 && isNone(fields[length - 1]!, record)) length -= 1;
      const present = fields.slice(0, length);
      return {
        record: {
          recordId,
          fields: present.map(({ name, run }) => ({
            label: name,
            value: run(record[name]!, rename),
          })),
        },
      };
    };
  },
  variant: (constructors, id) => {
    const variantId = toIdentifier(id);
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value, rename) => {
      const { tag, value: inner } = value as DamlVariant;
      return { variant: { variantId, constructor: tag, value: cases.get(tag)!(inner, rename) } };
    };
  },
  enumeration: (_, id) => {
    const enumId = toIdentifier(id);
    return (value) => ({ enum: { enumId, constructor: value as string } });
  },
  opaque: (name) => () => {
    throw new TypeError(`Values of ${name} have no message.`);
  },
}));

function isNone({ name, type }: FoldedField<Encode>, record: DamlRecord): boolean {
  return type.kind === 'optional' && record[name] === null;
}

function scalarEncoder(type: ScalarType): Encode {
  switch (type.kind) {
    case 'unit':
      return () => ({ unit: {} });
    case 'numeric':
      return (value) => ({ numeric: (value as Numeric).toString() });
    case 'contractId':
      return (value, rename) => ({ contractId: rename(value as string) });
    default:
      return (value) => ({ [type.kind]: value });
  }
}

/** @throws ProtoFault for a value that is not of the type */
export const decoderOf = typeCompiler<Decode>(() => ({
  scalar: scalarDecoder,
  optional: (of, compile) => {
    const decode = compile(of);
    return (value) => {
      const { value: inner } = member(value, 'optional');
      return inner === undefined ? null : new Some(decode(inner));
    };
  },
  list: (of) => (value) => member(value, 'list').elements.map((each) => of(each)),
  textMap: (of) => (value) =>
    new Map(member(value, 'textMap').entries.map(({ key, value: each }) => [key, of(each)])),
  genMap: (key, of) => (value) =>
    member(value, 'genMap').entries.map((entry) => [key(entry.key), of(entry.value)]),
  record: (fields) => (value) => {
    const given = member(value, 'record').fields;
    if (given.length > fields.length) throw new ProtoFault('unexpected record fields');
    return Object.fromEntries(
      fields.map(({ name, run, type }, index) => {
        const field = given[index];
        if (field === undefined && type.kind === 'optional') return [name, null];
        // By their place: labels only tell signers what they are.
        if (field === undefined) throw new ProtoFault(`missing record field ${name}`);
        return [name, run(field.value)];
      }),
    ) as DamlRecord;
  },
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => {
      const { constructor: tag, value: inner } = member(value, 'variant');
      const decode = cases.get(tag);
      if (decode === undefined) throw new ProtoFault(`unknown variant constructor ${tag}`);
      return new DamlVariant(tag, decode(inner));
    };
  },
  enumeration: (constructors) => (value) => {
    const { constructor: name } = member(value, 'enum');
    if (!constructors.includes(name)) throw new ProtoFault(`unknown enum constructor ${name}`);
    return name;
  },
  opaque: (name) => () => {
    throw new ProtoFault(`${name} has no values`);
  },
}));

function member<K extends keyof ProtoValue>(
  value: ProtoValue | undefined,
  kind: K,
): NonNullable<ProtoValue[K]> {
  const found = value?.[kind];
  if (found === undefined) throw new ProtoFault(`expected a value of kind ${kind}`);
  return found as NonNullable<ProtoValue[K]>;
}

function scalarDecoder(type: ScalarType): Decode {
  const read = <K extends 'text' | 'party' | 'contractId' | 'date' | 'timestamp'>(
    kind: K,
    fault: (value: NonNullable<ProtoValue[K]>) => string | undefined,
  ): Decode => {
    return (value) => {
      const found = member(value, kind);
      const reason = fault(found);
      if (reason !== undefined) throw new ProtoFault(reason);
      return found;
    };
  };
  switch (type.kind) {
    case 'unit':
      return (value) => {
        member(value, 'unit');
        return UNIT;
      };
    case 'numeric':
      return (value) => {
        const text = member(value, 'numeric');
        const numeric = parseNumeric(text)?.rescale(type.scale);
        if (numeric === undefined) throw new ProtoFault(`Could not read Numeric string "${text}"`);
        return numeric;
      };
    case 'party':
      return read('party', partyFault);
    case 'text':
      return read('text', malformedText);
    case 'contractId':
      return read('contractId', contractIdFault);
    case 'date':
      return read('date', (days) => (isDate(days) ? undefined : `out of bound Date ${days}`));
    case 'timestamp':
      return read('timestamp', (micros) =>
        isTimestamp(micros) ? undefined : `out of bound Timestamp ${micros}`,
      );
    case 'bool':
      return (value) => member(value, 'bool');
    case 'int64':
      return (value) => member(value, 'int64');
  }
}
