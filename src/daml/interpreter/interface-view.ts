/** What an interface shows of a contract: the view that its implementation computes. */
import { interpreting } from '../lf/runtime/session.js';
import { normaliseValue } from '../codec/normalise.js';
import {
  interfaceDefinition,
  template as templateOf,
  type PackageLookup,
} from '../model/package.js';
import * as refuse from '../refusals/refusals.js';
import type { ContractInstance } from '../model/transaction.js';
import type { TypeId } from '../model/types.js';
import type { DamlRecord } from '../model/values.js';

type Viewed = Pick<ContractInstance, 'contractId' | 'templateId' | 'payload'>;

/** Computes an interface's view of a contract, in a transaction or outside of any. */
export function interfaceView(
  packages: PackageLookup,
  interfaceId: TypeId,
  contract: Viewed,
): DamlRecord {
  return interpreting(packages, () => viewOf(packages, interfaceId, contract));
}

function viewOf(packages: PackageLookup, interfaceId: TypeId, contract: Viewed): DamlRecord {
  const { contractId, templateId, payload } = contract;
  const { implementations } = templateOf(packages, templateId) ?? {};
  const implementation = implementations?.get(interfaceId);
  const definition = interfaceDefinition(packages, interfaceId);
  if (implementation === undefined || definition === undefined)
    throw refuse.interfaceNotImplemented(
      contractId,
      templateId,
      interfaceId,
      implementations?.keys(),
    );
  if (implementation.code === undefined) throw refuse.codeCannotRun(templateId);
  const view = implementation.code.view(payload);
  return normaliseValue(packages, definition.viewType, view, { insideDaml: true }) as DamlRecord;
}
