/** A LocalNet for a test file, rewound after each test: three participants with their validators, tokens and URLs, in one line. */
import { lazy } from '../../daml/errors/lazy.js';
import type { Localnet } from '../../assembly/localnet/localnet.js';
import type { LocalnetOptions } from '../../assembly/localnet/localnet-options.js';
import { useInstance, type TestRunner } from './use-canticle.js';
import type * as Checks from '../../assembly/localnet/localnet-checks.js';
import type * as Localnets from '../../assembly/localnet/create-localnet.js';

const checks = lazy(() => require('../../assembly/localnet/localnet-checks.js') as typeof Checks);
const localnets = lazy(
  () => require('../../assembly/localnet/create-localnet.js') as typeof Localnets,
);

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
  const localnet = checks().completeOptions(given);
  return useInstance({
    revert,
    runner,
    coverage: localnet.coverage,
    make: (coverage) => localnets().createLocalnet({ ...localnet, coverage }),
    listen: (made) => localnets().listenAll(made, localnet),
  });
}
