/** The same commands against a Canticle, as clients send them: the Ledger APIs of two participants and the token's registry. */
import { createCanticle, LedgerError, type Canticle } from 'canticle';
import {
  eventFormat,
  exercise,
  create,
  transactionFormat,
  wildcard,
  type JsonAnswer,
} from '../support/ledger-api.js';
import { IOU } from '../support/ledger.js';
import type { Command } from './commands.js';
import type { IouChoice } from './model/iou.js';
import type { Submission } from './model/ledger.js';
import { RULES } from './model/token.js';
import {
  ADMIN,
  EVERYONE,
  EXCLUSIVITY,
  homeOf,
  HOSTS,
  SYNCHRONIZERS,
  synchronizersOf,
  type Alias,
  type Host,
} from './model/world.js';

const TOKEN_RULES = '#canticle-test-token:Canticle.TestToken:TokenRules';
const TRANSFERS =
  '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';
const REGISTRY = '/registry/transfer-instruction/v1';
const NO_CONTRACT = `00${'00'.repeat(32)}ca121220${'00'.repeat(32)}`;
const NO_REASSIGNMENT = `001220${'00'.repeat(32)}`;
const NO_METADATA = { values: {} };
export const USER = 'tester';

export interface Outcome {
  readonly code: string;
  /** Ids of what was created, in order. */
  readonly created: readonly string[];
}

interface Context {
  readonly choiceContextData: unknown;
  readonly disclosedContracts: readonly unknown[];
}

class Refused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

const textOf = (quarters: number): string => String(quarters / 4);

export class RealLedger {
  canticle: Canticle = createCanticle({
    seed: 5,
    participants: HOSTS.map((name) => ({ name })),
    synchronizers: [
      { alias: 'global', identifier: 'global-domain' },
      { alias: 'app', assignmentExclusivityTimeout: EXCLUSIVITY.app },
    ],
  });
  /** Ids by the model's numbers. */
  readonly contracts: string[] = [];
  readonly reassignments: string[] = [];
  private readonly snapshots: string[] = [];
  private readonly ids: ReadonlyMap<string, string>;
  private readonly names: ReadonlyMap<string, string>;

  constructor() {
    const { token } = this.canticle;
    this.contracts[RULES] = token.rules;
    const allocate = (name: string): string =>
      this.host(homeOf(name)).allocateParty(name, { synchronizers: synchronizersOf(name) });
    this.ids = new Map(
      EVERYONE.map((name) => [name, name === ADMIN ? token.admin : allocate(name)]),
    );
    this.names = new Map([...this.ids].map(([name, id]) => [id, name]));
  }

  host(name: Host) {
    return this.canticle.participants[HOSTS.indexOf(name)]!;
  }
  party = (name: string): string => this.ids.get(name)!;
  nameOf = (party: string): string => this.names.get(party) ?? party;
  aliasOf = (synchronizerId: string): string =>
    this.canticle.network.synchronizer(synchronizerId)!.alias;
  contract = (name: number): string => this.contracts[name] ?? NO_CONTRACT;

  async request(path: string, body?: unknown): Promise<JsonAnswer> {
    const answer = await this.canticle.handle({ path, body });
    const json = answer.json() as JsonAnswer;
    if (answer.status === 200) return json;
    throw new Refused(json.code ?? `REGISTRY ${answer.status}`);
  }

  on(host: Host, path: string, body?: unknown): Promise<JsonAnswer> {
    return this.request(`/participants/${host}${path}`, body);
  }

  async perform(command: Command): Promise<Outcome> {
    try {
      return { code: 'accepted', created: (await this.take(command)) ?? [] };
    } catch (error) {
      if (error instanceof Refused || error instanceof LedgerError)
        return { code: error.code, created: [] };
      throw error;
    }
  }

  private async take(command: Command): Promise<readonly string[] | void> {
    const { canticle } = this;
    switch (command.kind) {
      case 'issue': {
        const { issuer, owner, observers, amount } = command.iou;
        const parties = {
          issuer: this.party(issuer),
          owner: this.party(owner),
          observers: observers.map(this.party),
        };
        return this.submit(
          command.submission,
          create(IOU, { ...parties, currency: 'EUR', amount: textOf(amount) }),
        );
      }
      case 'exerciseIou': {
        const { contract, does, submission } = command;
        return this.submit(
          submission,
          exercise(IOU, this.contract(contract), does.choice, this.argumentOf(does)),
        );
      }
      case 'mint': {
        const receiver = this.party(command.owner);
        const amount = textOf(command.amount);
        const argument = {
          instrumentId: 'TestToken',
          receiver,
          amount,
          lock: null,
          meta: NO_METADATA,
        };
        return this.submit(
          command.submission,
          exercise(TOKEN_RULES, this.contract(RULES), 'TokenRules_Mint', argument),
        );
      }
      case 'transfer':
        return this.transfer(command);
      case 'endOffer':
        return this.endOffer(command);
      case 'unassign': {
        const value = { contractId: this.contract(command.contract), ...this.route(command) };
        await this.move(command.submission, { UnassignCommand: { value } });
        return;
      }
      case 'assign': {
        const reassignmentId = this.reassignments[command.move] ?? NO_REASSIGNMENT;
        await this.move(command.submission, {
          AssignCommand: { value: { reassignmentId, ...this.route(command) } },
        });
        return;
      }
      case 'advance':
        return canticle.advanceTime(command.microseconds);
      case 'snapshot':
        this.snapshots.push(canticle.snapshot());
        return;
      case 'revert':
        canticle.revert(this.snapshots[command.snapshot] ?? 'never taken');
        this.snapshots.length = command.snapshot + 1;
        return;
      case 'schedule':
        return canticle.scheduleMigration({
          time: timeText(command.time),
          migrationId: command.migration,
        });
      case 'migrate':
        return canticle.carryOutMigration();
    }
  }

  private argumentOf(does: IouChoice): object {
    switch (does.choice) {
      case 'Iou_Split':
        return { splitAmount: textOf(does.amount) };
      case 'Iou_Transfer':
        return { newOwner: this.party(does.party) };
      case 'Iou_AddObserver':
        return { newObserver: this.party(does.party) };
      case 'Archive':
        return {};
    }
  }

  private async transfer({
    wish,
    submission,
  }: Extract<Command, { kind: 'transfer' }>): Promise<readonly string[]> {
    const transfer = {
      sender: this.party(wish.sender),
      receiver: this.party(wish.receiver),
      amount: textOf(wish.amount),
      instrumentId: { admin: this.party(ADMIN), id: 'TestToken' },
      requestedAt: this.canticle.time,
      executeBefore: timeText(wish.executeBefore),
      inputHoldingCids: wish.inputs.map(this.contract),
      meta: NO_METADATA,
    };
    const terms = { expectedAdmin: this.party(ADMIN), transfer };
    const choiceArguments = { ...terms, extraArgs: { context: NO_METADATA, meta: NO_METADATA } };
    const { factoryId, choiceContext } = await this.request(`${REGISTRY}/transfer-factory`, {
      choiceArguments,
    });
    const extraArgs = { context: choiceContext.choiceContextData, meta: NO_METADATA };
    const argument = { ...terms, extraArgs };
    const command = exercise(
      `${TRANSFERS}:TransferFactory`,
      factoryId,
      'TransferFactory_Transfer',
      argument,
    );
    return this.submit(submission, command, choiceContext);
  }

  private async endOffer(
    command: Extract<Command, { kind: 'endOffer' }>,
  ): Promise<readonly string[]> {
    const { step, submission } = command;
    const offer = this.contract(command.contract);
    const context: Context = await this.request(`${REGISTRY}/${offer}/choice-contexts/${step}`, {});
    const choice = `TransferInstruction_${step[0]!.toUpperCase()}${step.slice(1)}`;
    const argument = { extraArgs: { context: context.choiceContextData, meta: NO_METADATA } };
    return this.submit(
      submission,
      exercise(`${TRANSFERS}:TransferInstruction`, offer, choice, argument),
      context,
    );
  }

  private async submit(
    submission: Submission,
    command: object,
    context?: Context,
  ): Promise<readonly string[]> {
    const { at, on, deduplication } = submission;
    const actAs = submission.actAs.map(this.party);
    const commands = {
      commands: [command],
      commandId: submission.commandId,
      userId: USER,
      actAs,
      synchronizerId: on && this.synchronizer(on),
      deduplicationPeriod: deduplication && {
        DeduplicationDuration: { value: { seconds: deduplication / 1_000_000, nanos: 0 } },
      },
      disclosedContracts: context?.disclosedContracts,
    };
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat(actAs, wildcard()));
    const { transaction } = await this.on(at, '/v2/commands/submit-and-wait-for-transaction', {
      commands,
      transactionFormat: format,
    });
    return transaction.events.flatMap(({ CreatedEvent }: JsonAnswer) =>
      CreatedEvent ? [CreatedEvent.contractId] : [],
    );
  }

  private async move(
    { at, actAs: [mover], commandId }: Submission,
    command: object,
  ): Promise<void> {
    const submitter = this.party(mover!);
    const reassignmentCommands = { submitter, userId: USER, commandId, commands: [{ command }] };
    const { reassignment } = await this.on(at, '/v2/commands/submit-and-wait-for-reassignment', {
      reassignmentCommands,
      eventFormat: eventFormat([submitter], wildcard()),
    });
    this.latestReassignment = reassignment.events[0].JsUnassignedEvent?.value.reassignmentId;
  }

  /** Of the last unassignment. */
  latestReassignment: string | undefined;

  private route({ from, to }: { readonly from: Alias; readonly to: Alias }) {
    return { source: this.synchronizer(from), target: this.synchronizer(to) };
  }

  private synchronizer(alias: Alias): string {
    return this.canticle.network.synchronizers[SYNCHRONIZERS.indexOf(alias)]!.id;
  }
}

/** RFC 3339 with microseconds. */
export function timeText(microseconds: bigint): string {
  const whole = new Date(Number(microseconds / 1000n)).toISOString().slice(0, -1);
  return `${whole}${String(microseconds % 1000n).padStart(3, '0')}Z`;
}
