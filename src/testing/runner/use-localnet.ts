/** A LocalNet for a test file, which reverts after each test: three participants with their validators, tokens and URLs. */
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

/** By default its ports are any free ones, and its time is virtual, because test files run in parallel. */
export interface UseLocalnetOptions extends LocalnetOptions {
  /** `each`, the default, reverts after each test. With `never`, tests build on each other. */
  readonly revert?: 'each' | 'never';
  /** As in `useCanticle`. */
  readonly quietDeprecations?: boolean;
  /** Required if the hooks are not global: `import * as runner from '@jest/globals'`. */
  readonly runner?: TestRunner;
}

/**
 * Starts a LocalNet for this file, or for this `describe`, as `useCanticle` starts a Canticle. You can use it immediately. It listens
 * from the first `beforeAll` on, reverts after each test to the start of that test, and closes at the end.
 */
export function useLocalnet(options: UseLocalnetOptions = {}): Localnet {
  const { revert = 'each', quietDeprecations, runner, ...given } = options;
  const localnet = checks().completeOptions(given);
  return useInstance({
    revert,
    runner,
    quietDeprecations,
    coverage: localnet.coverage,
    make: (coverage) => localnets().createLocalnet({ ...localnet, coverage }),
    listen: (made) => localnets().listenAll(made, localnet),
  });
}
