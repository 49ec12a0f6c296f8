/**
 * The choice contexts of Splice's registry for Amulet: the entries common to all, and the context of a choice on a locked amulet (R-TI-006,
 * R-TI-007, R-TI-014 to R-TI-017).
 */
import type { ContractInstance } from '../../daml/model/transaction.js';
import { formatInstant } from '../../daml/model/time.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type {
  DisclosedToken,
  RegistryAnswer,
  RegistryContext,
  RegistryRefusal,
} from '../../token/registry/registry.js';
import { AnyValue } from '../../token/standard/metadata-v1.js';
import {
  activeSynchronizer,
  contractById,
  featuredAppRightInContext,
  latestOf,
  usableOpenRound,
} from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';

type Refused = { readonly ok: false; readonly refusal: RegistryRefusal };

/** The contracts in every context: the rules and an open round. */
interface Basis {
  readonly rules: ContractInstance;
  readonly round: ContractInstance;
}

/** A choice on a contract that has a locked amulet. */
interface TwoStep {
  /** The contract's name in the error about a missing locked amulet. */
  readonly name: string;
  readonly locked: ContractId | undefined;
  /** If the choice needs the locked amulet: the expiry of its lock. */
  readonly needsLockUntil?: Timestamp;
  /** The party whose featured app right is in the context. */
  readonly featured?: Party;
}

export function twoStepContext(
  splice: Splice,
  { name, locked: lockedId, needsLockUntil, featured }: TwoStep,
): RegistryAnswer<RegistryContext> {
  const locked =
    lockedId === undefined ? undefined : contractById(splice, 'lockedAmulet', lockedId);
  if (locked === undefined && needsLockUntil !== undefined)
    return notFound(
      `LockedAmulet '${lockedId}' not found for ${name}, which expires on ${formatInstant(needsLockUntil)}`,
    );
  const found = basisOf(splice);
  if (!found.ok) return found;
  const builder = new ContextBuilder(activeSynchronizer(splice, found.value.rules));
  // The lock is missing, or its owner has taken the amulet back. The context then has no other entries.
  if (locked === undefined)
    return { ok: true, value: builder.set('expire-lock', AnyValue.of('AV_Bool', false)).build() };
  addBasis(splice, builder, found.value);
  builder.disclose(locked).set('expire-lock', AnyValue.of('AV_Bool', true));
  if (featured !== undefined)
    builder.add('featured-app-right', featuredAppRightInContext(splice, featured));
  return { ok: true, value: builder.build() };
}

export function factoryBasis(
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

/** Discloses contracts with a key in the order in which they are added (R-TI-007). */
export class ContextBuilder {
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

export function notFound(message: string): Refused {
  return { ok: false, refusal: { kind: 'not-found', message } };
}
