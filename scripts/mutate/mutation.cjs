/** What the worker, jest's transform and its environment share: they are loaded by different ways into one process. */
const KEY = Symbol.for('canticle.mutation');

/**
 * `mutant`: the one that runs. `marked`: files whose functions tell that they are reached. `switched`: by file the id of its first
 * mutant, where all are switched by it; `many`: which of them run, one after the other.
 */
globalThis[KEY] ??= {
  now: {},
  /** By suite: `file\0place` of the functions that it reached. */
  reached: new Map(),
  /** By suite: milliseconds that its tests took. */
  took: new Map(),
  /** Title of the first test that failed, and the suite that it is of. */
  failure: undefined,
  failedIn: undefined,
  /** Tells what many mutants came to, as it is known. */
  tell: undefined,
};

module.exports = globalThis[KEY];
