/**
 * Runs commands: the ledger model's rules of authorization, visibility and activeness over the code of packages. It
 * takes commands and returns a transaction tree or the first error; it has no side effects. The caller keeps the
 * state of contracts (synchronizer, archived by other transactions), and passes the contracts that the submitters
 * may see.
 */
import { contractIdAt } from '../contract/contract-id.js';
import { concernedParties, newContract, type NewContract } from './contract-code.js';
import { haveAll, OUTSIDE, type Frame } from './frame.js';
import { FrameActions } from './frame-actions.js';
import { checkGivenKeys } from './given-keys.js';
import { GrowingTransaction } from './growing-transaction.js';
import { viewIn } from './interface-view.js';
import type { InterpreterInput, UsedContracts } from './input.js';
import * as refuseKey from '../refusals/key-refusals.js';
import { KeyedContracts, type FoundByKey } from './keyed-contracts.js';
import { LedgerError } from '../errors/ledger-error.js';
import { isCompiledChoice } from '../lf/runtime/compiled.js';
import { Machine } from '../lf/runtime/machine.js';
import type { Call } from '../lf/runtime/runtime-values.js';
import { normaliseValue } from '../codec/normalise.js';
import {
  interfaceDefinition,
  type Choice,
  type ChoiceTarget,
  type FetchedContract,
  type Template,
} from '../model/package.js';
import { PartySets } from '../model/parties.js';
import * as refuse from '../refusals/refusals.js';
import { Resolution } from './resolution.js';
import { numbered } from './rollback.js';
import {
  stakeholdersOf,
  type Command,
  type ExerciseNode,
  type Interpretation,
} from '../model/transaction.js';
import { packageIdOf, type DamlType, type TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue, Party, Timestamp } from '../model/values.js';

/**
 * The nesting limit of exercises that use JavaScript's stack: choices written in TypeScript. NOTE: Canton has no
 * such limit. The stack overflows at about 900 levels if code runs for the first time, and later if it has run
 * before. The fixed limit makes the error deterministic.
 */
const MAX_NATIVE_EXERCISES = 500;

/** Values from package code: their errors are interpretation errors, not command errors. */
const INSIDE = { insideDaml: true };

/** @throws LedgerError of the interpreter. */
export function interpret(input: InterpreterInput): Interpretation {
  const interpreter = new Interpreter(input);
  try {
    return interpreter.run();
  } catch (error) {
    if (error instanceof LedgerError) input.onRefusal?.(error, interpreter.used);
    throw error;
  }
}

/** An exercise being built: its children and result come later than its place in the tree. */
type OpenExercise = { -readonly [K in keyof ExerciseNode]: ExerciseNode[K] };

/** The data of an exercise before its body runs. */
interface BegunExercise {
  readonly node: OpenExercise;
  readonly choice: Choice;
  readonly target: ChoiceTarget;
  /** The authorizers of the body's actions. */
  readonly authorizers: readonly Party[];
}

const frameIn = ({ node, authorizers }: BegunExercise, depth: number): Frame => ({
  nodeId: node.nodeId,
  authorizers,
  depth,
});

export class Interpreter extends GrowingTransaction {
  /** Created at the first use of a key. */
  private keyed: KeyedContracts | undefined;

  readonly machine: Machine;
  readonly resolution: Resolution;
  private readonly partySets: PartySets;

  constructor(readonly input: InterpreterInput) {
    super();
    this.partySets = input.partySets ?? new PartySets();
    this.machine = new Machine(input.packages, input.deadline?.());
    this.resolution = new Resolution(
      this.machine,
      (code) => this.guarded(OUTSIDE, code),
      (id) => input.claim?.(id),
    );
  }

  private get keys(): KeyedContracts {
    return (this.keyed ??= new KeyedContracts(this, this.contracts));
  }

  protected get ledgerTime(): Timestamp {
    return this.input.ledgerTime;
  }

  get used(): UsedContracts {
    const { inputs, keys, answers } = this;
    const withKey = (hash: string) => keys.met(hash).map((id) => inputs.get(id)!);
    return { byId: inputs, withKey, answers };
  }

  run(): Interpretation {
    const root: Frame = {
      nodeId: -1,
      authorizers: this.partySets.of(this.input.actAs),
      depth: 0,
    };
    checkGivenKeys(this.input);
    for (const command of this.input.commands) {
      this.command = command;
      try {
        this.runCommand(root, command);
      } catch (error) {
        // An uncaught Daml exception is a failure, too.
        throw this.fail(root, error);
      }
    }
    this.checkFailure();
    return numbered(this.nodes, this.contracts.inputIds(), this.hasScopes);
  }

  protected runCommand(root: Frame, command: Command): void {
    switch (command.kind) {
      case 'create':
        this.create(root, command.templateId, command.payload);
        break;
      case 'exercise':
        this.exercise(
          root,
          command.templateId,
          command.contractId,
          command.choice,
          command.argument,
        );
        break;
      case 'createAndExercise': {
        const contractId = this.create(root, command.templateId, command.payload);
        this.exercise(root, command.templateId, contractId, command.choice, command.argument);
        break;
      }
      case 'exerciseByKey': {
        const { templateId, key, choice, argument } = command;
        this.exerciseByKey(root, templateId, key, choice, argument);
        break;
      }
    }
  }

  create(frame: Frame, id: TypeId, payload: DamlRecord): ContractId {
    const template = this.resolution.template(id);
    const nodeId = this.nodes.length;
    const { machine, partySets } = this;
    const { packages, ledgerTime } = this.input;
    const contract = this.catchable(frame, () =>
      newContract(machine, partySets, template, payload, ledgerTime),
    );
    const { signatories, key } = contract;
    if (key?.maintainers.length === 0)
      throw refuseKey.createWithoutMaintainers(packages, { template, key }, payload);
    if (signatories.length === 0)
      throw refuse.nobodyResponsible(nodeId, template.id, 'signatories');
    if (!haveAll(frame.authorizers, signatories))
      throw refuse.missingAuthorizers(nodeId, template.id, signatories, frame.authorizers);
    if (key !== undefined && !haveAll(signatories, key.maintainers))
      throw refuseKey.maintainersNotSignatories(nodeId, template.id, key.maintainers, signatories);
    const contractId = this.newContractId(template, nodeId, contract);
    contract.contractId = contractId;
    this.contracts.addCreated(contract, nodeId);
    if (key !== undefined) this.keys.created(key, contractId);
    this.add({ kind: 'create', nodeId, parent: frame.nodeId, contract });
    return contractId;
  }

  protected newContractId(template: Template, nodeId: number, contract: NewContract): ContractId {
    const { packages, seed } = this.input;
    return contractIdAt(packages, template, seed, nodeId, contract);
  }

  exercise(
    frame: Frame,
    id: TypeId,
    contractId: ContractId,
    choiceName: string,
    argument: DamlValue,
    guard?: (target: ChoiceTarget) => void,
    byKey = false,
  ): DamlValue {
    const begun = this.beginExercise(frame, id, contractId, choiceName, argument, guard, byKey);
    return this.endExercise(begun, this.runBody(begun, frame.depth + 1));
  }

  /** Like {@link exercise}, but the frames of compiled code that it calls are on the heap. */
  *exerciseSteps(
    frame: Frame,
    id: TypeId,
    contractId: ContractId,
    choiceName: string,
    argument: DamlValue,
    guard?: (target: ChoiceTarget) => void,
    byKey = false,
  ): Generator<Call, DamlValue, unknown> {
    const begun = this.beginExercise(frame, id, contractId, choiceName, argument, guard, byKey);
    const { target, choice } = begun;
    const { code } = choice;
    if (!isCompiledChoice(code))
      return this.endExercise(begun, this.runBody(begun, frame.depth + 1));
    const inner = frameIn(begun, frame.depth);
    let result: DamlValue;
    try {
      result = yield* code.runSteps(this.contextOf(inner), target, argument);
    } catch (error) {
      throw this.caught(inner, error);
    }
    return this.endExercise(begun, result);
  }

  private beginExercise(
    frame: Frame,
    id: TypeId,
    contractId: ContractId,
    choiceName: string,
    argument: DamlValue,
    guard: ((target: ChoiceTarget) => void) | undefined,
    byKey: boolean,
  ): BegunExercise {
    const nodeId = this.nodes.length;
    const use = this.lookup(contractId);
    const { contract } = use;
    const { choice, definitionId, interfaceId } = this.resolution.choice(id, choiceName);
    const target = this.resolution.target(contract, definitionId, interfaceId);
    const { templateId } = target;
    guard?.(target);
    const { code } = choice;
    const { actingParties, choiceObservers, authorizers } = this.guarded(frame, () =>
      concernedParties(this.partySets, code, target, argument),
    );
    if (contract.key !== undefined) this.keys.checkUse(use);
    if (actingParties.length === 0)
      throw refuse.nobodyResponsible(nodeId, templateId, 'controllers');
    if (authorizers?.length === 0)
      throw refuse.nobodyResponsible(nodeId, templateId, 'authorizers');
    const required = authorizers ? this.partySets.union(actingParties, authorizers) : actingParties;
    if (!haveAll(frame.authorizers, required))
      throw refuse.missingAuthorizers(nodeId, templateId, required, frame.authorizers);
    const node: OpenExercise = {
      kind: 'exercise',
      nodeId,
      parent: frame.nodeId,
      contract,
      templateId,
      interfaceId,
      choice: choiceName,
      packageId: packageIdOf(definitionId),
      argument,
      consuming: choice.consuming,
      actingParties,
      choiceObservers,
      result: null,
      aborted: true,
      lastDescendant: nodeId,
    };
    if (byKey) node.byKey = true;
    this.add(node);
    if (choice.consuming) use.consumedBy = nodeId;
    return {
      node,
      choice,
      target,
      authorizers: authorizers ?? this.partySets.union(contract.signatories, actingParties),
    };
  }

  /** @param depth the nesting of exercises that use JavaScript's stack, this one included */
  private runBody(begun: BegunExercise, depth: number): DamlValue {
    if (depth > MAX_NATIVE_EXERCISES) throw refuse.tooDeep(MAX_NATIVE_EXERCISES);
    const { choice, target, node } = begun;
    const inner = frameIn(begun, depth);
    try {
      return choice.code.run(this.contextOf(inner), target, node.argument);
    } catch (error) {
      throw this.caught(inner, error);
    }
  }

  private endExercise({ node, choice }: BegunExercise, result: DamlValue): DamlValue {
    node.aborted = undefined;
    node.lastDescendant = this.nodes.length - 1;
    node.result = choice.code.canonical
      ? result
      : normaliseValue(this.input.packages, choice.returnType, result, INSIDE);
    return node.result;
  }

  fetch(frame: Frame, id: TypeId, contractId: ContractId, byKey = false): FetchedContract {
    const nodeId = this.nodes.length;
    const use = this.lookup(contractId);
    const { contract } = use;
    const definitionId = this.resolution.resolve(id);
    const interfaceId = interfaceDefinition(this.input.packages, definitionId)
      ? definitionId
      : undefined;
    const { templateId, payload } = this.resolution.target(contract, definitionId, interfaceId);
    if (contract.key !== undefined) this.keys.checkUse(use);
    const stakeholders = this.partySets.of(stakeholdersOf(contract));
    const actingParties = this.partySets.of(
      stakeholders.filter((party) => frame.authorizers.includes(party)),
    );
    if (actingParties.length === 0)
      throw refuse.missingFetchAuthorizer(nodeId, stakeholders, frame.authorizers);
    this.add({
      kind: 'fetch',
      nodeId,
      parent: frame.nodeId,
      contract,
      templateId,
      interfaceId,
      ...(byKey && { byKey }),
      actingParties,
    });
    return { contractId, templateId, payload };
  }

  fetchByKey(frame: Frame, id: TypeId, value: DamlValue): FetchedContract {
    const { template, contractId } = this.firstByKey(frame, id, value);
    return this.fetch(frame, template.id, contractId, true);
  }

  exerciseByKey(
    frame: Frame,
    id: TypeId,
    value: DamlValue,
    choice: string,
    argument: DamlValue,
    guard?: (target: ChoiceTarget) => void,
  ): DamlValue {
    const { template, contractId } = this.firstByKey(frame, id, value);
    return this.exercise(frame, template.id, contractId, choice, argument, guard, true);
  }

  /** Finds up to `count` contracts with the key. It needs the authority of the key's maintainers. */
  queryByKey(
    frame: Frame,
    id: TypeId,
    value: DamlValue,
    count: bigint,
  ): readonly FetchedContract[] {
    const nodeId = this.nodes.length;
    const result = this.keys.query(frame, nodeId, id, value, count);
    const { template, key, found, exhaustive } = result;
    this.add({
      kind: 'queryByKey',
      nodeId,
      parent: frame.nodeId,
      templateId: template.id,
      packageName: template.packageName,
      key,
      result: found.map(({ contractId }) => contractId),
      exhaustive,
    });
    return found;
  }

  firstByKey(frame: Frame, id: TypeId, value: DamlValue): FoundByKey {
    return this.keys.first(frame, id, value);
  }

  fetchView(
    frame: Frame,
    id: TypeId,
    contractId: ContractId,
  ): FetchedContract & { view: DamlRecord } {
    const interfaceId = this.resolution.resolve(id);
    const fetched = this.fetch(frame, interfaceId, contractId);
    const view = this.guarded(frame, () => viewIn(this.machine, interfaceId, fetched));
    return { ...fetched, view };
  }

  contextOf(frame: Frame): FrameActions {
    return new FrameActions(this, frame);
  }

  /** The canonical form of a value from TypeScript code. */
  checked(type: DamlType, value: DamlValue): DamlValue {
    return normaliseValue(this.input.packages, type, value, INSIDE);
  }
}
