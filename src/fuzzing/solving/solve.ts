/**
 * Reaches branches that random inputs never take. It learns how the comparisons before a branch depend on the numbers
 * in the steps. A solver then finds numbers that keep all earlier comparisons and change the last one.
 */
import type { Branch, Comparison, Probes } from '../../daml/lf/probing/probes.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import type { Step } from '../model/step.js';
import { Leaves } from '../values/leaves.js';
import type { Condition, Operator, Solver, Unknown } from './conditions.js';
import { coefficientsOf, type Row } from './fit.js';
import {
  boundsOf,
  deltaOf,
  formOf,
  Observer,
  unitsOf,
  valueOf,
  type Leaf,
  type Seen,
  type Slope,
} from './observed.js';

/** The most sequences that are tried for one branch. */
const MAX_SEQUENCES = 4;
/** The most comparisons before the branch whose outcome the solver keeps, the last ones first. */
const MAX_CONDITIONS = 60;

/** The most numbers of equations that change together. */
const MAX_FREE = 8;

/** The most sequences that are run to find those near a branch. */
const MAX_KNOWN = 20_000;
/** The most sequences whose numbers are changed for one branch. */
const MAX_TRIES = 8;
/** The distance within which numbers are searched first. */
const NEAR = 1_000_000n;

export interface SolvedBranch {
  readonly branch: Branch;
  /** The steps that reach it. */
  readonly steps: readonly Step[];
}

/** A comparison whose other outcome leads to a branch that never ran. */
interface Target {
  readonly comparison: Comparison;
  /** The outcome that leads to the branch; undefined for the other outcome than the last one. */
  readonly holds: boolean | undefined;
}

/** A sequence up to each of its steps, the shortest first. */
export const prefixesOf = (steps: readonly Step[]): readonly (readonly Step[])[] =>
  steps.map((_, place) => steps.slice(0, place + 1));

/** Steps, and the comparisons of the last one. */
interface Known {
  readonly steps: readonly Step[];
  readonly seen: readonly Seen[];
}

export class Solving {
  private readonly observer: Observer;

  constructor(
    ledger: FuzzLedger,
    private readonly probes: Probes,
    private readonly solver: Solver,
  ) {
    this.observer = new Observer(ledger, probes, new Leaves(ledger.packages));
  }

  /**
   * @param sequences steps from the start state, whose last step is near the branches
   * @returns the branches that were reached, in their order
   */
  async solve(sequences: readonly (readonly Step[])[]): Promise<readonly SolvedBranch[]> {
    const solved: SolvedBranch[] = [];
    const known = this.known(sequences);
    for (const [branch, targets] of this.targets()) {
      const steps = await this.stepsTo(branch, targets, known);
      if (steps !== undefined) solved.push({ branch, steps });
    }
    return solved;
  }

  /** For each comparison, a few sequences whose last step makes it. */
  private known(sequences: readonly (readonly Step[])[]): readonly Known[] {
    const counts = new Map<number, number>();
    const known: Known[] = [];
    for (const steps of sequences.slice(0, MAX_KNOWN)) {
      const seen = this.observer.comparisons(steps);
      const numbers = new Set(seen.map(({ number }) => number));
      const rare = [...numbers].filter((number) => (counts.get(number) ?? 0) < MAX_SEQUENCES);
      if (rare.length === 0) continue;
      for (const number of rare) counts.set(number, (counts.get(number) ?? 0) + 1);
      known.push({ steps, seen });
    }
    return known;
  }

  /** Steps that reach the branch. Steps that change only a part of its condition are tried further. */
  private async stepsTo(
    branch: Branch,
    targets: readonly Target[],
    known: readonly Known[],
  ): Promise<readonly Step[] | undefined> {
    const numbers = targets.map(({ comparison }) => comparison.number);
    const near = known.filter(({ seen }) => seen.some(({ number }) => numbers.includes(number)));
    const queue = near.slice(0, MAX_SEQUENCES);
    for (let tries = 0; tries < MAX_TRIES && queue.length > 0; tries++) {
      const from = queue.shift()!;
      for (const target of targets) {
        if (this.probes.runs[branch.number]! > 0) return undefined;
        const steps = await this.changed(from, target);
        if (steps === undefined) continue;
        const seen = this.observer.comparisons(steps);
        if (this.probes.runs[branch.number]! > 0) return steps;
        queue.push({ steps, seen });
      }
    }
    return undefined;
  }

  /** The comparisons that decide about branches that never ran. */
  private targets(): ReadonlyMap<Branch, readonly Target[]> {
    const { branches, comparisons, runs } = this.probes;
    const found = new Map<Branch, readonly Target[]>();
    for (const branch of branches) {
      if (runs[branch.number]! > 0) continue;
      const isBeside = (other: Branch | Comparison): boolean =>
        other.packageId === branch.packageId &&
        other.definition.module === branch.definition.module &&
        other.definition.name === branch.definition.name;
      const { condition } = branch;
      const values = branches
        .filter((each) => each.condition === condition && isBeside(each))
        .map(({ when }) => when);
      const outcome = outcomeOf(branch.when, values);
      if (outcome === undefined) continue;
      const parts = comparisons.filter((each) => condition.includes(each.text) && isBeside(each));
      const targets = parts.map((comparison): Target => {
        // A part of a condition changes its outcome.
        return { comparison, holds: comparison.text === condition ? outcome : undefined };
      });
      if (targets.length > 0) found.set(branch, targets);
    }
    return found;
  }

  /** Steps with other numbers, for another outcome of the comparison; undefined if none were found. */
  private async changed(
    { steps, seen }: Known,
    { comparison, holds: wanted }: Target,
  ): Promise<readonly Step[] | undefined> {
    const place = seen.findIndex(({ number }) => number === comparison.number);
    if (place < 0) return undefined;
    const holds = wanted ?? !holdsOf(comparison.operator, seen[place]!);
    const leaves = this.observer.leavesOf(steps);
    const texts = this.textOf(steps, leaves, seen, place, holds);
    const values = texts ?? (await this.numbers(steps, leaves, seen.slice(0, place + 1), holds));
    return values && this.observer.with(steps, values);
  }

  /** For the equality of a text in the steps with another text. */
  private textOf(
    steps: readonly Step[],
    leaves: readonly Leaf[],
    seen: readonly Seen[],
    place: number,
    holds: boolean,
  ): ReadonlyMap<number, string> | undefined {
    const { number, left, right } = seen[place]!;
    if (typeof left !== 'string' || typeof right !== 'string' || !holds) return undefined;
    if (this.probes.comparisons[number]?.operator !== 'EQUAL') return undefined;
    for (const { index, type, value } of leaves) {
      if (type.kind !== 'text') continue;
      for (const [own, other] of [
        [left, right],
        [right, left],
      ] as const) {
        if (value !== own) continue;
        const values = new Map([[index, other]]);
        const after = this.observer.comparisons(this.observer.with(steps, values))[place];
        if (after?.number === number && after.left === after.right) return values;
      }
    }
    return undefined;
  }

  /** @param path the comparisons up to the one to change */
  private async numbers(
    steps: readonly Step[],
    all: readonly Leaf[],
    path: readonly Seen[],
    holds: boolean,
  ): Promise<ReadonlyMap<number, ReturnType<typeof valueOf>> | undefined> {
    const leaves = all.filter((leaf) => unitsOf(leaf) !== undefined);
    const at = leaves.map((leaf) => unitsOf(leaf)!);
    const slopes = this.slopes(steps, leaves, path);
    const conditionOf = (
      { number, left, right }: Seen,
      { left: ofLeft, right: ofRight }: Slopes,
    ) => {
      const isConstant = ofLeft.length + ofRight.length === 0;
      if (isConstant || typeof left === 'string' || typeof right === 'string') return [];
      const { operator } = this.probes.comparisons[number]!;
      const [one, other] = [formOf(left, ofLeft, at), formOf(right, ofRight, at)];
      return [{ operator, left: one, right: other, holds: compare(operator, left, right) }];
    };
    const kept = path
      .slice(0, -1)
      .flatMap((seen, place) => conditionOf(seen, slopes[place]!))
      .slice(-MAX_CONDITIONS);
    const last = path.at(-1)!;
    let bounds = leaves.map(boundsOf);
    let [wanted] = conditionOf(last, slopes.at(-1)!);
    if (wanted === undefined) {
      const joint = await this.jointSlopes({ steps, leaves, at, path, kept });
      if (joint === undefined) return undefined;
      [wanted] = conditionOf(last, joint.slopes);
      // The slopes hold only while all other numbers stay.
      bounds = bounds.map((bound, place) =>
        joint.free.includes(place) ? bound : { least: at[place]!, most: at[place]! },
      );
    }
    if (wanted === undefined) return undefined;
    const conditions = [...kept, { ...wanted, holds }];
    const near = bounds.map((bound, place) => nearBy(bound, at[place]!));
    // Numbers near the known ones pass checks that were not learned.
    const found =
      (await this.solver.solve(near, conditions)) ?? (await this.solver.solve(bounds, conditions));
    return (
      found &&
      new Map(leaves.map((leaf, place) => [leaf.index, valueOf(leaf, found[place]!)] as const))
    );
  }

  /** How the operands on the path change with one leaf; undefined where it is not linear, or the path ends before. */
  private changesWith(
    steps: readonly Step[],
    leaf: Leaf,
    delta: bigint,
    path: readonly Seen[],
  ): readonly { readonly left: bigint | undefined; readonly right: bigint | undefined }[] {
    const units = unitsOf(leaf)!;
    const { least, most } = boundsOf(leaf);
    const end = units + 2n * delta;
    const isBeyond = end < least || end > most;
    const [once, twice] = [1n, 2n].map((times) => {
      if (isBeyond) return [];
      const values = new Map([[leaf.index, valueOf(leaf, units + times * delta)]]);
      return this.observer.comparisons(this.observer.with(steps, values));
    }) as [readonly Seen[], readonly Seen[]];
    return path.map((seen, at) => {
      const changeOf = (side: 'left' | 'right') => {
        const change = difference(seen, once[at], side);
        const double = difference(seen, twice[at], side);
        return change !== undefined && double === 2n * change ? change : undefined;
      };
      return { left: changeOf('left'), right: changeOf('right') };
    });
  }

  /**
   * The change of a comparison behind equations: the solver finds more points at which they hold, and the operands there
   * show how they change with the numbers in the equations.
   */
  private async jointSlopes(
    joint: Joint,
  ): Promise<{ readonly slopes: Slopes; readonly free: readonly number[] } | undefined> {
    const { leaves, at, kept } = joint;
    const terms = kept.flatMap(({ operator, holds, left, right }) =>
      operator === 'EQUAL' && holds ? [...left.terms.keys(), ...right.terms.keys()] : [],
    );
    const free = [...new Set(terms)].slice(0, MAX_FREE);
    const points: (readonly bigint[])[] = [];
    for (let number = 0; number < 2 * free.length; number++) {
      const forced = free[number % free.length]!;
      const unknowns = at.map((value, place) => {
        if (!free.includes(place)) return { least: value, most: value };
        const { least, most } = nearBy(boundsOf(leaves[place]!), value);
        const next = value + 1n + BigInt(number);
        return place === forced && next <= most ? { least: next, most } : { least, most };
      });
      const point = await this.solver.solve(unknowns, kept);
      if (point !== undefined) points.push(point);
    }
    const slopes = this.slopesAt(joint, free, points);
    return slopes && { slopes, free };
  }

  private slopesAt(
    { steps, leaves, at, path }: Joint,
    free: readonly number[],
    points: readonly (readonly bigint[])[],
  ): Slopes | undefined {
    const place = path.length - 1;
    const seen = path[place]!;
    const rows = { left: [] as Row[], right: [] as Row[] };
    for (const point of points) {
      const values = leaves.map(
        (leaf, index) => [leaf.index, valueOf(leaf, point[index]!)] as const,
      );
      const after = this.observer.comparisons(this.observer.with(steps, new Map(values)))[place];
      const deltas = free.map((leaf) => point[leaf]! - at[leaf]!);
      for (const side of ['left', 'right'] as const) {
        const change = difference(seen, after, side);
        if (change !== undefined) rows[side].push({ deltas, change });
      }
    }
    const slopeOf = (side: 'left' | 'right'): readonly Slope[] =>
      (coefficientsOf(rows[side]) ?? []).flatMap(({ over, under }, index) =>
        over === 0n ? [] : [{ leaf: free[index]!, change: over, delta: under }],
      );
    const slopes = { left: slopeOf('left'), right: slopeOf('right') };
    return slopes.left.length + slopes.right.length === 0 ? undefined : slopes;
  }

  /** How the operands on the path change with each leaf. A leaf with another effect than a linear one counts as constant. */
  private slopes(
    steps: readonly Step[],
    leaves: readonly Leaf[],
    path: readonly Seen[],
  ): readonly Slopes[] {
    const slopes = path.map(() => ({ left: [] as Slope[], right: [] as Slope[] }));
    leaves.forEach((leaf, place) => {
      const delta = deltaOf(leaf);
      const below = this.changesWith(steps, leaf, -delta, path);
      this.changesWith(steps, leaf, delta, path).forEach((above, at) => {
        for (const side of ['left', 'right'] as const) {
          // One direction can end before the comparison.
          const down = below[at]![side];
          const change = above[side] ?? (down === undefined ? undefined : -down);
          if (change !== undefined && change !== 0n)
            slopes[at]![side].push({ leaf: place, change, delta });
        }
      });
    });
    return slopes;
  }
}

/**
 * The outcome of the condition for a branch; undefined if its alternatives are not truth values.
 * @param values of all alternatives; `_` is the rest
 */
function outcomeOf(when: string, values: readonly string[]): boolean | undefined {
  const isRest = when === '_';
  if (when === 'True' || (isRest && values.includes('False'))) return true;
  return when === 'False' || (isRest && values.includes('True')) ? false : undefined;
}

/** How both operands of a comparison change with leaves. */
interface Slopes {
  readonly left: readonly Slope[];
  readonly right: readonly Slope[];
}

/** A comparison whose operands change only where earlier equations keep holding. */
interface Joint {
  readonly steps: readonly Step[];
  readonly leaves: readonly Leaf[];
  /** The values of the leaves. */
  readonly at: readonly bigint[];
  readonly path: readonly Seen[];
  /** The conditions before the comparison. */
  readonly kept: readonly Condition[];
}

function nearBy({ least, most }: Unknown, value: bigint): Unknown {
  const [low, high] = [value - NEAR, value + NEAR];
  return { least: low > least ? low : least, most: high < most ? high : most };
}

/** How an operand changed; undefined if another comparison ran in its place. */
function difference(
  before: Seen,
  after: Seen | undefined,
  side: 'left' | 'right',
): bigint | undefined {
  if (after?.number !== before.number) return undefined;
  const [one, other] = [before[side], after[side]];
  return typeof one === 'bigint' && typeof other === 'bigint' ? other - one : undefined;
}

function holdsOf(operator: Operator, { left, right }: Seen): boolean {
  const areTexts = typeof left === 'string' || typeof right === 'string';
  return areTexts ? left === right : compare(operator, left, right);
}

function compare(operator: Operator, left: bigint, right: bigint): boolean {
  switch (operator) {
    case 'EQUAL':
      return left === right;
    case 'LESS':
      return left < right;
    case 'LESS_EQ':
      return left <= right;
    case 'GREATER':
      return left > right;
    case 'GREATER_EQ':
      return left >= right;
  }
}
