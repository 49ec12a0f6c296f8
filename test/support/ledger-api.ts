/** The JSON Ledger API for tests: short requests, and answers that fail the test if they are unexpected. */
import type { StartOptions } from 'canticle';
import { modelPackage } from './daml/model-package.js';
import { startClient, type Answer, type TestClient } from './client.js';

type Json = Record<string, unknown>;

/** The answers of the API. The client checks them against their schema; tests check the rest. */

export type JsonAnswer = any;

export interface Submit {
  readonly actAs: string | readonly string[];
  readonly [member: string]: unknown;
}

export const create = (templateId: string, createArguments: unknown) => ({
  CreateCommand: { templateId, createArguments },
});
export const exercise = (
  templateId: string,
  contractId: string,
  choice: string,
  choiceArgument: unknown = {},
) => ({ ExerciseCommand: { templateId, contractId, choice, choiceArgument } });
export const createAndExercise = (
  templateId: string,
  createArguments: unknown,
  choice: string,
  choiceArgument: unknown = {},
) => ({ CreateAndExerciseCommand: { templateId, createArguments, choice, choiceArgument } });

export const wildcard = (blob = false) => ({
  identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: blob } } },
});
export const byTemplate = (templateId: string, blob = false) => ({
  identifierFilter: { TemplateFilter: { value: { templateId, includeCreatedEventBlob: blob } } },
});
export const byInterface = (
  interfaceId: string,
  flags: { view?: boolean; blob?: boolean } = {},
) => ({
  identifierFilter: {
    InterfaceFilter: {
      value: {
        interfaceId,
        includeInterfaceView: flags.view ?? false,
        includeCreatedEventBlob: flags.blob ?? false,
      },
    },
  },
});

/** For these parties, with the same filters; for any party if the list is empty. */
export function eventFormat(parties: readonly string[], ...cumulative: unknown[]): Json {
  if (parties.length === 0) return { filtersForAnyParty: { cumulative }, verbose: true };
  const filtersByParty = Object.fromEntries(parties.map((party) => [party, { cumulative }]));
  return { filtersByParty, verbose: true };
}

export type Shape = 'ACS_DELTA' | 'LEDGER_EFFECTS';

export const transactionFormat = (shape: Shape, format: Json) => ({
  eventFormat: format,
  transactionShape: `TRANSACTION_SHAPE_${shape}`,
});

/** Transactions of the shape and reassignments, by one event format. */
export const updateFormat = (shape: Shape, format: Json) => ({
  includeTransactions: transactionFormat(shape, format),
  includeReassignments: format,
});

let commands = 0;

export class LedgerApi {
  constructor(readonly client: TestClient) {}

  get canticle() {
    return this.client.canticle;
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.client.ledger('POST', path, body);
  }

  async ok(path: string, body?: unknown): Promise<JsonAnswer> {
    const answer = await this.post(path, body);
    if (answer.status !== 200)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** The error code of the answer, or the text if the body was unreadable. */
  async refusal(path: string, body?: unknown): Promise<string> {
    const { status, body: answer } = await this.post(path, body);
    if (status === 200) return 'accepted';
    return typeof answer === 'string' ? 'plain text' : answer.code;
  }

  /** JsCommands with defaults. */
  commands(submitted: unknown, { actAs, ...more }: Submit): Json {
    return {
      commands: Array.isArray(submitted) ? submitted : [submitted],
      commandId: `command-${++commands}`,
      userId: 'tester',
      actAs: typeof actAs === 'string' ? [actAs] : actAs,
      ...more,
    };
  }

  submit(
    submitted: unknown,
    options: Submit,
  ): Promise<{ updateId: string; completionOffset: number }> {
    return this.ok('/v2/commands/submit-and-wait', this.commands(submitted, options));
  }

  submitRefusal(submitted: unknown, options: Submit): Promise<string> {
    return this.refusal('/v2/commands/submit-and-wait', this.commands(submitted, options));
  }

  /** The transaction, in the default format if there is no other. */
  async transact(submitted: unknown, options: Submit, format?: unknown) {
    const body = { commands: this.commands(submitted, options), transactionFormat: format };
    return (await this.ok('/v2/commands/submit-and-wait-for-transaction', body)).transaction;
  }

  /** Creates one contract. @returns its id */
  async create(templateId: string, payload: unknown, options: Submit): Promise<string> {
    const { actAs } = options;
    const parties = typeof actAs === 'string' ? [actAs] : actAs;
    const format = transactionFormat('LEDGER_EFFECTS', eventFormat(parties));
    const { events } = await this.transact(create(templateId, payload), options, format);
    return events[0].CreatedEvent.contractId as string;
  }

  async ledgerEnd(): Promise<number> {
    return (await this.client.ledger('GET', '/v2/state/ledger-end')).body.offset as number;
  }

  /** Contract entries, by default those that are active at the ledger end. */
  async acs(format: Json, more: Json = {}) {
    const activeAtOffset = more.activeAtOffset ?? (await this.ledgerEnd());
    return this.ok('/v2/state/active-contracts', { eventFormat: format, activeAtOffset, ...more });
  }

  /** Created events of the active contracts for the format. */
  async active(format: Json, more: Json = {}) {
    const entries = await this.acs(format, more);
    return entries
      .map(({ contractEntry }: JsonAnswer) => contractEntry.JsActiveContract?.createdEvent)
      .filter((event: unknown) => event !== undefined);
  }

  /** Updates after `beginExclusive` up to the ledger end. */
  async updates(format: unknown, range: Json = {}) {
    const endInclusive = await this.ledgerEnd();
    const body = { beginExclusive: 0, endInclusive, updateFormat: format, ...range };
    return (await this.ok('/v2/updates', body)).map(({ update }: JsonAnswer) => update);
  }

  async parties<const N extends readonly string[]>(
    ...hints: N
  ): Promise<{ [K in keyof N]: string }> {
    const allocated: string[] = [];
    for (const partyIdHint of hints)
      allocated.push((await this.ok('/v2/parties', { partyIdHint })).partyDetails.party);
    return allocated as { [K in keyof N]: string };
  }
}

/** The options of `startLedgerApi`. */
export const ledgerApiOptions = (options: StartOptions = {}): StartOptions => ({
  seed: 1,
  // Checkpoints arrive when the machine is slow, and count as elements: only tests of checkpoints enable them.
  checkpoints: { first: 1_000_000 },
  ...options,
  packages: [modelPackage, ...(options.packages ?? [])],
});

/** A Canticle with the test package. Close its client after the test. */
export async function startLedgerApi(options: StartOptions = {}): Promise<LedgerApi> {
  return new LedgerApi(await startClient(ledgerApiOptions(options)));
}
