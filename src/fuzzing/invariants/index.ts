/** The invariants that users write, for their tests. */
export type { ActingView, FuzzAction } from './acting-view.js';
export { conserved, type Conserved } from './conserved.js';
export { damlInvariants, InvalidInvariant } from './daml-invariants.js';
export { invariant } from './invariant.js';
export {
  type FuzzedContract,
  type FuzzedExercise,
  type FuzzedLedger,
  type TriedExercise,
} from './read-view.js';
export { seenOnlyBy, type SeenOnlyBy } from './seen-only-by.js';
export { tokenStandard } from './token-standard.js';
