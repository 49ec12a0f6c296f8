/**
 * Runs steps of scenarios on a remote participant: sends the requests that a client would send for each step. For
 * expectations, it only sends the requests, and does not check the answers.
 */
import type { ParticipantView } from '../../wallet/participant-view.js';
import { ScenarioError } from '../../wallet/scenario-error.js';
import { Journal } from '../../network/journal/journal.js';
import { EXPECTATIONS, type ExpectationName } from '../../scenario/expectations.js';
import { readFields } from '../../scenario/fields.js';
import { Names } from '../../scenario/names.js';
import type { Step } from '../../scenario/perform.js';
import type { Lookup, SomeExpectation, SomeVerb } from '../../scenario/row.js';
import { VERBS, type VerbName } from '../../scenario/verbs.js';
import { call, type Requests } from '../../client/requests.js';
import { OPERATIONS } from '../../client/operations.js';
import { changeRights, createUser, rightsOf, type ClientRight } from '../../client/verbs.js';
import {
  UnsupportedStep,
  UNSUPPORTED_EXPECTATIONS,
  UNSUPPORTED_VERBS,
} from './unsupported-steps.js';
import type { ParticipantClient, Submitting } from './participant-client.js';

export interface RemotePlace {
  /** The participant's synchronizers. */
  readonly synchronizers: readonly { readonly alias: string; readonly id: string }[];
  /** The scenario's name of the remote participant; other participants are not used. */
  readonly participant: string;
  /** A suffix for party hints, user ids and command ids, which makes them unique; may be empty. */
  readonly suffix: string;
  /** Reads a file that a scenario names. */
  readonly readFile: (path: string) => Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;
type Row = (subject: never, fields: never) => Requests<unknown>;

export class RemoteSteps implements Lookup {
  readonly names = new Names(new Journal());
  /** The parties of the scenario, in the order of their allocation. */
  readonly parties: string[] = [];

  /** The unsupported verbs, by the names that they would have set. */
  private readonly awaited = new Map<string, string>();

  constructor(
    private readonly client: ParticipantClient,
    private readonly place: RemotePlace,
  ) {
    this.names.whereDefined = (name) => {
      const verb = this.awaited.get(name);
      return verb && `The step that sets it (${verb}) was skipped or rejected.`;
    };
  }

  /** @returns the value for `as` @throws UnsupportedStep, LedgerError, ClientError */
  *step(verb: VerbName, step: Step): Requests<unknown> {
    if (typeof step['as'] === 'string') this.awaited.set(step['as'], verb);
    const why = UNSUPPORTED_VERBS[verb];
    const row = (this.rows as Partial<Record<VerbName, Row>>)[verb];
    if (why !== undefined || row === undefined)
      throw new UnsupportedStep(why ?? 'it is not supported here');
    const { subject, fields } = this.read(VERBS[verb] as SomeVerb, verb, step);
    const result = yield* row(subject as never, fields as never);
    if (typeof step['as'] === 'string') this.names.set(step['as'], result);
    return result;
  }

  /** Sends the requests for an expectation. @throws UnsupportedStep, LedgerError, ClientError */
  *expectation(step: Step): Requests<void> {
    const name = Object.keys(EXPECTATIONS).find((each) => each in step) as ExpectationName;
    const why = UNSUPPORTED_EXPECTATIONS[name];
    const row = (this.queries as Partial<Record<ExpectationName, Row>>)[name];
    if (why !== undefined || row === undefined)
      throw new UnsupportedStep(why ?? 'it is not supported here');
    const { subject, fields } = this.read(EXPECTATIONS[name] as SomeExpectation, name, step);
    yield* row(subject as never, fields as never);
  }

  party(given: string): string {
    const named = this.names.get(given);
    if (typeof named === 'string' && named.includes('::')) return named;
    if (given.includes('::')) return given;
    throw new ScenarioError(`There is no party '${given}'.`);
  }

  synchronizer(given: string): { readonly id: string } {
    const { synchronizers } = this.place;
    const found = synchronizers.find(({ alias, id }) => alias === given || id === given);
    if (found !== undefined) return found;
    throw new UnsupportedStep(`the participant is not connected to a synchronizer '${given}'`);
  }

  participant(given: string): ParticipantView {
    if (given === this.place.participant) return { name: given } as ParticipantView;
    throw new UnsupportedStep(
      `only the participant '${this.place.participant}' is available, not '${given}'`,
    );
  }

  show(json: unknown): string {
    return this.names.humanize(JSON.stringify(json));
  }

  private read(row: SomeVerb | SomeExpectation, name: string, step: Step) {
    try {
      const subject = row.subject.read(step[name], this);
      return { subject, fields: readFields(row.fields, step, this) };
    } catch (error) {
      if (error instanceof ScenarioError) throw new UnsupportedStep(error.reason);
      throw error;
    }
  }

  private free(name: string): string {
    const { suffix } = this.place;
    return suffix === '' ? name : `${name}-${suffix}`;
  }

  private submitting(fields: Fields): Submitting {
    const { by, readAs, synchronizer, disclosed, commandId } = fields as {
      readonly by: readonly string[];
      readonly readAs?: readonly string[];
      readonly synchronizer?: string;
      readonly disclosed?: readonly string[];
      readonly commandId?: string;
    };
    const own = commandId === undefined ? undefined : this.free(commandId);
    return { actAs: by, readAs, synchronizer, disclosed, commandId: own };
  }

  private readonly rows = {
    party: this.hosted.bind(this),
    user: this.user.bind(this),
    grant: this.grant.bind(this),
    revoke: this.revoke.bind(this),
    upload: this.upload.bind(this),
    create: this.create.bind(this),
    exercise: this.exercise.bind(this),
    archive: this.archive.bind(this),
    unassign: this.unassign.bind(this),
    assign: this.assign.bind(this),
  };

  private readonly queries = {
    contract: this.contractEvents.bind(this),
    activeContracts: this.active.bind(this),
    sum: this.active.bind(this),
    party: this.ofParty.bind(this),
    updates: this.updates.bind(this),
  };

  private *hosted(
    hint: string,
    { synchronizers }: { synchronizers?: readonly string[] },
  ): Requests<string> {
    const everywhere = this.place.synchronizers.map(({ id }) => id);
    const where = synchronizers ?? everywhere;
    const party = yield* this.client.allocateParty(this.free(hint), where);
    this.names.set(hint, party);
    this.parties.push(party);
    return party;
  }

  private *user(id: string, fields: Fields): Requests<void> {
    const flags = [
      ['readAsAnyParty', 'CanReadAsAnyParty'],
      ['executeAsAnyParty', 'CanExecuteAsAnyParty'],
      ['participantAdmin', 'ParticipantAdmin'],
      ['identityProviderAdmin', 'IdentityProviderAdmin'],
    ] as const;
    const rights = [
      ...rightsIn(fields),
      ...flags.flatMap(([flag, kind]) => (fields[flag] === true ? [{ kind }] : [])),
    ];
    const primaryParty = fields['primaryParty'] as string | undefined;
    yield* createUser({ id: this.free(id), primaryParty }, rights);
  }

  private *grant(id: string, fields: Fields): Requests<void> {
    yield* changeRights('grant', this.free(id), rightsIn(fields));
  }

  private *revoke(id: string, { party }: { party?: string }): Requests<void> {
    const all = yield* rightsOf(this.free(id));
    const rights = all.filter((each) => party === undefined || each.party === party);
    yield* changeRights('revoke', this.free(id), rights);
  }

  private *upload(path: string): Requests<void> {
    let bytes: Uint8Array;
    try {
      bytes = this.place.readFile(path);
    } catch (error) {
      throw new UnsupportedStep(`failed to read '${path}': ${(error as Error).message}`);
    }
    yield* call(OPERATIONS.uploadDar, { body: bytes });
  }

  private *create(template: string, fields: Fields): Requests<string> {
    return yield* this.client.create(template, fields['with'], this.submitting(fields));
  }

  private *exercise(contractId: string, fields: Fields): Requests<unknown> {
    const {
      choice,
      through,
      with: argument = {},
    } = fields as {
      readonly choice: string;
      readonly through?: string;
      readonly with?: unknown;
    };
    const templateId = through ?? this.client.contracts.known(contractId).templateName;
    const target = { templateId, contractId, choice };
    const { result } = yield* this.client.exercise(target, argument, this.submitting(fields));
    return result;
  }

  private *archive(contractId: string, fields: Fields): Requests<void> {
    const { templateName: templateId, signatories } = this.client.contracts.known(contractId);
    const how = this.submitting({ by: signatories, ...fields });
    yield* this.client.exercise({ templateId, contractId, choice: 'Archive' }, {}, how);
  }

  private *unassign(contractId: string, fields: Fields): Requests<string> {
    const { to, by, commandId } = fields as { to: string; by?: string; commandId?: string };
    const { synchronizerId: source, signatories } = this.client.contracts.known(contractId);
    const move = { source, target: to, submitter: by ?? signatories[0]! };
    return yield* this.client.unassign(contractId, move, commandId && this.free(commandId));
  }

  private *assign(id: string, fields: Fields): Requests<void> {
    const { by, commandId } = fields as { by?: string; commandId?: string };
    const { contracts } = this.client;
    const move = contracts.move(id);
    if (move === undefined)
      throw new UnsupportedStep('no earlier answer contained this reassignment');
    const submitter = by ?? contracts.get(id)?.signatories[0] ?? this.parties[0]!;
    const { reassignmentId, source, target } = move;
    const how = { source, target, submitter };
    yield* this.client.assign(reassignmentId, how, commandId && this.free(commandId));
  }

  private *contractEvents(contractId: string, fields: Fields): Requests<void> {
    const { seenBy = [], hiddenFrom = [] } = fields as Record<string, readonly string[]>;
    const { signatories = [] } = this.client.contracts.get(contractId) ?? {};
    const readers = new Set([...signatories.slice(0, 1), ...seenBy, ...hiddenFrom]);
    yield* this.each([...readers], (party) => this.client.eventsOf(contractId, party));
  }

  private *active(
    _number: unknown,
    { of, template }: { of?: string; template?: string },
  ): Requests<void> {
    const parties = of === undefined ? this.parties : [of];
    if (parties.length === 0) throw new UnsupportedStep('the scenario has no party yet');
    const offset = this.client.lastOffset;
    if (offset === undefined) throw new UnsupportedStep('nothing has been submitted yet');
    yield* this.client.activeContracts(parties, template, offset);
  }

  private *ofParty(party: string, fields: Fields): Requests<void> {
    const {
      sees = [],
      doesNotSee = [],
      hostedOn,
      updates,
    } = fields as {
      readonly sees?: readonly string[];
      readonly doesNotSee?: readonly string[];
      readonly hostedOn?: object;
      readonly updates?: number;
    };
    yield* this.each([...sees, ...doesNotSee], (id) => this.client.eventsOf(id, party));
    if (hostedOn !== undefined) yield* call(OPERATIONS.party, { id: party });
    if (updates !== undefined) yield* this.client.updatesSince(this.begin, [party]);
    const balances = ['balance', 'holds', 'locked', 'holdings', 'amulet', 'lockedAmulet'];
    if (balances.some((each) => fields[each] !== undefined))
      throw new UnsupportedStep('a participant alone does not know the balances of tokens');
  }

  private *updates(): Requests<void> {
    if (this.parties.length === 0) throw new UnsupportedStep('the scenario has no party yet');
    yield* this.client.updatesSince(this.begin, this.parties);
  }

  /** The ledger end before the first step. */
  begin = 0;

  /** Sends a request for each item, and ignores errors: an error is an answer, too. */
  private *each(
    items: readonly string[],
    requestsFor: (item: string) => Requests<unknown>,
  ): Requests<void> {
    for (const item of items) {
      const requests = requestsFor(item);
      let next = requests.next();
      while (next.done !== true) {
        const answer = yield next.value;
        if (answer.status >= 400) break;
        next = requests.next(answer);
      }
    }
  }
}

function rightsIn(fields: Fields): ClientRight[] {
  const kinds = { actAs: 'CanActAs', readAs: 'CanReadAs', executeAs: 'CanExecuteAs' };
  return Object.entries(kinds).flatMap(([field, kind]) =>
    ((fields[field] ?? []) as readonly string[]).map((party) => ({ kind, party })),
  );
}
