/**
 * A participant that is elsewhere, as a test drives it: the verbs that it has over its JSON Ledger API, and what is remembered of the
 * contracts that its answers told.
 */
import { refusalOf, type Json } from '../../script/remote/json-api.js';
import type { ApiRequest, Asking } from './asking.js';
import { contractsIn, eventFormatOf, SeenContracts, type SeenContract } from './seen-contracts.js';

export interface ClientOptions {
  /** Submits. */
  readonly userId: string;
  /** A user that gets the right to act as each party that is allocated; none where nobody asks for rights. */
  readonly rightsTo?: string | undefined;
  /** A command id that there has not been. */
  readonly newCommandId: () => string;
}

/** How commands are submitted; ids throughout. */
export interface Submitting {
  readonly actAs: readonly string[];
  readonly readAs?: readonly string[] | undefined;
  readonly synchronizer?: string | undefined;
  /** Ids of contracts that an answer has told with their blobs. */
  readonly disclosed?: readonly string[] | undefined;
  readonly commandId?: string | undefined;
  readonly userId?: string | undefined;
  readonly workflowId?: string | undefined;
}

/** What a transaction did, as it was answered. */
export interface Submitted {
  readonly updateId: string;
  readonly offset: number;
  readonly synchronizerId: string;
  readonly events: readonly Json[];
}

const LEDGER_EFFECTS = 'TRANSACTION_SHAPE_LEDGER_EFFECTS';
/** Elements of a list that a participant gives at once. */
const PAGE = 200;

export class ParticipantClient {
  readonly contracts = new SeenContracts();
  /** Of the last update that this client made; undefined before the first. */
  lastOffset: number | undefined = undefined;

  constructor(private readonly options: ClientOptions) {}

  /** @throws LedgerError, ScriptRefusal */
  *ask(method: ApiRequest['method'], path: string, body?: ApiRequest['body']): Asking<Json> {
    const answer = yield { method, path, ...(body !== undefined && { body }) };
    if (answer.status >= 400) throw refusalOf(`${method} ${path}`, answer);
    return (answer.body ?? {}) as Json;
  }

  /** @param synchronizers ids; where it is hosted */
  *allocateParty(hint: string | undefined, synchronizers: readonly string[]): Asking<string> {
    let party = '';
    for (const synchronizerId of synchronizers) {
      const request = { partyIdHint: hint ?? '', identityProviderId: '', synchronizerId };
      const { partyDetails } = yield* this.ask('POST', '/v2/parties', request);
      party = String((partyDetails as Json)['party']);
    }
    const { rightsTo } = this.options;
    if (rightsTo !== undefined)
      yield* this.changeRights('POST', rightsTo, [{ kind: 'CanActAs', party }]);
    return party;
  }

  *createUser(
    id: string,
    primaryParty: string | undefined,
    rights: readonly ClientRight[],
  ): Asking<void> {
    const metadata = { resourceVersion: '', annotations: {} };
    const user = {
      id,
      primaryParty: primaryParty ?? '',
      isDeactivated: false,
      metadata,
      identityProviderId: '',
    };
    yield* this.ask('POST', '/v2/users', { user, rights: rights.map(rightJson) });
  }

  /** @param method POST grants, PATCH takes away */
  *changeRights(
    method: 'POST' | 'PATCH',
    userId: string,
    rights: readonly ClientRight[],
  ): Asking<void> {
    const body = { userId, identityProviderId: '', rights: rights.map(rightJson) };
    yield* this.ask(method, `/v2/users/${encodeURIComponent(userId)}/rights`, body);
  }

  *rightsOf(userId: string): Asking<readonly Json[]> {
    const { rights } = yield* this.ask('GET', `/v2/users/${encodeURIComponent(userId)}/rights`);
    return (rights ?? []) as readonly Json[];
  }

  *uploadDar(bytes: Uint8Array): Asking<void> {
    yield* this.ask('POST', '/v2/packages', bytes);
  }

  *submit(command: object, how: Submitting): Asking<Submitted> {
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
    const transactionFormat = {
      eventFormat: eventFormatOf(actAs),
      transactionShape: LEDGER_EFFECTS,
    };
    const path = '/v2/commands/submit-and-wait-for-transaction';
    const { transaction } = yield* this.ask('POST', path, { commands, transactionFormat });
    const { updateId, offset, events, synchronizerId } = transaction as Json;
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
  *create(templateId: string, createArguments: unknown, how: Submitting): Asking<string> {
    const { events } = yield* this.submit({ CreateCommand: { templateId, createArguments } }, how);
    return String((events[0]!['CreatedEvent'] as Json)['contractId']);
  }

  *exercise(
    { templateId, contractId, choice }: Record<'templateId' | 'contractId' | 'choice', string>,
    choiceArgument: unknown,
    how: Submitting,
  ): Asking<Submitted & { readonly result: unknown }> {
    const command = { templateId, contractId, choice, choiceArgument };
    const done = yield* this.submit({ ExerciseCommand: command }, how);
    return { ...done, result: resultIn(done) };
  }

  *exerciseByKey(
    { templateId, choice }: Record<'templateId' | 'choice', string>,
    contractKey: unknown,
    choiceArgument: unknown,
    how: Submitting,
  ): Asking<Submitted & { readonly result: unknown }> {
    const command = { templateId, contractKey, choice, choiceArgument };
    const done = yield* this.submit({ ExerciseByKeyCommand: command }, how);
    return { ...done, result: resultIn(done) };
  }

  /** @returns the reassignment id */
  *unassign(
    contractId: string,
    move: Record<'source' | 'target' | 'submitter', string>,
    commandId?: string,
  ): Asking<string> {
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
  ): Asking<void> {
    const { source, target, submitter } = move;
    const value = { reassignmentId, source, target };
    const event = yield* this.reassign({ AssignCommand: { value } }, submitter, commandId);
    const { createdEvent } = event['JsAssignmentEvent'] as Json;
    this.contracts.see([{ CreatedEvent: createdEvent }], target);
  }

  private *reassign(command: object, submitter: string, commandId?: string): Asking<Json> {
    const reassignmentCommands = {
      commandId: commandId ?? this.options.newCommandId(),
      userId: this.options.userId,
      workflowId: '',
      submissionId: '',
      submitter,
      commands: [{ command }],
    };
    const { reassignment } = yield* this.ask(
      'POST',
      '/v2/commands/submit-and-wait-for-reassignment',
      { reassignmentCommands, eventFormat: eventFormatOf([submitter]) },
    );
    const { offset, events } = reassignment as { offset: number; events: readonly Json[] };
    this.lastOffset = offset;
    return events[0]!;
  }

  /** What a party saw of a contract: its creation and its archival. */
  *eventsOf(contractId: string, party: string): Asking<Json> {
    const body = { contractId, eventFormat: eventFormatOf([party]) };
    return yield* this.ask('POST', '/v2/events/events-by-contract-id', body);
  }

  *ledgerEnd(): Asking<number> {
    return Number((yield* this.ask('GET', '/v2/state/ledger-end'))['offset']);
  }

  /** @param parties undefined for any @param template a template or an interface, by its name */
  *activeContracts(
    parties: readonly string[] | undefined,
    template: string | undefined,
    activeAtOffset: number,
  ): Asking<readonly SeenContract[]> {
    const path = '/v2/state/active-contracts';
    const body = (kind?: 'InterfaceFilter') => ({
      activeAtOffset,
      eventFormat: eventFormatOf(parties, template, kind),
    });
    const answer = yield { method: 'POST', path, body: body() };
    // It may be an interface; what it is, only the participant knows.
    const entries =
      answer.status === 404 && template !== undefined
        ? yield* this.ask('POST', path, body('InterfaceFilter'))
        : answer.body;
    if (answer.status >= 400 && answer.status !== 404) throw refusalOf(`POST ${path}`, answer);
    return contractsIn(entries as readonly Json[]);
  }

  /** What these parties see of what came behind an offset, up to the last that this client made; page by page. */
  *updatesSince(offset: number, parties: readonly string[]): Asking<void> {
    const end = this.lastOffset;
    const eventFormat = eventFormatOf(parties);
    const updateFormat = {
      includeTransactions: { eventFormat, transactionShape: LEDGER_EFFECTS },
      includeReassignments: eventFormat,
    };
    for (let begin: number | undefined = offset; begin !== undefined && begin < (end ?? 0);) {
      const body = { beginExclusive: begin, endInclusive: end, updateFormat };
      const told = yield* this.ask('POST', `/v2/updates?limit=${PAGE}`, body);
      const updates = told as unknown as readonly Json[];
      begin = updates.length < PAGE ? undefined : offsetOf(updates.at(-1)!);
    }
  }
}

/** What may be given to a user: of a party, or of none. */
export interface ClientRight {
  readonly kind: string;
  readonly party?: string;
}

const rightJson = ({ kind, party }: ClientRight): object => ({
  kind: { [kind]: { value: party === undefined ? {} : { party } } },
});

const resultIn = ({ events }: Submitted): unknown =>
  (events[0]?.['ExercisedEvent'] as Json | undefined)?.['exerciseResult'];

function offsetOf({ update }: Json): number | undefined {
  const [kind] = Object.values(update as Record<string, { readonly value?: Json }>);
  return kind?.value?.['offset'] as number | undefined;
}
