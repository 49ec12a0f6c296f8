/** Traffic that validators buy for their participants, and the part that they reserve for purchases (A-TRF-001, WA-GEN-007). */
import { AppRefusal } from '../app-refusal.js';
import type { Validator } from './validator.js';

/** Traffic purchases in a network with metering. Defaults are those of a LocalNet. */
export interface TrafficOptions {
  /** Bytes per second for which each validator except the SV's buys traffic; 20,000 by default. With 0, it buys none. */
  readonly targetThroughput?: number;
  /** The minimum time between purchases, in microseconds; one minute by default. */
  readonly minTopupInterval?: bigint;
  /** Bytes of the bought traffic that are reserved for purchases; 200,000 by default. */
  readonly reservedTraffic?: number;
}

/** The size and interval of purchases. */
export interface TopUp {
  /** Bytes; 0 if the validator does not buy traffic. */
  readonly amount: number;
  /** Microseconds. */
  readonly interval: bigint;
}

const DEFAULTS = {
  targetThroughput: 20_000,
  minTopupInterval: 60_000_000n,
  reservedTraffic: 200_000,
};
/** The polling interval of validators, in microseconds (A-GEN-001). */
export const TRAFFIC_POLL = 30_000_000n;

/** @param least the smallest purchase in bytes */
export function topUpOf(options: TrafficOptions | undefined, least: number): TopUp {
  const { targetThroughput: rate, minTopupInterval } = { ...DEFAULTS, ...options };
  if (rate <= 0) return { amount: 0, interval: 0n };
  const expected = untilPoll(rate, minTopupInterval);
  if (expected.amount >= least) return expected;
  return untilPoll(rate, BigInt(Math.ceil((least / rate) * 1_000)) * 1_000n);
}

/** The traffic for the rate from one poll with a purchase to the next. */
function untilPoll(rate: number, interval: bigint): TopUp {
  const whole = ((interval + TRAFFIC_POLL - 1n) / TRAFFIC_POLL) * TRAFFIC_POLL;
  return { amount: Math.ceil((rate * Number(whole)) / 1_000_000), interval: whole };
}

/** Undefined if a validator has no reserve, because traffic is not metered or it does not buy any. */
export function reserveOf(options: TrafficOptions | undefined): number | undefined {
  if (options === undefined) return undefined;
  const { targetThroughput, reservedTraffic } = { ...DEFAULTS, ...options };
  return targetThroughput <= 0 ? undefined : reservedTraffic;
}

/** Whether a validator may submit commands other than purchases. */
export const hasTraffic = (validator: Validator): boolean => shortage(validator) === undefined;

/** @throws AppRefusal 429 if only purchases may be submitted */
export function requireTraffic(validator: Validator): void {
  const refusal = shortage(validator);
  if (refusal !== undefined) throw refusal;
}

function shortage({ participant, reservedTraffic }: Validator): AppRefusal | undefined {
  if (reservedTraffic === undefined) return undefined;
  const { ledger, id } = participant;
  const state = ledger.traffic.state(ledger.synchronizers[0]!.id, id);
  if (state === undefined) return undefined;
  const available = state.purchased - state.consumed;
  if (available > reservedTraffic) return undefined;
  return new AppRefusal(
    429,
    `Traffic balance below reserved traffic amount (${available} < ${reservedTraffic})`,
  );
}
