/**
 * Daml values as Scan writes them: the codec of its `Contract` payloads, its `compact_json` events, and
 * `protobuf_json` (S-ENC-005 to S-ENC-009, S-ENC-011). None is null here, and trailing Nones remain. Instants have
 * 0, 3 or 6 digits (S-GEN-026). Scan encodes the first two with the types of its build. It shows the fields of
 * those types, whichever version wrote the value.
 */
import type { Numeric } from '../../model/numeric.js';
import { setMember } from '../../model/own-members.js';
import type { PackageLookup } from '../../model/package.js';
import {
  packageIdOf,
  qualifiedNameOf,
  type DamlType,
  type QualifiedName,
} from '../../model/types.js';
import { formatDate, formatInstant } from '../../model/time.js';
import { typeCompiler, type ScalarType, type TypeFold } from '../type-fold.js';
import type { DamlRecord, DamlValue, DamlVariant, Some } from '../../model/values.js';
import { plainJson, type JsonEncoder } from './plain-json.js';

type Encode = (packages: PackageLookup, type: DamlType, value: DamlValue) => unknown;

/** A record in the types of a Scan: the number of its first fields, and the fields that later versions added. */
export interface KnownRecord {
  readonly first: number;
  readonly later: readonly string[];
  /** Whether fields beyond those are shown, too. */
  readonly showsOthers?: boolean;
}

export type KnownRecords = (packageName: string, name: QualifiedName) => KnownRecord | undefined;

export interface ScanJson {
  /** A payload in the `Contract` shape: decimals without padding, `0.5`, `1.0` (S-ENC-005). */
  readonly payload: Encode;
  /** `compact_json` of updates, events and ACS: decimals with every digit of their scale (S-ENC-006). */
  readonly event: Encode;
  /**
   * Values of types that a Scan does not have, in the form of the ledger: a record is the list of its fields,
   * unless it is empty (S-ENC-010).
   */
  readonly unknown: Encode;
}

/** The codecs of a Scan with the types of these records. It shows other records as the ledger has them (S-ENC-009). */
export function scanJson(known: KnownRecords): ScanJson {
  const through = (decimal: (value: Numeric) => string): Encode => {
    const encoder = typeCompiler<JsonEncoder>((packages) => compactFold(packages, known, decimal));
    return (packages, type, value) => encoder(packages, type)(value);
  };
  return {
    payload: through((value) => value.toCompact()),
    event: through((value) => value.toString()),
    unknown: (packages, type, value) => unlabelled(packages, type)(value),
  };
}

const NOTHING_KNOWN: KnownRecords = () => undefined;

const unlabelled = typeCompiler<JsonEncoder>((packages) => ({
  ...compactFold(packages, NOTHING_KNOWN, (value) => value.toCompact()),
  record: (fields) => (value) => {
    const members = stored(fields, value as DamlRecord);
    return members.length === 0 ? {} : members;
  },
}));

/** The fields of a record as the ledger stores it, without Nones at its end. */
function stored(
  fields: readonly { readonly name: string; readonly type: DamlType; readonly run: JsonEncoder }[],
  record: DamlRecord,
): unknown[] {
  let length = fields.length;
  while (
    length > 0 &&
    fields[length - 1]!.type.kind === 'optional' &&
    record[fields[length - 1]!.name] === null
  ) {
    length -= 1;
  }
  return fields.slice(0, length).map(({ name, run }) => run(record[name]!));
}

/** `protobuf_json`: the protobuf JSON of a Ledger API value, `{"record":{"fields":[…]}}` (S-ENC-011). */
export function encodeProtobufJson(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
): unknown {
  return protobufJsonEncoder(packages, type)(value);
}

function compactFold(
  packages: PackageLookup,
  known: KnownRecords,
  decimal: (value: Numeric) => string,
): TypeFold<JsonEncoder> {
  return {
    ...plainJson,
    scalar: (type) => compactScalar(type, decimal),
    optional: (of, compile) => {
      const encode = of.kind === 'optional' ? asArray(of.of, compile) : compile(of);
      return (value) => (value === null ? null : encode((value as Some).value));
    },
    record: (fields, id) => {
      const { name: packageName } = packages.package(packageIdOf(id))!;
      const { first, later, showsOthers } = known(packageName, qualifiedNameOf(id)) ?? {
        first: fields.length,
        later: [],
      };
      const present = showsOthers === true ? fields : fields.slice(0, first + later.length);
      const added = later.slice(Math.max(0, fields.length - first));
      return (value) => {
        const json: Record<string, unknown> = {};
        for (const { name, run } of present)
          setMember(json, name, run((value as DamlRecord)[name]!));
        for (const name of added) setMember(json, name, null);
        return json;
      };
    },
  };
}

/** An Optional within an Optional is an array of at most one element, so that `Some None` is not null. */
function asArray(of: DamlType, compile: (type: DamlType) => JsonEncoder): JsonEncoder {
  const encode = of.kind === 'optional' ? asArray(of.of, compile) : compile(of);
  return (value) => (value === null ? [] : [encode((value as Some).value)]);
}

function compactScalar(type: ScalarType, decimal: (value: Numeric) => string): JsonEncoder {
  switch (type.kind) {
    case 'unit':
      return () => ({});
    case 'int64':
      return (value) => String(value);
    case 'numeric':
      return (value) => decimal(value as Numeric);
    case 'timestamp':
      return (value) => formatInstant(value as bigint);
    case 'date':
      return (value) => formatDate(value as number);
    default:
      return (value) => value;
  }
}

/** Labels and type ids are absent, and so are trailing Nones, as the ledger stores its values. */
const protobufJsonEncoder = typeCompiler<JsonEncoder>(() => ({
  scalar: protobufScalar,
  optional: (of, compile) => {
    const encode = compile(of);
    return (value) => ({
      optional: value === null ? {} : { value: encode((value as Some).value) },
    });
  },
  list: (of) => (value) => ({
    list: repeated('elements', (value as readonly DamlValue[]).map(of)),
  }),
  textMap: (of) => (value) => ({
    textMap: repeated(
      'entries',
      [...(value as ReadonlyMap<string, DamlValue>)].map(([key, member]) => ({
        // Protobuf JSON leaves out a field with the default value.
        ...(key === '' ? {} : { key }),
        value: of(member),
      })),
    ),
  }),
  genMap: (key, value) => (map) => ({
    genMap: repeated(
      'entries',
      (map as readonly (readonly [DamlValue, DamlValue])[]).map((entry) => ({
        key: key(entry[0]),
        value: value(entry[1]),
      })),
    ),
  }),
  record: (fields) => (value) => ({
    record: repeated(
      'fields',
      stored(fields, value as DamlRecord).map((field) => ({ value: field })),
    ),
  }),
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      return { variant: { constructor: tag, value: cases.get(tag)!(inner) } };
    };
  },
  enumeration: () => (value) => ({ enum: { constructor: value } }),
  opaque: plainJson.opaque,
}));

function protobufScalar(type: ScalarType): JsonEncoder {
  switch (type.kind) {
    case 'unit':
      return () => ({ unit: {} });
    case 'int64':
      return (value) => ({ int64: String(value) });
    case 'timestamp':
      return (value) => ({ timestamp: String(value) });
    case 'numeric':
      return (value) => ({ numeric: (value as Numeric).toString() });
    default:
      return (value) => ({ [type.kind]: value });
  }
}

function repeated(name: string, items: readonly unknown[]): Record<string, unknown> {
  return items.length === 0 ? {} : { [name]: items };
}
