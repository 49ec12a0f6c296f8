/** Sums of decimals, exact to their last digit: texts in, a text out. */

const DIGITS = 10;
const UNIT = 10n ** BigInt(DIGITS);

/** Texts that are not decimals count as 0. */
export function sumOf(amounts: readonly string[]): string {
  const sum = amounts.reduce((total, amount) => total + unitsOf(amount), 0n);
  const [whole, rest] = [sum / UNIT, sum % UNIT];
  const fraction = String(rest).padStart(DIGITS, '0').replace(/0+$/, '');
  return `${whole.toLocaleString('en')}${fraction && `.${fraction}`}`;
}

function unitsOf(amount: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,28})(?:\.(\d{1,10}))?$/.exec(amount) ?? [];
  return whole === undefined ? 0n : BigInt(whole) * UNIT + BigInt(fraction.padEnd(DIGITS, '0'));
}
