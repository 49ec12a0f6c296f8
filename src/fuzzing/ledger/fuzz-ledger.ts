/**
 * The ledger of a fuzzed model: the interpreter over contracts in memory, with marks and revert. All active contracts
 * are usable, as if they were disclosed; the outcome of a step names those that need disclosure. Only submissions of
 * custom scripts see the contracts of their parties alone.
 */
import { LedgerError, ledgerError } from '../../daml/errors/ledger-error.js';
import { withoutStacks } from '../../daml/errors/own-frames.js';
import { isError } from '../../daml/errors/realms.js';
import { contractKey } from '../../daml/contract/contract-key.js';
import type { Interpreter } from '../../daml/interpreter/interpreter.js';
import { Machine } from '../../daml/lf/runtime/machine.js';
import { template as templateOf } from '../../daml/model/package.js';
import { runTraced } from '../../daml/tracing/run-traced.js';
import { traceNodes } from '../../daml/tracing/trace-nodes.js';
import { TRACE_VERSION, type TransactionTrace } from '../../daml/tracing/trace-types.js';
import { MAX_TIMESTAMP } from '../../daml/model/time.js';
import type { ContractInstance, Interpretation } from '../../daml/model/transaction.js';
import type { QualifiedName, TypeId } from '../../daml/model/types.js';
import type { ContractId, DamlValue, Party, Timestamp } from '../../daml/model/values.js';
import {
  protocolFor,
  PROTOCOLS,
  type Protocol,
  type ProtocolVersion,
} from '../../network/model/protocol.js';
import type { Script } from '../../script/find-scripts.js';
import {
  IdeContracts,
  type ContractsMark,
  type IdeContract,
} from '../../script/ide/ide-contracts.js';
import type { IdeAttempt } from '../../script/ide/ide-ledger.js';
import type { ScriptPackages } from '../../script/packages.js';
import type { Outcome, Submitted } from '../model/outcome.js';
import type { Probe } from '../model/finding.js';
import type { LedgerState, StartState } from '../model/state.js';
import type { CustomStep, RaceStep, Step, Submission } from '../model/step.js';
import {
  runScript,
  type ActingLedger,
  type CustomAction,
  type ScriptOutcome,
} from './custom-action.js';
import { FuzzInterpreter, idPrefix } from './fuzz-interpreter.js';
import { Targets } from './targets.js';
import { FuzzInput, lookLimit } from './fuzz-input.js';

export interface FuzzLedgerOptions {
  /** By default, the oldest version that supports the languages of the packages. */
  readonly protocolVersion?: ProtocolVersion;
  /** The actions of custom steps, by name. */
  readonly actions?: ReadonlyMap<string, CustomAction>;
}

/** A state to which {@link FuzzLedger.revert} returns. */
export interface FuzzMark {
  readonly contracts: ContractsMark;
  readonly parties: number;
  readonly now: Timestamp;
  readonly transactions: number;
}

/** A submission that is only tried uses ids of this submission number. */
const TRIED = 0x8000;
const NONE: readonly never[] = [];

export class FuzzLedger implements LedgerState {
  readonly probe: Probe = {
    submit: (submission) => this.interpreted(submission, TRIED),
    script: (script) => this.tryScript(script),
  };
  private readonly contracts = new IdeContracts();
  /** The templates of interfaces, and the versions of templates. */
  readonly targets: Targets;
  private readonly everyone: Party[];
  readonly protocol: Protocol;
  private time: Timestamp;
  private transactions = 0;
  private step = 0;

  constructor(
    readonly packages: ScriptPackages,
    start: StartState,
    private readonly options: FuzzLedgerOptions = {},
  ) {
    const { protocolVersion: version } = options;
    const languages = packages.all().map(({ languageVersion }) => languageVersion);
    this.protocol = version === undefined ? protocolFor(languages) : PROTOCOLS[version];
    this.targets = new Targets(packages);
    this.everyone = [...start.parties];
    this.time = start.now;
    for (const contract of start.contracts) this.contracts.put(contract);
  }

  get parties(): readonly Party[] {
    return this.everyone;
  }

  get now(): Timestamp {
    return this.time;
  }

  /** All contracts in the order of their creation, archived contracts included. */
  get created(): readonly IdeContract[] {
    return this.contracts.all();
  }

  *active(): Generator<ContractInstance, void, undefined> {
    for (const each of this.contracts.all()) if (each.archivedIn === undefined) yield each.instance;
  }

  *ofTemplate(
    packageName: string,
    name: QualifiedName,
  ): Generator<ContractInstance, void, undefined> {
    yield* this.activeOf(this.targets.versionsOf(packageName, name));
  }

  *ofInterface(id: TypeId): Generator<ContractInstance, void, undefined> {
    yield* this.activeOf(this.targets.implementersOf(id));
  }

  /** The contracts of some templates, archived contracts included: one list for each template, in the order of creation. */
  listsOf(templates: readonly TypeId[]): readonly (readonly IdeContract[])[] {
    const lists: (readonly IdeContract[])[] = [];
    for (let i = 0; i < templates.length; i++) {
      const list = this.contracts.ofTemplate(templates[i]!);
      if (list.length > 0) lists.push(list);
    }
    return lists;
  }

  private *activeOf(templates: readonly TypeId[]): Generator<ContractInstance, void, undefined> {
    const lists = this.listsOf(templates);
    const all = lists.length === 1 ? lists[0]! : lists.flat().sort((a, b) => a.place - b.place);
    for (const each of all) if (each.archivedIn === undefined) yield each.instance;
  }

  contract(id: ContractId): ContractInstance | undefined {
    return this.contracts.get(id)?.instance;
  }

  /** The newest active contract with a key of this template. @throws LedgerError if the template's code fails */
  withKey(id: TypeId, value: DamlValue): ContractInstance | undefined {
    const template = templateOf(this.packages, id);
    if (template?.key === undefined) return undefined;
    const { hash } = contractKey(new Machine(this.packages, lookLimit()), template, value);
    const [newest] = this.contracts.withKey(hash);
    return newest === undefined ? undefined : this.contract(newest);
  }

  isActive(id: ContractId): boolean {
    return this.contracts.isActive(id);
  }

  /** Steps after it can be reverted. */
  mark(): FuzzMark {
    const { contracts, everyone, time, transactions } = this;
    return { contracts: contracts.mark(), parties: everyone.length, now: time, transactions };
  }

  /** Reverts the steps since the mark. Later marks become invalid. */
  revert(mark: FuzzMark): void {
    this.contracts.revert(mark.contracts);
    this.everyone.length = mark.parties;
    this.time = mark.now;
    this.transactions = mark.transactions;
  }

  run(step: Step): Outcome {
    this.step = step.number;
    switch (step.kind) {
      case 'submit': {
        const submitted = this.interpreted(step.submission, 0);
        this.commit(submitted.transaction);
        return { step, submitted: [submitted], failure: undefined };
      }
      case 'race':
        return { step, submitted: this.race(step), failure: undefined };
      case 'advance':
        this.advance(step.micros);
        return { step, submitted: NONE, failure: undefined };
      case 'custom':
        return this.custom(step);
    }
  }

  /** Runs a script without an effect. */
  private tryScript(script: Script): ScriptOutcome {
    const mark = this.mark();
    try {
      return this.script(script, undefined, TRIED, () => undefined);
    } finally {
      this.revert(mark);
    }
  }

  private interpreted(submission: Submission, number: number): Submitted {
    const input = new FuzzInput(
      this.contracts,
      this.packages,
      submission,
      this.time,
      this.protocol,
    );
    const interpreter = new FuzzInterpreter(input, idPrefix(this.step, number));
    let transaction: Interpretation | undefined;
    let error: LedgerError | undefined;
    // Rejections need no stacks, and collecting them takes 10 % of the time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      transaction = withoutStacks((each) => each.run(), interpreter);
    } catch (thrown) {
      if (!(thrown instanceof LedgerError)) throw thrown;
      error = thrown;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    const work = interpreter.machine.taken;
    return { submission, transaction, error, disclosed: input.disclosed, work };
  }

  /**
   * The nodes of a submission as it would run now, with authority and witnesses.
   * @param created the ids of the contracts that it creates
   */
  trace(submission: Submission, created: readonly ContractId[] = NONE): TransactionTrace {
    const { contracts, packages, time, protocol } = this;
    const input = new FuzzInput(contracts, packages, submission, time, protocol);
    const { trace, nodes, steps, refusal } = runTraced(input, undefined, created);
    const readers = [...submission.actAs, ...submission.readAs];
    return {
      version: TRACE_VERSION,
      outcome: refusal === undefined ? 'simulated' : 'refused',
      retraced: true,
      ...(refusal && {
        error: { code: refusal.code, cause: refusal.details.cause },
        stack: trace.stack,
      }),
      steps,
      nodes: traceNodes(trace.actions, { packages, transaction: nodes, readers }),
      hosts: {},
    };
  }

  private commit(transaction: Interpretation | undefined): void {
    if (transaction !== undefined) this.contracts.apply(transaction, ++this.transactions);
  }

  private race({ submissions }: RaceStep): readonly [Submitted, Submitted] {
    const first = this.interpreted(submissions[0], 0);
    const second = this.interpreted(submissions[1], 1);
    this.commit(first.transaction);
    const inactive = second.transaction?.inputs.filter((id) => !this.isActive(id)) ?? NONE;
    if (inactive.length === 0) {
      this.commit(second.transaction);
      return [first, second];
    }
    const error = ledgerError('LOCAL_VERDICT_INACTIVE_CONTRACTS', {
      cause: 'Rejected transaction is referring to inactive contracts ',
      resources: inactive.map((id) => ['CONTRACT_ID', id] as const),
    });
    return [first, { ...second, transaction: undefined, error }];
  }

  private advance(micros: bigint): void {
    const later = this.time + micros;
    this.time = later > MAX_TIMESTAMP ? MAX_TIMESTAMP : later;
  }

  private custom(step: CustomStep): Outcome {
    const action = this.options.actions?.get(step.action);
    if (action === undefined) throw new Error(`There is no action ${step.action}.`);
    const submitted: Submitted[] = [];
    const { act } = action;
    if (typeof act !== 'function') {
      const outcome = this.script(act, step.argument, 0, (each) => submitted.push(each));
      return { step, submitted, failure: outcome.failure };
    }
    try {
      act(this.acting(submitted), step.argument);
      return { step, submitted, failure: undefined };
    } catch (error) {
      return { step, submitted, failure: isError(error) ? error.message : String(error) };
    }
  }

  private acting(submitted: Submitted[]): ActingLedger {
    const submit = (submission: Submission): Submitted => {
      const result = this.interpreted(submission, submitted.length);
      this.commit(result.transaction);
      submitted.push(result);
      return result;
    };
    return Object.assign(Object.create(this) as FuzzLedger, {
      submit,
      advance: (micros: bigint) => this.advance(micros),
    });
  }

  private script(
    script: Script,
    argument: DamlValue | undefined,
    first: number,
    onSubmitted: (submitted: Submitted) => void,
  ): ScriptOutcome {
    let number = first;
    const outcome = runScript(this.packages, script, argument, {
      protocol: this.protocol,
      contracts: this.contracts,
      parties: this.everyone,
      now: this.time,
      interpreterOf: (input): Interpreter =>
        new FuzzInterpreter(input, idPrefix(this.step, number++)),
      onSubmit: (attempt) => onSubmitted(submittedOf(attempt)),
    });
    this.time = outcome.ledger.time();
    for (const { party } of outcome.ledger.knownParties())
      if (!this.everyone.includes(party)) this.everyone.push(party);
    return outcome;
  }
}

function submittedOf({ submission, transaction, error, interpreter }: IdeAttempt): Submitted {
  const { actAs, readAs, commands } = submission;
  return {
    submission: { actAs, readAs, commands: commands.map(({ command }) => command) },
    transaction,
    error,
    disclosed: NONE,
    work: interpreter?.machine.taken ?? 0,
  };
}
