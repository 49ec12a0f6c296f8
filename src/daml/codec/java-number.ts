/** Numbers as the Java virtual machine reads and prints them. */

const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);

/** `Double.toString`. */
export function javaDouble(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  if (size >= 1e-3 && size < 1e7) return Number.isInteger(value) ? `${value}.0` : String(value);
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}

/** As JSON, which prints a double as an integer if it equals its conversion to a Java `long` (B-VAL-038). */
export function jsonDouble(value: number): string {
  if (!Number.isInteger(value)) return javaDouble(value);
  const long = longOfDouble(value);
  return Number(long) === value ? String(long) : javaDouble(value);
}

/** `Double.longValue` of a finite number: without its fraction, and at most the largest `long`. */
export function longOfDouble(value: number): bigint {
  const whole = BigInt(Math.trunc(value));
  return whole > LONG_MAX ? LONG_MAX : whole < LONG_MIN ? LONG_MIN : whole;
}

/** `Long.parseLong`, which takes the decimal digits of any script in the basic plane (B-VAL-039). */
export function parseLong(text: string): bigint | undefined {
  const [, sign, significant] =
    /^([+-]?)0*(\d{1,19})$(?!\n)/.exec(/^[ -~]*$/.test(text) ? text : plainDigits(text)) ?? [];
  if (significant === undefined) return undefined;
  const value = sign === '-' ? -BigInt(significant) : BigInt(significant);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** No ten digits of one script follow those of another at once. */
function plainDigits(text: string): string {
  return text.replace(/[^\P{Nd}\u{10000}-\u{10ffff}]/gu, (digit) => {
    const code = digit.charCodeAt(0);
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
    return String(code - zero);
  });
}
