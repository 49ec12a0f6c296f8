/** Arbitraries for fast-check: values of Daml types, commands, request bodies, and whole histories of a ledger. */
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
