/**
 * Arbitraries for fast-check: values of Daml types, commands, request bodies, ledger histories and faults.
 *
 * @module
 */
export type { Pools } from './arbitraries/daml-value.js';
export type { Source } from './arbitraries/source.js';
export {
  choiceArgument,
  createCommand,
  damlJson,
  damlValue,
  exerciseCommand,
  type CreateCommand,
  type ExerciseCommand,
} from './arbitraries/commands.js';
export { requestBody } from './arbitraries/request-body.js';
export { ledgerHistory, type HistoryOptions } from './arbitraries/history.js';
export {
  type HistoryRun,
  type HistoryStep,
  type LedgerHistory,
  type StepOutcome,
} from './arbitraries/history-run.js';
export { faultSchedules, type ScheduleOptions } from './survival/schedules.js';
export { survives, type ClientWorld, type SurvivalOptions } from './survival/survives.js';
export { SurvivalFailed, type Invariant, type SurvivalOutcome } from './survival/outcome.js';
export {
  everyCommandEnds,
  holdersSums,
  noGapNoDouble,
  oneEffectPerCommand,
  type CommandEnd,
  type Sums,
} from './survival/invariants.js';
