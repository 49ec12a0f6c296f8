/** Exact sums of the numbers of Daml. */
import { Numeric } from '../../daml/model/numeric.js';

/** Digits after the point that a Numeric can have. */
const SCALE = 37;
const ONE = 10n ** BigInt(SCALE);

/** A sum of an exact number of digits. Decimals as text and run-time numbers can be mixed. */
export class Total {
  private units = 0n;

  /** @throws Error if the value is not a number */
  add(value: unknown, sign: 1 | -1 = 1): void {
    this.units += BigInt(sign) * unitsOf(value);
  }

  addTotal(other: Total): void {
    this.units += other.units;
  }

  get negated(): Total {
    const negated = new Total();
    negated.units = -this.units;
    return negated;
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  /** A decimal without trailing zeros. */
  get text(): string {
    const digits = String(this.units < 0n ? -this.units : this.units).padStart(SCALE + 1, '0');
    const fraction = digits.slice(-SCALE).replace(/0+$/, '');
    const whole = digits.slice(0, -SCALE);
    return `${this.units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }

  isMoreThan(other: Total): boolean {
    return this.units > other.units;
  }
}

function unitsOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value * ONE;
  if (value instanceof Numeric) return value.unscaled * 10n ** BigInt(SCALE - value.scale);
  const match = /^(-?)(\d+)(?:\.(\d{1,37}))?$/.exec(String(value));
  if (match === null) throw new Error(`${String(value)} is not a number.`);
  const [, sign, whole, fraction = ''] = match;
  const units = BigInt(whole!) * ONE + BigInt(fraction.padEnd(SCALE, '0'));
  return sign === '-' ? -units : units;
}
