import fc from 'fast-check';
import { ArithmeticError, Numeric, parseNumeric } from '../../../src/daml/model/numeric.js';
import { arbitraryDigits, arbitraryNumeric } from '../../support/daml/arbitrary-daml.js';
import { check, isUsualRun } from '../../support/property.js';

const LIMIT = 10n ** 38n;
const scale = fc.integer({ min: 0, max: 37 });
const anyNumeric = scale.chain(arbitraryNumeric);

/** Twice as far as the rounded number is from the fraction, and the unit. */
function distance(rounded: bigint, numerator: bigint, denominator: bigint): [bigint, bigint] {
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const off = 2n * (n - rounded * d);
  return [off < 0n ? -off : off, d];
}
/** Checks a rounding from first principles: no other multiple of the unit is closer, and a tie went to the even one. */
function isHalfEven(rounded: bigint, numerator: bigint, denominator: bigint): boolean {
  const [off, unit] = distance(rounded, numerator, denominator);
  return off < unit || (off === unit && rounded % 2n === 0n);
}

interface Pair {
  readonly left: Numeric;
  readonly right: Numeric;
  /** The scale of what is made of them. */
  readonly at: number;
}
const odd = fc.bigInt({ min: -500_000n, max: 500_000n }).map((half) => 2n * half + 1n);
const fewer = fc.nat(18);
/** Products, then quotients, that are half a unit from a multiple of it. Random numbers are never a tie. */
const tiedProducts = fc.record({ odd, at: fewer, a: fewer, zeros: fewer }).map((row) => {
  const a = Math.min(row.a, row.at + row.zeros + 1);
  const right = Numeric.fromUnscaled(10n ** BigInt(row.zeros), row.at + row.zeros + 1 - a);
  return { left: Numeric.fromUnscaled(5n * row.odd, a), right, at: row.at };
});
const tiedQuotients = fc.record({ odd, at: fewer, a: fewer, b: fewer }).map((row) => {
  const a = Math.min(row.a, row.at + row.b);
  const right = Numeric.fromUnscaled(2n * 10n ** BigInt(row.at + row.b - a), row.b);
  return { left: Numeric.fromUnscaled(row.odd, a), right, at: row.at };
});
const anyPair: fc.Arbitrary<Pair> = fc.oneof(
  fc.record({ left: anyNumeric, right: anyNumeric, at: scale }),
  tiedProducts,
  tiedQuotients,
);

const attempt = (compute: () => Numeric): Numeric | 'ArithmeticError' => {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ArithmeticError) return 'ArithmeticError';
    throw error;
  }
};

describe('Numeric', () => {
  // The canonical texts in the documentation of java.math.BigDecimal.
  test.each([
    ['12', 0, '12'],
    ['-12', 2, '-12.00'],
    ['0', 6, '0.000000'],
    ['0', 7, '0E-7'],
    ['0.000001', 6, '0.000001'],
    ['0.0000001', 7, '1E-7'],
    ['0.0000010', 7, '0.0000010'],
    ['-0.000000123', 10, '-1.230E-7'],
    ['123456.0000000001', 10, '123456.0000000001'],
  ])('%s at scale %i prints in Java as %s', (text, scale, java) => {
    expect(Numeric.of(text, scale).toBigDecimal()).toBe(java);
  });

  it('prints all digits of its scale, and in the compact form at least one decimal (B-VAL-006, S-ENC-005)', () => {
    const rows = ['999.99', '0', '-0.5', '10000000000', '0.176564', 1.5, 42n].map((value) => {
      const numeric = Numeric.of(value);
      return [numeric.toString(), numeric.toCompact()];
    });
    expect(rows).toEqual([
      ['999.9900000000', '999.99'],
      ['0.0000000000', '0.0'],
      ['-0.5000000000', '-0.5'],
      ['10000000000.0000000000', '10000000000.0'],
      ['0.1765640000', '0.176564'],
      ['1.5000000000', '1.5'],
      ['42.0000000000', '42.0'],
    ]);
    expect(Numeric.of('7', 0).toString()).toBe('7.');
  });

  it('accepts strings, numbers and bigints as operands', () => {
    const price = Numeric.of('1.5');
    expect(price.add('0.25').multiply(2).subtract(1n).toCompact()).toBe('2.5');
    expect(price.divide(3).toString()).toBe('0.5000000000');
    expect(Numeric.of('10').divide('3', 2).toString()).toBe('3.33');
    expect(price.equals('1.50')).toBe(true);
    expect(Numeric.of('2.675').round(2).toCompact()).toBe('2.68');
    expect(Numeric.of('2.665').round(2).toCompact()).toBe('2.66');
    expect(Numeric.of('-7.9').truncate()).toBe(-7n);
    expect(Numeric.of(1e-7).toString()).toBe('0.0000001000');
    expect(Numeric.of('-0.1').sign()).toBe(-1);
  });

  it("fails with Daml's ArithmeticError", () => {
    const largest = Numeric.fromUnscaled(LIMIT - 1n, 10);
    expect(() => largest.add('0.0000000001')).toThrow(
      'ArithmeticError while evaluating (ADD_NUMERIC 9999999999999999999999999999.9999999999 0.0000000001).',
    );
    expect(() => Numeric.of(1).divide(0)).toThrow(
      'ArithmeticError while evaluating (DIV_NUMERIC 0.0 1.0 0.0).',
    );
    expect(() => largest.multiply(2)).toThrow(ArithmeticError);
    expect(() => Numeric.of('0.12', 1)).toThrow(ArithmeticError);
    expect(() => Numeric.of('one')).toThrow('"one" is not a decimal number.');
    expect(() => Numeric.of(1, 38)).toThrow('Bad scale 38, must be between 0 and 37');
    expect(new ArithmeticError('X')).toMatchObject({
      errorId: 'UNHANDLED_EXCEPTION/DA.Exception.ArithmeticError:ArithmeticError',
      category: 9,
    });
  });

  it('adds and subtracts exactly, or overflows', () => {
    check(
      fc.property(scale, arbitraryDigits, arbitraryDigits, (at, a, b) => {
        const left = Numeric.fromUnscaled(a, at);
        const right = Numeric.fromUnscaled(b, at);
        for (const [result, exact] of [
          [attempt(() => left.add(right)), a + b],
          [attempt(() => left.subtract(right)), a - b],
        ] as const) {
          if (exact >= LIMIT || exact <= -LIMIT) expect(result).toBe('ArithmeticError');
          else expect(result).toEqual(Numeric.fromUnscaled(exact, at));
        }
      }),
    );
  });

  it('rounds products and quotients half to even, or overflows', () => {
    const ties = { products: 0, quotients: 0 };
    const isTie = (rounded: bigint, numerator: bigint, denominator: bigint): number => {
      const [off, unit] = distance(rounded, numerator, denominator);
      return off === unit ? 1 : 0;
    };
    check(
      fc.property(anyPair, ({ left, right, at }) => {
        const numerator = left.unscaled * right.unscaled * 10n ** BigInt(at);
        const denominator = 10n ** BigInt(left.scale + right.scale);
        const product = attempt(() => left.multiply(right, at));
        if (product === 'ArithmeticError') {
          expect(2n * (numerator < 0n ? -numerator : numerator)).toBeGreaterThanOrEqual(
            (2n * LIMIT - 1n) * denominator,
          );
        } else {
          expect(isHalfEven(product.unscaled, numerator, denominator)).toBe(true);
          ties.products += isTie(product.unscaled, numerator, denominator);
        }
        fc.pre(!right.isZero());
        const quotient = attempt(() => left.divide(right, at));
        if (quotient === 'ArithmeticError') return;
        const top = left.unscaled * 10n ** BigInt(at + right.scale);
        const bottom = right.unscaled * 10n ** BigInt(left.scale);
        expect(isHalfEven(quotient.unscaled, top, bottom)).toBe(true);
        ties.quotients += isTie(quotient.unscaled, top, bottom);
      }),
    );
    if (isUsualRun) for (const count of Object.values(ties)) expect(count).toBeGreaterThan(20);
  });

  it('compares by value across scales', () => {
    check(
      fc.property(anyNumeric, anyNumeric, (left, right) => {
        const difference =
          left.unscaled * 10n ** BigInt(right.scale) - right.unscaled * 10n ** BigInt(left.scale);
        expect(left.compare(right)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
        expect(right.compare(left) + left.compare(right)).toBe(0);
      }),
    );
  });

  it('parses its own text at each scale', () => {
    check(
      fc.property(anyNumeric, (value) => {
        expect(parseNumeric(value.toString())?.rescale(value.scale)).toEqual(value);
        expect(Numeric.of(value.toCompact(), value.scale)).toEqual(value);
      }),
    );
  });
});
