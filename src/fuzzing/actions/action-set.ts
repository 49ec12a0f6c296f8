/**
 * Chooses the next step of a sequence: an action by its weight, its arguments, and the parties that submit it. Most
 * submissions have the required parties. Some have others, so that missing checks of authority show.
 */
import type { ScriptPackages } from '../../script/packages.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import type { TypeId } from '../../daml/model/types.js';
import type { DamlRecord, Party } from '../../daml/model/values.js';
import type { CustomAction } from '../ledger/custom-action.js';
import { Targets } from '../ledger/targets.js';
import type { Step, Submission } from '../model/step.js';
import { DURATIONS } from '../values/numbers.js';
import { STRANGER, type ValueSource } from '../values/values.js';
import { actionsOf, isNamed, type Action, type ExerciseAction } from './action.js';
import { actorsOf } from './actors.js';

/** The most commands of a submission. */
export const MAX_COMMANDS = 3;
/** How often to look for an action that is possible in the state. */
const TRIES = 8;
/** The weight of `Archive`, which ends most sequences. */
const ARCHIVE_WEIGHT = 0.25;

/** How often something happens, as a probability. */
const SHARES = {
  advance: 0.06,
  race: 0.05,
  /** More commands in a submission. */
  more: 0.12,
  /** A choice of a random contract instead of a contract of a random choice. */
  contractFirst: 0.5,
  createAndExercise: 0.04,
  byKey: 0.3,
  /** Other parties than the required ones. */
  unauthorized: 0.15,
  /** A further party that reads. */
  reader: 0.05,
};

export interface ActionOptions {
  readonly packages: ScriptPackages;
  /** The packages whose templates and interfaces are fuzzed. */
  readonly chosen: readonly DamlPackage[];
  /** Only these actions; all if absent or empty. */
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  /** By name; 1 by default. */
  readonly weights?: ReadonlyMap<string, number>;
  readonly custom?: readonly CustomAction[];
}

/** A name that means no action. */
export class UnknownAction extends Error {
  override readonly name = 'UnknownAction';
}

export class ActionSet {
  readonly actions: readonly Action[];
  private readonly weights: readonly number[];
  private readonly total: number;
  /** The exercises of the contracts of each template. */
  private readonly byTarget = new Map<TypeId, ExerciseAction[]>();

  /** @throws UnknownAction if a name means no action */
  constructor(options: ActionOptions) {
    const { packages, chosen, only = [], exclude = [], weights = new Map(), custom = [] } = options;
    const all: readonly Action[] = [
      ...actionsOf(packages, chosen, new Targets(packages)),
      ...custom.map((action) => ({ kind: 'custom', name: action.name, action }) as const),
    ];
    for (const name of [...only, ...exclude, ...weights.keys()])
      if (!all.some((each) => isNamed(each, name)))
        throw new UnknownAction(`${name} is no template, choice or action of these packages.`);
    const isWanted = (each: Action) =>
      (only.length === 0 || only.some((name) => isNamed(each, name))) &&
      !exclude.some((name) => isNamed(each, name));
    const weighted = all
      .filter(isWanted)
      .map((action) => ({ action, weight: weightOf(action, weights) }))
      .filter(({ weight }) => weight > 0);
    this.actions = weighted.map(({ action }) => action);
    this.weights = weighted.map(({ weight }) => weight);
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
    for (const action of this.actions) if (action.kind === 'exercise') this.index(action);
  }

  private index(action: ExerciseAction): void {
    for (const target of action.targets) {
      const known = this.byTarget.get(target);
      if (known === undefined) this.byTarget.set(target, [action]);
      else known.push(action);
    }
  }

  /** @param values of the ledger on which the step will run */
  next(values: ValueSource, number: number): Step {
    const { random } = values;
    if (this.actions.length === 0 || random.chance(SHARES.advance)) return advance(values, number);
    const action = this.possible(values);
    if (action.kind === 'custom') {
      const { name, argument } = action.action;
      values.focusOn([]);
      return { kind: 'custom', number, action: name, argument: values.make(argument) };
    }
    const first = this.usable(values, action);
    if (random.chance(SHARES.race)) {
      const rival = this.rivalOf(values, first);
      const submissions = [
        this.submission(values, [first]),
        this.submission(values, [rival]),
      ] as const;
      return { kind: 'race', number, submissions };
    }
    const commands = [first];
    while (commands.length < MAX_COMMANDS && random.chance(SHARES.more)) {
      const more = this.possible(values);
      if (more.kind !== 'custom') commands.push(this.usable(values, more));
    }
    return { kind: 'submit', number, submission: this.submission(values, commands) };
  }

  /** An action with a contract for it in the state, if a few tries find one. */
  private possible(values: ValueSource): Action {
    const { random } = values;
    if (random.chance(SHARES.contractFirst)) {
      const found = this.ofRandomContract(values);
      if (found !== undefined) return found;
    }
    let action = this.weighted(values);
    for (let tries = 0; tries < TRIES; tries++) {
      if (action.kind !== 'exercise') return action;
      if (values.contractOf(action.targets) !== undefined) return action;
      action = this.weighted(values);
    }
    return action;
  }

  private ofRandomContract({ random, ledger }: ValueSource): Action | undefined {
    const { created } = ledger;
    if (created.length === 0) return undefined;
    const { instance, archivedIn } = random.pick(created);
    if (archivedIn !== undefined) return undefined;
    const choices = this.byTarget.get(instance.templateId);
    if (choices === undefined) return undefined;
    const action = random.pick(choices);
    return action.choice.name === 'Archive' && !random.chance(ARCHIVE_WEIGHT) ? undefined : action;
  }

  private weighted({ random }: ValueSource): Action {
    let left = (random.next() / 0x1_0000_0000) * this.total;
    for (let i = 0; i < this.weights.length; i++) {
      left -= this.weights[i]!;
      if (left < 0) return this.actions[i]!;
    }
    return this.actions.at(-1)!;
  }

  /** A command that names no missing contract, if a few tries find one. */
  private usable(values: ValueSource, action: Exclude<Action, { kind: 'custom' }>): Command {
    let command = this.commandOf(values, action);
    for (let tries = 0; values.isLacking && tries < TRIES; tries++) {
      const other = this.possible(values);
      if (other.kind !== 'custom') command = this.commandOf(values, other);
    }
    return command;
  }

  private commandOf(values: ValueSource, action: Exclude<Action, { kind: 'custom' }>): Command {
    const { random } = values;
    if (action.kind === 'create') {
      values.focusOn(someParties(values));
      const { id: templateId, payloadType } = action.template;
      const payload = values.make(payloadType) as DamlRecord;
      const choices = random.chance(SHARES.createAndExercise)
        ? this.byTarget.get(templateId)
        : undefined;
      const own = choices?.filter(({ definition }) => definition === action.template) ?? [];
      if (own.length === 0) return { kind: 'create', templateId, payload };
      const { choice } = random.pick(own);
      const argument = values.make(choice.argumentType);
      return { kind: 'createAndExercise', templateId, payload, choice: choice.name, argument };
    }
    const contractId = values.contractOf(action.targets) ?? values.anyContract();
    return exerciseOf(values, action, contractId);
  }

  /** Usually a choice of the same contract, because only then one of two submissions can fail. */
  private rivalOf(values: ValueSource, command: Command): Command {
    const { random, ledger } = values;
    if (command.kind === 'exercise') {
      const { templateId } = ledger.contract(command.contractId) ?? command;
      const choices = this.byTarget.get(templateId);
      if (choices !== undefined && random.chance(0.8))
        return exerciseOf(values, random.pick(choices), command.contractId);
    }
    const action = this.possible(values);
    return action.kind === 'custom' ? command : this.commandOf(values, action);
  }

  /** The commands with the parties that they require. @param mayDiffer whether it sometimes has other parties */
  submission(values: ValueSource, commands: readonly Command[], mayDiffer = true): Submission {
    const { random, ledger } = values;
    const required = new Set<Party>();
    for (const command of commands)
      for (const party of actorsOf(ledger, command)) required.add(party);
    const isOther = required.size === 0 || (mayDiffer && random.chance(SHARES.unauthorized));
    const actAs = isOther ? otherActors(values, commands, [...required]) : [...required];
    const readAs = random.chance(SHARES.reader) ? [values.party()] : [];
    return { actAs, readAs, commands };
  }
}

function weightOf(action: Action, weights: ReadonlyMap<string, number>): number {
  const base = action.kind === 'exercise' && action.choice.name === 'Archive' ? ARCHIVE_WEIGHT : 1;
  // The most specific name counts.
  const own = [...weights].filter(([name]) => isNamed(action, name));
  const [, weight = base] = own.sort(([a], [b]) => b.length - a.length)[0] ?? [];
  return weight;
}

function exerciseOf(values: ValueSource, action: ExerciseAction, contractId: string): Command {
  const { random, ledger } = values;
  const { definition, choice: own, keyed } = action;
  values.focusOn(partiesAround(values, contractId));
  const argument = values.make(own.argumentType);
  const choice = own.name;
  const templateId = definition.id;
  if (keyed !== undefined && random.chance(SHARES.byKey)) {
    const known = ledger.contract(contractId)?.key?.value;
    const key = known === undefined || random.chance(0.1) ? values.make(keyed.key!.type) : known;
    return { kind: 'exerciseByKey', templateId, key, choice, argument };
  }
  return { kind: 'exercise', templateId, contractId, choice, argument };
}

/** One or two parties. */
function someParties(values: ValueSource): readonly Party[] {
  values.focusOn([]);
  return values.random.chance(0.5) ? [values.party()] : [values.party(), values.party()];
}

/** Often a stakeholder of the contract, and often another party. */
function partiesAround(values: ValueSource, contractId: string): readonly Party[] {
  const { random, ledger } = values;
  const contract = ledger.contract(contractId);
  if (contract === undefined || random.chance(0.3)) return someParties(values);
  const stakeholder = random.pick([...contract.signatories, ...contract.observers]);
  return random.chance(0.5) ? [stakeholder] : [stakeholder, values.party()];
}

/** A single required party, a stakeholder, a stranger, or several parties. */
function otherActors(
  values: ValueSource,
  commands: readonly Command[],
  required: readonly Party[],
): readonly Party[] {
  const { random } = values;
  switch (random.below(5)) {
    case 0:
      if (required.length > 1) return [random.pick(required)];
      return [values.party()];
    case 1: {
      const stakeholders = commands.flatMap((command) => stakeholdersIn(values, command));
      return [stakeholders.length === 0 ? values.party() : random.pick(stakeholders)];
    }
    case 2:
      return [STRANGER];
    case 3:
      return [...new Set([...required, values.party()])];
    default:
      return [...new Set([values.party(), values.party()])];
  }
}

function stakeholdersIn({ ledger }: ValueSource, command: Command): readonly Party[] {
  const contract = command.kind === 'exercise' ? ledger.contract(command.contractId) : undefined;
  return contract === undefined ? [] : [...contract.signatories, ...contract.observers];
}

/** To a time of the state, or close to it, or by a usual duration. */
function advance(values: ValueSource, number: number): Step {
  const { random, ledger } = values;
  const deadline = values.known('timestamp', values.constants.timestamps) as bigint | undefined;
  if (deadline !== undefined && deadline > ledger.now && random.chance(0.7)) {
    const micros = deadline - ledger.now + BigInt(random.below(3) - 1);
    return { kind: 'advance', number, micros };
  }
  return { kind: 'advance', number, micros: random.pick(DURATIONS) };
}
