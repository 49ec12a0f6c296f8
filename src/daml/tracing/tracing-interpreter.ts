/**
 * An interpreter that records each action: its position, authorizers, result, and the messages of `trace`. It is slower, and only used to
 * explain and trace.
 */
import type { FrameActions } from '../interpreter/frame-actions.js';
import type { Frame, Savepoint } from '../interpreter/frame.js';
import { Interpreter } from '../interpreter/interpreter.js';
import type { FoundByKey } from '../interpreter/keyed-contracts.js';
import type { Interruption } from '../errors/interruption.js';
import { LedgerError } from '../errors/ledger-error.js';
import { template as templateOf, type FetchedContract, type Template } from '../model/package.js';
import type { NewContract } from '../interpreter/contract-code.js';
import type { InterpreterInput } from '../interpreter/input.js';
import type { Command } from '../model/transaction.js';
import { resolveTypeId } from '../model/package.js';
import type { DamlType, TypeId } from '../model/types.js';
import type { ContractId, DamlRecord, DamlValue } from '../model/values.js';
import { codePlaces, withinChoice } from './code-places.js';
import { factsOf } from './stored-actions.js';
import type { Trace, TracedAction } from './trace.js';
import type { Call } from '../lf/runtime/runtime-values.js';
import type { CodeCall, Place } from '../errors/explanation.js';
import { TracingActions } from './tracing-actions.js';
import { isError } from '../errors/realms.js';

/** An action in progress, or the root. */
type Open = Pick<TracedAction, 'children'>;
type Begun = Omit<
  TracedAction,
  'given' | 'outcome' | 'children' | 'at' | 'calls' | 'key' | 'payload'
>;

type Exercise = Parameters<Interpreter['exercise']>;

/** An action in progress and its parent. */
interface OpenAction {
  readonly action: TracedAction;
  readonly outer: Open;
  readonly nodeId: number;
  readonly taken: number;
}

export class TracingInterpreter extends Interpreter {
  private readonly root: Open = { children: [] };
  private current: Open = this.root;
  /** The action that started last; a lookup has no actions below it. */
  private latest: TracedAction | undefined;
  private createdCount = 0;
  private heard = 0;
  /** Position of the next action. */
  private place: Place | undefined;
  /** Calls of the next action. */
  private calls: readonly CodeCall[] = [];
  /** The key by which the next action's contract was found. */
  private key: TracedAction['key'];
  private readonly tries = new Map<Savepoint, { scope: Open; from: number }>();
  private blamed: unknown;
  private reached = 0;
  private stack: readonly Place[] = [];
  private hasFailed = false;

  /** @param recorded ids of the contracts that the first run created, in order, if known */
  constructor(
    input: InterpreterInput,
    private readonly recorded: readonly ContractId[] = [],
  ) {
    super(input);
    this.machine.counts = false;
  }

  get trace(): Trace {
    return { actions: this.root.children, stack: this.stack };
  }

  /** @param at the action's own position */
  comingFrom(calls: readonly CodeCall[], at?: Place): void {
    this.calls = calls;
    this.place = calls.find((call) => call.at !== undefined)?.at ?? at;
  }

  protected override newContractId(
    template: Template,
    nodeId: number,
    contract: NewContract,
  ): ContractId {
    return this.recorded[this.createdCount++] ?? super.newContractId(template, nodeId, contract);
  }

  override contextOf(frame: Frame): FrameActions {
    return new TracingActions(this, frame);
  }

  protected override runCommand(root: Frame, command: Command): void {
    this.reached += 1;
    super.runCommand(root, command);
  }

  /** Adds the commands that did not run, because an earlier one failed. */
  addUnreached(): void {
    for (const command of this.input.commands.slice(this.reached))
      this.root.children.push({ ...this.unreached(command), given: [], outcome: 'notReached' });
  }

  private unreached(command: Command): Begun & { key?: TracedAction['key']; children: never[] } {
    const id = this.resolved(command.templateId);
    if (command.kind === 'create')
      return { kind: 'create', id, argument: this.payload(id, command.payload), children: [] };
    const argument = this.choiceArgument(id, command.choice, command.argument);
    const { choice } = command;
    const children: never[] = [];
    const begun = { kind: 'exercise', id, choice, argument, children } as const;
    return command.kind === 'exerciseByKey'
      ? { ...begun, key: this.lookupOf(id, command.key).argument }
      : { ...begun, contractId: command.kind === 'exercise' ? command.contractId : undefined };
  }

  private resolved(reference: TypeId): TypeId {
    return resolveTypeId(this.input.packages, reference) ?? reference;
  }

  private payload(id: TypeId, value: DamlRecord): TracedAction['argument'] {
    const type = templateOf(this.input.packages, id)?.payloadType;
    return type && { type, value };
  }

  private choiceArgument(id: TypeId, name: string, value: DamlValue): TracedAction['argument'] {
    let type: DamlType;
    try {
      type = this.resolution.choice(id, name).choice.argumentType;
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      return undefined;
    }
    return { type, value };
  }

  override create(frame: Frame, reference: TypeId, payload: DamlRecord): ContractId {
    const id = this.resolved(reference);
    return this.traced(frame, { kind: 'create', id, argument: this.payload(id, payload) }, () =>
      super.create(frame, reference, payload),
    );
  }

  private exerciseOf(...[, reference, contractId, choice, argument]: Exercise): Begun {
    const id = this.resolved(reference);
    const typed = this.choiceArgument(id, choice, argument);
    return { kind: 'exercise', id, contractId, choice, argument: typed };
  }

  override exercise(...given: Exercise): DamlValue {
    return this.traced(given[0], this.exerciseOf(...given), () =>
      withinChoice(() => super.exercise(...given)),
    );
  }

  override *exerciseSteps(...given: Exercise): Generator<Call, DamlValue, unknown> {
    const opened = this.open(given[0], this.exerciseOf(...given));
    try {
      return yield* super.exerciseSteps(...given);
    } catch (error) {
      this.failed(opened, error);
      throw error;
    } finally {
      this.close(opened);
    }
  }

  override fetch(...given: Parameters<Interpreter['fetch']>): FetchedContract {
    const [frame, reference, contractId] = given;
    const begun: Begun = { kind: 'fetch', id: this.resolved(reference), contractId };
    return this.traced(frame, begun, () => super.fetch(...given));
  }

  override queryByKey(...given: Parameters<Interpreter['queryByKey']>): readonly FetchedContract[] {
    const [frame, reference, key] = given;
    return this.traced(frame, this.lookupOf(reference, key), () => super.queryByKey(...given));
  }

  override firstByKey(frame: Frame, reference: TypeId, key: DamlValue): FoundByKey {
    const { place, calls } = this;
    const found = this.traced(frame, this.lookupOf(reference, key), () =>
      super.firstByKey(frame, reference, key),
    );
    Object.assign(this.latest!, { found: [found.contractId] });
    // The action on the contract has the same position.
    this.place = place;
    this.calls = calls;
    this.key = this.lookupOf(reference, key).argument;
    return found;
  }

  private lookupOf(reference: TypeId, value: DamlValue): Begun {
    const id = this.resolved(reference);
    const type = templateOf(this.input.packages, id)?.key?.type;
    return { kind: 'lookup', id, argument: type && { type, value } };
  }

  private traced<T>(frame: Frame, begun: Begun, run: () => T): T {
    const opened = this.open(frame, begun);
    try {
      return run();
    } catch (error) {
      this.failed(opened, error);
      throw error;
    } finally {
      this.close(opened);
    }
  }

  private open(frame: Frame, begun: Begun): OpenAction {
    this.hear();
    const given = frame.authorizers;
    const { place: at, calls, key, current: outer } = this;
    const action: TracedAction = {
      ...begun,
      at,
      ...(calls.length > 0 && { calls }),
      ...(key && { key }),
      given,
      outcome: 'done',
      children: [],
    };
    outer.children.push(action);
    this.latest = action;
    this.current = action;
    this.place = undefined;
    this.calls = [];
    this.key = undefined;
    return { action, outer, nodeId: this.nodes.length, taken: this.machine.taken };
  }

  private failed({ action }: OpenAction, error: unknown): void {
    action.outcome = 'failed';
    this.blame(action, error);
  }

  private close({ action, outer, nodeId, taken }: OpenAction): void {
    this.hear();
    action.steps = this.machine.taken - taken;
    this.complete(action, nodeId);
    this.current = outer;
  }

  /** Marks the innermost action that caused an error. */
  private blame(action: TracedAction, error: unknown): void {
    if (this.blamed === error) return;
    this.blamed = error;
    action.isCulprit = true;
    if (error instanceof LedgerError) action.required = error.details.authorization?.required;
  }

  /** Copies what the interpreter knows about the action. */
  private complete(action: TracedAction, nodeId: number): void {
    const known = this.inputs.get(action.contractId ?? '');
    if (known !== undefined) {
      if (known.templateId !== action.id) action.templateId = known.templateId;
      action.payload = this.payload(known.templateId, known.payload);
    }
    const node = this.nodes[nodeId];
    if (node === undefined || node.kind === 'rollback' || node.kind === 'rolledBack') return;
    if ((node.kind === 'queryByKey' ? 'lookup' : node.kind) !== action.kind) return;
    Object.assign(action, factsOf(node));
    if (node.kind === 'queryByKey') return;
    const { templateId, payload } = node.contract;
    if (templateId !== action.id) action.templateId = templateId;
    if (node.kind !== 'create') action.payload = this.payload(templateId, payload);
  }

  /** Records the stack of the first failure, whose error has its origin. */
  protected override fail(frame: Frame, error: unknown): LedgerError | Interruption {
    if (!this.hasFailed && isError(error))
      this.stack = withoutRepeats([...this.preconditionPlace(error), ...codePlaces(error)]);
    this.hasFailed = true;
    return super.fail(frame, error);
  }

  /** The position of a failed precondition, which no code throws. */
  private preconditionPlace(error: Error): readonly Place[] {
    if (!(error instanceof LedgerError) || error.code !== 'TEMPLATE_PRECONDITION_VIOLATED')
      return [];
    const { id } = this.current as Partial<TracedAction>;
    const place =
      id === undefined ? undefined : templateOf(this.input.packages, id)?.code.preconditionAt;
    return place === undefined ? [] : [place];
  }

  /** Adds new messages of `trace` between the actions. */
  hear(): void {
    const { traces } = this.machine;
    this.current.children.push(...traces.slice(this.heard));
    this.heard = traces.length;
  }

  override beginTry(): Savepoint {
    this.hear();
    const savepoint = super.beginTry();
    this.tries.set(savepoint, { scope: this.current, from: this.current.children.length });
    return savepoint;
  }

  override rollBack(frame: Frame, savepoint: Savepoint): void {
    super.rollBack(frame, savepoint);
    const { scope, from } = this.tries.get(savepoint)!;
    for (const child of scope.children.slice(from)) {
      if (typeof child === 'string') continue;
      takeBack(child);
      child.scopes = [savepoint, ...(child.scopes ?? [])];
    }
  }
}

function withoutRepeats(places: readonly Place[]): readonly Place[] {
  return places.filter((place, index) => {
    const before = places[index - 1];
    return before === undefined || JSON.stringify(before) !== JSON.stringify(place);
  });
}

function takeBack(action: TracedAction): void {
  action.outcome = 'rolledBack';
  action.isCulprit = undefined;
  for (const child of action.children) if (typeof child !== 'string') takeBack(child);
}
