/**
 * What Splice's registry answers about transfers of amulets, as plain functions over what the DSO sees of the ledger: which
 * factory, which context, which contracts to disclose (R-TI-*). What the choices do is the code of Splice's own DAR.
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
  featuredAppRight,
  latestOf,
  transferPreapproval,
} from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';

/** Whatever the network calls its coin (R-MD-006). */
export const AMULET_INSTRUMENT = 'Amulet';

export interface AmuletTransferFactory extends FactoryAnswer {
  /** `direct`: by the receiver's preapproval, done at once (R-TI-002). */
  readonly transferKind: 'self' | 'direct' | 'offer';
}

/** Whether there is an Amulet to answer for. */
export function isAmuletRunning(splice: Splice): boolean {
  return latestOf(splice, 'rules') !== undefined;
}

/** Of the transfer only the parties are looked at; the ledger checks the rest (R-TI-011). */
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
    const right = featuredAppRight(splice, preapproval.payload.provider as Party);
    builder.add('transfer-preapproval', preapproval).add('featured-app-right', right);
  }
  const transferKind = toSelf ? 'self' : preapproval === undefined ? 'offer' : 'direct';
  const context = builder.disclose(factory).build();
  return { ok: true, value: { factoryId: factory.contractId, transferKind, ...context } };
}

/** Accepting needs the locked amulet; rejecting and withdrawing go on without it (R-TI-014 to R-TI-016). */
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
