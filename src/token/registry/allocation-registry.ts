/**
 * Answers of the test token's registry about allocations, as functions of the contracts that the registry sees. Allocations are created in
 * one step, so there are no allocation instructions.
 */
import { conType } from '../../daml/define/code.js';
import type { DamlType } from '../../daml/model/types.js';
import type { ContractId } from '../../daml/model/values.js';
import { TokenAllocation, type AllocationPayload } from '../allocations/allocation.js';
import { RULES_KEY, SPENT_TOKENS_KEY } from '../holdings/context.js';
import {
  disclose,
  noRules,
  reassigning,
  refuse,
  rulesFactory,
  rulesOf,
  type FactoryAnswer,
  type LocatedContract,
  type RegistryAnswer,
  type RegistryContext,
  type RegistryLedger,
} from './registry.js';
import {
  allocationInstructionV2,
  type AllocationFactoryAllocate,
} from '../standard/allocation-instruction-v2.js';
import { allocationV2, type SettlementFactorySettleBatch } from '../standard/allocation-v2.js';
import type { Account } from '../standard/holding-v2.js';
import { AnyValue } from '../standard/metadata-v1.js';

/** The Daml types of the choice arguments that a client passes to the factory operations. */
export const ALLOCATION_ARGUMENT_TYPES: Readonly<Record<'allocate' | 'settleBatch', DamlType>> = {
  allocate: conType(
    `${allocationInstructionV2.id}:Splice.Api.Token.AllocationInstructionV2:AllocationFactory_Allocate`,
  ),
  settleBatch: conType(
    `${allocationV2.id}:Splice.Api.Token.AllocationV2:SettlementFactory_SettleBatch`,
  ),
};

/** The limit of legs, distinct owners and allocations in a batch: the default of Amulet's registry (R-V2-009). */
const LIMIT = 100;

/** The error for an allocation above the limits; undefined within them (R-V2-005). */
export function tooBigToAllocate({ allocation }: AllocationFactoryAllocate): string | undefined {
  const { transferLegSides } = allocation;
  return (
    tooMany('transfer legs', transferLegSides.length) ??
    tooMany('parties', ownersOf(transferLegSides.map(({ otherside }) => otherside)))
  );
}

/** The error for a batch above the limits (R-V2-009). */
export function tooBigToSettle(batch: SettlementFactorySettleBatch): string | undefined {
  const { transferLegs, allocations } = batch;
  return (
    tooMany('transfer legs', transferLegs.length) ??
    tooMany(
      'parties',
      ownersOf(transferLegs.flatMap(({ sender, receiver }) => [sender, receiver])),
    ) ??
    tooMany('allocations', allocations.length)
  );
}

function tooMany(what: string, count: number): string | undefined {
  if (count <= LIMIT) return undefined;
  return `Too many ${what} in the settle batch: ${count}. Maximum allowed: ${LIMIT}`;
}

function ownersOf(accounts: readonly Account[]): number {
  return new Set(accounts.flatMap(({ owner }) => owner?.value ?? [])).size;
}

/** For `POST /registry/allocation-instruction/v2/allocation-factory`. */
export function allocationFactory(ledger: RegistryLedger): RegistryAnswer<FactoryAnswer> {
  return rulesFactory(ledger);
}

/**
 * For `POST /registry/allocation/v2/settlement-factory`. It discloses the batch's locked tokens, which executors do not see. It ignores
 * contracts that are not allocations of this registry; the ledger refuses these.
 */
export function settlementFactory(
  ledger: RegistryLedger,
  { allocations }: SettlementFactorySettleBatch,
): RegistryAnswer<FactoryAnswer> {
  const found = allocations.flatMap(
    ({ allocationCid }) => allocationOf(ledger, allocationCid) ?? [],
  );
  const moving = found.find(({ synchronizerId }) => synchronizerId === undefined);
  if (moving !== undefined) return reassigning(moving);
  const tokens = [...new Set(found.flatMap(lockedTokens))];
  return rulesFactory(
    ledger,
    tokens.flatMap((id) => ledger.contract(id) ?? []),
  );
}

/**
 * For `POST /registry/allocations/v2/{id}/choice-contexts/{cancel,withdraw}`. The context names locked tokens that their owner has spent
 * after the lock's expiry. The choices then continue without them.
 */
export function allocationContext(
  ledger: RegistryLedger,
  allocationId: ContractId,
): RegistryAnswer<RegistryContext> {
  const allocation = allocationOf(ledger, allocationId);
  if (allocation === undefined)
    return refuse('not-found', `TokenAllocation '${allocationId}' not found.`);
  const rules = rulesOf(ledger);
  if (rules === undefined) return noRules(ledger);
  if (allocation.synchronizerId === undefined) return reassigning(allocation);
  const locked = lockedTokens(allocation);
  const disclosed = disclose([rules, ...locked.flatMap((id) => ledger.contract(id) ?? [])]);
  if (!disclosed.ok) return disclosed;
  const spent = locked.filter((id) => ledger.contract(id) === undefined);
  const idOf = (id: ContractId): AnyValue => AnyValue.of('AV_ContractId', id);
  const values = new Map([[RULES_KEY, idOf(rules.contract.contractId)]]);
  if (spent.length > 0) values.set(SPENT_TOKENS_KEY, AnyValue.of('AV_List', spent.map(idOf)));
  return { ok: true, value: { context: { values }, disclosed: disclosed.value } };
}

function allocationOf(ledger: RegistryLedger, id: ContractId): LocatedContract | undefined {
  const found = ledger.contract(id);
  return found?.contract.templateId === TokenAllocation.id ? found : undefined;
}

function lockedTokens({ contract }: LocatedContract): readonly ContractId[] {
  return [...(contract.payload as unknown as AllocationPayload).lockedTokens.values()].flat();
}
