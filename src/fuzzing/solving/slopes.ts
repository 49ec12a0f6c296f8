/** How comparisons depend on the numbers in steps, as slopes: the change of an operand with the change of a number. */
import type { Step } from '../model/step.js';
import type { Condition, Solver, Unknown } from './conditions.js';
import { coefficientsOf, type Row } from './fit.js';
import {
  boundsOf,
  deltaOf,
  unitsOf,
  valueOf,
  type Leaf,
  type Observer,
  type Seen,
  type Slope,
} from './observed.js';

/** The most numbers of equations that change together. */
const MAX_FREE = 8;

/** The distance within which numbers are searched first. */
const NEAR = 1_000_000n;

/** How both operands of a comparison change with leaves. */
export interface Slopes {
  readonly left: readonly Slope[];
  readonly right: readonly Slope[];
}

/** A comparison whose operands change only where earlier equations keep holding. */
export interface Joint {
  readonly steps: readonly Step[];
  readonly leaves: readonly Leaf[];
  /** The values of the leaves. */
  readonly at: readonly bigint[];
  readonly path: readonly Seen[];
  /** The conditions before the comparison. */
  readonly kept: readonly Condition[];
}

export class SlopeFinder {
  constructor(
    private readonly observer: Observer,
    private readonly solver: Solver,
  ) {}

  /** How the operands on the path change with each leaf. A leaf with another effect than a linear one counts as constant. */
  slopes(
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
  async jointSlopes(
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
}

/** The numbers near a value, within the bounds. */
export function nearBy({ least, most }: Unknown, value: bigint): Unknown {
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
