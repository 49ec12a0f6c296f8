/** The types of fuzzing that all entry points export. */
export type {
  FuzzedBug,
  FuzzedModelOptions,
  FuzzingFailed,
  FuzzInvariant,
  ReplayDamlOptions,
} from './fuzz-daml.js';
export type {
  ActingView,
  Conserved,
  FuzzAction,
  FuzzedContract,
  FuzzedExercise,
  FuzzedLedger,
  SeenOnlyBy,
  TriedExercise,
} from '../../fuzzing/invariants/index.js';
