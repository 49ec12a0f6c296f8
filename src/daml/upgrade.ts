/**
 * Contracts of one version of a package as another version has them: fields at the end may come, as None, or go where
 * they are None. The signatories, observers and key must come out as they were.
 */
import { ledgerError } from './ledger-error.js';
import { Numeric } from './numeric.js';
import type { PackageLookup, Template } from './package.js';
import type { ContractInstance, ContractKey } from './transaction.js';
import { typeCompiler } from './type-fold.js';
import type { DamlType } from './types.js';
import {
  DamlVariant,
  Some,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Party,
} from './values.js';
import { setMember } from './own-members.js';
import * as refuse from './upgrade-refusals.js';

/** The value does not fit the type. */
class Mismatch extends Error {
  constructor(readonly reason: refuse.TranslationFault) {
    super(reason.message);
  }
}

type Translate = (value: DamlValue) => DamlValue;

const translationOf = typeCompiler<Translate>(() => ({
  scalar: () => (value) => value,
  optional: (of, compile) => {
    const run = compile(of);
    return (value) => (value === null ? null : new Some(run((value as Some).value)));
  },
  list: (of) => (value) => (value as readonly DamlValue[]).map((item) => of(item)),
  textMap: (of) => (value) =>
    new Map(
      [...(value as ReadonlyMap<string, DamlValue>)].map(([key, item]) => [key, of(item)] as const),
    ),
  genMap: (key, of) => (value) =>
    (value as readonly (readonly [DamlValue, DamlValue])[]).map(
      ([at, item]) => [key(at), of(item)] as const,
    ),
  // Fields correspond by their position.
  record: (fields, id) => (value) => {
    const given = Object.values(value as DamlRecord);
    const fail = (message: string, preprocessing = message): never => {
      throw new Mismatch({ message, preprocessing, expected: id, value });
    };
    given.slice(fields.length).forEach((extra, index) => {
      const place = fields.length + index;
      const label = Object.keys(value as DamlRecord)[place];
      if (extra instanceof Some)
        fail(
          `Found an optional contract field with a value of Some at index ${place}, may not be dropped during downgrading.`,
          `An optional contract field ("${label}") with a value of Some may not be dropped during downgrading.`,
        );
      if (extra !== null)
        fail(
          `Found non-optional extra field at index ${place}, cannot remove for downgrading.`,
          `Found non-optional extra field "${label}", cannot remove for downgrading.`,
        );
    });
    const record: Record<string, DamlValue> = {};
    fields.forEach(({ name, run, type }, index) => {
      const member = given[index];
      if (member !== undefined) setMember(record, name, run(member));
      else if (type.kind === 'optional') setMember(record, name, null);
      else fail('Unexpected non-optional extra template field type encountered during upgrading.');
    });
    return record;
  },
  variant: (constructors, id) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      const run = cases.get(tag);
      if (run === undefined)
        throw new Mismatch({ message: `unknown constructor ${tag} in variant ${id}` });
      return new DamlVariant(tag, run(inner));
    };
  },
  enumeration: (constructors, id) => (value) => {
    if (!constructors.includes(value as string))
      throw new Mismatch({
        message: `unknown constructor ${String(value)} in enumeration ${id}`,
      });
    return value;
  },
  opaque: (name) => () => {
    throw new Mismatch({ message: `${name} has no serializable values` });
  },
}));

/** A payload in the shape of another version of its template. */
export function translate(
  packages: PackageLookup,
  from: Template,
  to: Template,
  payload: DamlRecord,
  contractId: ContractId | undefined,
): DamlRecord {
  try {
    return translationOf(packages, to.payloadType)(payload) as DamlRecord;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw refuse.translationFailed(packages, { from, to, payload, contractId }, error.reason);
  }
}

/** What a command gives, in the shape of another version of its type. @throws LedgerError COMMAND_PREPROCESSING_FAILED */
export function retyped(packages: PackageLookup, type: DamlType, value: DamlValue): DamlValue {
  try {
    return translationOf(packages, type)(value);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const { message, preprocessing = message } = error.reason;
    throw ledgerError('COMMAND_PREPROCESSING_FAILED', preprocessing);
  }
}

/** Refuses a contract whose signatories, observers or key another version of its template sees differently. */
export function checkMetadata(
  packages: PackageLookup,
  contract: ContractInstance,
  target: Template,
  recomputed: refuse.Metadata,
): void {
  const same = (a: readonly Party[], b: readonly Party[]): boolean => a.join() === b.join();
  if (
    same(contract.signatories, recomputed.signatories) &&
    same(contract.observers, recomputed.observers) &&
    contract.packageName === recomputed.packageName &&
    sameKey(contract.key, recomputed.key) &&
    same(contract.key?.maintainers ?? [], recomputed.key?.maintainers ?? [])
  )
    return;
  throw refuse.validationFailed(packages, contract, target, recomputed);
}

/** By value: what the versions call the key's types and fields does not count. */
function sameKey(one: ContractKey | undefined, other: ContractKey | undefined): boolean {
  if (one?.hash === other?.hash) return true;
  return one !== undefined && other !== undefined && sameStored(one.value, other.value);
}

/** Equal as a ledger keeps values: without names, and without what ends a record as None. */
function sameStored(one: DamlValue, other: DamlValue): boolean {
  if (one === other) return true;
  if (one === null || other === null) return false;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one instanceof Numeric)
    return other instanceof Numeric && one.scale === other.scale && one.unscaled === other.unscaled;
  if (one instanceof Some) return other instanceof Some && sameStored(one.value, other.value);
  if (one instanceof DamlVariant)
    return (
      other instanceof DamlVariant && one.tag === other.tag && sameStored(one.value, other.value)
    );
  const [parts, others] = [partsOf(one), partsOf(other)];
  return (
    parts.length === others.length && parts.every((part, index) => sameStored(part, others[index]!))
  );
}

function partsOf(value: DamlValue): readonly DamlValue[] {
  if (value instanceof Map) return [...(value as ReadonlyMap<string, DamlValue>)].flat();
  if (Array.isArray(value)) return value as readonly DamlValue[];
  const members = Object.values(value as DamlRecord);
  while (members.at(-1) === null) members.pop();
  return members;
}
