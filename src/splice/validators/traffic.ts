/**
 * How much traffic validators buy for their participants, and what they keep of it for the purchases themselves (A-TRF-001,
 * WA-GEN-007).
 */
import { AppRefusal } from '../app-refusal.js';
import type { Validator } from './validator.js';

/** What a network that meters traffic is set up with; by default as a LocalNet is. */
export interface TrafficOptions {
  /** Bytes a second that each validator but the SV's buys for; 20,000 by default, and with 0 it buys nothing. */
  readonly targetThroughput?: number;
  /** Between purchases, in microseconds; a minute by default. */
  readonly minTopupInterval?: bigint;
  /** Bytes that only purchases may use of what was bought; 200,000 by default. */
  readonly reservedTraffic?: number;
}

/** What validators buy at once, and how often. */
export interface TopUp {
  /** Bytes; 0 where nothing is bought. */
  readonly amount: number;
  /** Microseconds. */
  readonly interval: bigint;
}

const DEFAULTS = {
  targetThroughput: 20_000,
  minTopupInterval: 60_000_000n,
  reservedTraffic: 200_000,
};
/** How often a validator looks, in microseconds (A-GEN-001). */
export const TRAFFIC_POLL = 30_000_000n;

/** @param least bytes that may be bought at once */
export function topUpOf(options: TrafficOptions | undefined, least: number): TopUp {
  const { targetThroughput: rate, minTopupInterval } = { ...DEFAULTS, ...options };
  if (rate <= 0) return { amount: 0, interval: 0n };
  const expected = untilPoll(rate, minTopupInterval);
  if (expected.amount >= least) return expected;
  return untilPoll(rate, BigInt(Math.ceil((least / rate) * 1_000)) * 1_000n);
}

/** As much as the rate needs from one poll that may buy to the next. */
function untilPoll(rate: number, interval: bigint): TopUp {
  const whole = ((interval + TRAFFIC_POLL - 1n) / TRAFFIC_POLL) * TRAFFIC_POLL;
  return { amount: Math.ceil((rate * Number(whole)) / 1_000_000), interval: whole };
}

/** Undefined where a validator keeps nothing: traffic is not metered, or it buys none. */
export function reserveOf(options: TrafficOptions | undefined): number | undefined {
  if (options === undefined) return undefined;
  const { targetThroughput, reservedTraffic } = { ...DEFAULTS, ...options };
  return targetThroughput <= 0 ? undefined : reservedTraffic;
}

/** Whether a validator may submit what is no purchase. */
export const hasTraffic = (validator: Validator): boolean => shortage(validator) === undefined;

/** @throws AppRefusal 429 where only purchases may go on */
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
