/** Node's own timers, which the fakes of a suite do not reach. */
import timers from 'node:timers';

/**
 * Ends timers of a length at once.
 * @param length milliseconds
 * @returns the lengths of all timers that were set while it ran, and its result
 */
export async function endingTimers<R>(
  length: number,
  run: () => Promise<R>,
): Promise<readonly [lengths: readonly unknown[], result: R]> {
  const lengths: unknown[] = [];
  const own = timers.setTimeout;
  const spy = jest.spyOn(timers, 'setTimeout').mockImplementation(((
    ring: () => void,
    milliseconds?: number,
  ) => {
    lengths.push(milliseconds);
    return own(ring, milliseconds === length ? 1 : milliseconds);
  }) as typeof timers.setTimeout);
  try {
    return [lengths, await run()];
  } finally {
    spy.mockRestore();
  }
}
