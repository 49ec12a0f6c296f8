/**
 * CANTICLE_KEEP=1: where a test failed, its instance stays as it is, and the address of the page that shows it is printed. The run goes on
 * once the instance is closed; Ctrl+C ends it.
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
 *
 * @param failure printed too, because a runner shows a failure only after the test, which Ctrl+C never reaches
 */
export async function keepOpen(canticle: Canticle, failure: string): Promise<void> {
  if (!isListening(canticle)) await canticle.listen();
  const page = canticle.urls.inspector;
  process.stderr.write(
    `A test failed, and its network is kept: ${page} (Ctrl+C ends it)\n${failure}`,
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
