/** The input of one submission to a fuzzed ledger: every active contract is usable. */
import type { InterpreterInput } from '../../daml/interpreter/input.js';
import type { PackageLookup } from '../../daml/model/package.js';
import type { PartySets } from '../../daml/model/parties.js';
import type { Command, ContractInstance, ContractKey } from '../../daml/model/transaction.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import type { Protocol } from '../../network/model/protocol.js';
import type { IdeContracts } from '../../script/ide/ide-contracts.js';
import type { Submission } from '../model/step.js';

const NONE: readonly ContractInstance[] = [];

/**
 * How often the machine looks at the time before a submission ends with an error, so that loops over large numbers
 * end. It looks after each 100,000 steps.
 */
export const MAX_LOOKS = 20;

/** Ends a computation after {@link MAX_LOOKS}. */
export function lookLimit(): () => boolean {
  let looks = 0;
  return () => ++looks > MAX_LOOKS;
}

export class FuzzInput implements InterpreterInput {
  readonly commands: readonly Command[];
  readonly actAs: readonly Party[];
  readonly partySets: PartySets;
  readonly rollsBackEffects: boolean;
  /** Contracts that no submitting or reading party is a stakeholder of, in the order of their first use. */
  disclosed: readonly ContractInstance[] = NONE;

  constructor(
    private readonly contracts: IdeContracts,
    readonly packages: PackageLookup,
    private readonly submission: Submission,
    readonly ledgerTime: Timestamp,
    { rollsBackEffects }: Protocol,
  ) {
    this.commands = submission.commands;
    this.actAs = submission.actAs;
    this.partySets = contracts.partySets;
    this.rollsBackEffects = rollsBackEffects;
  }

  deadline(): () => boolean {
    return lookLimit();
  }

  /** The ids of new contracts do not depend on it. */
  get seed(): string {
    return '';
  }

  contract(id: ContractId): ContractInstance | undefined {
    const found = this.contracts.get(id);
    if (found === undefined || found.archivedIn !== undefined) return undefined;
    const { instance } = found;
    if (!this.isVisible(instance) && !this.disclosed.includes(instance))
      this.disclosed = [...this.disclosed, instance];
    return instance;
  }

  /** Contracts of the submitters first, because disclosed contracts come first only if a submission discloses them. */
  *contractsByKey({ hash }: ContractKey): Generator<ContractInstance, void, undefined> {
    for (const id of this.contracts.withKey(hash)) {
      const found = this.contracts.get(id);
      if (found !== undefined && this.isVisible(found.instance)) yield found.instance;
    }
    for (const id of this.contracts.withKey(hash)) {
      const found = this.contracts.get(id);
      if (found === undefined || this.isVisible(found.instance)) continue;
      const contract = this.contract(id);
      if (contract !== undefined) yield contract;
    }
  }

  private isVisible({ signatories, observers }: ContractInstance): boolean {
    const { actAs, readAs } = this.submission;
    for (let i = 0; i < actAs.length; i++) {
      const party = actAs[i]!;
      if (signatories.includes(party) || observers.includes(party)) return true;
    }
    for (let i = 0; i < readAs.length; i++) {
      const party = readAs[i]!;
      if (signatories.includes(party) || observers.includes(party)) return true;
    }
    return false;
  }
}
