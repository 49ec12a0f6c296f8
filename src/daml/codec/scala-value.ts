/**
 * Prints values as Scala prints the values of Canton's engine, `List(FrontStack(Int64(1)))`. Canton's errors show
 * this form for a value that does not fit a type, and where they lack a printer. NOTE: releases 3.5 and 3.6 use
 * these names; in 3.4 the classes have other names, `ValueInt64(1)`.
 */
import type { Numeric } from '../model/numeric.js';
import type { PackageLookup } from '../model/package.js';
import { formatDate, formatInstant } from '../model/time.js';
import { typeCompiler, type FoldedField, type ScalarType } from './type-fold.js';
import type { DamlType } from '../model/types.js';
import {
  storedMembers,
  type DamlRecord,
  type DamlValue,
  type DamlVariant,
  type Some,
} from '../model/values.js';

type Print = (value: DamlValue, isLabelled: boolean) => string;

const applied =
  (name: string, inner?: string) =>
  (items: readonly string[]): string =>
    inner === undefined ? `${name}(${items.join(',')})` : `${name}(${inner}(${items.join(',')}))`;

/** Scala's text for each kind of value. It receives the texts of the inner values. */
export const SCALA_FORMS = {
  unit: 'Unit',
  bool: (value: boolean) => `Bool(${value})`,
  int64: (value: bigint) => `Int64(${value})`,
  text: (value: string) => `Text(${value})`,
  party: (value: string) => `Party(${value})`,
  contractId: (value: string) => `ContractId(ContractId(${value}))`,
  timestamp: (value: bigint) => `Timestamp(${formatInstant(value)})`,
  date: (value: number) => `Date(${formatDate(value)})`,
  numeric: (text: string) => `Numeric(${text})`,
  optional: (of: string | undefined) => `Optional(${scalaOption(of)})`,
  list: applied('List', 'FrontStack'),
  /** Takes pairs. */
  textMap: applied('TextMap', 'SortedLookupList'),
  genMap: applied('GenMap'),
  pair: (key: string, value: string) => `(${key},${value})`,
  /** @param id the id of its type, if the text shows it */
  record: (id: string | undefined, fields: readonly string[]) =>
    `Record(${scalaOption(id)},ImmArray(${fields.join(',')}))`,
  variant: (id: string | undefined, tag: string, of: string) =>
    `Variant(${scalaOption(id)},${tag},${of})`,
  enum: (id: string | undefined, name: string) => `Enum(${scalaOption(id)},${name})`,
} as const;

export function scalaOption(of: string | undefined): string {
  return of === undefined ? 'None' : `Some(${of})`;
}

/**
 * @param isLabelled whether the text has the names of fields and every None, as in a command; by default it has the
 * stored form
 */
export function scalaValue(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
  isLabelled = false,
): string {
  return printerOf(packages, type)(value, isLabelled);
}

const { pair } = SCALA_FORMS;

const printerOf = typeCompiler<Print>(() => ({
  scalar,
  optional: (of, compile) => {
    const print = compile(of);
    return (value, isLabelled) =>
      SCALA_FORMS.optional(value === null ? undefined : print((value as Some).value, isLabelled));
  },
  list: (of) => (value, isLabelled) =>
    SCALA_FORMS.list((value as readonly DamlValue[]).map((item) => of(item, isLabelled))),
  textMap: (of) => (value, isLabelled) => {
    const entries = [...(value as ReadonlyMap<string, DamlValue>)];
    return SCALA_FORMS.textMap(entries.map(([key, item]) => pair(key, of(item, isLabelled))));
  },
  genMap: (key, of) => (value, isLabelled) => {
    const entries = value as readonly (readonly [DamlValue, DamlValue])[];
    return SCALA_FORMS.genMap(
      entries.map(([at, item]) => pair(key(at, isLabelled), of(item, isLabelled))),
    );
  },
  record,
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value, isLabelled) => {
      const { tag, value: inner } = value as DamlVariant;
      return SCALA_FORMS.variant(undefined, tag, cases.get(tag)!(inner, isLabelled));
    };
  },
  enumeration: () => (value) => SCALA_FORMS.enum(undefined, String(value)),
  opaque: (name) => () => name,
}));

function record(fields: readonly FoldedField<Print>[]): Print {
  return (value, isLabelled) => {
    const members = isLabelled
      ? Object.values(value as DamlRecord)
      : storedMembers(value as DamlRecord);
    const texts = members.map((member, place) => {
      const { name, run } = fields[place]!;
      return pair(scalaOption(isLabelled ? name : undefined), run(member, isLabelled));
    });
    return SCALA_FORMS.record(undefined, texts);
  };
}

function scalar({ kind }: ScalarType): Print {
  if (kind === 'unit') return () => SCALA_FORMS.unit;
  if (kind === 'numeric')
    return (value, isLabelled) => {
      const numeric = value as Numeric;
      return SCALA_FORMS.numeric(isLabelled ? numeric.toCompact() : numeric.toBigDecimal());
    };
  return SCALA_FORMS[kind] as Print;
}
