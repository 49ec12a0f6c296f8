/**
 * Reaches branches that random inputs never take. It learns how the comparisons before a branch depend on the numbers
 * in the steps. A solver then finds numbers that keep all earlier comparisons and change the last one.
 */
import type { Branch, Comparison, Probes } from '../../daml/lf/probing/probes.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import type { Step } from '../model/step.js';
import { Leaves } from '../values/leaves.js';
import type { Operator, Solver } from './conditions.js';
import { boundsOf, formOf, Observer, unitsOf, valueOf, type Leaf, type Seen } from './observed.js';
import { nearBy, SlopeFinder, type Slopes } from './slopes.js';

/** The most sequences that are tried for one branch. */
const MAX_SEQUENCES = 4;
/** The most comparisons before the branch whose outcome the solver keeps, the last ones first. */
const MAX_CONDITIONS = 60;
/** The most sequences that are run to find those near a branch. */
const MAX_KNOWN = 20_000;
/** The most sequences whose numbers are changed for one branch. */
const MAX_TRIES = 8;

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
  private readonly finder: SlopeFinder;

  constructor(
    ledger: FuzzLedger,
    private readonly probes: Probes,
    private readonly solver: Solver,
  ) {
    this.observer = new Observer(ledger, probes, new Leaves(ledger.packages));
    this.finder = new SlopeFinder(this.observer, solver);
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
      const isTruth = branch.when === 'True' || branch.when === 'False';
      if (!isTruth) continue;
      const outcome = branch.when === 'True';
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
    const slopes = this.finder.slopes(steps, leaves, path);
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
      const joint = await this.finder.jointSlopes({ steps, leaves, at, path, kept });
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
