/** The clock of this machine: its time to the microsecond, its corrections, and its timers. */
import { MachineClock } from '../../src/assembly/machine-clock.js';

/** In milliseconds: sums with eighths are exact. */
const START = 1_764_000_000_000;
let coarse: number;
let exact: number;

/** Sets the time of day and the exact time, in milliseconds after the start. */
function set(atDay: number, atExact = atDay): void {
  coarse = START + atDay;
  exact = START + atExact;
}
/** In microseconds after the start. */
const read = (clock: MachineClock): number => Number(clock.now()) - START * 1000;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['Date', 'performance', 'nextTick', 'queueMicrotask'] });
  jest.spyOn(Date, 'now').mockImplementation(() => coarse);
  jest.spyOn(performance, 'now').mockImplementation(() => exact - performance.timeOrigin);
  set(0);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('the time', () => {
  it('has the fractions of the exact time (B-ID-032)', () => {
    set(0, 0.125);
    expect(read(new MachineClock())).toBe(125);
  });

  it('may differ from the time of day by 2 ms; it is corrected beyond', () => {
    set(0, 2);
    expect(read(new MachineClock())).toBe(2000);
    set(2, 0);
    expect(read(new MachineClock())).toBe(0);
    const clock = new MachineClock();
    set(0, 2.125);
    expect(read(clock)).toBe(0);
    // The correction stays, and the fractions remain.
    set(1, 3.25);
    expect(read(clock)).toBe(1125);
  });

  it('waits after a step back of 100 ms, and follows a longer one', () => {
    const clock = new MachineClock();
    read(clock);
    set(-100);
    expect(read(clock)).toBe(0);
    set(-100.0005);
    expect(read(clock)).toBe(-100_001);
    set(1);
    expect(read(clock)).toBe(1000);
  });
});

describe('a timer', () => {
  const ring = jest.fn();
  beforeEach(() => ring.mockClear());
  const ringAfter = (clock: MachineClock, microseconds: bigint): void =>
    clock.ringAt(BigInt(START) * 1000n + microseconds, ring);

  it.each([
    ['of a fraction, at the next millisecond', 10_001n, 11],
    ['of whole milliseconds, without a delay', 10_000n, 10],
  ])('rings %s', (_, microseconds, milliseconds) => {
    ringAfter(new MachineClock(), microseconds);
    jest.advanceTimersByTime(milliseconds - 1);
    expect(ring).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  it('of the past rings at once', () => {
    const delays = jest.spyOn(globalThis, 'setTimeout');
    ringAfter(new MachineClock(), -5000n);
    expect(delays.mock.calls[0]![1]).toBe(0);
    jest.advanceTimersByTime(0);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  it('waits for at most the longest delay of Node', () => {
    const delays = jest.spyOn(globalThis, 'setTimeout');
    const longest = 2_147_483_647;
    ringAfter(new MachineClock(), BigInt(longest) * 1000n);
    ringAfter(new MachineClock(), BigInt(longest + 1) * 1000n);
    expect(delays.mock.calls.map(([, delay]) => delay)).toEqual([longest, longest]);
  });

  it('keeps no process alive', () => {
    const made = jest.spyOn(globalThis, 'setTimeout');
    ringAfter(new MachineClock(), 1000n);
    expect((made.mock.results[0]!.value as NodeJS.Timeout).hasRef()).toBe(false);
  });

  it('stops with the clock, which then starts no other', () => {
    const clock = new MachineClock();
    ringAfter(clock, 1000n);
    ringAfter(clock, 2000n);
    clock.stop();
    expect(jest.getTimerCount()).toBe(0);
    ringAfter(clock, 1000n);
    expect(jest.getTimerCount()).toBe(0);
    expect(read(clock)).toBe(0);
  });

  it('is forgotten once it rang or stopped', () => {
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    const clock = new MachineClock();
    ringAfter(clock, 1000n);
    jest.advanceTimersByTime(1);
    ringAfter(clock, 5000n);
    clock.stop();
    clock.stop();
    expect(cleared).toHaveBeenCalledTimes(1);
  });
});
