/** The messages of Canticle's controls. Times are ISO-8601 UTC with microseconds, as in the Ledger API. */
import type { JsonSchema, Schemas } from '../schema.js';
import { inspectionSchemas } from './inspection-schemas.js';
import { simulationSchemas } from './simulation-schemas.js';
import { walletSchemas } from './wallet-schemas.js';
import { traceSchemas } from './trace-schemas.js';

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer', format: 'int64' };
const flag: JsonSchema = { type: 'boolean' };
const time: JsonSchema = { type: 'string', format: 'date-time' };
const message = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const object = (
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

export const schemas: Schemas = {
  ...traceSchemas,
  ...simulationSchemas,
  ...inspectionSchemas,
  ...walletSchemas,
  Snapshot: object({ snapshotId: text }),
  Restored: object({ time }, { snapshotId: text }),
  Time: object({ time, mode: { type: 'string', enum: ['virtual', 'wall-clock'] } }),
  SetTimeRequest: object({ time }),
  /** Exactly one of both: an ISO-8601 duration such as PT10M, or microseconds. */
  AdvanceTimeRequest: object({}, { duration: text, micros: { ...integer, minimum: 0 } }),
  Automation: object({ off: flag, tasks: list(message('AutomationTask')) }),
  SetAutomationRequest: object({ off: flag }),
  /** `due` is the time of its next action, past or future; absent if it has none. */
  AutomationTask: object({ name: text, paused: flag }, { due: time }),
  AutomationRun: object({ name: text, paused: flag, ran: flag }, { due: time }),
  MigrationSchedule: object({ time, migrationId: integer }),
  MigrationState: object({ migrationId: integer }, { scheduled: message('MigrationSchedule') }),
  Migration: object({ migrationId: integer }),
  RewardRound: {
    oneOf: [
      message('RewardRoundOk'),
      message('RewardRoundUndetermined'),
      message('RewardRoundCannotProvide'),
    ],
    discriminator: {
      propertyName: 'status',
      mapping: {
        Ok: '#/components/schemas/RewardRoundOk',
        Undetermined: '#/components/schemas/RewardRoundUndetermined',
        CannotProvide: '#/components/schemas/RewardRoundCannotProvide',
      },
    },
  },
  RewardRoundOk: object(
    { status: { type: 'string', enum: ['Ok'] } },
    {
      appActivityWeight: integer,
      activePartiesCount: integer,
      activityRecordsCount: integer,
      appRewardThresholded: text,
      appRewardUnclaimed: text,
      mintingAllowances: list(message('MintingAllowance')),
      batchSize: { ...integer, minimum: 1 },
    },
  ),
  RewardRoundUndetermined: object({ status: { type: 'string', enum: ['Undetermined'] } }),
  RewardRoundCannotProvide: object({ status: { type: 'string', enum: ['CannotProvide'] } }),
  MintingAllowance: object({ provider: text, amount: text }),
  RequestJournal: object({ requests: list(message('JournalEntry')) }),
  JournalEntry: object(
    {
      id: integer,
      at: time,
      method: text,
      path: text,
      status: integer,
      validation: message('Validation'),
      outcome: message('Outcome'),
    },
    {
      api: message('ApiName'),
      operation: text,
      error: text,
      explanation: text,
      updateId: text,
      offset: integer,
      faults: list(message('AppliedFault')),
      deprecated: message('UpcomingChange'),
      externalCalls: list(message('ExternalCallOfRequest')),
      // With the journal's full detail only.
      durationMs: { type: 'number', format: 'double' },
      request: message('JournalMessage'),
      answer: message('JournalMessage'),
    },
  ),
  /** A call of an extension service, by a participant that submits or confirms; either `output` or `failure`. */
  ExternalCallOfRequest: object(
    {
      participant: text,
      mode: { type: 'string', enum: ['submission', 'validation'] },
      extension: text,
      function: text,
      config: text,
      input: text,
    },
    { output: text, failure: message('ExternalCallFailure') },
  ),
  ExternalCallFailure: object({ status: integer, message: text }),
  /** A part of the API that the next release disables or removes: `api` is such as `GET /v2/package-vetting`. */
  UpcomingChange: object({
    group: text,
    api: text,
    instead: text,
    effect: { type: 'string', enum: ['disables', 'removes'] },
    release: text,
  }),
  /** `on`: ids of operations, or '*'. The fault's kind is the name of its member in `do`, as in a scenario. */
  FaultRule: object(
    { on: message('FaultOperations'), do: { type: 'object', additionalProperties: true } },
    { when: message('FaultCondition'), optional: flag },
  ),
  /** `seen`: the number of calls it was checked for; `hits`: the number of times it applied. */
  Fault: object(
    {
      id: text,
      on: message('FaultOperations'),
      do: { type: 'object', additionalProperties: true },
      seen: integer,
      hits: integer,
    },
    { when: message('FaultCondition'), optional: flag },
  ),
  FaultOperations: { oneOf: [text, list(text)] },
  FaultCondition: object(
    {},
    {
      participant: text,
      host: text,
      commandId: text,
      party: text,
      template: text,
      choice: text,
      nth: { oneOf: [integer, list(integer)] },
      times: integer,
      probability: { type: 'number', format: 'double' },
    },
  ),
  Faults: object({ faults: list(message('Fault')), held: list(message('HeldCall')) }),
  HeldCall: object({ fault: text, operation: text }),
  /** The number of calls that continued. */
  Released: object({ released: integer }),
  /** The rule, and its effect. */
  AppliedFault: object({ id: text, fault: text }),
  /**
   * The message on the wire, with only the scheme of tokens. For rejected requests, the body is always stored, even
   * without full detail, but then without headers.
   */
  JournalMessage: object(
    { headers: { type: 'object', additionalProperties: text } },
    { body: text },
  ),
  ExplanationOfRequest: object({
    text,
    error: object({ code: text, cause: text }),
    submission: object({
      participant: text,
      commandId: text,
      actAs: list(text),
      readAs: list(text),
    }),
    actions: list(message('ExplainedAction')),
    stack: list(message('SourcePlace')),
    reasons: list(text),
  }),
  ExplainedAction: object(
    {
      kind: { type: 'string', enum: ['create', 'exercise', 'fetch', 'lookup'] },
      definition: text,
      outcome: { type: 'string', enum: ['done', 'failed', 'rolledBack', 'notReached'] },
      given: list(text),
      traces: list(text),
      actions: list(message('ExplainedAction')),
    },
    {
      template: text,
      contractId: text,
      choice: text,
      consuming: flag,
      key: {},
      argument: {},
      at: message('SourcePlace'),
      culprit: flag,
      required: list(text),
    },
  ),
  /** For Daml a module, for TypeScript a file. */
  SourcePlace: object({ line: integer, column: integer }, { module: text, file: text }),
  /** `inFlight`: the number of submissions that wait for sequencing. */
  SynchronizerState: object({ alias: text, id: text, paused: flag, inFlight: integer }),
  /**
   * `upTo`: the last offset to prune; by default, all but the last update. `forgetHistory`: frees the memory as
   * well, permanently. Snapshots until then, and the start, cannot be restored.
   */
  ConnectionRequest: object({}, { synchronizer: text }),
  ParticipantState: object({ participant: text, connected: list(text), ledgerEnd: integer }),
  PruneRequest: object({}, { upTo: integer, forgetHistory: flag }),
  Pruned: object({ participant: text, prunedUpTo: integer, ledgerEnd: integer }),
  CoverageState: object({ counting: flag }),
  SqlQuery: object({ sql: text }, { params: list({}), database: text }),
  /** The values of each row, in the order of the columns. */
  SqlAnswer: object({ columns: list(text), rows: list(list({})), rowCount: integer }),
  Coverage: object({
    totals: message('CoverageTotals'),
    packages: list(message('PackageCoverage')),
  }),
  /** The number of items, and the number used at least once. */
  CoverageTotals: object({
    templates: integer,
    created: integer,
    choices: integer,
    exercised: integer,
  }),
  PackageCoverage: object({
    id: text,
    name: text,
    version: text,
    templates: list(message('TemplateCoverage')),
  }),
  TemplateCoverage: object({ name: text, created: integer, choices: list(message('ChoiceCount')) }),
  ChoiceCount: object({ name: text, exercised: integer }, { interface: text }),
  ApiName: {
    type: 'string',
    enum: [
      'ledger',
      'admin',
      'scan',
      'registry',
      'validator',
      'wallet',
      'names',
      'sv',
      'gateway',
      'control',
    ],
  },
  Validation: object({ ok: flag }, { path: text, reason: text }),
  Outcome: { type: 'string', enum: ['answered', 'refused', 'unmatched', 'failed'] },
  Cleared: object({ cleared: integer }),
  ControlError: object({ error: text }, { path: text }),
};
