/**
 * Converts values from one version of a package to another. Trailing fields may be added as None, and removed if
 * they are None. The signatories, observers and key of a contract must not change.
 */
import { invariant, ledgerError } from '../errors/ledger-error.js';
import { template as templateOf, type PackageLookup, type Template } from '../model/package.js';
import type { ContractInstance, ContractKey } from '../model/transaction.js';
import {
  commandTranslator,
  contractTranslator,
  Untranslatable,
  viewedTranslator,
  type TranslationError,
} from './translation.js';
import type { DamlType, TypeId } from '../model/types.js';
import { translationFailed, validationFailed, type Metadata } from './refusals.js';
import { encodeValueProto } from '../codec/protobuf/value.js';
import type { ContractId, DamlRecord, DamlValue, Party } from '../model/values.js';

/** @param refused makes the error if the value does not fit */
function translated<T extends DamlValue>(
  translate: (value: DamlValue) => DamlValue,
  value: T,
  refused: (error: TranslationError) => Error,
): T {
  try {
    return translate(value) as T;
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    throw refused(error.problem);
  }
}

/**
 * A payload in the shape of another version of its template.
 * @param contractId the contract's id, if the payload is a contract's
 * @throws LedgerError INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED
 */
export function translate(
  packages: PackageLookup,
  from: Template,
  to: Template,
  payload: DamlRecord,
  contractId: ContractId | undefined,
): DamlRecord {
  const run = contractTranslator(packages).between(from.payloadType, to.payloadType);
  return translated(run, payload, (error) =>
    translationFailed(packages, { from, to, payload, contractId }, error),
  );
}

const preprocessingFailed = ({ message }: TranslationError): Error =>
  ledgerError('COMMAND_PREPROCESSING_FAILED', message);

/**
 * A value of a command, in the shape of another version of its type.
 * @throws LedgerError COMMAND_PREPROCESSING_FAILED
 */
export function retyped<T extends DamlValue>(
  packages: PackageLookup,
  from: DamlType,
  to: DamlType,
  value: T,
): T {
  return translated(commandTranslator(packages).between(from, to), value, preprocessingFailed);
}

/**
 * A contract in the version of its template that computes a view of it.
 * @throws LedgerError COMMAND_PREPROCESSING_FAILED
 */
export function forView<T extends Pick<ContractInstance, 'templateId' | 'payload'>>(
  packages: PackageLookup,
  contract: T,
  templateId: TypeId,
  interfaceId: TypeId,
): T {
  const [from, to] = [contract.templateId, templateId].map((id) => templateOf(packages, id));
  if (to === undefined) throw preprocessingFailed({ message: `unknown template ${templateId}` });
  if (!to.implementations.has(interfaceId)) {
    const message = `unknown interface instance ${interfaceId} for ${templateId}`;
    throw preprocessingFailed({ message });
  }
  invariant(from !== undefined, 'who sees a contract has its package');
  if (from === to) return contract;
  const run = viewedTranslator(packages).between(from.payloadType, to.payloadType);
  const payload = translated(run, contract.payload, preprocessingFailed);
  return { ...contract, templateId, payload };
}

/**
 * Refuses a contract if another version of its template computes other signatories or observers, or another key or
 * package name.
 */
export function checkMetadata(
  packages: PackageLookup,
  contract: ContractInstance,
  target: Template,
  recomputed: Metadata,
): void {
  const same = (a: readonly Party[], b: readonly Party[]): boolean => a.join() === b.join();
  const source = templateOf(packages, contract.templateId);
  const valueOf = (key: ContractKey | undefined, template: Template | undefined) =>
    key && Buffer.from(encodeValueProto(packages, template!.key!.type, key.value)).toString('hex');
  if (
    same(contract.signatories, recomputed.signatories) &&
    same(contract.observers, recomputed.observers) &&
    same(contract.key?.maintainers ?? [], recomputed.key?.maintainers ?? []) &&
    // The names of the key's types and fields are ignored.
    valueOf(contract.key, source) === valueOf(recomputed.key, target) &&
    contract.packageName === recomputed.packageName
  )
    return;
  throw validationFailed(packages, contract, target, recomputed);
}
