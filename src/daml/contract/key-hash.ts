/** The hash of a contract key: equal for keys that are equal in every version of a package. */
import type { PackageLookup } from '../model/package.js';
import type { DamlType, QualifiedName } from '../model/types.js';
import type { DamlValue } from '../model/values.js';
import { HashWriter } from './hash-writer.js';
import { beginTyped, keyFeeder } from './typed-normal-form.js';

const KEY_VERSION = 1;
const WRITER = new HashWriter();

/** Hexadecimal. @throws LedgerError CONTRACT_ID_IN_CONTRACT_KEY */
export function hashContractKey(
  packages: PackageLookup,
  packageName: string,
  templateName: QualifiedName,
  type: DamlType,
  key: DamlValue,
): string {
  const writer = beginTyped(WRITER, 'key').byte(KEY_VERSION);
  writer.text(packageName).qualifiedName(templateName);
  keyFeeder(packages, type)(key, writer);
  return writer.sha256();
}
