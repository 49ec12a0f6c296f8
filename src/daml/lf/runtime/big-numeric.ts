/**
 * BigNumeric of Daml-LF 2.dev: decimals of up to 2^15 digits before and after the point, without trailing zeros. Arithmetic is exact,
 * except for division, which has a rounding mode.
 */
import { Numeric } from '../../model/numeric.js';

const MAX_SCALE = 2 ** 15;
const MAX_PRECISION = 2 ** 16;
/** `java.math.RoundingMode`, by ordinal. */
const MODES = [
  'up',
  'down',
  'ceiling',
  'floor',
  'halfUp',
  'halfDown',
  'halfEven',
  'unnecessary',
] as const;

export class BigNumeric {
  /** Use {@link BigNumeric.of}, which drops trailing zeros. */
  private constructor(
    readonly unscaled: bigint,
    readonly scale: number,
  ) {}

  static readonly ZERO = new BigNumeric(0n, 0);

  /** Undefined beyond the bounds. */
  static of(unscaled: bigint, scale: number): BigNumeric | undefined {
    if (unscaled === 0n) return BigNumeric.ZERO;
    let [digits, places] = [unscaled, scale];
    // Doubles the step while it succeeds, because removing tens of thousands of zeros one by one takes seconds.
    for (let step = 1; step >= 1;) {
      const zeros = power(step);
      if (digits % zeros === 0n) {
        digits /= zeros;
        places -= step;
        step *= 2;
      } else step = Math.floor(step / 2);
    }
    const precision = digitsOf(digits);
    if (places > MAX_SCALE || precision - places > MAX_SCALE) return undefined;
    return new BigNumeric(digits, places);
  }

  static fromNumeric(value: Numeric): BigNumeric {
    return BigNumeric.of(value.unscaled, value.scale)!;
  }

  get precision(): number {
    return digitsOf(this.unscaled);
  }

  /** The unscaled numbers of both, at a common scale. */
  private aligned(other: BigNumeric): readonly [bigint, bigint, number] {
    const scale = Math.max(this.scale, other.scale);
    return [
      this.unscaled * power(scale - this.scale),
      other.unscaled * power(scale - other.scale),
      scale,
    ];
  }

  add(other: BigNumeric): BigNumeric | undefined {
    const [a, b, scale] = this.aligned(other);
    return BigNumeric.of(a + b, scale);
  }

  subtract(other: BigNumeric): BigNumeric | undefined {
    const [a, b, scale] = this.aligned(other);
    return BigNumeric.of(a - b, scale);
  }

  multiply(other: BigNumeric): BigNumeric | undefined {
    return BigNumeric.of(this.unscaled * other.unscaled, this.scale + other.scale);
  }

  /** Undefined if the scale is out of bounds, the divisor is zero, or an exact result is required but impossible. */
  divide(other: BigNumeric, scale: number, rounding: number): BigNumeric | undefined {
    const mode = MODES[rounding];
    if (Math.abs(scale) > MAX_SCALE || mode === undefined || other.unscaled === 0n)
      return undefined;
    const exponent = scale + other.scale - this.scale;
    const numerator = exponent >= 0 ? this.unscaled * power(exponent) : this.unscaled;
    const denominator = exponent >= 0 ? other.unscaled : other.unscaled * power(-exponent);
    const quotient = round(numerator, denominator, mode);
    return quotient === undefined ? undefined : BigNumeric.of(quotient, scale);
  }

  shiftRight(places: number): BigNumeric | undefined {
    if (this.unscaled === 0n) return BigNumeric.ZERO;
    if (Math.abs(places) > MAX_PRECISION) return undefined;
    return BigNumeric.of(this.unscaled, this.scale + places);
  }

  /** Undefined if digits would be lost, or more than 38 are needed. */
  toNumeric(scale: number): Numeric | undefined {
    if (this.scale > scale) return undefined;
    const unscaled = this.unscaled * power(scale - this.scale);
    return digitsOf(unscaled) > 38 ? undefined : new Numeric(unscaled, scale);
  }

  compare(other: BigNumeric): number {
    const [a, b] = this.aligned(other);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  /** Plain digits with at least one decimal. */
  toString(): string {
    const negative = this.unscaled < 0n;
    const scale = Math.max(this.scale, 0);
    const digits = (negative ? -this.unscaled : this.unscaled) * power(Math.max(-this.scale, 0));
    const text = digits.toString().padStart(scale + 1, '0');
    const point = text.length - scale;
    return `${negative ? '-' : ''}${text.slice(0, point)}.${text.slice(point) || '0'}`;
  }
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function digitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString().length;
}

function round(
  numerator: bigint,
  denominator: bigint,
  mode: (typeof MODES)[number],
): bigint | undefined {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (remainder === 0n) return quotient;
  const positive = numerator < 0n === denominator < 0n;
  const away = quotient + (positive ? 1n : -1n);
  const abs = (value: bigint): bigint => (value < 0n ? -value : value);
  const half = 2n * abs(remainder) - abs(denominator);
  switch (mode) {
    case 'up':
      return away;
    case 'down':
      return quotient;
    case 'ceiling':
      return positive ? away : quotient;
    case 'floor':
      return positive ? quotient : away;
    case 'halfUp':
      return half >= 0n ? away : quotient;
    case 'halfDown':
      return half > 0n ? away : quotient;
    case 'halfEven':
      return half > 0n || (half === 0n && quotient % 2n !== 0n) ? away : quotient;
    case 'unnecessary':
      return undefined;
  }
}
