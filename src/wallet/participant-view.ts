/**
 * A participant's in-process API for tests and scenarios: the domain's verbs, values as Ledger API JSON, errors thrown as {@link
 * LedgerError}. There is no HTTP and no validation of envelopes; the ledger is the same. NOTE: errors that are detected before the ledger
 * have our own texts in this folder, because a real participant has no in-process API.
 */
import { storeDar, readDar } from '../network/vetting/upload.js';
import {
  decodeCreate,
  decodeExercise,
  decodeExerciseByKey,
  type DecodedCommand,
} from '../daml/codec/json/command.js';
import { inspect } from 'node:util';
import { invariant, LedgerError } from '../daml/errors/ledger-error.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { isBytes } from '../daml/errors/realms.js';
import { explainedReading } from '../network/explanation/explain.js';
import { invalidArgument } from '../network/model/request-errors.js';
import type { ReassignmentId } from '../network/model/ids.js';
import type { Participant } from '../network/participant.js';
import { acceptedNow } from '../network/ledger/in-flight.js';
import type { Submission } from '../network/submission/submission.js';
import { submit } from '../network/commands/submit.js';
import type {
  AnyChoice,
  AnyTemplate,
  ArgumentOf,
  ContractIdOf,
  KeyOf,
  PayloadOf,
  ResultOf,
  TargetOf,
} from '../daml/model/typed-template.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { TransactionUpdate } from '../network/model/updates.js';
import { activeContract, type ActiveContract } from './active-contract.js';
import { contractsOf, seenAs } from './contracts-of.js';
import { Exercised, type ExerciseResult } from './exercised.js';
import {
  encodedArgument,
  encodedKey,
  encodedPayload,
  idOf,
  isChoice,
  type ContractOf,
  type TemplateName,
} from './typed.js';
import { move, synchronizerNamed, synchronizerOf, type MoveOptions } from './moves.js';
import {
  actorsOf,
  partiesOf,
  requireContractId,
  USER,
  type SubmitOptions,
} from './submit-options.js';

type Exercise = [TemplateName, ContractId, string, unknown, SubmitOptions];
type TypedExercise = [ContractId, AnyChoice, unknown, SubmitOptions];
const isTyped = (given: Exercise | TypedExercise): given is TypedExercise => isChoice(given[1]);
type KeyedExercise = [TemplateName, unknown, string, unknown, SubmitOptions];
type TypedKeyedExercise = [AnyChoice, unknown, unknown, SubmitOptions];
const isTypedByKey = (given: KeyedExercise | TypedKeyedExercise): given is TypedKeyedExercise =>
  isChoice(given[0]);

/** A participant's in-process API for tests: values are Ledger API JSON, and errors are thrown as `LedgerError`. */
export class ParticipantView {
  constructor(
    /** The participant behind this view. NOTE: this is not public API, and it may change at any time. */
    readonly engine: Participant,
  ) {}

  /** The name in the options; `sandbox` by default. */
  get name(): string {
    return this.engine.name;
  }

  /** `PAR::name::fingerprint`. */
  get id(): string {
    return this.engine.id;
  }

  /** Offset of the last update; 0 before the first. */
  get ledgerEnd(): number {
    return this.engine.log.end;
  }

  /**
   * Adds the packages of a DAR, and vets them on every connected synchronizer. Unlike an upload with the Ledger API, it does not check that
   * they are valid upgrades of vetted packages.
   * @throws LedgerError for an invalid DAR, TypeError for a value that is not bytes, such as a path
   */
  uploadDar(bytes: Uint8Array): void {
    const { engine } = this;
    if (!isBytes(bytes))
      throw withCallerStack(
        new TypeError(
          `uploadDar needs the bytes of a DAR, not ${inspect(bytes, { maxStringLength: 80 })}. Read the file first, or pass its path in the option dars.`,
        ),
      );
    storeDar(engine, bytes, readDar(engine, bytes));
  }

  /** Hosts a new party on every connected synchronizer, or on the named ones. */
  allocateParty(hint?: string, options: { synchronizers?: readonly string[] } = {}): Party {
    const ids = options.synchronizers?.map((name) => synchronizerNamed(this.engine, name));
    return this.engine.allocateParty(hint, ids);
  }

  /**
   * Disconnects from a synchronizer. The participant receives no updates from it, and cannot submit or confirm there.
   * @param synchronizer its alias or id; the first one by default
   * @throws LedgerError if the participant is not connected to it
   */
  disconnect(synchronizer?: string): void {
    this.engine.disconnect(synchronizerOf(this.engine, synchronizer));
  }

  /** Reconnects to a synchronizer. The participant receives the missed updates in order. */
  reconnect(synchronizer?: string): void {
    this.engine.reconnect(synchronizerOf(this.engine, synchronizer));
  }

  /**
   * @param template `#package-name:Module:Entity` or package-id qualified
   * @param payload the create arguments, as Ledger API JSON
   */
  create(template: string, payload: unknown, options: SubmitOptions): ContractId;
  /** @param template of `canticle codegen`, `defineTemplate` or `dpm codegen-js`, with the type of its payload */
  create<T extends AnyTemplate>(
    template: T,
    payload: PayloadOf<T>,
    options: SubmitOptions,
  ): ContractIdOf<T>;
  create(template: TemplateName, payload: unknown, options: SubmitOptions): ContractId {
    const { engine } = this;
    const actAs = actorsOf(options);
    const id = idOf(template);
    const given = encodedPayload(template, payload);
    let command: DecodedCommand;
    try {
      command = decodeCreate(engine.packagesFor(), id, given);
    } catch (error) {
      throw this.explained(actAs, options, `create ${id}`, error);
    }
    const { update } = this.submit(command, actAs, options);
    const [root] = update.transaction.nodes;
    invariant(root?.kind === 'create', 'a creation is its own root');
    return root.contract.contractId;
  }

  /** @param template the id of the template, or of the interface for an interface's choice */
  exercise(
    template: TemplateName,
    contractId: ContractId,
    choice: string,
    argument: unknown,
    options: SubmitOptions,
  ): ExerciseResult;
  /** @param choice `Iou.Iou_Transfer`, with the types of argument and result */
  exercise<C extends AnyChoice>(
    contractId: TargetOf<C>,
    choice: C,
    argument: ArgumentOf<C>,
    options: SubmitOptions,
  ): ExerciseResult<ResultOf<C>>;
  exercise(...given: Exercise | TypedExercise): ExerciseResult {
    if (isTyped(given)) {
      const [contractId, choice, argument, options] = given;
      const name = idOf(choice.template());
      const named = [name, contractId, choice.choiceName] as const;
      return this.exerciseOn(...named, encodedArgument(choice, argument), options, choice);
    }
    const [template, contractId, choice, argument, options] = given;
    return this.exerciseOn(idOf(template), contractId, choice, argument, options);
  }

  private exerciseOn(
    id: string,
    contractId: ContractId,
    choice: string,
    argument: unknown,
    options: SubmitOptions,
    typed?: AnyChoice,
  ): ExerciseResult {
    const { engine } = this;
    requireContractId(contractId);
    const actAs = actorsOf(options);
    let command: DecodedCommand;
    try {
      command = decodeExercise(engine.packagesFor(), id, contractId, choice, argument);
    } catch (error) {
      throw this.explained(actAs, options, `exercise ${id} ${choice} on ${contractId}`, error);
    }
    return this.exercised(command, actAs, options, typed);
  }

  /**
   * Exercises a choice on the newest contract with the key.
   * @param template `#package-name:Module:Entity` or package-id qualified
   * @param key as Ledger API JSON
   */
  exerciseByKey(
    template: TemplateName,
    key: unknown,
    choice: string,
    argument: unknown,
    options: SubmitOptions,
  ): ExerciseResult;
  /** @param choice `Iou.Iou_Transfer`, with the types of key, argument and result */
  exerciseByKey<C extends AnyChoice>(
    choice: C,
    key: KeyOf<C>,
    argument: ArgumentOf<C>,
    options: SubmitOptions,
  ): ExerciseResult<ResultOf<C>>;
  exerciseByKey(...given: KeyedExercise | TypedKeyedExercise): ExerciseResult {
    if (isTypedByKey(given)) {
      const [choice, key, argument, options] = given;
      const owner = choice.template();
      const named = [idOf(owner), encodedKey(owner, key), choice.choiceName] as const;
      return this.exerciseKeyed(...named, encodedArgument(choice, argument), options, choice);
    }
    const [template, key, choice, argument, options] = given;
    return this.exerciseKeyed(idOf(template), key, choice, argument, options);
  }

  private exerciseKeyed(
    id: string,
    key: unknown,
    choice: string,
    argument: unknown,
    options: SubmitOptions,
    typed?: AnyChoice,
  ): ExerciseResult {
    const { engine } = this;
    const actAs = actorsOf(options);
    let command: DecodedCommand;
    try {
      command = decodeExerciseByKey(engine.packagesFor(), id, key, choice, argument);
    } catch (error) {
      throw this.explained(actAs, options, `exercise ${id} ${choice} by key`, error);
    }
    return this.exercised(command, actAs, options, typed);
  }

  private exercised(
    command: DecodedCommand,
    actAs: readonly Party[],
    options: SubmitOptions,
    choice: AnyChoice | undefined,
  ): ExerciseResult {
    const { update, offset } = this.submit(command, actAs, options);
    return new Exercised(this.engine, update, offset, choice);
  }

  /**
   * Adds an explanation to the error for a command that cannot be decoded.
   * @param line the command as text
   */
  private explained(
    actAs: readonly Party[],
    { commandId = '', readAs }: SubmitOptions,
    line: string,
    error: unknown,
  ): unknown {
    const submitted = { commandId, actAs, readAs: partiesOf(readAs) };
    const explained = explainedReading(this.engine, submitted, line, error);
    // The cause is the real participant's, which does not name the field.
    if (explained instanceof LedgerError && explained.details.explanation !== undefined)
      explained.message += ` (${explained.details.explanation})`;
    return explained;
  }

  /**
   * Exercises `Archive`.
   * @throws LedgerError if the ledger refuses it
   */
  archive(template: TemplateName, contractId: ContractId, options: SubmitOptions): void {
    this.exerciseOn(idOf(template), contractId, 'Archive', {}, options);
  }

  /**
   * Prunes the updates up to an offset, as an operator does. Active contracts stay. Later reads of pruned updates fail with
   * PARTICIPANT_PRUNED_DATA_ACCESSED.
   * @param upTo offset; by default, that of the update before the last
   * @param forgetHistory also frees memory, permanently: updates that all their participants have pruned disappear from the network's
   * history and from Scan. Reverts to earlier snapshots and to the start become impossible.
   * @returns the offset up to which the participant is now pruned
   * @throws LedgerError INVALID_ARGUMENT, NON_POSITIVE_OFFSET; OFFSET_OUT_OF_RANGE for an offset that is not before the ledger end
   */
  prune(
    upTo: number = this.ledgerEnd - 1,
    { forgetHistory = false }: { readonly forgetHistory?: boolean } = {},
  ): number {
    const { engine } = this;
    engine.prune(upTo, forgetHistory);
    return engine.log.prunedUpTo;
  }

  /**
   * Unassigns a contract from its synchronizer. If no command assigns it before the target's assignmentExclusivityTimeout is over, a
   * participant assigns it automatically.
   * @returns the reassignment id for {@link assign}
   */
  unassign(contractId: ContractId, options: MoveOptions & { to: string }): ReassignmentId {
    const state = this.engine.ledger.contracts.state(contractId);
    const source =
      state?.kind === 'active' ? state.synchronizerId : this.engine.ledger.synchronizers[0]!.id;
    const update = move(this.engine, contractId, options, {
      kind: 'unassign',
      contractId,
      source,
      target: synchronizerNamed(this.engine, options.to),
      expectedCounter: options.expectedCounter,
    });
    return update.events[0]!.reassignmentId;
  }

  /**
   * Completes a reassignment on its target.
   * @throws LedgerError REASSIGNMENT_VALIDATION_FAILED if the submitter differs from that of the unassignment before the target's
   * assignmentExclusivityTimeout is over (B-RSG-018)
   */
  assign(reassignmentId: ReassignmentId, options: MoveOptions = {}): void {
    const reassignment = this.engine.ledger.contracts.reassignment(reassignmentId);
    if (reassignment === undefined)
      throw invalidArgument(`Cannot assign: unknown reassignment id ${reassignmentId}`);
    const { source, target, contract } = reassignment.unassigned.events[0]!;
    const { expectedCounter } = options;
    move(this.engine, contract.contractId, options, {
      kind: 'assign',
      reassignmentId,
      source,
      target,
      expectedCounter,
    });
  }

  /** The contract, if it is active and the participant sees it. */
  contract(contractId: ContractId): ActiveContract | undefined;
  /** The contract, if it also has that template or implements that interface. */
  contract<T extends AnyTemplate>(contractId: ContractId, template: T): ContractOf<T> | undefined;
  contract(contractId: ContractId, template?: AnyTemplate): ActiveContract | undefined {
    const stay = this.engine.activeContracts.get(contractId);
    if (stay === undefined) return undefined;
    if (template === undefined) return activeContract(this.engine, stay);
    return seenAs(this.engine, template, [stay])[0];
  }

  /**
   * Active contracts in order of activation.
   * @param query a party that must be a stakeholder; a template `#package-name:Module:Entity`, or an interface, whose view each contract
   * then has as `view`
   */
  activeContracts(query?: { party?: Party; template?: TemplateName }): ActiveContract[];
  /** @param template of `canticle codegen`, `defineTemplate` or `dpm codegen-js`, with the type of its payload or view */
  activeContracts<T extends AnyTemplate>(template: T, query?: { party?: Party }): ContractOf<T>[];
  activeContracts(
    given: AnyTemplate | { party?: Party; template?: TemplateName } = {},
    { party }: { party?: Party } = {},
  ): ActiveContract[] {
    if ('templateId' in given) return contractsOf(this.engine, given, party);
    return contractsOf(this.engine, given.template, given.party);
  }

  private submit(
    { command, refusal }: DecodedCommand,
    actAs: readonly Party[],
    options: SubmitOptions,
  ): { update: TransactionUpdate; offset: number } {
    const { disclosedContracts, commandId, userId, workflowId, synchronizer } = options;
    const submission: Submission = {
      actAs,
      readAs: partiesOf(options.readAs),
      disclosedContracts,
      workflowId,
      commands: [command],
      errors: refusal && { preprocessing: refusal },
      commandId: commandId ?? this.engine.ledger.nextNumber,
      userId: userId ?? USER,
      synchronizerId:
        synchronizer === undefined ? undefined : synchronizerNamed(this.engine, synchronizer),
      externallySigned: this.includesExternal(actAs),
    };
    const { update, completionOffset } = acceptedNow(this.engine.ledger, () =>
      submit(this.engine, submission),
    );
    return { update, offset: completionOffset };
  }

  /** Whether all parties are hosted here and one of them is external. In-process commands of external parties need no signature. */
  private includesExternal(parties: readonly Party[]): boolean {
    const { engine } = this;
    const { externalParties } = engine.ledger;
    if (externalParties.isEmpty) return false;
    const isExternal = (party: Party): boolean =>
      engine.connected.some((id) => externalParties.get(party, id) !== undefined);
    return parties.some(isExternal) && parties.every((party) => engine.hosts(party));
  }
}
