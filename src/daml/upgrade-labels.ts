/**
 * A contract's hash covers the names of its fields, so a version of its template that calls them otherwise cannot stand for the
 * one that made it, even where the values fit.
 */
import { ledgerError } from './ledger-error.js';
import type { PackageLookup, Template } from './package.js';
import { prettyTypeId, prettyValue } from './pretty.js';
import type { ContractInstance } from './transaction.js';
import { DamlVariant, Some, type DamlRecord, type DamlValue } from './values.js';

/** @param payload of the contract, as `target` has it */
export function checkLabels(
  packages: PackageLookup,
  contract: ContractInstance,
  target: Template,
  payload: DamlRecord,
): void {
  if (sameLabels(contract.payload, payload)) return;
  const { contractId, templateId } = contract;
  throw ledgerError('INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED', {
    cause:
      `Interpretation error: Error: Error when authenticating contract ${contractId} against template ` +
      `${prettyTypeId(target.id)}: failed to authenticate contract\n` +
      `The contract is purportedly an instance of ${prettyTypeId(templateId)}\n` +
      `The contract argument is ${prettyValue(packages, target.payloadType, payload)}`,
    resources: [
      ['CONTRACT_ID', contractId],
      ['TEMPLATE_ID', templateId],
      ['TEMPLATE_ID', target.id],
    ],
    explanation: 'The two versions of the template name a field differently.',
  });
}

/** Of two values that correspond by position: fields that one has behind those of the other do not count. */
function sameLabels(one: DamlValue, other: DamlValue): boolean {
  if (one === other || typeof one !== 'object' || typeof other !== 'object') return true;
  if (one === null || other === null) return true;
  if (one instanceof Some) return sameLabels(one.value, (other as Some).value);
  if (one instanceof DamlVariant) return sameLabels(one.value, (other as DamlVariant).value);
  if (one instanceof Map) {
    const others = other as ReadonlyMap<string, DamlValue>;
    return [...one].every(([key, item]) => sameLabels(item, others.get(key)!));
  }
  if (Array.isArray(one))
    return one.every((item, index) => sameLabels(item, (other as DamlValue[])[index]!));
  if (Object.getPrototypeOf(one) !== Object.prototype) return true;
  const [fields, others] = [Object.entries(one as DamlRecord), Object.entries(other as DamlRecord)];
  return fields
    .slice(0, others.length)
    .every(([name, value], at) => name === others[at]![0] && sameLabels(value, others[at]![1]));
}
