/**
 * Decimals by definition: exact fractions, rounded by the rules of `java.math.RoundingMode`. It starts at the
 * integer below a fraction, unlike the code in `src`.
 */
export type RoundingMode =
  | 'UP'
  | 'DOWN'
  | 'CEILING'
  | 'FLOOR'
  | 'HALF_UP'
  | 'HALF_DOWN'
  | 'HALF_EVEN'
  | 'UNNECESSARY';

/** The modes by their numbers in archives. */
export const ROUNDING_MODES: readonly RoundingMode[] = [
  'UP',
  'DOWN',
  'CEILING',
  'FLOOR',
  'HALF_UP',
  'HALF_DOWN',
  'HALF_EVEN',
  'UNNECESSARY',
];

export interface Fraction {
  readonly over: bigint;
  /** Not zero. */
  readonly under: bigint;
}

/** The integer that the fraction rounds to; undefined if rounding is not allowed. */
export function rounded({ over, under }: Fraction, mode: RoundingMode): bigint | undefined {
  const [n, d] = under < 0n ? [-over, -under] : [over, under];
  const rest = ((n % d) + d) % d;
  const below = (n - rest) / d;
  if (rest === 0n) return below;
  const [towardsZero, away] = below < 0n ? [below + 1n, below] : [below, below + 1n];
  const nearest = (tie: bigint): bigint =>
    2n * rest === d ? tie : 2n * rest > d ? below + 1n : below;
  switch (mode) {
    case 'UP':
      return away;
    case 'DOWN':
      return towardsZero;
    case 'CEILING':
      return below + 1n;
    case 'FLOOR':
      return below;
    case 'HALF_UP':
      return nearest(away);
    case 'HALF_DOWN':
      return nearest(towardsZero);
    case 'HALF_EVEN':
      return nearest(below % 2n === 0n ? below : below + 1n);
    case 'UNNECESSARY':
      return undefined;
  }
}

/** A number with this scale as a fraction; a negative scale means zeros before the point. */
export function decimal(unscaled: bigint, scale: number): Fraction {
  return scale < 0
    ? { over: unscaled * 10n ** BigInt(-scale), under: 1n }
    : { over: unscaled, under: 10n ** BigInt(scale) };
}

/** The fraction in units of this scale. */
export function inUnits({ over, under }: Fraction, scale: number): Fraction {
  return scale < 0
    ? { over, under: under * 10n ** BigInt(-scale) }
    : { over: over * 10n ** BigInt(scale), under };
}

export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});
export const divided = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under,
  under: a.under * b.over,
});
export const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});

/** The number as Daml shows it: without trailing zeros, but with one decimal. */
export function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - Math.max(scale, 0);
  const zeros = '0'.repeat(Math.max(-scale, 0));
  const decimals = digits.slice(point).replace(/0+$/, '');
  return `${sign}${unscaled === 0n ? '0' : digits.slice(0, point) + zeros}.${decimals || '0'}`;
}
