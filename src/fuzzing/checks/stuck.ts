/** Contracts of several signatories that no choice ends in the whole run. */
import {
  boundBody,
  choiceOf,
  interfaceDefinition,
  template,
  type Choice,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { DamlType, TypeId } from '../../daml/model/types.js';
import type { Transaction } from '../../daml/model/transaction.js';
import type { Check, Finding, RunFinding, RunningCheck } from '../model/finding.js';
import type { Outcome, Submitted } from '../model/outcome.js';
import type { LedgerState } from '../model/state.js';
import type { Step } from '../model/step.js';
import { actionsIn, templateName } from './nodes.js';

const NAME = 'stuck-contract';
/** Fewer rejected attempts prove nothing. */
export const MIN_ATTEMPTS = 100;

/** The fate of the contracts of a template, in a run or in one sequence. */
class Fate {
  isMovedOn = false;
  attempts = 0;
  /** The choices that were tried and rejected: the same name in two interfaces counts once. */
  readonly tried = new Set<string>();

  constructor(readonly choices: readonly Choice[]) {}

  /** Whether each choice that ends a contract was tried. */
  get isComplete(): boolean {
    return this.choices.every(({ name }) => this.tried.has(name));
  }
}

/** Any signatory of a contract with one signatory can archive it, so only contracts of several can be stuck. */
class Fates {
  readonly byTemplate = new Map<TypeId, Fate>();

  add({ submitted }: Outcome, state: LedgerState): void {
    for (const each of submitted)
      if (each.transaction === undefined) this.addAttempt(each, state);
      else this.addTransaction(each.transaction, state);
  }

  private addTransaction(transaction: Transaction, { packages }: LedgerState): void {
    for (const node of actionsIn(transaction)) {
      if (node.kind === 'create') {
        const { templateId, signatories } = node.contract;
        if (signatories.length > 1 && !this.byTemplate.has(templateId))
          this.byTemplate.set(templateId, new Fate(consumingChoices(packages, templateId)));
      } else if (node.kind === 'exercise' && node.consuming) {
        const fate = this.byTemplate.get(node.contract.templateId);
        if (fate !== undefined && !(node.choice === 'Archive' && node.parent < 0))
          fate.isMovedOn = true;
      }
    }
  }

  private addAttempt({ submission, error }: Submitted, state: LedgerState): void {
    const { code } = error!;
    if (code === 'DAML_AUTHORIZATION_ERROR' || code === 'CONTRACT_NOT_FOUND') return;
    for (const command of submission.commands) {
      if (command.kind !== 'exercise' || command.choice === 'Archive') continue;
      const target = state.contract(command.contractId);
      const fate = target && this.byTemplate.get(target.templateId);
      if (fate === undefined || !isConsuming(state.packages, command.templateId, command.choice))
        continue;
      fate.attempts += 1;
      fate.tried.add(command.choice);
    }
  }
}

/** A sequence that shows as much as any: it tries each choice, or there is none. */
type Shown = Map<TypeId, readonly Step[]>;

const placeOf = (packages: PackageLookup, id: TypeId, { choices }: Fate): string => {
  const isCertain =
    choices.length > 0 &&
    choices.every(({ argumentType }) => !hasContractId(packages, argumentType));
  return isCertain ? templateName(id) : `${templateName(id)}${PERHAPS}`;
};
const PERHAPS = ' perhaps';

function finding(packages: PackageLookup, templateId: TypeId, fate: Fate, tried: string): Finding {
  const name = templateName(templateId);
  const place = placeOf(packages, templateId, fate);
  return {
    check: NAME,
    place,
    templateId,
    message:
      fate.choices.length === 0
        ? `A ${name} has no choice that ends it: only all its signatories together can archive it.`
        : tried,
    ...(place !== name && { isNote: true as const }),
  };
}

const namesOf = ({ choices }: Fate): string => choices.map(({ name }) => name).join(', ');

/** The contracts of a whole run: one sequence alone proves little. */
class RunFates {
  private readonly fates = new Fates();
  private readonly shown: Shown = new Map();
  private packages: PackageLookup | undefined;

  start(): RunningCheck {
    const steps: Step[] = [];
    const own = new Fates();
    return {
      beforeStep: (step) => void steps.push(step),
      afterStep: (outcome, state) => {
        this.packages = state.packages;
        this.fates.add(outcome, state);
        own.add(outcome, state);
        for (const [id, fate] of own.byTemplate)
          if (!this.shown.has(id) && fate.isComplete && !fate.isMovedOn)
            this.shown.set(id, steps.slice());
        return [];
      },
    };
  }

  *stuck(): Generator<RunFinding> {
    for (const [id, fate] of this.fates.byTemplate) {
      const { isMovedOn, choices, attempts } = fate;
      if (isMovedOn || (choices.length > 0 && attempts < MIN_ATTEMPTS)) continue;
      const message = `No ${templateName(id)} was ended by a choice (${namesOf(fate)}) in ${attempts} attempts.`;
      const steps = this.shown.get(id) ?? [];
      yield { finding: finding(this.packages!, id, fate, message), steps };
    }
  }

  *movedOn(): Generator<string> {
    for (const [id, fate] of this.fates.byTemplate)
      if (fate.isMovedOn) yield placeOf(this.packages!, id, fate);
  }
}

/** Judges one sequence, which tries each choice of a contract. */
const inSequence: Check = {
  name: NAME,
  summary: 'A contract that no choice of the sequence ends.',
  start() {
    const fates = new Fates();
    return {
      afterStep(outcome, state) {
        fates.add(outcome, state);
        return [];
      },
      *atEnd({ packages }) {
        for (const [id, fate] of fates.byTemplate) {
          if (fate.isMovedOn || !fate.isComplete) continue;
          const message = `The ledger rejects each choice that ends a ${templateName(id)}: ${namesOf(fate)}.`;
          yield finding(packages, id, fate, message);
        }
      },
    };
  },
};

const isConsuming = (packages: PackageLookup, id: TypeId, choice: string): boolean =>
  choiceOf(packages, id, choice)?.consuming === true;

/** Those of the template and its interfaces, without `Archive`. */
function consumingChoices(packages: PackageLookup, templateId: TypeId): readonly Choice[] {
  const own = template(packages, templateId);
  const interfaces = [...(own?.implementations.keys() ?? [])];
  return [own, ...interfaces.map((id) => interfaceDefinition(packages, id))]
    .flatMap((of) => [...(of?.choices.values() ?? [])])
    .filter(({ name, consuming }) => consuming && name !== 'Archive');
}

/** Whether the caller needs another contract for the choice. */
function hasContractId(packages: PackageLookup, type: DamlType, depth = 0): boolean {
  if (depth > 8) return true;
  const within = (inner: DamlType) => hasContractId(packages, inner, depth + 1);
  switch (type.kind) {
    case 'contractId':
      return true;
    case 'optional':
    case 'list':
    case 'textMap':
      return within(type.of);
    case 'genMap':
      return within(type.key) || within(type.value);
    case 'con': {
      const body = boundBody(packages, type);
      if (body?.kind === 'record') return body.fields.some((field) => within(field.type));
      return body?.kind === 'variant' && body.constructors.some((field) => within(field.type));
    }
    default:
      return false;
  }
}

export function stuckContract(): Check {
  const fates = new RunFates();
  return {
    name: NAME,
    summary:
      'A contract of several signatories that no choice ever ends. It is a note if other contracts are needed.',
    start: () => fates.start(),
    atEndOfRun: () => fates.stuck(),
    refuted: () => fates.movedOn(),
    inSequence,
  };
}
