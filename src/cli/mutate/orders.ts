/** The messages between the threads of `canticle mutate`. */
import type { MutatedDarOptions } from '../../assembly/mutating/mutated-dar.js';
import type { ScriptFacts, ScriptOrder } from '../../mutating/running/script-suite.js';
import type { Verdict } from '../../mutating/running/verdict.js';

export type WorkerSetting = MutatedDarOptions;

export type Order =
  | { readonly kind: 'facts'; readonly index: number }
  | { readonly kind: 'judge'; readonly number: number; readonly scripts: readonly ScriptOrder[] };

/** The answer to an order, in turn. */
export type Answer = ScriptFacts | Verdict;
