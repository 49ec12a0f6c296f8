/** The ledger as actions of a test use it, with values as Ledger API JSON. */
import { decodeValue } from '../../daml/codec/json/codec.js';
import { template as templateOf } from '../../daml/model/package.js';
import type { Command } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type DamlType, type TypeId } from '../../daml/model/types.js';
import type { DamlRecord, DamlValue } from '../../daml/model/values.js';
import type { ActingLedger, CustomAction } from '../ledger/custom-action.js';
import type { Probe } from '../model/finding.js';
import { UnknownName, type TemplateName } from './names.js';
import { FuzzedLedger, type FuzzedContract } from './read-view.js';

/** A command of an action was rejected. */
class CommandRejected extends Error {
  override readonly name = 'CommandRejected';
  constructor(
    /** The error code of the ledger. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const INT64: DamlType = { kind: 'int64' };

/** The fuzzed ledger, as actions of a test use it. */
export class ActingView extends FuzzedLedger {
  constructor(
    private readonly acting: ActingLedger,
    probe: Probe,
    /** A random integer from 0, which the fuzzer chooses. */
    readonly choice: number,
  ) {
    super(acting, probe);
  }

  /** Creates a contract. @returns the contract @throws CommandRejected */
  create(actAs: string | readonly string[], of: TemplateName, payload: unknown): FuzzedContract {
    const templateId = this.templateId(of);
    const type = templateOf(this.acting.packages, templateId)!.payloadType;
    const record = decodeValue(this.acting.packages, type, payload) as DamlRecord;
    const { transaction } = this.submit(actAs, { kind: 'create', templateId, payload: record });
    const [node] = transaction.nodes;
    return this.contract((node as Extract<typeof node, { kind: 'create' }>).contract.contractId)!;
  }

  /** Exercises a choice of the contract's template or of an interface of it. @throws CommandRejected */
  exercise(
    actAs: string | readonly string[],
    { contractId, templateId }: Pick<FuzzedContract, 'contractId' | 'templateId'>,
    choice: string,
    argument: unknown = {},
  ): void {
    const found = this.choiceOf(templateId, choice);
    if (found === undefined)
      throw new UnknownName(`${qualifiedNameOf(templateId)} has no choice ${choice}.`);
    const value = decodeValue(this.acting.packages, found.choice.argumentType, argument);
    const command = { templateId: found.id, contractId, choice, argument: value };
    this.submit(actAs, { kind: 'exercise', ...command });
  }

  /** @param milliseconds by which the time of the ledger advances */
  advance(milliseconds: number): void {
    this.acting.advance(BigInt(Math.round(milliseconds * 1_000)));
  }

  private submit(actAs: string | readonly string[], command: Command) {
    const submission = { actAs: [actAs].flat(), readAs: [], commands: [command] };
    const { transaction, error } = this.acting.submit(submission);
    if (transaction !== undefined) return { transaction };
    throw new CommandRejected(error!.code, error!.details.cause);
  }

  private templateId(of: TemplateName): TypeId {
    const [id] = this.templatesNamed(of);
    if (id === undefined) throw new UnknownName(`${String(of)} is an interface.`);
    return id;
  }
}

/** An action of a test. */
export interface FuzzAction {
  /** Its name in stories, weights and exclusions. */
  readonly name: string;
  /** May submit commands. A rejected one ends it, which does not count as a bug. */
  readonly act: (ledger: ActingView) => void;
}

/** @param probe of the ledger of the run */
export function customAction({ name, act }: FuzzAction): CustomAction {
  return {
    name,
    argument: INT64,
    act: (ledger, argument) => run(act, ledger, argument),
  };
}

function run(act: FuzzAction['act'], ledger: ActingLedger, argument: DamlValue): void {
  const choice = Number(BigInt.asUintN(31, argument as bigint));
  try {
    act(new ActingView(ledger, ledger.probe, choice));
  } catch (error) {
    if (!(error instanceof CommandRejected)) throw error;
  }
}
