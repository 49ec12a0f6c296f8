/** Contract ids in values: keys that commands name have none. */
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { typeCompiler } from './type-fold.js';
import type { PackageLookup } from '../model/package.js';
import type { DamlType } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, DamlVariant, Some } from '../model/values.js';

/** Called with each contract id. True ends the search. */
type Visit = (id: ContractId) => boolean;

/** True if the visit ended the search. */
type Visitor = (value: DamlValue, visit: Visit) => boolean;

const none: Visitor = () => false;

function visitEach(values: Iterable<DamlValue>, run: Visitor, visit: Visit): boolean {
  for (const value of values) if (run(value, visit)) return true;
  return false;
}

/** Visits the contract ids in values of a type, in the order of their fields and elements. */
const visitor = typeCompiler<Visitor>(() => ({
  scalar: ({ kind }) =>
    kind === 'contractId' ? (value, visit) => visit(value as ContractId) : none,
  optional: (of, compile) => {
    const run = compile(of);
    return (value, visit) => value !== null && run((value as Some).value, visit);
  },
  list: (of) => (value, visit) => visitEach(value as readonly DamlValue[], of, visit),
  textMap: (of) => (value, visit) =>
    visitEach((value as ReadonlyMap<string, DamlValue>).values(), of, visit),
  genMap: (key, of) => (value, visit) => {
    for (const [at, item] of value as readonly (readonly [DamlValue, DamlValue])[])
      if (key(at, visit) || of(item, visit)) return true;
    return false;
  },
  record: (fields) => (value, visit) => {
    for (const { name, run } of fields) if (run((value as DamlRecord)[name]!, visit)) return true;
    return false;
  },
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value, visit) =>
      cases.get((value as DamlVariant).tag)!((value as DamlVariant).value, visit);
  },
  enumeration: () => none,
  opaque: () => none,
}));

/** The contract ids in a value of the type, each once. */
export function contractIdsIn(
  packages: PackageLookup,
  type: DamlType,
  value: DamlValue,
): readonly ContractId[] {
  const found = new Set<ContractId>();
  visitor(packages, type)(value, (id) => {
    found.add(id);
    return false;
  });
  return [...found];
}

/** Why a key that a command names is refused before any code runs (B-CMD-073). */
export function contractIdInGivenKey(
  packages: PackageLookup,
  type: DamlType,
  key: DamlValue,
): LedgerError | undefined {
  let found: ContractId | undefined;
  visitor(packages, type)(key, (id) => {
    found = id;
    return true;
  });
  if (found === undefined) return undefined;
  return ledgerError(
    'COMMAND_PREPROCESSING_FAILED',
    `Contract IDs are not supported in contract keys: ${found}`,
  );
}
