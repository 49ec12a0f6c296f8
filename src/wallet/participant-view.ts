/**
 * A participant as tests and scenarios talk to it, in-process: the domain's verbs, values as Ledger API JSON, refusals thrown as
 * {@link LedgerError}. No HTTP, no validation of envelopes; the ledger underneath is the same.
 * NOTE: what is refused before the ledger sees it is told in words of ours, here and in this whole room: no real system is
 * called in-process.
 */
import { addPackages, readDar } from '../network/vetting/upload.js';
import {
  decodeCreate,
  decodeExercise,
  decodeExerciseByKey,
  type DecodedCommand,
} from '../daml/codec/json/command.js';
import { invariant, LedgerError } from '../daml/errors/ledger-error.js';
import { explainedReading } from '../network/explanation/explain.js';
import { invalidArgument } from '../network/request-errors.js';
import type { ReassignmentId, SynchronizerId } from '../network/ids.js';
import type { Participant } from '../network/participant.js';
import { acceptedNow } from '../network/ledger/in-flight.js';
import { submitReassignment } from '../network/commands/reassign.js';
import type {
  DisclosedContract,
  ReassignmentCommand,
  ReassignmentSubmission,
  Submission,
} from '../network/submission/submission.js';
import { submit } from '../network/commands/submit.js';
import { commandIdOf } from '../network/ledger/submission-info.js';
import type { ContractId, Party } from '../daml/model/values.js';
import type { ReassignmentUpdate, TransactionUpdate } from '../network/updates.js';
import { activeContract, type ActiveContract } from './active-contract.js';
import { Exercised, type ExerciseResult } from './exercised.js';
import { toldToCaller } from '../daml/errors/own-frames.js';

export interface SubmitOptions {
  /** Who acts: a party, or several that act together. */
  readonly actAs: Party | readonly Party[];
  readonly readAs?: Party | readonly Party[];
  /** Alias or id; where absent, the one that needs the fewest reassignments, and among equals the first by id. */
  readonly synchronizer?: string;
  readonly disclosedContracts?: readonly DisclosedContract[];
  readonly commandId?: string;
  readonly userId?: string;
  readonly workflowId?: string;
}

export interface MoveOptions {
  /** A stakeholder hosted here; the first one found where absent. */
  readonly submitter?: Party;
  readonly commandId?: string;
  /** Refuse a move that would carry another counter. */
  readonly expectedCounter?: number;
}

const USER = 'participant_admin';

const NOBODY: readonly Party[] = [];

/** @throws TypeError for what only a test in JavaScript can hand in: its message shows the form */
function partiesOf(given: Party | readonly Party[] = NOBODY): readonly Party[] {
  const parties = typeof given === 'string' ? [given] : given;
  for (const party of parties)
    if (typeof party !== 'string')
      throw toldToCaller(
        new TypeError(`Failed to submit: ${JSON.stringify(party)} is no party id.`),
      );
  return parties;
}

/** @throws TypeError for what only a test in JavaScript can hand in, such as the id that a step did not return */
function requireContractId(given: ContractId): void {
  if (typeof given !== 'string')
    throw toldToCaller(
      new TypeError(`Failed to submit: ${JSON.stringify(given)} is no contract id.`),
    );
}

function actorsOf(options: SubmitOptions | undefined): readonly Party[] {
  if (options?.actAs === undefined)
    throw toldToCaller(
      new TypeError(
        'Failed to submit: it is not said who acts. The last argument does: { actAs: alice }.',
      ),
    );
  return partiesOf(options.actAs);
}

export class ParticipantView {
  constructor(readonly engine: Participant) {}

  get name(): string {
    return this.engine.name;
  }

  get id(): string {
    return this.engine.id;
  }

  /** Offset of the last update; 0 before the first. */
  get ledgerEnd(): number {
    return this.engine.log.end;
  }

  /**
   * Adds the packages of a DAR, vetted on every connected synchronizer; unlike an upload over the Ledger API whether or not they are
   * upgrades of what is vetted there. @throws LedgerError for a broken one
   */
  uploadDar(bytes: Uint8Array): void {
    const { engine } = this;
    addPackages(engine, readDar(engine, bytes).packages);
  }

  /** Hosts a new party on every connected synchronizer, or on those named. */
  allocateParty(hint?: string, options: { synchronizers?: readonly string[] } = {}): Party {
    const ids = options.synchronizers?.map((name) => this.synchronizerId(name));
    return this.engine.allocateParty(hint, ids);
  }

  /**
   * @param template `#package-name:Module:Entity` or package-id qualified
   * @param payload the create arguments, as Ledger API JSON
   */
  create(template: string, payload: unknown, options: SubmitOptions): ContractId {
    const { engine } = this;
    const actAs = actorsOf(options);
    let command: DecodedCommand;
    try {
      command = decodeCreate(engine.packagesFor(), template, payload);
    } catch (error) {
      throw this.explained(actAs, options, `create ${template}`, error);
    }
    const { update } = this.submit(command, actAs, options);
    const [root] = update.transaction.nodes;
    invariant(root?.kind === 'create', 'a creation is its own root');
    return root.contract.contractId;
  }

  /** @param id of the template, or of the interface for an interface's choice */
  exercise(
    id: string,
    contractId: ContractId,
    choice: string,
    argument: unknown,
    options: SubmitOptions,
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
    return this.exercised(command, actAs, options);
  }

  /**
   * Exercises on the newest contract with the key.
   * @param template `#package-name:Module:Entity` or package-id qualified
   * @param key as Ledger API JSON
   */
  exerciseByKey(
    template: string,
    key: unknown,
    choice: string,
    argument: unknown,
    options: SubmitOptions,
  ): ExerciseResult {
    const { engine } = this;
    const actAs = actorsOf(options);
    let command: DecodedCommand;
    try {
      command = decodeExerciseByKey(engine.packagesFor(), template, key, choice, argument);
    } catch (error) {
      throw this.explained(actAs, options, `exercise ${template} ${choice} by key`, error);
    }
    return this.exercised(command, actAs, options);
  }

  private exercised(
    command: DecodedCommand,
    actAs: readonly Party[],
    options: SubmitOptions,
  ): ExerciseResult {
    const { update, offset } = this.submit(command, actAs, options);
    return new Exercised(this.engine, update, offset);
  }

  /** The refusal of a command that could not be read, explained. @param line the command as it stands */
  private explained(
    actAs: readonly Party[],
    { commandId = '', readAs }: SubmitOptions,
    line: string,
    error: unknown,
  ): unknown {
    const submitted = { commandId, actAs, readAs: partiesOf(readAs) };
    const told = explainedReading(this.engine, submitted, line, error);
    // The cause is the real one, which says nothing of the field.
    if (told instanceof LedgerError && told.details.explanation !== undefined)
      told.message += ` (${told.details.explanation})`;
    return told;
  }

  archive(template: string, contractId: ContractId, options: SubmitOptions): void {
    this.exercise(template, contractId, 'Archive', {}, options);
  }

  /**
   * Forgets the updates up to an offset, as an operator does; active contracts stay. Who asks for what is gone meets
   * PARTICIPANT_PRUNED_DATA_ACCESSED.
   * @param upTo all but the last update where absent
   * @param forgetHistory gives memory back, for good: what every participant who saw it has pruned is no part of the network's
   *   history any more, nor of Scan's, and no snapshot until now can be gone back to, nor the start
   * @returns up to which offset it is pruned now
   * @throws LedgerError INVALID_ARGUMENT, NON_POSITIVE_OFFSET, OFFSET_OUT_OF_RANGE for one that is not before the ledger end
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
   * Takes a contract off its synchronizer. What nobody assigns until the target's assignmentExclusivityTimeout is over, a
   * participant then assigns by itself.
   * @returns the reassignment id that {@link assign} needs
   */
  unassign(contractId: ContractId, options: MoveOptions & { to: string }): ReassignmentId {
    const state = this.engine.ledger.contracts.state(contractId);
    const source =
      state?.kind === 'active' ? state.synchronizerId : this.engine.ledger.synchronizers[0]!.id;
    const update = this.move(contractId, options, {
      kind: 'unassign',
      contractId,
      source,
      target: this.synchronizerId(options.to),
      expectedCounter: options.expectedCounter,
    });
    return update.events[0]!.reassignmentId;
  }

  /**
   * Completes a reassignment on its target.
   * @throws LedgerError REASSIGNMENT_VALIDATION_FAILED for another submitter than that of the unassignment, before the target's
   *   assignmentExclusivityTimeout is over (B-RSG-018)
   */
  assign(reassignmentId: ReassignmentId, options: MoveOptions = {}): void {
    const reassignment = this.engine.ledger.contracts.reassignment(reassignmentId);
    if (reassignment === undefined)
      throw invalidArgument(`Cannot assign: unknown reassignment id ${reassignmentId}`);
    const { source, target, contract } = reassignment.unassigned.events[0]!;
    const { expectedCounter } = options;
    this.move(contract.contractId, options, {
      kind: 'assign',
      reassignmentId,
      source,
      target,
      expectedCounter,
    });
  }

  /** The contract if it is active and known here. */
  contract(contractId: ContractId): ActiveContract | undefined {
    const stay = this.engine.activeContracts.get(contractId);
    return stay && activeContract(this.engine, stay);
  }

  /**
   * Active contracts in order of activation.
   * @param query a party that must be a stakeholder, a template as `#package-name:Module:Entity`
   */
  activeContracts(query: { party?: Party; template?: string } = {}): ActiveContract[] {
    const templates = query.template === undefined ? undefined : [query.template.replace(/^#/, '')];
    const found = this.engine.activeContracts.now([{ party: query.party, templates }]);
    return [...found].map((stay) => activeContract(this.engine, stay));
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
      faults: refusal && { preprocessing: refusal },
      commandId: commandId ?? this.engine.ledger.nextNumber,
      userId: userId ?? USER,
      synchronizerId: synchronizer === undefined ? undefined : this.synchronizerId(synchronizer),
      externallySigned: this.includesExternal(actAs),
    };
    const { update, completionOffset } = acceptedNow(this.engine.ledger, () =>
      submit(this.engine, submission),
    );
    return { update, offset: completionOffset };
  }

  /** Of parties that are all hosted here, one that signs for itself: who drives the ledger in-process needs no signature. */
  private includesExternal(parties: readonly Party[]): boolean {
    const { engine } = this;
    const { externalParties } = engine.ledger;
    if (externalParties.isEmpty) return false;
    const isExternal = (party: Party): boolean =>
      engine.connected.some((id) => externalParties.get(party, id) !== undefined);
    return parties.some(isExternal) && parties.every((party) => engine.hosts(party));
  }

  private madeUpCommandId(): string {
    const { random, nextNumber } = this.engine.ledger;
    return commandIdOf(random, nextNumber);
  }

  private move(
    contractId: ContractId,
    options: MoveOptions,
    command: ReassignmentCommand,
  ): ReassignmentUpdate {
    const submission: ReassignmentSubmission = {
      submitter: options.submitter ?? this.localStakeholder(contractId),
      commandId: options.commandId ?? this.madeUpCommandId(),
      userId: USER,
      commands: [command],
    };
    const { ledger } = this.engine;
    return acceptedNow(ledger, () => submitReassignment(this.engine, submission)).update;
  }

  private localStakeholder(contractId: ContractId): Party {
    const { instance } = this.engine.ledger.contracts.get(contractId) ?? {};
    const found = [...(instance?.signatories ?? []), ...(instance?.observers ?? [])].find((party) =>
      this.engine.hosts(party),
    );
    if (found === undefined)
      throw invalidArgument(
        `Participant ${this.name} hosts no stakeholder of contract ${contractId}.`,
      );
    return found;
  }

  private synchronizerId(name: string): SynchronizerId {
    const { ledger } = this.engine;
    const synchronizer = ledger.synchronizer(name);
    if (synchronizer === undefined)
      throw invalidArgument(
        `Unknown synchronizer ${name}. There are: ${ledger.synchronizers.map(({ alias }) => alias).join(', ')}.`,
      );
    return synchronizer.id;
  }
}
