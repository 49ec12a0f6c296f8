/**
 * CANTICLE_KEEP=1: after a failed test, keeps its instance open and prints the URL of its inspector. The run continues after the instance
 * is closed. Ctrl+C stops the run.
 */
import { setTimeout } from 'node:timers';
import type { Canticle } from '../../assembly/canticle.js';
import { fromEnvironment } from '../../options/environment.js';

export const isKeeping = (): boolean => Boolean(fromEnvironment('CANTICLE_KEEP'));

/** The maximum timeout that hooks of a accept, in milliseconds: about 25 days. */
export const LONGEST_HOOK = 2 ** 31 - 1;

/** Milliseconds between checks whether the instance is closed. The timer keeps the process alive. */
const LOOK = 100;

/**
 * Resolves when the instance is closed.
 *
 * @param failure printed too, because a runner shows a failure only after the test, which Ctrl+C never reaches
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
