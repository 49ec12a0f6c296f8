/**
 * A remote participant for tests: the methods of `canticle.participant` over its JSON Ledger API. Arguments, results and errors are the
 * same.
 */
import type {
  ParticipantClient,
  Submitted,
  Submitting,
} from '../../bridge/upstream/participant-client.js';
import { call, type Requests } from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import { ledgerEnd } from '../../client/verbs.js';
import type { LivePlace } from '../../bridge/upstream/live-place.js';
import { leftActive, type SeenContract } from '../../bridge/upstream/seen-contracts.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import type { AnyChoice, AnyTemplate } from '../../daml/model/typed-template.js';
import type { ActiveContract } from '../../wallet/active-contract.js';
import type { MoveOptions } from '../../wallet/moves.js';
import {
  actorsOf,
  partiesOf,
  requireContractId,
  type SubmitOptions,
} from '../../wallet/submit-options.js';
import {
  decodedContract,
  decodedResult,
  encodedArgument,
  encodedKey,
  encodedPayload,
  idOf,
  isChoice,
  type TemplateName,
} from '../../wallet/typed.js';

export interface ParticipantSetting {
  readonly client: ParticipantClient;
  /** Read on first use. */
  readonly place: () => LivePlace;
  readonly run: <T>(requests: Requests<T>) => T;
  /** Makes names unique that another test may have used. */
  readonly suffix: () => string;
}

type Exercise = [TemplateName, string, string, unknown, SubmitOptions];
type Typed = [string, AnyChoice, unknown, SubmitOptions];
type Keyed = [TemplateName, unknown, string, unknown, SubmitOptions];
type TypedKeyed = [AnyChoice, unknown, unknown, SubmitOptions];
const isTyped = (given: Exercise | Typed): given is Typed => isChoice(given[1]);
const isTypedByKey = (given: Keyed | TypedKeyed): given is TypedKeyed => isChoice(given[0]);

export class UpstreamParticipant {
  /** The journals of the file and of the running test. */
  private ofFile = { hints: new Set<string>(), parties: [] as string[] };
  private ofTest: typeof this.ofFile | undefined;

  constructor(private readonly setting: ParticipantSetting) {}

  /** A test allocates the parties from now on. */
  beginTest(): void {
    this.ofTest = { hints: new Set(), parties: [] };
  }

  get name(): string {
    return this.setting.place().participant ?? this.id.split('::', 1)[0]!;
  }

  get id(): string {
    return `PAR::${this.setting.place().participantId}`;
  }

  get ledgerEnd(): number {
    return this.run(ledgerEnd());
  }

  uploadDar(bytes: Uint8Array): void {
    this.run(call(OPERATIONS.uploadDar, { body: bytes }));
  }

  /** If another user has such a party, it gets an unused hint. */
  allocateParty(hint?: string, options: { synchronizers?: readonly string[] } = {}): string {
    const { synchronizers } = this.setting.place();
    const ids = options.synchronizers?.map((each) => this.synchronizerId(each));
    const where = ids ?? synchronizers.map(({ id }) => id);
    const party = this.allocated(hint, where);
    const { hints, parties } = this.ofTest ?? this.ofFile;
    if (hint !== undefined) hints.add(hint);
    parties.push(party);
    return party;
  }

  private allocated(hint: string | undefined, where: readonly string[]): string {
    try {
      return this.run(this.client.allocateParty(hint, where));
    } catch (error) {
      const isOwn = [this.ofFile, this.ofTest].some((each) => hint && each?.hints.has(hint));
      const isTaken = error instanceof LedgerError && /already exists/.test(error.message);
      if (!isTaken || isOwn || hint === undefined) throw error;
      return this.run(this.client.allocateParty(`${hint}-${this.setting.suffix()}`, where));
    }
  }

  create(template: TemplateName, payload: unknown, options: SubmitOptions): string {
    const encoded = encodedPayload(template, payload);
    return this.run(this.client.create(idOf(template), encoded, this.submitting(options)));
  }

  exercise(...given: Exercise | Typed): object {
    if (isTyped(given)) {
      const [contractId, choice, argument, options] = given;
      const encoded = encodedArgument(choice, argument);
      const templateId = idOf(choice.template());
      return this.exercised(
        { templateId, contractId, choice: choice.choiceName },
        encoded,
        options,
        choice,
      );
    }
    const [template, contractId, choice, argument, options] = given;
    return this.exercised({ templateId: idOf(template), contractId, choice }, argument, options);
  }

  exerciseByKey(...given: Keyed | TypedKeyed): object {
    const byKey = (
      template: TemplateName,
      key: unknown,
      name: string,
      argument: unknown,
      options: SubmitOptions,
      typed?: AnyChoice,
    ) => {
      const target = { templateId: idOf(template), choice: name };
      const how = this.submitting(options);
      return this.result(this.run(this.client.exerciseByKey(target, key, argument, how)), typed);
    };
    if (!isTypedByKey(given)) return byKey(...given);
    const [choice, key, argument, options] = given;
    const owner = choice.template();
    const encoded = encodedArgument(choice, argument);
    return byKey(owner, encodedKey(owner, key), choice.choiceName, encoded, options, choice);
  }

  archive(template: TemplateName, contractId: string, options: SubmitOptions): void {
    this.exercised({ templateId: idOf(template), contractId, choice: 'Archive' }, {}, options);
  }

  unassign(contractId: string, { to, submitter, commandId }: MoveOptions & { to: string }): string {
    const { synchronizerId: source, signatories } = this.client.contracts.known(contractId);
    const move = {
      source,
      target: this.synchronizerId(to),
      submitter: submitter ?? signatories[0]!,
    };
    return this.run(this.client.unassign(contractId, move, this.commandId(commandId)));
  }

  assign(reassignmentId: string, { submitter, commandId }: MoveOptions = {}): void {
    const move = this.client.contracts.move(reassignmentId);
    if (move === undefined)
      throw new Error(
        `Failed to assign: no unassignment of this suite is called ${reassignmentId}.`,
      );
    const { source, target } = move;
    const by = submitter ?? move.submitter;
    const command = this.commandId(commandId);
    this.run(this.client.assign(reassignmentId, { source, target, submitter: by }, command));
  }

  /** Seen by a party of this suite. */
  contract(contractId: string, template?: AnyTemplate): unknown {
    const found = this.active(this.parties, undefined).find(
      (each) => each.contractId === contractId,
    );
    if (found === undefined) return undefined;
    if (template === undefined) return activeOf(found);
    return this.active(this.parties, idOf(template))
      .filter((each) => each.contractId === contractId)
      .map((each) => decodedContract(template, activeOf(each), each.view))[0];
  }

  /** For the parties that this suite has allocated, unless one is named. */
  activeContracts(
    given: AnyTemplate | { party?: string; template?: TemplateName } = {},
    query: { party?: string } = {},
  ): unknown[] {
    const isTemplate = 'templateId' in given;
    const template = isTemplate ? given : given.template;
    const party = isTemplate ? query.party : given.party;
    const found = this.active(
      party === undefined ? this.parties : [party],
      template === undefined ? undefined : idOf(template),
    );
    return found.map((each) =>
      template === undefined
        ? activeOf(each)
        : decodedContract(template, activeOf(each), each.view),
    );
  }

  private get client(): ParticipantClient {
    return this.setting.client;
  }

  private get parties(): readonly string[] {
    return [...this.ofFile.parties, ...(this.ofTest?.parties ?? [])];
  }

  private run<T>(requests: Requests<T>): T {
    return this.setting.run(requests);
  }

  private active(parties: readonly string[], template: string | undefined) {
    if (parties.length === 0) return [];
    return this.run(this.client.activeContracts(parties, template, this.ledgerEnd));
  }

  private synchronizerId(given: string): string {
    const { synchronizers } = this.setting.place();
    const [only, ...others] = synchronizers;
    const found = synchronizers.find(({ alias, id }) => alias === given || id === given);
    if (found !== undefined) return found.id;
    if (others.length === 0) return only!.id;
    throw new Error(`The participant is not connected to a synchronizer '${given}'.`);
  }

  private commandId(given: string | undefined): string | undefined {
    return given === undefined ? undefined : `${given}-${this.setting.suffix()}`;
  }

  private submitting(options: SubmitOptions): Submitting {
    const { synchronizer, disclosedContracts, commandId, userId, workflowId } = options;
    return {
      actAs: actorsOf(options),
      readAs: partiesOf(options.readAs),
      synchronizer: synchronizer === undefined ? undefined : this.synchronizerId(synchronizer),
      disclosed: disclosedContracts?.map(({ contract }) => contract.contractId),
      commandId: this.commandId(commandId),
      userId,
      workflowId,
    };
  }

  private exercised(
    target: Record<'templateId' | 'contractId' | 'choice', string>,
    argument: unknown,
    options: SubmitOptions,
    typed?: AnyChoice,
  ): object {
    requireContractId(target.contractId);
    return this.result(
      this.run(this.client.exercise(target, argument, this.submitting(options))),
      typed,
    );
  }

  private result(
    { updateId, offset, events, synchronizerId, result }: Submitted & { readonly result: unknown },
    typed: AnyChoice | undefined,
  ): object {
    const left = leftActive(events, synchronizerId);
    return {
      result: decodedResult(typed, result),
      created: left.map(activeOf),
      createdOf: (template: AnyTemplate) => {
        const name = idOf(template).replace(/^[^:]*/, '');
        return left
          .filter(({ templateId }) => templateId.endsWith(name))
          .map((each) => decodedContract(template, activeOf(each)));
      },
      updateId,
      offset,
    };
  }
}

/** In the form of `canticle.participant`. */
function activeOf(seen: SeenContract): ActiveContract {
  const { contractId, templateId, payload, key, signatories, observers } = seen;
  const { synchronizerId, reassignmentCounter } = seen;
  return {
    contractId,
    templateId,
    payload,
    ...(key !== undefined && key !== null && { key }),
    signatories,
    observers: observers.filter((each) => !signatories.includes(each)),
    synchronizerId,
    reassignmentCounter,
  };
}
