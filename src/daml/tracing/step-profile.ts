/** Profiles the steps of a submission by function: it runs the code again and takes samples. */
import type { Sampling } from './run-traced.js';

/** The version of the profile format. It increases with incompatible changes. */
export const PROFILE_VERSION = 1;
/** The number of samples after which half of them are enough. */
const MAX_LOOKS = 4_000;
/** The maximum depth of distinguished calls. Deeper ones count for the last of these. */
const MAX_DEPTH = 200;

/** A function in the context of its callers. */
export interface ProfiledFunction {
  /** Its index in `functions`. */
  readonly id: number;
  /** The `id` of the calling function; absent if the ledger called it. */
  readonly parent?: number;
  /** The number of functions around it. */
  readonly depth: number;
  /** `Module:function`, or `Module:Template Choice` for a choice. */
  readonly name: string;
  /** Its steps, including all functions that it called. */
  readonly steps: number;
  /** Its own steps. */
  readonly own: number;
}

/** The steps of a submission by Daml function. */
export interface StepProfile {
  /** The version of the format. */
  readonly version: typeof PROFILE_VERSION;
  /** All steps: Daml calls, and equivalent amounts of work. */
  readonly steps: number;
  /** In pre-order. TypeScript code takes no steps. */
  readonly functions: readonly ProfiledFunction[];
}

interface Tree {
  own: number;
  readonly calls: Map<string, Tree>;
}

const tree = (): Tree => ({ own: 0, calls: new Map() });

/** Collects samples. */
export class StepSampling implements Sampling {
  private readonly root = tree();
  private looks = 0;
  /** Steps between two samples. */
  private interval = 0;
  private taken = 0;

  take(taken: number, functions: readonly string[]): number {
    this.add(taken, functions);
    this.looks += 1;
    if (this.looks % MAX_LOOKS === 0) this.interval = 2 * this.interval + 1;
    return this.interval;
  }

  private add(taken: number, functions: readonly string[]): void {
    let at = this.root;
    for (const name of functions.slice(0, MAX_DEPTH)) {
      let below = at.calls.get(name);
      if (below === undefined) {
        below = tree();
        at.calls.set(name, below);
      }
      at = below;
    }
    at.own += taken - this.taken;
    this.taken = taken;
  }

  /** The profile of all samples so far. */
  profile(): StepProfile {
    const functions: ProfiledFunction[] = [];
    const walk = ({ calls }: Tree, parent: number | undefined, depth: number): number => {
      let all = 0;
      for (const [name, below] of calls) {
        const id = functions.length;
        const own = Math.round(below.own);
        const place = { id, ...(parent !== undefined && { parent }), depth, name };
        functions.push({ ...place, steps: 0, own });
        const within = own + walk(below, id, depth + 1);
        functions[id] = { ...place, steps: within, own };
        all += within;
      }
      return all;
    };
    walk(this.root, undefined, 0);
    return { version: PROFILE_VERSION, steps: Math.round(this.taken), functions };
  }
}
