/**
 * Contracts of one version of a package as another version has them: fields at the end may come, as None, or go where
 * they are None. The signatories, observers and key must come out as they were.
 */
import { ledgerError, type LedgerError } from './ledger-error.js';
import type { PackageLookup, Template } from './package.js';
import { prettyTypeId, prettyValue } from './pretty.js';
import { encodedKey } from './key-refusals.js';
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

class Mismatch extends Error {
  /** @param preprocessing how the preprocessor of commands says it, to which fields have names */
  constructor(
    message: string,
    readonly preprocessing = message,
  ) {
    super(message);
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
  record: (fields) => (value) => {
    const given = Object.values(value as DamlRecord);
    given.slice(fields.length).forEach((extra, index) => {
      const place = fields.length + index;
      const label = Object.keys(value as DamlRecord)[place];
      if (extra instanceof Some)
        throw new Mismatch(
          `Found an optional contract field with a value of Some at index ${place}, may not be dropped during downgrading.`,
          `An optional contract field ("${label}") with a value of Some may not be dropped during downgrading.`,
        );
      if (extra !== null)
        throw new Mismatch(
          `Found non-optional extra field at index ${place}, cannot remove for downgrading.`,
          `Found non-optional extra field "${label}", cannot remove for downgrading.`,
        );
    });
    const record: Record<string, DamlValue> = {};
    fields.forEach(({ name, run, type }, index) => {
      const member = given[index];
      if (member !== undefined) setMember(record, name, run(member));
      else if (type.kind === 'optional') setMember(record, name, null);
      else
        throw new Mismatch(
          'Unexpected non-optional extra template field type encountered during upgrading.',
        );
    });
    return record;
  },
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      const run = cases.get(tag);
      if (run === undefined) throw new Mismatch(`unknown variant constructor ${tag}`);
      return new DamlVariant(tag, run(inner));
    };
  },
  enumeration: (constructors) => (value) => {
    if (!constructors.includes(value as string))
      throw new Mismatch(`unknown enum constructor ${String(value)}`);
    return value;
  },
  opaque: (name) => () => {
    throw new Mismatch(`${name} has no serializable values`);
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
    throw translationFailed(packages, from, to, payload, contractId, error.message);
  }
}

/** What a command gives, in the shape of another version of its type. @throws LedgerError COMMAND_PREPROCESSING_FAILED */
export function retyped(packages: PackageLookup, type: DamlType, value: DamlValue): DamlValue {
  try {
    return translationOf(packages, type)(value);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw ledgerError('COMMAND_PREPROCESSING_FAILED', error.preprocessing);
  }
}

function translationFailed(
  packages: PackageLookup,
  from: Template,
  to: Template,
  payload: DamlRecord,
  contractId: ContractId | undefined,
  reason: string,
): LedgerError {
  const what = contractId === undefined ? 'a contract' : `contract ${contractId}`;
  return ledgerError('INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED', {
    cause:
      `Interpretation error: Error: Translation of ${what} to a value of type ${prettyTypeId(to.id)} fails.\n` +
      `Reason: Type-checking fails  ${reason}\n` +
      `The contract is purportedly an instance of ${prettyTypeId(from.id)}\n` +
      `Its contract argument is:  ${prettyValue(packages, from.payloadType, payload)}`,
    resources: [
      ...(contractId === undefined ? [] : [['CONTRACT_ID', contractId] as const]),
      ['TEMPLATE_ID', from.id],
      ['TEMPLATE_ID', to.id],
    ],
  });
}

export interface Metadata {
  readonly packageName: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
  readonly key?: ContractKey;
}

/** Refuses a contract whose signatories, observers or key another version of its template sees differently. */
export function checkMetadata(
  packages: PackageLookup,
  contract: ContractInstance,
  target: Template,
  recomputed: Metadata,
): void {
  const same = (a: readonly Party[], b: readonly Party[]): boolean => a.join() === b.join();
  if (
    same(contract.signatories, recomputed.signatories) &&
    same(contract.observers, recomputed.observers) &&
    contract.packageName === recomputed.packageName &&
    contract.key?.hash === recomputed.key?.hash &&
    same(contract.key?.maintainers ?? [], recomputed.key?.maintainers ?? [])
  )
    return;
  const parties = (list: readonly Party[]): string =>
    `{ ${list.map((party) => `'${party}'`).join(',')} }`;
  const { contractId, templateId } = contract;
  const keyText = (which: string, key: ContractKey | undefined): string =>
    key === undefined
      ? ''
      : `\n${which} maintainers are ${parties(key.maintainers)}\n` +
        `${which} key is ${prettyValue(packages, target.key!.type, key.value)}`;
  const keyResources = (key: ContractKey | undefined, packageName: string) =>
    [
      ['NULLABLE_CONTRACT_KEY', key ? encodedKey(packages, target, key.value) : 'NULL'],
      ['NULLABLE_PACKAGE_NAME', key ? packageName : 'NULL'],
      ['NULLABLE_PARTIES', key ? key.maintainers.join(',') : 'NULL'],
    ] as const;
  throw ledgerError('INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED', {
    cause:
      'Interpretation error: Error: Validation fails when trying to upgrade the contract ' +
      `${contractId} from ${prettyTypeId(templateId)} to ${prettyTypeId(target.id)}\n` +
      "Verify that neither the signatories, nor the observers, nor the contract key, nor the key's maintainers, " +
      'nor the package name have changed\n' +
      `original package name is ${contract.packageName}\n` +
      `original signatories are ${parties(contract.signatories)}\n` +
      `original observers are ${parties(contract.observers)}\n` +
      `target package name is ${recomputed.packageName}\n` +
      `recomputed signatories are ${parties(recomputed.signatories)}\n` +
      `recomputed observers are ${parties(recomputed.observers)}` +
      keyText('original', contract.key) +
      keyText('recomputed', recomputed.key),
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['TEMPLATE_ID', target.id],
      ['PACKAGE_NAME', contract.packageName],
      ['PACKAGE_NAME', recomputed.packageName],
      ['PARTIES', contract.signatories.join(',')],
      ['PARTIES', contract.observers.join(',')],
      ...keyResources(contract.key, contract.packageName),
      ['PARTIES', recomputed.signatories.join(',')],
      ['PARTIES', recomputed.observers.join(',')],
      ...keyResources(recomputed.key, recomputed.packageName),
    ],
  });
}
