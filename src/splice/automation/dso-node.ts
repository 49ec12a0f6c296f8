/** The DSO as it acts on the ledger: by AmuletRules alone, or through DsoRules as the SV that runs it, where these are founded. */
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import { contractsOf, latestOf, type AmuletTemplate } from '../dso/amulet-contracts.js';
import type { Dso } from '../dso/dso.js';
import { Submitter, type Done } from '../submitter.js';

const AMULET_RULES = '#splice-amulet:Splice.AmuletRules:AmuletRules';
const DSO_RULES = '#splice-dso-governance:Splice.DsoRules:DsoRules';

export class DsoNode {
  readonly submitter: Submitter;

  /** @param userId of the DSO's participant, as whom it submits */
  constructor(
    readonly dso: Dso,
    userId: string,
  ) {
    const { network, dsoParty } = dso;
    const host = network.participants.find((each) => each.hosts(dsoParty));
    this.submitter = new Submitter(host ?? network.participants[0]!, userId);
  }

  get now(): Timestamp {
    return this.dso.network.clock.now();
  }

  get dsoRules(): ContractInstance | undefined {
    return latestOf(this.dso, 'dsoRules');
  }

  /** The SV that it acts as: the first of those that DsoRules name. */
  get sv(): Party | undefined {
    const svs = this.dsoRules?.payload.svs as readonly (readonly [Party, unknown])[] | undefined;
    return svs?.[0]?.[0];
  }

  contracts(template: AmuletTemplate): readonly ContractInstance[] {
    return [...contractsOf(this.dso, template)];
  }

  /** A choice of AmuletRules, by the DSO itself. @throws LedgerError for what the ledger refuses */
  exerciseAmuletRules(choice: string, argument: unknown): Done {
    const { contractId } = latestOf(this.dso, 'rules')!;
    return this.exercise(AMULET_RULES, contractId, choice, argument);
  }

  /** A choice of DsoRules, by the SV. @throws LedgerError for what the ledger refuses */
  exerciseDsoRules(choice: string, argument: object): Done {
    const { sv, dsoRules, dso } = this;
    const acting = { actAs: [sv!], readAs: [dso.dsoParty] };
    const whole = { ...argument, sv };
    return this.submitter.exercise(DSO_RULES, dsoRules!.contractId, choice, whole, acting);
  }

  /** Any choice of the DSO's. @throws LedgerError for what the ledger refuses */
  exercise(template: string, contractId: ContractId, choice: string, argument: unknown): Done {
    const acting = { actAs: [this.dso.dsoParty] };
    return this.submitter.exercise(template, contractId, choice, argument, acting);
  }
}

export function numericText(value: unknown): string {
  return (value as Numeric).toString();
}
