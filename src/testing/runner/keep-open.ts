/**
 * CANTICLE_KEEP=1: after a failed test, the network stays open, and the URL of its inspector is printed. The run
 * continues after the instance is closed. Ctrl+C ends the run.
 */
import { setTimeout } from 'node:timers';
import type { Canticle } from '../../assembly/canticle.js';
import { fromEnvironment } from '../../options/environment.js';

export const isKeeping = (): boolean => Boolean(fromEnvironment('CANTICLE_KEEP'));

/** The maximum timeout of a hook in jest and vitest, in milliseconds: three weeks. */
export const LONGEST_HOOK = 2 ** 31 - 1;

/** The interval of checks whether the instance is closed, in milliseconds. The timer keeps the process alive. */
const LOOK = 100;

/**
 * Resolves when the instance is closed.
 * @param failure printed too, because runners print failures after the test, and Ctrl+C ends the run before that
 */
export async function keepOpen(canticle: Canticle, failure: string): Promise<void> {
  if (!isListening(canticle)) await canticle.listen();
  const page = canticle.urls.inspector;
  process.stderr.write(
    `A test failed. Its network stays open: ${page} (press Ctrl+C to stop)\n${failure}`,
  );
  while (isListening(canticle)) await new Promise((resolve) => setTimeout(resolve, LOOK));
}

function isListening(canticle: Canticle): boolean {
  try {
    return canticle.port > 0;
  } catch {
    return false;
  }
}
