/** Random numbers and times: all values that can occur, and how often the important ones do. */
import { Numeric } from '../../../src/daml/model/numeric.js';
import { MAX_DATE, MAX_TIMESTAMP, MIN_DATE, MIN_TIMESTAMP } from '../../../src/daml/model/time.js';
import {
  date,
  int64,
  MAX_INT64,
  MIN_INT64,
  numeric,
  timestamp,
} from '../../../src/fuzzing/values/numbers.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { chancesOf, shareOf } from './chances.js';

const range = (from: number, to: number): readonly bigint[] =>
  Array.from({ length: to - from + 1 }, (_, place) => BigInt(from + place));
const sorted = (values: Iterable<bigint>): readonly bigint[] =>
  [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
const DURATIONS = [
  1n,
  1_000n,
  ...[SECOND, 60n * SECOND, 3_600n * SECOND],
  ...[DAY, 7n * DAY, 30n * DAY, 365n * DAY],
];
/** Each duration once, twice and three times. */
const SPANS = DURATIONS.flatMap((each) => [each, 2n * each, 3n * each]);
const ends = (least: bigint, most: bigint) => [least, least + 1n, most - 1n, most];
/** A value, its neighbours, its half, its double, and its opposite. */
const around = (value: bigint, unit: bigint) => [
  ...[value, value + 1n, value - 1n, value + unit, value - unit],
  ...[value / 2n, value * 2n, -value],
];

describe('an integer', () => {
  const UNKNOWN = [
    ...range(-5, 1_000),
    ...range(0, 18).flatMap((zeros) => [10n ** zeros, -(10n ** zeros)]),
    ...SPANS,
    ...ends(MIN_INT64, MAX_INT64),
  ];

  it('is small, a power of ten, a duration or an end of the type', () => {
    const chances = chancesOf((random) => int64(random, undefined));
    expect(sorted(chances.keys())).toEqual(sorted(UNKNOWN));
    // 20% of the powers of ten are negative.
    expect(shareOf(chances, (each) => each < -5n)).toBeCloseTo((1 / 6 / 5) * (18 / 19) + 1 / 12);
    expect(shareOf(chances, (each) => each >= 0n && each <= 2n)).toBeGreaterThan(1 / 6);
  });

  it('is often close to a known one, within the type', () => {
    const chances = chancesOf((random) => int64(random, 4_711n));
    expect(sorted(chances.keys())).toEqual(sorted([...UNKNOWN, ...around(4_711n, 1n)]));
    expect(shareOf(chances, (each) => around(4_711n, 1n).includes(each))).toBeCloseTo(0.5);
    expect(chances.get(4_711n)).toBeCloseTo(0.15);
    const most = chancesOf((random) => int64(random, MAX_INT64));
    expect(sorted(most.keys()).at(-1)).toBe(MAX_INT64);
    const least = chancesOf((random) => int64(random, MIN_INT64));
    expect(sorted(least.keys())[0]).toBe(MIN_INT64);
  });
});

describe('a decimal', () => {
  const unscaled = (scale: number, known?: Numeric) =>
    chancesOf((random) => numeric(random, scale, known).unscaled);
  const most = 10n ** 38n - 1n;
  const UNKNOWN = [
    ...range(0, 1_000).map((each) => each * 100n),
    ...range(-500, 1_500),
    ...range(-99, 0).map((each) => each * 100n),
    ...ends(-most, most),
  ];

  it('is whole, a hundredth, the smallest unit or an end of the type', () => {
    const chances = unscaled(2);
    expect(sorted(chances.keys())).toEqual(sorted(UNKNOWN));
    // A sixth are 0, 1 or 2; a sixth are whole up to 1,000; a sixth are hundredths.
    expect(chances.get(200n)).toBeCloseTo((1 / 3 + 1 / 1_000 + 1 / 2_001) / 6, 6);
    expect(chances.get(-300n)).toBeCloseTo((1 / 2_001 + 1 / 100) / 6, 6);
    expect(chances.get(-1n)).toBeCloseTo((1 / 2_001 + 1 / 3) / 6, 6);
  });

  it('is often close to a known one of any scale', () => {
    const close = (value: bigint) => sorted([...UNKNOWN, ...around(value, 100n)]);
    expect(sorted(unscaled(2, Numeric.of('47.1', 1)).keys())).toEqual(close(4_710n));
    expect(sorted(unscaled(2, Numeric.of('47.119', 3)).keys())).toEqual(close(4_711n));
    expect(unscaled(2, Numeric.of('47.11', 2)).get(4_711n)).toBeCloseTo(0.15);
  });

  it('stays within the type', () => {
    for (const known of [undefined, Numeric.fromUnscaled(most, 37)]) {
      const values = sorted(unscaled(37, known).keys());
      expect([values[0], values.at(-1)]).toEqual([-most, most]);
    }
  });
});

describe('a time', () => {
  const NOW = 1_000n * DAY;
  const near = (base: bigint) => [
    ...[base, base + 1n, base - 1n],
    ...SPANS.flatMap((span) => [base + span, base - span]),
  ];
  const extremes = ends(MIN_TIMESTAMP, MAX_TIMESTAMP);

  it('is close to now, by a usual duration, or an end of the type', () => {
    const chances = chancesOf((random) => timestamp(random, NOW, undefined));
    expect(sorted(chances.keys())).toEqual(sorted([...near(NOW), ...extremes]));
    expect(chances.get(NOW)).toBeCloseTo(1 / 8 + 0.9 / 8);
    expect(shareOf(chances, (each) => each > NOW + 1n && each < MAX_TIMESTAMP - 1n)).toBeCloseTo(
      (3 / 8) * (26 / 27),
    );
  });

  it('is mostly close to a known time', () => {
    const known = NOW + 4_000n * DAY;
    const chances = chancesOf((random) => timestamp(random, NOW, known));
    expect(sorted(chances.keys())).toEqual(sorted([...near(NOW), ...near(known), ...extremes]));
    expect(shareOf(chances, (each) => near(known).includes(each))).toBeCloseTo(0.6 * (1 - 0.1 / 8));
  });

  it.each([MIN_TIMESTAMP, MAX_TIMESTAMP])('stays within the type at %s', (now) => {
    const values = sorted(chancesOf((random) => timestamp(random, now, undefined)).keys());
    expect([values[0]! >= MIN_TIMESTAMP, values.at(-1)! <= MAX_TIMESTAMP]).toEqual([true, true]);
    expect(values).toContain(now);
  });
});

describe('a date', () => {
  const TODAY = 20_000;
  const days = (known?: number, today = TODAY) =>
    chancesOf((random) => date(random, BigInt(today) * DAY + 5n, known));
  const listed = (chances: ReadonlyMap<number, number>) =>
    [...chances.keys()].sort((a, b) => a - b);
  const year = (base: number) => range(base - 365, base + 365).map(Number);

  it('is within a year of today, mostly the next day at most, or an end of the type', () => {
    expect(listed(days())).toEqual([MIN_DATE, ...year(TODAY), MAX_DATE]);
    const close = shareOf(days(), (each) => Math.abs(each - TODAY) <= 1);
    expect(close).toBeCloseTo(0.95 * (0.7 + (0.3 * 3) / 731));
  });

  it('is mostly close to a known date', () => {
    const chances = days(10_000);
    expect(listed(chances)).toEqual([MIN_DATE, ...year(10_000), ...year(TODAY), MAX_DATE]);
    expect(shareOf(chances, (each) => Math.abs(each - 10_000) <= 365)).toBeCloseTo(0.95 * 0.6);
  });

  it('stays within the type', () => {
    expect(listed(days(undefined, MIN_DATE))[0]).toBe(MIN_DATE);
    expect(listed(days(undefined, MAX_DATE)).at(-1)).toBe(MAX_DATE);
  });
});

describe('the generator', () => {
  /** xoshiro128** of its authors, from the same state. */
  function* reference(state: number[]): Generator<number> {
    const rotated = (word: number, by: number) => (word << by) | (word >>> (32 - by));
    for (;;) {
      const [a, b, c, d] = state as [number, number, number, number];
      yield Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
      const [e, f] = [c ^ a, d ^ b];
      state = [a ^ f, b ^ e, e ^ (b << 9), rotated(f, 11)];
    }
  }

  it('is xoshiro128**, after eight numbers that mix the seed', () => {
    const numbers = reference([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]);
    for (let skipped = 0; skipped < 8; skipped++) numbers.next();
    const random = new Random('');
    for (let count = 0; count < 20; count++) expect(random.next()).toBe(numbers.next().value);
  });

  it('gives other numbers for seeds that differ in one character or in their order', () => {
    const seeds = ['a', 'b', 'aa', 'ab', 'ba', 'seed 1', 'seed 2', 'seed 10'];
    const firsts = seeds.map((seed) => new Random(seed).next());
    expect(new Set(firsts).size).toBe(seeds.length);
    // Each bit is 0 for some seed and 1 for another one.
    const many = Array.from({ length: 64 }, (_, n) => new Random(`s${n}`).next());
    for (let bit = 0; bit < 32; bit++) {
      const ones = many.filter((each) => (each >>> bit) & 1).length;
      expect([bit, ones > 16 && ones < 48]).toEqual([bit, true]);
    }
  });

  it('makes integers of 64 bits from two numbers', () => {
    const [one, other] = [new Random('x'), new Random('x')];
    const [high, low] = [one.next(), one.next()];
    expect(other.int64()).toBe(BigInt.asIntN(64, (BigInt(high) << 32n) + BigInt(low)));
  });

  it('scales its numbers', () => {
    class Fixed extends Random {
      constructor(private readonly word: number) {
        super('');
      }
      override next(): number {
        return this.word ?? super.next();
      }
    }
    expect(new Fixed(0).below(7)).toBe(0);
    expect(new Fixed(0xffff_ffff).below(7)).toBe(6);
    expect(new Fixed(0x8000_0000).below(7)).toBe(3);
    expect(new Fixed(0x7fff_ffff).chance(0.5)).toBe(true);
    expect(new Fixed(0x8000_0000).chance(0.5)).toBe(false);
    expect(new Fixed(0xffff_ffff).pick(['a', 'b'])).toBe('b');
  });
});
