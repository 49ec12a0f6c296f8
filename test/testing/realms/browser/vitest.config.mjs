/** Vitest's mode of a browser, in the one that this machine has: see realms.test.ts. */
import { readFileSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const executablePath = readFileSync(new URL('executable', import.meta.url), 'utf8');
const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'];

export default defineConfig({
  test: {
    globalSetup: ['setup.js'],
    include: ['page.test.js'],
    browser: {
      enabled: true,
      headless: true,
      provider: playwright({ launchOptions: { executablePath, args } }),
      instances: [{ browser: 'chromium' }],
      screenshotFailures: false,
    },
  },
});
