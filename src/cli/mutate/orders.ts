/** The messages between the threads of `canticle mutate`. */
import type { FuzzedDarOptions } from '../../assembly/mutating/fuzzed-dar.js';
import type { MutatedDarOptions } from '../../assembly/mutating/mutated-dar.js';
import type { FuzzFacts } from '../../mutating/running/fuzz-suite.js';
import type { ScriptFacts, ScriptOrder } from '../../mutating/running/script-suite.js';
import type { Verdict } from '../../mutating/running/verdict.js';

/** The DAR that a thread reads: with scripts, or for random sequences. */
export type WorkerSetting =
  | { readonly kind: 'scripts'; readonly options: MutatedDarOptions }
  | { readonly kind: 'fuzz'; readonly options: FuzzedDarOptions };

export type Order =
  /** Runs a script without a mutant. */
  | { readonly kind: 'script'; readonly index: number }
  | { readonly kind: 'judge'; readonly number: number; readonly scripts: readonly ScriptOrder[] }
  /** Runs the sequences without a mutant. */
  | { readonly kind: 'sequences' }
  | { readonly kind: 'fuzz'; readonly number: number; readonly original: OriginalRun };

/** The sequences without a mutant. */
export type OriginalRun = Pick<FuzzFacts, 'bugs' | 'steps'>;

/** The answer to an order, in turn. */
export type Answer = ScriptFacts | FuzzFacts | Verdict;
