/**
 * A client of a remote participant for tests: the verbs that its JSON Ledger API supports, and a store of the
 * contracts in its answers.
 */
import {
  call,
  ClientError,
  refusalOf,
  requestOf,
  type Requests,
  type Json,
} from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import {
  activeContracts,
  allocateParty,
  changeRights,
  LEDGER_EFFECTS,
  submitted,
} from '../../client/verbs.js';
import { contractsIn, eventFormatOf, SeenContracts, type SeenContract } from './seen-contracts.js';

export interface ClientOptions {
  /** The user that submits commands. */
  readonly userId: string;
  /** A user that gets the right to act as each allocated party; undefined if the participant does not check rights. */
  readonly rightsTo?: string | undefined;
  /** Returns an unused command id. */
  readonly newCommandId: () => string;
}

/** The options of a submission; all values are ids. */
export interface Submitting {
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[] | undefined;
  readonly synchronizer?: string | undefined;
  /** The ids of contracts whose blobs an answer had. */
  readonly disclosed?: readonly string[] | undefined;
  readonly commandId?: string | undefined;
  readonly userId?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** The effects of a transaction, from the answer. */
export interface Submitted {
  readonly updateId: string;
  readonly offset: number;
  readonly synchronizerId: string;
  readonly events: readonly Json[];
}

/** The most elements in a page of a participant's list. */
const PAGE = 200;

export class ParticipantClient {
  readonly contracts = new SeenContracts();
  /** The offset of this client's last update; undefined before the first. */
  lastOffset: number | undefined = undefined;

  constructor(private readonly options: ClientOptions) {}

  /** @param synchronizers the ids of the synchronizers that host the party */
  *allocateParty(hint: string | undefined, synchronizers: readonly string[]): Requests<string> {
    let party = '';
    for (const synchronizer of synchronizers)
      party = yield* allocateParty(hint ?? '', synchronizer);
    const { rightsTo } = this.options;
    if (rightsTo !== undefined)
      yield* changeRights('grant', rightsTo, [{ kind: 'CanActAs', party }]);
    return party;
  }

  *submit(command: object, how: Submitting): Requests<Submitted> {
    const { actAs, readAs = [], synchronizer = '', disclosed = [], workflowId = '' } = how;
    const commands = {
      commands: [command],
      commandId: how.commandId ?? this.options.newCommandId(),
      userId: how.userId ?? this.options.userId,
      actAs,
      readAs,
      workflowId,
      synchronizerId: synchronizer,
      disclosedContracts: disclosed.map((id) => this.contracts.disclosure(id)),
    };
    const transaction = yield* submitted(commands, eventFormatOf(actAs));
    const { updateId, offset, events, synchronizerId } = transaction;
    this.lastOffset = Number(offset);
    this.contracts.see(events as readonly Json[], String(synchronizerId));
    return {
      updateId: String(updateId),
      offset: Number(offset),
      synchronizerId: String(synchronizerId),
      events: events as readonly Json[],
    };
  }

  /** @returns the contract's id */
  *create(templateId: string, createArguments: unknown, how: Submitting): Requests<string> {
    const { events } = yield* this.submit({ CreateCommand: { templateId, createArguments } }, how);
    return String((events[0]!['CreatedEvent'] as Json)['contractId']);
  }

  *exercise(
    { templateId, contractId, choice }: Record<'templateId' | 'contractId' | 'choice', string>,
    choiceArgument: unknown,
    how: Submitting,
  ): Requests<Submitted & { readonly result: unknown }> {
    const command = { templateId, contractId, choice, choiceArgument };
    const done = yield* this.submit({ ExerciseCommand: command }, how);
    return { ...done, result: resultIn(done) };
  }

  *exerciseByKey(
    { templateId, choice }: Record<'templateId' | 'choice', string>,
    contractKey: unknown,
    choiceArgument: unknown,
    how: Submitting,
  ): Requests<Submitted & { readonly result: unknown }> {
    const command = { templateId, contractKey, choice, choiceArgument };
    const done = yield* this.submit({ ExerciseByKeyCommand: command }, how);
    return { ...done, result: resultIn(done) };
  }

  /** @returns the reassignment id */
  *unassign(
    contractId: string,
    move: Record<'source' | 'target' | 'submitter', string>,
    commandId?: string,
  ): Requests<string> {
    const { source, target, submitter } = move;
    const value = { contractId, source, target };
    const event = yield* this.reassign({ UnassignCommand: { value } }, submitter, commandId);
    const { reassignmentId } = (event['JsUnassignedEvent'] as Json)['value'] as Json;
    this.contracts.leave(contractId, { reassignmentId: String(reassignmentId), ...move });
    return String(reassignmentId);
  }

  *assign(
    reassignmentId: string,
    move: Record<'source' | 'target' | 'submitter', string>,
    commandId?: string,
  ): Requests<void> {
    const { source, target, submitter } = move;
    const value = { reassignmentId, source, target };
    const event = yield* this.reassign({ AssignCommand: { value } }, submitter, commandId);
    const { createdEvent } = event['JsAssignmentEvent'] as Json;
    this.contracts.see([{ CreatedEvent: createdEvent }], target);
  }

  private *reassign(command: object, submitter: string, commandId?: string): Requests<Json> {
    const reassignmentCommands = {
      commandId: commandId ?? this.options.newCommandId(),
      userId: this.options.userId,
      workflowId: '',
      submissionId: '',
      submitter,
      commands: [{ command }],
    };
    const body = { reassignmentCommands, eventFormat: eventFormatOf([submitter]) };
    const { reassignment } = yield* call(OPERATIONS.reassign, { body });
    const { offset, events } = reassignment as { offset: number; events: readonly Json[] };
    this.lastOffset = offset;
    return events[0]!;
  }

  /** The events of a contract that a party sees: its creation and its archival. */
  eventsOf(contractId: string, party: string): Requests<Json> {
    const body = { contractId, eventFormat: eventFormatOf([party]) };
    return call(OPERATIONS.eventsOf, { body });
  }

  /** @param parties undefined for all parties @param template the name of a template or interface */
  *activeContracts(
    parties: readonly string[] | undefined,
    template: string | undefined,
    activeAtOffset: number,
  ): Requests<readonly SeenContract[]> {
    const of = (kind?: 'InterfaceFilter') => eventFormatOf(parties, template, kind);
    const body = { activeAtOffset, eventFormat: of() };
    const request = requestOf(OPERATIONS.activeContracts, { body });
    const answer = yield request;
    // It may be an interface: only the participant has the definition.
    if (answer.status === 404 && template !== undefined)
      return contractsIn(yield* activeContracts(activeAtOffset, of('InterfaceFilter')));
    if (answer.status >= 400) throw refusalOf(request, answer);
    return contractsIn(answer.body as readonly Json[]);
  }

  /** Reads the updates that these parties see after an offset, up to this client's last update, page by page. */
  *updatesSince(offset: number, parties: readonly string[]): Requests<void> {
    const end = this.lastOffset;
    const eventFormat = eventFormatOf(parties);
    const updateFormat = {
      includeTransactions: { eventFormat, transactionShape: LEDGER_EFFECTS },
      includeReassignments: eventFormat,
    };
    const query = { limit: PAGE };
    for (let begin: number | undefined = offset; begin !== undefined && begin < (end ?? 0);) {
      const body = { beginExclusive: begin, endInclusive: end, updateFormat };
      const answer = yield* call(OPERATIONS.updates, { query, body });
      const updates = answer as unknown as readonly Json[];
      const last: number | undefined =
        updates.length < PAGE ? undefined : offsetOf(updates.at(-1)!);
      if (last !== undefined && last <= begin)
        throw new ClientError(OPERATIONS.updates, 'returned a page that does not advance.');
      begin = last;
    }
  }
}

const resultIn = ({ events }: Submitted): unknown =>
  (events[0]?.['ExercisedEvent'] as Json | undefined)?.['exerciseResult'];

function offsetOf({ update }: Json): number | undefined {
  const [kind] = Object.values(update as Record<string, { readonly value?: Json }>);
  return kind?.value?.['offset'] as number | undefined;
}
