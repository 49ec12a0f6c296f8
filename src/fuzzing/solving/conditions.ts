/** Conditions over the numbers in a sequence of steps, which a solver fulfils. */

/** A linear form of unknowns, by their indexes: the sum of `constant` and the terms, divided by `divisor`. */
export interface LinearForm {
  readonly constant: bigint;
  readonly terms: ReadonlyMap<number, bigint>;
  /** Positive. */
  readonly divisor: bigint;
}

export type Operator = 'EQUAL' | 'LESS' | 'LESS_EQ' | 'GREATER' | 'GREATER_EQ';

export interface Condition {
  readonly operator: Operator;
  readonly left: LinearForm;
  readonly right: LinearForm;
  /** Whether the comparison must hold, or must not. */
  readonly holds: boolean;
}

/** An integer to find. */
export interface Unknown {
  readonly least: bigint;
  readonly most: bigint;
}

/** Finds integers that fulfil all conditions. */
export interface Solver {
  /** @returns the values of the unknowns; undefined if there are none, or if the search takes too long */
  solve(
    unknowns: readonly Unknown[],
    conditions: readonly Condition[],
  ): Promise<readonly bigint[] | undefined>;
}
