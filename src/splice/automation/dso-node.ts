/** The DSO as it acts on the ledger: through DsoRules as the SV that runs it if DsoRules exist, otherwise by AmuletRules alone. */
import { encodeValue } from '../../daml/codec/json/codec.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { template } from '../../daml/model/package.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, DamlRecord, Party, Timestamp } from '../../daml/model/values.js';
import { contractsOf, dsoHost, latestOf, type AmuletTemplate } from '../dso/amulet-contracts.js';
import type { Dso } from '../dso/dso.js';
import { Submitter, type Done } from '../submitter.js';

const AMULET_RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const DSO_RULES = '#splice-dso-governance:Splice.DsoRules:DsoRules';

export class DsoNode {
  readonly submitter: Submitter;

  constructor(readonly dso: Dso) {
    const host = dsoHost(dso) ?? dso.network.participants[0]!;
    this.submitter = new Submitter(host, dso.validatorAt(host).user);
  }

  get now(): Timestamp {
    return this.dso.network.clock.now();
  }

  get dsoRules(): ContractInstance | undefined {
    return latestOf(this.dso, 'dsoRules');
  }

  /** The SVs with their information, as DsoRules list them. */
  get svs(): readonly (readonly [Party, DamlRecord])[] {
    return (this.dsoRules?.payload.svs ?? []) as readonly (readonly [Party, DamlRecord])[];
  }

  /** The SV that it acts as: the first one in DsoRules. */
  get sv(): Party | undefined {
    return this.svs[0]?.[0];
  }

  get amuletRulesCid(): ContractId {
    return latestOf(this.dso, 'rules')!.contractId;
  }

  contracts(of: AmuletTemplate, party?: Party): readonly ContractInstance[] {
    return [...contractsOf(this.dso, of, party)];
  }

  /**
   * Exercises a choice of AmuletRules as the DSO party.
   * @throws LedgerError if the ledger refuses it
   */
  exerciseAmuletRules(choice: string, argument: unknown): Done {
    return this.exercise(AMULET_RULES, this.amuletRulesCid, choice, argument);
  }

  /**
   * Exercises a choice of DsoRules as the SV.
   * @throws LedgerError if the ledger refuses it
   */
  exerciseDsoRules(choice: string, argument: object): Done {
    const { sv, dsoRules, dso } = this;
    const acting = { actAs: [sv!], readAs: [dso.dsoParty] };
    const whole = { ...argument, sv };
    return this.submitter.exercise(DSO_RULES, dsoRules!.contractId, choice, whole, acting);
  }

  /**
   * Exercises any choice that the DSO controls.
   * @throws LedgerError if the ledger refuses it
   */
  exercise(
    reference: string,
    contractId: ContractId,
    choice: string,
    argument: unknown,
    actor = this.dso.dsoParty,
  ): Done {
    return this.submitter.exercise(reference, contractId, choice, argument, { actAs: [actor] });
  }

  /** A contract's payload as Ledger API JSON. */
  jsonOf({ templateId, payload }: ContractInstance): Readonly<Record<string, unknown>> {
    const { packages } = this.dso;
    const type = template(packages, templateId)!.payloadType;
    return encodeValue(packages, type, payload) as Readonly<Record<string, unknown>>;
  }

  /**
   * Acts on each contract separately, so that a refusal of one does not stop the others.
   * @throws LedgerError if all are refused
   */
  forEach<T>(all: readonly T[], act: (each: T) => void): void {
    const { journal } = this.dso.network;
    const refusals: LedgerError[] = [];
    for (const each of all)
      try {
        journal.atomically(() => act(each));
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error;
        refusals.push(error);
      }
    if (refusals.length > 0 && refusals.length === all.length) throw refusals[0]!;
  }
}

export function idsOf(
  contracts: readonly { readonly contractId: ContractId }[],
): readonly ContractId[] {
  return contracts.map(({ contractId }) => contractId);
}

/**
 * The earliest of some times.
 * @param times undefined entries are skipped
 */
export function earliest(times: Iterable<Timestamp | undefined>): Timestamp | undefined {
  let first: Timestamp | undefined;
  for (const time of times)
    if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}

/** Splits a list into batches of at most `size` items. */
export function batches<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size));
}
