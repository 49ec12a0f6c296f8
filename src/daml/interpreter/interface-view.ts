/** Interface views of contracts, which the implementation of the interface computes. */
import { LedgerError } from '../errors/ledger-error.js';
import { failureOf } from '../lf/runtime/any-exception.js';
import { DamlException } from '../lf/runtime/exceptions.js';
import { Machine } from '../lf/runtime/machine.js';
import { normaliseValue } from '../codec/normalise.js';
import {
  interfaceDefinition,
  template as templateOf,
  type CodeContext,
  type PackageLookup,
} from '../model/package.js';
import * as refuse from '../refusals/refusals.js';
import type { ContractInstance } from '../model/transaction.js';
import type { TypeId } from '../model/types.js';
import type { DamlRecord } from '../model/values.js';

type Viewed = Pick<ContractInstance, 'contractId' | 'templateId' | 'payload'>;

/** Computes an interface's view of a contract, outside a transaction. */
export function interfaceView(
  packages: PackageLookup,
  interfaceId: TypeId,
  contract: Viewed,
): DamlRecord {
  return viewIn(new Machine(packages), interfaceId, contract);
}

/** A participant's error for a view that fails outside a transaction. */
export function viewRefusal(packages: PackageLookup, error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  if (!(error instanceof DamlException)) return refuse.damlFailure(error, '');
  try {
    return refuse.damlFailure(failureOf(new Machine(packages), error), '');
  } catch (inMessage) {
    return viewRefusal(packages, inMessage);
  }
}

/** Computes an interface's view of a contract in a transaction. */
export function viewIn(context: CodeContext, interfaceId: TypeId, contract: Viewed): DamlRecord {
  const { packages } = context;
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
  const view = implementation.code.view(payload, context);
  return normaliseValue(packages, definition.viewType, view, { insideDaml: true }) as DamlRecord;
}
