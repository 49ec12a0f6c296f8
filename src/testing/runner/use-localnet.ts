/** A LocalNet for a test file, rewound after each test: three participants with their validators, tokens and URLs, in one line. */
import type { Localnet } from '../../assembly/localnet/localnet.js';
import { completeOptions } from '../../assembly/localnet/localnet-checks.js';
import type { LocalnetOptions } from '../../assembly/localnet/localnet-options.js';
import { createLocalnet, listenAll } from '../../assembly/localnet/start-localnet.js';
import { useInstance, type TestRunner } from './use-canticle.js';

/** Its ports are any free ones by default, and its time is virtual, as test files run at the same time. */
export interface UseLocalnetOptions extends LocalnetOptions {
  /** `each`, the default: what a test does is undone after it. `never`: tests build on each other. */
  readonly revert?: 'each' | 'never';
  /** Where the hooks are no globals: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

/**
 * Starts a LocalNet for this file, or for this `describe`, as `useCanticle` starts a Canticle: it is there at once, listens from the
 * first `beforeAll` on, goes back after each test to where that began, and is closed at the end.
 */
export function useLocalnet(options: UseLocalnetOptions = {}): Localnet {
  const { revert = 'each', runner, ...given } = options;
  const localnet = completeOptions(given);
  return useInstance({
    revert,
    runner,
    coverage: localnet.coverage,
    make: (coverage) => createLocalnet({ ...localnet, coverage }),
    listen: (made) => listenAll(made, localnet),
  });
}
