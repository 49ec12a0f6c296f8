/** The environments of a page that vitest has: see realms.test.ts. */
import { defineConfig } from 'vitest/config';

const alias = { runner: 'canticle/vitest' };

export default defineConfig({
  test: {
    projects: ['jsdom', 'happy-dom'].map((environment) => ({
      resolve: { alias },
      test: { name: environment, environment, globals: true, include: ['all.test.js'] },
    })),
  },
});
