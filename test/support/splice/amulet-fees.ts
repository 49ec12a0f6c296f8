/**
 * The fees of Splice.AmuletRules, computed independently from its source. Decimals with 10 places are integers;
 * products and quotients are rounded half to even. It shares no code with the implementation that it checks.
 */
const ONE = 10_000_000_000n;

export type Units = bigint;

export function units(text: string): Units {
  const [whole, fraction = ''] = text.split('.') as [string, string?];
  const magnitude = BigInt(whole.replace('-', '') + fraction.padEnd(10, '0'));
  return whole.startsWith('-') ? -magnitude : magnitude;
}

export function text(value: Units): string {
  const digits = (value < 0n ? -value : value).toString().padStart(11, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`;
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

export const times = (a: Units, b: Units): Units => halfEven(a * b, ONE);
export const over = (a: Units, b: Units): Units => halfEven(a * ONE, b);

export interface Fees {
  readonly create: Units;
  readonly lockHolder: Units;
  readonly initialRate: Units;
  /** The start amount and the rate. */
  readonly steps: readonly (readonly [Units, Units])[];
}

/** The fees before CIP-78 at a price: fixed fees and steps are scaled, rates are not (scaleFees). */
export function feesAt(price: string): Fees {
  const scale = over(ONE, units(price));
  return {
    create: times(scale, units('0.03')),
    lockHolder: times(scale, units('0.005')),
    initialRate: units('0.01'),
    steps: (
      [
        ['100.0', '0.001'],
        ['1000.0', '0.0001'],
        ['1000000.0', '0.00001'],
      ] as const
    ).map(([step, rate]) => [times(scale, units(step)), units(rate)]),
  };
}

/** The fee of one output (computeOutputFee); `holders` are unique, and exclude its receiver. */
export function outputFee(fees: Fees, amount: Units, toSelf: boolean, holders = 0): Units {
  const locking = fees.lockHolder * BigInt(holders);
  return fees.create + locking + (toSelf ? 0n : transferFee(fees, amount));
}

/**
 * Charges each slice at the rate of its step (chargeSteppedRate). The width of a slice is its step minus the sum of
 * all earlier steps, so the third ends at 999900 and not at 1000000.
 */
function transferFee({ initialRate, steps }: Fees, amount: Units): Units {
  let [charged, left, rate, before] = [0n, amount, initialRate, 0n];
  for (const [step, next] of steps) {
    const width = step - before;
    if (left > 0n) charged += times(left < width ? left : width, rate);
    [left, rate, before] = [left - width, next, before + step];
  }
  return left > 0n ? charged + times(left, rate) : charged;
}
