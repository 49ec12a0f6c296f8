/** Exact linear equations over fractions. */

/** A row says: the sum of each coefficient times its delta is the change. */
export interface Row {
  readonly deltas: readonly bigint[];
  readonly change: bigint;
}

export interface Fraction {
  readonly over: bigint;
  /** Positive. */
  readonly under: bigint;
}

const ZERO: Fraction = { over: 0n, under: 1n };

/** Coefficients that fulfil all rows; undefined if there are none. Where several do, the free ones are 0. */
export function coefficientsOf(rows: readonly Row[]): readonly Fraction[] | undefined {
  const width = rows[0]?.deltas.length ?? 0;
  const left = rows.map(({ deltas, change }) => [...deltas, change].map(fraction));
  const pivots: { readonly row: readonly Fraction[]; readonly column: number }[] = [];
  for (let column = 0; column < width; column++) {
    const place = left.findIndex((row) => row[column]!.over !== 0n);
    if (place < 0) continue;
    const [found] = left.splice(place, 1) as [Fraction[]];
    const row = found.map((each) => divided(each, found[column]!));
    const without = (other: readonly Fraction[]) =>
      other.map((each, at) => minus(each, times(other[column]!, row[at]!)));
    left.forEach((other, at) => (left[at] = without(other)));
    pivots.forEach((pivot, at) => (pivots[at] = { ...pivot, row: without(pivot.row) }));
    pivots.push({ row, column });
  }
  if (left.some((row) => row[width]!.over !== 0n)) return undefined;
  const coefficients = Array.from({ length: width }, () => ZERO);
  for (const { row, column } of pivots) coefficients[column] = row[width]!;
  return coefficients;
}

const fraction = (over: bigint): Fraction => ({ over, under: 1n });
const times = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.over, one.under * other.under);
const divided = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.under, one.under * other.over);
const minus = (one: Fraction, other: Fraction): Fraction =>
  reduced(one.over * other.under - other.over * one.under, one.under * other.under);

function reduced(over: bigint, under: bigint): Fraction {
  let [a, b] = [over < 0n ? -over : over, under < 0n ? -under : under];
  while (b !== 0n) [a, b] = [b, a % b];
  const divisor = (under < 0n ? -1n : 1n) * (a === 0n ? 1n : a);
  return { over: over / divisor, under: under / divisor };
}
