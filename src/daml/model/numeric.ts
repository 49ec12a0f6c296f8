/**
 * Daml's `Numeric n`: fixed-scale decimals of at most 38 digits, scale 0 to 37. Arithmetic rounds half to even and
 * fails with Daml's ArithmeticError on overflow and division by zero, as Daml-LF 2 specifies (ADD_NUMERIC and following).
 */
import { DamlFailure } from './package.js';

const MAX_PRECISION = 38;
const MAX_SCALE = 37;
const DEFAULT_SCALE = 10;

const POWERS_OF_TEN: readonly bigint[] = Array.from(
  { length: 2 * MAX_PRECISION + 2 },
  (_, exponent) => 10n ** BigInt(exponent),
);
const MAX_UNSCALED = 10n ** BigInt(MAX_PRECISION) - 1n;
const MIN_UNSCALED = -MAX_UNSCALED;

/** Values that Daml code in TypeScript can use as a Numeric. A JavaScript number is read as its shortest decimal text. */
export type NumericLike = Numeric | string | bigint | number;

/** Daml's `DA.Exception.ArithmeticError`. If uncaught, the ledger reports it as a DAML_FAILURE. */
export class ArithmeticError extends DamlFailure {
  constructor(builtin: string, ...operands: readonly string[]) {
    super(
      `ArithmeticError while evaluating (${[builtin, ...operands].join(' ')}).`,
      'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError',
    );
  }
}

/**
 * A decimal number of a Daml value. Methods also accept numbers, bigints and texts, which they convert to this number's scale.
 * @throws ArithmeticError beyond 38 digits, which the ledger reports as DAML_FAILURE
 */
export class Numeric {
  /** Use {@link Numeric.of}, which checks the bounds. */
  constructor(
    /** The number without its decimal point. */
    readonly unscaled: bigint,
    /** Digits after the point: 0 to 37. */
    readonly scale: number,
  ) {
    if (!isInBounds(unscaled)) throw new ArithmeticError('CAST_NUMERIC', String(unscaled));
  }

  /** The value at that scale. Fails if digits would be lost, or if it needs more than 38 digits. */
  static of(value: NumericLike, scale: number = DEFAULT_SCALE): Numeric {
    checkScale(scale);
    if (typeof value === 'bigint') return fit(value * power(scale), scale, 'CAST_NUMERIC', value);
    const exact = value instanceof Numeric ? value : decimal(value);
    const result = exact.scale === scale ? exact.unscaled : rescaleExactly(exact, scale);
    if (result === undefined) throw new ArithmeticError('CAST_NUMERIC', shown(value));
    return fit(result, scale, 'CAST_NUMERIC', value);
  }

  /** The number with these digits, and a point before the last `scale` of them. */
  static fromUnscaled(unscaled: bigint, scale: number): Numeric {
    checkScale(scale);
    return fit(unscaled, scale, 'CAST_NUMERIC', unscaled);
  }

  /** The sum, at this number's scale. */
  add(other: NumericLike): Numeric {
    const right = Numeric.of(other, this.scale);
    return fit(this.unscaled + right.unscaled, this.scale, 'ADD_NUMERIC', this, right);
  }

  /** The difference, at this number's scale. */
  subtract(other: NumericLike): Numeric {
    const right = Numeric.of(other, this.scale);
    return fit(this.unscaled - right.unscaled, this.scale, 'SUB_NUMERIC', this, right);
  }

  /** The product, rounded half to even to the given scale; by default this number's. */
  multiply(other: NumericLike, scale: number = this.scale): Numeric {
    checkScale(scale);
    const right = other instanceof Numeric ? other : Numeric.of(other, this.scale);
    const product = rescaleRounding(
      this.unscaled * right.unscaled,
      this.scale + right.scale,
      scale,
    );
    return fit(product, scale, 'MUL_NUMERIC', '0.0', this, right);
  }

  /** The quotient, rounded half to even to the given scale; by default this number's. */
  divide(other: NumericLike, scale: number = this.scale): Numeric {
    checkScale(scale);
    const right = other instanceof Numeric ? other : Numeric.of(other, this.scale);
    if (right.isZero())
      throw new ArithmeticError('DIV_NUMERIC', '0.0', this.toCompact(), right.toCompact());
    const exponent = scale + right.scale - this.scale;
    const quotient =
      exponent >= 0
        ? divideHalfEven(this.unscaled * power(exponent), right.unscaled)
        : divideHalfEven(this.unscaled, right.unscaled * power(-exponent));
    return fit(quotient, scale, 'DIV_NUMERIC', '0.0', this, right);
  }

  /** The number with the opposite sign. */
  negate(): Numeric {
    return new Numeric(-this.unscaled, this.scale);
  }

  /** The absolute value. */
  abs(): Numeric {
    return this.unscaled < 0n ? this.negate() : this;
  }

  /** Rounds half to even to that number of decimal places, with the same scale. */
  round(places: number): Numeric {
    if (!Number.isInteger(places) || places > this.scale || places <= this.scale - MAX_PRECISION) {
      throw new ArithmeticError('ROUND_NUMERIC', String(places), this.toCompact());
    }
    const unit = power(this.scale - places);
    return fit(
      divideHalfEven(this.unscaled, unit) * unit,
      this.scale,
      'ROUND_NUMERIC',
      places,
      this,
    );
  }

  /** The integer part, rounded towards zero (Daml's `truncate`). */
  truncate(): bigint {
    return this.unscaled / power(this.scale);
  }

  /** By value; scales may differ. */
  compare(other: NumericLike): -1 | 0 | 1 {
    const right = other instanceof Numeric ? other : decimal(other);
    const scale = Math.max(this.scale, right.scale);
    const difference =
      this.unscaled * power(scale - this.scale) - right.unscaled * power(scale - right.scale);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** By value; scales may differ. */
  equals(other: NumericLike): boolean {
    return this.compare(other) === 0;
  }

  /** At any scale. */
  isZero(): boolean {
    return this.unscaled === 0n;
  }

  /** 0 for zero. */
  sign(): -1 | 0 | 1 {
    return this.unscaled < 0n ? -1 : this.unscaled > 0n ? 1 : 0;
  }

  /** The same number at another scale, or undefined if that is not exact. */
  rescale(scale: number): Numeric | undefined {
    checkScale(scale);
    if (scale === this.scale) return this;
    const unscaled = rescaleExactly(this, scale);
    return unscaled !== undefined && isInBounds(unscaled)
      ? new Numeric(unscaled, scale)
      : undefined;
  }

  /** All digits of the scale: `999.9900000000`. At scale 0, the point remains, as in the Ledger API: `1.`. */
  toString(): string {
    const digits = abs(this.unscaled)
      .toString()
      .padStart(this.scale + 1, '0');
    const point = digits.length - this.scale;
    return `${this.unscaled < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  /** Without padding zeros, but with one decimal: `999.99`, `1.0` (S-ENC-005; Daml's `show`). */
  toCompact(): string {
    const compact = this.toString().replace(/0+$/, '');
    return compact.endsWith('.') ? `${compact}0` : compact;
  }

  /** As Java's `BigDecimal` prints it, and every Scala object that contains one: `1.50`, `12`, `1E-7`. */
  toBigDecimal(): string {
    const digits = abs(this.unscaled).toString();
    const exponent = digits.length - 1 - this.scale;
    if (exponent >= -6) return this.scale === 0 ? String(this.unscaled) : this.toString();
    const behind = digits.length === 1 ? '' : `.${digits.slice(1)}`;
    return `${this.unscaled < 0n ? '-' : ''}${digits[0]}${behind}E${exponent}`;
  }

  /** The Ledger API's text. */
  toJSON(): string {
    return this.toString();
  }
}

/**
 * Parses the Ledger API's decimal text: optional sign, 1 to 38 digits, optional point with up to 37 (B-VAL-008). The result has the
 * smallest possible scale. Undefined for invalid texts and for more than 38 digits.
 */
export function parseNumeric(text: string): Numeric | undefined {
  return parseFewDigits(text) ?? parseManyDigits(text);
}

/** Canton's error for a number that does not fit a scale. The number must have its smallest scale. */
export function rescaleError(value: Numeric, scale: number): string {
  return value.scale > scale
    ? `Cannot represent ${value.toString()} as (Numeric ${scale}) without loss of precision`
    : `Out-of-bounds (Numeric ${scale}) ${value.toString()}${'0'.repeat(scale - value.scale)}`;
}

/** The number of digits that a double holds exactly. */
const FEW_DIGITS = 15;
const ZERO = 0x30;
const POINT = 0x2e;

/** A fast parser for unsigned texts with few digits, which almost all are; undefined for all others. */
function parseFewDigits(text: string): Numeric | undefined {
  const { length } = text;
  if (length > FEW_DIGITS) return undefined;
  let digits = 0;
  let point = -1;
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (digit === POINT - ZERO && point < 0) point = i;
    else return undefined;
  }
  if (length === 0 || point === 0) return undefined;
  let scale = point < 0 ? 0 : length - point - 1;
  for (; scale > 0 && digits % 10 === 0; scale--) digits /= 10;
  return new Numeric(BigInt(digits), scale);
}

function parseManyDigits(text: string): Numeric | undefined {
  const match = /^([+-]?)(\d{1,38})(?:\.(\d{0,37}))?$/.exec(text);
  if (match === null || text.endsWith('\n')) return undefined;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  const magnitude = BigInt(match[2] + fraction);
  if (magnitude > MAX_UNSCALED) return undefined;
  return Numeric.fromUnscaled(match[1] === '-' ? -magnitude : magnitude, fraction.length);
}

/** A decimal of any size. Only `of` and `compare` use it, so it may exceed the bounds of a Numeric. */
function decimal(value: string | bigint | number): { unscaled: bigint; scale: number } {
  const match = /^([+-]?\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(value));
  if (match === null) throw new DamlFailure(`"${value}" is not a decimal number.`);
  let unscaled = BigInt(match[1]! + (match[2] ?? ''));
  let scale = (match[2] ?? '').length - Number(match[3] ?? '0');
  if (scale < 0) {
    unscaled *= power(-scale);
    scale = 0;
  }
  return { unscaled: String(value).startsWith('-') && unscaled > 0n ? -unscaled : unscaled, scale };
}

function rescaleExactly(
  from: { unscaled: bigint; scale: number },
  scale: number,
): bigint | undefined {
  if (scale >= from.scale) return from.unscaled * power(scale - from.scale);
  const unit = power(from.scale - scale);
  return from.unscaled % unit === 0n ? from.unscaled / unit : undefined;
}

function rescaleRounding(unscaled: bigint, from: number, to: number): bigint {
  return to >= from ? unscaled * power(to - from) : divideHalfEven(unscaled, power(from - to));
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const n = denominator < 0n ? -numerator : numerator;
  const d = abs(denominator);
  const quotient = n / d;
  const twice = 2n * abs(n % d);
  const up = twice > d || (twice === d && quotient % 2n !== 0n);
  return up ? quotient + (n < 0n ? -1n : 1n) : quotient;
}

function fit(
  unscaled: bigint,
  scale: number,
  builtin: string,
  ...operands: readonly NumericLike[]
): Numeric {
  if (!isInBounds(unscaled)) throw new ArithmeticError(builtin, ...operands.map(shown));
  return new Numeric(unscaled, scale);
}

function shown(operand: NumericLike): string {
  return operand instanceof Numeric ? operand.toCompact() : String(operand);
}

function checkScale(scale: number): void {
  if (!Number.isInteger(scale) || scale < 0 || scale > MAX_SCALE) {
    throw new DamlFailure(`Bad scale ${scale}, must be between 0 and ${MAX_SCALE}`);
  }
}

function power(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}

function isInBounds(unscaled: bigint): boolean {
  return unscaled <= MAX_UNSCALED && unscaled >= MIN_UNSCALED;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
