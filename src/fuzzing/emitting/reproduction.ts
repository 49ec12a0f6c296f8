/** A finding with all that the emitted texts need, and names for its parties and contracts. */
import type { PackageLookup } from '../../daml/model/package.js';
import type { Command, ContractInstance } from '../../daml/model/transaction.js';
import { splitTypeId } from '../../daml/model/types.js';
import type { ContractId, Party } from '../../daml/model/values.js';
import type { Finding } from '../model/finding.js';
import type { Outcome } from '../model/outcome.js';
import type { StartState } from '../model/state.js';
import type { Step, Submission } from '../model/step.js';
import { textsIn } from '../model/texts.js';

/** How the start state comes about. */
export type Origin =
  | { readonly kind: 'parties' }
  /** A Daml script, `Module:name`. */
  | { readonly kind: 'script'; readonly name: string }
  /** The path of a scenario or a saved world. */
  | { readonly kind: 'file'; readonly path: string };

export interface Reproduction {
  readonly packages: PackageLookup;
  /** The paths of the DARs, for the emitted texts. */
  readonly dars: readonly string[];
  readonly origin: Origin;
  readonly start: StartState;
  /** The outcomes of the steps, from the start state. */
  readonly outcomes: readonly Outcome[];
  readonly finding: Finding;
}

/** Words that cannot be names of variables in Daml or JavaScript. */
const RESERVED = new Set(
  'as case class const data default delete do else enum export for forall function if import in infix instance interface let module new null of qualified return switch template then this throw true false try type typeof var void where while with yield'.split(
    ' ',
  ),
);

/** The names of parties and contracts in emitted texts: valid variables, and equal for equal sequences. */
export class ShownNames {
  private readonly parties = new Map<Party, string>();
  private readonly contracts = new Map<ContractId, string>();
  /** The contracts that a step or the assertion mentions, those of the start state and of earlier steps. */
  readonly mentioned: ReadonlySet<ContractId>;
  private readonly taken = new Set<string>();

  constructor({ start, outcomes, finding }: Pick<Reproduction, 'start' | 'outcomes' | 'finding'>) {
    for (const party of start.parties) this.party(party);
    for (const { step } of outcomes)
      for (const { actAs, readAs } of submissionsIn(step))
        for (const party of [...actAs, ...readAs]) this.party(party);
    const known = new Map(start.contracts.map((each) => [each.contractId, each]));
    const mentioned = new Set<ContractId>();
    for (const { step, submitted } of outcomes) {
      for (const command of commandsIn(step))
        for (const id of textsIn(command)) if (known.has(id)) mentioned.add(id);
      for (const { transaction } of submitted)
        for (const node of transaction?.nodes ?? [])
          if (node.kind === 'create') known.set(node.contract.contractId, node.contract);
    }
    const { assertion } = finding;
    if (assertion?.kind === 'hidden') mentioned.add(assertion.contract.contractId);
    // A payload can mention further contracts.
    for (const id of mentioned)
      for (const inner of textsIn(known.get(id)!.payload))
        if (known.has(inner)) mentioned.add(inner);
    this.mentioned = mentioned;
    for (const contract of known.values())
      if (mentioned.has(contract.contractId)) this.name(contract);
  }

  /** All parties, those of the start state first. */
  get everyone(): readonly Party[] {
    return [...this.parties.keys()];
  }

  party(party: Party): string {
    let name = this.parties.get(party);
    if (name === undefined) {
      name = this.free(lowerCamel(party.split('::')[0]!));
      this.parties.set(party, name);
    }
    return name;
  }

  /** @returns undefined for a contract that no step mentions */
  contract(id: ContractId): string | undefined {
    return this.contracts.get(id);
  }

  /** Ids with their names, the long ids first, so that a replacement does not split another id. */
  *all(): Generator<readonly [id: string, name: string], void, undefined> {
    yield* this.contracts;
    yield* [...this.parties].sort(([a], [b]) => b.length - a.length);
  }

  private name({ contractId, templateId }: ContractInstance): void {
    const { entity } = splitTypeId(templateId);
    const stem = lowerCamel(entity);
    for (let number = 1; ; number++) {
      const name = `${stem}${number}`;
      if (this.taken.has(name)) continue;
      this.taken.add(name);
      this.contracts.set(contractId, name);
      return;
    }
  }

  private free(stem: string): string {
    for (let number = 1; ; number++) {
      const name = number === 1 ? stem : `${stem}${number}`;
      if (this.taken.has(name) || RESERVED.has(name)) continue;
      this.taken.add(name);
      return name;
    }
  }
}

function lowerCamel(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('');
  const name = joined === '' || /^\d/.test(joined) ? `p${joined}` : joined;
  return name[0]!.toLowerCase() + name.slice(1);
}

function submissionsIn(step: Step): readonly Submission[] {
  if (step.kind === 'submit') return [step.submission];
  return step.kind === 'race' ? step.submissions : [];
}

const commandsIn = (step: Step): readonly Command[] =>
  submissionsIn(step).flatMap(({ commands }) => commands);
