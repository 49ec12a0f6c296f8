/** Contract keys: the template's code computes them, then they are made canonical and hashed. */
import { hashContractKey } from './key-hash.js';
import { normaliseValue } from '../codec/normalise.js';
import type { CodeContext, PackageLookup, Template } from '../model/package.js';
import { parties } from '../model/parties.js';
import type { ContractKey } from '../model/transaction.js';
import { qualifiedNameOf } from '../model/types.js';
import type { DamlRecord, DamlValue } from '../model/values.js';

/** The key of a contract with this payload; undefined if its template has no key. It runs the template's code. */
export function keyOfPayload(
  context: CodeContext,
  template: Template,
  payload: DamlRecord,
): ContractKey | undefined {
  const { key, code } = template;
  if (key === undefined || code.key === undefined) return undefined;
  const value = code.key(payload, key.type, context);
  return contractKey(context, template, canonical(context.packages, template, value));
}

/**
 * A key with its hash and maintainers. It runs the template's code.
 * @param check called once the maintainers are known, before the key is checked
 * @throws LedgerError CONTRACT_ID_IN_CONTRACT_KEY
 */
export function contractKey(
  context: CodeContext,
  template: Template,
  value: DamlValue,
  check?: () => void,
): ContractKey {
  const { type } = template.key!;
  const maintainers = parties(template.code.maintainers!(value, type, context));
  check?.();
  const name = qualifiedNameOf(template.id);
  return {
    value,
    hash: hashContractKey(context.packages, template.packageName, name, type, value),
    maintainers,
  };
}

/** Compiled code returns canonical values. */
function canonical(packages: PackageLookup, template: Template, value: DamlValue): DamlValue {
  if (template.code.canonical === true) return value;
  return normaliseValue(packages, template.key!.type, value, { at: 'key', insideDaml: true });
}
