/** Contract ids in values: keys that commands name have none. */
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { typeCompiler } from './type-fold.js';
import type { PackageLookup } from '../model/package.js';
import type { DamlType } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, DamlVariant, Some } from '../model/values.js';

type Finder = (value: DamlValue) => ContractId | undefined;

const none: Finder = () => undefined;

function firstIn(values: Iterable<DamlValue>, find: Finder): ContractId | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Finds the first contract id in values of a type, in the order of their fields and elements. */
const finder = typeCompiler<Finder>(() => ({
  scalar: ({ kind }) => (kind === 'contractId' ? (value) => value as ContractId : none),
  optional: (of, compile) => {
    const find = compile(of);
    return (value) => (value === null ? undefined : find((value as Some).value));
  },
  list: (of) => (value) => firstIn(value as readonly DamlValue[], of),
  textMap: (of) => (value) => firstIn((value as ReadonlyMap<string, DamlValue>).values(), of),
  genMap: (key, of) => (value) => {
    for (const [at, item] of value as readonly (readonly [DamlValue, DamlValue])[]) {
      const found = key(at) ?? of(item);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  record: (fields) => (value) => {
    for (const { name, run } of fields) {
      const found = run((value as DamlRecord)[name]!);
      if (found !== undefined) return found;
    }
    return undefined;
  },
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => cases.get((value as DamlVariant).tag)!((value as DamlVariant).value);
  },
  enumeration: () => none,
  opaque: () => none,
}));

/** Why a key that a command names is refused before any code runs (B-CMD-073). */
export function contractIdInGivenKey(
  packages: PackageLookup,
  type: DamlType,
  key: DamlValue,
): LedgerError | undefined {
  const found = finder(packages, type)(key);
  if (found === undefined) return undefined;
  return ledgerError(
    'COMMAND_PREPROCESSING_FAILED',
    `Contract IDs are not supported in contract keys: ${found}`,
  );
}
