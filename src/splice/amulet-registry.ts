/**
 * What Splice's registry answers for Amulet, as plain functions over what the DSO sees of the ledger: which factory, which
 * context, which contracts to disclose (R-TI-*, R-AI-*, R-AL-*). What the choices do is the code of Splice's own DAR.
 */
import type { ContractInstance } from '../daml/transaction.js';
import { formatInstant } from '../daml/time.js';
import type { ContractId, Party, Timestamp } from '../daml/values.js';
import type {
  DisclosedToken,
  InstructionStep,
  RegistryAnswer,
  RegistryContext,
  RegistryRefusal,
} from '../token/registry.js';
import { AnyValue } from '../token/standard/metadata-v1.js';
import {
  activeSynchronizer,
  contractById,
  featuredAppRight,
  latestOf,
  transferPreapproval,
  usableOpenRound,
} from './amulet-contracts.js';
import type { Splice } from './splice.js';

/** Whatever the network calls its coin (R-MD-006). */
export const AMULET_INSTRUMENT = 'Amulet';

export type AllocationStep = 'execute-transfer' | 'withdraw' | 'cancel';

export interface AmuletFactory extends RegistryContext {
  readonly factoryId: ContractId;
}

export interface AmuletTransferFactory extends AmuletFactory {
  /** `direct`: by the receiver's preapproval, done at once (R-TI-002). */
  readonly transferKind: 'self' | 'direct' | 'offer';
}

type Refused = { readonly ok: false; readonly refusal: RegistryRefusal };

/** What every context begins with: the rules and a round that is open now. */
interface Basis {
  readonly rules: ContractInstance;
  readonly round: ContractInstance;
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

/** Its arguments are not looked at (R-AI-002). */
export function amuletAllocationFactory(splice: Splice): RegistryAnswer<AmuletFactory> {
  const found = factoryBasis(splice);
  if (!found.ok) return found;
  const { factory, builder } = found.value;
  return {
    ok: true,
    value: { factoryId: factory.contractId, ...builder.disclose(factory).build() },
  };
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
  return twoStepContext(splice, name, lockedAmulet, transfer.executeBefore, step === 'accept');
}

/** Executing needs the locked amulet, and may reward the executor's app (R-AL-003, R-AL-004). */
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
  const executes = step === 'execute-transfer';
  return twoStepContext(splice, name, lockedAmulet, settleBefore, executes, executor);
}

function twoStepContext(
  splice: Splice,
  name: string,
  lockedAmulet: ContractId,
  expiresAt: Timestamp,
  needsLock: boolean,
  featured?: Party,
): RegistryAnswer<RegistryContext> {
  const locked = contractById(splice, 'lockedAmulet', lockedAmulet);
  if (locked === undefined && needsLock)
    return notFound(
      `LockedAmulet '${lockedAmulet}' not found for ${name}, which expires on ${formatInstant(expiresAt)}`,
    );
  const found = basisOf(splice);
  if (!found.ok) return found;
  const builder = new ContextBuilder(activeSynchronizer(splice, found.value.rules));
  // With the lock gone nothing else is told: its owner has taken the amulet back.
  if (locked === undefined)
    return { ok: true, value: builder.set('expire-lock', AnyValue.of('AV_Bool', false)).build() };
  addBasis(splice, builder, found.value);
  builder.disclose(locked).set('expire-lock', AnyValue.of('AV_Bool', true));
  if (featured !== undefined && needsLock)
    builder.add('featured-app-right', featuredAppRight(splice, featured));
  return { ok: true, value: builder.build() };
}

function factoryBasis(
  splice: Splice,
): RegistryAnswer<{ factory: ContractInstance; builder: ContextBuilder }> {
  const factory = latestOf(splice, 'externalPartyRules');
  if (factory === undefined) return notFound('No active ExternalPartyAmuletRules contract');
  const found = basisOf(splice);
  if (!found.ok) return found;
  const builder = new ContextBuilder(activeSynchronizer(splice, found.value.rules));
  addBasis(splice, builder, found.value);
  return { ok: true, value: { factory, builder } };
}

function basisOf(splice: Splice): RegistryAnswer<Basis> {
  const rules = latestOf(splice, 'rules');
  if (rules === undefined) return notFound('No active AmuletRules contract');
  const round = usableOpenRound(splice);
  if (round === undefined) return notFound('No open usable OpenMiningRound found.');
  return { ok: true, value: { rules, round } };
}

function addBasis(splice: Splice, builder: ContextBuilder, { rules, round }: Basis): void {
  builder
    .add('amulet-rules', rules)
    .add('open-round', round)
    .add('external-party-config-state', latestOf(splice, 'externalPartyConfigState'));
}

/** Keyed contracts are disclosed in the order in which they are added (R-TI-007). */
class ContextBuilder {
  private readonly values = new Map<string, AnyValue>();
  private readonly disclosed: DisclosedToken[] = [];

  constructor(private readonly synchronizerId: string) {}

  add(key: string, contract: ContractInstance | undefined): this {
    if (contract === undefined) return this;
    this.set(key, AnyValue.of('AV_ContractId', contract.contractId));
    return this.disclose(contract);
  }

  set(key: string, value: AnyValue): this {
    this.values.set(key, value);
    return this;
  }

  disclose(contract: ContractInstance): this {
    this.disclosed.push({ contract, synchronizerId: this.synchronizerId });
    return this;
  }

  build(): RegistryContext {
    return { context: { values: this.values }, disclosed: this.disclosed };
  }
}

function notFound(message: string): Refused {
  return { ok: false, refusal: { kind: 'not-found', message } };
}
