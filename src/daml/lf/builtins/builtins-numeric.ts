/**
 * Builtins of Daml-LF on Numeric, BigNumeric, Date and Timestamp. A scale is passed as a witness, which is any number of that scale.
 */
import { Numeric } from '../../model/numeric.js';
import { isDate, isTimestamp } from '../../model/time.js';
import type { BigNumeric } from '../runtime/big-numeric.js';
import { arithmeticError } from '../runtime/exceptions.js';
import { int64, type Int64 } from '../runtime/int64.js';

const MAX = 10n ** 38n - 1n;
const MIN = -MAX;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const POWERS: readonly bigint[] = Array.from(
  { length: 128 },
  (_, exponent) => 10n ** BigInt(exponent),
);

function fits(unscaled: bigint): boolean {
  return unscaled <= MAX && unscaled >= MIN;
}

/** The operands as the error text has them. */
function texts(operands: readonly (Numeric | Int64)[]): string[] {
  return operands.map((one) => (one instanceof Numeric ? one.toCompact() : String(one)));
}

function fail(name: string, ...operands: readonly (Numeric | Int64)[]): Error {
  return arithmeticError(name, ...texts(operands));
}

export function addNumeric(a: Numeric, b: Numeric): Numeric {
  const sum = a.unscaled + b.unscaled;
  if (!fits(sum)) throw fail('ADD_NUMERIC', a, b);
  return new Numeric(sum, a.scale);
}

export function subNumeric(a: Numeric, b: Numeric): Numeric {
  const difference = a.unscaled - b.unscaled;
  if (!fits(difference)) throw fail('SUB_NUMERIC', a, b);
  return new Numeric(difference, a.scale);
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const quotient = n / d;
  const rest = n % d;
  if (rest === 0n) return quotient;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const up = twice > d || (twice === d && quotient % 2n !== 0n);
  return up ? quotient + (n < 0n ? -1n : 1n) : quotient;
}

export function mulNumeric(witness: Numeric, a: Numeric, b: Numeric): Numeric {
  const places = a.scale + b.scale - witness.scale;
  const exact = a.unscaled * b.unscaled;
  const product = places > 0 ? divideHalfEven(exact, POWERS[places]!) : exact * POWERS[-places]!;
  if (!fits(product)) throw fail('MUL_NUMERIC', witness, a, b);
  return new Numeric(product, witness.scale);
}

export function divNumeric(witness: Numeric, a: Numeric, b: Numeric): Numeric {
  if (b.unscaled === 0n) throw fail('DIV_NUMERIC', witness, a, b);
  const places = witness.scale + b.scale - a.scale;
  const quotient =
    places >= 0
      ? divideHalfEven(a.unscaled * POWERS[places]!, b.unscaled)
      : divideHalfEven(a.unscaled, b.unscaled * POWERS[-places]!);
  if (!fits(quotient)) throw fail('DIV_NUMERIC', witness, a, b);
  return new Numeric(quotient, witness.scale);
}

export function roundNumeric(places: Int64, value: Numeric): Numeric {
  if (places > value.scale || places <= value.scale - 38)
    throw fail('ROUND_NUMERIC', places, value);
  const unit = POWERS[value.scale - Number(places)]!;
  const rounded = divideHalfEven(value.unscaled, unit) * unit;
  if (!fits(rounded)) throw fail('ROUND_NUMERIC', places, value);
  return new Numeric(rounded, value.scale);
}

export function castNumeric(witness: Numeric, value: Numeric): Numeric {
  const places = witness.scale - value.scale;
  const result = places >= 0 ? value.unscaled * POWERS[places]! : value.unscaled / POWERS[-places]!;
  const exact = places >= 0 || result * POWERS[-places]! === value.unscaled;
  if (!exact || !fits(result)) throw fail('CAST_NUMERIC', witness, value);
  return new Numeric(result, witness.scale);
}

/** Moves the point: the same digits at another scale. */
export function shiftNumeric(witness: Numeric, value: Numeric): Numeric {
  return new Numeric(value.unscaled, witness.scale);
}

export function int64ToNumeric(witness: Numeric, value: Int64): Numeric {
  const unscaled = BigInt(value) * POWERS[witness.scale]!;
  if (!fits(unscaled)) throw fail('INT64_TO_NUMERIC', witness, value);
  return new Numeric(unscaled, witness.scale);
}

export function numericToInt64(value: Numeric): Int64 {
  const whole = value.unscaled / POWERS[value.scale]!;
  if (whole < MIN_INT64 || whole > MAX_INT64) throw fail('NUMERIC_TO_INT64', value);
  return int64(whole);
}

export function unixDaysToDate(days: Int64): number {
  if (typeof days !== 'number' || !isDate(days)) throw fail('UNIX_DAYS_TO_DATE', days);
  return days;
}

export function unixMicrosecondsToTimestamp(micros: Int64): Int64 {
  if (!isTimestamp(BigInt(micros))) throw fail('UNIX_MICROSECONDS_TO_TIMESTAMP', micros);
  return micros;
}

function orFail(
  result: BigNumeric | undefined,
  name: string,
  ...operands: readonly unknown[]
): BigNumeric {
  if (result === undefined) throw arithmeticError(name, ...operands.map(String));
  return result;
}

export function addBig(a: BigNumeric, b: BigNumeric): BigNumeric {
  return orFail(a.add(b), 'ADD_BIGNUMERIC', a, b);
}

export function subBig(a: BigNumeric, b: BigNumeric): BigNumeric {
  return orFail(a.subtract(b), 'SUB_BIGNUMERIC', a, b);
}

export function mulBig(a: BigNumeric, b: BigNumeric): BigNumeric {
  return orFail(a.multiply(b), 'MUL_BIGNUMERIC', a, b);
}

export function divBig(scale: Int64, rounding: Int64, a: BigNumeric, b: BigNumeric): BigNumeric {
  const quotient = a.divide(b, Number(scale), Number(rounding));
  return orFail(quotient, 'DIV_BIGNUMERIC', scale, rounding, a, b);
}

export function shiftRightBig(places: Int64, value: BigNumeric): BigNumeric {
  return orFail(value.shiftRight(Number(places)), 'SHIFT_RIGHT_BIGNUMERIC', places, value);
}

export function bigToNumeric(witness: Numeric, value: BigNumeric): Numeric {
  const result = value.toNumeric(witness.scale);
  if (result === undefined)
    throw arithmeticError('BIGNUMERIC_TO_NUMERIC', witness.toCompact(), String(value));
  return result;
}
