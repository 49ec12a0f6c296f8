/** Random numbers and times: boundaries, constants, and values equal or close to those of the state. */
import { Numeric } from '../../daml/model/numeric.js';
import { MAX_DATE, MAX_TIMESTAMP, MIN_DATE, MIN_TIMESTAMP } from '../../daml/model/time.js';
import type { Random } from './random.js';

export const MAX_INT64 = 2n ** 63n - 1n;
export const MIN_INT64 = -(2n ** 63n);
const MAX_UNSCALED = 10n ** 38n - 1n;
const TEN = 10n;

/** Microseconds: one, a millisecond, a second, a minute, an hour, a day, a week, 30 days, 365 days. */
export const DURATIONS: readonly bigint[] = [
  1n,
  1_000n,
  1_000_000n,
  60_000_000n,
  3_600_000_000n,
  86_400_000_000n,
  604_800_000_000n,
  2_592_000_000_000n,
  31_536_000_000_000n,
];

const clamped = (value: bigint, min: bigint, max: bigint): bigint =>
  value < min ? min : value > max ? max : value;

/** @param known a value of the state or a constant */
export function int64(random: Random, known: bigint | undefined): bigint {
  switch (random.below(known === undefined ? 6 : 12)) {
    case 0:
      return BigInt(random.below(3));
    case 1:
      return BigInt(random.below(20)) - 5n;
    case 2:
      return BigInt(random.below(1_001));
    case 3:
      return TEN ** BigInt(random.below(19)) * (random.chance(0.2) ? -1n : 1n);
    case 4:
      return random.pick(DURATIONS) * BigInt(1 + random.below(3));
    case 5:
      return extreme(random, MIN_INT64, MAX_INT64);
    default:
      return clamped(near(random, known!, 1n), MIN_INT64, MAX_INT64);
  }
}

export function numeric(random: Random, scale: number, known: Numeric | undefined): Numeric {
  const value = clamped(unscaled(random, scale, known), -MAX_UNSCALED, MAX_UNSCALED);
  return Numeric.fromUnscaled(value, scale);
}

function unscaled(random: Random, scale: number, known: Numeric | undefined): bigint {
  const one = TEN ** BigInt(scale);
  switch (random.below(known === undefined ? 6 : 12)) {
    case 0:
      return BigInt(random.below(3)) * one;
    case 1:
      return BigInt(1 + random.below(1_000)) * one;
    case 2:
      return (BigInt(random.below(2_001) - 500) * one) / 100n;
    case 3:
      return BigInt(random.below(3)) - 1n;
    case 4:
      return -BigInt(random.below(100)) * one;
    case 5:
      return extreme(random, -MAX_UNSCALED, MAX_UNSCALED);
    default: {
      const rescaled =
        known!.scale <= scale
          ? known!.unscaled * TEN ** BigInt(scale - known!.scale)
          : known!.unscaled / TEN ** BigInt(known!.scale - scale);
      return near(random, rescaled, one);
    }
  }
}

/** @param known a time of the state or a constant */
export function timestamp(random: Random, now: bigint, known: bigint | undefined): bigint {
  const base = known !== undefined && random.chance(0.6) ? known : now;
  switch (random.below(8)) {
    case 0:
      return base;
    case 1:
      return clamped(base + 1n, MIN_TIMESTAMP, MAX_TIMESTAMP);
    case 2:
      return clamped(base - 1n, MIN_TIMESTAMP, MAX_TIMESTAMP);
    case 3:
      return random.chance(0.1) ? extreme(random, MIN_TIMESTAMP, MAX_TIMESTAMP) : base;
    case 4: {
      const before = base - random.pick(DURATIONS) * BigInt(1 + random.below(3));
      return clamped(before, MIN_TIMESTAMP, MAX_TIMESTAMP);
    }
    default: {
      const after = base + random.pick(DURATIONS) * BigInt(1 + random.below(3));
      return clamped(after, MIN_TIMESTAMP, MAX_TIMESTAMP);
    }
  }
}

/** Days since 1970. */
export function date(random: Random, now: bigint, known: number | undefined): number {
  const today = Number(now / DURATIONS[5]!);
  const base = known !== undefined && random.chance(0.6) ? known : today;
  const days = random.chance(0.05)
    ? random.pick([MIN_DATE, MAX_DATE])
    : base + (random.chance(0.3) ? random.below(731) - 365 : random.below(3) - 1);
  return Math.min(MAX_DATE, Math.max(MIN_DATE, days));
}

function extreme(random: Random, min: bigint, max: bigint): bigint {
  return random.pick([min, max, min + 1n, max - 1n]);
}

/** Equal to a value or close to it. @param one the unit */
function near(random: Random, value: bigint, one: bigint): bigint {
  switch (random.below(10)) {
    case 0:
      return value + 1n;
    case 1:
      return value - 1n;
    case 2:
      return value + one;
    case 3:
      return value - one;
    case 4:
      return value / 2n;
    case 5:
      return value * 2n;
    case 6:
      return -value;
    default:
      return value;
  }
}
