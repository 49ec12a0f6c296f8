/** The ledger as invariants read it: contracts and the last step, with values as Ledger API JSON. */
import { decodeValue, encodeValue } from '../../daml/codec/json/codec.js';
import {
  choiceOf,
  interfaceDefinition,
  template as templateOf,
  type Choice,
} from '../../daml/model/package.js';
import { formatTimestamp } from '../../daml/model/time.js';
import type { ContractInstance, ExerciseNode } from '../../daml/model/transaction.js';
import {
  qualifiedNameOf,
  splitTypeId,
  type DamlType,
  type TypeId,
} from '../../daml/model/types.js';
import { viewOf } from '../../script/in-version.js';
import { actionsIn } from '../checks/nodes.js';
import type { Probe } from '../model/finding.js';
import type { Outcome } from '../model/outcome.js';
import type { LedgerState } from '../model/state.js';
import { NamedContracts, UnknownName, type TemplateName } from './names.js';
import { Total } from './totals.js';

/** Fields of a record as Ledger API JSON: numbers are texts. */
// oxlint-disable-next-line typescript/no-explicit-any -- the types are those of the Daml code
export type JsonFields = Readonly<Record<string, any>>;

/** A contract on the fuzzed ledger. */
export interface FuzzedContract<Payload = JsonFields> {
  /** Hexadecimal, as in the Ledger API. */
  readonly contractId: string;
  /** `package-id:Module:Template`. */
  readonly templateId: string;
  /** The payload, or the view if an interface was asked for. */
  readonly payload: Payload;
  /** Sorted. */
  readonly signatories: readonly string[];
  /** Sorted, without the signatories. */
  readonly observers: readonly string[];
}

/** A choice that the last step exercised, by a command or within another choice. */
export interface FuzzedExercise<Payload = JsonFields> extends FuzzedContract<Payload> {
  /** Its name. */
  readonly choice: string;
  /** As Ledger API JSON. */
  readonly argument: JsonFields;
  /** As Ledger API JSON. */
  readonly result: unknown;
  /** Sorted. */
  readonly actingParties: readonly string[];
  /** The parties that submitted the commands. */
  readonly actAs: readonly string[];
  /** Whether it archives its contract. */
  readonly consuming: boolean;
}

/** A command that an invariant tries, with values as Ledger API JSON. */
export interface TriedExercise {
  /** The submitting parties. */
  readonly actAs: readonly string[];
  /** The contract on which the choice is exercised. */
  readonly contract: Pick<FuzzedContract, 'contractId' | 'templateId'>;
  /** Its name, of the template or of an interface of it. */
  readonly choice: string;
  /** An empty record by default. */
  readonly argument?: unknown;
}

const NOTHING: readonly never[] = [];
const TIMESTAMP: DamlType = { kind: 'timestamp' };

/** The fuzzed ledger, as invariants read it. */
export class FuzzedLedger {
  private readonly named = new Map<string, NamedContracts>();
  private readonly shown = new WeakMap<ContractInstance, FuzzedContract>();
  private outcome: Outcome | undefined;

  constructor(
    private readonly state: LedgerState,
    private readonly probe: Probe,
  ) {}

  /** Called with each step, before the invariants. */
  stepped(outcome: Outcome): void {
    this.outcome = outcome;
  }

  /** The time of the ledger, as in the Ledger API. Use {@link hasPassed} to compare it. */
  get now(): string {
    return formatTimestamp(this.state.now);
  }

  /** Whether the ledger's time is later than a timestamp of a payload. */
  hasPassed(timestamp: string): boolean {
    const micros = decodeValue(this.state.packages, TIMESTAMP, timestamp) as bigint;
    return this.state.now > micros;
  }

  /** All parties, in the order of their allocation. */
  get parties(): readonly string[] {
    return this.state.parties;
  }

  /** The active contracts of a template, or of an interface with their views. In the order of creation. */
  contracts<Payload = JsonFields>(of: TemplateName): readonly FuzzedContract<Payload>[] {
    return this.all(of, this.state.active()) as readonly FuzzedContract<Payload>[];
  }

  /** An active or archived contract; undefined if the ledger never had it. */
  contract(contractId: string): FuzzedContract | undefined {
    const found = this.state.contract(contractId);
    return found && this.shownAs(found);
  }

  /** Whether a contract exists and is not archived. */
  isActive(contractId: string): boolean {
    return this.state.isActive(contractId);
  }

  /**
   * The sum of a field of all active contracts, as a decimal text.
   * @param field with dots for fields of inner records
   */
  sum(of: TemplateName, field: string): string {
    const total = new Total();
    for (const { payload } of this.contracts(of)) total.add(at(payload, field));
    return total.text;
  }

  /** The sums of a field by another field. */
  sumsBy(of: TemplateName, field: string, by: string): ReadonlyMap<string, string> {
    const totals = new Map<string, Total>();
    for (const { payload } of this.contracts(of)) {
      const group = groupText(at(payload, by));
      const total = totals.get(group) ?? new Total();
      totals.set(group, total);
      total.add(at(payload, field));
    }
    return new Map([...totals].map(([group, { text }]) => [group, text]));
  }

  /** The contracts of a template that the last step created. Some may be archived again. */
  created(of: TemplateName): readonly FuzzedContract[] {
    return this.all(of, this.contractsOfStep('create'));
  }

  /** The contracts of a template that the last step archived. */
  archived(of: TemplateName): readonly FuzzedContract[] {
    return this.all(of, this.contractsOfStep('archive'));
  }

  /** The exercises of the last step, by the choice: `Choice`, `Template.Choice` or `Module:Template.Choice`. */
  exercised<Payload = JsonFields>(name: string): readonly FuzzedExercise<Payload>[] {
    const found: FuzzedExercise[] = [];
    for (const { transaction, submission } of this.outcome?.submitted ?? NOTHING)
      for (const node of transaction === undefined ? NOTHING : actionsIn(transaction))
        if (node.kind === 'exercise' && isChoice(node, name))
          found.push({ ...this.exerciseOf(node), actAs: submission.actAs });
    return found as unknown as readonly FuzzedExercise<Payload>[];
  }

  /** Whether the ledger would accept the command now. It has no effect. */
  accepts({ actAs, contract, choice, argument = {} }: TriedExercise): boolean {
    const { packages } = this.state;
    const { contractId, templateId } = contract;
    const definition = this.choiceOf(templateId, choice);
    if (definition === undefined)
      throw new UnknownName(`${qualifiedNameOf(templateId)} has no choice ${choice}.`);
    const value = decodeValue(packages, definition.choice.argumentType, argument);
    const { transaction } = this.probe.submit({
      actAs,
      readAs: [],
      commands: [
        { kind: 'exercise', templateId: definition.id, contractId, choice, argument: value },
      ],
    });
    return transaction !== undefined;
  }

  /** The templates with a name, the newest version first. @throws UnknownName */
  protected templatesNamed(of: TemplateName): readonly string[] {
    return this.namedBy(of).templates(this.state.packages);
  }

  protected choiceOf(templateId: string, name: string): { id: string; choice: Choice } | undefined {
    const { packages } = this.state;
    const template = templateOf(packages, templateId);
    const interfaces = [...(template?.implementations.keys() ?? [])];
    for (const of of [template, ...interfaces.map((id) => interfaceDefinition(packages, id))]) {
      const choice = of?.choices.get(name);
      if (choice !== undefined) return { id: of!.id, choice };
    }
    return undefined;
  }

  private *contractsOfStep(kind: 'create' | 'archive'): Generator<ContractInstance> {
    for (const { transaction } of this.outcome?.submitted ?? NOTHING)
      for (const node of transaction === undefined ? NOTHING : actionsIn(transaction)) {
        const isArchival = node.kind === 'exercise' && node.consuming;
        if (kind === 'create' ? node.kind === 'create' : isArchival)
          yield (node as ExerciseNode).contract;
      }
  }

  private namedBy(of: TemplateName): NamedContracts {
    const key = typeof of === 'string' ? of : of.templateId;
    let named = this.named.get(key);
    if (named === undefined) {
      named = new NamedContracts(of);
      named.check(this.state.packages);
      this.named.set(key, named);
    }
    return named;
  }

  private all(of: TemplateName, contracts: Iterable<ContractInstance>): FuzzedContract[] {
    const named = this.namedBy(of);
    const found: FuzzedContract[] = [];
    for (const contract of contracts) {
      const meaning = named.meaning(this.state.packages, contract);
      if (meaning === undefined) continue;
      const { isTemplate, interfaceId } = meaning;
      const shown = isTemplate ? this.shownAs(contract) : this.viewed(contract, interfaceId!);
      if (shown !== undefined) found.push(shown);
    }
    return found;
  }

  private shownAs(contract: ContractInstance): FuzzedContract {
    let shown = this.shown.get(contract);
    if (shown === undefined) {
      const { packages } = this.state;
      const { payloadType } = templateOf(packages, contract.templateId)!;
      const payload = encodeValue(packages, payloadType, contract.payload) as JsonFields;
      shown = withPayload(contract, payload);
      this.shown.set(contract, shown);
    }
    return shown;
  }

  /** Undefined if the view fails: then readers of the interface do not see the contract. */
  private viewed(contract: ContractInstance, interfaceId: TypeId): FuzzedContract | undefined {
    const { packages } = this.state;
    const view = viewOf(packages, contract, contract.templateId, interfaceId);
    if (view === undefined) return undefined;
    const { viewType } = interfaceDefinition(packages, interfaceId)!;
    return withPayload(contract, encodeValue(packages, viewType, view) as JsonFields);
  }

  private exerciseOf(node: ExerciseNode): Omit<FuzzedExercise, 'actAs'> {
    const { packages } = this.state;
    const { templateId, interfaceId, choice, argument, result, actingParties, consuming } = node;
    const { argumentType, returnType } = choiceOf(packages, interfaceId ?? templateId, choice)!;
    return {
      ...this.shownAs(node.contract),
      choice,
      argument: encodeValue(packages, argumentType, argument) as JsonFields,
      result: encodeValue(packages, returnType, result),
      actingParties,
      consuming,
    };
  }
}

const withPayload = (
  { contractId, templateId, signatories, observers }: ContractInstance,
  payload: JsonFields,
): FuzzedContract => ({ contractId, templateId, payload, signatories, observers });

function isChoice({ choice, templateId, interfaceId }: ExerciseNode, name: string): boolean {
  if (name === choice) return true;
  const dot = name.lastIndexOf('.');
  if (dot < 0 || name.slice(dot + 1) !== choice) return false;
  const of = name.slice(0, dot);
  return [templateId, interfaceId].some(
    (id) => id !== undefined && (qualifiedNameOf(id) === of || splitTypeId(id).entity === of),
  );
}

/** A field of a record as JSON; `a.b` for a field of an inner record. */
function at(payload: JsonFields, path: string): unknown {
  let value: unknown = payload;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !(name in value))
      throw new UnknownName(
        `There is no field ${path}. There are ${Object.keys(payload).join(', ')}.`,
      );
    value = (value as JsonFields)[name];
  }
  return value;
}

const groupText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
