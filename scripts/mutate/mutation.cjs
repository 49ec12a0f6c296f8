/**
 * The shared state of the worker, jest's transformer and its environment, which one process loads in different
 * ways.
 */
const KEY = Symbol.for('canticle.mutation');

/**
 * - `mutant`: the active mutant.
 * - `marked`: the files whose functions report when they are reached.
 * - `switched`: the id of the first mutant, for each file that contains all its mutants.
 * - `many`: the mutants that run one after the other.
 */
globalThis[KEY] ??= {
  now: {},
  /** By suite: `file\0place` of the functions that it reached. */
  reached: new Map(),
  /** By suite: milliseconds that its tests took. */
  took: new Map(),
  /** Title of the first test that failed, and its suite. */
  failure: undefined,
  failedIn: undefined,
  /** Reports the results of many mutants, one by one. */
  notify: undefined,
};

module.exports = globalThis[KEY];
