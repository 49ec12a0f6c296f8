/**
 * Canticle for Playwright: its `test` has the fixtures `canticle`, an instance that reverts after each test, and `wallet`, which pages
 * find and the test controls.
 *
 * @module
 */
import { test as base, type TestInfo } from '@playwright/test';
import type { Canticle } from '../assembly/canticle.js';
import type { CanticleMatchers } from './matchers/types.js';
import { CollectedHooks } from './playwright/hooks.js';
import { pageWallet, type PageWallet, type PageWalletOptions } from './playwright/page-wallet.js';
import { matchers, useCanticle, type UseCanticleOptions } from './runner/use-canticle.js';

export type { PageWallet, PageWalletOptions };

/** The options of the instance: those of `useCanticle`. */
export type CanticleFixtureOptions = Omit<UseCanticleOptions, 'runner' | 'releases' | 'listen'>;

/** The fixtures of a test. */
export interface CanticleFixtures {
  /** An instance with a Wallet Gateway. It belongs to the worker, and reverts after each test. */
  readonly canticle: Canticle;
  /** The wallet that pages of this test find. It asks, and the test decides. */
  readonly wallet: PageWallet;
  /** How the wallet appears in pages; set it with `test.use`. */
  readonly walletOptions: PageWalletOptions;
}

/** The fixtures that the tests of a worker share. */
export interface CanticleWorkerFixtures {
  /** Options of the instance; set them with `test.use`. */
  readonly canticleOptions: CanticleFixtureOptions;
  /** The instance between tests. @internal */
  readonly workerCanticle: WorkerCanticle;
}

/** An instance, and its hooks. @internal */
export interface WorkerCanticle {
  readonly canticle: Canticle;
  readonly hooks: CollectedHooks;
}

/** The `test` of Playwright, with the fixtures of Canticle. */
export const test = base.extend<CanticleFixtures, CanticleWorkerFixtures>({
  canticleOptions: [{}, { option: true, scope: 'worker' }],
  walletOptions: [{}, { option: true }],

  workerCanticle: [
    async ({ canticleOptions }, use) => {
      const hooks = new CollectedHooks();
      const canticle = useCanticle({ walletGateway: true, ...canticleOptions, runner: hooks });
      await hooks.run('beforeAll');
      await use({ canticle, hooks });
      await hooks.run('afterAll');
    },
    { scope: 'worker' },
  ],

  canticle: async ({ workerCanticle: { canticle, hooks } }, use, info) => {
    const { titlePath, file } = info;
    await hooks.run('beforeEach', { fullName: titlePath.join(' > '), filePath: file });
    await use(canticle);
    await hooks.run('afterEach', resultOf(info));
  },

  wallet: async ({ canticle, context, walletOptions }, use) => {
    await use(await pageWallet(canticle, context, walletOptions));
  },
});

/** The result of a test in the form of node:test, whose report is an attachment. */
const resultOf = (info: TestInfo) => ({
  fullName: info.titlePath.join(' > '),
  filePath: info.file,
  passed: info.status === info.expectedStatus,
  error: info.error,
  diagnostic: (text: string): void => {
    void info.attach('canticle', { body: text, contentType: 'text/plain' });
  },
});

/** The `expect` of Playwright, with the matchers of Canticle. */
export const { expect } = test;
expect.extend(matchers as never);

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- where Playwright's own types are extended
  namespace PlaywrightTest {
    // oxlint-disable-next-line typescript/no-empty-object-type -- as Playwright has it
    interface Matchers<R> extends CanticleMatchers<R> {}
  }
}
