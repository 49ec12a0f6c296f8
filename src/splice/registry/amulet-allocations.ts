/** Answers of Splice's registry about allocations of amulets (R-AI-*, R-AL-*, R-V2-*). The choices themselves are code of Splice's DAR. */
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type {
  FactoryAnswer,
  RegistryAnswer,
  RegistryContext,
} from '../../token/registry/registry.js';
import type { SettlementFactorySettleBatch } from '../../token/standard/allocation-v2.js';
import { ContextBuilder, factoryBasis, notFound, twoStepContext } from './amulet-contexts.js';
import { activeSynchronizer, contractById, latestOf } from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';

export type AllocationStep = 'execute-transfer' | 'withdraw' | 'cancel';

/** The answer does not depend on the request's arguments (R-AI-002). */
export function amuletAllocationFactory(splice: Splice): RegistryAnswer<FactoryAnswer> {
  const found = factoryBasis(splice);
  if (!found.ok) return found;
  const { factory, builder } = found.value;
  return {
    ok: true,
    value: { factoryId: factory.contractId, ...builder.disclose(factory).build() },
  };
}

/** Execution needs the locked amulet, and may reward the executor's app (R-AL-003, R-AL-004). */
export function amuletAllocationContext(
  splice: Splice,
  allocationId: ContractId,
  step: AllocationStep,
): RegistryAnswer<RegistryContext> {
  const name = `AmuletAllocation '${allocationId}'`;
  const found = contractById(splice, 'allocation', allocationId);
  if (found === undefined) return notFound(`${name} not found.`);
  const { lockedAmulet, allocation } = found.payload as unknown as {
    lockedAmulet: ContractId;
    allocation: { settlement: { executor: Party; settleBefore: Timestamp } };
  };
  const { executor, settleBefore } = allocation.settlement;
  return twoStepContext(splice, {
    name,
    locked: lockedAmulet,
    ...(step === 'execute-transfer' ? { needsLockUntil: settleBefore, featured: executor } : {}),
  });
}

/** The factory of version 2 is the same contract, with a smaller context: no rules and no round (R-V2-006). */
export function amuletAllocationFactoryV2(splice: Splice): RegistryAnswer<FactoryAnswer> {
  return factoryV2(splice, []);
}

/** Discloses the locked amulets of the batch, each once. It skips contracts that are not allocations (R-V2-010, R-V2-018). */
export function amuletSettlementFactory(
  splice: Splice,
  { allocations }: SettlementFactorySettleBatch,
): RegistryAnswer<FactoryAnswer> {
  const of = (template: 'allocationV2' | 'allocation') =>
    allocations.flatMap(({ allocationCid }) => {
      const locked = contractById(splice, template, allocationCid)?.payload.lockedAmulet;
      return locked === undefined ? [] : (idOf(locked as LockedAmulet) ?? []);
    });
  return factoryV2(splice, [...new Set([...of('allocationV2'), ...of('allocation')])]);
}

/** For allocations of both versions (R-V2-012). Without a locked amulet, the context says that there is no lock to expire. */
export function amuletAllocationContextV2(
  splice: Splice,
  allocationId: ContractId,
): RegistryAnswer<RegistryContext> {
  const found =
    contractById(splice, 'allocationV2', allocationId) ??
    contractById(splice, 'allocation', allocationId);
  if (found === undefined) return notFound(`AmuletAllocation '${allocationId}' not found.`);
  const locked = idOf(found.payload.lockedAmulet as LockedAmulet);
  return twoStepContext(splice, { name: `AmuletAllocationV2 '${allocationId}'`, locked });
}

/** Optional in version 2: an allocation that only receives has no locked amulet. */
type LockedAmulet = ContractId | { readonly value: ContractId } | null;

function idOf(locked: LockedAmulet): ContractId | undefined {
  return typeof locked === 'string' ? locked : locked?.value;
}

function factoryV2(splice: Splice, locked: readonly ContractId[]): RegistryAnswer<FactoryAnswer> {
  const factory = latestOf(splice, 'externalPartyRules');
  if (factory === undefined) return notFound('No active ExternalPartyAmuletRules contract');
  const rules = latestOf(splice, 'rules');
  if (rules === undefined) return notFound('No active AmuletRules contract');
  const builder = new ContextBuilder(activeSynchronizer(splice, rules))
    .add('external-party-config-state', latestOf(splice, 'externalPartyConfigState'))
    .disclose(factory);
  for (const id of locked) {
    const amulet = contractById(splice, 'lockedAmulet', id);
    if (amulet !== undefined) builder.disclose(amulet);
  }
  return { ok: true, value: { factoryId: factory.contractId, ...builder.build() } };
}
