/**
 * Int64 of compiled code: a number if it is a safe integer, otherwise a bigint. Each value has one form, so that `===` and `<` compare
 * correctly. Overflow and division by zero throw Daml's ArithmeticError.
 */
import { arithmeticError } from './exceptions.js';

export type Int64 = number | bigint;

const SAFE = Number.MAX_SAFE_INTEGER;
const BIG_SAFE = BigInt(SAFE);

/** The canonical form of an integer that fits 64 bits. */
export function int64(value: bigint): Int64 {
  return value <= BIG_SAFE && value >= -BIG_SAFE ? Number(value) : value;
}

function checked(value: bigint, name: string, ...operands: readonly Int64[]): Int64 {
  if (BigInt.asIntN(64, value) !== value) throw arithmeticError(name, ...operands.map(String));
  return int64(value);
}

export function addInt(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= SAFE && sum >= -SAFE) return sum;
  }
  return checked(BigInt(a) + BigInt(b), 'ADD_INT64', a, b);
}

export function subInt(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (difference <= SAFE && difference >= -SAFE) return difference;
  }
  return checked(BigInt(a) - BigInt(b), 'SUB_INT64', a, b);
}

export function mulInt(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Adding 0 converts -0, which Daml does not have.
    if (product <= SAFE && product >= -SAFE) return product + 0;
  }
  return checked(BigInt(a) * BigInt(b), 'MUL_INT64', a, b);
}

/** Rounds towards zero. */
export function divInt(a: Int64, b: Int64): Int64 {
  if (b === 0) throw arithmeticError('DIV_INT64', String(a), String(b));
  // For safe integers, the quotient of doubles never rounds up to the next integer.
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return checked(BigInt(a) / BigInt(b), 'DIV_INT64', a, b);
}

/** The remainder has the sign of the dividend. */
export function modInt(a: Int64, b: Int64): Int64 {
  if (b === 0) throw arithmeticError('MOD_INT64', String(a), String(b));
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  return int64(BigInt(a) % BigInt(b));
}

export function expInt(base: Int64, exponent: Int64): Int64 {
  const fail = (): Error => arithmeticError('EXP_INT64', String(base), String(exponent));
  if (exponent < 0) throw fail();
  if (exponent === 0 || base === 1) return 1;
  if (base === 0) return 0;
  if (base === -1) return BigInt(exponent) % 2n === 0n ? 1 : -1;
  if (exponent > 63) throw fail();
  return checked(BigInt(base) ** BigInt(exponent), 'EXP_INT64', base, exponent);
}
