/** Where the steps of a submission go, function by function: its code is run again and looked at every so many steps. */
import type { Sampling } from './run-traced.js';

/** Of the form of profiles: it grows when something that was there means something else. */
export const PROFILE_VERSION = 1;
/** So many looks, and half of them are enough from then on. */
const MAX_LOOKS = 4_000;
/** Calls that are told apart, one within the other; what is deeper counts for the last of them. */
const MAX_DEPTH = 200;

/** A function as it was called from where it was called. */
export interface ProfiledFunction {
  /** Its place in `functions`. */
  readonly id: number;
  /** The `id` of the function that called it; absent where the ledger did. */
  readonly parent?: number;
  /** How many are around it. */
  readonly depth: number;
  /** `Module:function`, or `Module:Template Choice` for code of a choice. */
  readonly name: string;
  /** Steps that it took with all that it called. */
  readonly steps: number;
  /** Steps of its own. */
  readonly own: number;
}

/** The steps of a submission by the functions of Daml that took them. */
export interface StepProfile {
  /** Of this form. */
  readonly version: typeof PROFILE_VERSION;
  /** All of them: calls of Daml, and work that counts as so many. */
  readonly steps: number;
  /** In pre-order. Code of TypeScript takes no steps. */
  readonly functions: readonly ProfiledFunction[];
}

interface Tree {
  own: number;
  readonly calls: Map<string, Tree>;
}

const tree = (): Tree => ({ own: 0, calls: new Map() });

/** Adds up looks. */
export class StepSampling implements Sampling {
  private readonly root = tree();
  private looks = 0;
  /** Steps between two looks. */
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

  /** Of all so far. */
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
