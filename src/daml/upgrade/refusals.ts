/** The interpreter's errors about contracts in other versions of their templates, with Canton's texts. */
import { ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { template as templateOf, type PackageLookup, type Template } from '../model/package.js';
import { prettyStored, prettyType, prettyTypeId } from '../codec/pretty.js';
import type { ContractInstance, ContractKey } from '../model/transaction.js';
import type { TranslationError } from './translation.js';
import type { DamlType } from '../model/types.js';
import { encodeValueProto } from '../codec/protobuf/value.js';
import type { ContractId, DamlRecord, DamlValue, Party } from '../model/values.js';

export interface Translated {
  readonly from: Template;
  readonly to: Template;
  readonly payload: DamlRecord;
  readonly contractId: ContractId | undefined;
}

function encoded(packages: PackageLookup, type: DamlType, value: DamlValue): string {
  return Buffer.from(encodeValueProto(packages, type, value)).toString('base64');
}

export function translationFailed(
  packages: PackageLookup,
  { from, to, payload, contractId }: Translated,
  error: TranslationError,
): LedgerError {
  const what = contractId === undefined ? 'a contract' : `contract ${contractId}`;
  return ledgerError('INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED', {
    cause:
      `Interpretation error: Error: Translation of ${what} to a value of type ${prettyTypeId(to.id)} fails.\n` +
      `Reason: ${reasonOf(packages, error)}\n` +
      `The contract is purportedly an instance of ${prettyTypeId(from.id)}\n` +
      `Its contract argument is:  ${prettyStored(packages, from.payloadType, payload)}`,
    resources: [
      ['NULLABLE_CONTRACT_ID', contractId ?? 'NULL'],
      ['TEMPLATE_ID', from.id],
      ['TEMPLATE_ID', to.id],
      ['CONTRACT_ARG', encoded(packages, from.payloadType, payload)],
    ],
  });
}

function reasonOf(
  packages: PackageLookup,
  { message, expected, actual }: TranslationError,
): string {
  if (actual === undefined) return message;
  const value = prettyStored(packages, actual.type, actual.value);
  return expected === undefined
    ? `Invalid value ${value} ${message}`
    : `Type-checking fails  ${message}\n` +
        `  Expected type: ${prettyType(expected)}\n` +
        `  Actual value: ${value}`;
}

export interface Metadata {
  readonly packageName: string;
  readonly signatories: readonly Party[];
  readonly observers: readonly Party[];
  readonly key?: ContractKey;
}

export function validationFailed(
  packages: PackageLookup,
  contract: ContractInstance,
  target: Template,
  recomputed: Metadata,
): LedgerError {
  const { contractId, templateId } = contract;
  const parties = (list: readonly Party[]): string =>
    `{ ${list.map((party) => `'${party}'`).join(',')} }`;
  const source = templateOf(packages, templateId) ?? target;
  const keyText = (which: string, key: ContractKey | undefined, { key: ofTemplate }: Template) =>
    key === undefined || ofTemplate === undefined
      ? '\n'
      : `\n${which} maintainers are ${parties(key.maintainers)}\n` +
        `${which} key is ${prettyStored(packages, ofTemplate.type, key.value)}`;
  const keyResources = (
    key: ContractKey | undefined,
    packageName: string,
    { key: ofTemplate }: Template,
  ) =>
    [
      [
        'NULLABLE_CONTRACT_KEY',
        key && ofTemplate ? encoded(packages, ofTemplate.type, key.value) : 'NULL',
      ],
      ['NULLABLE_PACKAGE_NAME', key ? packageName : 'NULL'],
      ['NULLABLE_PARTIES', key ? key.maintainers.join(',') : 'NULL'],
    ] as const;
  return ledgerError('INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED', {
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
      keyText('original', contract.key, source) +
      keyText('recomputed', recomputed.key, target),
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['TEMPLATE_ID', target.id],
      ['PACKAGE_NAME', contract.packageName],
      ['PACKAGE_NAME', recomputed.packageName],
      ['PARTIES', contract.signatories.join(',')],
      ['PARTIES', contract.observers.join(',')],
      ...keyResources(contract.key, contract.packageName, source),
      ['PARTIES', recomputed.signatories.join(',')],
      ['PARTIES', recomputed.observers.join(',')],
      ...keyResources(recomputed.key, recomputed.packageName, target),
    ],
  });
}
