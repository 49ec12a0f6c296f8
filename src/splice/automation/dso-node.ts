/** The DSO as it acts on the ledger: by AmuletRules alone, or through DsoRules as the SV that runs it, where these are founded. */
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

  /** With the information on each, as DsoRules have them. */
  get svs(): readonly (readonly [Party, DamlRecord])[] {
    return (this.dsoRules?.payload.svs ?? []) as readonly (readonly [Party, DamlRecord])[];
  }

  /** The SV that it acts as: the first of those that DsoRules name. */
  get sv(): Party | undefined {
    return this.svs[0]?.[0];
  }

  get amuletRulesCid(): ContractId {
    return latestOf(this.dso, 'rules')!.contractId;
  }

  contracts(of: AmuletTemplate, party?: Party): readonly ContractInstance[] {
    return [...contractsOf(this.dso, of, party)];
  }

  /** A choice of AmuletRules, by the DSO itself. @throws LedgerError for what the ledger refuses */
  exerciseAmuletRules(choice: string, argument: unknown): Done {
    return this.exercise(AMULET_RULES, this.amuletRulesCid, choice, argument);
  }

  /** A choice of DsoRules, by the SV. @throws LedgerError for what the ledger refuses */
  exerciseDsoRules(choice: string, argument: object): Done {
    const { sv, dsoRules, dso } = this;
    const acting = { actAs: [sv!], readAs: [dso.dsoParty] };
    const whole = { ...argument, sv };
    return this.submitter.exercise(DSO_RULES, dsoRules!.contractId, choice, whole, acting);
  }

  /** Any choice of the DSO's. @throws LedgerError for what the ledger refuses */
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
   * Acts on each contract by itself, so that one that the ledger refuses keeps none of the others from it.
   * @throws LedgerError where all are refused
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

/** @param times undefined for those that never come */
export function earliest(times: Iterable<Timestamp | undefined>): Timestamp | undefined {
  let first: Timestamp | undefined;
  for (const time of times)
    if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}

/** In pieces of that size. */
export function batches<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size));
}
