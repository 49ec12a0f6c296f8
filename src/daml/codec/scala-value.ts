/**
 * Values as Scala prints those of Canton's engine, `List(FrontStack(Int64(1)))`: it shows them so where they do not fit a type, and
 * where it forgets to print them.
 * NOTE: as releases 3.5 and 3.6 do; in 3.4 the classes had other names, `ValueInt64(1)`.
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

/** @param isLabelled whether as a command has it, with the names of fields and every None; by default as a ledger keeps it */
export function scalaValue(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
  isLabelled = false,
): string {
  return printerOf(packages, type)(value, isLabelled);
}

const printerOf = typeCompiler<Print>(() => ({
  scalar,
  optional: (of, compile) => {
    const print = compile(of);
    return (value, isLabelled) =>
      `Optional(${value === null ? 'None' : `Some(${print((value as Some).value, isLabelled)})`})`;
  },
  list: (of) => (value, isLabelled) => {
    const items = (value as readonly DamlValue[]).map((item) => of(item, isLabelled));
    return `List(FrontStack(${items.join(',')}))`;
  },
  textMap: (of) => (value, isLabelled) => {
    const entries = [...(value as ReadonlyMap<string, DamlValue>)];
    const texts = entries.map(([key, item]) => `(${key},${of(item, isLabelled)})`);
    return `TextMap(SortedLookupList(${texts.join(',')}))`;
  },
  genMap: (key, of) => (value, isLabelled) => {
    const entries = value as readonly (readonly [DamlValue, DamlValue])[];
    const texts = entries.map(([at, item]) => `(${key(at, isLabelled)},${of(item, isLabelled)})`);
    return `GenMap(${texts.join(',')})`;
  },
  record,
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value, isLabelled) => {
      const { tag, value: inner } = value as DamlVariant;
      return `Variant(None,${tag},${cases.get(tag)!(inner, isLabelled)})`;
    };
  },
  enumeration: () => (value) => `Enum(None,${String(value)})`,
  opaque: (name) => () => name,
}));

function record(fields: readonly FoldedField<Print>[]): Print {
  return (value, isLabelled) => {
    const members = isLabelled
      ? Object.values(value as DamlRecord)
      : storedMembers(value as DamlRecord);
    const texts = members.map((member, place) => {
      const { name, run } = fields[place]!;
      return `(${isLabelled ? `Some(${name})` : 'None'},${run(member, isLabelled)})`;
    });
    return `Record(None,ImmArray(${texts.join(',')}))`;
  };
}

function scalar({ kind }: ScalarType): Print {
  switch (kind) {
    case 'unit':
      return () => 'Unit';
    case 'bool':
      return (value) => `Bool(${String(value)})`;
    case 'int64':
      return (value) => `Int64(${String(value)})`;
    case 'text':
      return (value) => `Text(${String(value)})`;
    case 'party':
      return (value) => `Party(${String(value)})`;
    case 'contractId':
      return (value) => `ContractId(ContractId(${String(value)}))`;
    case 'timestamp':
      return (value) => `Timestamp(${formatInstant(value as bigint)})`;
    case 'date':
      return (value) => `Date(${formatDate(value as number)})`;
    case 'numeric':
      return (value, isLabelled) => {
        const numeric = value as Numeric;
        return `Numeric(${isLabelled ? numeric.toCompact() : numeric.toBigDecimal()})`;
      };
  }
}
