/** The test of Miller and Rabin. */

type Power = (base: bigint, exponent: bigint, modulus: bigint) => bigint;

/** As bases. The chance that a composite number passes is far below that of a broken machine. */
const FIRST = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n];

export function isPrime(candidate: bigint, power: Power): boolean {
  if (candidate < 2n) return false;
  const divisor = FIRST.find((each) => candidate % each === 0n);
  if (divisor !== undefined) return candidate === divisor;
  let [odd, twos] = [candidate - 1n, 0];
  while ((odd & 1n) === 0n) [odd, twos] = [odd >> 1n, twos + 1];
  return FIRST.every((base) => passes(candidate, power(base, odd, candidate), twos));
}

function passes(candidate: bigint, start: bigint, twos: number): boolean {
  let value = start;
  if (value === 1n || value === candidate - 1n) return true;
  for (let n = 1; n < twos; n++) {
    value = (value * value) % candidate;
    if (value === candidate - 1n) return true;
  }
  return false;
}
