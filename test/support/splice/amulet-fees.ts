/**
 * What Splice.AmuletRules charges, computed anew from its source: decimals of ten places as whole numbers, products and
 * quotients rounded half to even. Nothing of it is shared with what it is compared with.
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
  /** From which amount on, and at which rate. */
  readonly steps: readonly (readonly [Units, Units])[];
}

/** Those before CIP-78 at a price: fixed fees and steps are scaled, rates are not (scaleFees). */
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

/** The fee of one output (computeOutputFee); `holders` other than its receiver, each once. */
export function outputFee(fees: Fees, amount: Units, toSelf: boolean, holders = 0): Units {
  const locking = fees.lockHolder * BigInt(holders);
  return fees.create + locking + (toSelf ? 0n : transferFee(fees, amount));
}

/**
 * Slice by slice, each at the rate of its step (chargeSteppedRate). A slice is as wide as its step less the sum of all steps
 * before it, so the third ends at 999900 and not at 1000000.
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
