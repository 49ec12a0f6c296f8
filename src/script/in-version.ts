/** Converts contracts to a version of their template, and computes their views. */
import { interfaceView } from '../daml/interpreter/interface-view.js';
import { template as templateOf, type PackageLookup } from '../daml/model/package.js';
import type { ContractInstance } from '../daml/model/transaction.js';
import { packageIdOf, qualifiedNameOf, typeId, type TypeId } from '../daml/model/types.js';
import type { ContractId, DamlRecord } from '../daml/model/values.js';
import { between } from './events.js';
import type { ScriptContract } from './ledger.js';

/** @throws ScriptRefusal if the contract has no form in that version */
export function inVersion(
  packages: PackageLookup,
  contract: ContractInstance,
  templateId: TypeId,
): ScriptContract {
  const { contractId, payload } = contract;
  const [from, to] = [contract.templateId, templateId].map((id) => templateOf(packages, id));
  if (from === undefined || to === undefined) return contract;
  const shown = between(packages, from.payloadType, to.payloadType, payload) as DamlRecord;
  return { contractId, templateId, payload: shown };
}

/** The template in the preferred version of its package. */
export function preferredVersion(
  packages: PackageLookup,
  { templateId, packageName }: ContractInstance,
): TypeId {
  const id = packages.packageIdForName(packageName) ?? packageIdOf(templateId);
  return typeId(id, qualifiedNameOf(templateId));
}

/** Undefined if the view fails. */
export function viewOf(
  packages: PackageLookup,
  contract: ContractInstance,
  version: TypeId,
  interfaceId: TypeId,
): DamlRecord | undefined {
  const shown = inVersion(packages, contract, version);
  try {
    return interfaceView(packages, interfaceId, shown);
  } catch {
    return undefined;
  }
}

export interface Viewed {
  readonly contractId: ContractId;
  readonly view?: DamlRecord;
}

/** The contracts that implement the interface in the preferred version, with their views. */
export function viewedBy(
  known: PackageLookup,
  packages: PackageLookup,
  contracts: readonly ContractInstance[],
  interfaceId: TypeId,
): readonly Viewed[] {
  return contracts.flatMap((contract) => {
    const preferred = preferredVersion(packages, contract);
    if (templateOf(known, preferred)?.implementations.has(interfaceId) !== true) return [];
    const view = viewOf(known, contract, preferred, interfaceId);
    return [{ contractId: contract.contractId, ...(view && { view }) }];
  });
}
