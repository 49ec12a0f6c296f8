/**
 * Answers of Splice's registry about transfers of amulets, as functions of the contracts that the DSO sees: the factory, the context and
 * the contracts to disclose (R-TI-*). The choices themselves are code of Splice's DAR.
 */
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type {
  FactoryAnswer,
  InstructionStep,
  RegistryAnswer,
  RegistryContext,
} from '../../token/registry/registry.js';
import { factoryBasis, notFound, twoStepContext } from './amulet-contexts.js';
import {
  contractById,
  featuredAppRightInContext,
  latestOf,
  transferPreapproval,
} from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';

/** The instrument id, independent of the network's display name (R-MD-006). */
export const AMULET_INSTRUMENT = 'Amulet';

export interface AmuletTransferFactory extends FactoryAnswer {
  /** `direct`: the receiver's preapproval completes it in one step (R-TI-002). */
  readonly transferKind: 'self' | 'direct' | 'offer';
}

/** Whether Amulet is founded. */
export function isAmuletRunning(splice: Splice): boolean {
  return latestOf(splice, 'rules') !== undefined;
}

/** The answer depends on the transfer's parties only; the ledger checks the rest (R-TI-011). */
export function amuletTransferFactory(
  splice: Splice,
  { sender, receiver }: { readonly sender: Party; readonly receiver: Party },
): RegistryAnswer<AmuletTransferFactory> {
  const found = factoryBasis(splice);
  if (!found.ok) return found;
  const { factory, builder } = found.value;
  const toSelf = sender === receiver;
  const preapproval = toSelf ? undefined : transferPreapproval(splice, receiver);
  if (preapproval !== undefined) {
    const right = featuredAppRightInContext(splice, preapproval.payload.provider as Party);
    builder.add('transfer-preapproval', preapproval).add('featured-app-right', right);
  }
  const transferKind = toSelf ? 'self' : preapproval === undefined ? 'offer' : 'direct';
  const context = builder.disclose(factory).build();
  return { ok: true, value: { factoryId: factory.contractId, transferKind, ...context } };
}

/** Accepting needs the locked amulet; rejecting and withdrawing work without it (R-TI-014 to R-TI-016). */
export function amuletInstructionContext(
  splice: Splice,
  instructionId: ContractId,
  step: InstructionStep,
): RegistryAnswer<RegistryContext> {
  const name = `AmuletTransferInstruction '${instructionId}'`;
  const instruction = contractById(splice, 'transferInstruction', instructionId);
  if (instruction === undefined) return notFound(`${name} not found.`);
  const { lockedAmulet, transfer } = instruction.payload as unknown as {
    lockedAmulet: ContractId;
    transfer: { executeBefore: Timestamp };
  };
  return twoStepContext(splice, {
    name,
    locked: lockedAmulet,
    ...(step === 'accept' ? { needsLockUntil: transfer.executeBefore } : {}),
  });
}
