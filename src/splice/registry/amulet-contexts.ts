/**
 * The choice contexts of Splice's registry for Amulet: what each begins with, and that of a choice on a locked amulet
 * (R-TI-006, R-TI-007, R-TI-014 to R-TI-017).
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
  featuredAppRight,
  latestOf,
  usableOpenRound,
} from '../dso/amulet-contracts.js';
import type { Splice } from '../splice.js';

type Refused = { readonly ok: false; readonly refusal: RegistryRefusal };

/** What every context begins with: the rules and a round that is open now. */
interface Basis {
  readonly rules: ContractInstance;
  readonly round: ContractInstance;
}

/** A choice on a contract whose funds an amulet holds. */
interface TwoStep {
  /** What the contract is called where its locked amulet is missed. */
  readonly name: string;
  readonly locked: ContractId | undefined;
  /** Where the choice cannot do without the locked amulet: until when that was locked. */
  readonly needsLockUntil?: Timestamp;
  /** Whose right as a featured app is told. */
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
  // Without a lock nothing else is told: there is none, or its owner has taken the amulet back.
  if (locked === undefined)
    return { ok: true, value: builder.set('expire-lock', AnyValue.of('AV_Bool', false)).build() };
  addBasis(splice, builder, found.value);
  builder.disclose(locked).set('expire-lock', AnyValue.of('AV_Bool', true));
  if (featured !== undefined) builder.add('featured-app-right', featuredAppRight(splice, featured));
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

/** Keyed contracts are disclosed in the order in which they are added (R-TI-007). */
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
